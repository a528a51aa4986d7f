// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Average pooling, its gradient and Lp pooling as the rulings define them (B31, B35, B36, B37):
// windows as lists of their taps, those in padding included.
#include "operators/reference.h"

#include <optional>
#include <vector>

#include "operators/average_pooling/desc.h"
#include "operators/reference_functions.h"

namespace anydml::average_pooling {
namespace {

using reference::Coordinate;

// The window's taps in ascending order; nothing for one in padding.
std::vector<std::optional<Coordinate>> ListTaps(const Desc& desc, const Coordinate& window) {
  std::vector<std::optional<Coordinate>> taps = {window};
  for (uint32_t axis = 0; axis + 2 < desc.wide.dimension_count; ++axis) {
    std::vector<std::optional<Coordinate>> grown;
    for (const std::optional<Coordinate>& tap : taps) {
      for (uint32_t k = 0; k < desc.window.window_size[axis]; ++k) {
        const int64_t p = window[2 + axis] * int64_t{desc.window.strides[axis]} -
                          desc.window.start_padding[axis] +
                          int64_t{k} * desc.window.dilations[axis];
        const bool inside = p >= 0 && p < int64_t{desc.wide.sizes[2 + axis]};
        grown.push_back(inside ? tap : std::nullopt);
        if (grown.back()) (*grown.back())[2 + axis] = p;
      }
    }
    taps = std::move(grown);
  }
  return taps;
}

float Count(const Desc& desc, const std::vector<std::optional<Coordinate>>& taps) {
  if (desc.include_padding) return static_cast<float>(taps.size());
  size_t kept = 0;
  for (const auto& tap : taps) kept += tap.has_value() ? 1 : 0;
  return static_cast<float>(kept);
}

// The blocked sum: 128 slots per 4096 terms, halved; then the sums of the blocks likewise.
float Tree(const std::vector<float>& terms) {
  std::vector<float> sums;
  for (size_t block = 0; block < terms.size(); block += 4096) {
    std::vector<float> slots(128, 0.0f);
    for (size_t r = 0; r < 4096 && block + r < terms.size(); ++r) {
      slots[r % 128] = slots[r % 128] + terms[block + r];
    }
    for (size_t h = 64; h >= 1; h /= 2) {
      for (size_t j = 0; j < h; ++j) slots[j] = slots[j] + slots[j + h];
    }
    sums.push_back(slots[0]);
  }
  return sums.size() == 1 ? sums[0] : Tree(sums);
}

float Term(const Desc& desc, float x) {
  if (desc.p == 0) return x;
  if (desc.p == 1) return std::fabs(x);
  return desc.p == 2 ? x * x : reference::Pow(std::fabs(x), static_cast<long double>(desc.p));
}

float Finish(const Desc& desc, float sum, float count) {
  if (desc.p == 0) return count == 0 ? 0.0f : sum / count;
  if (desc.p <= 2) return desc.p == 2 ? std::sqrt(sum) : sum;
  return reference::Pow(sum, 1 / static_cast<long double>(desc.p));
}

}  // namespace

void Reference(const Desc& desc, const Bindings& bindings) {
  reference::ForEachCoordinate(desc.narrow, [&](const Coordinate& window) {
    const auto taps = ListTaps(desc, window);
    std::vector<float> terms;
    for (const auto& tap : taps) {
      terms.push_back(tap ? Term(desc, reference::GetFloat(desc.wide, bindings.inputs[0], *tap))
                          : 0.0f);
    }
    float sum = 0;
    if (taps.size() > 64) {
      sum = Tree(terms);
    } else {
      for (size_t i = 0; i < taps.size(); ++i) {
        if (taps[i]) sum = sum + terms[i];
      }
    }
    reference::PutFloat(desc.narrow, bindings.outputs[0], window,
                        Finish(desc, sum, Count(desc, taps)));
  });
}

void GradientReference(const Desc& desc, const Bindings& bindings) {
  std::vector<float> sums(desc.wide.ElementCount(), 0.0f);
  reference::ForEachCoordinate(desc.narrow, [&](const Coordinate& window) {
    const auto taps = ListTaps(desc, window);
    const float count = Count(desc, taps);
    for (const auto& tap : taps) {
      if (!tap) continue;
      const float share = reference::GetFloat(desc.narrow, bindings.inputs[0], window) / count;
      float& sum = sums[reference::LogicalIndex(desc.wide, *tap)];
      sum = sum + share;
    }
  });
  reference::ForEachCoordinate(desc.wide, [&](const Coordinate& c) {
    reference::PutFloat(desc.wide, bindings.outputs[0], c,
                        sums[reference::LogicalIndex(desc.wide, c)]);
  });
}

}  // namespace anydml::average_pooling
