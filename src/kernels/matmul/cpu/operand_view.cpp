// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "kernels/matmul/cpu/operand_view.h"

#include <algorithm>

namespace anydml::cpu {
namespace {

// Axes that are one in memory become one, the last; axes of one element go.
void MergeAxes(std::array<uint64_t, kProductAxes>& sizes,
               std::array<int64_t, kProductAxes>& steps) {
  std::array<uint64_t, kProductAxes> merged_sizes;
  std::array<int64_t, kProductAxes> merged_steps = {};
  merged_sizes.fill(1);
  size_t next = kProductAxes;
  for (size_t i = kProductAxes; i-- > 0;) {
    if (sizes[i] == 1) continue;
    const bool continues =
        next < kProductAxes &&
        steps[i] == merged_steps[next] * static_cast<int64_t>(merged_sizes[next]);
    if (continues) {
      merged_sizes[next] *= sizes[i];
    } else {
      --next;
      merged_sizes[next] = sizes[i];
      merged_steps[next] = steps[i];
    }
  }
  sizes = merged_sizes;
  steps = merged_steps;
}

bool IsRun(int64_t step) { return step == 1 || step == 2; }

void ChooseRuns(OperandView& view, uint64_t long_run) {
  constexpr uint64_t kWorthTransposing = 3;
  constexpr size_t kLast = kProductAxes - 1;
  const size_t fastest = view.order[kLast];
  const uint64_t indices = IsRun(view.index_steps[fastest]) ? view.index_sizes[fastest] : 1;
  uint64_t depth = 1;
  for (size_t axis : {size_t{0}, kLast}) {
    if (!IsRun(view.depth_steps[axis]) || view.depth_sizes[axis] <= depth) continue;
    depth = view.depth_sizes[axis];
    view.run_axis = axis;
  }
  if (indices >= std::min(depth, long_run) && indices > 1) {
    view.runs = OperandView::Runs::kIndices;
    view.run_step = view.index_steps[fastest];
  } else if (depth >= kWorthTransposing) {
    view.runs = OperandView::Runs::kDepth;
    view.run_step = view.depth_steps[view.run_axis];
  }
}

// The first axis along which a term lies beyond the image.
size_t FirstBorder(const Products& products, const std::array<OutputAxis, kProductAxes>& axes) {
  for (size_t i = 0; i < kSpatialAxes; ++i) {
    const Positions& p = products.positions[i];
    const int64_t last = p.first + (static_cast<int64_t>(axes[1 + i].size) - 1) * p.index_step +
                         (static_cast<int64_t>(products.depth[1 + i].size) - 1) * p.tap_step;
    if (p.first < 0 || last >= p.size) return i;
  }
  return kSpatialAxes;
}

}  // namespace

OperandView ViewOf(const Products& products, bool of_rows, uint64_t batch, uint64_t long_run) {
  OperandView view;
  const auto& axes = of_rows ? products.rows : products.columns;
  view.start = of_rows ? products.rows_start : products.columns_start;
  for (size_t i = kProductBatches; i-- > 0;) {
    const BatchAxis& axis = products.batches[i];
    view.start += static_cast<int64_t>(batch % axis.size) * (of_rows ? axis.rows : axis.columns);
    batch /= axis.size;
  }
  view.order = products.OrderOf(of_rows);
  for (size_t i = 0; i < kProductAxes; ++i) {
    view.index_sizes[i] = axes[i].size;
    view.index_steps[i] = axes[i].operand;
    view.depth_sizes[i] = products.depth[i].size;
    // Of one tap the step may be anything.
    if (products.depth[i].size == 1) continue;
    view.depth_steps[i] = of_rows ? products.depth[i].rows : products.depth[i].columns;
  }
  if (products.has_image && products.image_in_rows == of_rows) {
    view.first_border = FirstBorder(products, axes);
  }
  view.is_image = view.first_border < kSpatialAxes;
  if (view.is_image) {
    view.positions = products.positions;
  } else {
    // Without positions the axes may stand in the order in which they are numbered.
    for (size_t i = 0; i < kProductAxes; ++i) {
      view.index_sizes[i] = axes[view.order[i]].size;
      view.index_steps[i] = axes[view.order[i]].operand;
    }
    view.order = OperandView().order;
    MergeAxes(view.index_sizes, view.index_steps);
    MergeAxes(view.depth_sizes, view.depth_steps);
  }
  ChooseRuns(view, long_run);
  return view;
}

}  // namespace anydml::cpu
