#!/usr/bin/env bash
# Sets up, builds everything, runs every test; ctest's summary comes last.
# An argument names another CMake preset: `scripts/test.sh ci` makes warnings errors.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh
preset=${1:-release}
cmake --preset "$preset"
cmake --build --preset "$preset"
scripts/untested_faults.sh
# Threads that wait give their core to the test beside them.
export OMP_WAIT_POLICY=passive
exec ctest --test-dir build/release --output-on-failure -j 2
