// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// DIAGONAL_MATRIX and DIAGONAL_MATRIX1: the pages' tables, row by row.
#pragma once

#include <directml.h>

#include "schema/schema.h"

namespace anydml::diagonal_matrix {

enum Fields { kOutputTensor, kOffset, kValue };
enum Fields1 { kInputTensor1, kOutputTensor1, kValueDataType1, kValue1, kBegin1, kEnd1 };

using Struct = DML_DIAGONAL_MATRIX_OPERATOR_DESC;
using Struct1 = DML_DIAGONAL_MATRIX1_OPERATOR_DESC;

constexpr schema::Field Int(std::string_view name, size_t offset) {
  return {.name = name, .type = schema::FieldType::kInt, .offset = offset};
}

inline constexpr schema::Field kFields[] = {
    schema::Output("OutputTensor", offsetof(Struct, OutputTensor)),
    Int("Offset", offsetof(Struct, Offset)),
    schema::Float("Value", offsetof(Struct, Value)),
};
inline constexpr schema::Field kFields1[] = {
    schema::OptionalInput("InputTensor", offsetof(Struct1, InputTensor)),
    schema::Output("OutputTensor", offsetof(Struct1, OutputTensor)),
    schema::DataTypeOf("ValueDataType", offsetof(Struct1, ValueDataType), kOutputTensor1),
    schema::ScalarUnion("Value", offsetof(Struct1, Value), kValueDataType1),
    Int("DiagonalFillBegin", offsetof(Struct1, DiagonalFillBegin)),
    Int("DiagonalFillEnd", offsetof(Struct1, DiagonalFillEnd)),
};

inline constexpr DataTypeSet kFloats = {DataType::kFloat32, DataType::kFloat16};
inline constexpr DataTypeSet kEightTypes =
    kFloats | DataTypeSet{DataType::kInt32,  DataType::kInt16,  DataType::kInt8,
                          DataType::kUint32, DataType::kUint16, DataType::kUint8};
inline constexpr DataTypeSet kElevenTypes =
    kEightTypes | DataTypeSet{DataType::kInt64, DataType::kUint64, DataType::kFloat64};

inline constexpr schema::TensorSupport kSupport[] = {
    {FeatureLevel::k5_1, {2, 4}, kElevenTypes},
    {FeatureLevel::k4_0, {2, 4}, kEightTypes},
    {FeatureLevel::k2_1, {4, 4}, kEightTypes},
    {FeatureLevel::k2_0, {4, 4}, kFloats},
};
inline constexpr schema::TensorSupport kSupport1[] = {
    {FeatureLevel::k5_1, {2, 4}, kElevenTypes},
};

inline constexpr schema::Constraint kConstraints1[] = {
    schema::SameDataType({kInputTensor1, kOutputTensor1}),
    schema::SameDimensionCount({kInputTensor1, kOutputTensor1}),
    schema::SameSizes({kInputTensor1, kOutputTensor1}),
};

Result<std::vector<TensorDesc>> OutputTensors1(const schema::Arguments& arguments);

inline constexpr schema::OperatorSchema kSchema = {
    .name = "DIAGONAL_MATRIX",
    .type = DML_OPERATOR_DIAGONAL_MATRIX,
    .level = FeatureLevel::k2_0,
    .struct_size = sizeof(Struct),
    .fields = kFields,
    .support = kSupport,
    .constraints = {},
    .in_place = {},
};
inline constexpr schema::OperatorSchema kSchema1 = {
    .name = "DIAGONAL_MATRIX1",
    .type = DML_OPERATOR_DIAGONAL_MATRIX1,
    .level = FeatureLevel::k5_1,
    .struct_size = sizeof(Struct1),
    .fields = kFields1,
    .support = kSupport1,
    .constraints = kConstraints1,
    .in_place = {},
    .output_tensors = OutputTensors1,
};

}  // namespace anydml::diagonal_matrix
