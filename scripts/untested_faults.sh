#!/usr/bin/env bash
# Prints which of the faults F1 to F43 (docs/testing.md) no test guards: a test carries the tag [F14] of its fault.
set -euo pipefail
cd "$(dirname "$0")/.."
untested=()
for n in $(seq 1 43); do
  grep -rqF "[F$n]" tests --include='*.cpp' --include='*.sh' --include='CMakeLists.txt' || untested+=("F$n")
done
if [ ${#untested[@]} = 0 ]; then
  echo "every fault F1 to F43 has a test"
else
  echo "faults without a test (docs/testing.md says why): ${untested[*]}"
fi
