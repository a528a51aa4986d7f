// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// GEMM and CONVOLUTION as plain loops, in the order of B60 and B62.
#include "operators/reference.h"

#include <algorithm>
#include <vector>

#include "operators/matmul/desc.h"

namespace anydml::matmul {
namespace {

using reference::Coordinate;
using reference::GetFloat;

// B60: chains of 512 fused multiply-adds, each from +0, added one after the other.
class OrderedSum {
 public:
  void Add(float a, float b) {
    chain_ = std::fma(a, b, chain_);
    if (++terms_ % 512 == 0) {
      total_ = total_ + chain_;
      chain_ = 0;
    }
  }
  float Value() const { return terms_ % 512 == 0 ? total_ : total_ + chain_; }

 private:
  float total_ = 0;
  float chain_ = 0;
  uint64_t terms_ = 0;
};

// A tap along one axis: where it reads the input, and the filter.
struct Tap {
  int64_t input;
  int64_t filter;
  bool inside;
};

// Of output index o along axis i, by ascending place in the input (B62).
std::vector<Tap> TapsOf(const ConvolutionDesc& desc, uint32_t i, int64_t o) {
  const int64_t window = desc.filter.sizes[2 + i], size = desc.input.sizes[2 + i];
  const int64_t stride = desc.strides[i], dilation = desc.dilations[i];
  std::vector<Tap> taps;
  for (int64_t k = 0; k < window; ++k) {
    int64_t place = o * stride - desc.start_padding[i] + k * dilation;
    if (desc.is_backward) {
      place = o + desc.start_padding[i] - k * dilation;
      if (place % stride != 0) continue;
      place /= stride;
    }
    const int64_t filter = desc.is_flipped ? window - 1 - k : k;
    taps.push_back({place, filter, place >= 0 && place < size});
  }
  std::sort(taps.begin(), taps.end(), [](const Tap& a, const Tap& b) { return a.input < b.input; });
  return taps;
}

bool IsPadding(const ConvolutionDesc& desc, const Coordinate& c) {
  for (uint32_t i = 0; i < desc.axes; ++i) {
    if (c[2 + i] + desc.output_padding[i] >= desc.output.sizes[2 + i]) return true;
  }
  return false;
}

// Adds the terms of one channel, axis by axis: a coordinate of the input and one of the filter
// are complete behind the last axis.
void AddTerms(const ConvolutionDesc& desc, const Bindings& bindings,
              const std::vector<std::vector<Tap>>& taps, uint32_t axis, bool inside,
              Coordinate& input, Coordinate& filter, OrderedSum& sum) {
  if (axis == desc.axes) {
    const float x = inside ? GetFloat(desc.input, bindings.inputs[0], input) : 0.0f;
    sum.Add(x, GetFloat(desc.filter, bindings.inputs[1], filter));
    return;
  }
  for (const Tap& tap : taps[axis]) {
    input[2 + axis] = tap.input;
    filter[2 + axis] = tap.filter;
    AddTerms(desc, bindings, taps, axis + 1, inside && tap.inside, input, filter, sum);
  }
}

float SumOf(const ConvolutionDesc& desc, const Bindings& bindings, const Coordinate& c) {
  OrderedSum sum;
  if (IsPadding(desc, c)) return sum.Value();
  std::vector<std::vector<Tap>> taps(desc.axes);
  for (uint32_t i = 0; i < desc.axes; ++i) taps[i] = TapsOf(desc, i, c[2 + i]);
  const int64_t of_input = desc.input.sizes[1] / desc.groups;
  const int64_t of_output = desc.output.sizes[1] / desc.groups;
  const int64_t group = c[1] / of_output;
  for (int64_t channel = 0; channel < of_input; ++channel) {
    Coordinate input = {c[0], group * of_input + channel};
    Coordinate filter = {c[1], channel};
    if (desc.is_backward) filter = {group * of_input + channel, c[1] - group * of_output};
    AddTerms(desc, bindings, taps, 0, true, input, filter, sum);
  }
  return sum.Value();
}

}  // namespace

void GemmReference(const GemmDesc& desc, const Bindings& bindings) {
  const uint32_t m = desc.output.dimension_count - 2, n = m + 1;
  const int64_t depth = desc.a.sizes[desc.a_is_transposed ? m : n];
  reference::ForEachCoordinate(desc.output, [&](const Coordinate& c) {
    OrderedSum sum;
    for (int64_t k = 0; k < depth; ++k) {
      Coordinate a = c, b = c;
      a[m] = desc.a_is_transposed ? k : c[m];
      a[n] = desc.a_is_transposed ? c[m] : k;
      b[m] = desc.b_is_transposed ? c[n] : k;
      b[n] = desc.b_is_transposed ? k : c[n];
      sum.Add(GetFloat(desc.a, bindings.inputs[0], a), GetFloat(desc.b, bindings.inputs[1], b));
    }
    float value = desc.alpha * sum.Value();
    if (desc.c.present()) {
      const float scaled = desc.beta * GetFloat(desc.c, bindings.inputs[2], c);
      value = value + scaled;
    }
    reference::PutFloat(desc.output, bindings.outputs[0], c, value);
  });
}

void ConvolutionReference(const ConvolutionDesc& desc, const Bindings& bindings) {
  reference::ForEachCoordinate(desc.output, [&](const Coordinate& c) {
    float value = SumOf(desc, bindings, c);
    if (desc.bias.present()) {
      value = value + GetFloat(desc.bias, bindings.inputs[2], {0, c[1]});
    }
    reference::PutFloat(desc.output, bindings.outputs[0], c, value);
  });
}

}  // namespace anydml::matmul
