// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC: the page's tables, row by row.
#pragma once

#include <directml.h>

#include "schema/schema.h"

namespace anydml::relu_grad {

enum Fields { kInputTensor, kInputGradientTensor, kOutputGradientTensor };

using Struct = DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC;

// The page heads the third member "OutputTensor"; the header and the page's own
// tables say OutputGradientTensor (B24).
inline constexpr schema::Field kFields[] = {
    schema::Input("InputTensor", offsetof(Struct, InputTensor)),
    schema::Input("InputGradientTensor", offsetof(Struct, InputGradientTensor)),
    schema::Output("OutputGradientTensor", offsetof(Struct, OutputGradientTensor)),
};

inline constexpr schema::TensorSupport kSupport[] = {
    {FeatureLevel::k5_1,
     {1, 8},
     {DataType::kFloat32, DataType::kFloat16, DataType::kInt32, DataType::kInt16, DataType::kInt8}},
    {FeatureLevel::k4_0, {1, 8}, {DataType::kFloat32, DataType::kFloat16}},
    {FeatureLevel::k3_0, {1, 8}, {DataType::kFloat32, DataType::kFloat16}},
};

inline constexpr schema::Constraint kConstraints[] = {
    schema::SameDataType({kInputTensor, kInputGradientTensor, kOutputGradientTensor}),
    schema::SameDimensionCount({kInputTensor, kInputGradientTensor, kOutputGradientTensor}),
    schema::SameSizes({kInputTensor, kInputGradientTensor, kOutputGradientTensor}),
};

// In place although the page is silent: real programs rely on it (B23).
inline constexpr schema::OperatorSchema kSchema = {
    .name = "ACTIVATION_RELU_GRAD",
    .type = DML_OPERATOR_ACTIVATION_RELU_GRAD,
    .level = FeatureLevel::k3_0,
    .struct_size = sizeof(Struct),
    .fields = kFields,
    .support = kSupport,
    .constraints = kConstraints,
    .in_place = {kInputTensor, kInputGradientTensor},
};

}  // namespace anydml::relu_grad
