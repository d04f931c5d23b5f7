#!/usr/bin/env bash
# From nothing to a result: sets up, builds the program, trains and decodes the three models on the built-in corpus,
# prints the table and leaves result.json and report.html in runs/compare, or in the folder that --run names (relative to
# the root of the repository). Called again, it keeps finished models. Further arguments go to `libtr compare`; a finished
# comparison keeps its settings, so others need a folder of their own:
#   scripts/compare.sh --run runs/short --set /train/budget/updates=100
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh
cmake --preset release >build-configure.log 2>&1 || { cat build-configure.log >&2; rm -f build-configure.log; exit 1; }
rm -f build-configure.log
cmake --build --preset release --target libtr_program
run=
previous=
for argument in "$@"; do
  case $argument in --run=*) run=${argument#--run=} ;; esac
  if [ "$previous" = --run ]; then run=$argument; fi
  previous=$argument
done
added=()
if [ -z "$run" ] && [ "$previous" != --run ]; then
  run=runs/compare
  added+=(--run "$run")
fi
if [ -e "$run" ]; then added+=(--resume); fi
exec build/release/bin/libtr compare configs/compare.json "${added[@]}" "$@"
