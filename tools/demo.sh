#!/bin/sh
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# demo.sh ANYDML MODELS TRAIN_LENET DATA: the five gradient operators on small examples, then
# LeNet-5 for one epoch, then 60 steps on other threads and instruction sets, whose weights must
# have the same bits. Pictures are unpacked into the folder DATA where Debian's package is there.
set -eu
anydml=$1
models=$2
train=$3
data=$4
package=/usr/share/datasets/fashion-mnist

echo "Five gradients, on the examples of their pages:"
for model in activation_relu_grad element_wise_clip_grad1 resample_grad1 slice_grad max_pooling_grad
do
  printf '  %-24s%s\n' "$model" "$("$anydml" run "$models/$model.json" | sed 's/.*: //')"
done
printf '  %-24s%s\n\n' "16384 halves, all 1" "$("$anydml" run \
  "$models/half_precision_resize_gradient.json" | sed 's/.*: //') (sums in FLOAT16: 2048)"

if [ -d "$package" ] && [ ! -d "$data" ]; then
  rm -rf "$data.part"
  mkdir -p "$data.part"
  for file in "$package"/*.gz; do zcat "$file" >"$data.part/$(basename "$file" .gz)"; done
  mv "$data.part" "$data"
fi

echo "LeNet-5 learns clothes from 60,000 pictures (Debian's dataset-fashion-mnist). A step -"
echo "forward, backward, Adam - is one graph of DirectML operators."
"$train" --data "$data"

# The sum of 60 steps; what goes before is told with a sentence of its own.
sum() {
  "$train" --data "$data" --steps 60 "$@" | sed -n 's/.*sha256 of the weights: //p'
}
first=$(sum)
failed=0
compare() {
  if [ "$2" = "$first" ]; then printf '  %-14s%s\n' "$1" "$2"; return; fi
  printf '  %-14s%s\n' "$1" "${2:-this processor does not have it}"
  [ -z "$2" ] || failed=1
}
echo
echo "Weights after 60 steps, sha256:"
compare "all threads" "$first"
compare "1 thread" "$(sum --threads 1)"
compare "AVX2" "$(ANYDML_INSTRUCTION_SET=AVX2 sum 2>/dev/null)"
compare "SSE4" "$(ANYDML_INSTRUCTION_SET=SSE4 sum 2>/dev/null)"
if [ -d "$data" ]; then
  compare "recorded" "$(sed -n 's/^60 steps: //p' "$models/train_lenet.expected")"
fi
if [ "$failed" = 1 ]; then
  echo "THE SUMS DIFFER, which is a defect of this build or this machine: please report it." >&2
  exit 1
fi
