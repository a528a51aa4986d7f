// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// One row of sums per batch and image, as in depth-wise convolutions: nothing would use a packed
// column twice. Every vector of sums along a line of the output is one chain, from the image as
// it lies.
#include <algorithm>

#include "base/checked_math.h"
#include "kernels/matmul/cpu/strategies.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/matmul/cpu/single_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/matmul/cpu/pack-inl.h"
#include "kernels/matmul/cpu/panels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A term of all sums of a line.
struct LineTerm {
  float factor;
  int64_t offset;   // of the image, for index 0 of the line
  int64_t place;    // along the line, for index 0
  bool is_outside;  // along the other axes: +0
};

template <typename T>
class LineRunner {
 public:
  LineRunner(const ProductPlan& plan, const Products& products, const Bindings& bindings)
      : plan_(plan),
        products_(products),
        factors_(bindings.Input<T>(plan.rows_input)),
        image_(bindings.Input<T>(plan.columns_input)),
        addend_(plan.has_addend ? bindings.Input<T>(plan.addend_input) : nullptr),
        output_(bindings.Output<T>(0)),
        depth_(products.Depth()) {}

  // Number `line` of all lines, those of one batch together.
  void Run(uint64_t line) const {
    uint64_t at[kSpatialAxes];
    for (size_t i = kSpatialAxes; i-- > 0;) {
      at[i] = line % products_.columns[i].size;
      line /= products_.columns[i].size;
    }
    int64_t from = products_.columns_start, factors = products_.rows_start;
    int64_t to = products_.output_start, add = 0;
    for (size_t i = 0; i < kSpatialAxes; ++i) {
      from += static_cast<int64_t>(at[i]) * products_.columns[i].operand;
      to += static_cast<int64_t>(at[i]) * products_.columns[i].output;
    }
    for (size_t i = kProductBatches; i-- > 0;) {
      const BatchAxis& axis = products_.batches[i];
      const auto index = static_cast<int64_t>(line % axis.size);
      line /= axis.size;
      from += index * axis.columns;
      factors += index * axis.rows;
      to += index * axis.output;
      add += index * axis.addend;
    }
    LineTerm terms[kChain];
    FindTerms(at, from, factors, terms);
    const hn::CappedTag<float, 1> d1;
    const float c =
        addend_ == nullptr ? 0.0f : plan_.beta * hn::GetLane(LoadFloats(d1, addend_ + add));
    StoreLine(terms, c, output_ + to);
  }

 private:
  void FindTerms(const uint64_t (&at)[kSpatialAxes], int64_t from, int64_t factors,
                 LineTerm* terms) const {
    const hn::CappedTag<float, 1> d1;
    const auto& p = products_.positions;
    const auto& depth = products_.depth;
    for (uint64_t c = 0; c < depth[0].size; ++c) {
      for (uint64_t z = 0; z < depth[1].size; ++z) {
        const bool no_plane = IsOutside(p[0], at[1], z);
        for (uint64_t y = 0; y < depth[2].size; ++y) {
          const bool is_outside = no_plane || IsOutside(p[1], at[2], y);
          const auto taps = {c, z, y};
          int64_t factor = factors, offset = from;
          size_t i = 0;
          for (const uint64_t tap : taps) {
            factor += static_cast<int64_t>(tap) * depth[i].rows;
            offset += static_cast<int64_t>(tap) * depth[i++].columns;
          }
          int64_t place = p[2].first;
          for (uint64_t x = 0; x < depth[3].size; ++x) {
            *terms++ = {hn::GetLane(LoadFloats(d1, factors_ + factor)), offset, place, is_outside};
            factor += depth[3].rows;
            offset += depth[3].columns;
            place += p[2].tap_step;
          }
        }
      }
    }
  }

  static bool IsOutside(const Positions& p, uint64_t index, uint64_t tap) {
    const int64_t place = p.first + static_cast<int64_t>(index) * p.index_step +
                          static_cast<int64_t>(tap) * p.tap_step;
    return place < 0 || place >= p.size;
  }

  HWY_INLINE void StoreLine(const LineTerm* terms, float addend, T* to) const {
    const hn::ScalableTag<float> d;
    const auto N = static_cast<int64_t>(hn::Lanes(d));
    const OutputAxis& axis = products_.columns[kProductAxes - 1];
    const Positions& p = products_.positions[2];
    const auto size = static_cast<int64_t>(axis.size);
    for (int64_t i = 0; i < size; i += N) {
      const int64_t count = std::min(N, size - i);
      auto sum = hn::Zero(d);
      for (uint64_t k = 0; k < depth_; ++k) {
        const LineTerm& term = terms[k];
        const LaneRange inside =
            term.is_outside ? LaneRange{0, 0}
                            : Inside(term.place + i * p.index_step, p.index_step, p.size, count);
        const auto value =
            inside.begin == inside.end
                ? hn::Zero(d)
                : LoadLanes(d, UncheckedOffset(image_, term.offset + i * axis.operand),
                            axis.operand, inside);
        sum = FusedMultiplyAdd(d, hn::Set(d, term.factor), value, sum);
      }
      // The total begins at +0 (B60).
      sum = hn::Mul(hn::Set(d, plan_.alpha), hn::Add(hn::Zero(d), sum));
      if (addend_ != nullptr) sum = hn::Add(sum, hn::Set(d, addend));
      if (count == N && axis.output == 1) {
        StoreFloats(d, sum, to + i);
        continue;
      }
      alignas(64) T some[hn::MaxLanes(hn::ScalableTag<float>())];
      StoreFloats(d, sum, some);
      for (int64_t lane = 0; lane < count; ++lane) to[(i + lane) * axis.output] = some[lane];
    }
  }

  const ProductPlan& plan_;
  const Products& products_;
  const T* factors_;
  const T* image_;
  const T* addend_;
  T* output_;
  uint64_t depth_;
};

template <typename T>
void RunLinesOf(const ProductPlan& plan, const Bindings& bindings, const Executor& executor) {
  const Products products = plan.ClassOf(0);
  const LineRunner<T> runner(plan, products, bindings);
  const uint64_t length = products.columns[kProductAxes - 1].size;
  const uint64_t lines = products.ColumnCount() / length * products.BatchCount();
  executor.ParallelFor(lines, CeilDivide(65536, length * products.Depth()),
                       [&](uint64_t begin, uint64_t end) {
                         for (uint64_t line = begin; line < end; ++line) runner.Run(line);
                       });
}

void RunLines(const ProductPlan& plan, const Bindings& bindings, const Executor& executor) {
  if (plan.data_type == DataType::kFloat32) {
    RunLinesOf<float>(plan, bindings, executor);
  } else {
    RunLinesOf<Float16>(plan, bindings, executor);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::cpu {
namespace {

HWY_EXPORT(RunLines);

}  // namespace

Refusal AcceptsSingleRows(const ProductPlan& plan) {
  if (!plan.has_space) return {"matrices have no lines"};
  const Refusal far = AcceptsPackedPanels(plan);
  if (!far.accepted()) return far;
  if (plan.products.RowCount() != 1) return {"a batch has more than one row of sums"};
  if (plan.ClassCount() != 1) return {"the strides make several classes of outputs"};
  const Products products = plan.ClassOf(0);
  if (products.Depth() == 0 || products.Depth() > kChain) return {"a sum is not one chain"};
  const int64_t step = products.columns[kProductAxes - 1].operand;
  if (step != 1 && step != 2) return {"elements of a line are more than two apart"};
  return kAccepted;
}

void RunSingleRows(const ProductPlan& plan, const NoTables&, const Bindings& bindings,
                   const Executor& executor) {
  HWY_DYNAMIC_DISPATCH(RunLines)(plan, bindings, executor);
  FillOutputPadding(plan, bindings, executor);
}

}  // namespace anydml::cpu
#endif  // HWY_ONCE
