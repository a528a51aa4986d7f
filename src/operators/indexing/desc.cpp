// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Rules that no table can say, and from arguments to descriptions.
#include "operators/indexing/desc.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "operators/gradient_writer.h"
#include "operators/indexing/cases.h"
#include "operators/indexing/schema.h"

namespace anydml::indexing {
namespace {

using schema::Arguments;

Status CheckAxis(const Arguments& arguments, size_t axis, const TensorDesc& tensor) {
  if (arguments.Uint(axis) < tensor.dimension_count) return {};
  return arguments.Fail(fmt::format("Axis = {} must be less than DimensionCount = {}",
                                    arguments.Uint(axis), tensor.dimension_count));
}

// ---- Tuples of indices.

bool IsScatter(const Arguments& arguments) {
  return arguments.schema().fields[scatter::kUpdatesTensor].name == "UpdatesTensor";
}

// The axis, or the counts, follow the tensors.
size_t FirstSetting(const Arguments& arguments) {
  if (IsScatter(arguments)) return scatter::kAxis;
  return gather::kAxis;
}

struct Counts {
  size_t field;
  uint32_t input;
  uint32_t indices;
  uint32_t batch;

  explicit Counts(const Arguments& arguments)
      : field(FirstSetting(arguments)),
        input(arguments.Uint(field)),
        indices(arguments.Uint(field + 1)),
        batch(arguments.schema().fields.size() > field + 2 ? arguments.Uint(field + 2) : 0) {}
};

// That many of a tensor's last sizes count.
Status CheckCount(const Arguments& arguments, size_t tensor, size_t field) {
  const TensorDesc& of = arguments.tensor(tensor);
  const uint32_t count = arguments.Uint(field);
  const std::string_view name = arguments.schema().fields[field].name;
  if (count < 1 || count > of.dimension_count) {
    return arguments.Fail(fmt::format("{} = {} must be at least 1 and at most DimensionCount = {}",
                                      name, count, of.dimension_count));
  }
  for (uint32_t i = 0; i < of.dimension_count - count; ++i) {
    if (of.sizes[i] == 1) continue;
    return arguments.Fail(fmt::format("{}.Sizes[{}] = {} must be 1, since {} = {}",
                                      arguments.TensorName(tensor), i, of.sizes[i], name, count));
  }
  return {};
}

Status CheckBatch(const Arguments& arguments, const Counts& counts) {
  for (size_t of : {counts.field, counts.field + 1}) {
    if (counts.batch < arguments.Uint(of)) continue;
    return arguments.Fail(fmt::format("BatchDimensionCount = {} must be less than {} = {}",
                                      counts.batch, arguments.schema().fields[of].name,
                                      arguments.Uint(of)));
  }
  const TensorDesc &input = arguments.tensor(gather::kInputTensor),
                   &indices = arguments.tensor(gather::kIndicesTensor);
  for (uint32_t k = 0; k < counts.batch; ++k) {
    const uint32_t i = indices.dimension_count - counts.indices + k;
    const uint32_t j = input.dimension_count - counts.input + k;
    if (indices.sizes[i] == input.sizes[j]) continue;
    return arguments.Fail(
        fmt::format("IndicesTensor.Sizes[{}] = {} must equal "
                    "InputTensor.Sizes[{}] = {}",
                    i, indices.sizes[i], j, input.sizes[j]));
  }
  return {};
}

Status CheckTuples(const Arguments& arguments) {
  const Counts counts(arguments);
  Status status = CheckCount(arguments, gather::kInputTensor, counts.field);
  if (status.ok()) status = CheckCount(arguments, gather::kIndicesTensor, counts.field + 1);
  if (status.ok()) status = CheckBatch(arguments, counts);
  if (!status.ok()) return status;
  const TensorDesc& indices = arguments.tensor(gather::kIndicesTensor);
  const uint32_t last = indices.dimension_count - 1, most = counts.input - counts.batch;
  if (indices.sizes[last] <= most) return {};
  return arguments.Fail(fmt::format(
      "IndicesTensor.Sizes[{}] = {} must be at most {} = {}", last, indices.sizes[last],
      counts.batch == 0 ? "InputDimensionCount" : "InputDimensionCount - BatchDimensionCount",
      most));
}

// Of the output, or of the updates; too many where they have more than DimensionCount.
Result<std::vector<uint32_t>> ChosenSizes(const Arguments& arguments) {
  Status status = CheckTuples(arguments);
  if (!status.ok()) return status.error();
  const Counts counts(arguments);
  const auto from = arguments.tensor(gather::kInputTensor).Sizes();
  const auto indices = arguments.tensor(gather::kIndicesTensor).Sizes();
  const auto behind = from.last(counts.input - counts.batch - indices.back());
  std::vector<uint32_t> sizes(indices.end() - counts.indices, indices.end() - 1);
  sizes.insert(sizes.end(), behind.begin(), behind.end());
  if (sizes.size() > from.size()) {
    return arguments.Fail(fmt::format("the result's sizes {} are more than DimensionCount = {}",
                                      BracedList(std::span<const uint32_t>(sizes)), from.size()));
  }
  sizes.insert(sizes.begin(), from.size() - sizes.size(), 1);
  return sizes;
}

Status CheckChosen(const Arguments& arguments, size_t field) {
  Result<std::vector<uint32_t>> sizes = ChosenSizes(arguments);
  if (!sizes.ok()) return sizes.error();
  const TensorDesc& chosen = arguments.tensor(field);
  if (std::ranges::equal(chosen.Sizes(), sizes.value())) return {};
  return arguments.Fail(fmt::format("{}.Sizes = {} must be {}", arguments.TensorName(field),
                                    BracedList(chosen.Sizes()),
                                    BracedList(std::span<const uint32_t>(sizes.value()))));
}

template <bool kHasTuples>
IndexedDesc MakeIndexed(const Arguments& arguments, const DeviceOptions&) {
  const bool scatters = IsScatter(arguments);
  IndexedDesc desc = {
      .input = arguments.tensor(gather::kInputTensor),
      .indices = arguments.tensor(gather::kIndicesTensor),
      .updates = scatters ? arguments.tensor(scatter::kUpdatesTensor) : TensorDesc(),
      .output = arguments.tensor(FirstSetting(arguments) - 1),
      .has_tuples = kHasTuples,
      .axis = 0,
      .input_dimensions = 0,
      .index_dimensions = 0,
      .batch_dimensions = 0};
  if (kHasTuples) {
    const Counts counts(arguments);
    desc.input_dimensions = counts.input;
    desc.index_dimensions = counts.indices;
    desc.batch_dimensions = counts.batch;
  } else {
    desc.axis = arguments.Uint(FirstSetting(arguments));
  }
  return desc;
}

}  // namespace

Status CheckElements(const Arguments& arguments) {
  const TensorDesc &input = arguments.tensor(gather::kInputTensor),
                   &indices = arguments.tensor(gather::kIndicesTensor);
  const size_t field = FirstSetting(arguments);
  Status status = CheckAxis(arguments, field, input);
  if (!status.ok()) return status;
  for (uint32_t i = 0; i < input.dimension_count; ++i) {
    if (i == arguments.Uint(field) || indices.sizes[i] == input.sizes[i]) continue;
    return arguments.Fail(
        fmt::format("IndicesTensor.Sizes[{}] = {} must equal InputTensor.Sizes[{}] = {}", i,
                    indices.sizes[i], i, input.sizes[i]));
  }
  return {};
}

Status CheckGatherTuples(const Arguments& arguments) {
  return CheckChosen(arguments, gather::kOutputTensor);
}
Status CheckScatterTuples(const Arguments& arguments) {
  return CheckChosen(arguments, scatter::kUpdatesTensor);
}

Result<std::vector<TensorDesc>> GatherNdOutputs(const Arguments& arguments) {
  const Result<std::vector<uint32_t>> sizes = ChosenSizes(arguments);
  if (!sizes.ok()) return sizes.error();
  return std::vector{PackedTensor(arguments.tensor(gather::kInputTensor).data_type, sizes.value())};
}

constinit const Definition kGatherElements = {&kGatherElementsSchema,
                                              EraseDesc<IndexedDesc, MakeIndexed<false>>,
                                              &kGatherKernel,
                                              kGatherElementsCases,
                                              kGatherElementsBenchCases,
                                              GatherGradient};
constinit const Definition kGatherNd = {
    &kGatherNdSchema, EraseDesc<IndexedDesc, MakeIndexed<true>>, &kGatherKernel, kGatherNdCases, {},
    GatherNdGradient};
constinit const Definition kGatherNd1 = {
    &kGatherNd1Schema,    EraseDesc<IndexedDesc, MakeIndexed<true>>,
    &kGatherKernel,       kGatherNd1Cases,
    kGatherNd1BenchCases, GatherNdGradient};
constinit const Definition kScatter = {
    &kScatterSchema,    EraseDesc<IndexedDesc, MakeIndexed<false>>,
    &kScatterKernel,    kScatterCases,
    kScatterBenchCases, ScatterGradient};
constinit const Definition kScatterNd = {
    &kScatterNdSchema,    EraseDesc<IndexedDesc, MakeIndexed<true>>,
    &kScatterKernel,      kScatterNdCases,
    kScatterNdBenchCases, ScatterGradient};

}  // namespace anydml::indexing
