// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// LP_NORMALIZATION, LOCAL_RESPONSE_NORMALIZATION and its gradient: the pages' tables, row by row.
#pragma once

#include "operators/normalization/schema.h"
#include "schema/field_lists.h"

namespace anydml::normalization {

// ---- LP_NORMALIZATION

enum LpFields { kLpOutput = 1, kLpAxis, kLpEpsilon, kLpP };

inline constexpr schema::Field kLpFields[] = {
    schema::Input("InputTensor", offsetof(DML_LP_NORMALIZATION_OPERATOR_DESC, InputTensor)),
    schema::Output("OutputTensor", offsetof(DML_LP_NORMALIZATION_OPERATOR_DESC, OutputTensor)),
    schema::Uint("Axis", offsetof(DML_LP_NORMALIZATION_OPERATOR_DESC, Axis)),
    schema::Float("Epsilon", offsetof(DML_LP_NORMALIZATION_OPERATOR_DESC, Epsilon)),
    schema::Uint("P", offsetof(DML_LP_NORMALIZATION_OPERATOR_DESC, P)),
};
inline constexpr schema::Constraint kLpConstraints[] = {
    schema::SameDataType({kInput, kLpOutput}),
    schema::SameDimensionCount({kInput, kLpOutput}),
    schema::SameSizes({kInput, kLpOutput}),
};

Status CheckLp(const schema::Arguments& arguments);

inline constexpr schema::OperatorSchema kLpNormalizationSchema = {
    .name = "LP_NORMALIZATION",
    .type = DML_OPERATOR_LP_NORMALIZATION,
    .level = FeatureLevel::k1_0,
    .struct_size = sizeof(DML_LP_NORMALIZATION_OPERATOR_DESC),
    .fields = kLpFields,
    .support = kFrom1_0,
    .constraints = kLpConstraints,
    .in_place = {},
    // Rule: Axis is less than InputTensor.DimensionCount, and P is 1 or 2.
    .rule = CheckLp,
};

// ---- LOCAL_RESPONSE_NORMALIZATION and its gradient, which has InputGradientTensor before the
// output.

template <class Struct>
inline constexpr schema::Field kResponseSettings[] = {
    schema::Bool("CrossChannel", offsetof(Struct, CrossChannel), true),
    schema::Uint("LocalSize", offsetof(Struct, LocalSize)),
    schema::Float("Alpha", offsetof(Struct, Alpha)),
    schema::Float("Beta", offsetof(Struct, Beta)),
    schema::Float("Bias", offsetof(Struct, Bias)),
};
// The number of CrossChannel, which the others follow.
inline constexpr size_t kResponseSettingsAt = 2, kResponseGradSettingsAt = 3;

template <class Struct = DML_LOCAL_RESPONSE_NORMALIZATION_OPERATOR_DESC>
inline constexpr auto kResponseFields =
    schema::JoinFields({schema::Input("InputTensor", offsetof(Struct, InputTensor)),
                        schema::Output("OutputTensor", offsetof(Struct, OutputTensor))},
                       kResponseSettings<Struct>);
template <class Struct = DML_LOCAL_RESPONSE_NORMALIZATION_GRAD_OPERATOR_DESC>
inline constexpr auto kResponseGradFields = schema::JoinFields(
    {schema::Input("InputTensor", offsetof(Struct, InputTensor)),
     schema::Input("InputGradientTensor", offsetof(Struct, InputGradientTensor)),
     schema::Output("OutputGradientTensor", offsetof(Struct, OutputGradientTensor))},
    kResponseSettings<Struct>);

inline constexpr schema::TensorSupport kFrom3_1Of4[] = {{FeatureLevel::k3_1, {4, 4}, kFloats}};

inline constexpr schema::Constraint kResponseConstraints[] = {
    schema::SameDataType({0, 1}),
    schema::SameSizes({0, 1}),
    schema::AtLeastOne({3}),
};
inline constexpr schema::Constraint kResponseGradConstraints[] = {
    schema::SameDataType({0, 1, 2}),
    schema::SameSizes({0, 1, 2}),
    schema::AtLeastOne({4}),
};

inline constexpr schema::OperatorSchema kLocalResponseSchema = {
    .name = "LOCAL_RESPONSE_NORMALIZATION",
    .type = DML_OPERATOR_LOCAL_RESPONSE_NORMALIZATION,
    .level = FeatureLevel::k1_0,
    .struct_size = sizeof(DML_LOCAL_RESPONSE_NORMALIZATION_OPERATOR_DESC),
    .fields = kResponseFields<>,
    .support = kAlways4,
    .constraints = kResponseConstraints,
    .in_place = {},
};
inline constexpr schema::OperatorSchema kLocalResponseGradSchema = {
    .name = "LOCAL_RESPONSE_NORMALIZATION_GRAD",
    .type = DML_OPERATOR_LOCAL_RESPONSE_NORMALIZATION_GRAD,
    .level = FeatureLevel::k3_1,
    .struct_size = sizeof(DML_LOCAL_RESPONSE_NORMALIZATION_GRAD_OPERATOR_DESC),
    .fields = kResponseGradFields<>,
    .support = kFrom3_1Of4,
    .constraints = kResponseGradConstraints,
    .in_place = {},
};

}  // namespace anydml::normalization
