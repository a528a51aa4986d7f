// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// REDUCE, ARGMIN and ARGMAX: from descriptions to plans.
#include "operators/reduce/reduction.h"

#include <directml.h>

#include "base/text.h"
#include "kernels/reduce/cpu/strategies.h"
#include "operators/axis_sets.h"
#include "operators/gradient_writer.h"
#include "operators/reduce/cases.h"
#include "operators/reduce/definitions.h"
#include "operators/reduce/gradient.h"
#include "operators/reduce/schema.h"

namespace anydml::reduce {
namespace {

// A function's types from a level on; the newest rows first.
struct FunctionSupport {
  std::initializer_list<Function> functions;
  FeatureLevel level;
  DataTypeSet types;
};

const FunctionSupport kFunctionSupport[] = {
    {{Function::kArgMax, Function::kArgMin}, FeatureLevel::k4_1, kTenTypes},
    {{Function::kArgMax, Function::kArgMin}, FeatureLevel::k2_1, kEightTypes},
    {{Function::kL1, Function::kSumSquare, Function::kMultiply, Function::kSum},
     FeatureLevel::k5_0,
     kFloats | kIndexTypes},
    {{Function::kMultiply, Function::kSum}, FeatureLevel::k2_1, kFloats | k32Bits},
    {{Function::kMax, Function::kMin}, FeatureLevel::k5_0, kTenTypes},
    {{Function::kMax, Function::kMin}, FeatureLevel::k3_0, kEightTypes},
    {{Function::kMax, Function::kMin}, FeatureLevel::k2_1, kFloats | k32Bits},
};

DataTypeSet TypesAt(Function function, FeatureLevel level) {
  for (const FunctionSupport& row : kFunctionSupport) {
    if (row.level <= level && std::ranges::count(row.functions, function) != 0) return row.types;
  }
  return kFloats;
}

Function FunctionOf(const schema::Arguments& arguments) {
  return static_cast<Function>(arguments.Uint(kReduceFunctionField));
}
bool IsArg(Function function) {
  return function == Function::kArgMax || function == Function::kArgMin;
}

// "Function = SUM"
std::string FunctionText(const schema::Arguments& arguments) {
  return fmt::format("Function = {}", schema::ValueText(arguments, kReduceFunctionField));
}

Status CheckSizes(const schema::Arguments& arguments, size_t input, size_t axes) {
  const TensorDesc& x = arguments.tensor(input);
  const TensorDesc& y = arguments.tensor(input + 1);
  const Dimensions wanted = ReducedSizes(x, AxesOf(arguments.Uints(axes)));
  if (std::ranges::equal(y.Sizes(), std::span(wanted.data(), x.dimension_count))) return {};
  return arguments.Fail(
      fmt::format("OutputTensor.Sizes = {} must be InputTensor.Sizes with 1 in each of Axes, {}",
                  BracedList(y.Sizes()), BracedList(std::span(wanted.data(), x.dimension_count))));
}

// The greatest index fits.
Status CheckIndexRange(const schema::Arguments& arguments, size_t input, size_t axes) {
  if (arguments.tensor(input + 1).data_type != DataType::kInt32) return {};
  uint64_t count = 1;
  for (uint32_t axis : arguments.Uints(axes)) count *= arguments.tensor(input).sizes[axis];
  if (count <= uint64_t{1} << 31) return {};
  return arguments.Fail(fmt::format(
      "OutputTensor.DataType = INT32 must be able to hold {}, the greatest index", count - 1));
}

Result<std::vector<TensorDesc>> Outputs(const schema::Arguments& arguments, DataType type,
                                        size_t input, size_t axes) {
  const TensorDesc& x = arguments.tensor(input);
  const Dimensions sizes = ReducedSizes(x, AxesOf(arguments.Uints(axes)));
  return std::vector{PackedTensor(type, {sizes.data(), x.dimension_count})};
}

}  // namespace

Status CheckReduceTypes(const schema::Arguments& arguments, FeatureLevel level) {
  const Function function = FunctionOf(arguments);
  const DataType type = arguments.tensor(kReduceInput).data_type;
  const DataType output = arguments.tensor(kReduceOutput).data_type;
  if (!TypesAt(function, level).Contains(type)) {
    for (FeatureLevel later : kFeatureLevels) {
      if (!TypesAt(function, later).Contains(type)) continue;
      return arguments.Fail(fmt::format(
          "{} with InputTensor.DataType = {} needs feature level {} or above; this device has {}",
          FunctionText(arguments), DataTypeName(type), FeatureLevelName(later),
          FeatureLevelName(level)));
    }
    return arguments.Fail(fmt::format("{} does not take InputTensor.DataType = {}",
                                      FunctionText(arguments), DataTypeName(type)));
  }
  if (!IsArg(function) && output != type) {
    return arguments.Fail(
        fmt::format("OutputTensor.DataType = {} must equal InputTensor.DataType = {} for {}",
                    DataTypeName(output), DataTypeName(type), FunctionText(arguments)));
  }
  if (IsArg(function) && !kIndexTypes.Contains(output)) {
    return arguments.Fail(
        fmt::format("OutputTensor.DataType = {} must be UINT32, INT32, UINT64 or INT64 for {}",
                    DataTypeName(output), FunctionText(arguments)));
  }
  if (IsArg(function) && level < FeatureLevel::k3_0 && output != DataType::kUint32) {
    return arguments.Fail(fmt::format(
        "OutputTensor.DataType = {} for {} needs feature level 3_0 or above; this device has {}",
        DataTypeName(output), FunctionText(arguments), FeatureLevelName(level)));
  }
  return {};
}

Status CheckReduceSizes(const schema::Arguments& arguments) {
  Status status = CheckSizes(arguments, kReduceInput, kAxes);
  if (!status.ok() || !IsArg(FunctionOf(arguments))) return status;
  return CheckIndexRange(arguments, kReduceInput, kAxes);
}

Status CheckArgSizes(const schema::Arguments& arguments) {
  Status status = CheckSizes(arguments, kInput, kArgAxes);
  return status.ok() ? CheckIndexRange(arguments, kInput, kArgAxes) : status;
}

Result<std::vector<TensorDesc>> ReduceOutputs(const schema::Arguments& arguments) {
  const DataType type =
      IsArg(FunctionOf(arguments)) ? DataType::kUint32 : arguments.tensor(kReduceInput).data_type;
  return Outputs(arguments, type, kReduceInput, kAxes);
}

Result<std::vector<TensorDesc>> ArgOutputs(const schema::Arguments& arguments) {
  return Outputs(arguments, DataType::kUint32, kInput, kArgAxes);
}

namespace {

Reduction DescribeReduce(const schema::Arguments& arguments, const DeviceOptions&) {
  return {.function = FunctionOf(arguments),
          .input = arguments.tensor(kReduceInput),
          .output = arguments.tensor(kReduceOutput),
          .reduced = AxesOf(arguments.Uints(kAxes)),
          .last = false};
}

template <Function kFunction>
Reduction DescribeArg(const schema::Arguments& arguments, const DeviceOptions&) {
  return {.function = kFunction,
          .input = arguments.tensor(kInput),
          .output = arguments.tensor(kOutput),
          .reduced = AxesOf(arguments.Uints(kArgAxes)),
          .last = arguments.Uint(kArgDirection) == DML_AXIS_DIRECTION_DECREASING};
}

Plan PlanOf(const Reduction& desc) {
  Plan plan = {.function = desc.function,
               .type = desc.input.data_type,
               .output_type = desc.output.data_type,
               .last = desc.last,
               .sets = MakeSets<2>({&desc.input, &desc.output}, desc.reduced),
               .columns = {}};
  plan.columns = FindColumns(plan.sets.kept);
  return plan;
}

std::string ExplainPlan(const Plan& plan) { return ExplainSets(plan.sets); }

constinit const Kernel kReductionKernel = {
    .name = "reduce",
    .data_types = kTenTypes,
    .preserves_nan_bits = false,
    .make_plan = ErasePlan<Reduction, Plan, PlanOf>,
    .explain = EraseExplain<Plan, ExplainPlan>,
    .make_tables = WithoutTables,
    .reference = EraseReference<Reduction, ReferenceReduction>,
    .cpu_strategies = kReductionStrategies};

}  // namespace

constinit const Definition kReduce = {&kReduceSchema,    EraseDesc<Reduction, DescribeReduce>,
                                      &kReductionKernel, kReduceCases,
                                      kReduceBenchCases, ReduceGradient};
constinit const Definition kArgMin = {
    &kArgMinSchema,    EraseDesc<Reduction, DescribeArg<Function::kArgMin>>,
    &kReductionKernel, kArgCases,
    kArgBenchCases,    ZeroGradient};
constinit const Definition kArgMax = {
    &kArgMaxSchema,    EraseDesc<Reduction, DescribeArg<Function::kArgMax>>,
    &kReductionKernel, kArgCases,
    kArgBenchCases,    ZeroGradient};

}  // namespace anydml::reduce
