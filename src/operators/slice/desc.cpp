// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/slice/desc.h"

#include <algorithm>
#include <cstdlib>

#include "base/text.h"
#include "operators/slice/cases.h"
#include "operators/slice/schema.h"
#include "schema/copied_window.h"

namespace anydml::slice {

// "Sizes" repeats the output's sizes; nothing outside the input may be read.
Status CheckSlice(const schema::Arguments& arguments) {
  const TensorDesc& input = arguments.tensor(kInputTensor);
  const TensorDesc& output = arguments.tensor(kOutputTensor);
  if (!std::ranges::equal(arguments.Uints(kSizes), output.Sizes())) {
    return arguments.Fail(fmt::format("Sizes = {} must equal OutputTensor.Sizes = {}",
                                      BracedList(arguments.Uints(kSizes)),
                                      BracedList(output.Sizes())));
  }
  for (uint32_t i = 0; i < input.dimension_count; ++i) {
    // (2^32 - 1) * (2^32 - 1) + 2^32 - 1 still fits.
    const uint64_t offset = arguments.Uints(kOffsets)[i];
    const uint64_t stride = arguments.Uints(kStrides)[i];
    const uint64_t last = offset + uint64_t{output.sizes[i] - 1} * stride;
    if (last >= input.sizes[i]) {
      return arguments.Fail(
          fmt::format("Offsets[{0}] + (Sizes[{0}] - 1) * Strides[{0}] = {1} must "
                      "be less than InputTensor.Sizes[{0}] = {2}",
                      i, last, input.sizes[i]));
    }
  }
  return {};
}

Status CheckSlice1(const schema::Arguments& arguments) {
  return schema::CheckCopiedWindow(arguments, {.whole = kInputTensor,
                                               .part = kOutputTensor,
                                               .offsets = kOffsets,
                                               .sizes = kSizes,
                                               .strides = kStrides});
}

Status CheckSliceGrad(const schema::Arguments& arguments) {
  return schema::CheckCopiedWindow(arguments, {.whole = kOutputTensor,
                                               .part = kInputTensor,
                                               .offsets = kOffsets,
                                               .sizes = kSizes,
                                               .strides = kStrides});
}

Result<std::vector<TensorDesc>> SliceOutputs(const schema::Arguments& arguments) {
  return std::vector{
      PackedTensor(arguments.tensor(kInputTensor).data_type, arguments.Uints(kSizes))};
}

// All elements that the strides reach.
Result<std::vector<TensorDesc>> Slice1Outputs(const schema::Arguments& arguments) {
  const TensorDesc& input = arguments.tensor(kInputTensor);
  Dimensions sizes = {};
  for (uint32_t i = 0; i < input.dimension_count; ++i) {
    const int64_t stride = arguments.IntAt(kStrides, i);
    sizes[i] =
        static_cast<uint32_t>(1 + (int64_t{arguments.Uints(kSizes)[i]} - 1) / std::abs(stride));
  }
  return std::vector{PackedTensor(input.data_type, {sizes.data(), input.dimension_count})};
}

namespace {

Desc MakeDesc(const schema::Arguments& arguments, const DeviceOptions&) {
  Desc desc = {};
  desc.input = arguments.tensor(kInputTensor);
  desc.output = arguments.tensor(kOutputTensor);
  for (uint32_t i = 0; i < desc.input.dimension_count; ++i) {
    desc.window_offsets[i] = arguments.Uints(kOffsets)[i];
    desc.window_strides[i] = arguments.Uints(kStrides)[i];
    desc.window_sizes[i] = 1 + int64_t{desc.output.sizes[i] - 1} * desc.window_strides[i];
  }
  return desc;
}

// Of SLICE1, and of SLICE_GRAD, which has the same fields.
Desc MakeDesc1(const schema::Arguments& arguments, const DeviceOptions&) {
  Desc desc = {};
  desc.input = arguments.tensor(kInputTensor);
  desc.output = arguments.tensor(kOutputTensor);
  for (uint32_t i = 0; i < desc.input.dimension_count; ++i) {
    desc.window_offsets[i] = arguments.Uints(kOffsets)[i];
    desc.window_sizes[i] = arguments.Uints(kSizes)[i];
    desc.window_strides[i] = arguments.IntAt(kStrides, i);
  }
  return desc;
}

}  // namespace

constinit const Definition kSlice = {
    &kSliceSchema, EraseDesc<Desc, MakeDesc>, &kKernel, kSliceCases, {}, Gradient};
constinit const Definition kSlice1 = {
    &kSlice1Schema, EraseDesc<Desc, MakeDesc1>, &kKernel, kSlice1Cases, kBenchCases, Gradient1};
constinit const Definition kSliceGrad = {&kSliceGradSchema,   EraseDesc<Desc, MakeDesc1>,
                                         &kGradientKernel,    kGradientCases,
                                         kGradientBenchCases, GradientOfGradient};

}  // namespace anydml::slice
