#!/bin/sh
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# subdirectory_test.sh CMAKE ROOT COMPILER FOLDER: builds a program that has AnyDML's
# sources as a part of its tree. The library is built once more in FOLDER, which is
# kept for the next time; without optimisation, for one instruction set and without
# CUDA, because only the build is in question. ccache helps where it is found.
set -eu
cmake=$1
root=$2
compiler=$3
folder=$4
here=$(dirname "$0")
launcher=$(command -v ccache || true)

"$cmake" -S "$here" -B "$folder" -G Ninja -DANYDML_SOURCE="$root" -DANYDML_CUDA=OFF \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="-O0 -DHWY_COMPILE_ONLY_STATIC" \
  ${launcher:+-DCMAKE_CXX_COMPILER_LAUNCHER="$launcher"} >/dev/null
"$cmake" --build "$folder" >/dev/null
"$folder/package_user"

# Without a build type the library is optimised all the same; the tree around it is as it was.
"$cmake" -S "$here" -B "$folder/no_build_type" -G Ninja -DANYDML_SOURCE="$root" -DANYDML_CUDA=OFF \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
commands="$folder/no_build_type/compile_commands.json"
if ! grep '"command":.*window/cpu/gradient/strided.cpp' "$commands" | grep -q -e ' -O3 '; then
  echo "the kernels are compiled without optimisation"
  exit 1
fi
if grep '"command":.*package_user.dir/gradient.cpp' "$commands" | grep -q -e ' -O'; then
  echo "options of AnyDML reached the program around it"
  exit 1
fi

# A part of another tree neither tests nor installs, and has no programs.
if "$cmake" --build "$folder" --target help |
  grep -E '^(conformance_test|install/anydml|anydml_tool|anydml_bench_library):'; then
  echo "more than the library became part of the program's build"
  exit 1
fi
