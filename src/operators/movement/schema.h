// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Operators that move elements or make them of one number: the pages' tables, row by row.
#pragma once

#include <directml.h>

#include "schema/arguments.h"
#include "schema/schema.h"

namespace anydml::movement {

inline constexpr DataTypeSet kFloats = {DataType::kFloat32, DataType::kFloat16};
inline constexpr DataTypeSet kSixTypes =
    kFloats | DataTypeSet{DataType::kInt32, DataType::kInt16, DataType::kUint32, DataType::kUint16};
inline constexpr DataTypeSet kEightTypes =
    kSixTypes | DataTypeSet{DataType::kInt8, DataType::kUint8};
inline constexpr DataTypeSet kTenTypes =
    kEightTypes | DataTypeSet{DataType::kInt64, DataType::kUint64};
inline constexpr DataTypeSet kElevenTypes = kTenTypes | DataTypeSet{DataType::kFloat64};
inline constexpr DataTypeSet kUint32 = {DataType::kUint32};
inline constexpr DataTypeSet kIndexTypes = {DataType::kInt64, DataType::kInt32, DataType::kUint64,
                                            DataType::kUint32};

constexpr schema::Field Uint(std::string_view name, size_t offset) {
  return {.name = name, .type = schema::FieldType::kUint, .offset = offset};
}

// ---- JOIN and SPLIT

namespace join {
enum Fields { kInputCount, kInputTensors, kOutputTensor, kAxis };
using Struct = DML_JOIN_OPERATOR_DESC;
}  // namespace join

namespace split {
enum Fields { kInputTensor, kOutputCount, kOutputTensors, kAxis };
using Struct = DML_SPLIT_OPERATOR_DESC;
}  // namespace split

inline constexpr schema::Field kJoinFields[] = {
    schema::TensorCount("InputCount", offsetof(join::Struct, InputCount)),
    schema::Inputs("InputTensors", offsetof(join::Struct, InputTensors), join::kInputCount),
    schema::Output("OutputTensor", offsetof(join::Struct, OutputTensor)),
    Uint("Axis", offsetof(join::Struct, Axis)),
};
inline constexpr schema::Field kSplitFields[] = {
    schema::Input("InputTensor", offsetof(split::Struct, InputTensor)),
    schema::TensorCount("OutputCount", offsetof(split::Struct, OutputCount)),
    schema::Outputs("OutputTensors", offsetof(split::Struct, OutputTensors), split::kOutputCount),
    Uint("Axis", offsetof(split::Struct, Axis)),
};

// JOIN's page has 4 to 5 dimensions at 3_0 and 1 to 8 from 4_1; the history of levels has 8 from
// 3_1 (B75).
inline constexpr schema::TensorSupport kJoinSupport[] = {
    {FeatureLevel::k4_1, {1, 8}, kElevenTypes}, {FeatureLevel::k3_1, {1, 8}, kEightTypes},
    {FeatureLevel::k3_0, {4, 5}, kEightTypes},  {FeatureLevel::k2_1, {4, 4}, kEightTypes},
    {FeatureLevel::k1_0, {4, 4}, kSixTypes},
};
inline constexpr schema::TensorSupport kSplitSupport[] = {
    {FeatureLevel::k4_1, {1, 8}, kElevenTypes},
    {FeatureLevel::k3_0, {1, 8}, kEightTypes},
    {FeatureLevel::k2_1, {4, 4}, kEightTypes},
    {FeatureLevel::k1_0, {4, 4}, kSixTypes},
};

inline constexpr schema::Constraint kJoinConstraints[] = {
    schema::SameDataType({join::kInputTensors, join::kOutputTensor}),
    schema::SameDimensionCount({join::kInputTensors, join::kOutputTensor}),
};
inline constexpr schema::Constraint kSplitConstraints[] = {
    schema::SameDataType({split::kInputTensor, split::kOutputTensors}),
    schema::SameDimensionCount({split::kInputTensor, split::kOutputTensors}),
};

Status CheckJoin(const schema::Arguments& arguments);
Status CheckSplit(const schema::Arguments& arguments);
Result<std::vector<TensorDesc>> JoinOutputs(const schema::Arguments& arguments);
Result<std::vector<TensorDesc>> SplitOutputs(const schema::Arguments& arguments);

inline constexpr schema::OperatorSchema kJoinSchema = {
    .name = "JOIN",
    .type = DML_OPERATOR_JOIN,
    .level = FeatureLevel::k1_0,
    .struct_size = sizeof(join::Struct),
    .fields = kJoinFields,
    .support = kJoinSupport,
    .constraints = kJoinConstraints,
    .in_place = {},
    // Rule: Axis is less than the DimensionCount. The sizes of InputTensors along Axis add up to
    // that of OutputTensor; all other sizes are equal.
    .rule = CheckJoin,
    .output_tensors = JoinOutputs,
};
inline constexpr schema::OperatorSchema kSplitSchema = {
    .name = "SPLIT",
    .type = DML_OPERATOR_SPLIT,
    .level = FeatureLevel::k1_0,
    .struct_size = sizeof(split::Struct),
    .fields = kSplitFields,
    .support = kSplitSupport,
    .constraints = kSplitConstraints,
    .in_place = {},
    // Rule: Axis is less than the DimensionCount. The sizes of OutputTensors along Axis add up to
    // that of InputTensor; all other sizes are equal.
    .rule = CheckSplit,
    .output_tensors = SplitOutputs,
};

// ---- FILL_VALUE_CONSTANT and FILL_VALUE_SEQUENCE

namespace fill {
enum Fields { kOutputTensor, kValueDataType, kValue };
enum SequenceFields { kValueStart = kValue, kValueDelta };
using Struct = DML_FILL_VALUE_CONSTANT_OPERATOR_DESC;
using SequenceStruct = DML_FILL_VALUE_SEQUENCE_OPERATOR_DESC;
}  // namespace fill

inline constexpr schema::Field kFillFields[] = {
    schema::Output("OutputTensor", offsetof(fill::Struct, OutputTensor)),
    schema::DataTypeOf("ValueDataType", offsetof(fill::Struct, ValueDataType), fill::kOutputTensor),
    schema::ScalarUnion("Value", offsetof(fill::Struct, Value), fill::kValueDataType),
};
inline constexpr schema::Field kSequenceFields[] = {
    schema::Output("OutputTensor", offsetof(fill::SequenceStruct, OutputTensor)),
    schema::DataTypeOf("ValueDataType", offsetof(fill::SequenceStruct, ValueDataType),
                       fill::kOutputTensor),
    schema::ScalarUnion("ValueStart", offsetof(fill::SequenceStruct, ValueStart),
                        fill::kValueDataType),
    schema::ScalarUnion("ValueDelta", offsetof(fill::SequenceStruct, ValueDelta),
                        fill::kValueDataType),
};

inline constexpr schema::TensorSupport kFillSupport[] = {
    {FeatureLevel::k4_1, {1, 8}, kElevenTypes},
    {FeatureLevel::k4_0, {1, 8}, kEightTypes},
    {FeatureLevel::k2_1, {4, 4}, kEightTypes},
};
inline constexpr schema::TensorSupport kSequenceSupport[] = {
    {FeatureLevel::k5_0, {1, 8}, kTenTypes},
    {FeatureLevel::k4_0, {1, 8}, kEightTypes},
    {FeatureLevel::k2_1, {4, 4}, kEightTypes},
};

inline constexpr schema::OperatorSchema kFillSchema = {
    .name = "FILL_VALUE_CONSTANT",
    .type = DML_OPERATOR_FILL_VALUE_CONSTANT,
    .level = FeatureLevel::k2_1,
    .struct_size = sizeof(fill::Struct),
    .fields = kFillFields,
    .support = kFillSupport,
    .constraints = {},
    .in_place = {},
};
inline constexpr schema::OperatorSchema kSequenceSchema = {
    .name = "FILL_VALUE_SEQUENCE",
    .type = DML_OPERATOR_FILL_VALUE_SEQUENCE,
    .level = FeatureLevel::k2_1,
    .struct_size = sizeof(fill::SequenceStruct),
    .fields = kSequenceFields,
    .support = kSequenceSupport,
    .constraints = {},
    .in_place = {},
};

// ---- GATHER

namespace gather {
enum Fields { kInputTensor, kIndicesTensor, kOutputTensor, kAxis, kIndexDimensions };
using Struct = DML_GATHER_OPERATOR_DESC;
}  // namespace gather

inline constexpr schema::Field kGatherFields[] = {
    schema::Input("InputTensor", offsetof(gather::Struct, InputTensor)),
    schema::Input("IndicesTensor", offsetof(gather::Struct, IndicesTensor)),
    schema::Output("OutputTensor", offsetof(gather::Struct, OutputTensor)),
    Uint("Axis", offsetof(gather::Struct, Axis)),
    Uint("IndexDimensions", offsetof(gather::Struct, IndexDimensions)),
};

inline constexpr schema::FieldSet kGathered = {gather::kInputTensor, gather::kOutputTensor};
inline constexpr schema::TensorSupport kGatherSupport[] = {
    {FeatureLevel::k4_1, {1, 8}, kElevenTypes, kGathered},
    {FeatureLevel::k4_1, {1, 8}, kIndexTypes, {gather::kIndicesTensor}},
    {FeatureLevel::k3_0, {1, 8}, kEightTypes, kGathered},
    {FeatureLevel::k3_0, {1, 8}, kIndexTypes, {gather::kIndicesTensor}},
    {FeatureLevel::k2_1, {4, 4}, kEightTypes, kGathered},
    {FeatureLevel::k2_1, {4, 4}, kUint32, {gather::kIndicesTensor}},
    {FeatureLevel::k1_0, {4, 4}, kFloats, kGathered},
    {FeatureLevel::k1_0, {4, 4}, kUint32, {gather::kIndicesTensor}},
};

inline constexpr schema::Constraint kGatherConstraints[] = {
    schema::SameDataType({gather::kInputTensor, gather::kOutputTensor}),
    schema::SameDimensionCount(
        {gather::kInputTensor, gather::kIndicesTensor, gather::kOutputTensor}),
};

Status CheckGather(const schema::Arguments& arguments);
Result<std::vector<TensorDesc>> GatherOutputs(const schema::Arguments& arguments);

inline constexpr schema::OperatorSchema kGatherSchema = {
    .name = "GATHER",
    .type = DML_OPERATOR_GATHER,
    .level = FeatureLevel::k1_0,
    .struct_size = sizeof(gather::Struct),
    .fields = kGatherFields,
    .support = kGatherSupport,
    .constraints = kGatherConstraints,
    .in_place = {},
    // Rule: Axis is less than the DimensionCount, IndexDimensions at most as large; the sizes of
    // IndicesTensor before its last IndexDimensions are 1. OutputTensor has the sizes of
    // InputTensor with these in the place of Axis; leading ones are cropped, or added, to have
    // DimensionCount sizes (B76).
    .rule = CheckGather,
    .output_tensors = GatherOutputs,
};

// ---- ONE_HOT

namespace one_hot {
enum Fields { kIndicesTensor, kValuesTensor, kOutputTensor, kAxis };
using Struct = DML_ONE_HOT_OPERATOR_DESC;
}  // namespace one_hot

inline constexpr schema::Field kOneHotFields[] = {
    schema::Input("IndicesTensor", offsetof(one_hot::Struct, IndicesTensor)),
    schema::Input("ValuesTensor", offsetof(one_hot::Struct, ValuesTensor)),
    schema::Output("OutputTensor", offsetof(one_hot::Struct, OutputTensor)),
    Uint("Axis", offsetof(one_hot::Struct, Axis)),
};

inline constexpr schema::FieldSet kOneHotValues = {one_hot::kValuesTensor, one_hot::kOutputTensor};
inline constexpr schema::TensorSupport kOneHotSupport[] = {
    {FeatureLevel::k4_1, {1, 8}, kIndexTypes, {one_hot::kIndicesTensor}},
    {FeatureLevel::k4_1, {1, 8}, kElevenTypes, kOneHotValues},
    {FeatureLevel::k3_0, {1, 8}, kIndexTypes, {one_hot::kIndicesTensor}},
    {FeatureLevel::k3_0, {1, 8}, kEightTypes, kOneHotValues},
    {FeatureLevel::k2_1, {4, 4}, kUint32, {one_hot::kIndicesTensor}},
    {FeatureLevel::k2_1, {4, 4}, kEightTypes, kOneHotValues},
    {FeatureLevel::k2_0, {4, 4}, kUint32, {one_hot::kIndicesTensor}},
    {FeatureLevel::k2_0, {4, 4}, kFloats, kOneHotValues},
};

inline constexpr schema::Constraint kOneHotConstraints[] = {
    schema::SameDataType({one_hot::kValuesTensor, one_hot::kOutputTensor}),
    schema::SameDimensionCount(
        {one_hot::kIndicesTensor, one_hot::kValuesTensor, one_hot::kOutputTensor}),
};

Status CheckOneHot(const schema::Arguments& arguments);

inline constexpr schema::OperatorSchema kOneHotSchema = {
    .name = "ONE_HOT",
    .type = DML_OPERATOR_ONE_HOT,
    .level = FeatureLevel::k2_0,
    .struct_size = sizeof(one_hot::Struct),
    .fields = kOneHotFields,
    .support = kOneHotSupport,
    .constraints = kOneHotConstraints,
    .in_place = {},
    // Rule: Axis is less than the DimensionCount. IndicesTensor has the sizes of OutputTensor, but
    // 1 along Axis. ValuesTensor has at least two elements.
    .rule = CheckOneHot,
};

}  // namespace anydml::movement
