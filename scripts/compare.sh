#!/usr/bin/env bash
# From nothing to a result: sets up, builds the program, trains and decodes the three models on the built-in corpus,
# prints the table and leaves runs/compare/result.json and report.html. Called again, it keeps finished models.
# Further arguments go to `libtr compare`, for example: scripts/compare.sh --set /train/budget/updates=100
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh
cmake --preset release >build-configure.log 2>&1 || { cat build-configure.log >&2; rm -f build-configure.log; exit 1; }
rm -f build-configure.log
cmake --build --preset release --target libtr_program
resume=()
[ -e runs/compare ] && resume=(--resume)
exec build/release/bin/libtr compare configs/compare.json --run runs/compare "${resume[@]}" "$@"
