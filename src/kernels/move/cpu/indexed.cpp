// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Elements that an index tensor chooses.
#include <hwy/cache_control.h>

#include <cstring>

#include "backends/cpu/rows.h"
#include "backends/cpu/streaming.h"
#include "kernels/move/cpu/filled_rows.h"
#include "kernels/move/cpu/index.h"
#include "kernels/move/cpu/row_movers.h"
#include "kernels/move/cpu/strategies.h"
#include "kernels/move/plan.h"

namespace anydml::move {
namespace {

// Below this many bytes a call per row costs more than the elements.
constexpr uint64_t kMinRowBytes = 16;

Refusal AcceptsGatheredRows(const Gathered& plan) {
  if (plan.loop.inner_stride(0) != 0) return {"neighbours in the output have indices of their own"};
  if (plan.loop.inner_stride(1) != 1 || plan.loop.inner_stride(2) != 1) {
    return {"the innermost stride is not 1 in the input and the output"};
  }
  if (plan.loop.inner_size() * plan.element_size < kMinRowBytes) {
    return {"the rows are shorter than 16 bytes"};
  }
  return kAccepted;
}

// Whether rows that follow one another lie behind one another in the output.
bool IsPacked(const StridedLoop<3>& loop) {
  int64_t expected = 1;
  for (uint32_t i = loop.rank; i-- > 0;) {
    if (loop.strides[2][i] != expected) return false;
    expected *= static_cast<int64_t>(loop.sizes[i]);
  }
  return true;
}

// The rows of one thread: moved at once, or streamed, which wants to know the last one.
class RowMover {
 public:
  RowMover(const Gathered& plan, const cpu::RowShape& shape, cpu::MoveRows move, bool stream)
      : plan_(plan), shape_(shape), move_(move), stream_(stream) {}

  void Move(const std::byte* from, std::byte* to, uint64_t count) {
    // The row after this one is another's: the hardware cannot know where it lies.
    const uint64_t ahead = std::min<uint64_t>(count * plan_.element_size, 512);
    for (uint64_t i = 0; i < ahead; i += 64) __builtin_prefetch(from + i);
    Flush(false);
    waiting_ = {from, 0, to, 0, 0, count, 1, nullptr};
    waiting_.end = to + count * plan_.element_size;
    if (stream_ && state_.to == nullptr) state_.to = to;
    has_waiting_ = true;
  }

  void Flush(bool last) {
    if (!has_waiting_) return;
    if (stream_) waiting_.stream = &state_;
    waiting_.is_last = last;
    move_(shape_, waiting_);
    has_waiting_ = false;
    if (stream_ && last) hwy::FlushStream();
  }

 private:
  const Gathered& plan_;
  const cpu::RowShape& shape_;
  cpu::MoveRows move_;
  bool stream_;
  bool has_waiting_ = false;
  cpu::RowGroup waiting_ = {};
  cpu::StreamState state_ = {.to = nullptr};
};

// The walk of backends/cpu/rows.h, with a mover per share.
template <typename I>
void GatherRows(const Gathered& plan, const Bindings& bindings, const cpu::Executor& executor) {
  const StridedLoop<3>& loop = plan.loop;
  const int64_t size = plan.element_size;
  const cpu::RowShape shape =
      cpu::MakeRowShape(plan.element_size, size, static_cast<uint64_t>(size));
  const cpu::RowMovers movers = cpu::ChooseRowMovers(shape);
  const bool stream = movers.stream_packed != nullptr && IsPacked(loop) &&
                      cpu::ShouldStream(2 * loop.ElementCount() * plan.element_size);
  const cpu::MoveRows move = stream ? movers.stream_packed : movers.packed;
  const uint64_t length = loop.inner_size();
  const uint64_t per_unit = cpu::kMovedElementsPerUnit<std::byte, 2> / plan.element_size;
  const uint64_t pieces = CeilDivide(length, per_unit), step = CeilDivide(length, pieces);
  executor.ParallelFor(loop.RowCount() * pieces, std::max<uint64_t>(1, per_unit / step),
                       [&](uint64_t begin, uint64_t end) {
                         RowMover mover(plan, shape, move, stream);
                         RowWalk<3> walk(loop, begin / pieces);
                         uint64_t part = begin % pieces;
                         for (uint64_t unit = begin; unit < end; ++unit) {
                           const uint64_t first = part * step;
                           if (first < length) {
                             const I* index = bindings.Input<I>(1) + walk.offsets()[0];
                             const int64_t source = walk.offsets()[1] +
                                                    NearestElement(plan.axes, index) +
                                                    static_cast<int64_t>(first);
                             const int64_t target = walk.offsets()[2] + static_cast<int64_t>(first);
                             mover.Move(bindings.Input<std::byte>(0) + source * size,
                                        bindings.Output<std::byte>(0) + target * size,
                                        std::min(step, length - first));
                           }
                           if (++part == pieces) {
                             part = 0;
                             walk.Next();
                           }
                         }
                         mover.Flush(true);
                       });
}

void RunGatheredRows(const Gathered& plan, const NoTables&, const Bindings& bindings,
                     const cpu::Executor& executor) {
  DispatchType(IndexTypes(), plan.axes.index_type,
               [&]<typename I>() { GatherRows<I>(plan, bindings, executor); });
}

void RunGatheredElements(const Gathered& plan, const NoTables&, const Bindings& bindings,
                         const cpu::Executor& executor) {
  const auto& loop = plan.loop;
  DispatchType(IndexTypes(), plan.axes.index_type, [&]<typename I>() {
    DispatchWidth(plan.element_size, [&]<typename T>() {
      cpu::ForEachRowPiece(loop, executor, [&](const auto& at, uint64_t count) {
        const I* index = bindings.Input<I>(1) + at[0];
        const T* from = bindings.Input<T>(0) + at[1];
        T* to = bindings.Output<T>(0) + at[2];
        const int64_t n = static_cast<int64_t>(count), step = loop.inner_stride(0),
                      apart = loop.inner_stride(1), out = loop.inner_stride(2);
        const IndexedAxes axes = plan.axes;
        if (axes.count == 1) {  // half as fast again as the loop below
          const int64_t size = axes.sizes[0], stride = axes.strides[0];
          for (int64_t i = 0; i < n; ++i) {
            to[i * out] = from[i * apart + NearestCoordinate(index[i * step], size) * stride];
          }
          return;
        }
        for (int64_t i = 0; i < n; ++i) {
          to[i * out] = from[i * apart + NearestElement(axes, index + i * step)];
        }
      });
    });
  });
}

// ---- One of two values.

// Along the axis: the value of all but one element.
Refusal AcceptsAxisRows(const Chosen& plan) {
  if (plan.loop.inner_stride(1) != 1 || plan.loop.inner_stride(0) != 0) {
    return {"the axis is not the output's innermost dimension"};
  }
  if (plan.loop.inner_stride(2) != 1) return {"the output's innermost stride is not 1"};
  return kAccepted;
}

void RunAxisRows(const Chosen& plan, const NoTables&, const Bindings& bindings,
                 const cpu::Executor& executor) {
  const uint64_t row_bytes = plan.loop.inner_size() * plan.element_size;
  const bool streams = cpu::MayStreamFills(plan.loop.ElementCount() * plan.element_size, row_bytes);
  const cpu::FillRow fill = cpu::ChooseFillRow();
  DispatchType(IndexTypes(), plan.index_type, [&]<typename I>() {
    DispatchWidth(plan.element_size, [&]<typename T>() {
      const T off = bindings.Input<T>(1)[0], on = bindings.Input<T>(1)[plan.on_offset];
      const uint64_t pattern = cpu::FillPattern(MakeScalar(off), sizeof(T));
      cpu::ForEachRowPiece(
          plan.loop, executor,
          [&](const auto& at, uint64_t count) {
            auto* const to = reinterpret_cast<std::byte*>(bindings.Output<T>(0) + at[2]);
            const int64_t place = CoordinateOf(bindings.Input<I>(0)[at[0]], plan.axis_size) - at[1];
            const bool here = place >= 0 && place < static_cast<int64_t>(count);
            const uint64_t before = here ? static_cast<uint64_t>(place) : count;
            fill(to, before * sizeof(T), pattern, streams);
            if (!here) return;
            std::memcpy(to + before * sizeof(T), &on, sizeof(T));
            fill(to + (before + 1) * sizeof(T), (count - before - 1) * sizeof(T), pattern, streams);
          },
          cpu::kElementsPerUnit,
          [&] {
            if (streams) hwy::FlushStream();
          });
    });
  });
}

// Many indices, one coordinate. An INT32 that an axis is too long for is on none of its elements
// but those that it counts from the end, where both wrap alike.
template <typename I, typename T>
void ChooseRow(const I* index, I coordinate, I size, int64_t count, T on, T off, T* to) {
  using U = std::make_unsigned_t<I>;
  for (int64_t i = 0; i < count; ++i) {
    const U from_end = index[i] < 0 ? static_cast<U>(size) : U{0};
    const U place = static_cast<U>(index[i]) + from_end;
    to[i] = place == static_cast<U>(coordinate) ? on : off;
  }
}

void RunChosenElements(const Chosen& plan, const NoTables&, const Bindings& bindings,
                       const cpu::Executor& executor) {
  const auto& loop = plan.loop;
  DispatchType(IndexTypes(), plan.index_type, [&]<typename I>() {
    DispatchWidth(plan.element_size, [&]<typename T>() {
      const T off = bindings.Input<T>(1)[0], on = bindings.Input<T>(1)[plan.on_offset];
      cpu::ForEachRowPiece(loop, executor, [&](const auto& at, uint64_t count) {
        const I* index = bindings.Input<I>(0) + at[0];
        T* to = bindings.Output<T>(0) + at[2];
        const auto n = static_cast<int64_t>(count);
        if (loop.inner_stride(0) == 1 && loop.inner_stride(1) == 0 && loop.inner_stride(2) == 1) {
          return ChooseRow(index, static_cast<I>(at[1]), static_cast<I>(plan.axis_size), n, on, off,
                           to);
        }
        for (int64_t i = 0; i < n; ++i) {
          const int64_t coordinate = at[1] + i * loop.inner_stride(1);
          const int64_t place = CoordinateOf(index[i * loop.inner_stride(0)], plan.axis_size);
          to[i * loop.inner_stride(2)] = place == coordinate ? on : off;
        }
      });
    });
  });
}

// ---- Sequences whose beginnings are turned around.

Refusal AcceptsReversedRows(const Reversed& plan) {
  if (plan.loop.inner_stride(0) != 0 || plan.loop.inner_stride(1) != 0) {
    return {"neighbours in the output have lengths of their own, or lie on the axis"};
  }
  if (plan.loop.inner_stride(2) != 1 || plan.loop.inner_stride(3) != 1) {
    return {"the innermost stride is not 1 in the input and the output"};
  }
  return kAccepted;
}

template <bool kRows>
void RunReversed(const Reversed& plan, const NoTables&, const Bindings& bindings,
                 const cpu::Executor& executor) {
  const auto& loop = plan.loop;
  DispatchType(TypeList<uint32_t, uint64_t>(), plan.length_type, [&]<typename I>() {
    DispatchWidth(plan.element_size, [&]<typename T>() {
      cpu::ForEachRowPiece(loop, executor, [&](const auto& at, uint64_t count) {
        const I* lengths = bindings.Input<I>(1) + at[0];
        const T* from = bindings.Input<T>(0) + at[2];
        T* to = bindings.Output<T>(0) + at[3];
        const uint64_t size = plan.axis_size;
        const int64_t n = static_cast<int64_t>(count), on_axis = plan.axis_stride,
                      step = loop.inner_stride(0), along = loop.inner_stride(1),
                      apart = loop.inner_stride(2), out = loop.inner_stride(3);
        const auto length_at = [=](int64_t i) {
          return static_cast<int64_t>(std::min<uint64_t>(lengths[i * step], size));
        };
        const int64_t first = at[1];
        if (kRows) {
          std::memcpy(to, from + ReversedCoordinate(first, length_at(0)) * on_axis,
                      count * sizeof(T));
        } else if (step == 0 && along == 1) {  // along the axis
          const int64_t last = length_at(0) - 1 - first;
          const int64_t turned = std::clamp<int64_t>(last + 1, 0, n);
          for (int64_t i = 0; i < turned; ++i) to[i * out] = from[(last - i) * on_axis];
          for (int64_t i = turned; i < n; ++i) to[i * out] = from[(first + i) * on_axis];
        } else {
          for (int64_t i = 0; i < n; ++i) {
            const int64_t source = ReversedCoordinate(first + i * along, length_at(i));
            to[i * out] = from[i * apart + source * on_axis];
          }
        }
      });
    });
  });
}

using GatherStrategy = StrategyOf<Gathered, NoTables>;
using ChosenStrategy = StrategyOf<Chosen, NoTables>;
using ReversedStrategy = StrategyOf<Reversed, NoTables>;

}  // namespace

constinit const std::array<CpuStrategy, 2> kGatheredStrategies = {
    GatherStrategy::Named<AcceptsGatheredRows, RunGatheredRows>("packed_rows"),
    GatherStrategy::Named<AcceptsAll<Gathered>, RunGatheredElements>("strided"),
};

constinit const std::array<CpuStrategy, 2> kChosenStrategies = {
    ChosenStrategy::Named<AcceptsAxisRows, RunAxisRows>("axis_rows"),
    ChosenStrategy::Named<AcceptsAll<Chosen>, RunChosenElements>("strided"),
};

constinit const std::array<CpuStrategy, 2> kReversedStrategies = {
    ReversedStrategy::Named<AcceptsReversedRows, RunReversed<true>>("packed_rows"),
    ReversedStrategy::Named<AcceptsAll<Reversed>, RunReversed<false>>("strided"),
};

}  // namespace anydml::move
