// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "kernels/move/cpu/placed_loop.h"

#include <hwy/cache_control.h>

#include <cstdlib>
#include <cstring>

#include "backends/cpu/streaming.h"
#include "kernels/move/cpu/placed_blocks.h"
#include "kernels/move/cpu/placed_rows.h"
#include "kernels/move/cpu/prefetched_rows.h"
#include "kernels/move/cpu/row_movers.h"
#include "tensor/data_type.h"

namespace anydml::cpu {
namespace {

// Writes positions of a block in ascending order, piece by piece.
class BlockWriter {
 public:
  // From `piece.begin` on.
  BlockWriter(const PlacedLoop& loop, const RowShape& shape, MoveRows move, const std::byte* input,
              const BlockPiece& piece, PrefetchedRows& prefetched)
      : axis_(loop.inner()),
        shape_(shape),
        move_(move),
        input_(input),
        prefetched_(prefetched),
        rows_(std::span(loop.axes.data() + loop.rank - loop.block_rank, loop.block_rank),
              piece.input, piece.begin),
        at_(piece.begin),
        distance_(rows_.RowDistance()),
        input_distance_(rows_.InputDistance()),
        row_end_(CoordinateOf(axis_, axis_.count - 1) + 1) {
    if (!piece.has_elements) rows_.SkipAll();
    if (PrefetchedRows::Accepts(loop)) {
      rows_together_ = std::max<uint64_t>(1, kBytesTogether / (axis_.count * loop.element_size));
    }
  }

  // Up to position `end`, which lies at `to` plus what is written. What follows up to
  // `to_end` may be overwritten.
  void Write(uint64_t end, std::byte* to, std::byte* to_end, StreamState* stream = nullptr) {
    const uint64_t size = shape_.element_size;
    while (FindRow() && start_ + axis_.first < end) {
      const uint64_t from = at_ <= start_ + axis_.first ? 0 : ElementsBelow(axis_, at_ - start_);
      const uint64_t below =
          start_ + row_end_ <= end ? axis_.count : ElementsBelow(axis_, end - start_);
      // Rows that lie wholly in the range are written alike.
      uint64_t alike = 1;
      if (from == 0 && below == axis_.count && left_ > 1) {
        alike = std::min({left_, rows_together_, (end - start_ - row_end_) / distance_ + 1});
      }
      if (from != below) {
        const uint64_t zeros = start_ + CoordinateOf(axis_, from) - at_;
        const int64_t first = row_input_ + static_cast<int64_t>(from) * axis_.input_stride;
        prefetched_.Prefetch(alike);
        Move({.from = input_ + first * static_cast<int64_t>(size),
              .from_distance = input_distance_ * static_cast<int64_t>(size),
              .to = to,
              .zeros_before = zeros * size,
              .zeros_between = (distance_ - (row_end_ - axis_.first)) * size,
              .count = below - from,
              .rows = alike,
              .stream = stream,
              .end = to_end});
        const uint64_t written =
            start_ + (alike - 1) * distance_ + CoordinateOf(axis_, below - 1) + 1;
        to += (written - at_) * size;
        at_ = written;
      }
      if (below != axis_.count) break;  // the row goes on behind `end`
      left_ -= alike;
      start_ += alike * distance_;
      row_input_ += static_cast<int64_t>(alike) * input_distance_;
    }
    const uint64_t zeros = (end - at_) * size;
    if (stream == nullptr) {
      if (zeros != 0) std::memset(to, 0, zeros);
    } else {
      // What is streamed last is told so, and gets the zeros behind it.
      if (!has_waiting_) waiting_ = {input_, 0, to, 0, 0, 0, 0, stream};
      waiting_.zeros_after = zeros;
      waiting_.is_last = true;
      move_(shape_, waiting_);
    }
    at_ = end;
  }

 private:
  static constexpr uint64_t kBytesTogether = 2048;  // prefetches stay ahead of so many

  // Rows that are streamed wait for the next ones.
  void Move(const RowGroup& group) {
    if (group.stream == nullptr) return move_(shape_, group);
    if (has_waiting_) move_(shape_, waiting_);
    waiting_ = group;
    has_waiting_ = true;
  }

  bool FindRow() {
    if (left_ != 0) return true;
    if (rows_.done()) return false;
    start_ = rows_.start();
    row_input_ = rows_.input();
    left_ = rows_.RowsOfGroup();
    rows_.NextGroup();
    return true;
  }

  bool has_waiting_ = false;
  RowGroup waiting_;
  const PlacedAxis& axis_;
  const RowShape& shape_;
  const MoveRows move_;
  const std::byte* const input_;
  PrefetchedRows& prefetched_;
  WindowRows rows_;
  uint64_t at_;  // the next position to write
  const uint64_t distance_;
  const int64_t input_distance_;
  const uint64_t row_end_;
  uint64_t rows_together_ = ~uint64_t{0};
  // Of the rows that follow: position, element offset in the input, how many.
  uint64_t start_ = 0;
  int64_t row_input_ = 0;
  uint64_t left_ = 0;
};

// Where plain stores do harm between non-temporal ones, these are two per so many bytes.
constexpr uint64_t kFewPlainStores = 8192;

bool Streams(const PlacedLoop& loop) {
  const uint64_t elements = loop.ElementCount() + loop.input_elements;
  const uint64_t shortest = MixesStores() ? kMinStreamedRow : kFewPlainStores;
  return loop.BlockSize() * loop.element_size >= shortest &&
         ShouldStream(elements * loop.element_size);
}

RowShape ShapeOf(const PlacedLoop& loop) {
  const PlacedAxis& axis = loop.inner();
  const int64_t size = loop.element_size;
  RowShape shape = MakeRowShape(loop.element_size, axis.input_stride * size,
                                axis.step * uint64_t{loop.element_size});
  if (axis.input_stride < 0 && !PrefetchedRows::Accepts(loop)) {
    shape.prefetch_offset = -static_cast<int64_t>(PrefetchedRows::kBytes);
  }
  return shape;
}

// `stream` is null where there are only plain stores.
void PlaceRows(const PlacedLoop& loop, const Bindings& bindings, const Executor& executor,
               const RowShape& shape, MoveRows plain, MoveRows stream) {
  const bool streams = stream != nullptr && Streams(loop);
  const uint64_t size = loop.element_size;
  const auto* const input = static_cast<const std::byte*>(bindings.inputs[0]);
  auto* const output = static_cast<std::byte*>(bindings.outputs[0]);
  RowShape bound = shape;
  bound.readable_begin = input;
  bound.readable_end = input + loop.dense_elements * size;
  const auto start = [&](uint64_t position) { return PrefetchedRows(loop, input, position); };
  const auto write = [&](const BlockPiece& piece, PrefetchedRows& prefetched) {
    BlockWriter writer(loop, bound, streams ? stream : plain, input, piece, prefetched);
    std::byte* const block = output + piece.output * static_cast<int64_t>(size);
    std::byte* const to = block + piece.begin * size;
    if (!streams) return writer.Write(piece.end, to, block + piece.end * size);
    StreamState state = {.to = to};
    writer.Write(piece.end, to, block + piece.end * size, &state);
  };
  ForEachBlockPiece(loop, executor, start, write, [&] {
    if (streams) hwy::FlushStream();
  });
}

}  // namespace

Refusal AcceptsPackedRows(const PlacedLoop& loop) {
  const Refusal refusal = AcceptsGappedRows(loop);
  if (!refusal.accepted()) return refusal;
  const PlacedAxis& row = loop.inner();
  const bool packed = row.count == 1 || (row.step == 1 && row.input_stride == 1);
  return {packed ? "" : "elements of a row do not lie side by side in both tensors"};
}

Refusal AcceptsSteppedRows(const PlacedLoop& loop) {
  const Refusal refusal = AcceptsGappedRows(loop);
  if (!refusal.accepted()) return refusal;
  const int64_t stride = std::llabs(loop.inner().input_stride);
  if (stride == 0 || (stride != 1 && !loop.rows_are_dense)) {
    return {"the input has gaps between the elements of a row"};
  }
  if (loop.inner().step > RowShape::kMaxMasks) return {"elements land more than 16 apart"};
  return {};
}

Refusal AcceptsGappedRows(const PlacedLoop& loop) {
  return {loop.block_rank == 0 ? "the output's innermost stride is not 1" : ""};
}

void PlacePackedRows(const PlacedLoop& loop, const Bindings& bindings, const Executor& executor) {
  const RowShape shape = ShapeOf(loop);
  const RowMovers movers = ChooseRowMovers(shape);
  PlaceRows(loop, bindings, executor, shape, movers.packed, movers.stream_packed);
}

void PlaceSteppedRows(const PlacedLoop& loop, const Bindings& bindings, const Executor& executor) {
  const RowShape shape = ShapeOf(loop);
  const RowMovers movers = ChooseRowMovers(shape);
  PlaceRows(loop, bindings, executor, shape, movers.stepped, movers.stream_stepped);
}

void PlaceGappedRows(const PlacedLoop& loop, const Bindings& bindings, const Executor& executor) {
  const RowShape shape = ShapeOf(loop);
  PlaceRows(loop, bindings, executor, shape, MoveGappedRows, nullptr);
}

void PlaceStrided(const PlacedLoop& loop, const Bindings& bindings, const Executor& executor) {
  DispatchWidth(loop.element_size, [&]<typename T>() {
    const auto* input = bindings.Input<T>(0);
    auto* output = bindings.Output<T>(0);
    const PlacedAxis& axis = loop.inner();
    ForEachPlacedRowPiece(loop, executor, [&axis, input, output](const PlacedRowPiece& piece) {
      const auto at = [&](uint64_t o) {
        return piece.output + static_cast<int64_t>(o) * axis.output_stride;
      };
      uint64_t o = piece.begin;
      for (uint64_t q = piece.from; q < piece.to; ++q) {
        for (; o < CoordinateOf(axis, q); ++o) output[at(o)] = 0;
        output[at(o++)] = input[piece.input + static_cast<int64_t>(q) * axis.input_stride];
      }
      for (; o < piece.end; ++o) output[at(o)] = 0;
    });
  });
}

}  // namespace anydml::cpu
