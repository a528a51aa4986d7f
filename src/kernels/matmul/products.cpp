// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "kernels/matmul/products.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/checked_math.h"

namespace anydml {
namespace {

uint64_t SizeOf(const std::array<OutputAxis, kProductAxes>& axes) {
  uint64_t size = 1;
  for (const OutputAxis& axis : axes) size *= axis.size;
  return size;
}

uint64_t ClassesOf(const SpatialAxis& axis, bool backward) {
  return backward ? std::min(axis.stride, axis.outputs) : 1;
}

// Puts class `r` of a spatial axis into the axes `index` and `tap`.
void SetSpatialAxis(const ProductPlan& plan, const SpatialAxis& axis, uint64_t r, OutputAxis& index,
                    DepthAxis& tap, Positions& positions, Products& products) {
  const auto stride = static_cast<int64_t>(axis.stride);
  const auto dilation = static_cast<int64_t>(axis.dilation);
  const auto padding = static_cast<int64_t>(axis.start_padding);
  const auto window = static_cast<int64_t>(axis.window);
  int64_t first_tap = 0, tap_step = 1;
  positions.size = static_cast<int64_t>(axis.size);
  if (plan.backward) {
    // Taps k with r + padding - k * dilation divisible by the stride, the last one first:
    // its place is the lowest.
    const int64_t shared = std::gcd(stride, dilation);
    const int64_t period = stride / shared;
    const int64_t place = static_cast<int64_t>(r) + padding;
    int64_t k = 0;
    const int64_t end = std::min(period, window);
    if (place % shared != 0) k = end;
    while (k < end && (place - k * dilation) % stride != 0) ++k;
    const int64_t taps = k < end ? (window - 1 - k) / period + 1 : 0;
    tap.size = static_cast<uint64_t>(taps);
    first_tap = k + (taps - 1) * period;
    tap_step = -period;
    positions.first = taps == 0 ? 0 : (place - first_tap * dilation) / stride;
    positions.index_step = 1;
    positions.tap_step = dilation / shared;
    index.size = CeilDivide(axis.outputs - r, axis.stride);
    index.output = StepsOf(axis.output_stride, stride);
    AddSteps(products.output_start, axis.output_stride, static_cast<int64_t>(r));
  } else {
    tap.size = axis.window;
    positions.first = -padding;
    positions.index_step = stride;
    positions.tap_step = dilation;
    index.size = axis.outputs;
    index.output = axis.output_stride;
  }
  if (plan.flipped) {
    first_tap = window - 1 - first_tap;
    tap_step = -tap_step;
  }
  if (tap.size == 0) first_tap = 0;
  AddSteps(products.rows_start, axis.filter_stride, first_tap);
  AddSteps(products.columns_start, axis.image_stride, positions.first);
  tap.rows = StepsOf(axis.filter_stride, tap_step);
  tap.columns = StepsOf(axis.image_stride, positions.tap_step);
  index.operand = StepsOf(axis.image_stride, positions.index_step);
}

// Rows and columns change places; a product of two floats does not mind.
void Exchange(Products& products) {
  std::swap(products.rows, products.columns);
  std::swap(products.rows_start, products.columns_start);
  for (DepthAxis& axis : products.depth) std::swap(axis.rows, axis.columns);
  for (BatchAxis& axis : products.batches) std::swap(axis.rows, axis.columns);
  products.image_in_rows = products.has_image;
}

}  // namespace

uint64_t Products::RowCount() const { return SizeOf(rows); }
uint64_t Products::ColumnCount() const { return SizeOf(columns); }
uint64_t Products::Depth() const {
  uint64_t size = 1;
  for (const DepthAxis& axis : depth) size *= axis.size;
  return size;
}

uint64_t ProductPlan::ClassCount() const {
  uint64_t count = 1;
  if (has_space) {
    for (const SpatialAxis& axis : space) count *= ClassesOf(axis, backward);
  }
  return count;
}

Products ProductPlan::ClassOf(uint64_t number) const {
  Products result = products;
  if (has_space) {
    result.has_image = true;
    for (size_t i = kSpatialAxes; i-- > 0;) {
      const uint64_t classes = ClassesOf(space[i], backward);
      SetSpatialAxis(*this, space[i], number % classes, result.columns[1 + i], result.depth[1 + i],
                     result.positions[i], result);
      number /= classes;
    }
  }
  if (exchanged) Exchange(result);
  return result;
}

uint64_t ProductPlan::MaxDepth() const {
  uint64_t depth = products.Depth();
  for (const SpatialAxis& axis : space) depth *= axis.window;
  return depth;
}

bool ProductPlan::HasOutputPadding() const {
  return std::any_of(space.begin(), space.end(),
                     [](const SpatialAxis& axis) { return axis.output_padding != 0; });
}

}  // namespace anydml
