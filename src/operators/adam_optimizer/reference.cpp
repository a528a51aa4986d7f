// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// ADAM_OPTIMIZER by the page, with the roundings of B46: one per written operation.
#include "operators/reference.h"

#include <cmath>

#include "operators/adam_optimizer/desc.h"

namespace anydml::adam_optimizer {
namespace {

using reference::Coordinate;

double PowerBySquaring(float base, uint32_t exponent) {
  double result = 1.0, square = static_cast<double>(base);
  for (uint32_t bit = 0; bit < 32; ++bit) {
    if ((exponent >> bit) == 0) break;
    if (((exponent >> bit) & 1) != 0) result = result * square;
    square = square * square;
  }
  return result;
}

}  // namespace

void Reference(const Desc& desc, const Bindings& bindings) {
  const auto step = reference::Get<uint32_t>(desc.step, bindings.inputs[4], Coordinate{});
  const double bias1 = 1.0 - PowerBySquaring(desc.beta1, step);
  const double bias2 = 1.0 - PowerBySquaring(desc.beta2, step);
  const auto alpha = static_cast<float>(std::sqrt(bias2) / bias1);
  const float rate = desc.learning_rate * alpha;
  reference::ForEachCoordinate(desc.tensors[0], [&](const Coordinate& c) {
    float in[4];
    for (size_t t = 0; t < 4; ++t) {
      in[t] = reference::GetFloat(desc.tensors[t], bindings.inputs[t], c);
    }
    const float kept1 = desc.beta1 * in[1];
    const float rest1 = 1.0f - desc.beta1;
    const float fresh1 = rest1 * in[3];
    const float first = kept1 + fresh1;
    const float kept2 = desc.beta2 * in[2];
    const float rest2 = 1.0f - desc.beta2;
    const float scaled = rest2 * in[3];
    const float fresh2 = scaled * in[3];
    const float second = kept2 + fresh2;
    const float root = std::sqrt(second);
    const float below = root + desc.epsilon;
    const float above = rate * first;
    const float change = above / below;
    const float results[] = {in[0] - change, first, second};
    for (size_t t = 0; t < 3; ++t) {
      reference::PutFloat(desc.tensors[4 + t], bindings.outputs[t], c, results[t]);
    }
  });
}

}  // namespace anydml::adam_optimizer
