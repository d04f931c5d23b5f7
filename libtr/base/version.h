// Version of the library, as results and checkpoints record it.
#pragma once

namespace tr {

/// "0.1.0"
const char* version();
/// Revision of the sources that the program was built from, "+changes" behind it if they were edited, or "unknown".
const char* git_revision();

}  // namespace tr
