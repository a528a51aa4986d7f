// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// One row of sums per group, and groups that are neighbours in memory, as in depth-wise
// convolutions on channels-last images: a vector has a sum of each of its groups, and is loaded
// as it lies.
#include <algorithm>

#include "base/checked_math.h"
#include "kernels/matmul/cpu/strategies.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/matmul/cpu/group_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/matmul/cpu/pack-inl.h"
#include "kernels/matmul/cpu/panels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
class GroupRunner {
 public:
  // All windows of 3 x 3 are one block of a weight gradient.
  static constexpr uint64_t kColumns = 9;

  // Packed factors of all groups lie side by side, term after term.
  GroupRunner(const ProductPlan& plan, const Products& products, const Bindings& bindings,
              const float* packed)
      : plan_(plan),
        products_(products),
        image_(bindings.Input<T>(plan.columns_input)),
        factors_(packed),
        addend_(plan.has_addend ? bindings.Input<T>(plan.addend_input) : nullptr),
        output_(bindings.Output<T>(0) + products.output_start) {
    auto step = static_cast<int64_t>(products.batches[0].size);
    for (size_t i = kProductAxes; i-- > 0;) {
      factor_steps_[i] = packed == nullptr ? products.depth[i].rows : step;
      step *= static_cast<int64_t>(products.depth[i].size);
    }
    if constexpr (std::is_same_v<T, float>) {
      if (packed == nullptr) {
        factors_ = bindings.Input<float>(plan.rows_input) + products.rows_start;
      }
    }
  }

  // Columns from the one given on, of groups [begin, end).
  void Run(uint64_t column, uint64_t begin, uint64_t end) const {
    const Block block(products_, column);
    const uint64_t N = hn::Lanes(D());
    for (uint64_t group = begin; group < end; group += N) {
      if (end - group >= N) {
        RunVector<true>(block, static_cast<int64_t>(group), static_cast<int64_t>(N));
      } else {
        RunVector<false>(block, static_cast<int64_t>(group), static_cast<int64_t>(end - group));
      }
    }
  }

 private:
  using D = hn::ScalableTag<float>;
  using V = hn::Vec<D>;

  static bool Has(const LaneRange& range, int64_t at) {
    return at >= range.begin && at < range.end;
  }

  // Where columns begin, and which taps of each, and of all, lie in the image. Those behind the
  // last one are the last one again.
  struct Block {
    uint64_t count;
    int64_t from[kColumns], to[kColumns];
    LaneRange inside[kSpatialAxes][kColumns];
    LaneRange all[kSpatialAxes];

    Block(const Products& products, uint64_t column)
        : count(std::min(kColumns, products.ColumnCount() - column)) {
      for (size_t i = 0; i < kSpatialAxes; ++i) {
        all[i] = {0, static_cast<int64_t>(products.depth[1 + i].size)};
      }
      uint64_t at[kProductAxes];
      for (size_t i = kProductAxes; i-- > 0;) {
        at[i] = column % products.columns[i].size;
        column /= products.columns[i].size;
      }
      size_t changed = 0;  // axes before it are where they were
      for (uint64_t c = 0; c < kColumns; ++c) {
        from[c] = products.columns_start;
        to[c] = 0;
        for (size_t i = 0; i < kProductAxes; ++i) {
          const auto index = static_cast<int64_t>(at[i]);
          AddSteps(from[c], index, products.columns[i].operand);
          to[c] += index * products.columns[i].output;
          if (i == 0) continue;
          if (i < changed) {
            inside[i - 1][c] = inside[i - 1][c - 1];
          } else {
            SetInside(products, i - 1, index, c);
          }
        }
        if (c + 1 >= count) continue;
        changed = kProductAxes - 1;
        while (++at[changed] == products.columns[changed].size) at[changed--] = 0;
      }
    }

    void SetInside(const Products& products, size_t axis, int64_t at, uint64_t c) {
      const Positions& p = products.positions[axis];
      LaneRange& range = inside[axis][c];
      range = Inside(p.first + at * p.index_step, p.tap_step, p.size,
                     static_cast<int64_t>(products.depth[1 + axis].size));
      all[axis].begin = std::max(all[axis].begin, range.begin);
      all[axis].end = std::min(all[axis].end, range.end);
    }
  };

  template <bool kWhole>
  static HWY_INLINE V Load(const T* from, int64_t lanes) {
    if constexpr (kWhole) return LoadFloats(D(), from);
    return LoadLanes(D(), from, 1, {0, lanes});
  }

  template <bool kWhole>
  HWY_NOINLINE void RunVector(const Block& block, int64_t group, int64_t lanes) const {
    const D d;
    // All in registers: no loop over columns has a number that is known late.
    V totals[kColumns], sums[kColumns];
#pragma GCC unroll 9
    for (uint64_t c = 0; c < kColumns; ++c) totals[c] = sums[c] = hn::Zero(d);
    const auto& depth = products_.depth;
    const auto taps = static_cast<int64_t>(depth[3].size);
    int64_t room = kChain;
    for (uint64_t c = 0; c < depth[0].size; ++c) {
      for (uint64_t z = 0; z < depth[1].size; ++z) {
        for (uint64_t y = 0; y < depth[2].size; ++y) {
          int64_t offset = group, factor = group;
          size_t i = 0;
          for (const uint64_t at : {c, z, y}) {
            AddSteps(offset, static_cast<int64_t>(at), depth[i].columns);
            factor += static_cast<int64_t>(at) * factor_steps_[i++];
          }
          const LineOfTaps line = {static_cast<int64_t>(z), static_cast<int64_t>(y), offset,
                                   factors_ + factor};
          for (int64_t x = 0, end; x < taps; x = end) {
            end = std::min(taps, x + room);
            AddTerms<kWhole>(block, line, x, end, lanes, sums);
            room -= end - x;
            if (room != 0) continue;
            AddChains(totals, sums);
            room = kChain;
          }
        }
      }
    }
    if (room != kChain) AddChains(totals, sums);
    V results[kColumns];
#pragma GCC unroll 9
    for (uint64_t c = 0; c < kColumns; ++c) {
      results[c] = hn::Mul(hn::Set(d, plan_.alpha), totals[c]);
    }
    Store<kWhole>(block, results, group, lanes);
  }

  struct LineOfTaps {
    int64_t z, y, offset;
    const float* factors;
  };

  // Taps [x, end) of a line.
  template <bool kWhole>
  HWY_INLINE void AddTerms(const Block& block, const LineOfTaps& line, int64_t x, int64_t end,
                           int64_t lanes, V (&sums)[kColumns]) const {
    const D d;
    const T zeros[hn::MaxLanes(D())] = {};
    const bool line_inside = Has(block.all[0], line.z) && Has(block.all[1], line.y);
    for (; x < end; ++x) {
      const float* const factors = line.factors + x * factor_steps_[3];
      const V factor =
          kWhole ? hn::LoadU(d, factors) : LoadLanes(d, factors, 1, LaneRange{0, lanes});
      int64_t offset = line.offset;
      AddSteps(offset, x, products_.depth[3].columns);
      if (line_inside && Has(block.all[2], x)) {
#pragma GCC unroll 9
        for (uint64_t c = 0; c < kColumns; ++c) {
          const T* const from = UncheckedOffset(image_, offset + block.from[c]);
          sums[c] = FusedMultiplyAdd(d, factor, Load<kWhole>(from, lanes), sums[c]);
        }
        continue;
      }
#pragma GCC unroll 9
      for (uint64_t c = 0; c < kColumns; ++c) {
        const bool inside = Has(block.inside[0][c], line.z) && Has(block.inside[1][c], line.y) &&
                            Has(block.inside[2][c], x);
        const T* const from = inside ? UncheckedOffset(image_, offset + block.from[c]) : zeros;
        sums[c] = FusedMultiplyAdd(d, factor, Load<kWhole>(from, lanes), sums[c]);
      }
    }
  }

  static HWY_INLINE void AddChains(V (&totals)[kColumns], V (&sums)[kColumns]) {
    const D d;
#pragma GCC unroll 9
    for (uint64_t c = 0; c < kColumns; ++c) {
      totals[c] = hn::Add(totals[c], sums[c]);
      sums[c] = hn::Zero(d);
    }
  }

  template <bool kWhole>
  HWY_INLINE void Store(const Block& block, const V* results, int64_t group, int64_t lanes) const {
    const D d;
    const hn::CappedTag<float, 1> d1;
    const BatchAxis& groups = products_.batches[0];
    alignas(64) float addends[hn::MaxLanes(D())] = {};
    for (int64_t lane = 0; addend_ != nullptr && lane < lanes; ++lane) {
      addends[lane] = hn::GetLane(LoadFloats(d1, addend_ + (group + lane) * groups.addend));
    }
    const V addend = hn::Mul(hn::Set(d, plan_.beta), hn::Load(d, addends));
    for (uint64_t c = 0; c < block.count; ++c) {
      V value = results[c];
      if (addend_ != nullptr) value = hn::Add(value, addend);
      T* const to = output_ + block.to[c] + group * groups.output;
      if (kWhole && groups.output == 1) {
        StoreFloats(d, value, to);
        continue;
      }
      alignas(64) T some[hn::MaxLanes(D())];
      StoreFloats(d, value, some);
      for (int64_t lane = 0; lane < lanes; ++lane) to[lane * groups.output] = some[lane];
    }
  }

  const ProductPlan& plan_;
  const Products& products_;
  const T* image_;
  const float* factors_;
  const T* addend_;
  T* output_;
  int64_t factor_steps_[kProductAxes];
};

template <typename T>
void PackFactors(const ProductPlan& plan, const Products& products, const Bindings& bindings,
                 const Executor& executor) {
  const T* const from = bindings.Input<T>(plan.rows_input) + products.rows_start;
  const uint64_t groups = products.batches[0].size, depth = products.Depth();
  executor.ParallelFor(depth, CeilDivide(16384, groups), [&](uint64_t begin, uint64_t end) {
    const hn::CappedTag<float, 1> d1;
    for (uint64_t k = begin; k < end; ++k) {
      float* const to = bindings.Temporary<float>() + k * groups;
      int64_t offset = 0;
      uint64_t rest = k;
      for (size_t i = kProductAxes; i-- > 0;) {
        offset += static_cast<int64_t>(rest % products.depth[i].size) * products.depth[i].rows;
        rest /= products.depth[i].size;
      }
      for (uint64_t group = 0; group < groups; ++group) {
        const T* const at = from + offset + static_cast<int64_t>(group) * products.batches[0].rows;
        to[group] = hn::GetLane(LoadFloats(d1, at));
      }
    }
  });
}

template <typename T>
void RunGroupsOf(const ProductPlan& plan, const Bindings& bindings, const Executor& executor) {
  const bool packs = GroupLanesBytes(plan) != 0;
  for (uint64_t number = 0, classes = plan.ClassCount(); number < classes; ++number) {
    const Products products = plan.ClassOf(number);
    const uint64_t groups = products.batches[0].size, depth = products.Depth();
    if (packs) PackFactors<T>(plan, products, bindings, executor);
    const GroupRunner<T> runner(plan, products, bindings,
                                packs ? bindings.Temporary<float>() : nullptr);
    // Long sums have few columns: their groups are shared, too.
    const uint64_t lanes = hn::Lanes(hn::ScalableTag<float>());
    const uint64_t part = depth > kChain ? lanes : 16 * lanes;
    const uint64_t parts = CeilDivide(groups, part);
    const uint64_t blocks = CeilDivide(products.ColumnCount(), GroupRunner<T>::kColumns);
    const uint64_t work = GroupRunner<T>::kColumns * std::min(part, groups) * (depth + 1);
    executor.ParallelFor(blocks * parts, CeilDivide(65536, work),
                         [&](uint64_t begin, uint64_t end) {
                           for (uint64_t unit = begin; unit < end; ++unit) {
                             const uint64_t group = unit % parts * part;
                             runner.Run(unit / parts * GroupRunner<T>::kColumns, group,
                                        std::min(groups, group + part));
                           }
                         });
  }
}

void RunGroups(const ProductPlan& plan, const Bindings& bindings, const Executor& executor) {
  if (plan.data_type == DataType::kFloat32) {
    RunGroupsOf<float>(plan, bindings, executor);
  } else {
    RunGroupsOf<Float16>(plan, bindings, executor);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::cpu {
namespace {

HWY_EXPORT(RunGroups);

}  // namespace

Refusal AcceptsGroupLanes(const ProductPlan& plan) {
  constexpr uint64_t kMostBytes = uint64_t{16} << 20;
  if (!plan.has_space) return {"matrices have no groups"};
  const Refusal far = AcceptsPackedPanels(plan);
  if (!far.accepted()) return far;
  if (plan.products.RowCount() != 1) return {"a group has more than one row of sums"};
  const BatchAxis& groups = plan.products.batches[0];
  if (groups.size == 1 || groups.columns != 1) return {"groups are not neighbours in memory"};
  if (GroupLanesBytes(plan) > kMostBytes) return {"factors take more than 16 MiB"};
  return kAccepted;
}

// Factors that are no floats, or not side by side, are packed.
uint64_t GroupLanesBytes(const ProductPlan& plan) {
  const BatchAxis& groups = plan.products.batches[0];
  if (plan.data_type == DataType::kFloat32 && groups.rows == 1) return 0;
  return plan.MaxDepth() * groups.size * sizeof(float);
}

void RunGroupLanes(const ProductPlan& plan, const NoTables&, const Bindings& bindings,
                   const Executor& executor) {
  HWY_DYNAMIC_DISPATCH(RunGroups)(plan, bindings, executor);
  FillOutputPadding(plan, bindings, executor);
}

}  // namespace anydml::cpu
#endif  // HWY_ONCE
