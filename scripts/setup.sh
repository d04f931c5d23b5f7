#!/usr/bin/env bash
# Installs what the build needs: Debian packages, and LibTorch as a Python wheel in .venv. Safe to call again.
#   LIBTR_TORCH_INDEX   index to take the wheel from, for example one that serves CPU builds
#   Torch_DIR, CMAKE_PREFIX_PATH   name an own LibTorch; then no wheel is installed
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'setup: %s\n' "$*" >&2; }
stop() { printf 'error: scripts/setup.sh: %s\n' "$*" >&2; exit 1; }

readonly torch_version=2.13.0
packages=(g++ cmake ninja-build ccache git nlohmann-json3-dev libfmt-dev libcli11-dev libsentencepiece-dev libicu-dev
          libssl-dev zlib1g-dev catch2 libbenchmark-dev)
own_torch=${Torch_DIR:-${CMAKE_PREFIX_PATH:-}}
if [ -z "$own_torch" ]; then
  python3 -c 'import ensurepip, venv' 2>/dev/null || packages+=(python3-venv)
fi

installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'install ok installed'; }
missing=()
for package in "${packages[@]}"; do
  installed "$package" || missing+=("$package")
done
# A CMake or Ninja from elsewhere will do.
new_enough() { [ "$(printf '3.25\n%s\n' "$1" | sort -V | head -n 1)" = 3.25 ]; }
keep=()
for package in "${missing[@]}"; do
  case $package in
    cmake) version=$(cmake --version 2>/dev/null | sed -n 's/^cmake version //p') && new_enough "${version:-0}" && continue ;;
    ninja-build) ninja --version >/dev/null 2>&1 && continue ;;
    g++|git) command -v "$package" >/dev/null && continue ;;
  esac
  keep+=("$package")
done
if [ ${#keep[@]} -gt 0 ]; then
  command -v apt-get >/dev/null || stop "please install: ${keep[*]}"
  if [ "$(id -u)" = 0 ]; then as_root=()
  elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then as_root=(sudo)
  else stop "not root and no sudo; please have these Debian packages installed: ${keep[*]}"
  fi
  say "installing ${keep[*]}"
  export DEBIAN_FRONTEND=noninteractive
  "${as_root[@]}" apt-get -qq update
  "${as_root[@]}" apt-get -qq install -y --no-install-recommends "${keep[@]}" >/dev/null
fi

if [ -n "$own_torch" ]; then
  say "using the LibTorch of $own_torch"
  exit 0
fi
wheel_version() {  # of the wheel in .venv, read from its files: importing torch takes seconds
  sed -n "s/^__version__ = '\(.*\)'/\1/p" .venv/lib/python3*/site-packages/torch/version.py 2>/dev/null
}
case $(wheel_version) in
  "$torch_version"|"$torch_version"+*) ;;
  *)
    say "installing LibTorch $torch_version (wheel) into .venv"
    [ -x .venv/bin/pip ] || python3 -m venv .venv
    # The C++ libraries need none of the wheel's Python dependencies.
    .venv/bin/pip install -q --no-deps ${LIBTR_TORCH_INDEX:+--index-url "$LIBTR_TORCH_INDEX"} "torch==$torch_version"
    ;;
esac
cuda=$(sed -n "s/^cuda: .*= '\(.*\)'/\1/p" .venv/lib/python3*/site-packages/torch/version.py)
if [ -n "$cuda" ] && ! command -v nvcc >/dev/null && [ ! -d "${CUDA_HOME:-/usr/local/cuda}" ]; then
  stop "the wheel torch $(wheel_version) is a build for CUDA $cuda and there is no CUDA toolkit: for the CPU build remove .venv, set LIBTR_TORCH_INDEX to an index of CPU wheels and call again"
fi
