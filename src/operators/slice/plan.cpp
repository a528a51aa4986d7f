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

}  // namespace anydml::slice
