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
saved=$(dirname "$data")/lenet
"$train" --data "$data" --save "$saved"

failed=0
# compare LABEL SUM EXPECTED
compare() {
  printf '  %-14s%s\n' "$1" "$2"
  [ "$2" = "$3" ] || failed=1
}
recorded() { sed -n "s/^$1 steps: //p" "$models/train_lenet.expected"; }
# The sum of 60 steps. A run that fails ends the demo.
sum() {
  if ! output=$("$train" --data "$data" --steps 60 "$@" 2>&1); then
    printf '%s\n' "$output"
    return 1
  fi
  printf '%s\n' "$output" | sed -n 's/^sha256 of the weights: //p'
}
# run LABEL VARIABLES OPTION...: another way to the same sum. Only a processor that lacks the
# instruction set is excused.
run() {
  if found=$(export ANYDML_INSTRUCTION_SET="$2"; shift 2; sum "$@"); then
    compare "$1" "$found" "$first"
    return
  fi
  case $found in
    *"none of this processor's instruction sets"*)
      printf '  %-14s%s\n' "$1" "this processor does not have it" ;;
    *)
      printf '%s\n' "$found" >&2
      exit 1 ;;
  esac
}

if [ -d "$data" ]; then
  echo "recorded on an AMD EPYC and, by '${train##*/} --device cuda:0', on an NVIDIA H200:"
  epoch=$(sha256sum <"$saved/weights.bin")
  compare "937 steps" "$(recorded 937)" "${epoch%% *}"
fi
echo
echo "Weights after 60 steps, sha256:"
if ! first=$(sum); then
  printf '%s\n' "$first" >&2
  exit 1
fi
compare "all threads" "$first" "$first"
run "1 thread" "" --threads 1
run "AVX2" AVX2
run "SSE4" SSE4
if [ -d "$data" ]; then compare "recorded" "$(recorded 60)" "$first"; fi
if [ "$failed" = 1 ]; then
  echo "THE SUMS DIFFER, which is a defect of this build or this machine: please report it." >&2
  exit 1
fi
