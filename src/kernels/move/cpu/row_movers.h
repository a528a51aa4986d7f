// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Moves rows of elements at one distance to rows of elements at another, with
// zeros between them. Everything is in bytes, so that one function serves every
// data type; the walk over a tensor (placed_loop.cpp) calls it through a pointer.
#pragma once

#include <cstddef>
#include <cstdint>

namespace anydml::cpu {

// What all rows of a loop have in common.
struct RowShape {
  uint32_t element_size;
  int64_t stride;  // from element to element in the input
  uint64_t step;   // in the output; element_size where no zeros lie between

  // How 16 bytes of elements are put together: of each load the bytes that its
  // mask names, all of them or-ed. And how these become the output: one store per
  // mask. Index 0x80 of a mask gives a zero.
  static constexpr uint32_t kBlockBytes = 16;
  static constexpr uint32_t kMaxMasks = 16;
  uint32_t load_count = 0;
  uint32_t store_count = 0;
  int64_t load_offsets[kMaxMasks] = {};
  alignas(16) uint8_t load_masks[kMaxMasks][kBlockBytes] = {};
  alignas(16) uint8_t store_masks[kMaxMasks][kBlockBytes] = {};
  // Elements in [begin, end) all belong to the input, also those that are not moved.
  const std::byte* readable_begin = nullptr;
  const std::byte* readable_end = nullptr;
  // From a load to what is prefetched with it: hardware prefetches ascending
  // addresses by itself.
  int64_t prefetch_offset = 0;
};

// `step` is at most kMaxMasks elements.
RowShape MakeRowShape(uint32_t element_size, int64_t stride, uint64_t step);

// Where non-temporal stores have come to: a vector of which some bytes are known.
struct StreamState {
  std::byte* to;
  bool begins = true;    // nothing is known yet, and `to` may lie inside a vector
  uint64_t fill = 0;     // bytes that are known
  uint64_t skipped = 0;  // of them, those that belong to someone else
  alignas(64) uint8_t partial[64] = {};
};

// Rows that differ in nothing but where they lie.
struct RowGroup {
  const std::byte* from;
  int64_t from_distance;     // to the next row
  std::byte* to;             // where the first row's zeros begin
  uint64_t zeros_before;     // bytes before the first row's first element
  uint64_t zeros_between;    // bytes from a row's last element to the next row's first
  uint64_t count;            // elements of a row
  uint64_t rows;             // 0: only zeros_before
  StreamState* stream;       // instead of `to`, where rows are streamed
  uint64_t zeros_after = 0;  // bytes behind the last row, where rows are streamed
  bool is_last = false;      // of what is streamed to one place
  std::byte* end = nullptr;  // what lies from here on must not be written, not even for a moment
};

using MoveRows = void (*)(const RowShape&, const RowGroup&);

struct RowMovers {
  // Elements side by side in input and output.
  MoveRows packed;
  // Elements between which everything may be read. Puts vectors together by bytes.
  MoveRows stepped;
  // The same by non-temporal stores; null where rows of this shape have none.
  MoveRows stream_packed;
  MoveRows stream_stepped;
};

// Of the instruction set in use.
RowMovers ChooseRowMovers(const RowShape& shape);

// One element after the other; reads nothing between them.
void MoveGappedRows(const RowShape& shape, const RowGroup& group);

}  // namespace anydml::cpu
