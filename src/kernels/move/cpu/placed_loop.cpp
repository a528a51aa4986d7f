// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "kernels/move/cpu/placed_loop.h"

#include "kernels/move/cpu/input_ahead.h"
#include "kernels/move/cpu/placed_blocks.h"
#include "kernels/move/cpu/placed_rows.h"
#include "tensor/data_type.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/move/cpu/placed_loop.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/streaming-inl.h"
#include "kernels/move/cpu/picked_runs-inl.h"
#include "kernels/move/cpu/run_writers-inl.h"
#include "kernels/move/cpu/runs-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {

// Writes positions [begin, end) of a block to `to`, in ascending order. `rows` is
// at the first row of the window that reaches behind `begin`. make_run(offset,
// count) gives elements and the zeros between them as a run (runs-inl.h).
template <class Runs, typename T, class MakeRun>
HWY_INLINE void WriteRange(const PlacedAxis& axis, const MakeRun& make_run, WindowRows& rows,
                           InputAhead& ahead, uint64_t begin, uint64_t end, T* block) {
  Runs runs(block + begin, block + end);
  const uint64_t row_end = CoordinateOf(axis, axis.count - 1) + 1;
  const uint64_t distance = rows.RowDistance();
  const int64_t input_distance = rows.InputDistance();
  uint64_t at = begin;
  while (!rows.done() && rows.start() + axis.first < end) {
    uint64_t start = rows.start();
    int64_t input = rows.input();
    const uint64_t count = rows.RowsOfGroup();
    rows.NextGroup();
    for (uint64_t k = 0; k < count && start + axis.first < end;) {
      const uint64_t from = at <= start + axis.first ? 0 : ElementsBelow(axis, at - start);
      const uint64_t to = start + row_end <= end ? axis.count : ElementsBelow(axis, end - start);
      // Rows that lie wholly in the range are written alike.
      uint64_t alike = 1;
      if (from == 0 && to == axis.count && count - k > 1) {
        alike = std::min(count - k, (end - start - row_end) / distance + 1);
      }
      const int64_t first = input + static_cast<int64_t>(from) * axis.input_stride;
      uint64_t zeros = start + CoordinateOf(axis, from) - at;
      for (uint64_t i = 0; i < alike && from != to; ++i) {
        if (zeros != 0) runs.Append(Zeros<T>{zeros});
        ahead.AskForOne();
        runs.Append(make_run(first + static_cast<int64_t>(i) * input_distance, to - from));
        zeros = distance - (row_end - axis.first);
      }
      k += alike;
      start += alike * distance;
      input += static_cast<int64_t>(alike) * input_distance;
      if (from != to) at = start - distance + CoordinateOf(axis, to - 1) + 1;
    }
  }
  if (at != end) runs.Append(Zeros<T>{end - at});
  runs.Finish();
}

// Where plain stores do harm between streamed ones, these are two per so many bytes.
constexpr uint64_t kFewPlainStores = 8192;

// Whether blocks go past the caches. Not inline: within its caller it moves the vector that
// StreamedRuns puts together from a register to memory (g++ 12; step 2 takes three times as
// long).
HWY_NOINLINE bool Streams(const PlacedLoop& loop) {
  const uint64_t elements = loop.ElementCount() + loop.input_elements;
  const uint64_t shortest = MixesStores() ? kShortestStreamedRow : kFewPlainStores;
  return loop.BlockSize() * loop.element_size >= shortest &&
         ShouldStream(elements * loop.element_size);
}

template <typename T, class MakeRun>
HWY_INLINE void WriteBlocks(const PlacedLoop& loop, const Bindings& bindings,
                            const Executor& executor, const MakeRun& make_run) {
  const bool streams = Streams(loop);
  T* const output = bindings.Output<T>(0);
  const std::span axes(loop.axes.data() + loop.rank - loop.block_rank, loop.block_rank);
  const auto start = [&](uint64_t position) {
    return InputAhead(loop, bindings.inputs[0], position);
  };
  const auto write = [&](const BlockPiece& piece, InputAhead& ahead) HWY_ATTR {
    WindowRows rows(axes, piece.input, piece.begin);
    if (!piece.has_elements) rows.SkipAll();
    T* const block = output + piece.output;
    if (streams) {
      WriteRange<StreamedRuns<T>>(loop.inner(), make_run, rows, ahead, piece.begin, piece.end,
                                  block);
    } else {
      WriteRange<PlainRuns<T>>(loop.inner(), make_run, rows, ahead, piece.begin, piece.end, block);
    }
  };
  ForEachBlockPiece(loop, executor, start, write, [&] {
    if (streams) hwy::FlushStream();
  });
}

// Calls write(make_run) with runs of every second, third or fourth element; false
// where the rows are none.
template <typename T, class Write>
HWY_INLINE bool WithPickedRuns(const PlacedLoop& loop, const T* input, const Write& write) {
  const Readable<T> readable = {input, input + loop.dense_elements};
  const uint64_t behind = loop.elements_behind_rows;
  const auto write_picked = [&]<int kStride>() HWY_ATTR {
    write([=](int64_t offset, uint64_t count)
              HWY_ATTR { return Picked<T, kStride>(input + offset, count, readable, behind); });
    return true;
  };
  if (loop.inner().step != 1 || !loop.rows_are_dense) return false;
  switch (loop.inner().input_stride) {
    case 2:
      return write_picked.template operator()<2>();
    case 3:
      return write_picked.template operator()<3>();
    case 4:
      return write_picked.template operator()<4>();
    case -2:
      return write_picked.template operator()<-2>();
    case -3:
      return write_picked.template operator()<-3>();
    case -4:
      return write_picked.template operator()<-4>();
    default:
      return false;
  }
}

// The same with runs of neighbours, between zeros where the step is 2.
template <typename T, class Write>
HWY_INLINE bool WithPackedRuns(const PlacedLoop& loop, const T* input, const Write& write) {
  const PlacedAxis& axis = loop.inner();
  const Readable<T> readable = {input, input + loop.dense_elements};
  const int64_t below = InputAhead::TakesRows(loop) ? 0 : InputAhead::kBytes / sizeof(T);
  const auto forwards = [=](int64_t offset, uint64_t count) HWY_ATTR {
    return Forwards<T>{input + offset, count, readable};
  };
  const auto backwards = [=](int64_t offset, uint64_t count) HWY_ATTR {
    return Backwards<T>{input + offset, count, readable, below};
  };
  const auto write_spread = [&](const auto& make_run) HWY_ATTR {
    write([=](int64_t offset, uint64_t count) HWY_ATTR {
      return SpreadByTwo<T, decltype(make_run(offset, count))>(make_run(offset, count));
    });
    return true;
  };
  if (axis.step == 1 && axis.input_stride == 1) return write(forwards), true;
  if (axis.step == 1 && axis.input_stride == -1) return write(backwards), true;
  if constexpr (sizeof(T) < 8) {
    if (axis.step == 2 && axis.input_stride == 1) return write_spread(forwards);
    if (axis.step == 2 && axis.input_stride == -1) return write_spread(backwards);
  }
  return false;
}

void PlaceRows(const PlacedLoop& loop, const Bindings& bindings, const Executor& executor) {
  DispatchWidth(loop.element_size, [&]<typename T>() HWY_ATTR {
    const T* const input = bindings.Input<T>(0);
    const auto write = [&](const auto& make_run)
                           HWY_ATTR { WriteBlocks<T>(loop, bindings, executor, make_run); };
    if (WithPackedRuns(loop, input, write) || WithPickedRuns(loop, input, write)) return;
    const PlacedAxis& axis = loop.inner();
    write([=](int64_t offset, uint64_t count) HWY_ATTR {
      return Scattered<T>{input + offset, axis.input_stride, axis.step,
                          (count - 1) * axis.step + 1};
    });
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::cpu {

HWY_EXPORT(PlaceRows);

std::string_view RefusePlaceRows(const PlacedLoop& loop) {
  return loop.block_rank == 0 ? "the output's innermost stride is not 1" : "";
}

void PlaceRows(const PlacedLoop& loop, const Bindings& bindings, const Executor& executor) {
  HWY_DYNAMIC_DISPATCH(PlaceRows)(loop, bindings, executor);
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
#endif  // HWY_ONCE
