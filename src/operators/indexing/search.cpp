// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// TOP_K, TOP_K1 and NONZERO_COORDINATES: from descriptions to plans.
#include "base/text.h"
#include "kernels/move/cpu/strategies.h"
#include "kernels/move/search_plan.h"
#include "operators/axis_sets.h"
#include "operators/gradient_writer.h"
#include "operators/indexing/cases.h"
#include "operators/indexing/desc.h"
#include "operators/indexing/search_schema.h"
#include "operators/plain_kernel.h"

namespace anydml::indexing {
namespace {

using schema::Arguments;

// ---- TOP_K and TOP_K1

Status CheckAxisAndK(const Arguments& arguments) {
  const TensorDesc& input = arguments.tensor(top_k::kInputTensor);
  const uint32_t axis = arguments.Uint(top_k::kAxis), k = arguments.Uint(top_k::kK);
  if (axis >= input.dimension_count) {
    return arguments.Fail(fmt::format("Axis = {} must be less than DimensionCount = {}", axis,
                                      input.dimension_count));
  }
  if (k >= 1 && k <= input.sizes[axis]) return {};
  return arguments.Fail(
      fmt::format("K = {} must be at least 1 and at most InputTensor.Sizes[{}] = {}", k, axis,
                  input.sizes[axis]));
}

Dimensions SizesOfTopK(const Arguments& arguments) {
  Dimensions sizes = arguments.tensor(top_k::kInputTensor).sizes;
  sizes[arguments.Uint(top_k::kAxis)] = arguments.Uint(top_k::kK);
  return sizes;
}

template <bool kHasDirection>
TopKDesc MakeTopK(const Arguments& arguments, const DeviceOptions&) {
  return {.input = arguments.tensor(top_k::kInputTensor),
          .values = arguments.tensor(top_k::kOutputValueTensor),
          .indices = arguments.tensor(top_k::kOutputIndexTensor),
          .axis = arguments.Uint(top_k::kAxis),
          .k = arguments.Uint(top_k::kK),
          .increasing = kHasDirection &&
                        arguments.Uint(top_k::kAxisDirection) == DML_AXIS_DIRECTION_INCREASING};
}

move::TopK PlanTopK(const TopKDesc& desc) {
  AxisSet line = {};
  line[desc.axis] = true;
  return {.type = desc.input.data_type,
          .index_type = desc.indices.data_type,
          .increasing = desc.increasing,
          .count = desc.input.sizes[desc.axis],
          .k = desc.k,
          .steps = {desc.input.strides[desc.axis], desc.values.strides[desc.axis],
                    desc.indices.strides[desc.axis]},
          .lines = reduce::MakeSets<3>({&desc.input, &desc.values, &desc.indices}, line).kept};
}

std::string ExplainTopK(const move::TopK& plan) {
  return fmt::format("{} of {} elements, {} apart, of each of {} lines", plan.k, plan.count,
                     plan.steps[0], plan.lines.ElementCount());
}

// ---- NONZERO_COORDINATES

// Dimensions but leading ones of size 1; at least one, for the sake of a column.
uint32_t LeastColumns(const TensorDesc& input) {
  uint32_t columns = input.dimension_count;
  while (columns > 1 && input.sizes[input.dimension_count - columns] == 1) --columns;
  return columns;
}

NonzeroDesc MakeNonzero(const Arguments& arguments, const DeviceOptions&) {
  return {arguments.tensor(nonzero::kInputTensor), arguments.tensor(nonzero::kOutputCountTensor),
          arguments.tensor(nonzero::kOutputCoordinatesTensor)};
}

move::Nonzero PlanNonzero(const NonzeroDesc& desc) {
  const TensorDesc& coordinates = desc.coordinates;
  const uint32_t size = ElementSize(desc.input.data_type), last = coordinates.dimension_count - 1;
  // -0 is zero.
  const bool has_sign = kFloats.Contains(desc.input.data_type);
  return {.element_size = size,
          .mask = ~uint64_t{0} >> (64 - 8 * size + (has_sign ? 1 : 0)),
          .input = desc.input,
          .count = desc.input.ElementCount(),
          .columns = coordinates.sizes[last],
          .row_stride = coordinates.strides[last - 1],
          .column_stride = coordinates.strides[last]};
}

std::string ExplainNonzero(const move::Nonzero& plan) {
  return fmt::format("{} coordinates of each of {} elements", plan.columns, plan.count);
}

constinit const Kernel kTopKKernel =
    PlainKernel<TopKDesc, move::TopK, PlanTopK, ExplainTopK, TopKReference>("top_k", kTenTypes,
                                                                            move::kTopKStrategies);
constinit const Kernel kNonzeroKernel =
    PlainKernel<NonzeroDesc, move::Nonzero, PlanNonzero, ExplainNonzero, NonzeroReference>(
        "nonzero", kEightTypes, move::kNonzeroStrategies);

}  // namespace

Status CheckTopK(const Arguments& arguments) {
  Status status = CheckAxisAndK(arguments);
  if (!status.ok()) return status;
  const TensorDesc& values = arguments.tensor(top_k::kOutputValueTensor);
  const Dimensions sizes = SizesOfTopK(arguments);
  const std::span<const uint32_t> expected(sizes.data(), values.dimension_count);
  if (std::ranges::equal(values.Sizes(), expected)) return {};
  return arguments.Fail(fmt::format("OutputValueTensor.Sizes = {} must be {}",
                                    BracedList(values.Sizes()), BracedList(expected)));
}

Result<std::vector<TensorDesc>> TopKOutputs(const Arguments& arguments) {
  const Status status = CheckAxisAndK(arguments);
  if (!status.ok()) return status.error();
  const TensorDesc& input = arguments.tensor(top_k::kInputTensor);
  const Dimensions sizes = SizesOfTopK(arguments);
  const std::span<const uint32_t> used(sizes.data(), input.dimension_count);
  return std::vector{PackedTensor(input.data_type, used), PackedTensor(DataType::kUint32, used)};
}

Status CheckNonzero(const Arguments& arguments) {
  const TensorDesc &input = arguments.tensor(nonzero::kInputTensor),
                   &count = arguments.tensor(nonzero::kOutputCountTensor),
                   &coordinates = arguments.tensor(nonzero::kOutputCoordinatesTensor);
  if (count.ElementCount() != 1) {
    return arguments.Fail(fmt::format("OutputCountTensor.Sizes = {} must be 1 in every entry",
                                      BracedList(count.Sizes())));
  }
  const uint32_t last = coordinates.dimension_count - 1;
  for (uint32_t i = 0; i < last; ++i) {
    const uint64_t size = i + 1 == last ? input.ElementCount() : 1;
    if (coordinates.sizes[i] == size) continue;
    return arguments.Fail(fmt::format("OutputCoordinatesTensor.Sizes[{}] = {} must be {}", i,
                                      coordinates.sizes[i], size));
  }
  const uint32_t least = LeastColumns(input), columns = coordinates.sizes[last];
  if (columns >= least && columns <= input.dimension_count) return {};
  return arguments.Fail(
      fmt::format("OutputCoordinatesTensor.Sizes[{}] = {} must be at least {} and at most "
                  "InputTensor.DimensionCount = {}",
                  last, columns, least, input.dimension_count));
}

Result<std::vector<TensorDesc>> NonzeroOutputs(const Arguments& arguments) {
  const TensorDesc& input = arguments.tensor(nonzero::kInputTensor);
  std::vector<uint32_t> count(input.dimension_count, 1);
  std::vector<uint32_t> coordinates(std::max(input.dimension_count, 2u), 1);
  coordinates.back() = input.dimension_count;
  coordinates[coordinates.size() - 2] = static_cast<uint32_t>(input.ElementCount());
  return std::vector{PackedTensor(DataType::kUint32, count),
                     PackedTensor(DataType::kUint32, coordinates)};
}

constinit const Definition kTopK = {
    &kTopKSchema, EraseDesc<TopKDesc, MakeTopK<false>>, &kTopKKernel, kTopKCases, {}, TopKGradient};
constinit const Definition kTopK1 = {&kTopK1Schema,    EraseDesc<TopKDesc, MakeTopK<true>>,
                                     &kTopKKernel,     kTopK1Cases,
                                     kTopK1BenchCases, TopKGradient};
constinit const Definition kNonzeroCoordinates = {
    &kNonzeroSchema,    EraseDesc<NonzeroDesc, MakeNonzero>,
    &kNonzeroKernel,    kNonzeroCases,
    kNonzeroBenchCases, ZeroGradient};

}  // namespace anydml::indexing
