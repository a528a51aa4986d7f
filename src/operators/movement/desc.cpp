// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Rules that no table can say, and from arguments to descriptions.
#include "operators/movement/desc.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "operators/gradient_writer.h"
#include "operators/movement/cases.h"
#include "operators/movement/schema.h"
#include "schema/output_tensors.h"

namespace anydml::movement {
namespace {

using schema::Arguments;

Status CheckAxis(const Arguments& arguments, size_t axis, const TensorDesc& tensor) {
  if (arguments.Uint(axis) < tensor.dimension_count) return {};
  return arguments.Fail(fmt::format("Axis = {} must be less than DimensionCount = {}",
                                    arguments.Uint(axis), tensor.dimension_count));
}

// ---- JOIN and SPLIT.

struct PartFields {
  size_t whole;
  size_t parts;
  size_t axis;
};
constexpr PartFields kJoinParts = {join::kOutputTensor, join::kInputTensors, join::kAxis};
constexpr PartFields kSplitParts = {split::kInputTensor, split::kOutputTensors, split::kAxis};

// Sizes off the axis are those of the tensor with the number `like`.
Status CheckOffAxis(const Arguments& arguments, size_t number, size_t like, uint32_t axis) {
  const TensorDesc &tensor = arguments.tensor(number), &other = arguments.tensor(like);
  for (uint32_t i = 0; i < tensor.dimension_count; ++i) {
    if (i == axis || tensor.sizes[i] == other.sizes[i]) continue;
    return arguments.Fail(fmt::format("{}.Sizes[{}] = {} must equal {}.Sizes[{}] = {}",
                                      arguments.TensorName(number), i, tensor.sizes[i],
                                      arguments.TensorName(like), i, other.sizes[i]));
  }
  return {};
}

Status CheckParts(const Arguments& arguments, const PartFields& fields) {
  const TensorDesc& whole = arguments.tensor(fields.whole);
  Status status = CheckAxis(arguments, fields.axis, whole);
  if (!status.ok()) return status;
  const uint32_t axis = arguments.Uint(fields.axis);
  uint64_t sum = 0;
  for (size_t p = 0; p < arguments.at(fields.parts).tensors.size(); ++p) {
    const size_t number = arguments.EntryNumber(fields.parts, p);
    status = CheckOffAxis(arguments, number, fields.whole, axis);
    if (!status.ok()) return status;
    sum += arguments.tensor(number).sizes[axis];
  }
  if (sum == whole.sizes[axis]) return {};
  return arguments.Fail(
      fmt::format("the sizes of {} along Axis {} add up to {} and must add up to {}.Sizes[{}] = {}",
                  arguments.schema().fields[fields.parts].name, axis, sum,
                  arguments.TensorName(fields.whole), axis, whole.sizes[axis]));
}

template <const PartFields& kFields>
PartsDesc MakeParts(const Arguments& arguments, const DeviceOptions&) {
  return {kFields.whole == join::kOutputTensor, arguments.tensor(kFields.whole),
          arguments.at(kFields.parts).tensors, arguments.Uint(kFields.axis)};
}

// ---- Fills.

FillDesc MakeConstant(const Arguments& arguments, const DeviceOptions&) {
  return {arguments.tensor(fill::kOutputTensor), arguments.Scalar(fill::kValue), 0};
}
FillDesc MakeSequence(const Arguments& arguments, const DeviceOptions&) {
  return {arguments.tensor(fill::kOutputTensor), arguments.Scalar(fill::kValueStart),
          arguments.Scalar(fill::kValueDelta)};
}

// ---- GATHER.

GatherDesc MakeGather(const Arguments& arguments, const DeviceOptions&) {
  return {arguments.tensor(gather::kInputTensor), arguments.tensor(gather::kIndicesTensor),
          arguments.tensor(gather::kOutputTensor), arguments.Uint(gather::kAxis),
          arguments.Uint(gather::kIndexDimensions)};
}

Status CheckIndexDimensions(const Arguments& arguments) {
  const TensorDesc& indices = arguments.tensor(gather::kIndicesTensor);
  Status status = CheckAxis(arguments, gather::kAxis, arguments.tensor(gather::kInputTensor));
  if (!status.ok()) return status;
  const uint32_t used = arguments.Uint(gather::kIndexDimensions);
  if (used > indices.dimension_count) {
    return arguments.Fail(fmt::format("IndexDimensions = {} must be at most DimensionCount = {}",
                                      used, indices.dimension_count));
  }
  for (uint32_t i = 0; i < indices.dimension_count - used; ++i) {
    if (indices.sizes[i] == 1) continue;
    return arguments.Fail(
        fmt::format("IndicesTensor.Sizes[{}] = {} must be 1, since IndexDimensions = {}", i,
                    indices.sizes[i], used));
  }
  return {};
}

// Of the output; too many where leading ones do not suffice (B76).
std::vector<uint32_t> GatheredSizes(const Arguments& arguments) {
  const TensorDesc& input = arguments.tensor(gather::kInputTensor);
  const TensorDesc& indices = arguments.tensor(gather::kIndicesTensor);
  const auto axis = static_cast<std::ptrdiff_t>(arguments.Uint(gather::kAxis));
  const auto from = input.Sizes(), chosen = indices.Sizes();
  std::vector<uint32_t> before(from.begin(), from.begin() + axis);
  std::vector<uint32_t> inner(chosen.end() - arguments.Uint(gather::kIndexDimensions),
                              chosen.end());
  const std::vector<uint32_t> after(from.begin() + axis + 1, from.end());
  for (std::vector<uint32_t>* part : {&before, &inner}) {
    while (!part->empty() && part->front() == 1 &&
           before.size() + inner.size() + after.size() > input.dimension_count) {
      part->erase(part->begin());
    }
  }
  before.insert(before.end(), inner.begin(), inner.end());
  before.insert(before.end(), after.begin(), after.end());
  while (before.size() < input.dimension_count) before.insert(before.begin(), 1);
  return before;
}

Status CheckGatheredCount(const Arguments& arguments, const std::vector<uint32_t>& sizes) {
  const uint32_t count = arguments.tensor(gather::kInputTensor).dimension_count;
  if (sizes.size() <= count) return {};
  return arguments.Fail(fmt::format(
      "the result's sizes {} are more than DimensionCount = {}, and no more of them are "
      "leading ones",
      BracedList(std::span<const uint32_t>(sizes)), count));
}

// ---- ONE_HOT.

OneHotDesc MakeOneHot(const Arguments& arguments, const DeviceOptions&) {
  return {arguments.tensor(one_hot::kIndicesTensor), arguments.tensor(one_hot::kValuesTensor),
          arguments.tensor(one_hot::kOutputTensor), arguments.Uint(one_hot::kAxis)};
}

}  // namespace

Status CheckJoin(const Arguments& arguments) { return CheckParts(arguments, kJoinParts); }
Status CheckSplit(const Arguments& arguments) { return CheckParts(arguments, kSplitParts); }

Result<std::vector<TensorDesc>> JoinOutputs(const Arguments& arguments) {
  const TensorDesc& first = arguments.at(join::kInputTensors).tensors[0];
  Status status = CheckAxis(arguments, join::kAxis, first);
  if (!status.ok()) return status.error();
  const uint32_t axis = arguments.Uint(join::kAxis);
  uint64_t sum = 0;
  for (size_t p = 0; p < arguments.at(join::kInputTensors).tensors.size(); ++p) {
    const size_t number = arguments.EntryNumber(join::kInputTensors, p);
    status = CheckOffAxis(arguments, number, arguments.EntryNumber(join::kInputTensors, 0), axis);
    if (!status.ok()) return status.error();
    sum += arguments.tensor(number).sizes[axis];
  }
  Dimensions sizes = first.sizes;
  status = schema::StoreOutputSize(arguments, join::kOutputTensor, axis, sum, sizes);
  if (!status.ok()) return status.error();
  return std::vector{PackedTensor(first.data_type, {sizes.data(), first.dimension_count})};
}

// Parts of one size, which is what frameworks mean by a number of parts.
Result<std::vector<TensorDesc>> SplitOutputs(const Arguments& arguments) {
  const TensorDesc& input = arguments.tensor(split::kInputTensor);
  Status status = CheckAxis(arguments, split::kAxis, input);
  if (!status.ok()) return status.error();
  const uint32_t axis = arguments.Uint(split::kAxis), count = arguments.Uint(split::kOutputCount);
  if (input.sizes[axis] % count != 0) {
    return arguments.Fail(
        fmt::format("OutputTensors is required, since InputTensor.Sizes[{}] = {} "
                    "is no multiple of OutputCount = {}",
                    axis, input.sizes[axis], count));
  }
  Dimensions sizes = input.sizes;
  sizes[axis] /= count;
  return std::vector(count, PackedTensor(input.data_type, {sizes.data(), input.dimension_count}));
}

Status CheckGather(const Arguments& arguments) {
  Status status = CheckIndexDimensions(arguments);
  if (!status.ok()) return status;
  const std::vector<uint32_t> sizes = GatheredSizes(arguments);
  status = CheckGatheredCount(arguments, sizes);
  if (!status.ok()) return status;
  const TensorDesc& output = arguments.tensor(gather::kOutputTensor);
  if (std::ranges::equal(output.Sizes(), sizes)) return {};
  return arguments.Fail(fmt::format("OutputTensor.Sizes = {} must be {}",
                                    BracedList(output.Sizes()),
                                    BracedList(std::span<const uint32_t>(sizes))));
}

Result<std::vector<TensorDesc>> GatherOutputs(const Arguments& arguments) {
  Status status = CheckIndexDimensions(arguments);
  if (!status.ok()) return status.error();
  const std::vector<uint32_t> sizes = GatheredSizes(arguments);
  status = CheckGatheredCount(arguments, sizes);
  if (!status.ok()) return status.error();
  return std::vector{PackedTensor(arguments.tensor(gather::kInputTensor).data_type, sizes)};
}

Status CheckOneHot(const Arguments& arguments) {
  const TensorDesc& indices = arguments.tensor(one_hot::kIndicesTensor);
  Status status = CheckAxis(arguments, one_hot::kAxis, indices);
  if (!status.ok()) return status;
  const uint32_t axis = arguments.Uint(one_hot::kAxis);
  status = CheckOffAxis(arguments, one_hot::kIndicesTensor, one_hot::kOutputTensor, axis);
  if (!status.ok()) return status;
  if (indices.sizes[axis] != 1) {
    return arguments.Fail(fmt::format("IndicesTensor.Sizes[{}] = {} must be 1, since Axis = {}",
                                      axis, indices.sizes[axis], axis));
  }
  if (arguments.tensor(one_hot::kValuesTensor).ElementCount() >= 2) return {};
  return arguments.Fail(
      "ValuesTensor has 1 element and must have 2: the value where an index is "
      "not, and where it is");
}

constinit const Definition kJoin = {&kJoinSchema,    EraseDesc<PartsDesc, MakeParts<kJoinParts>>,
                                    &kPartsKernel,   kJoinCases,
                                    kJoinBenchCases, JoinGradient};
constinit const Definition kSplit = {&kSplitSchema,    EraseDesc<PartsDesc, MakeParts<kSplitParts>>,
                                     &kPartsKernel,    kSplitCases,
                                     kSplitBenchCases, SplitGradient};
constinit const Definition kFillValueConstant = {
    &kFillSchema,        EraseDesc<FillDesc, MakeConstant>,
    &kConstantKernel,    kConstantCases,
    kConstantBenchCases, ZeroGradient};
constinit const Definition kFillValueSequence = {
    &kSequenceSchema,    EraseDesc<FillDesc, MakeSequence>,
    &kSequenceKernel,    kSequenceCases,
    kSequenceBenchCases, ZeroGradient};
constinit const Definition kGather = {&kGatherSchema,    EraseDesc<GatherDesc, MakeGather>,
                                      &kGatherKernel,    kGatherCases,
                                      kGatherBenchCases, GatherGradient};
constinit const Definition kOneHot = {&kOneHotSchema,    EraseDesc<OneHotDesc, MakeOneHot>,
                                      &kOneHotKernel,    kOneHotCases,
                                      kOneHotBenchCases, OneHotGradient};

}  // namespace anydml::movement
