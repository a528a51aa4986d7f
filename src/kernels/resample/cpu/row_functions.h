// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The functions that row_sums.cpp calls through pointers: sums within a row, sums
// of rows, and the ways from a tensor's elements to floats and back. One set per
// instruction set, data type and kind of row.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tensor/axis_sums.h"

namespace anydml::cpu {

// What the terms of a row's lanes look like.
enum class RowKind : uint8_t {
  kUnchanged,   // the lanes change nothing
  kRepeated,    // two or four sources to a target (TermPattern::kPairs to kFoursAround)
  kDoubled,     // two targets to a source (TermPattern::kHalf, kHalfAround)
  kPairedRows,  // kPairsAround within the rows and outside them, 17 to 32 lanes
  kNearest,     // one or two terms of weight 1, also outside the rows
  kPixels,      // an index of the axis has at least 16 lanes of its own
  kWindows,     // at most four terms to a lane
  kAny,
};

struct IndexSpan {
  uint64_t begin = 0;
  uint64_t end = 0;
  uint64_t size() const { return end - begin; }
};

// A sum of more terms is not made of rows.
inline constexpr uint64_t kMaxRowTerms = 256;

// Elements before and after a row of floats that may be read, whatever they are.
inline constexpr uint64_t kRowMargin = 64;

// What a thread has prepared for the lanes of its rows.
struct LaneState {
  const AxisSumsTables* tables;
  const RowNest* nest;
  alignas(64) std::byte lanes[2048];
};

// Floats rounded up to whole vectors of any size.
inline uint64_t PitchOf(uint64_t lanes) {
  constexpr uint64_t kVector = LaneTable::kMaxLanesOfAVector;
  return (lanes + kVector - 1) / kVector * kVector;
}

// Target lanes [lanes.begin, lanes.end) of a row that begins at `from`, to `to`. Pieces of
// a row begin at multiples of 16, and only the last one has fewer than 32 lanes.
using SumLanes = void (*)(const LaneState& state, const void* from, IndexSpan lanes, float* to);

// to[i] = the sum over `terms` of weights[k] * rows[k][i], for i < count.
using SumWeightedRows = void (*)(const float* const* rows, const float* weights, uint64_t terms,
                                 uint64_t count, void* to);

// Target rows of a plane, lanes and level 0 at once; row t goes to `to` + t * stride.
// `to_tensor`: it has elements of the tensor, not floats.
using SumPlane = void (*)(const LaneState& state, const void* source, IndexSpan targets, void* to,
                          int64_t stride, bool to_tensor);

struct RowFunctions {
  void (*prepare)(LaneState& state);
  SumLanes sum_lanes;                                            // of floats
  SumLanes sum_any_lanes;                                        // of the tensor's elements
  SumPlane sum_plane;                                            // null: by rows
  void (*convert)(const void* from, uint64_t count, float* to);  // null: they are floats
  SumWeightedRows sum_rows;                                      // to floats
  SumWeightedRows store_rows;                                    // to the tensor's elements
};

// Of the instruction set in use.
RowFunctions ChooseRowFunctions(DataType data_type, RowKind kind, const RepeatedTerms& repeated);

}  // namespace anydml::cpu
