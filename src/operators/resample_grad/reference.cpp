// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// RESAMPLE_GRAD and RESAMPLE_GRAD1 by the page: every element of the gradient is
// the sum of its weighted contributions to the forward operator's output.
#include "operators/reference_axes.h"
#include "operators/resample_grad/desc.h"

namespace anydml::resample_grad {
namespace {

std::vector<reference::SampledAxis> AxesOf(const Desc& desc) {
  std::vector<reference::SampledAxis> axes;
  for (uint32_t i = 0; i < desc.input_gradient.dimension_count; ++i) {
    axes.push_back({.linear = desc.interpolation_mode == DML_INTERPOLATION_MODE_LINEAR,
                    .increasing = desc.rounding_direction == DML_AXIS_DIRECTION_INCREASING,
                    .scale = desc.axes[i].scale,
                    .input_pixel_offset = desc.axes[i].input_pixel_offset,
                    .output_pixel_offset = desc.axes[i].output_pixel_offset,
                    .n = desc.output_gradient.sizes[i],
                    .m = desc.input_gradient.sizes[i]});
  }
  return axes;
}

}  // namespace

void Reference(const Desc& desc, const Bindings& bindings) {
  reference::Floats gradient = reference::ZerosLike(desc.input_gradient);
  reference::ForEachCoordinate(desc.input_gradient, [&](const reference::Coordinate& c) {
    gradient.values[reference::LogicalIndex(desc.input_gradient, c)] =
        reference::GetFloat(desc.input_gradient, bindings.inputs[0], c);
  });
  bool moved = false;
  const reference::Floats result =
      reference::AxisByAxis(std::move(gradient), AxesOf(desc), /*gradient=*/true, moved);
  reference::ForEachCoordinate(desc.output_gradient, [&](const reference::Coordinate& c) {
    if (moved) {
      reference::PutFloat(desc.output_gradient, bindings.outputs[0], c,
                          result.values[reference::LogicalIndex(desc.output_gradient, c)]);
    } else {
      reference::Copy(desc.input_gradient, bindings.inputs[0], c, desc.output_gradient,
                      bindings.outputs[0], c);
    }
  });
}

}  // namespace anydml::resample_grad
