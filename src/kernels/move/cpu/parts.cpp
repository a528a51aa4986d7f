// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Parts of a whole tensor: joined into it, or split from it.
#include <hwy/cache_control.h>

#include <vector>

#include "backends/cpu/rows.h"
#include "backends/cpu/streaming.h"
#include "kernels/elementwise/cpu/walk.h"
#include "kernels/move/cpu/interleaved_rows.h"
#include "kernels/move/cpu/row_movers.h"
#include "kernels/move/cpu/strategies.h"
#include "kernels/move/plan.h"

namespace anydml::move {
namespace {

using cpu::RowGroup;

// Below this many bytes a call per row and part costs more than tiles.
constexpr uint64_t kMinRowBytes = 16;

Refusal AcceptsPackedRows(const Parts& plan) {
  if (plan.rows == 0) {
    return {"the tensors have gaps, or their dimensions lie in different orders"};
  }
  for (uint32_t p = 0; p < plan.count && plan.rows > 1; ++p) {
    if (plan.sizes[p] * plan.inner * plan.element_size < kMinRowBytes) {
      return {"a part has rows of fewer than 16 bytes"};
    }
  }
  return kAccepted;
}

// How all rows are moved.
struct Mover {
  cpu::RowShape shape;
  cpu::MoveRows move;
  bool stream;

  explicit Mover(const Parts& plan)
      : shape(cpu::MakeRowShape(plan.element_size, plan.element_size, plan.element_size)) {
    const cpu::RowMovers movers = cpu::ChooseRowMovers(shape);
    const uint64_t bytes = plan.rows * plan.RowElements() * plan.element_size;
    stream = movers.stream_packed != nullptr && cpu::ShouldStream(2 * bytes);
    move = stream ? movers.stream_packed : movers.packed;
  }
};

// Pieces that follow one another in an output.
class Writer {
 public:
  Writer(const Mover& mover, std::byte* to) : mover_(&mover), to_(to), state_{.to = to} {}

  // `rows` rows of `count` elements, `distance` bytes apart in the input.
  void Append(const std::byte* from, uint64_t count, uint64_t rows, int64_t distance, bool last) {
    RowGroup group = {from, distance, to_, 0, 0, count, rows, nullptr};
    if (mover_->stream) group.stream = &state_;
    group.is_last = last;
    const uint64_t bytes = rows * count * mover_->shape.element_size;
    group.end = to_ + bytes;
    mover_->move(mover_->shape, group);
    to_ += bytes;
  }

 private:
  const Mover* mover_;
  std::byte* to_;
  cpu::StreamState state_;
};

// Elements [begin, end) of the whole, in its order of memory.
void JoinRange(const Parts& plan, const Mover& mover, const Bindings& bindings, uint64_t begin,
               uint64_t end) {
  const uint64_t size = plan.element_size;
  Writer writer(mover, bindings.Output<std::byte>(0) + begin * size);
  uint64_t row = begin / plan.RowElements();
  uint64_t skip = begin % plan.RowElements();  // of the row
  for (uint64_t at = begin; at < end; ++row) {
    for (uint32_t p = 0; p < plan.count && at < end; ++p) {
      const uint64_t length = plan.sizes[p] * plan.inner;
      if (skip >= length) {
        skip -= length;
        continue;
      }
      const uint64_t count = std::min(length - skip, end - at);
      at += count;
      writer.Append(bindings.Input<std::byte>(p) + (row * length + skip) * size, count, 1, 0,
                    at == end);
      skip = 0;
    }
  }
}

// Elements [begin, end) of one part, which begins `before` elements into each row.
void SplitRange(const Parts& plan, const Mover& mover, const Bindings& bindings, uint32_t part,
                uint64_t before, uint64_t begin, uint64_t end) {
  const uint64_t size = plan.element_size;
  const uint64_t length = plan.sizes[part] * plan.inner;
  const uint64_t row_length = plan.RowElements();
  const auto distance = static_cast<int64_t>(row_length * size);
  Writer writer(mover, bindings.Output<std::byte>(part) + begin * size);
  for (uint64_t at = begin; at < end;) {
    const uint64_t row = at / length, skip = at % length;
    const uint64_t rows = skip == 0 ? std::max<uint64_t>(1, (end - at) / length) : 1;
    const uint64_t count = std::min(length - skip, end - at);
    at += rows * count;
    writer.Append(bindings.Input<std::byte>(0) + (row * row_length + before + skip) * size, count,
                  rows, distance, at == end);
  }
}

// Rows [begin, end) into all parts: in blocks, so that what was read stays in the cache until
// the last part has its share.
void SplitRows(const Parts& plan, const Mover& mover, const Bindings& bindings, uint64_t begin,
               uint64_t end) {
  constexpr uint64_t kBlockBytes = 16384;
  const uint64_t size = plan.element_size, row_bytes = plan.RowElements() * size;
  const uint64_t block = std::max<uint64_t>(1, kBlockBytes / row_bytes);
  std::vector<Writer> writers;
  for (uint32_t p = 0; p < plan.count; ++p) {
    const uint64_t length = plan.sizes[p] * plan.inner;
    writers.emplace_back(mover, bindings.Output<std::byte>(p) + begin * length * size);
  }
  for (uint64_t row = begin; row < end; row += block) {
    const std::byte* from = bindings.Input<std::byte>(0) + row * row_bytes;
    const uint64_t rows = std::min(block, end - row);
    for (uint32_t p = 0; p < plan.count; ++p) {
      const uint64_t length = plan.sizes[p] * plan.inner;
      writers[p].Append(from, length, rows, static_cast<int64_t>(row_bytes), row + rows == end);
      from += length * size;
    }
  }
}

template <typename Body>
void ForRanges(const Parts& plan, uint64_t elements, const Mover& mover,
               const cpu::Executor& executor, const Body& body) {
  executor.ParallelFor(elements, cpu::kMovedElementsPerUnit<std::byte, 2> / plan.element_size,
                       [&](uint64_t begin, uint64_t end) {
                         body(begin, end);
                         if (mover.stream) hwy::FlushStream();
                       });
}

void RunPackedRows(const Parts& plan, const NoTables&, const Bindings& bindings,
                   const cpu::Executor& executor) {
  const Mover mover(plan);
  if (plan.join) {
    ForRanges(plan, plan.rows * plan.RowElements(), mover, executor,
              [&](uint64_t begin, uint64_t end) { JoinRange(plan, mover, bindings, begin, end); });
    return;
  }
  const uint64_t unit = cpu::kMovedElementsPerUnit<std::byte, 2> / plan.element_size;
  if (plan.rows > 1 && plan.RowElements() < unit / 4) {
    executor.ParallelFor(plan.rows, unit / plan.RowElements(), [&](uint64_t begin, uint64_t end) {
      SplitRows(plan, mover, bindings, begin, end);
      if (mover.stream) hwy::FlushStream();
    });
    return;
  }
  uint64_t before = 0;
  for (uint32_t p = 0; p < plan.count; ++p) {
    const uint64_t length = plan.sizes[p] * plan.inner;
    ForRanges(plan, plan.rows * length, mover, executor, [&](uint64_t begin, uint64_t end) {
      SplitRange(plan, mover, bindings, p, before, begin, end);
    });
    before += length;
  }
}

// One part after the other, between any layouts.
void RunStrided(const Parts& plan, const NoTables&, const Bindings& bindings,
                const cpu::Executor& executor) {
  const int64_t size = plan.element_size;
  for (uint32_t p = 0; p < plan.count; ++p) {
    const Part part = PartOf(plan, p);
    elementwise::CopyElements(
        part.loop, plan.element_size,
        bindings.Input<std::byte>(plan.join ? p : 0) + part.input_start * size,
        bindings.Output<std::byte>(plan.join ? 0 : p) + part.output_start * size, executor);
  }
}

// ---- One part between two layouts.

Refusal AcceptsInterleavedRows(const Parts& plan) {
  if (cpu::FindInterleavedRows(PartOf(plan, 0).loop).count == 0) {
    return {"no two to four rows lie between one another"};
  }
  return kAccepted;
}

void RunInterleavedRows(const Parts& plan, const NoTables&, const Bindings& bindings,
                        const cpu::Executor& executor) {
  cpu::CopyInterleavedRows(cpu::FindInterleavedRows(PartOf(plan, 0).loop), plan.element_size,
                           bindings.inputs[0], bindings.outputs[0], executor);
}

using Strategy = StrategyOf<Parts, NoTables>;

}  // namespace

constinit const std::array<CpuStrategy, 2> kPartsStrategies = {
    Strategy::Named<AcceptsPackedRows, RunPackedRows>("packed_rows"),
    Strategy::Named<AcceptsAll<Parts>, RunStrided>("strided"),
};

constinit const std::array<CpuStrategy, 3> kRearrangedStrategies = {
    Strategy::Named<AcceptsPackedRows, RunPackedRows>("packed_rows"),
    Strategy::Named<AcceptsInterleavedRows, RunInterleavedRows>("interleaved_rows"),
    Strategy::Named<AcceptsAll<Parts>, RunStrided>("strided"),
};

}  // namespace anydml::move
