// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/resample/desc.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/resample/cpu/strategies.h"
#include "kernels/resample/table_spans.h"
#include "operators/resample/cases.h"
#include "operators/resample/schema.h"
#include "schema/output_tensors.h"
#include "tensor/explain.h"

namespace anydml::resample {

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

namespace {

// Without a RoundingDirection NEAREST takes the pixel at floor(x + 0.5): 0.5 less
// on the input offset in float, then DECREASING (B8).
void RoundHalvesUp(Desc& desc) {
  if (desc.interpolation_mode != DML_INTERPOLATION_MODE_NEAREST_NEIGHBOR) return;
  for (ResampledAxis& axis : desc.axes) axis.input_pixel_offset -= 0.5f;
}

// All but the axes.
Desc MakeCommon(const schema::Arguments& arguments, uint32_t interpolation_mode,
                DML_AXIS_DIRECTION rounding_direction) {
  return {
      .input = arguments.tensor(kInputTensor),
      .output = arguments.tensor(kOutputTensor),
      .interpolation_mode = static_cast<DML_INTERPOLATION_MODE>(arguments.Uint(interpolation_mode)),
      .rounding_direction = rounding_direction,
      .axes = {}};
}

// Of a description whose fields Scales, InputPixelOffsets and OutputPixelOffsets follow one another
// from number `scales` on.
void ReadAxes(const schema::Arguments& arguments, uint32_t scales, Desc& desc) {
  for (uint32_t i = 0; i < desc.input.dimension_count; ++i) {
    desc.axes[i] = {arguments.FloatAt(scales, i), arguments.FloatAt(scales + 1, i),
                    arguments.FloatAt(scales + 2, i)};
  }
}

// RESAMPLE is RESAMPLE1 at the centres of pixels.
Desc MakeDesc(const schema::Arguments& arguments, const DeviceOptions&) {
  Desc desc = MakeCommon(arguments, kInterpolationMode, DML_AXIS_DIRECTION_DECREASING);
  for (uint32_t i = 0; i < desc.input.dimension_count; ++i) {
    desc.axes[i] = {arguments.FloatAt(version0::kScales, i), 0.5f, -0.5f};
  }
  RoundHalvesUp(desc);
  return desc;
}

Desc MakeDesc1(const schema::Arguments& arguments, const DeviceOptions&) {
  Desc desc = MakeCommon(arguments, kInterpolationMode, DML_AXIS_DIRECTION_DECREASING);
  ReadAxes(arguments, version1::kScales, desc);
  RoundHalvesUp(desc);
  return desc;
}

// Of RESAMPLE2, and of RESAMPLE3 whose fields begin with the same.
Desc MakeDesc2(const schema::Arguments& arguments, const DeviceOptions&) {
  Desc desc =
      MakeCommon(arguments, kInterpolationMode,
                 static_cast<DML_AXIS_DIRECTION>(arguments.Uint(version2::kRoundingDirection)));
  ReadAxes(arguments, version2::kScales, desc);
  return desc;
}

// RESAMPLE with the scales {1, ..., Height, Width} (B84).
Desc MakeUpsample(const schema::Arguments& arguments, const DeviceOptions&) {
  Desc desc = MakeCommon(arguments, upsample_2d::kInterpolationMode, DML_AXIS_DIRECTION_DECREASING);
  for (uint32_t i = 0; i < desc.input.dimension_count; ++i) {
    desc.axes[i] = {static_cast<float>(upsample_2d::ScaleOf(arguments, i)), 0.5f, -0.5f};
  }
  RoundHalvesUp(desc);
  return desc;
}

// By default the arrays mean what they mean in the forward operator. Exchanged,
// "input" belongs to InputGradientTensor, which has the forward output's sizes
// (B10).
void ExchangeOffsets(const DeviceOptions& options, Desc& desc) {
  if (!options.exchange_pixel_offsets) return;
  for (ResampledAxis& axis : desc.axes)
    std::swap(axis.input_pixel_offset, axis.output_pixel_offset);
}

Desc MakeGradient(const schema::Arguments& arguments, const DeviceOptions& options) {
  Desc desc = MakeCommon(arguments, gradient::kInterpolationMode, DML_AXIS_DIRECTION_DECREASING);
  ReadAxes(arguments, gradient::version0::kScales, desc);
  ExchangeOffsets(options, desc);
  // Of the forward operator's offset, hence after an exchange.
  RoundHalvesUp(desc);
  return desc;
}

Desc MakeGradient1(const schema::Arguments& arguments, const DeviceOptions& options) {
  Desc desc = MakeCommon(
      arguments, gradient::kInterpolationMode,
      static_cast<DML_AXIS_DIRECTION>(arguments.Uint(gradient::version1::kRoundingDirection)));
  ReadAxes(arguments, gradient::version1::kScales, desc);
  ExchangeOffsets(options, desc);
  return desc;
}

Sampling SamplingOf(const Desc& desc) {
  if (desc.interpolation_mode == DML_INTERPOLATION_MODE_LINEAR) return Sampling::kLinear;
  const bool increasing = desc.rounding_direction == DML_AXIS_DIRECTION_INCREASING;
  return increasing ? Sampling::kCeil : Sampling::kFloor;
}

// Weighted sums along the axes: from pixels, the elements of the forward operator's input, to
// samples, those of its output; the gradient's are the same transposed.
template <bool kTransposed>
AxisSums MakePlan(const Desc& desc) {
  const TensorDesc& pixels = kTransposed ? desc.output : desc.input;
  const TensorDesc& samples = kTransposed ? desc.input : desc.output;
  std::array<TapAxis, kMaxSumAxes> axes = {};
  for (uint32_t i = 0; i < kMaxSumAxes; ++i) {
    axes[i] = {.sampling = SamplingOf(desc),
               .pixel_count = pixels.sizes[i],
               .sample_count = samples.sizes[i],
               .scale = desc.axes[i].scale,
               .input_pixel_offset = desc.axes[i].input_pixel_offset,
               .output_pixel_offset = desc.axes[i].output_pixel_offset};
  }
  return MakeAxisSums(desc.input, desc.output, axes, kTransposed);
}

template <bool kTransposed, void (*kReference)(const Desc&, const Bindings&)>
constexpr Kernel KernelNamed(std::string_view name, DataTypeSet types,
                             std::span<const CpuStrategy> strategies) {
  return {.name = name,
          .data_types = types,
          .preserves_nan_bits = false,
          .make_plan = ErasePlan<Desc, AxisSums, MakePlan<kTransposed>>,
          .explain = EraseExplain<AxisSums, Explain>,
          .make_tables = EraseTables<AxisSums, AxisSumsTables, MakeAxisSumsTables>,
          .table_bytes = EraseTableBytes<AxisSumsTables>,
          .table_spans = EraseTableSpans<AxisSumsTables, SpansOf>,
          .reference = EraseReference<Desc, kReference>,
          .cpu_strategies = strategies,
          .cuda_name = "resample"};
}

constinit const Kernel kKernel =
    KernelNamed<false, Reference>("resample", kFloatsAndBytes, kStrategies);
constinit const Kernel kGradientKernel =
    KernelNamed<true, GradientReference>("resample_grad", kFloats, kGradientStrategies);

}  // namespace

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
constinit const Definition kResampleGrad = {&gradient::version0::kSchema,
                                            EraseDesc<Desc, MakeGradient>,
                                            &kGradientKernel,
                                            kGradientCases,
                                            {},
                                            GradientOfGradient};
constinit const Definition kResampleGrad1 = {&gradient::version1::kSchema,
                                             EraseDesc<Desc, MakeGradient1>,
                                             &kGradientKernel,
                                             kGradientCases,
                                             kGradientBenchCases,
                                             GradientOfGradient1};

}  // namespace anydml::resample
