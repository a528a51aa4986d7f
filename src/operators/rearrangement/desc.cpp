// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Rules that no table can say, and from arguments to descriptions.
#include "operators/rearrangement/desc.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "operators/rearrangement/cases.h"
#include "operators/rearrangement/schema.h"
#include "schema/output_tensors.h"

namespace anydml::rearrangement {
namespace {

using schema::Arguments;

// The input with other sizes.
Outputs OutputOf(const Arguments& arguments, std::span<const uint64_t> sizes) {
  const TensorDesc& input = arguments.tensor(kInputTensor);
  Dimensions stored = {};
  for (uint32_t i = 0; i < sizes.size(); ++i) {
    const Status status = schema::StoreOutputSize(arguments, kOutputTensor, i, sizes[i], stored);
    if (!status.ok()) return status.error();
  }
  return std::vector{PackedTensor(input.data_type, {stored.data(), sizes.size()})};
}

// Of PADDING and its version: the last two fields.
std::span<const uint32_t> StartOf(const Arguments& arguments) {
  return arguments.Uints(arguments.schema().fields.size() - 2);
}

Dimensions ToDimensions(std::span<const uint32_t> values) {
  Dimensions all = {};
  std::ranges::copy(values, all.begin());
  return all;
}

template <bool kTyped>
PaddingDesc MakePadding(const Arguments& arguments, const DeviceOptions&) {
  const TensorDesc& output = arguments.tensor(kOutputTensor);
  const Scalar value =
      kTyped ? ScalarFromUnion(output.data_type, arguments.Scalar(padding::kPaddingValue1))
             : ScalarFromFloat(output.data_type, arguments.Float(padding::kPaddingValue));
  return {arguments.tensor(kInputTensor), output, arguments.Uint(padding::kPaddingMode), value,
          ToDimensions(StartOf(arguments))};
}

PaddingDesc MakeTile(const Arguments& arguments, const DeviceOptions&) {
  return {arguments.tensor(kInputTensor),
          arguments.tensor(kOutputTensor),
          DML_PADDING_MODE_WRAP,
          {},
          {}};
}

template <bool kToDepth>
BlocksDesc MakeBlocks(const Arguments& arguments, const DeviceOptions&) {
  const bool has_order = arguments.schema().fields.size() > blocks::kOrder;
  const uint32_t order = has_order ? arguments.Uint(blocks::kOrder) : 0;
  return {arguments.tensor(kInputTensor), arguments.tensor(kOutputTensor), kToDepth,
          arguments.Uint(blocks::kBlockSize), order == DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW};
}

ReverseDesc MakeReverse(const Arguments& arguments, const DeviceOptions&) {
  return {arguments.tensor(reverse::kInputTensor),
          arguments.tensor(reverse::kSequenceLengthsTensor),
          arguments.tensor(reverse::kOutputTensor), arguments.Uint(reverse::kAxis)};
}

Status CheckMultiple(const Arguments& arguments, uint32_t dimension, uint64_t of,
                     std::string_view words) {
  const uint32_t size = arguments.tensor(kInputTensor).sizes[dimension];
  if (size % of == 0) return {};
  return arguments.Fail(fmt::format("InputTensor.Sizes[{}] = {} must be a multiple of {} = {}",
                                    dimension, size, words, of));
}

}  // namespace

template <Outputs (*kOutputs)(const schema::Arguments&)>
Status CheckOutput(const schema::Arguments& arguments) {
  const Outputs outputs = kOutputs(arguments);
  if (!outputs.ok()) return outputs.error();
  const TensorDesc& output = arguments.tensor(kOutputTensor);
  if (std::ranges::equal(output.Sizes(), outputs.value()[0].Sizes())) return {};
  return arguments.Fail(fmt::format("OutputTensor.Sizes = {} must be {}",
                                    BracedList(output.Sizes()),
                                    BracedList(outputs.value()[0].Sizes())));
}
template Status CheckOutput<PaddedOutputs>(const Arguments&);
template Status CheckOutput<TiledOutputs>(const Arguments&);
template Status CheckOutput<SpaceOutputs>(const Arguments&);
template Status CheckOutput<DepthOutputs>(const Arguments&);

Outputs PaddedOutputs(const Arguments& arguments) {
  const auto input = arguments.tensor(kInputTensor).Sizes();
  const auto end = arguments.Uints(arguments.schema().fields.size() - 1);
  std::vector<uint64_t> sizes;
  for (size_t i = 0; i < input.size(); ++i) {
    sizes.push_back(uint64_t{input[i]} + StartOf(arguments)[i] + end[i]);
  }
  return OutputOf(arguments, sizes);
}

Status CheckPaddingMode(const Arguments& arguments, FeatureLevel level) {
  const uint32_t mode = arguments.Uint(padding::kPaddingMode);
  const FeatureLevel least = mode == DML_PADDING_MODE_WRAP        ? FeatureLevel::k6_4
                             : mode == DML_PADDING_MODE_SYMMETRIC ? FeatureLevel::k3_0
                                                                  : FeatureLevel::k1_0;
  if (level >= least) return {};
  return arguments.Fail(
      fmt::format("PaddingMode = {} needs feature level {} or above; this device has {}",
                  kPaddingModes[mode], FeatureLevelName(least), FeatureLevelName(level)));
}

Outputs TiledOutputs(const Arguments& arguments) {
  const auto input = arguments.tensor(kInputTensor).Sizes();
  std::vector<uint64_t> sizes;
  for (size_t i = 0; i < input.size(); ++i) {
    sizes.push_back(uint64_t{input[i]} * arguments.Uints(tile::kRepeats)[i]);
  }
  return OutputOf(arguments, sizes);
}

Outputs SpaceOutputs(const Arguments& arguments) {
  const auto input = arguments.tensor(kInputTensor).Sizes();
  const uint64_t block = arguments.Uint(blocks::kBlockSize);
  const Status status = CheckMultiple(arguments, 1, block * block, "BlockSize * BlockSize");
  if (!status.ok()) return status.error();
  return OutputOf(arguments, std::array{uint64_t{input[0]}, input[1] / (block * block),
                                        input[2] * block, input[3] * block});
}

Outputs DepthOutputs(const Arguments& arguments) {
  const auto input = arguments.tensor(kInputTensor).Sizes();
  const uint64_t block = arguments.Uint(blocks::kBlockSize);
  for (uint32_t i : {2u, 3u}) {
    const Status status = CheckMultiple(arguments, i, block, "BlockSize");
    if (!status.ok()) return status.error();
  }
  // At most as many channels as the input has elements.
  return OutputOf(arguments, std::array{uint64_t{input[0]}, input[1] * (block * block),
                                        input[2] / block, input[3] / block});
}

Status CheckLengths(const Arguments& arguments) {
  const TensorDesc& input = arguments.tensor(reverse::kInputTensor);
  const TensorDesc& lengths = arguments.tensor(reverse::kSequenceLengthsTensor);
  const uint32_t axis = arguments.Uint(reverse::kAxis);
  if (axis >= input.dimension_count) {
    return arguments.Fail(fmt::format("Axis = {} must be less than DimensionCount = {}", axis,
                                      input.dimension_count));
  }
  Dimensions sizes = input.sizes;
  sizes[axis] = 1;
  const std::span<const uint32_t> wanted(sizes.data(), input.dimension_count);
  if (std::ranges::equal(lengths.Sizes(), wanted)) return {};
  return arguments.Fail(fmt::format("SequenceLengthsTensor.Sizes = {} must be {}",
                                    BracedList(lengths.Sizes()), BracedList(wanted)));
}

constinit const Definition kPadding = {
    &kPaddingSchema, EraseDesc<PaddingDesc, MakePadding<false>>, &kPaddingKernel, kPaddingCases, {},
    PaddingGradient};
constinit const Definition kPadding1 = {
    &kPadding1Schema,   EraseDesc<PaddingDesc, MakePadding<true>>,
    &kPaddingKernel,    kPaddingCases,
    kPaddingBenchCases, PaddingGradient};
constinit const Definition kTile = {&kTileSchema,    EraseDesc<PaddingDesc, MakeTile>,
                                    &kTileKernel,    kTileCases,
                                    kTileBenchCases, TileGradient};
constinit const Definition kSpaceToDepth = {&kSpaceToDepthSchema,
                                            EraseDesc<BlocksDesc, MakeBlocks<true>>,
                                            &kBlocksKernel,
                                            kSpaceToDepthCases,
                                            {},
                                            BlocksGradient};
constinit const Definition kDepthToSpace = {&kDepthToSpaceSchema,
                                            EraseDesc<BlocksDesc, MakeBlocks<false>>,
                                            &kBlocksKernel,
                                            kDepthToSpaceCases,
                                            {},
                                            BlocksGradient};
constinit const Definition kSpaceToDepth1 = {
    &kSpaceToDepth1Schema,   EraseDesc<BlocksDesc, MakeBlocks<true>>,
    &kBlocksKernel,          kSpaceToDepthCases,
    kSpaceToDepthBenchCases, BlocksGradient};
constinit const Definition kDepthToSpace1 = {
    &kDepthToSpace1Schema,   EraseDesc<BlocksDesc, MakeBlocks<false>>,
    &kBlocksKernel,          kDepthToSpaceCases,
    kDepthToSpaceBenchCases, BlocksGradient};
constinit const Definition kReverseSubsequences = {
    &kReverseSchema,    EraseDesc<ReverseDesc, MakeReverse>,
    &kReverseKernel,    kReverseCases,
    kReverseBenchCases, ReverseGradient};

}  // namespace anydml::rearrangement
