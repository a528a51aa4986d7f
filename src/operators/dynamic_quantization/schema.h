// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// DML_DYNAMIC_QUANTIZE_LINEAR_OPERATOR_DESC: the page's tables, row by row.
#pragma once

#include <directml.h>

#include "schema/schema.h"

namespace anydml::dynamic_quantization {

enum Fields { kInputTensor, kOutputTensor, kOutputScaleTensor, kOutputZeroPointTensor };

using Struct = DML_DYNAMIC_QUANTIZE_LINEAR_OPERATOR_DESC;

inline constexpr schema::Field kFields[] = {
    schema::Input("InputTensor", offsetof(Struct, InputTensor)),
    schema::Output("OutputTensor", offsetof(Struct, OutputTensor)),
    schema::Output("OutputScaleTensor", offsetof(Struct, OutputScaleTensor)),
    schema::Output("OutputZeroPointTensor", offsetof(Struct, OutputZeroPointTensor)),
};

inline constexpr DataTypeSet kFloats = {DataType::kFloat32, DataType::kFloat16};
inline constexpr DataTypeSet kBytes = {DataType::kInt8, DataType::kUint8};
inline constexpr schema::TensorSupport kSupport[] = {
    {FeatureLevel::k4_0, {1, 8}, kFloats, {kInputTensor}},
    {FeatureLevel::k4_0, {1, 8}, kBytes, {kOutputTensor, kOutputZeroPointTensor}},
    {FeatureLevel::k4_0, {1, 8}, {DataType::kFloat32}, {kOutputScaleTensor}},
};

inline constexpr schema::Constraint kConstraints[] = {
    schema::SameDataType({kOutputTensor, kOutputZeroPointTensor}),
    schema::SameDimensionCount(
        {kInputTensor, kOutputTensor, kOutputScaleTensor, kOutputZeroPointTensor}),
    schema::SameSizes({kInputTensor, kOutputTensor}),
};

Status CheckScalars(const schema::Arguments& arguments);
Result<std::vector<TensorDesc>> OutputTensors(const schema::Arguments& arguments);

inline constexpr schema::OperatorSchema kSchema = {
    .name = "DYNAMIC_QUANTIZE_LINEAR",
    .type = DML_OPERATOR_DYNAMIC_QUANTIZE_LINEAR,
    .level = FeatureLevel::k4_0,
    .struct_size = sizeof(Struct),
    .fields = kFields,
    .support = kSupport,
    .constraints = kConstraints,
    .in_place = {},
    // Rule: OutputScaleTensor and OutputZeroPointTensor have one element.
    .rule = CheckScalars,
    .output_tensors = OutputTensors,
};

}  // namespace anydml::dynamic_quantization
