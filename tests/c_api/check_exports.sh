#!/bin/sh
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# check_exports.sh LIBRARY: nothing is exported beyond the public interface.
set -eu
names=$(nm -D --defined-only "$1" | awk '{ print $NF }')
entry_points='DXCoreCreateAdapterFactory D3D12CreateDevice D3D12EnableExperimentalFeatures
D3D12GetDebugInterface D3D12GetInterface D3D12SerializeRootSignature
D3D12SerializeVersionedRootSignature D3D12CreateRootSignatureDeserializer
D3D12CreateVersionedRootSignatureDeserializer DMLCreateDevice DMLCreateDevice1 AnyDMLDifferentiateGraph'
for name in anydml_execute $entry_points; do
  echo "$names" | grep -q "^$name\$" || { echo "$name is not exported"; exit 1; }
done
public="^(anydml_[a-z_]*|$(printf %s "$entry_points" | tr ' \n' '||'))\$"
foreign=$(echo "$names" | grep -Ev "$public" || true)
[ -z "$foreign" ] || { echo "exported and not public:"; echo "$foreign"; exit 1; }
