// The command line as a library function, so that an own program with own components gets all of it.
#pragma once

#include <functional>

namespace tr {

/// Runs one command ("libtr train …") and returns the exit status: 0 done, 1 data or run-time failure, 2 wrong use or
/// configuration, 130 interrupted. Components that were added to the tables before (nn::activations().add(…), …) can be
/// chosen by configurations.
int run_cli(int argc, char** argv);

/// What `body` returns, or for an error its one line on standard error and its status as above: for other programs on
/// the library.
int exit_status_of(const std::function<int()>& body);

}  // namespace tr
