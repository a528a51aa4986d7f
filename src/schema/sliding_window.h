// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The fields that describe a sliding window, wherever an operator's struct has
// them: the rules between them that no table can say, and their values.
#pragma once

#include "schema/arguments.h"
#include "tensor/window.h"

namespace anydml::schema {

// Field numbers. `wide` is the tensor that the window slides over, `narrow` the
// one with an element per window.
struct SlidingWindowFields {
  static constexpr int kNone = -1;
  int wide;
  int narrow;
  int strides;
  int window_size;
  int start_padding;
  int end_padding;
  int dilations = kNone;  // 1 everywhere where the struct has no such field
};

// P5: equal batch and channel sizes. P6: the dilated window fits into the padded
// tensor. P7: the narrow tensor has the floor or the ceil size (B15).
Status CheckSlidingWindow(const Arguments& arguments, const SlidingWindowFields& fields);

template <const SlidingWindowFields& kFields>
Status SlidingWindowRule(const Arguments& arguments) {
  return CheckSlidingWindow(arguments, kFields);
}

// The narrow tensor with the floor size, and as large a tensor of UINT32 for every
// output after it (indices).
Result<std::vector<TensorDesc>> SlidingWindowOutputs(const Arguments& arguments,
                                                     const SlidingWindowFields& fields);

template <const SlidingWindowFields& kFields>
Result<std::vector<TensorDesc>> SlidingWindowOutputTensors(const Arguments& arguments) {
  return SlidingWindowOutputs(arguments, kFields);
}

WindowArrays ReadSlidingWindow(const Arguments& arguments, const SlidingWindowFields& fields);

}  // namespace anydml::schema
