// What a result records of the program and the machine.
#pragma once

#include "libtr/experiment/options.h"

namespace tr::experiment {

/// {"libtr", "git_revision", "libtorch", "cpu", "cpu_capability", "threads", "workers", "precision", "device"}
config::Json environment(const RunOptions& options, const train::Runtime& runtime);

}  // namespace tr::experiment
