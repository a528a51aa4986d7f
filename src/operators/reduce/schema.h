// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// REDUCE, ARGMIN and ARGMAX, softmaxes, cumulative operators: the pages' tables, row by row.
#pragma once

#include <directml.h>

#include "schema/schema.h"

namespace anydml::reduce {

inline constexpr DataTypeSet kFloats = {DataType::kFloat32, DataType::kFloat16};
inline constexpr DataTypeSet kEightTypes = {
    DataType::kFloat32, DataType::kFloat16, DataType::kInt32,  DataType::kInt16,
    DataType::kInt8,    DataType::kUint32,  DataType::kUint16, DataType::kUint8};
inline constexpr DataTypeSet kTenTypes =
    kEightTypes | DataTypeSet{DataType::kInt64, DataType::kUint64};
inline constexpr DataTypeSet k32Bits = {DataType::kInt32, DataType::kUint32};
inline constexpr DataTypeSet kIndexTypes =
    k32Bits | DataTypeSet{DataType::kInt64, DataType::kUint64};

// ---- REDUCE

enum ReduceFields { kReduceFunctionField, kReduceInput, kReduceOutput, kReduceAxisCount, kAxes };

inline constexpr schema::Field kReduceFields[] = {
    schema::Enum("Function", offsetof(DML_REDUCE_OPERATOR_DESC, Function), schema::kReduceFunction),
    schema::Input("InputTensor", offsetof(DML_REDUCE_OPERATOR_DESC, InputTensor)),
    schema::Output("OutputTensor", offsetof(DML_REDUCE_OPERATOR_DESC, OutputTensor)),
    schema::AxisCount("AxisCount", offsetof(DML_REDUCE_OPERATOR_DESC, AxisCount), kReduceInput),
    schema::Axes("Axes", offsetof(DML_REDUCE_OPERATOR_DESC, Axes), kReduceAxisCount),
};

// Of all functions together; CheckReduceTypes has those of each.
inline constexpr schema::TensorSupport kReduceSupport[] = {
    {FeatureLevel::k4_1, {1, 8}, kTenTypes},
    {FeatureLevel::k3_0, {1, 8}, kEightTypes, {kReduceInput}},
    {FeatureLevel::k2_1, {4, 4}, kEightTypes, {kReduceInput}},
    {FeatureLevel::k1_0, {4, 4}, kFloats, {kReduceInput}},
    {FeatureLevel::k3_0, {1, 8}, kTenTypes, {kReduceOutput}},
    {FeatureLevel::k2_1, {4, 4}, kEightTypes, {kReduceOutput}},
    {FeatureLevel::k1_0, {4, 4}, kFloats | DataTypeSet{DataType::kUint32}, {kReduceOutput}},
};
inline constexpr schema::Constraint kReduceConstraints[] = {
    schema::SameDimensionCount({kReduceInput, kReduceOutput}),
};

Status CheckReduceTypes(const schema::Arguments& arguments, FeatureLevel level);
Status CheckReduceSizes(const schema::Arguments& arguments);
Result<std::vector<TensorDesc>> ReduceOutputs(const schema::Arguments& arguments);

inline constexpr schema::OperatorSchema kReduceSchema = {
    .name = "REDUCE",
    .type = DML_OPERATOR_REDUCE,
    .level = FeatureLevel::k1_0,
    .struct_size = sizeof(DML_REDUCE_OPERATOR_DESC),
    .fields = kReduceFields,
    .support = kReduceSupport,
    .constraints = kReduceConstraints,
    .in_place = {},
    // Rule: OutputTensor has the sizes of InputTensor, 1 in every reduced dimension, and its data
    // type, or that of an index; which types a function takes from which level on is in the table
    // above.
    .rule = CheckReduceSizes,
    .output_tensors = ReduceOutputs,
    .level_rule = CheckReduceTypes,
};

// ---- ARGMIN, ARGMAX

enum ArgFields { kInput, kOutput, kArgAxisCount, kArgAxes, kArgDirection };

template <class Struct>
inline constexpr schema::Field kArgFields[] = {
    schema::Input("InputTensor", offsetof(Struct, InputTensor)),
    schema::Output("OutputTensor", offsetof(Struct, OutputTensor)),
    schema::AxisCount("AxisCount", offsetof(Struct, AxisCount), kInput),
    schema::Axes("Axes", offsetof(Struct, Axes), kArgAxisCount),
    schema::Enum("AxisDirection", offsetof(Struct, AxisDirection), schema::kAxisDirection),
};
inline constexpr schema::TensorSupport kArgSupport[] = {
    {FeatureLevel::k4_1, {1, 8}, kTenTypes, {kInput}},
    {FeatureLevel::k3_0, {1, 8}, kEightTypes, {kInput}},
    {FeatureLevel::k3_0, {1, 8}, kIndexTypes, {kOutput}},
};
inline constexpr schema::Constraint kArgConstraints[] = {
    schema::SameDimensionCount({kInput, kOutput}),
};

Status CheckArgSizes(const schema::Arguments& arguments);
Result<std::vector<TensorDesc>> ArgOutputs(const schema::Arguments& arguments);

inline constexpr schema::OperatorSchema kArgMinSchema = {
    .name = "ARGMIN",
    .type = DML_OPERATOR_ARGMIN,
    .level = FeatureLevel::k3_0,
    .struct_size = sizeof(DML_ARGMIN_OPERATOR_DESC),
    .fields = kArgFields<DML_ARGMIN_OPERATOR_DESC>,
    .support = kArgSupport,
    .constraints = kArgConstraints,
    .in_place = {},
    // Rule: OutputTensor has the sizes of InputTensor, 1 in every reduced dimension.
    .rule = CheckArgSizes,
    .output_tensors = ArgOutputs,
};
inline constexpr schema::OperatorSchema kArgMaxSchema = {
    .name = "ARGMAX",
    .type = DML_OPERATOR_ARGMAX,
    .level = FeatureLevel::k3_0,
    .struct_size = sizeof(DML_ARGMAX_OPERATOR_DESC),
    .fields = kArgFields<DML_ARGMAX_OPERATOR_DESC>,
    .support = kArgSupport,
    .constraints = kArgConstraints,
    .in_place = {},
    // Rule: OutputTensor has the sizes of InputTensor, 1 in every reduced dimension.
    .rule = CheckArgSizes,
    .output_tensors = ArgOutputs,
};

// ---- Softmax, log-softmax, hardmax

enum SoftmaxFields { kSoftmaxAxisCount = 2, kSoftmaxAxes };

template <class Struct>
inline constexpr schema::Field kSoftmaxFields[] = {
    schema::Input("InputTensor", offsetof(Struct, InputTensor)),
    schema::Output("OutputTensor", offsetof(Struct, OutputTensor)),
};
template <class Struct>
inline constexpr schema::Field kSoftmax1Fields[] = {
    schema::Input("InputTensor", offsetof(Struct, InputTensor)),
    schema::Output("OutputTensor", offsetof(Struct, OutputTensor)),
    schema::AxisCount("AxisCount", offsetof(Struct, AxisCount), kInput),
    schema::Axes("Axes", offsetof(Struct, Axes), kSoftmaxAxisCount),
};
inline constexpr schema::TensorSupport kSoftmaxSupport[] = {
    {FeatureLevel::k3_0, {1, 8}, kFloats},
    {FeatureLevel::k2_0, {4, 5}, kFloats},
    {FeatureLevel::k1_0, {4, 4}, kFloats},
};
inline constexpr schema::TensorSupport kSoftmax1Support[] = {
    {FeatureLevel::k5_1, {1, 8}, kFloats},
};
inline constexpr schema::Constraint kAlike[] = {
    schema::SameDataType({kInput, kOutput}),
    schema::SameDimensionCount({kInput, kOutput}),
    schema::SameSizes({kInput, kOutput}),
};

Status CheckEffectiveRank(const schema::Arguments& arguments);

inline constexpr schema::OperatorSchema kHardmaxSchema = {
    .name = "ACTIVATION_HARDMAX",
    .type = DML_OPERATOR_ACTIVATION_HARDMAX,
    .level = FeatureLevel::k1_0,
    .struct_size = sizeof(DML_ACTIVATION_HARDMAX_OPERATOR_DESC),
    .fields = kSoftmaxFields<DML_ACTIVATION_HARDMAX_OPERATOR_DESC>,
    .support = kSoftmaxSupport,
    .constraints = kAlike,
    .in_place = {},
    // Rule: Every size but the last two is 1.
    .rule = CheckEffectiveRank,
};
inline constexpr schema::OperatorSchema kHardmax1Schema = {
    .name = "ACTIVATION_HARDMAX1",
    .type = DML_OPERATOR_ACTIVATION_HARDMAX1,
    .level = FeatureLevel::k5_1,
    .struct_size = sizeof(DML_ACTIVATION_HARDMAX1_OPERATOR_DESC),
    .fields = kSoftmax1Fields<DML_ACTIVATION_HARDMAX1_OPERATOR_DESC>,
    .support = kSoftmax1Support,
    .constraints = kAlike,
    .in_place = {},
};
inline constexpr schema::OperatorSchema kLogSoftmaxSchema = {
    .name = "ACTIVATION_LOG_SOFTMAX",
    .type = DML_OPERATOR_ACTIVATION_LOG_SOFTMAX,
    .level = FeatureLevel::k1_0,
    .struct_size = sizeof(DML_ACTIVATION_LOG_SOFTMAX_OPERATOR_DESC),
    .fields = kSoftmaxFields<DML_ACTIVATION_LOG_SOFTMAX_OPERATOR_DESC>,
    .support = kSoftmaxSupport,
    .constraints = kAlike,
    .in_place = {},
    // Rule: Every size but the last two is 1.
    .rule = CheckEffectiveRank,
};
inline constexpr schema::OperatorSchema kLogSoftmax1Schema = {
    .name = "ACTIVATION_LOG_SOFTMAX1",
    .type = DML_OPERATOR_ACTIVATION_LOG_SOFTMAX1,
    .level = FeatureLevel::k5_1,
    .struct_size = sizeof(DML_ACTIVATION_LOG_SOFTMAX1_OPERATOR_DESC),
    .fields = kSoftmax1Fields<DML_ACTIVATION_LOG_SOFTMAX1_OPERATOR_DESC>,
    .support = kSoftmax1Support,
    .constraints = kAlike,
    .in_place = {},
};
inline constexpr schema::OperatorSchema kSoftmaxSchema = {
    .name = "ACTIVATION_SOFTMAX",
    .type = DML_OPERATOR_ACTIVATION_SOFTMAX,
    .level = FeatureLevel::k1_0,
    .struct_size = sizeof(DML_ACTIVATION_SOFTMAX_OPERATOR_DESC),
    .fields = kSoftmaxFields<DML_ACTIVATION_SOFTMAX_OPERATOR_DESC>,
    .support = kSoftmaxSupport,
    .constraints = kAlike,
    .in_place = {},
    // Rule: Every size but the last two is 1.
    .rule = CheckEffectiveRank,
};
inline constexpr schema::OperatorSchema kSoftmax1Schema = {
    .name = "ACTIVATION_SOFTMAX1",
    .type = DML_OPERATOR_ACTIVATION_SOFTMAX1,
    .level = FeatureLevel::k5_1,
    .struct_size = sizeof(DML_ACTIVATION_SOFTMAX1_OPERATOR_DESC),
    .fields = kSoftmax1Fields<DML_ACTIVATION_SOFTMAX1_OPERATOR_DESC>,
    .support = kSoftmax1Support,
    .constraints = kAlike,
    .in_place = {},
};

// ---- Cumulative summation and product

enum ScanFields { kScanAxis = 2, kScanDirection, kScanExclusive };

inline constexpr schema::Field kSummationFields[] = {
    schema::Input("InputTensor", offsetof(DML_CUMULATIVE_SUMMATION_OPERATOR_DESC, InputTensor)),
    schema::Output("OutputTensor", offsetof(DML_CUMULATIVE_SUMMATION_OPERATOR_DESC, OutputTensor)),
    schema::Uint("Axis", offsetof(DML_CUMULATIVE_SUMMATION_OPERATOR_DESC, Axis)),
    schema::Enum("AxisDirection", offsetof(DML_CUMULATIVE_SUMMATION_OPERATOR_DESC, AxisDirection),
                 schema::kAxisDirection),
    schema::Bool("HasExclusiveSum",
                 offsetof(DML_CUMULATIVE_SUMMATION_OPERATOR_DESC, HasExclusiveSum), false),
};
inline constexpr schema::Field kProductFields[] = {
    schema::Input("InputTensor", offsetof(DML_CUMULATIVE_PRODUCT_OPERATOR_DESC, InputTensor)),
    schema::Output("OutputTensor", offsetof(DML_CUMULATIVE_PRODUCT_OPERATOR_DESC, OutputTensor)),
    schema::Uint("Axis", offsetof(DML_CUMULATIVE_PRODUCT_OPERATOR_DESC, Axis)),
    schema::Enum("AxisDirection", offsetof(DML_CUMULATIVE_PRODUCT_OPERATOR_DESC, AxisDirection),
                 schema::kAxisDirection),
    schema::Bool("HasExclusiveProduct",
                 offsetof(DML_CUMULATIVE_PRODUCT_OPERATOR_DESC, HasExclusiveProduct), false),
};
inline constexpr schema::TensorSupport kSummationSupport[] = {
    {FeatureLevel::k5_0, {1, 8}, kFloats | kIndexTypes},
    {FeatureLevel::k4_0, {1, 8}, kFloats | k32Bits},
    {FeatureLevel::k2_1, {4, 4}, kFloats | k32Bits},
};
inline constexpr schema::TensorSupport kProductSupport[] = {
    {FeatureLevel::k5_0, {1, 8}, kFloats | kIndexTypes},
    {FeatureLevel::k4_0, {1, 8}, kFloats | k32Bits},
    {FeatureLevel::k3_1, {4, 4}, kFloats | k32Bits},
};

Status CheckScanAxis(const schema::Arguments& arguments);

inline constexpr schema::OperatorSchema kCumulativeSummationSchema = {
    .name = "CUMULATIVE_SUMMATION",
    .type = DML_OPERATOR_CUMULATIVE_SUMMATION,
    .level = FeatureLevel::k2_1,
    .struct_size = sizeof(DML_CUMULATIVE_SUMMATION_OPERATOR_DESC),
    .fields = kSummationFields,
    .support = kSummationSupport,
    .constraints = kAlike,
    .in_place = {kInput},
    // Rule: Axis is less than the number of dimensions.
    .rule = CheckScanAxis,
};
inline constexpr schema::OperatorSchema kCumulativeProductSchema = {
    .name = "CUMULATIVE_PRODUCT",
    .type = DML_OPERATOR_CUMULATIVE_PRODUCT,
    .level = FeatureLevel::k3_1,
    .struct_size = sizeof(DML_CUMULATIVE_PRODUCT_OPERATOR_DESC),
    .fields = kProductFields,
    .support = kProductSupport,
    .constraints = kAlike,
    .in_place = {kInput},
    // Rule: Axis is less than the number of dimensions.
    .rule = CheckScanAxis,
};

}  // namespace anydml::reduce
