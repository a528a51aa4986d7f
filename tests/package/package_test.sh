#!/bin/sh
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# package_test.sh CMAKE BUILD_FOLDER COMPILER [SANITIZERS]: installs into a folder
# that is then moved, and builds a program against it in both ways.
set -eu
cmake=$1
build=$2
compiler=$3
sanitize=${4:+-fsanitize=$4}
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Also where an earlier run, as root, has left a list that cannot be written over.
ln -sf /dev/full "$build/install_manifest.txt"
"$cmake" --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/prefix"
library=$(dirname "$(find "$work/prefix" -name libanydml.so)")

"$cmake" -S "$here" -B "$work/user" -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="$sanitize" >/dev/null
"$cmake" --build "$work/user" >/dev/null
"$work/user/package_user"

export PKG_CONFIG_PATH="$library/pkgconfig"
# shellcheck disable=SC2046,SC2086  # flags are words
"$compiler" -std=c++17 $sanitize "$here/main.cpp" "$here/gradient.cpp" -o "$work/by_pkg_config" \
  $(pkg-config --cflags --libs anydml) -Wl,-rpath,"$library"
"$work/by_pkg_config"
# With the header that the build writes.
# shellcheck disable=SC2046,SC2086
"$compiler" -std=c++20 $sanitize "$here/../../examples/graph_gradient.cpp" -o "$work/graph" \
  $(pkg-config --cflags --libs anydml) -Wl,-rpath,"$library"
"$work/graph" >/dev/null

# Another machine keeps Microsoft's headers elsewhere, or does not have them and is told so.
if grep -rn "/include/directx" "$library/cmake" | grep -v FindDirectXHeaders; then
  echo "the installed CMake files name folders of this machine"
  exit 1
fi
headers=$(sed -n 's/^DirectXHeaders_INCLUDE_DIR:PATH=//p' "$build/CMakeCache.txt")
elsewhere="-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON"
# shellcheck disable=SC2086  # options are words
if "$cmake" -S "$here" -B "$work/without" -DCMAKE_PREFIX_PATH="$work/prefix" $elsewhere \
  -DCMAKE_CXX_COMPILER="$compiler" >"$work/said" 2>&1 ||
  ! tr -s ' \n' ' ' <"$work/said" | grep -q "DirectX-Headers (.*) must be installed"; then
  echo "without Microsoft's headers find_package said:"
  cat "$work/said"
  exit 1
fi
mkdir -p "$work/collection/include"
cp -RL "$headers/directx" "$headers/wsl" "$work/collection/include/"
# shellcheck disable=SC2086
"$cmake" -S "$here" -B "$work/with" -DCMAKE_PREFIX_PATH="$work/prefix;$work/collection" $elsewhere \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="$sanitize" >/dev/null
"$cmake" --build "$work/with" >/dev/null
"$work/with/package_user"

# vcpkg puts all in one folder, and its DirectX-Headers.pc names the upper one alone.
cp -R "$work/collection/include/." "$work/prefix/include/"
printf 'Name: DirectX-Headers\nDescription: -\nVersion: 1\nCflags: -I%s\n' "$work/prefix/include" \
  >"$library/pkgconfig/DirectX-Headers.pc"
# shellcheck disable=SC2046,SC2086
"$compiler" -std=c++17 $sanitize "$here/main.cpp" "$here/gradient.cpp" -o "$work/by_pkg_config" \
  $(pkg-config --cflags --libs anydml) -Wl,-rpath,"$library"

for name in libdirectml.so libd3d12.so libdxcore.so libanydml.so.0; do
  [ "$(readlink -f "$library/directml/$name")" = "$(readlink -f "$library/libanydml.so")" ] ||
    { echo "$name does not lead to libanydml.so"; exit 1; }
done
# A program that links DirectML's names needs their folder alone.
# shellcheck disable=SC2046,SC2086
"$compiler" -std=c++17 $sanitize "$here/main.cpp" "$here/gradient.cpp" -o "$work/by_names" \
  $(pkg-config --cflags anydml) -L"$library/directml" -ldirectml -ld3d12 -ldxcore
LD_LIBRARY_PATH="$library/directml" "$work/by_names"
for component in libanydml0 libanydml-dev anydml-tools; do
  cmp "$work/prefix/share/doc/$component/copyright" "$here/../../LICENSE"
done
"$work/prefix/bin/anydml" --version
"$work/prefix/bin/anydml" run "$work/prefix/share/anydml/models/slice_grad.json"
