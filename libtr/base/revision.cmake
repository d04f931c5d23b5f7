# Writes HEADER with the git revision of SOURCE, if it changed.
execute_process(COMMAND git describe --always --abbrev=12 --exclude=* --dirty=+changes
                WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT revision)
  set(revision "unknown")
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define LIBTR_GIT_REVISION \"@revision@\"\n" @ONLY)
