// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// MATRIX_MULTIPLY_INTEGER: from descriptions to plans.
#include <fmt/format.h>

#include "base/text.h"
#include "kernels/matmul/cpu/strategies.h"
#include "operators/matmul/cases.h"
#include "operators/matmul/desc.h"
#include "operators/matmul/schema.h"

namespace anydml::matmul {

namespace integer {
namespace {

Status CheckSize(const schema::Arguments& arguments, size_t field, uint32_t dimension,
                 size_t other_field, uint32_t other_dimension) {
  const uint32_t size = arguments.tensor(field).sizes[dimension];
  const uint32_t other = arguments.tensor(other_field).sizes[other_dimension];
  if (size == other) return {};
  return arguments.Fail(fmt::format("{}.Sizes[{}] = {} must equal {}.Sizes[{}] = {}",
                                    arguments.TensorName(field), dimension, size,
                                    arguments.TensorName(other_field), other_dimension, other));
}

// One element, or one for each of those in the dimension that is `from_last` before the last.
Status CheckZeroPoint(const schema::Arguments& arguments, size_t field, uint32_t from_last,
                      std::string_view what) {
  const TensorDesc& zero = arguments.tensor(field);
  if (!zero.present() || zero.ElementCount() == 1) return {};
  const TensorDesc& output = arguments.tensor(kOutputTensor);
  const uint32_t count = output.sizes[output.dimension_count - 1 - from_last];
  const bool fits = zero.dimension_count > from_last &&
                    zero.sizes[zero.dimension_count - 1 - from_last] == count &&
                    zero.ElementCount() == count;
  if (fits) return {};
  return arguments.Fail(
      fmt::format("{}.Sizes = {} must be 1 in every entry, or have one element "
                  "for each of the {} {} of OutputTensor",
                  arguments.TensorName(field), BracedList(zero.Sizes()), count, what));
}

}  // namespace

Status Check(const schema::Arguments& arguments) {
  const uint32_t count = arguments.tensor(kATensor).dimension_count;
  Status status;
  for (uint32_t i = 0; i + 2 < count && status.ok(); ++i) {
    status = CheckSize(arguments, kBTensor, i, kATensor, i);
    if (status.ok()) status = CheckSize(arguments, kOutputTensor, i, kATensor, i);
  }
  if (status.ok()) status = CheckSize(arguments, kBTensor, count - 2, kATensor, count - 1);
  if (status.ok()) status = CheckSize(arguments, kOutputTensor, count - 2, kATensor, count - 2);
  if (status.ok()) status = CheckSize(arguments, kOutputTensor, count - 1, kBTensor, count - 1);
  if (status.ok()) status = CheckZeroPoint(arguments, kAZeroPointTensor, 1, "rows");
  if (status.ok()) status = CheckZeroPoint(arguments, kBZeroPointTensor, 0, "columns");
  return status;
}

Result<std::vector<TensorDesc>> OutputTensors(const schema::Arguments& arguments) {
  const TensorDesc &a = arguments.tensor(kATensor), &b = arguments.tensor(kBTensor);
  Dimensions sizes = a.sizes;
  sizes[a.dimension_count - 1] = b.sizes[a.dimension_count - 1];
  return std::vector{PackedTensor(DataType::kInt32, {sizes.data(), a.dimension_count})};
}

namespace {

IntegerDesc MakeDesc(const schema::Arguments& arguments, const DeviceOptions&) {
  return {.a = arguments.tensor(kATensor),
          .a_zero = arguments.tensor(kAZeroPointTensor),
          .b = arguments.tensor(kBTensor),
          .b_zero = arguments.tensor(kBZeroPointTensor),
          .output = arguments.tensor(kOutputTensor)};
}

IntegerPlan MakePlan(const IntegerDesc& desc) {
  const uint32_t count = desc.a.dimension_count;
  IntegerPlan plan = {.a_type = desc.a.data_type,
                      .b_type = desc.b.data_type,
                      .batches = {1, 1},
                      .rows = desc.a.sizes[count - 2],
                      .columns = desc.b.sizes[count - 1],
                      .depth = desc.a.sizes[count - 1],
                      .a = {},
                      .b = {},
                      .output = {},
                      .has_a_zero = desc.a_zero.present(),
                      .has_b_zero = desc.b_zero.present(),
                      .a_zero_stride = 0,
                      .b_zero_stride = 0};
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t at = 4 - count + i;
    if (at < 2) plan.batches[at] = desc.a.sizes[i];
    plan.a[at] = desc.a.strides[i];
    plan.b[at] = desc.b.strides[i];
    plan.output[at] = desc.output.strides[i];
  }
  const auto stride_of = [](const TensorDesc& zero, uint32_t from_last) -> int64_t {
    if (!zero.present() || zero.ElementCount() == 1) return 0;
    return zero.strides[zero.dimension_count - 1 - from_last];
  };
  plan.a_zero_stride = stride_of(desc.a_zero, 1);
  plan.b_zero_stride = stride_of(desc.b_zero, 0);
  return plan;
}

std::string Explain(const IntegerPlan& plan) {
  return fmt::format("{} times {} rows by {} columns, {} terms each", plan.BatchCount(), plan.rows,
                     plan.columns, plan.depth);
}

constinit const Kernel kKernel = {.name = "matrix_multiply_integer",
                                  .data_types = kBytes,
                                  .preserves_nan_bits = true,
                                  .make_plan = ErasePlan<IntegerDesc, IntegerPlan, MakePlan>,
                                  .explain = EraseExplain<IntegerPlan, Explain>,
                                  .make_tables = WithoutTables,
                                  .reference = EraseReference<IntegerDesc, IntegerReference>,
                                  .cpu_strategies = kIntegerStrategies};

}  // namespace
}  // namespace integer

constinit const Definition kMatrixMultiplyInteger = {
    &integer::kSchema, EraseDesc<IntegerDesc, integer::MakeDesc>, &integer::kKernel, kIntegerCases,
    kIntegerBenchCases};

}  // namespace anydml::matmul
