// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// MAX_UNPOOLING: the page's tables, row by row.
#pragma once

#include <directml.h>

#include "schema/schema.h"

namespace anydml::max_unpooling {

enum Fields { kInputTensor, kIndicesTensor, kOutputTensor };

using Struct = DML_MAX_UNPOOLING_OPERATOR_DESC;

inline constexpr schema::Field kFields[] = {
    schema::Input("InputTensor", offsetof(Struct, InputTensor)),
    schema::Input("IndicesTensor", offsetof(Struct, IndicesTensor)),
    schema::Output("OutputTensor", offsetof(Struct, OutputTensor)),
};

inline constexpr DataTypeSet kTypes = {
    DataType::kFloat32, DataType::kFloat16, DataType::kInt64,  DataType::kInt32,  DataType::kInt16,
    DataType::kInt8,    DataType::kUint64,  DataType::kUint32, DataType::kUint16, DataType::kUint8};
inline constexpr DataTypeSet kFloats = {DataType::kFloat32, DataType::kFloat16};
inline constexpr DataTypeSet kIndexTypes = {DataType::kUint64, DataType::kUint32};

// The page says 3_0; the history of feature levels and the header say 2_0 (B55).
inline constexpr schema::TensorSupport kSupport[] = {
    {FeatureLevel::k5_0, {4, 4}, kTypes, {kInputTensor, kOutputTensor}},
    {FeatureLevel::k5_0, {4, 4}, kIndexTypes, {kIndicesTensor}},
    {FeatureLevel::k2_0, {4, 4}, kFloats, {kInputTensor, kOutputTensor}},
    {FeatureLevel::k2_0, {4, 4}, {DataType::kUint32}, {kIndicesTensor}},
};
inline constexpr schema::Constraint kConstraints[] = {
    schema::SameDataType({kInputTensor, kOutputTensor}),
    schema::SameSizes({kInputTensor, kIndicesTensor}),
};

inline constexpr schema::OperatorSchema kSchema = {
    .name = "MAX_UNPOOLING",
    .type = DML_OPERATOR_MAX_UNPOOLING,
    .level = FeatureLevel::k2_0,
    .struct_size = sizeof(Struct),
    .fields = kFields,
    .support = kSupport,
    .constraints = kConstraints,
    .in_place = {},
};

}  // namespace anydml::max_unpooling
