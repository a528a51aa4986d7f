// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// DML_VALUE_SCALE_2D_OPERATOR_DESC: the page's tables, row by row.
#pragma once

#include <directml.h>

#include "schema/schema.h"

namespace anydml::value_scale_2d {

enum Fields { kInputTensor, kOutputTensor, kScale, kChannelCount, kBias };

using Struct = DML_VALUE_SCALE_2D_OPERATOR_DESC;

inline constexpr schema::Field kFields[] = {
    schema::Input("InputTensor", offsetof(Struct, InputTensor)),
    schema::Output("OutputTensor", offsetof(Struct, OutputTensor)),
    schema::Float("Scale", offsetof(Struct, Scale)),
    schema::ChannelCount("ChannelCount", offsetof(Struct, ChannelCount), kInputTensor),
    schema::Array(schema::FieldType::kFloatArray, "Bias", offsetof(Struct, Bias), kChannelCount),
};

inline constexpr DataTypeSet kFloats = {DataType::kFloat32, DataType::kFloat16};
inline constexpr schema::TensorSupport kSupport[] = {{FeatureLevel::k1_0, {4, 4}, kFloats}};
inline constexpr schema::Constraint kConstraints[] = {
    schema::SameDataType({kInputTensor, kOutputTensor}),
    schema::SameDimensionCount({kInputTensor, kOutputTensor}),
    schema::SameSizes({kInputTensor, kOutputTensor}),
};

inline constexpr schema::OperatorSchema kSchema = {
    .name = "VALUE_SCALE_2D",
    .type = DML_OPERATOR_VALUE_SCALE_2D,
    .level = FeatureLevel::k1_0,
    .struct_size = sizeof(Struct),
    .fields = kFields,
    .support = kSupport,
    .constraints = kConstraints,
    .in_place = {},
};

}  // namespace anydml::value_scale_2d
