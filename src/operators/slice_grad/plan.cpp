// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/slice_grad/plan.h"

#include <fmt/format.h>

namespace anydml::slice_grad {
namespace {

// Where several elements land, (count - 1) * |stride| is less than the window,
// so the step fits 32 bits; where one lands, the stride is never taken and may
// be anything up to 2^31.
Axis MakeAxis(const Desc& desc, uint32_t i) {
  const int64_t stride = desc.window_strides[i];
  const int64_t count = desc.input_gradient.sizes[i];
  const int64_t input_stride = desc.input_gradient.strides[i];
  const bool backwards = stride < 0;
  const int64_t step = count == 1 ? 1 : (backwards ? -stride : stride);
  const int64_t last = desc.window_offsets[i] + desc.window_sizes[i] - 1;
  const int64_t first = backwards ? last - (count - 1) * step : desc.window_offsets[i];
  return {.size = desc.output_gradient.sizes[i],
          .first = static_cast<uint32_t>(first),
          .step = static_cast<uint32_t>(step),
          .count = static_cast<uint32_t>(count),
          .output_stride = desc.output_gradient.strides[i],
          .input_stride = count == 1 ? 1 : (backwards ? -input_stride : input_stride)};
}

// Two axes are one where the inner one is contiguous and wholly covered: then
// consecutive outer coordinates make one longer run, in the window and outside.
bool CanMerge(const Axis& outer, const Axis& inner) {
  return IsFull(inner) && outer.step == 1 &&
         outer.output_stride == inner.output_stride * int64_t{inner.size} &&
         (outer.count == 1 || outer.input_stride == inner.input_stride * int64_t{inner.count});
}

Axis Merge(const Axis& outer, const Axis& inner) {
  return {.size = outer.size * inner.size,
          .first = outer.first * inner.size,
          .step = 1,
          .count = outer.count * inner.count,
          .output_stride = inner.output_stride,
          .input_stride = inner.input_stride};
}

// Axes of size 1 are dropped, the others sorted by the output's strides, so that
// rows are written contiguously where possible.
void SortAxes(const Desc& desc, Plan& plan) {
  for (uint32_t i = 0; i < desc.output_gradient.dimension_count; ++i) {
    if (desc.output_gradient.sizes[i] == 1) continue;
    const Axis axis = MakeAxis(desc, i);
    uint32_t k = plan.rank++;
    for (; k > 0 && plan.axes[k - 1].output_stride < axis.output_stride; --k) {
      plan.axes[k] = plan.axes[k - 1];
    }
    plan.axes[k] = axis;
  }
}

void MergeAxes(Plan& plan) {
  // From the innermost outwards: an axis can be merged only into one that is
  // already as long as it gets.
  uint32_t inner = kMaxDimensions;
  for (uint32_t i = plan.rank; i-- > 0;) {
    const Axis axis = plan.axes[i];
    if (inner < kMaxDimensions && CanMerge(axis, plan.axes[inner])) {
      plan.axes[inner] = Merge(axis, plan.axes[inner]);
    } else {
      plan.axes[--inner] = axis;
    }
  }
  plan.rank = kMaxDimensions - inner;
  for (uint32_t i = 0; i < plan.rank; ++i) plan.axes[i] = plan.axes[inner + i];
}

}  // namespace

Plan MakePlan(const Desc& desc) {
  Plan plan = {};
  plan.element_size = ElementSize(desc.input_gradient.data_type);
  plan.input_elements = desc.input_gradient.ElementCount();
  plan.rows_are_dense = IsDense(desc.input_gradient);
  if (plan.rows_are_dense) plan.dense_elements = plan.input_elements;
  for (uint32_t i = 0; i < desc.input_gradient.dimension_count; ++i) {
    const int64_t last = int64_t{desc.input_gradient.sizes[i]} - 1;
    if (desc.window_strides[i] < 0) plan.input_start += last * desc.input_gradient.strides[i];
  }
  SortAxes(desc, plan);
  MergeAxes(plan);
  if (plan.rank == 0) {  // a single element: a packed row of one
    plan.rank = 1;
    plan.axes[0] = {
        .size = 1, .first = 0, .step = 1, .count = 1, .output_stride = 1, .input_stride = 1};
  }
  plan.SetBlockRank();
  return plan;
}

std::string Explain(const Plan& plan) {
  std::string text = fmt::format("{} merged axes, each output element written once", plan.rank);
  for (uint32_t i = 0; i < plan.rank; ++i) {
    const Axis& axis = plan.axes[i];
    text += fmt::format("\naxis {}: {} elements, {} of them given, from {} in steps of {}", i,
                        axis.size, axis.count, axis.first, axis.step);
  }
  return text;
}

}  // namespace anydml::slice_grad
