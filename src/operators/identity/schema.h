// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC: the page's tables, row by row.
#pragma once

#include <directml.h>

#include "schema/schema.h"

namespace anydml::identity {

enum Fields { kInputTensor, kOutputTensor, kScaleBias };

using Struct = DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC;

inline constexpr schema::Field kFields[] = {
    schema::Input("InputTensor", offsetof(Struct, InputTensor)),
    schema::Output("OutputTensor", offsetof(Struct, OutputTensor)),
    schema::ScaleBias("ScaleBias", offsetof(Struct, ScaleBias)),
};

inline constexpr schema::TensorSupport kSupport[] = {
    {FeatureLevel::k4_1,
     {1, 8},
     {DataType::kFloat64, DataType::kFloat32, DataType::kFloat16, DataType::kInt64,
      DataType::kInt32, DataType::kInt16, DataType::kInt8, DataType::kUint64, DataType::kUint32,
      DataType::kUint16, DataType::kUint8}},
    {FeatureLevel::k3_0,
     {1, 8},
     {DataType::kFloat32, DataType::kFloat16, DataType::kInt32, DataType::kInt16, DataType::kInt8,
      DataType::kUint32, DataType::kUint16, DataType::kUint8}},
    {FeatureLevel::k2_1,
     {4, 5},
     {DataType::kFloat32, DataType::kFloat16, DataType::kInt32, DataType::kInt16, DataType::kInt8,
      DataType::kUint32, DataType::kUint16, DataType::kUint8}},
    {FeatureLevel::k1_0, {4, 5}, {DataType::kFloat32, DataType::kFloat16}},
};

inline constexpr schema::Constraint kConstraints[] = {
    schema::SameDataType({kInputTensor, kOutputTensor}),
    schema::SameDimensionCount({kInputTensor, kOutputTensor}),
    schema::SameSizes({kInputTensor, kOutputTensor}),
};

inline constexpr schema::OperatorSchema kSchema = {
    .name = "ELEMENT_WISE_IDENTITY",
    .type = DML_OPERATOR_ELEMENT_WISE_IDENTITY,
    .level = FeatureLevel::k1_0,
    .struct_size = sizeof(Struct),
    .fields = kFields,
    .support = kSupport,
    .constraints = kConstraints,
    .in_place = {kInputTensor},
};

}  // namespace anydml::identity
