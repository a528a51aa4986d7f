// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/slice/plan.h"

#include "tensor/explain.h"

namespace anydml::slice {
namespace {

// Whether the loop's innermost axis is one dimension of the input, whose elements
// lie side by side. A merged one may have gaps between its parts.
void NoteContiguousRows(const Desc& desc, const StridedLoop<2>& loop, PlacedLoop& rows) {
  for (uint32_t i = 0; i < desc.output.dimension_count; ++i) {
    const bool is_row =
        desc.output.sizes[i] == loop.inner_size() && desc.output.strides[i] == loop.inner_stride(1);
    if (!is_row || desc.input.strides[i] != 1) continue;
    const int64_t stride = desc.window_strides[i];
    const int64_t highest =
        desc.window_offsets[i] +
        (stride < 0 ? desc.window_sizes[i] - 1 : (int64_t{desc.output.sizes[i]} - 1) * stride);
    rows.rows_are_dense = true;
    rows.elements_behind_rows = static_cast<uint32_t>(int64_t{desc.input.sizes[i]} - 1 - highest);
  }
}

// The loop as elements that cover the output.
PlacedLoop CoverOutput(const Desc& desc, const Plan& plan) {
  PlacedLoop rows = {};
  rows.element_size = plan.element_size;
  rows.input_start = plan.input_start;
  rows.rank = plan.loop.rank;
  for (uint32_t i = 0; i < rows.rank; ++i) {
    const auto size = static_cast<uint32_t>(plan.loop.sizes[i]);
    rows.axes[i] = {.size = size,
                    .first = 0,
                    .step = 1,
                    .count = size,
                    .output_stride = plan.loop.strides[1][i],
                    .input_stride = plan.loop.strides[0][i]};
  }
  rows.SetBlockRank();
  rows.input_elements = plan.loop.ElementCount();
  if (IsDense(desc.input)) {
    rows.rows_are_dense = true;
    rows.dense_elements = desc.input.ElementCount();
  } else {
    NoteContiguousRows(desc, plan.loop, rows);
  }
  return rows;
}

}  // namespace

Plan MakePlan(const Desc& desc) {
  Plan plan = {ElementSize(desc.input.data_type), 0, {}, {}};
  StridedLoop<2> loop;
  loop.rank = desc.output.dimension_count;
  for (uint32_t i = 0; i < loop.rank; ++i) {
    const int64_t input_stride = desc.input.strides[i];
    const int64_t window_stride = desc.window_strides[i];
    const int64_t start =
        desc.window_offsets[i] + (window_stride < 0 ? desc.window_sizes[i] - 1 : 0);
    plan.input_start += start * input_stride;
    loop.sizes[i] = desc.output.sizes[i];
    // A stride that is never taken may lie far outside the tensor, where its
    // product with the input's stride would not fit.
    loop.strides[0][i] = loop.sizes[i] == 1 ? 0 : window_stride * input_stride;
    loop.strides[1][i] = desc.output.strides[i];
  }
  plan.loop = Coalesce(loop);
  plan.rows = CoverOutput(desc, plan);
  return plan;
}

std::string Explain(const Plan& plan) {
  return fmt::format("starts at element {} of the input\n{}", plan.input_start,
                     anydml::Explain(plan.loop, {"the input", "the output"}));
}

// ---- The gradient

namespace {

// Where several elements land, (count - 1) * |stride| is less than the window,
// so the step fits 32 bits; where one lands, the stride is never taken and may
// be anything up to 2^31.
PlacedAxis MakeAxis(const Desc& desc, uint32_t i) {
  const int64_t stride = desc.window_strides[i];
  const int64_t count = desc.input.sizes[i];
  const int64_t input_stride = desc.input.strides[i];
  const bool backwards = stride < 0;
  const int64_t step = count == 1 ? 1 : (backwards ? -stride : stride);
  const int64_t last = desc.window_offsets[i] + desc.window_sizes[i] - 1;
  const int64_t first = backwards ? last - (count - 1) * step : desc.window_offsets[i];
  return {.size = desc.output.sizes[i],
          .first = static_cast<uint32_t>(first),
          .step = static_cast<uint32_t>(step),
          .count = static_cast<uint32_t>(count),
          .output_stride = desc.output.strides[i],
          .input_stride = count == 1 ? 1 : (backwards ? -input_stride : input_stride)};
}

// Two axes are one where the inner one is contiguous and wholly covered: then
// consecutive outer coordinates make one longer run, in the window and outside.
bool CanMerge(const PlacedAxis& outer, const PlacedAxis& inner) {
  return IsFull(inner) && outer.step == 1 &&
         outer.output_stride == inner.output_stride * int64_t{inner.size} &&
         (outer.count == 1 || outer.input_stride == inner.input_stride * int64_t{inner.count});
}

PlacedAxis Merge(const PlacedAxis& outer, const PlacedAxis& inner) {
  return {.size = outer.size * inner.size,
          .first = outer.first * inner.size,
          .step = 1,
          .count = outer.count * inner.count,
          .output_stride = inner.output_stride,
          .input_stride = inner.input_stride};
}

// Axes of size 1 are dropped, the others sorted by the output's strides, so that
// rows are written contiguously where possible.
void SortAxes(const Desc& desc, GradientPlan& plan) {
  for (uint32_t i = 0; i < desc.output.dimension_count; ++i) {
    if (desc.output.sizes[i] == 1) continue;
    const PlacedAxis axis = MakeAxis(desc, i);
    uint32_t k = plan.rank++;
    for (; k > 0 && plan.axes[k - 1].output_stride < axis.output_stride; --k) {
      plan.axes[k] = plan.axes[k - 1];
    }
    plan.axes[k] = axis;
  }
}

void MergeAxes(GradientPlan& plan) {
  // From the innermost outwards: an axis can be merged only into one that is
  // already as long as it gets.
  uint32_t inner = kMaxDimensions;
  for (uint32_t i = plan.rank; i-- > 0;) {
    const PlacedAxis axis = plan.axes[i];
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

GradientPlan MakeGradientPlan(const Desc& desc) {
  GradientPlan plan = {};
  plan.element_size = ElementSize(desc.input.data_type);
  plan.input_elements = desc.input.ElementCount();
  plan.rows_are_dense = IsDense(desc.input);
  if (plan.rows_are_dense) plan.dense_elements = plan.input_elements;
  for (uint32_t i = 0; i < desc.input.dimension_count; ++i) {
    const int64_t last = int64_t{desc.input.sizes[i]} - 1;
    if (desc.window_strides[i] < 0) plan.input_start += last * desc.input.strides[i];
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

std::string ExplainGradient(const GradientPlan& plan) {
  std::string text = fmt::format("{} merged axes, each output element written once", plan.rank);
  for (uint32_t i = 0; i < plan.rank; ++i) {
    const PlacedAxis& axis = plan.axes[i];
    text += fmt::format("\naxis {}: {} elements, {} of them given, from {} in steps of {}", i,
                        axis.size, axis.count, axis.first, axis.step);
  }
  return text;
}

}  // namespace anydml::slice
