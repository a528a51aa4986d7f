// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The RESAMPLE family by the pages: OutputX = (InputX + InputPixelOffset) * Scale
// + OutputPixelOffset, solved for InputX, and the taps at InputX.
#include "operators/reference_axes.h"
#include "operators/resample/desc.h"

namespace anydml::resample {
namespace {

float GetAsFloat(const TensorDesc& tensor, const void* data, const reference::Coordinate& c) {
  switch (tensor.data_type) {
    case DataType::kInt8:
      return reference::Get<int8_t>(tensor, data, c);
    case DataType::kUint8:
      return reference::Get<uint8_t>(tensor, data, c);
    default:
      return reference::GetFloat(tensor, data, c);
  }
}

// Integers: to nearest even and saturated (B26).
void PutRounded(const TensorDesc& tensor, void* data, const reference::Coordinate& c, float value) {
  const double whole = std::nearbyint(static_cast<double>(value));
  switch (tensor.data_type) {
    case DataType::kInt8:
      return reference::Put(tensor, data, c,
                            static_cast<int8_t>(whole < -128  ? -128
                                                : whole > 127 ? 127
                                                              : whole));
    case DataType::kUint8:
      return reference::Put(tensor, data, c,
                            static_cast<uint8_t>(whole < 0     ? 0
                                                 : whole > 255 ? 255
                                                               : whole));
    default:
      return reference::PutFloat(tensor, data, c, value);
  }
}

// Pixels are elements of the forward operator's input, samples those of its output.
std::vector<reference::SampledAxis> AxesOf(const Desc& desc, const TensorDesc& pixels,
                                           const TensorDesc& samples) {
  std::vector<reference::SampledAxis> axes;
  for (uint32_t i = 0; i < pixels.dimension_count; ++i) {
    axes.push_back({.linear = desc.interpolation_mode == DML_INTERPOLATION_MODE_LINEAR,
                    .increasing = desc.rounding_direction == DML_AXIS_DIRECTION_INCREASING,
                    .scale = desc.axes[i].scale,
                    .input_pixel_offset = desc.axes[i].input_pixel_offset,
                    .output_pixel_offset = desc.axes[i].output_pixel_offset,
                    .n = pixels.sizes[i],
                    .m = samples.sizes[i]});
  }
  return axes;
}

void SumAxes(const Desc& desc, const std::vector<reference::SampledAxis>& axes, bool gradient,
             const Bindings& bindings) {
  reference::Floats input = reference::ZerosLike(desc.input);
  reference::ForEachCoordinate(desc.input, [&](const reference::Coordinate& c) {
    input.values[reference::LogicalIndex(desc.input, c)] =
        GetAsFloat(desc.input, bindings.inputs[0], c);
  });
  bool moved = false;
  const reference::Floats output = reference::AxisByAxis(std::move(input), axes, gradient, moved);
  reference::ForEachCoordinate(desc.output, [&](const reference::Coordinate& c) {
    if (moved) {
      PutRounded(desc.output, bindings.outputs[0], c,
                 output.values[reference::LogicalIndex(desc.output, c)]);
    } else {
      reference::Copy(desc.input, bindings.inputs[0], c, desc.output, bindings.outputs[0], c);
    }
  });
}

}  // namespace

void Reference(const Desc& desc, const Bindings& bindings) {
  SumAxes(desc, AxesOf(desc, desc.input, desc.output), /*gradient=*/false, bindings);
}

// Every element of the gradient is the sum of its weighted contributions to the forward operator's
// output.
void GradientReference(const Desc& desc, const Bindings& bindings) {
  SumAxes(desc, AxesOf(desc, desc.output, desc.input), /*gradient=*/true, bindings);
}

}  // namespace anydml::resample
