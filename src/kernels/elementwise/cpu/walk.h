// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The way of an element-wise formula over tensors: cuts a loop into blocks of rows for
// its row kernel, on all threads. Ordinary code, whatever the formula, the types and
// the instruction set.
#pragma once

#include "backends/bindings.h"
#include "backends/cpu/executor.h"
#include "kernels/elementwise/cpu/row_kernel.h"
#include "kernels/elementwise/cpu/tiles.h"

namespace anydml::elementwise {

// What is computed. Points to what others keep.
struct Work {
  const RowEntry* row = nullptr;
  const Attributes* attributes = nullptr;
  int inputs = 1;
  std::array<uint8_t, kMaxTensors> element_sizes = {};
  // A stage before: computes the first input that the formula sees. Null: none.
  RowKernel first_stage = nullptr;
  const Attributes* first_attributes = nullptr;
};

// One block of rows on the calling thread.
void Compute(const Work& work, const RowBlock& block, bool stream = false);

// For loops whose inner strides are 1. The output may be laid over an input of the same
// strides, here and below.
void WalkPackedRows(const Loop& loop, const Work& work, const Bindings& bindings,
                    const cpu::Executor& executor);

// The same where inputs have an innermost stride of 0, too: their element fills a buffer.
void WalkRepeatedElements(const Loop& loop, const Work& work, const Bindings& bindings,
                          const cpu::Executor& executor);

// For any loop, tile by tile: what does not lie in the output's order is brought into it
// in the first-level cache.
void WalkTiles(const Loop& loop, const cpu::Box& box, const Work& work, const Bindings& bindings,
               const cpu::Executor& executor);

// A tile that touches every line of every tensor once; and one that is part of a row.
cpu::Box TileOf(const Loop& loop, const Work& work);
cpu::Box RowTile(const Loop& loop);

// A copy between layouts, bit for bit.
void CopyTiles(const StridedLoop<2>& loop, uint32_t element_size, const void* from, void* to,
               const cpu::Executor& executor);
// The same; rows that lie side by side in both are copied without tiles.
void CopyElements(const StridedLoop<2>& loop, uint32_t element_size, const void* from, void* to,
                  const cpu::Executor& executor);

}  // namespace anydml::elementwise
