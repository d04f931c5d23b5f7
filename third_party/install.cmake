# Install with a CMake package: find_package(libtr) gives libtr::text and libtr::libtr.
include(CMakePackageConfigHelpers)
install(TARGETS libtr_text libtr libtr_warnings EXPORT libtr-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY libtr DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT libtr-targets NAMESPACE libtr:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/libtr)
configure_package_config_file(third_party/libtr-config.cmake.in libtr-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/libtr)
write_basic_package_version_file(libtr-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/libtr-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/libtr-config-version.cmake
              third_party/FindSentencePiece.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/libtr)
if(LIBTR_BUILD_APPS)
  install(TARGETS libtr_program DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
