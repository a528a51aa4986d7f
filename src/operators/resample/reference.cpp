// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The RESAMPLE family by the pages: OutputX = (InputX + InputPixelOffset) * Scale
// + OutputPixelOffset, solved for InputX, and the taps at InputX, forward or transposed: taps and
// the order of sums (A3, B7, B12, B13) as plain loops over logical coordinates. Shares nothing with
// tensor/taps.h or with kernels.
#include "operators/reference.h"

#include <cmath>
#include <utility>
#include <vector>

#include "operators/resample/desc.h"

namespace anydml::reference {
namespace {

// (index in the forward input, weight), for one index of the forward output.
using TapList = std::vector<std::pair<int64_t, float>>;

// One axis of the forward operator: n input elements, m output elements.
struct SampledAxis {
  bool linear = false;
  bool increasing = false;  // nearest: ceil, else floor
  float scale = 1;
  float input_pixel_offset = 0;
  float output_pixel_offset = 0;
  int64_t n = 1;
  int64_t m = 1;

  // x = (o - OutputPixelOffset) / Scale - InputPixelOffset, one rounding per operation.
  template <typename Real>
  TapList TapsIn(int64_t o) const {
    const Real difference = static_cast<Real>(o) - static_cast<Real>(output_pixel_offset);
    const Real quotient = difference / static_cast<Real>(scale);
    const Real x = quotient - static_cast<Real>(input_pixel_offset);
    const auto last = static_cast<Real>(n - 1);
    if (!linear) {
      if (!(x > 0)) return {{0, 1.0f}};  // the clamp, before a cast that could overflow
      if (x > last) return {{n - 1, 1.0f}};
      return {{static_cast<int64_t>(increasing ? std::ceil(x) : std::floor(x)), 1.0f}};
    }
    const Real t = x < 0 ? 0 : x > last ? last : x;
    const auto i = static_cast<int64_t>(std::floor(t));
    const Real w = t - static_cast<Real>(i);
    TapList taps = {{i, static_cast<float>(1 - w)}};
    if (static_cast<float>(w) != 0) taps.push_back({i + 1, static_cast<float>(w)});
    return taps;
  }

  TapList Taps(int64_t o) const {
    const bool in_double = n > 4194304 || m > 4194304;  // B7: above 2^22
    return in_double ? TapsIn<double>(o) : TapsIn<float>(o);
  }

  bool ChangesNothing() const {
    for (int64_t o = 0; n == m && o < m; ++o) {
      if (Taps(o) != TapList{{o, 1.0f}}) return false;
    }
    return n == m;
  }
};

// A packed tensor of float.
struct Floats {
  TensorDesc shape;
  std::vector<float> values;
};

Floats ZerosLike(TensorDesc shape) {
  shape.strides = PackedStrides(shape.Sizes());
  return {shape, std::vector<float>(shape.ElementCount())};
}

// One axis: to[o] += weight * from[i] for the taps of every o, or, for the
// gradient, to[i] += weight * from[o].
Floats AlongAxis(const Floats& from, uint32_t axis, const SampledAxis& definition, bool gradient) {
  TensorDesc shape = from.shape;
  shape.sizes[axis] = static_cast<uint32_t>(gradient ? definition.n : definition.m);
  Floats to = ZerosLike(shape);
  ForEachCoordinate(gradient ? from.shape : to.shape, [&](const Coordinate& sample) {
    for (const auto& [index, weight] : definition.Taps(sample[axis])) {
      Coordinate pixel = sample;
      pixel[axis] = index;
      const auto& source = gradient ? sample : pixel;
      const auto& target = gradient ? pixel : sample;
      const float product = weight * from.values[LogicalIndex(from.shape, source)];
      float& sum = to.values[LogicalIndex(to.shape, target)];
      sum = sum + product;
    }
  });
  return to;
}

// Last logical axis first (B13). `moved` says whether any axis was not skipped.
Floats AxisByAxis(Floats values, const std::vector<SampledAxis>& axes, bool gradient, bool& moved) {
  moved = false;
  for (size_t i = axes.size(); i-- > 0;) {
    if (axes[i].ChangesNothing()) continue;
    values = AlongAxis(values, static_cast<uint32_t>(i), axes[i], gradient);
    moved = true;
  }
  return values;
}

}  // namespace
}  // namespace anydml::reference

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
