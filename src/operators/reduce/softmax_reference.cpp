// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Softmax and its kin by the pages, with the maximum subtracted.
#include "operators/reference_sets.h"
#include "operators/reduce/softmax.h"

namespace anydml::reduce {
namespace {

// 1 at the first of the greatest elements, or at the first NaN.
std::vector<float> Hardmax(const std::vector<float>& x) {
  size_t best = 0;
  for (size_t i = 1; i < x.size(); ++i) {
    if (!std::isnan(x[best]) && (std::isnan(x[i]) || x[i] > x[best])) best = i;
  }
  std::vector<float> y(x.size());
  y[best] = 1;
  return y;
}

std::vector<float> SoftmaxOf(const std::vector<float>& x, bool log) {
  float m = x[0];
  for (float value : x) m = reference::Maximum(m, value);
  std::vector<float> e;
  for (float value : x) e.push_back(reference::Exp(value - m));
  const float s = reference::Sum(e);
  std::vector<float> y;
  for (size_t i = 0; i < x.size(); ++i) {
    y.push_back(log ? (x[i] - m) - reference::Log(s) : e[i] / s);
  }
  return y;
}

}  // namespace

void ReferenceSoftmax(const Softmax& desc, const Bindings& bindings) {
  reference::ForEachSet(desc.input, desc.reduced, [&](const auto&, const auto& set) {
    std::vector<float> x;
    for (const auto& c : set) x.push_back(reference::GetFloat(desc.input, bindings.inputs[0], c));
    const bool log = desc.kind == SoftmaxKind::kLogSoftmax;
    const auto y = desc.kind == SoftmaxKind::kHardmax ? Hardmax(x) : SoftmaxOf(x, log);
    for (size_t i = 0; i < set.size(); ++i) {
      reference::PutFloat(desc.output, bindings.outputs[0], set[i], y[i]);
    }
  });
}

}  // namespace anydml::reduce
