// The page without data; its source is generated from page.html, page.css and page*.js (embed.cmake).
#pragma once

#include <string_view>

namespace tr::report {

/// HTML in UTF-8 with the places {{title}}, {{table}} and {{data}}.
std::string_view page_template();

}  // namespace tr::report
