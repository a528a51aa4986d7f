// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
#include "operators/regions/desc.h"

#include <fmt/format.h>

#include <limits>

#include "base/text.h"
#include "kernels/regions/cpu/strategies.h"
#include "operators/regions/cases.h"
#include "operators/regions/schema.h"

namespace anydml::regions {
namespace {

// Where a version has what it may have; -1: nowhere.
struct Places {
  int rois, indices, small;
  int modes;  // ReductionFunction, InterpolationMode, SpatialScaleX, SpatialScaleY
  int offsets, outside, least, aligns;
};
constexpr Places kOfAlign = {kROITensor,
                             kBatchIndicesTensor,
                             kOutputTensor,
                             kReductionFunction,
                             -1,
                             kOutOfBoundsInputValue,
                             kMinimumSamplesPerOutput,
                             -1};
constexpr Places kOfAlign1 = {kROITensor,
                              kBatchIndicesTensor,
                              kOutputTensor,
                              kReductionFunction,
                              kInputPixelOffset1,
                              kOutOfBoundsInputValue1,
                              kMinimumSamplesPerOutput1,
                              kAlignRegionsToCorners1};
constexpr Places kOfGrad = {kGradROI,
                            kGradBatchIndices,
                            kGradInputGradient,
                            kGradReductionFunction,
                            kGradInputPixelOffset,
                            -1,
                            kGradMinimumSamples,
                            kGradAlignRegionsToCorners};

size_t At(int place) { return static_cast<size_t>(place); }

Status FailSizes(const schema::Arguments& arguments, size_t field, std::string_view rule) {
  return arguments.Fail(fmt::format("{}.Sizes = {} must be {}", arguments.TensorName(field),
                                    BracedList(arguments.tensor(field).Sizes()), rule));
}

bool HasLeadingOnes(const TensorDesc& tensor, uint32_t behind) {
  for (uint32_t i = 0; i + behind < tensor.dimension_count; ++i) {
    if (tensor.sizes[i] != 1) return false;
  }
  return true;
}

Status CheckSamples(const schema::Arguments& arguments, const Places& places) {
  const uint32_t function = arguments.Uint(At(places.modes));
  if (function != DML_REDUCE_FUNCTION_AVERAGE && function != DML_REDUCE_FUNCTION_MAX) {
    return arguments.Fail(fmt::format("ReductionFunction = {} must be AVERAGE or MAX",
                                      ValueText(arguments, At(places.modes))));
  }
  const uint32_t least = arguments.Uint(At(places.least)),
                 most = arguments.Uint(At(places.least + 1));
  if (least > most) {
    return arguments.Fail(fmt::format(
        "MinimumSamplesPerOutput = {} must be at most MaximumSamplesPerOutput = {}", least, most));
  }
  const TensorDesc& small = arguments.tensor(At(places.small));
  for (uint32_t i = 2; i < 4; ++i) {
    if (uint64_t{least} * small.sizes[i] <= static_cast<uint64_t>(kMostSamples)) continue;
    return arguments.Fail(fmt::format(
        "MinimumSamplesPerOutput = {} times {}.Sizes[{}] = {} must be at most {}", least,
        arguments.TensorName(At(places.small)), i, small.sizes[i], kMostSamples));
  }
  return {};
}

// `image` is the field of the tensor whose channels count.
Status CheckRegions(const schema::Arguments& arguments, const Places& places, size_t image) {
  const TensorDesc& rois = arguments.tensor(At(places.rois));
  const TensorDesc& indices = arguments.tensor(At(places.indices));
  const TensorDesc& small = arguments.tensor(At(places.small));
  const uint32_t last = rois.dimension_count - 1;
  if (rois.sizes[last] != 4 || !HasLeadingOnes(rois, 2)) {
    return FailSizes(arguments, At(places.rois), "{NumROIs, 4}, behind ones");
  }
  const uint32_t count = rois.sizes[last - 1];
  if (indices.sizes[indices.dimension_count - 1] != count || !HasLeadingOnes(indices, 1)) {
    return FailSizes(arguments, At(places.indices),
                     fmt::format("{{{}}}, as many as ROITensor has regions, behind ones", count));
  }
  const uint32_t channels = arguments.tensor(image).sizes[1];
  if (small.sizes[0] != count || small.sizes[1] != channels) {
    return FailSizes(arguments, At(places.small),
                     fmt::format("{} regions and {} channels, those of ROITensor and of {}", count,
                                 channels, arguments.TensorName(image)));
  }
  return CheckSamples(arguments, places);
}

template <const Places& kPlaces>
AlignDesc MakeDesc(const schema::Arguments& arguments, const DeviceOptions&) {
  const size_t modes = At(kPlaces.modes);
  AlignDesc desc = {};
  desc.input = arguments.tensor(0);
  desc.small = arguments.tensor(At(kPlaces.small));
  desc.rois = arguments.tensor(At(kPlaces.rois));
  desc.indices = arguments.tensor(At(kPlaces.indices));
  if (kPlaces.outside < 0) {
    desc.gradient = arguments.tensor(kGradOutputGradient);
    desc.roi_gradient = arguments.tensor(kGradOutputROIGradient);
  } else {
    desc.outside = arguments.Float(At(kPlaces.outside));
  }
  desc.image = desc.input.present() ? desc.input : desc.gradient;
  desc.is_maximum = arguments.Uint(modes) == DML_REDUCE_FUNCTION_MAX;
  desc.is_nearest = arguments.Uint(modes + 1) == DML_INTERPOLATION_MODE_NEAREST_NEIGHBOR;
  desc.scale_x = arguments.Float(modes + 2);
  desc.scale_y = arguments.Float(modes + 3);
  desc.input_offset = kPlaces.offsets < 0 ? 0.5f : arguments.Float(At(kPlaces.offsets));
  desc.output_offset = kPlaces.offsets < 0 ? -0.5f : arguments.Float(At(kPlaces.offsets + 1));
  desc.least = arguments.Uint(At(kPlaces.least));
  desc.most = arguments.Uint(At(kPlaces.least + 1));
  desc.aligns_corners = kPlaces.aligns >= 0 && arguments.Uint(At(kPlaces.aligns)) != 0;
  return desc;
}

Strides StridesOf(const TensorDesc& tensor) {
  Strides strides = {};
  for (size_t i = 0; tensor.present() && i < 4; ++i) strides[i] = tensor.strides[i];
  return strides;
}
// Of the last two dimensions.
std::array<int64_t, 2> RowStridesOf(const TensorDesc& tensor) {
  if (!tensor.present()) return {};
  const uint32_t last = tensor.dimension_count - 1;
  return {int64_t{tensor.strides[last - 1]}, int64_t{tensor.strides[last]}};
}

Plan MakePlan(const AlignDesc& desc) {
  return {.type = desc.small.data_type,
          .index_type = desc.indices.data_type,
          .is_maximum = desc.is_maximum,
          .is_nearest = desc.is_nearest,
          .aligns_corners = desc.aligns_corners,
          .has_gradient = desc.gradient.present(),
          .has_roi_gradient = desc.roi_gradient.present(),
          .batches = desc.image.sizes[0],
          .channels = desc.image.sizes[1],
          .count = desc.small.sizes[0],
          .image = {desc.image.sizes[2], desc.image.sizes[3]},
          .pooled = {desc.small.sizes[2], desc.small.sizes[3]},
          .scales = {desc.scale_y, desc.scale_x},
          .input_offset = desc.input_offset,
          .output_offset = desc.output_offset,
          .outside = desc.outside,
          .least = desc.least,
          .most = desc.most,
          .input = StridesOf(desc.input),
          .small = StridesOf(desc.small),
          .gradient = StridesOf(desc.gradient),
          .roi = RowStridesOf(desc.rois),
          .roi_gradient = RowStridesOf(desc.roi_gradient),
          .index_stride = desc.indices.strides[desc.indices.dimension_count - 1]};
}

std::string Explain(const Plan& plan) {
  return fmt::format("{} regions of {} x {} outputs in {} channels, {} to {} samples each",
                     plan.count, plan.pooled[kY], plan.pooled[kX], plan.channels, plan.least,
                     plan.most);
}

PoolingDesc MakePoolingDesc(const schema::Arguments& arguments, const DeviceOptions&) {
  return {.input = arguments.tensor(kInputTensor),
          .rois = arguments.tensor(kROITensor),
          .output = arguments.tensor(kPoolingOutput),
          .scale = arguments.Float(kSpatialScale)};
}

PoolingPlan MakePoolingPlan(const PoolingDesc& desc) {
  return {.type = desc.input.data_type,
          .batches = desc.input.sizes[0],
          .channels = desc.input.sizes[1],
          .count = desc.output.sizes[0],
          .image = {desc.input.sizes[2], desc.input.sizes[3]},
          .pooled = {desc.output.sizes[2], desc.output.sizes[3]},
          .scale = desc.scale,
          .input = StridesOf(desc.input),
          .output = StridesOf(desc.output),
          .roi = RowStridesOf(desc.rois)};
}

std::string ExplainPooling(const PoolingPlan& plan) {
  return fmt::format("{} regions of {} x {} bins in {} channels", plan.count, plan.pooled[kY],
                     plan.pooled[kX], plan.channels);
}

template <void (*kReference)(const AlignDesc&, const Bindings&)>
constexpr Kernel KernelOf(std::string_view name, std::span<const CpuStrategy> strategies) {
  return {.name = name,
          .data_types = kFloats,
          .preserves_nan_bits = false,
          .make_plan = ErasePlan<AlignDesc, Plan, MakePlan>,
          .explain = EraseExplain<Plan, Explain>,
          .make_tables = WithoutTables,
          .reference = EraseReference<AlignDesc, kReference>,
          .cpu_strategies = strategies};
}
constinit const Kernel kAlignKernel = KernelOf<AlignReference>("roi_align", kAlignStrategies);
constinit const Kernel kAlignGradKernel =
    KernelOf<AlignGradReference>("roi_align_grad", kAlignGradientStrategies);
constinit const Kernel kPoolingKernel = {
    .name = "roi_pooling",
    .data_types = kFloats,
    .preserves_nan_bits = true,
    .make_plan = ErasePlan<PoolingDesc, PoolingPlan, MakePoolingPlan>,
    .explain = EraseExplain<PoolingPlan, ExplainPooling>,
    .make_tables = WithoutTables,
    .reference = EraseReference<PoolingDesc, PoolingReference>,
    .cpu_strategies = kPoolingStrategies};

}  // namespace

Status CheckAlign(const schema::Arguments& arguments) {
  return CheckRegions(arguments, kOfAlign, kInputTensor);
}
Status CheckAlign1(const schema::Arguments& arguments) {
  return CheckRegions(arguments, kOfAlign1, kInputTensor);
}

Status CheckAlignGrad(const schema::Arguments& arguments) {
  const bool has_input = arguments.tensor(kGradInput).present();
  const bool has_roi = arguments.tensor(kGradOutputROIGradient).present();
  if (!has_roi && !arguments.tensor(kGradOutputGradient).present()) {
    return arguments.Fail(
        "one of OutputGradientTensor and OutputROIGradientTensor must be present");
  }
  if (!has_input && has_roi) {
    return arguments.Fail("InputTensor must be present, since OutputROIGradientTensor is");
  }
  if (!has_input && arguments.Uint(kGradReductionFunction) == DML_REDUCE_FUNCTION_MAX) {
    return arguments.Fail("InputTensor must be present, since ReductionFunction is MAX");
  }
  return CheckRegions(arguments, kOfGrad,
                      has_input ? size_t{kGradInput} : size_t{kGradOutputGradient});
}

Status CheckPooling(const schema::Arguments& arguments) {
  const TensorDesc& rois = arguments.tensor(kROITensor);
  const TensorDesc& output = arguments.tensor(kPoolingOutput);
  if (rois.sizes[0] != 1 || rois.sizes[1] != 1 || rois.sizes[3] != 5) {
    return FailSizes(arguments, kROITensor, "{1, 1, NumROIs, 5}");
  }
  // The width comes first.
  const uint32_t wanted[] = {rois.sizes[2], arguments.tensor(kInputTensor).sizes[1],
                             arguments.Uints(kPooledSize)[1], arguments.Uints(kPooledSize)[0]};
  if (std::ranges::equal(output.Sizes(), wanted)) return {};
  return FailSizes(arguments, kPoolingOutput,
                   fmt::format("{}: NumROIs, the channels, PooledSize.Height and PooledSize.Width",
                               BracedList(std::span<const uint32_t>(wanted))));
}

Result<std::vector<TensorDesc>> PoolingOutputs(const schema::Arguments& arguments) {
  const uint32_t sizes[] = {arguments.tensor(kROITensor).sizes[2],
                            arguments.tensor(kInputTensor).sizes[1],
                            arguments.Uints(kPooledSize)[1], arguments.Uints(kPooledSize)[0]};
  return std::vector{PackedTensor(arguments.tensor(kInputTensor).data_type, sizes)};
}

constinit const Definition kRoiAlign = {
    &kAlignSchema, EraseDesc<AlignDesc, MakeDesc<kOfAlign>>, &kAlignKernel, kAlignCases, {},
    AlignGradient};
constinit const Definition kRoiAlign1 = {
    &kAlign1Schema,   EraseDesc<AlignDesc, MakeDesc<kOfAlign1>>,
    &kAlignKernel,    kAlign1Cases,
    kAlignBenchCases, AlignGradient};
constinit const Definition kRoiAlignGrad = {
    &kAlignGradSchema, EraseDesc<AlignDesc, MakeDesc<kOfGrad>>, &kAlignGradKernel, kAlignGradCases,
    kAlignGradBenchCases};
constinit const Definition kRoiPooling = {&kPoolingSchema, EraseDesc<PoolingDesc, MakePoolingDesc>,
                                          &kPoolingKernel, kPoolingCases, kPoolingBenchCases};

}  // namespace anydml::regions
