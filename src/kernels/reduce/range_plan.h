// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Plan of a quantization by the range of all elements, and the numbers that follow from it (B122).
#pragma once

#include <limits>

#include "kernels/elementwise/plan.h"
#include "kernels/reduce/plan.h"

namespace anydml::reduce {

// Outputs: 0 the quantized elements, 1 the scale, 2 the zero point.
struct QuantizedRange {
  Plan least;  // of all elements, in any order
  DataType output_type;
  elementwise::Plan quantize;  // by a scale and a zero point that are repeated
};

template <typename Out>
struct QuantizationParameters {
  float scale;
  Out zero_point;

  // The range includes 0. A NaN is its least and its greatest element.
  constexpr QuantizationParameters(float least, float greatest) {
    constexpr auto kMin = static_cast<float>(std::numeric_limits<Out>::min());
    constexpr auto kMax = static_cast<float>(std::numeric_limits<Out>::max());
    constexpr float kToInteger = 0x1.8p23f;  // to add it leaves no fraction
    const float low = least >= 0 ? 0 : least, high = greatest <= 0 ? 0 : greatest;
    scale = (high - low) / (kMax - kMin);
    if (scale == 0) scale = 1;
    const float zero = kMin - low / scale;
    const float whole = zero >= kMax ? kMax : zero <= kMin ? kMin : zero;
    zero_point = static_cast<Out>(whole == whole ? whole + kToInteger - kToInteger : 0);
  }
};

}  // namespace anydml::reduce
