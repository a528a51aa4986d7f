// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/matmul/plan.h"

#include <algorithm>
#include <utility>

namespace anydml::matmul {
namespace {

// Backward, whether every output is of one window, and all windows are there.
bool HasSeparateWindows(const ProductPlan& plan) {
  return plan.backward && std::all_of(plan.space.begin(), plan.space.end(), [](const auto& axis) {
           return axis.window == axis.stride && (axis.dilation == 1 || axis.window == 1) &&
                  axis.start_padding == 0 && axis.output_padding == 0 &&
                  axis.outputs == axis.size * axis.stride;
         });
}

// Taps become rows, so that one product has all of them instead of one class for each.
void MakeTapsRows(ProductPlan& plan) {
  for (size_t i = 0; i < kSpatialAxes; ++i) {
    SpatialAxis& axis = plan.space[i];
    plan.products.rows[1 + i] = {axis.window, axis.filter_stride, axis.output_stride, 0};
    if (plan.flipped) {
      plan.products.rows[1 + i].operand = -axis.filter_stride;
      AddSteps(plan.products.rows_start, axis.filter_stride, static_cast<int64_t>(axis.window) - 1);
    }
    axis.output_stride = StepsOf(axis.output_stride, static_cast<int64_t>(axis.stride));
    axis.outputs = axis.size;
    axis.window = axis.stride = axis.dilation = 1;
  }
  plan.backward = plan.flipped = false;
}

}  // namespace

ProductPlan MakeGemmPlan(const GemmDesc& desc) {
  ProductPlan plan;
  plan.data_type = desc.a.data_type;
  plan.alpha = desc.alpha;
  plan.beta = desc.beta;
  plan.has_addend = desc.c.present();
  const uint32_t count = desc.output.dimension_count;
  const uint32_t m = count - 2, n = count - 1;
  uint32_t a_m = m, a_k = n, b_k = m, b_n = n;
  if (desc.a_is_transposed) std::swap(a_m, a_k);
  if (desc.b_is_transposed) std::swap(b_k, b_n);
  plan.products.rows[0] = {desc.output.sizes[m], desc.a.strides[a_m], desc.output.strides[m],
                           desc.c.strides[m]};
  plan.products.columns[0] = {desc.output.sizes[n], desc.b.strides[b_n], desc.output.strides[n],
                              desc.c.strides[n]};
  plan.products.depth[0] = {desc.a.sizes[a_k], desc.a.strides[a_k], desc.b.strides[b_k]};
  for (uint32_t i = 0; i < m; ++i) {
    plan.products.batches[i] = {desc.output.sizes[i], desc.a.strides[i], desc.b.strides[i],
                                desc.output.strides[i], desc.c.strides[i]};
  }
  CompletePlan(plan, desc.threads);
  return plan;
}

ProductPlan MakeConvolutionPlan(const ConvolutionDesc& desc) {
  ProductPlan plan;
  plan.data_type = desc.input.data_type;
  plan.has_addend = desc.bias.present();
  // The filter has the rows, the image the columns.
  plan.rows_input = 1;
  plan.columns_input = 0;
  plan.backward = desc.is_backward;
  plan.flipped = desc.is_flipped;
  const uint32_t of_input = desc.input.sizes[1] / desc.groups;
  const uint32_t of_output = desc.output.sizes[1] / desc.groups;
  // Backward, the filter's first dimension is that of the input's channels.
  const uint32_t filter_row = desc.is_backward ? 1 : 0;
  const int64_t filter_groups = desc.is_backward ? of_input : of_output;
  plan.products.rows[0] = {of_output, desc.filter.strides[filter_row], desc.output.strides[1],
                           desc.bias.strides[1]};
  plan.products.columns[0] = {desc.output.sizes[0], desc.input.strides[0], desc.output.strides[0],
                              0};
  plan.products.depth[0] = {of_input, desc.filter.strides[1 - filter_row], desc.input.strides[1]};
  plan.products.batches[0] = {
      .size = desc.groups,
      .rows = filter_groups * desc.filter.strides[0],
      .columns = int64_t{of_input} * desc.input.strides[1],
      .output = int64_t{of_output} * desc.output.strides[1],
      .addend = int64_t{of_output} * desc.bias.strides[1],
  };
  plan.has_space = true;
  for (uint32_t i = 0; i < desc.axes; ++i) {
    // The last axes of the plan: one image row is its last axis.
    plan.space[kSpatialAxes - desc.axes + i] = {
        .outputs = desc.output.sizes[2 + i] - desc.output_padding[i],
        .size = desc.input.sizes[2 + i],
        .window = desc.filter.sizes[2 + i],
        .stride = desc.strides[i],
        .dilation = desc.dilations[i],
        .start_padding = desc.start_padding[i],
        .output_padding = desc.output_padding[i],
        .output_stride = desc.output.strides[2 + i],
        .image_stride = desc.input.strides[2 + i],
        .filter_stride = desc.filter.strides[2 + i],
    };
  }
  // Depth-wise, there is no product that would be larger.
  const bool depth_wise = of_input == 1 && of_output == 1;
  if (HasSeparateWindows(plan) && !depth_wise) MakeTapsRows(plan);
  CompletePlan(plan, desc.threads);
  return plan;
}

}  // namespace anydml::matmul
