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
  void Write(uint64_t end, std::byte* to, std::byte* to_end) {
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
        move_(shape_, {.from = input_ + first * static_cast<int64_t>(size),
                       .from_distance = input_distance_ * static_cast<int64_t>(size),
                       .to = to,
                       .zeros_before = zeros * size,
                       .zeros_between = (distance_ - (row_end_ - axis_.first)) * size,
                       .count = below - from,
                       .rows = alike,
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
    if (at_ != end) std::memset(to, 0, (end - at_) * size);
    at_ = end;
  }

 private:
  static constexpr uint64_t kBytesTogether = 2048;  // prefetches stay ahead of so many

  bool FindRow() {
    if (left_ != 0) return true;
    if (rows_.done()) return false;
    start_ = rows_.start();
    row_input_ = rows_.input();
    left_ = rows_.RowsOfGroup();
    rows_.NextGroup();
    return true;
  }

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
  const uint64_t shortest = MixesStores() ? kShortestStreamedRow : kFewPlainStores;
  return loop.BlockSize() * loop.element_size >= shortest &&
         ShouldStream(elements * loop.element_size);
}

// Through a tile in the first-level cache: rows end anywhere, non-temporal stores are
// whole lines.
void StreamPiece(BlockWriter& writer, const RowMovers& movers, const BlockPiece& piece,
                 uint64_t size, std::byte* block) {
  constexpr uint64_t kTileBytes = 4096, kLine = 64;
  constexpr uint64_t kSlack = RowShape::kMaxMasks * RowShape::kBlockBytes;
  alignas(kLine) std::byte tile[kTileBytes + kSlack];
  for (uint64_t at = piece.begin; at < piece.end;) {
    std::byte* const to = block + at * size;
    const uint64_t past_line = reinterpret_cast<uintptr_t>(to) % kLine;
    const uint64_t end = std::min(piece.end, at + (kTileBytes - past_line) / size);
    writer.Write(end, tile + past_line, tile + sizeof tile);
    movers.stream(tile + past_line, to, (end - at) * size);
    at = end;
  }
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

void PlaceRows(const PlacedLoop& loop, const Bindings& bindings, const Executor& executor,
               const RowShape& shape, const RowMovers& movers, MoveRows move) {
  const bool streams = Streams(loop);
  const uint64_t size = loop.element_size;
  const auto* const input = static_cast<const std::byte*>(bindings.inputs[0]);
  auto* const output = static_cast<std::byte*>(bindings.outputs[0]);
  const auto start = [&](uint64_t position) { return PrefetchedRows(loop, input, position); };
  const auto write = [&](const BlockPiece& piece, PrefetchedRows& prefetched) {
    BlockWriter writer(loop, shape, move, input, piece, prefetched);
    std::byte* const block = output + piece.output * static_cast<int64_t>(size);
    if (streams) return StreamPiece(writer, movers, piece, size, block);
    writer.Write(piece.end, block + piece.begin * size, block + piece.end * size);
  };
  ForEachBlockPiece(loop, executor, start, write, [&] {
    if (streams) hwy::FlushStream();
  });
}

}  // namespace

std::string_view RefusePackedRows(const PlacedLoop& loop) {
  const std::string_view reason = RefuseGappedRows(loop);
  if (!reason.empty()) return reason;
  const PlacedAxis& row = loop.inner();
  const bool packed = row.count == 1 || (row.step == 1 && row.input_stride == 1);
  return packed ? "" : "elements of a row do not lie side by side in both tensors";
}

std::string_view RefuseSteppedRows(const PlacedLoop& loop) {
  const std::string_view reason = RefuseGappedRows(loop);
  if (!reason.empty()) return reason;
  if (!loop.rows_are_dense || loop.inner().input_stride == 0) {
    return "the input has gaps between the elements of a row";
  }
  if (loop.inner().step > RowShape::kMaxMasks) return "elements land more than 16 apart";
  return {};
}

std::string_view RefuseGappedRows(const PlacedLoop& loop) {
  return loop.block_rank == 0 ? "the output's innermost stride is not 1" : "";
}

void PlacePackedRows(const PlacedLoop& loop, const Bindings& bindings, const Executor& executor) {
  const RowShape shape = ShapeOf(loop);
  const RowMovers movers = ChooseRowMovers(shape);
  PlaceRows(loop, bindings, executor, shape, movers, movers.packed);
}

void PlaceSteppedRows(const PlacedLoop& loop, const Bindings& bindings, const Executor& executor) {
  const RowShape shape = ShapeOf(loop);
  const RowMovers movers = ChooseRowMovers(shape);
  PlaceRows(loop, bindings, executor, shape, movers, movers.stepped);
}

void PlaceGappedRows(const PlacedLoop& loop, const Bindings& bindings, const Executor& executor) {
  const RowShape shape = ShapeOf(loop);
  PlaceRows(loop, bindings, executor, shape, ChooseRowMovers(shape), MoveGappedRows);
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
