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

// What a thread streams: pieces of the output are put together in two tiles of the
// first-level cache, since rows end anywhere and non-temporal stores are whole lines. A
// tile is streamed when the other one is full: sooner its bytes would still wait behind
// the non-temporal stores before them, and so would every load of them.
class StreamTiles {
 public:
  StreamTiles() = default;
  StreamTiles(const StreamTiles&) = delete;
  StreamTiles& operator=(const StreamTiles&) = delete;

  static constexpr uint64_t kTileBytes = 4096;

  // Positions from `at` to `end` of a block, or as many as there is room for; returns how
  // far it came.
  uint64_t Write(BlockWriter& writer, const RowMovers& movers, uint64_t at, uint64_t end,
                 uint64_t size, std::byte* to) {
    const uint64_t past_line = reinterpret_cast<uintptr_t>(to) % kLine;
    const uint64_t wanted = std::min<uint64_t>((end - at) * size, kMinPiece);
    if (fill_ + past_line + wanted > kTileBytes || count_[current_] == kMaxPieces) Turn(movers);
    std::byte* const tile = tiles_[current_];
    const uint64_t begin = fill_ + past_line;
    const uint64_t stop = std::min(end, at + (kTileBytes - begin) / size);
    writer.Write(stop, tile + begin, tile + sizeof tiles_[0]);
    pieces_[current_][count_[current_]++] = {begin, (stop - at) * size, to};
    fill_ = (begin + (stop - at) * size + kLine - 1) / kLine * kLine;
    return stop;
  }

  void Finish(const RowMovers& movers) {
    Turn(movers);
    Turn(movers);
    hwy::FlushStream();
  }

 private:
  static constexpr uint64_t kLine = 64;
  static constexpr uint64_t kMinPiece = 512;  // shorter ones only where a block ends
  static constexpr uint64_t kMaxPieces = 16;
  static constexpr uint64_t kSlack = RowShape::kMaxMasks * RowShape::kBlockBytes;

  struct Piece {
    uint64_t begin;
    uint64_t bytes;
    std::byte* to;
  };

  // Streams the other tile, which is then the current one.
  void Turn(const RowMovers& movers) {
    current_ ^= 1;
    for (uint64_t i = 0; i < count_[current_]; ++i) {
      const Piece& piece = pieces_[current_][i];
      movers.stream(tiles_[current_] + piece.begin, piece.to, piece.bytes);
    }
    count_[current_] = 0;
    fill_ = 0;
  }

  uint64_t current_ = 0;
  uint64_t fill_ = 0;  // bytes of the current tile
  uint64_t count_[2] = {};
  Piece pieces_[2][kMaxPieces];
  alignas(kLine) std::byte tiles_[2][kTileBytes + kSlack];
};

// What a thread has while it writes its share.
struct Share {
  PrefetchedRows prefetched;
  StreamTiles tiles;
};

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
  const auto start = [&](uint64_t position) {
    return Share{PrefetchedRows(loop, input, position), {}};
  };
  const auto write = [&](const BlockPiece& piece, Share& share) {
    BlockWriter writer(loop, shape, move, input, piece, share.prefetched);
    std::byte* const block = output + piece.output * static_cast<int64_t>(size);
    if (!streams) {
      return writer.Write(piece.end, block + piece.begin * size, block + piece.end * size);
    }
    for (uint64_t at = piece.begin; at < piece.end;) {
      at = share.tiles.Write(writer, movers, at, piece.end, size, block + at * size);
    }
  };
  ForEachBlockPiece(loop, executor, start, write, [&](Share& share) {
    if (streams) share.tiles.Finish(movers);
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
  const int64_t stride = std::llabs(loop.inner().input_stride);
  if (stride == 0 || (stride != 1 && !loop.rows_are_dense)) {
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
