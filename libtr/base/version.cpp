#include "libtr/base/version.h"

#include "libtr/base/revision.h"  // defines: LIBTR_GIT_REVISION; written at build time

namespace tr {

const char* version() { return LIBTR_VERSION; }
const char* git_revision() { return LIBTR_GIT_REVISION; }

}  // namespace tr
