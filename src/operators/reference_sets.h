// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// For the references: sets of a tensor in ascending logical index, the blocked sum of B61, mean and
// variance of B32 and the functions of B65 as they are defined. Nothing is shared with the kernels.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "operators/reference.h"
#include "operators/reference_functions.h"

namespace anydml::reference {

// Calls f(kept coordinate, the set's coordinates in ascending logical index).
template <typename F>
void ForEachSet(const TensorDesc& tensor, const std::array<bool, kMaxDimensions>& reduced, F&& f) {
  TensorDesc kept = tensor, inside = tensor;
  for (uint32_t i = 0; i < tensor.dimension_count; ++i) {
    (reduced[i] ? kept : inside).sizes[i] = 1;
  }
  std::vector<Coordinate> set;
  ForEachCoordinate(kept, [&](const Coordinate& k) {
    set.clear();
    ForEachCoordinate(inside, [&](Coordinate c) {
      for (uint32_t i = 0; i < tensor.dimension_count; ++i) c[i] += k[i];
      set.push_back(c);
    });
    f(k, set);
  });
}

// The coordinate of a tensor that repeats where its size is 1.
inline Coordinate Repeated(const TensorDesc& tensor, Coordinate c) {
  for (uint32_t i = 0; i < tensor.dimension_count; ++i) {
    if (tensor.sizes[i] == 1) c[i] = 0;
  }
  return c;
}

template <typename Combine>
float Blocked(std::vector<float> values, float start, const Combine& combine) {
  do {
    std::vector<float> sums;
    for (size_t first = 0; first < values.size(); first += 4096) {
      float slots[128];
      for (float& slot : slots) slot = start;
      for (size_t r = 0; r < 4096 && first + r < values.size(); ++r) {
        slots[r % 128] = combine(slots[r % 128], values[first + r]);
      }
      for (int h = 64; h >= 1; h /= 2) {
        for (int j = 0; j < h; ++j) slots[j] = combine(slots[j], slots[j + h]);
      }
      sums.push_back(slots[0]);
    }
    values = sums;
  } while (values.size() > 1);
  return values[0];
}

inline float Sum(const std::vector<float>& values) {
  return Blocked(values, 0.0f, [](float a, float b) { return a + b; });
}

struct MeanAndVariance {
  float mean;
  float variance;
};

namespace internal {
// The seven steps of a tree over 128 slots.
inline float Halved(std::vector<float> slots) {
  for (int h = 64; h >= 1; h /= 2) {
    for (int j = 0; j < h; ++j) slots[j] += slots[j + h];
  }
  return slots[0];
}
}  // namespace internal

// By B32: every slot of a block measures deviations from its own mean, slots are merged into
// blocks, and blocks into the set.
inline MeanAndVariance Statistics(const std::vector<float>& x) {
  std::vector<float> sums, squares, counts;
  for (size_t first = 0; first < x.size(); first += 4096) {
    const size_t end = std::min(x.size(), first + 4096);
    std::vector<float> s(128), n(128), q(128), t(128);
    for (size_t i = first; i < end; ++i) {
      s[(i - first) % 128] += x[i];
      n[(i - first) % 128] += 1;
    }
    for (size_t i = first; i < end; ++i) {
      const size_t l = (i - first) % 128;
      const float d = x[i] - s[l] / n[l];
      q[l] += d * d;
    }
    const auto count = static_cast<float>(end - first);
    const float sum = internal::Halved(s);
    for (size_t l = 0; l < 128; ++l) {
      if (n[l] == 0) continue;
      const float d = s[l] / n[l] - sum / count;
      t[l] = q[l] + n[l] * (d * d);
    }
    sums.push_back(sum);
    squares.push_back(internal::Halved(t));
    counts.push_back(count);
  }
  const auto n = static_cast<float>(x.size());
  const float mean = Sum(sums) / n;
  for (size_t b = 0; b < sums.size(); ++b) {
    const float d = sums[b] / counts[b] - mean;
    squares[b] = squares[b] + counts[b] * (d * d);
  }
  return {mean, Sum(squares) / n};
}

// NaN wins, -0 lies below +0 (B66).
inline float Maximum(float a, float b) {
  if (std::isnan(a)) return a;
  if (std::isnan(b)) return b;
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

}  // namespace anydml::reference
