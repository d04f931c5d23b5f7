#!/usr/bin/env bash
# Installs the build in $1 into a scratch prefix, builds the consumer project against it and runs it.
set -euo pipefail
build=$1 source=$2 torch=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cmake --install "$build" --prefix "$scratch/prefix" >/dev/null
cmake -S "$source/tests/consumer/project" -B "$scratch/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
      -DCMAKE_PREFIX_PATH="$scratch/prefix" -DTorch_DIR="$torch" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
cmake --build "$scratch/build" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
[ "$("$scratch/build/own_score")" = 100.0000 ]
"$scratch/build/own_libtr" components activation | grep -q squared_relu
cat >"$scratch/config.json" <<'J'
{"data": {"train": {"type": "toy", "pairs": 100}, "valid": {"type": "toy", "split": "valid", "pairs": 5}},
 "tokenizer": {"type": "char"},
 "model": {"type": "transformer", "d_model": 16, "encoder_layers": 1, "decoder_layers": 1, "heads": 2, "d_hidden": 16,
           "activation": {"type": "squared_relu"}},
 "train": {"budget": {"updates": 2}}, "decode": {"beam": 1, "max_length_ratio": 0, "max_length_extra": 5}}
J
"$scratch/build/own_libtr" train "$scratch/config.json" --run "$scratch/run" --quiet
grep -q squared_relu "$scratch/run/checkpoints/best/config.json"
"$scratch/prefix/bin/libtr" --version
