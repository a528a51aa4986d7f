#!/bin/sh
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# check_exports.sh LIBRARY: nothing is exported beyond the public interface.
set -eu
names=$(nm -D --defined-only "$1" | awk '{ print $NF }')
echo "$names" | grep -q '^anydml_execute$' || { echo "anydml_execute is not exported"; exit 1; }
foreign=$(echo "$names" | grep -v '^anydml_[a-z_]*$' || true)
[ -z "$foreign" ] || { echo "exported and not public:"; echo "$foreign"; exit 1; }
