// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "support/array_operators.h"

#include <directml.h>

#include <bit>

#include "operators/registry.h"

namespace anydml::test {
namespace {

using schema::Arguments;
using JoinStruct = DML_JOIN_OPERATOR_DESC;
using SplitStruct = DML_SPLIT_OPERATOR_DESC;
using Add1Struct = DML_ELEMENT_WISE_ADD1_OPERATOR_DESC;
using EluStruct = DML_ACTIVATION_ELU_OPERATOR_DESC;

constexpr schema::Field kJoinTable[] = {
    schema::TensorCount("InputCount", offsetof(JoinStruct, InputCount)),
    schema::Inputs("InputTensors", offsetof(JoinStruct, InputTensors), kJoinInputCount),
    schema::Output("OutputTensor", offsetof(JoinStruct, OutputTensor)),
    {.name = "Axis", .type = schema::FieldType::kUint, .offset = offsetof(JoinStruct, Axis)},
};
constexpr schema::Field kSplitTable[] = {
    schema::Input("InputTensor", offsetof(SplitStruct, InputTensor)),
    schema::TensorCount("OutputCount", offsetof(SplitStruct, OutputCount)),
    schema::Outputs("OutputTensors", offsetof(SplitStruct, OutputTensors), kSplitOutputCount),
    {.name = "Axis", .type = schema::FieldType::kUint, .offset = offsetof(SplitStruct, Axis)},
};
constexpr schema::TensorSupport kSupport[] = {
    {FeatureLevel::k1_0, {1, 8}, {DataType::kFloat32, DataType::kUint32}}};
constexpr schema::Constraint kJoinConstraints[] = {
    schema::SameDataType({kJoinInputTensors, kJoinOutputTensor}),
    schema::SameDimensionCount({kJoinInputTensors, kJoinOutputTensor}),
};
constexpr schema::Constraint kSplitConstraints[] = {
    schema::SameDataType({kSplitInputTensor, kSplitOutputTensors}),
    schema::SameDimensionCount({kSplitInputTensor, kSplitOutputTensors}),
};

Result<std::vector<TensorDesc>> JoinedOutput(const Arguments& arguments) {
  const std::vector<TensorDesc>& inputs = arguments.at(kJoinInputTensors).tensors;
  const uint32_t axis = arguments.Uint(kJoinAxis);
  Dimensions sizes = inputs[0].sizes;
  for (size_t i = 1; i < inputs.size(); ++i) sizes[axis] += inputs[i].sizes[axis];
  return std::vector{PackedTensor(inputs[0].data_type, {sizes.data(), inputs[0].dimension_count})};
}

constexpr schema::OperatorSchema kJoinSchema = {.name = "JOIN",
                                                .type = DML_OPERATOR_JOIN,
                                                .level = FeatureLevel::k1_0,
                                                .struct_size = sizeof(JoinStruct),
                                                .fields = kJoinTable,
                                                .support = kSupport,
                                                .constraints = kJoinConstraints,
                                                .in_place = {},
                                                .rule = nullptr,
                                                .output_tensors = JoinedOutput};
constexpr schema::OperatorSchema kSplitSchema = {.name = "SPLIT",
                                                 .type = DML_OPERATOR_SPLIT,
                                                 .level = FeatureLevel::k1_0,
                                                 .struct_size = sizeof(SplitStruct),
                                                 .fields = kSplitTable,
                                                 .support = kSupport,
                                                 .constraints = kSplitConstraints,
                                                 .in_place = {}};

// ---- Kernels: the plan is the description.

struct Desc {
  std::vector<TensorDesc> parts;
  TensorDesc whole;
  uint32_t axis;
};

Desc MakeJoin(const Arguments& arguments, const DeviceOptions&) {
  return {arguments.at(kJoinInputTensors).tensors, arguments.tensor(kJoinOutputTensor),
          arguments.Uint(kJoinAxis)};
}
Desc MakeSplit(const Arguments& arguments, const DeviceOptions&) {
  return {arguments.at(kSplitOutputTensors).tensors, arguments.tensor(kSplitInputTensor),
          arguments.Uint(kSplitAxis)};
}
Desc MakePlan(const Desc& desc) { return desc; }
std::string Explain(const Desc& desc) { return std::to_string(desc.parts.size()) + " parts"; }

uint64_t OffsetOf(const TensorDesc& tensor, uint64_t element, uint32_t axis, uint32_t shift) {
  uint64_t offset = 0;
  for (uint32_t i = tensor.dimension_count; i-- > 0;) {
    offset += (element % tensor.sizes[i]) * tensor.strides[i];
    element /= tensor.sizes[i];
  }
  return offset + uint64_t{shift} * tensor.strides[axis];
}

// Calls `move` with the offset of every element in its part and in the whole.
template <typename Move>
void ForEach(const Desc& desc, const Move& move) {
  uint32_t shift = 0;
  for (size_t part = 0; part < desc.parts.size(); ++part) {
    TensorDesc in_whole = desc.parts[part];
    in_whole.strides = desc.whole.strides;
    for (uint64_t i = 0; i < desc.parts[part].ElementCount(); ++i) {
      move(part, OffsetOf(desc.parts[part], i, desc.axis, 0),
           OffsetOf(in_whole, i, desc.axis, shift));
    }
    shift += desc.parts[part].sizes[desc.axis];
  }
}

void Join(const Desc& desc, const Bindings& bindings) {
  ForEach(desc, [&](size_t part, uint64_t from, uint64_t to) {
    bindings.Output<uint32_t>(0)[to] = bindings.Input<uint32_t>(part)[from];
  });
}
void Split(const Desc& desc, const Bindings& bindings) {
  ForEach(desc, [&](size_t part, uint64_t to, uint64_t from) {
    bindings.Output<uint32_t>(part)[to] = bindings.Input<uint32_t>(0)[from];
  });
}
template <void (*kMove)(const Desc&, const Bindings&)>
void RunMove(const Desc& plan, const NoTables&, const Bindings& bindings, const cpu::Executor&) {
  kMove(plan, bindings);
}

template <void (*kMove)(const Desc&, const Bindings&)>
constexpr CpuStrategy kStrategies[] = {
    StrategyOf<Desc, NoTables>::Named<AcceptsAll<Desc>, RunMove<kMove>>("elements")};

template <void (*kMove)(const Desc&, const Bindings&)>
constexpr Kernel kKernel = {.name = "test",
                            .data_types = {DataType::kFloat32, DataType::kUint32},
                            .preserves_nan_bits = true,
                            .make_plan = ErasePlan<Desc, Desc, MakePlan>,
                            .explain = EraseExplain<Desc, Explain>,
                            .make_tables = WithoutTables,
                            .table_bytes = nullptr,
                            .reference = EraseReference<Desc, kMove>,
                            .cpu_strategies = kStrategies<kMove>};

// ---- An operator that is fused.

constexpr schema::Field kEluTable[] = {
    schema::Input("InputTensor", offsetof(EluStruct, InputTensor)),
    schema::Output("OutputTensor", offsetof(EluStruct, OutputTensor)),
    schema::Float("Alpha", offsetof(EluStruct, Alpha)),
};
constexpr schema::TensorSupport kFloats[] = {
    {FeatureLevel::k2_0, {1, 8}, {DataType::kFloat32, DataType::kFloat16}}};

const schema::OperatorSchema& ReluSchema() { return *FindSchema("ACTIVATION_RELU"); }

// Filled before main: the registry's schemas are of another translation unit.
const schema::FusedOperator kFusable[] = {{&ReluSchema(), FeatureLevel::k2_0},
                                          {&kEluSchema, FeatureLevel::k3_0}};
const schema::Field kAdd1Table[] = {
    schema::Input("ATensor", offsetof(Add1Struct, ATensor)),
    schema::Input("BTensor", offsetof(Add1Struct, BTensor)),
    schema::Output("OutputTensor", offsetof(Add1Struct, OutputTensor)),
    schema::Fused("FusedActivation", offsetof(Add1Struct, FusedActivation), kFusable),
};
constexpr schema::Constraint kAdd1Constraints[] = {
    schema::SameDataType({kAdd1ATensor, kAdd1BTensor, kAdd1OutputTensor}),
    schema::SameSizes({kAdd1ATensor, kAdd1BTensor, kAdd1OutputTensor}),
};

std::vector<TensorDesc> Parts(std::initializer_list<uint32_t> rows, uint32_t& total) {
  std::vector<TensorDesc> parts;
  for (uint32_t n : rows) {
    const uint32_t sizes[] = {n, 2};
    parts.push_back(PackedTensor(DataType::kFloat32, sizes));
    total += n;
  }
  return parts;
}

void SetWord(Arguments& arguments, size_t field, uint32_t word) {
  arguments.at(field).words[0] = word;
  arguments.at(field).count = 1;
}

}  // namespace

const schema::OperatorSchema kEluSchema = {.name = "ACTIVATION_ELU",
                                           .type = DML_OPERATOR_ACTIVATION_ELU,
                                           .level = FeatureLevel::k1_0,
                                           .struct_size = sizeof(EluStruct),
                                           .fields = kEluTable,
                                           .support = kFloats,
                                           .constraints = {},
                                           .in_place = {}};
const schema::OperatorSchema kAdd1Schema = {.name = "ELEMENT_WISE_ADD1",
                                            .type = DML_OPERATOR_ELEMENT_WISE_ADD1,
                                            .level = FeatureLevel::k2_0,
                                            .struct_size = sizeof(Add1Struct),
                                            .fields = kAdd1Table,
                                            .support = kFloats,
                                            .constraints = kAdd1Constraints,
                                            .in_place = {}};

const Definition kJoin = {&kJoinSchema, EraseDesc<Desc, MakeJoin>, &kKernel<Join>, {}};
const Definition kSplit = {&kSplitSchema, EraseDesc<Desc, MakeSplit>, &kKernel<Split>, {}};

const schema::OperatorSchema* FindArraySchema(std::string_view name) {
  for (const schema::OperatorSchema* schema : {&kJoinSchema, &kSplitSchema, &kAdd1Schema}) {
    if (schema->name == name) return schema;
  }
  return FindSchema(name);
}

Arguments DescribeJoin(std::initializer_list<uint32_t> rows) {
  Arguments arguments(kJoinSchema);
  uint32_t total[] = {0, 2};
  arguments.at(kJoinInputTensors).tensors = Parts(rows, total[0]);
  arguments.at(kJoinOutputTensor).tensor = PackedTensor(DataType::kFloat32, total);
  SetWord(arguments, kJoinInputCount, static_cast<uint32_t>(rows.size()));
  SetWord(arguments, kJoinAxis, 0);
  return arguments;
}

Arguments DescribeSplit(std::initializer_list<uint32_t> rows) {
  Arguments arguments(kSplitSchema);
  uint32_t total[] = {0, 2};
  arguments.at(kSplitOutputTensors).tensors = Parts(rows, total[0]);
  arguments.at(kSplitInputTensor).tensor = PackedTensor(DataType::kFloat32, total);
  SetWord(arguments, kSplitOutputCount, static_cast<uint32_t>(rows.size()));
  SetWord(arguments, kSplitAxis, 0);
  return arguments;
}

Arguments DescribeAdd1(const float* elu_alpha) {
  Arguments arguments(kAdd1Schema);
  const uint32_t sizes[] = {4};
  for (size_t i : {kAdd1ATensor, kAdd1BTensor, kAdd1OutputTensor}) {
    arguments.at(i).tensor = PackedTensor(DataType::kFloat32, sizes);
  }
  if (elu_alpha == nullptr) return arguments;
  Arguments elu(kEluSchema);
  SetWord(elu, 2, std::bit_cast<uint32_t>(*elu_alpha));
  arguments.at(kAdd1FusedActivation).description = std::make_shared<const Arguments>(elu);
  return arguments;
}

}  // namespace anydml::test
