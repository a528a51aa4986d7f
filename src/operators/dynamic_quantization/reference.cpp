// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// B122, in float: the range of all elements and 0, what follows from it, and QUANTIZE_LINEAR.
#include "operators/reference.h"

#include <algorithm>

#include "operators/dynamic_quantization/desc.h"

namespace anydml::dynamic_quantization {
namespace {

// To the nearest integer, ties to even; NaN counts as 0.
template <typename Out>
double Rounded(float number, double offset) {
  const double whole = std::isnan(number) ? 0 : std::nearbyint(static_cast<double>(number));
  const double sum = whole + offset;
  return std::clamp<double>(sum, std::numeric_limits<Out>::min(), std::numeric_limits<Out>::max());
}

template <typename Out>
void Quantize(const Desc& desc, const Bindings& bindings) {
  float low = 0, high = 0;
  reference::ForEachCoordinate(desc.input, [&](const reference::Coordinate& c) {
    const float x = reference::GetFloat(desc.input, bindings.inputs[0], c);
    if (std::isnan(x)) low = high = x;
    if (x < low) low = x;
    if (x > high) high = x;
  });
  const float least = std::numeric_limits<Out>::min(), most = std::numeric_limits<Out>::max();
  const float span = high - low;
  float scale = span / (most - least);
  if (scale == 0) scale = 1;
  const float quotient = low / scale;
  const double zero = Rounded<Out>(least - quotient, 0);
  reference::Put(desc.scale, bindings.outputs[1], {}, scale);
  reference::Put(desc.zero_point, bindings.outputs[2], {}, static_cast<Out>(zero));
  reference::ForEachCoordinate(desc.input, [&](const reference::Coordinate& c) {
    const float x = reference::GetFloat(desc.input, bindings.inputs[0], c);
    const double y = Rounded<Out>(x / scale, zero);
    reference::Put(desc.output, bindings.outputs[0], c, static_cast<Out>(y));
  });
}

}  // namespace

void Reference(const Desc& desc, const Bindings& bindings) {
  if (desc.output.data_type == DataType::kInt8) {
    Quantize<int8_t>(desc, bindings);
  } else {
    Quantize<uint8_t>(desc, bindings);
  }
}

}  // namespace anydml::dynamic_quantization
