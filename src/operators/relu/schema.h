// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// DML_ACTIVATION_RELU_OPERATOR_DESC: the page's tables, row by row.
#pragma once

#include <directml.h>

#include "schema/schema.h"

namespace anydml::relu {

enum Fields { kInputTensor, kOutputTensor };

using Struct = DML_ACTIVATION_RELU_OPERATOR_DESC;

inline constexpr schema::Field kFields[] = {
    schema::Input("InputTensor", offsetof(Struct, InputTensor)),
    schema::Output("OutputTensor", offsetof(Struct, OutputTensor)),
};

inline constexpr schema::TensorSupport kSupport[] = {
    {FeatureLevel::k5_1,
     {1, 8},
     {DataType::kFloat32, DataType::kFloat16, DataType::kInt32, DataType::kInt16, DataType::kInt8}},
    {FeatureLevel::k3_0, {1, 8}, {DataType::kFloat32, DataType::kFloat16}},
    {FeatureLevel::k2_0, {4, 5}, {DataType::kFloat32, DataType::kFloat16}},
    {FeatureLevel::k1_0, {4, 4}, {DataType::kFloat32, DataType::kFloat16}},
};

inline constexpr schema::Constraint kConstraints[] = {
    schema::SameDataType({kInputTensor, kOutputTensor}),
    schema::SameDimensionCount({kInputTensor, kOutputTensor}),
    schema::SameSizes({kInputTensor, kOutputTensor}),
};

inline constexpr schema::OperatorSchema kSchema = {
    .name = "ACTIVATION_RELU",
    .type = DML_OPERATOR_ACTIVATION_RELU,
    .level = FeatureLevel::k1_0,
    .struct_size = sizeof(Struct),
    .fields = kFields,
    .support = kSupport,
    .constraints = kConstraints,
    .in_place = {kInputTensor},
};

}  // namespace anydml::relu
