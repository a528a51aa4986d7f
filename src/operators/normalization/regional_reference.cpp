// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// LOCAL_RESPONSE_NORMALIZATION (B39) and its gradient (B40).
#include <vector>

#include "operators/normalization/regional.h"
#include "operators/reference.h"
#include "operators/reference_functions.h"

namespace anydml::normalization {

using reference::Coordinate;

namespace {

// The coordinates whose squares are added for c, in ascending order.
std::vector<Coordinate> RegionOf(const LocalResponse& desc, const Coordinate& c) {
  std::vector<Coordinate> region = {c};
  for (uint32_t axis = 1; axis < 4; ++axis) {
    if (desc.cross_channel != (axis == 1)) continue;
    std::vector<Coordinate> grown;
    for (Coordinate at : region) {
      const int64_t from = c[axis] - (int64_t{desc.local_size} - 1) / 2;
      for (at[axis] = 0; at[axis] < int64_t{desc.input.sizes[axis]}; ++at[axis]) {
        if (at[axis] >= from && at[axis] <= c[axis] + desc.local_size / 2) grown.push_back(at);
      }
    }
    region = grown;
  }
  return region;
}

}  // namespace

void ReferenceResponse(const LocalResponse& desc, const Bindings& bindings) {
  const float factor = desc.alpha / static_cast<float>(desc.local_size);
  const bool is_gradient = desc.input_gradient.present();
  const size_t count = desc.input.ElementCount();
  std::vector<float> u(count), r(count), sums(count);
  const auto value = [&](const Coordinate& c) {
    return reference::GetFloat(desc.input, bindings.inputs[0], c);
  };
  reference::ForEachCoordinate(desc.input, [&](const Coordinate& c) {
    float sum = 0;
    for (const Coordinate& at : RegionOf(desc, c)) sum = sum + value(at) * value(at);
    const float base = desc.bias + factor * sum;
    const float power = reference::Pow(base, static_cast<long double>(desc.beta));
    if (!is_gradient) {
      return reference::PutFloat(desc.output, bindings.outputs[0], c, value(c) / power);
    }
    const size_t i = reference::LogicalIndex(desc.input, c);
    u[i] = reference::GetFloat(desc.input_gradient, bindings.inputs[1], c) / power;
    r[i] = u[i] * value(c) / base;
  });
  if (!is_gradient) return;
  reference::ForEachCoordinate(desc.input, [&](const Coordinate& c) {
    for (const Coordinate& at : RegionOf(desc, c)) {
      float& sum = sums[reference::LogicalIndex(desc.input, at)];
      sum = sum + r[reference::LogicalIndex(desc.input, c)];
    }
  });
  reference::ForEachCoordinate(desc.input, [&](const Coordinate& c) {
    const size_t i = reference::LogicalIndex(desc.input, c);
    const float weight = 2 * desc.beta * factor * value(c);
    reference::PutFloat(desc.output, bindings.outputs[0], c, u[i] - weight * sums[i]);
  });
}

}  // namespace anydml::normalization
