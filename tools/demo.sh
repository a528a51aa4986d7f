#!/bin/sh
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# demo.sh ANYDML MODELS: the five gradient operators on the examples of their
# pages (ReLU and clip: on numbers of ours, since theirs have only a formula),
# and one number that half-precision sums get wrong.
set -eu
anydml=$1
models=$2

for model in activation_relu_grad element_wise_clip_grad1 resample_grad1 slice_grad max_pooling_grad
do
  "$anydml" run "$models/$model.json" --tables | grep -v "^Resource"
done

echo "The gradient of enlarging one FLOAT16 pixel to 128 x 128, all gradients 1:"
echo "  exact             16384"
echo "  AnyDML            $("$anydml" run "$models/half_precision_resize_gradient.json" |
  sed 's/.*: //')"
echo "  sums in FLOAT16   2048   (where they stop growing)"
echo "  sums in bfloat16  256    (what PyTorch 1.13 answers on a CPU)"
