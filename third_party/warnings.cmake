# Warnings as a target of their own, for our sources alone.
add_library(libtr_warnings INTERFACE)
target_compile_options(libtr_warnings INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
                       -Wno-missing-field-initializers  # options structs are filled by name, the rest are defaults
                       -Wno-stringop-overflow -Wno-array-bounds  # g++ 12 reports false ones inside std::string and at::Tensor
                       $<$<BOOL:${LIBTR_WARNINGS_AS_ERRORS}>:-Werror>)
