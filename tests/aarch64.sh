#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# aarch64.sh BUILD: trains LeNet-5 with the program of a build for ARM, under emulation, and compares
# the sum of its weights with the recorded one.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
data=$build/fashion-mnist
mkdir -p "$data"
for file in /usr/share/datasets/fashion-mnist/*.gz; do
  zcat "$file" >"$data/$(basename "$file" .gz)"
done
recorded=$(sed -n 's/^60 steps: //p' models/train_lenet.expected)
qemu-aarch64 "$build/bin/example_train_lenet" --steps 60 --data "$data" | tee "$build/lenet.log"
if ! grep -q "$recorded" "$build/lenet.log"; then
  echo "the recorded sum is $recorded" >&2
  exit 1
fi
