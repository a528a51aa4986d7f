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

namespace upsample_2d {
namespace {

uint32_t ScaleOf(const schema::Arguments& arguments, uint32_t axis) {
  const uint32_t from_last = arguments.tensor(kInputTensor).dimension_count - 1 - axis;
  return from_last < 2 ? arguments.Uints(kScaleSize)[from_last] : 1;  // width, height
}

}  // namespace

Result<std::vector<TensorDesc>> UpsampledOutputs(const schema::Arguments& arguments) {
  const TensorDesc& input = arguments.tensor(kInputTensor);
  Dimensions sizes = {};
  for (uint32_t i = 0; i < input.dimension_count; ++i) {
    const uint64_t size = uint64_t{input.sizes[i]} * ScaleOf(arguments, i);
    Status status = schema::StoreOutputSize(arguments, kOutputTensor, i, size, sizes);
    if (!status.ok()) return status.error();
  }
  return std::vector{PackedTensor(input.data_type, {sizes.data(), input.dimension_count})};
}

Status CheckSizes(const schema::Arguments& arguments) {
  const TensorDesc& input = arguments.tensor(kInputTensor);
  const TensorDesc& output = arguments.tensor(kOutputTensor);
  for (uint32_t i = 0; i < input.dimension_count; ++i) {
    const uint64_t size = uint64_t{input.sizes[i]} * ScaleOf(arguments, i);
    if (output.sizes[i] == size) continue;
    return arguments.Fail(
        fmt::format("OutputTensor.Sizes[{0}] = {1} must be {2} = {3} * {4}, "
                    "InputTensor.Sizes[{0}] times its scale",
                    i, output.sizes[i], size, input.sizes[i], ScaleOf(arguments, i)));
  }
  return {};
}

}  // namespace upsample_2d

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

// RESAMPLE with the scales {1, ..., Height, Width} (B84).
Desc MakeUpsample(const schema::Arguments& arguments, const DeviceOptions&) {
  Desc desc = {.input = arguments.tensor(kInputTensor),
               .output = arguments.tensor(kOutputTensor),
               .interpolation_mode = static_cast<DML_INTERPOLATION_MODE>(
                   arguments.Uint(upsample_2d::kInterpolationMode)),
               .rounding_direction = DML_AXIS_DIRECTION_DECREASING,
               .axes = {}};
  for (uint32_t i = 0; i < desc.input.dimension_count; ++i) {
    desc.axes[i] = {static_cast<float>(upsample_2d::ScaleOf(arguments, i)), 0.5f, -0.5f};
  }
  RoundHalvesUp(desc.interpolation_mode, desc.axes);
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
constinit const Definition kUpsample2D = {
    &upsample_2d::kSchema, EraseDesc<Desc, MakeUpsample>, &kKernel, kUpsampleCases, {},
    UpsampleGradient};

}  // namespace anydml::resample
