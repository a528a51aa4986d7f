#!/bin/sh
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# check_exports.sh LIBRARY: nothing is exported beyond the public interface.
set -eu
names=$(nm -D --defined-only "$1" | awk '{ print $NF }')
for name in anydml_execute DXCoreCreateAdapterFactory D3D12CreateDevice D3D12GetDebugInterface \
    DMLCreateDevice DMLCreateDevice1; do
  echo "$names" | grep -q "^$name\$" || { echo "$name is not exported"; exit 1; }
done
public='^(anydml_[a-z_]*|DXCoreCreateAdapterFactory|D3D12CreateDevice|D3D12GetDebugInterface|DMLCreateDevice1?)$'
foreign=$(echo "$names" | grep -Ev "$public" || true)
[ -z "$foreign" ] || { echo "exported and not public:"; echo "$foreign"; exit 1; }
