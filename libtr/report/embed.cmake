# Makes a C++ source that holds one self-contained page: HTML with its style sheet and scripts put inline.
# cmake -DPAGE=page.html -DOUTPUT=page_template.cpp -P embed.cmake
get_filename_component(folder ${PAGE} DIRECTORY)
file(READ ${PAGE} page)
string(REGEX MATCHALL "(href|src)=\"[a-z_]+\\.(css|js)\"" references "${page}")
foreach(reference IN LISTS references)
  string(REGEX REPLACE ".*\"(.*)\"" "\\1" name ${reference})
  file(READ ${folder}/${name} content)
  string(REPLACE "<link rel=\"stylesheet\" href=\"${name}\">" "<style>\n${content}</style>" page "${page}")
  string(REPLACE "<script src=\"${name}\"></script>" "<script>\n${content}</script>" page "${page}")
endforeach()

# Bytes instead of a string literal: compilers limit the length of literals, and any character may occur.
file(WRITE ${OUTPUT}.html "${page}")
file(READ ${OUTPUT}.html bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
file(WRITE ${OUTPUT} "#include \"libtr/report/page_template.h\"

namespace tr::report {
namespace {
const unsigned char kPage[] = {${bytes}};
}  // namespace

std::string_view page_template() { return {reinterpret_cast<const char*>(kPage), sizeof(kPage)}; }

}  // namespace tr::report
")
