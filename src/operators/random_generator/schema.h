// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// DML_RANDOM_GENERATOR_OPERATOR_DESC: the page's tables, row by row.
#pragma once

#include <directml.h>

#include "schema/arguments.h"
#include "schema/schema.h"

namespace anydml::random_generator {

enum Fields { kInputStateTensor, kOutputTensor, kOutputStateTensor, kType };

using Struct = DML_RANDOM_GENERATOR_OPERATOR_DESC;

inline constexpr std::string_view kTypes[] = {"PHILOX_4X32_10"};
inline constexpr schema::Enumeration kTypeEnumeration = {"DML_RANDOM_GENERATOR_TYPE_", kTypes};

inline constexpr schema::Field kFields[] = {
    schema::Input("InputStateTensor", offsetof(Struct, InputStateTensor)),
    schema::Output("OutputTensor", offsetof(Struct, OutputTensor)),
    schema::OptionalOutput("OutputStateTensor", offsetof(Struct, OutputStateTensor)),
    schema::Enum("Type", offsetof(Struct, Type), kTypeEnumeration),
};

inline constexpr DataTypeSet kUint32 = {DataType::kUint32};
inline constexpr schema::TensorSupport kSupport[] = {
    {FeatureLevel::k4_0, {1, 8}, kUint32},
    {FeatureLevel::k3_0, {4, 4}, kUint32},
};

inline constexpr schema::Constraint kConstraints[] = {
    schema::SameDataType({kInputStateTensor, kOutputStateTensor}),
    schema::SameDimensionCount({kInputStateTensor, kOutputStateTensor}),
    schema::SameSizes({kInputStateTensor, kOutputStateTensor}),
};

Status CheckState(const schema::Arguments& arguments);

inline constexpr schema::OperatorSchema kSchema = {
    .name = "RANDOM_GENERATOR",
    .type = DML_OPERATOR_RANDOM_GENERATOR,
    .level = FeatureLevel::k3_0,
    .struct_size = sizeof(Struct),
    .fields = kFields,
    .support = kSupport,
    .constraints = kConstraints,
    .in_place = {},
    // Rule: the last size of InputStateTensor is 6, and the others are 1.
    .rule = CheckState,
};

}  // namespace anydml::random_generator
