// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Steps of normalizations on blocks and rows of one data type (B30, B32): one IEEE operation after
// the other.
#pragma once

#include "kernels/reduce/cpu/block_kernels.h"

namespace anydml::reduce {

// Of sets side by side, rows of kStrip.
struct StatisticsBuffer {
  StripBuffer sums, means, squares;
};

// `stream`: the results go past the caches, and the first lies at a multiple of a line.
struct NormalizationRows {
  // The sum of a block, and the sum of squared deviations from its own mean (B32).
  void (*statistics)(const void* x, uint64_t count, float* sum, float* squares);
  void (*statistics_of_columns)(const void* x, const int64_t* offsets, uint64_t count,
                                uint64_t lanes, float* sums, float* squares,
                                StatisticsBuffer& buffer);
  // (x - m) * s + b + add; `add` may be null. m, s and b are one value or one each.
  void (*affine)(const void* x, const void* add, const float* m, const float* s, const float* b,
                 bool each, uint64_t count, bool stream, void* y);
  // (x - m) * (scale / root) + b
  void (*layer)(const void* x, float m, float root, const float* scale, const float* b,
                uint64_t count, bool stream, void* y);
  // The sums of dy and of dy * (x - m).
  void (*gradient_sums)(const void* x, const void* dy, float m, uint64_t count, float* sum,
                        float* product);
  void (*gradient_sums_of_columns)(const void* x, const int64_t* x_offsets, const void* dy,
                                   const int64_t* dy_offsets, const float* m, uint64_t count,
                                   uint64_t lanes, float* sums, float* products,
                                   StatisticsBuffer& buffer);
  // ((dy - a) - (x - m) * k) * s
  void (*gradient)(const void* x, const void* dy, const float* m, const float* a, const float* k,
                   const float* s, bool each, uint64_t count, bool stream, void* dx);
  // dy * s
  void (*scaled)(const void* dy, const float* s, bool each, uint64_t count, bool stream, void* dx);
};

// FLOAT32 or FLOAT16, for this processor.
const NormalizationRows& FindNormalizationRows(DataType type);

}  // namespace anydml::reduce
