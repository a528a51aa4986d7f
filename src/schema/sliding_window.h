// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The fields that describe a sliding window, wherever an operator's struct has
// them: the rules between them that no table can say, and their values.
#pragma once

#include "schema/arguments.h"
#include "schema/field_lists.h"
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

// The fields of a window, of which DimensionCount is number `kCount`; where the struct has
// Dilations, they follow.
template <class Struct, int kCount>
inline constexpr Field kWindowArrays[] = {
    DimensionCount("DimensionCount", offsetof(Struct, DimensionCount), 0, 2),
    Array(FieldType::kUintArray, "Strides", offsetof(Struct, Strides), kCount, 1),
    Array(FieldType::kUintArray, "WindowSize", offsetof(Struct, WindowSize), kCount),
    Array(FieldType::kUintArray, "StartPadding", offsetof(Struct, StartPadding), kCount, 0),
    Array(FieldType::kUintArray, "EndPadding", offsetof(Struct, EndPadding), kCount, 0),
};
template <class Struct, int kCount>
inline constexpr Field kDilationsField = Array(FieldType::kUintArray, "Dilations",
                                               offsetof(Struct, Dilations), kCount, 1);

// Their numbers.
constexpr SlidingWindowFields WindowFields(int wide, int narrow, int count, bool dilations) {
  return {.wide = wide,
          .narrow = narrow,
          .strides = count + 1,
          .window_size = count + 2,
          .start_padding = count + 3,
          .end_padding = count + 4,
          .dilations = dilations ? count + 5 : SlidingWindowFields::kNone};
}

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
