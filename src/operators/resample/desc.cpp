// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/resample/desc.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "operators/resample/cases.h"
#include "operators/resample/schema.h"
#include "schema/output_tensors.h"

namespace anydml::resample {
namespace {

// All but the axes.
Desc MakeCommon(const schema::Arguments& arguments, DML_AXIS_DIRECTION rounding_direction) {
  return {
      .input = arguments.tensor(kInputTensor),
      .output = arguments.tensor(kOutputTensor),
      .interpolation_mode = static_cast<DML_INTERPOLATION_MODE>(arguments.Uint(kInterpolationMode)),
      .rounding_direction = rounding_direction,
      .axes = {}};
}

}  // namespace

Result<std::vector<TensorDesc>> ScaledOutputs(const schema::Arguments& arguments, size_t scales) {
  const TensorDesc& input = arguments.tensor(kInputTensor);
  Dimensions sizes = {};
  for (uint32_t i = 0; i < input.dimension_count; ++i) {
    const float scale = arguments.FloatAt(scales, i);
    const double size = input.sizes[i];
    if (std::isinf(scale)) {
      return arguments.Fail(fmt::format("{} is required where one of Scales is infinite",
                                        arguments.TensorName(kOutputTensor)));
    }
    // Exact but for the last bits; a product beyond every UINT may be beyond every integer.
    const double product = std::min(size * double{scale}, double(uint64_t{1} << 40));
    auto scaled = static_cast<uint64_t>(product);
    if (static_cast<float>(static_cast<double>(scaled + 1) / size) <= scale) ++scaled;
    Status status =
        schema::StoreOutputSize(arguments, kOutputTensor, i, std::max<uint64_t>(scaled, 1), sizes);
    if (!status.ok()) return status.error();
  }
  return std::vector{PackedTensor(input.data_type, {sizes.data(), input.dimension_count})};
}

// RESAMPLE is RESAMPLE1 at the centres of pixels.
Desc MakeDesc(const schema::Arguments& arguments, const DeviceOptions&) {
  Desc desc = MakeCommon(arguments, DML_AXIS_DIRECTION_DECREASING);
  for (uint32_t i = 0; i < desc.input.dimension_count; ++i) {
    desc.axes[i] = {arguments.FloatAt(version0::kScales, i), 0.5f, -0.5f};
  }
  RoundHalvesUp(desc.interpolation_mode, desc.axes);
  return desc;
}

Desc MakeDesc1(const schema::Arguments& arguments, const DeviceOptions&) {
  Desc desc = MakeCommon(arguments, DML_AXIS_DIRECTION_DECREASING);
  for (uint32_t i = 0; i < desc.input.dimension_count; ++i) {
    desc.axes[i] = ResampledAxisAt(arguments, version1::kScales, i);
  }
  RoundHalvesUp(desc.interpolation_mode, desc.axes);
  return desc;
}

// Of RESAMPLE2, and of RESAMPLE3 whose fields begin with the same.
Desc MakeDesc2(const schema::Arguments& arguments, const DeviceOptions&) {
  Desc desc = MakeCommon(
      arguments, static_cast<DML_AXIS_DIRECTION>(arguments.Uint(version2::kRoundingDirection)));
  for (uint32_t i = 0; i < desc.input.dimension_count; ++i) {
    desc.axes[i] = ResampledAxisAt(arguments, version2::kScales, i);
  }
  return desc;
}

constinit const Definition kResample = {
    &version0::kSchema, EraseDesc<Desc, MakeDesc>, &kKernel, kCases, {}, Gradient};
constinit const Definition kResample1 = {
    &version1::kSchema, EraseDesc<Desc, MakeDesc1>, &kKernel, kCases, {}, Gradient};
constinit const Definition kResample2 = {
    &version2::kSchema, EraseDesc<Desc, MakeDesc2>, &kKernel, kCases, kBenchCases, Gradient2};
constinit const Definition kResample3 = {
    &version3::kSchema, EraseDesc<Desc, MakeDesc2>, &kKernel, kCases, {}, Gradient2};

}  // namespace anydml::resample
