// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "kernels/elementwise/cpu/walk.h"

#include <hwy/cache_control.h>

#include "backends/cpu/rows.h"
#include "backends/cpu/streaming.h"
#include "kernels/elementwise/cpu/gather.h"

namespace anydml::elementwise {
namespace {

using cpu::Box;

constexpr size_t kLineBytes = 64;

// Of all tensors.
uint64_t BytesPerElement(const Work& work) {
  uint64_t bytes = work.element_sizes[kOutput];
  for (int t = 0; t < work.inputs; ++t) bytes += work.element_sizes[t];
  return bytes;
}

// Non-temporal stores are for outputs that no input shares and that the caches would
// not keep.
bool MayStream(const Loop& loop, const Work& work, const Bindings& bindings) {
  if (work.row->stream == nullptr) return false;
  for (int t = 0; t < work.inputs; ++t) {
    if (bindings.inputs[t] == bindings.outputs[0]) return false;
  }
  return cpu::ShouldStream(loop.ElementCount() * BytesPerElement(work));
}

// Pointers to the elements at `offsets`, which count elements.
RowBlock BlockAt(const Work& work, const Bindings& bindings,
                 const std::array<int64_t, kMaxTensors>& offsets) {
  RowBlock block;
  for (int t = 0; t < work.inputs; ++t) {
    block.inputs[t] = bindings.Input<std::byte>(t) + offsets[t] * work.element_sizes[t];
  }
  block.output =
      bindings.Output<std::byte>(0) + offsets[kOutput] * int64_t{work.element_sizes[kOutput]};
  return block;
}

// Calls body(offsets, count, rows) for blocks of rows that cover the loop; body's
// offsets are those of the first row.
template <typename Body, typename After>
void ForEachRowBlock(const Loop& loop, const cpu::Executor& executor, uint64_t elements_per_unit,
                     const Body& body, const After& after) {
  const uint64_t length = loop.inner_size();
  if (loop.rank == 1 || length >= elements_per_unit) {
    const auto one = [&](const auto& at, uint64_t count) { body(at, count, 1); };
    return cpu::ForEachRowPiece(loop, executor, one, elements_per_unit, after);
  }
  // A loop over rows instead of elements.
  Loop rows = loop;
  --rows.rank;
  const auto several = [&](const auto& at, uint64_t count) { body(at, length, count); };
  cpu::ForEachRowPiece(rows, executor, several, std::max<uint64_t>(1, elements_per_unit / length),
                       after);
}

// One tile of a walk, and what holds for all of them.
struct TileWalk {
  const Loop& loop;
  const Work& work;
  const Bindings& bindings;
  std::array<bool, kMaxTensors> direct = {};  // used where they are: their runs are worth it
  std::array<const TileMoves*, kMaxTensors> moves = {};
  bool stream = false;

  TileWalk(const Loop& loop, const Box& box, const Work& work, const Bindings& bindings)
      : loop(loop), work(work), bindings(bindings) {
    constexpr uint64_t kMinRun = 16;
    for (int t = 0; t < kMaxTensors; ++t) {
      const Box rows = cpu::MergeRows<1>(box, {loop.strides[t].data()});
      direct[t] = loop.inner_stride(t) == 1 && rows.sizes[rows.rank - 1] >= kMinRun;
      moves[t] = &TileMovesOf(work.element_sizes[t]);
    }
    // Far rows of the output push one another out of the caches: they gain most from
    // non-temporal stores, if their pieces are whole lines.
    const int64_t per_line = kLineBytes / work.element_sizes[kOutput];
    const bool whole_lines = direct[kOutput] && loop.rank > 1 &&
                             reinterpret_cast<uintptr_t>(bindings.outputs[0]) % kLineBytes == 0 &&
                             loop.strides[kOutput][loop.rank - 2] % per_line == 0;
    stream = whole_lines && MayStream(loop, work, bindings);
  }

  // `buffer` holds a tile of every tensor.
  void Run(const cpu::Tile<kMaxTensors>& tile, const cpu::Tile<kMaxTensors>& next,
           std::byte* buffer) const;
};

void TileWalk::Run(const cpu::Tile<kMaxTensors>& tile, const cpu::Tile<kMaxTensors>& next,
                   std::byte* buffer) const {
  const auto packed = cpu::PackedStrides(tile.box);
  std::array<const int64_t*, kMaxTensors> strides = {};
  RowBlock first = BlockAt(work, bindings, tile.offsets);
  const auto take_buffer = [&](int t) {
    strides[t] = packed.data();
    std::byte* const taken = buffer;
    buffer += cpu::kMaxTileElements * work.element_sizes[t];
    return taken;
  };
  for (int t = 0; t < work.inputs; ++t) {
    strides[t] = loop.strides[t].data();
    if (direct[t]) continue;
    std::byte* const gathered = take_buffer(t);
    moves[t]->gather(tile.box, loop.strides[t].data(), first.inputs[t],
                     bindings.Input<std::byte>(t) + next.offsets[t] * work.element_sizes[t],
                     gathered);
    first.inputs[t] = gathered;
  }
  std::byte* const output = first.output;
  strides[kOutput] = loop.strides[kOutput].data();
  if (!direct[kOutput]) first.output = take_buffer(kOutput);
  for (int t = work.inputs; t < kOutput; ++t) strides[t] = strides[kOutput];

  const Box rows = cpu::MergeRows(tile.box, strides);
  Box blocks = rows;
  first.count = rows.sizes[rows.rank - 1];
  if (rows.rank > 1) {
    first.rows = rows.sizes[rows.rank - 2];
    for (int t = 0; t < kMaxTensors; ++t) {
      first.steps[t] = strides[t][rows.rank - 2] * work.element_sizes[t];
    }
    --blocks.rank;
  }
  cpu::ForEachRowOfBox<kMaxTensors>(blocks, strides, [&](const auto& at) {
    RowBlock block = first;
    for (int t = 0; t < work.inputs; ++t) block.inputs[t] += at[t] * work.element_sizes[t];
    block.output += at[kOutput] * work.element_sizes[kOutput];
    Compute(work, block, stream);
  });
  if (!direct[kOutput]) {
    moves[kOutput]->scatter(tile.box, loop.strides[kOutput].data(), first.output, output);
  }
}

// The tiles of one thread. Their buffers are made once: a large frame is probed page by
// page.
struct TileBody {
  const TileWalk* walk;
  alignas(kLineBytes) std::byte buffers[kMaxTensors * cpu::kMaxTileElements * sizeof(uint64_t)];

  explicit TileBody(const TileWalk& walk) : walk(&walk) {}
  void operator()(const cpu::Tile<kMaxTensors>& tile, const cpu::Tile<kMaxTensors>& next) {
    walk->Run(tile, next, buffers);
  }
};

// Both stages, in pieces that stay in the first-level cache.
void ComputeInStages(const Work& work, const RowBlock& block, RowKernel run) {
  alignas(kLineBytes) std::byte buffer[4096];
  const uint64_t most = sizeof buffer / work.element_sizes[0];
  for (int64_t row = 0; row < static_cast<int64_t>(block.rows); ++row) {
    for (uint64_t at = 0; at < block.count; at += most) {
      RowBlock piece;
      piece.count = std::min(most, block.count - at);
      for (int t = 0; t < work.inputs; ++t) {
        piece.inputs[t] = block.inputs[t] + row * block.steps[t] + at * work.element_sizes[t];
      }
      std::byte* const output =
          block.output + row * block.steps[kOutput] + at * work.element_sizes[kOutput];
      piece.output = buffer;
      work.first_stage(*work.first_attributes, piece);
      piece.inputs[0] = buffer;
      piece.output = output;
      run(*work.attributes, piece);
    }
  }
}

// A part of a row, in pieces for which a repeated element fills a buffer, once.
void ComputeRepeated(const Loop& loop, const Work& work, const RowBlock& row, uint64_t count,
                     bool stream) {
  constexpr uint64_t kMost = 512;  // at most 4 KiB of every input
  alignas(kLineBytes) std::byte buffers[kMaxInputs][kMost * sizeof(uint64_t)];
  RowBlock piece = row;
  for (int t = 0; t < work.inputs; ++t) {
    if (loop.inner_stride(t) != 0) continue;
    DispatchWidth(work.element_sizes[t], [&]<typename T>() {
      std::fill_n(reinterpret_cast<T*>(buffers[t]), std::min(count, kMost),
                  *reinterpret_cast<const T*>(row.inputs[t]));
    });
    piece.inputs[t] = buffers[t];
  }
  for (uint64_t at = 0; at < count; at += kMost) {
    piece.count = std::min(kMost, count - at);
    for (int t = 0; t < work.inputs; ++t) {
      if (loop.inner_stride(t) != 0) piece.inputs[t] = row.inputs[t] + at * work.element_sizes[t];
    }
    piece.output = row.output + at * work.element_sizes[kOutput];
    Compute(work, piece, stream);
  }
}

}  // namespace

void Compute(const Work& work, const RowBlock& block, bool stream) {
  const RowKernel run = stream ? work.row->stream : work.row->run;
  if (work.first_stage != nullptr) return ComputeInStages(work, block, run);
  run(*work.attributes, block);
}

void WalkPackedRows(const Loop& loop, const Work& work, const Bindings& bindings,
                    const cpu::Executor& executor) {
  const bool calculates = work.row->calculates || work.first_stage != nullptr;
  const bool may_stream = MayStream(loop, work, bindings);
  const uint64_t bytes = BytesPerElement(work);
  constexpr uint64_t kMovedBytes = cpu::kMovedElementsPerUnit<std::byte, 1>;
  if (loop.rank == 1 && !calculates && !may_stream && loop.sizes[0] * bytes <= kMovedBytes) {
    // One row for one thread: the way below costs 20 ns more, of 40 for 1024 INT8.
    RowBlock block = BlockAt(work, bindings, {});
    block.count = loop.sizes[0];
    return executor.ParallelFor(
        1, 1, [&](uint64_t, uint64_t) { work.row->run(*work.attributes, block); });
  }
  const uint64_t unit = calculates ? cpu::kElementsPerUnit : kMovedBytes / bytes;
  const uint64_t row_bytes = loop.inner_size() * work.element_sizes[kOutput];
  const bool stream = (row_bytes >= cpu::kMinStreamedRow || loop.RowCount() == 1) && may_stream;
  std::array<int64_t, kMaxTensors> steps = {};
  for (int t = 0; t < kMaxTensors && loop.rank > 1; ++t) {
    steps[t] = loop.strides[t][loop.rank - 2] * work.element_sizes[t];
  }
  const auto rows = [&](const auto& at, uint64_t count, uint64_t row_count) {
    RowBlock block = BlockAt(work, bindings, at);
    block.count = count;
    block.rows = row_count;
    block.steps = steps;
    Compute(work, block, stream);
  };
  if (stream) {
    ForEachRowBlock(loop, executor, unit, rows, hwy::FlushStream);
  } else {
    ForEachRowBlock(loop, executor, unit, rows, cpu::Nothing());
  }
}

void WalkRepeatedElements(const Loop& loop, const Work& work, const Bindings& bindings,
                          const cpu::Executor& executor) {
  const uint64_t row_bytes = loop.inner_size() * work.element_sizes[kOutput];
  const bool stream = (row_bytes >= cpu::kMinStreamedRow || loop.RowCount() == 1) &&
                      MayStream(loop, work, bindings);
  const auto row = [&](const auto& at, uint64_t count) {
    ComputeRepeated(loop, work, BlockAt(work, bindings, at), count, stream);
  };
  if (stream) {
    cpu::ForEachRowPiece(loop, executor, row, cpu::kElementsPerUnit, hwy::FlushStream);
  } else {
    cpu::ForEachRowPiece(loop, executor, row, cpu::kElementsPerUnit, cpu::Nothing());
  }
}

void WalkTiles(const Loop& loop, const Box& box, const Work& work, const Bindings& bindings,
               const cpu::Executor& executor) {
  const TileWalk walk(loop, box, work, bindings);
  cpu::ForEachTile(
      loop, box, executor, cpu::kElementsPerUnit, [&] { return TileBody(walk); }, hwy::FlushStream);
}

Box TileOf(const Loop& loop, const Work& work) {
  uint64_t smallest = work.element_sizes[kOutput];
  for (int t = 0; t < work.inputs; ++t) {
    smallest = std::min<uint64_t>(smallest, work.element_sizes[t]);
  }
  return cpu::ChooseTile(loop, smallest);
}

Box RowTile(const Loop& loop) {
  Box box = {.rank = loop.rank};
  std::fill_n(box.sizes.begin(), loop.rank, 1);
  box.sizes[loop.rank - 1] = std::min(loop.inner_size(), cpu::kMaxTileElements);
  return box;
}

namespace {

// A copy as a loop and its work.
struct CopyWork {
  Loop loop;
  Attributes none;
  Work work;
  Bindings bindings;

  CopyWork(const StridedLoop<2>& copied, uint32_t element_size, const void* from, void* to)
      : loop{.rank = copied.rank, .sizes = copied.sizes}, work{.attributes = &none} {
    loop.strides.fill(copied.strides[1]);
    loop.strides[0] = copied.strides[0];
    work.element_sizes.fill(static_cast<uint8_t>(element_size));
    DispatchWidth(element_size,
                  [&]<typename T>() { work.row = &FindRow(Formula::kIdentity, KeyOf<T, T>()); });
    bindings.inputs[0] = from;
    bindings.outputs[0] = to;
  }
};

}  // namespace

void CopyTiles(const StridedLoop<2>& loop, uint32_t element_size, const void* from, void* to,
               const cpu::Executor& executor) {
  const CopyWork copy(loop, element_size, from, to);
  WalkTiles(copy.loop, TileOf(copy.loop, copy.work), copy.work, copy.bindings, executor);
}

void CopyElements(const StridedLoop<2>& loop, uint32_t element_size, const void* from, void* to,
                  const cpu::Executor& executor) {
  constexpr uint64_t kMinRow = 16;
  if (!loop.HasUnitInnerStrides() || (loop.inner_size() < kMinRow && loop.RowCount() > 1)) {
    return CopyTiles(loop, element_size, from, to, executor);
  }
  const CopyWork copy(loop, element_size, from, to);
  WalkPackedRows(copy.loop, copy.work, copy.bindings, executor);
}

}  // namespace anydml::elementwise
