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

for name in libdirectml.so libd3d12.so libdxcore.so; do
  [ "$(readlink -f "$library/directml/$name")" = "$(readlink -f "$library/libanydml.so")" ] ||
    { echo "$name does not lead to libanydml.so"; exit 1; }
done
"$work/prefix/bin/anydml" --version
"$work/prefix/bin/anydml" run "$work/prefix/share/anydml/models/slice_grad.json"
