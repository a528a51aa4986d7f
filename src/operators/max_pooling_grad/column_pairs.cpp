// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Windows two columns wide at stride 2 over columns side by side, which share no
// input row: 2x2 stride 2, 2x2x2 stride 2. A vector of columns is compared with
// itself after the two columns of every window have changed places.
#include <cstring>

#include "operators/max_pooling_grad/cells.h"
#include "operators/max_pooling_grad/formula.h"
#include "operators/max_pooling_grad/lines.h"
#include "operators/max_pooling_grad/plan.h"
#include "operators/max_pooling_grad/strategies.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "operators/max_pooling_grad/column_pairs.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/maximum_keys-inl.h"
#include "backends/cpu/streaming-inl.h"

#ifndef ANYDML_MAX_POOLING_GRAD_COLUMN_PAIRS_ONCE_
#define ANYDML_MAX_POOLING_GRAD_COLUMN_PAIRS_ONCE_
namespace anydml::max_pooling_grad {

inline constexpr int64_t kMostPairRows = 8;

// The input rows of one row of windows, and they.
template <typename T>
struct PairRows {
  int64_t count = 0;
  std::array<const T*, kMostPairRows> x;
  std::array<T*, kMostPairRows> dx;
  const T* dy;
  int64_t windows;
  bool stream = false;
  // Bytes to the row of windows after the next, which is asked for.
  uintptr_t x_ahead = 0, dx_ahead = 0;
};

}  // namespace anydml::max_pooling_grad
#endif

HWY_BEFORE_NAMESPACE();
namespace anydml::max_pooling_grad {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace vectors = anydml::cpu::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
template <typename T>
constexpr size_t kBlockColumns = 0;

template <int kRows, typename T>
void HandOutPairs(const PairRows<T>& rows) {
  for (int64_t o = 0; o < rows.windows; ++o) {
    int64_t winner = 0;
    const auto at = [&](int64_t tap) {
      return rows.x[static_cast<size_t>(tap / 2)] + 2 * o + tap % 2;
    };
    for (int64_t tap = 1; tap < 2 * rows.count; ++tap) {
      if (MaximumKey(*at(tap)) > MaximumKey(*at(winner))) winner = tap;
    }
    for (int64_t tap = 0; tap < 2 * rows.count; ++tap) {
      const float sum = tap == winner ? 0.0f + Widen(rows.dy[o]) : 0.0f;
      Round(sum, rows.dx[static_cast<size_t>(tap / 2)][2 * o + tap % 2]);
    }
  }
}
#else
// A lane for every window: its two columns.
template <typename T>
using PairLanes =
    hn::ScalableTag<std::conditional_t<std::is_same_v<T, float>, uint64_t, uint32_t> >;

template <typename T>
constexpr size_t kBlockColumns = 2 * hn::MaxLanes(PairLanes<T>());

// The gradients of neighbouring windows, each twice.
template <class D, typename T>
HWY_INLINE auto TwiceEach(D d, const T* dy) {
  constexpr int kBits = 8 * sizeof(T);
  using Half = std::make_unsigned_t<vectors::BitsOf<T> >;
  const hn::Repartition<vectors::BitsOf<T>, D> columns;
  const hn::Rebind<Half, D> halves;
  const auto once = hn::PromoteTo(d, hn::LoadU(halves, reinterpret_cast<const Half*>(dy)));
  const auto both = hn::Or(once, hn::ShiftLeft<kBits>(once));
  return vectors::SingleTerm(columns, hn::BitCast(columns, both));
}

// An address `ahead` bytes further, which need not be one of the tensor's.
HWY_INLINE void Ask(const void* from, uintptr_t ahead) {
  __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(from) + ahead), 0,
                     2);
}

// kRows rows, or 0 for any number. kStream: past the caches, in whole lines.
template <int kRows, bool kStream, typename T, class D>
HWY_INLINE void HandOutBlock(D d, const PairRows<T>& rows, int64_t o) {
  constexpr int kBits = 8 * sizeof(T);
  using Bits = vectors::BitsOf<T>;
  const hn::Repartition<Bits, D> columns;
  const int64_t count = kRows != 0 ? kRows : rows.count;
  // One less turns `>` into `>=`: the first column wins a tie.
  const auto first_column = hn::BitCast(columns, hn::Set(d, 1));
  hn::Vec<decltype(columns)> best, winner = hn::Zero(columns);
  hn::Mask<decltype(columns)> wins_row[kRows != 0 ? kRows : kMostPairRows];
  for (int64_t r = 0; r < count; ++r) {
    const T* x = rows.x[static_cast<size_t>(r)] + 2 * o;
    Ask(x, rows.x_ahead);
    const auto key = vectors::ElementKeys(columns, vectors::LoadElementBits(columns, x));
    const auto other = hn::BitCast(columns, hn::RotateRight<kBits>(hn::BitCast(d, key)));
    wins_row[r] = hn::Gt(key, hn::Sub(other, first_column));
    const auto of_row = hn::Max(key, other);
    if (r == 0) {
      best = of_row;
    } else {
      winner = hn::IfThenElse(hn::Gt(of_row, best), hn::Set(columns, static_cast<Bits>(r)), winner);
      best = hn::Max(of_row, best);
    }
  }
  const auto gradient = TwiceEach(d, rows.dy + o);
  for (int64_t r = 0; r < count; ++r) {
    const auto won = hn::And(wins_row[r], hn::Eq(winner, hn::Set(columns, static_cast<Bits>(r))));
    T* dx = rows.dx[static_cast<size_t>(r)] + 2 * o;
    if constexpr (kStream) {
      hn::Stream(hn::IfThenElseZero(won, gradient), columns, reinterpret_cast<Bits*>(dx));
    } else {
      Ask(dx, rows.dx_ahead);
      vectors::StoreElementBits(columns, hn::IfThenElseZero(won, gradient), dx);
    }
  }
}

template <int kRows, typename T>
void HandOutPairs(const PairRows<T>& the_rows) {
  const PairRows<T> rows = the_rows;
  const PairLanes<T> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  if (rows.stream) {
    for (int64_t o = 0; o < rows.windows; o += lanes) HandOutBlock<kRows, true>(d, rows, o);
    return;
  }
  vectors::ForEachBlock(d, rows.windows, [&](auto tag, int64_t o) HWY_ATTR {
    HandOutBlock<kRows, false>(tag, rows, o);
  });
}
#endif

// Rows of windows and their cells of rows.
template <typename T>
class PairRow {
 public:
  PairRow(const Plan& plan, const Bindings& bindings)
      : plan_(plan),
        bindings_(bindings),
        depth_(cpu::SeparateSingleWindow(plan.loop.axes[0])),
        height_(cpu::SeparateSingleWindow(plan.loop.axes[1])),
        covered_(CoversCells(depth_) && CoversCells(height_) &&
                 2 * plan.loop.axes[2].output_size == plan.loop.axes[2].input_size) {
    rows_.windows = plan.loop.axes[2].output_size;
    const auto rows_ahead = static_cast<uintptr_t>(2 * std::min<int64_t>(height_.stride, 8));
    rows_.x_ahead = rows_ahead * static_cast<uintptr_t>(plan.input.spatial[1]) * sizeof(T);
    rows_.dx_ahead =
        rows_ahead * static_cast<uintptr_t>(plan.output_gradient.spatial[1]) * sizeof(T);
    const auto& [depth, height, width] = plan.output_gradient.spatial;
    rows_.stream = ShouldStreamLines(plan, bindings.Output<T>(0), kBlockColumns<T> * sizeof(T),
                                     {plan.output_gradient.batch, plan.output_gradient.channel,
                                      depth, height, 2 * rows_.windows});
  }

  void SetPlane(int64_t plane) {
    x_ = bindings_.Input<T>(0) + plan_.input.PlaneOffset(plan_.loop, plane);
    dy_ = bindings_.Input<T>(1) + plan_.input_gradient.PlaneOffset(plan_.loop, plane);
    dx_ = bindings_.Output<T>(0) + plan_.output_gradient.PlaneOffset(plan_.loop, plane);
  }

  void Run(int64_t od, int64_t oh) {
    const Progression depths = TapsOf(depth_, od), heights = TapsOf(height_, oh);
    rows_.count = 0;
    rows_.dy = dy_ + od * plan_.input_gradient.spatial[0] + oh * plan_.input_gradient.spatial[1];
    for (int64_t i = 0; i < depths.count; ++i) {
      for (int64_t j = 0; j < heights.count; ++j) {
        AddRow(depths.first + i * depths.step, heights.first + j * heights.step);
      }
    }
    if (!covered_) ZeroOutsideTaps(CellOf(depth_, od), CellOf(height_, oh), depths, heights);
    if (rows_.count == 2) {
      HandOutPairs<2>(rows_);
    } else if (rows_.count == 4) {
      HandOutPairs<4>(rows_);
    } else if (rows_.count > 0) {
      HandOutPairs<0>(rows_);
    }
  }

 private:
  void AddRow(int64_t d, int64_t h) {
    const auto r = static_cast<size_t>(rows_.count++);
    rows_.x[r] = x_ + d * plan_.input.spatial[0] + h * plan_.input.spatial[1];
    rows_.dx[r] = dx_ + d * plan_.output_gradient.spatial[0] + h * plan_.output_gradient.spatial[1];
  }

  // The elements of the cell that its windows do not see.
  void ZeroOutsideTaps(IndexRange depth_cell, IndexRange height_cell, const Progression& depths,
                       const Progression& heights) const {
    const int64_t width = plan_.loop.axes[2].input_size;
    for (int64_t d = depth_cell.begin; d < depth_cell.end; ++d) {
      for (int64_t h = height_cell.begin; h < height_cell.end; ++h) {
        const bool seen = TapNumber(depths, d) >= 0 && TapNumber(heights, h) >= 0;
        const int64_t begin = seen ? 2 * rows_.windows : 0;
        T* row = dx_ + d * plan_.output_gradient.spatial[0] + h * plan_.output_gradient.spatial[1];
        std::memset(static_cast<void*>(row + begin), 0,
                    static_cast<size_t>(width - begin) * sizeof(T));
      }
    }
  }

  const Plan& plan_;
  const Bindings& bindings_;
  const WindowAxis depth_;
  const WindowAxis height_;
  const bool covered_;
  const T* x_ = nullptr;
  const T* dy_ = nullptr;
  T* dx_ = nullptr;
  PairRows<T> rows_;
};

template <typename T>
void RunPairRows(const Plan& plan, const Bindings& bindings, int64_t begin, int64_t end) {
  const int64_t depths = plan.loop.axes[0].output_size, heights = plan.loop.axes[1].output_size;
  PairRow<T> row(plan, bindings);
  WindowRow at = OutputRow(plan.loop, begin);
  row.SetPlane(at.plane);
  for (int64_t number = begin; number < end; ++number) {
    row.Run(at.depth, at.height);
    if (++at.height < heights) continue;
    at.height = 0;
    if (++at.depth < depths) continue;
    at.depth = 0;
    if (number + 1 < end) row.SetPlane(++at.plane);
  }
  hwy::FlushStream();
}

void ColumnPairs(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  const WindowLoop& loop = plan.loop;
  const auto rows = static_cast<uint64_t>(loop.PlaneCount() * loop.OutputRowsPerPlane());
  const uint64_t elements = loop.MostTaps() * static_cast<uint64_t>(loop.axes[2].output_size);
  DispatchType(Types(), plan.data_type, [&]<typename T>() HWY_ATTR {
    executor.ParallelFor(
        rows, cpu::kElementsPerUnit / elements, [&](uint64_t begin, uint64_t end) HWY_ATTR {
          RunPairRows<T>(plan, bindings, static_cast<int64_t>(begin), static_cast<int64_t>(end));
        });
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::max_pooling_grad
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::max_pooling_grad {
namespace {

HWY_EXPORT(ColumnPairs);

}  // namespace

Refusal AcceptsColumnPairs(const Plan& plan) {
  for (const PlaneStrides* strides : {&plan.input, &plan.input_gradient, &plan.output_gradient}) {
    if (strides->spatial[WindowLoop::kWidth] != 1) {
      return {"the innermost stride is not 1 in every tensor"};
    }
  }
  const auto& [depth, height, width] = plan.loop.axes;
  if (width.window_size != 2 || width.stride != 2 || width.dilation != 1 ||
      width.start_padding != 0 || 2 * width.output_size > width.input_size) {
    return {"the width is not cut into pairs of columns"};
  }
  if (cpu::WindowsOverlap(cpu::SeparateSingleWindow(depth)) ||
      cpu::WindowsOverlap(cpu::SeparateSingleWindow(height))) {
    return {"rows of windows share input rows"};
  }
  if (depth.window_size > kMostPairRows || height.window_size > kMostPairRows ||
      depth.window_size * height.window_size > kMostPairRows) {
    return {"the window has too many rows"};
  }
  return kAccepted;
}

void RunColumnPairs(const Plan& plan, const NoTables&, const Bindings& bindings,
                    const cpu::Executor& executor) {
  HWY_DYNAMIC_DISPATCH(ColumnPairs)(plan, bindings, executor);
}

}  // namespace anydml::max_pooling_grad
#endif  // HWY_ONCE
