#!/bin/sh
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# old_nvcc_test.sh CMAKE ROOT COMPILER: where nvcc is too old for the kernels, the build goes
# without them and says so, even where they were asked for.
set -eu
cmake=$1
root=$2
compiler=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/nvcc" <<'END'
#!/bin/sh
echo "Cuda compilation tools, release 12.4, V12.4.131"
END
chmod +x "$work/nvcc"
"$cmake" -S "$root" -B "$work/build" -G Ninja -DANYDML_TESTS=OFF -DANYDML_CUDA=ON \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CUDA_COMPILER="$work/nvcc" >"$work/said"
grep -q "nvcc 12.4 is older than CUDA 12.5" "$work/said" || { cat "$work/said"; exit 1; }
grep -q "^ANYDML_CUDA:BOOL=OFF$" "$work/build/CMakeCache.txt"
