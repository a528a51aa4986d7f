// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// DML_SLICE_GRAD_OPERATOR_DESC: the page's tables, row by row.
#pragma once

#include <directml.h>

#include "schema/schema.h"

namespace anydml::slice_grad {

enum Fields {
  kInputGradientTensor,
  kOutputGradientTensor,
  kDimensionCount,
  kInputWindowOffsets,
  kInputWindowSizes,
  kInputWindowStrides
};

using Struct = DML_SLICE_GRAD_OPERATOR_DESC;

// The strides are INT in the header although the page prints UINT (B16).
inline constexpr schema::Field kFields[] = {
    schema::Input("InputGradientTensor", offsetof(Struct, InputGradientTensor)),
    schema::Output("OutputGradientTensor", offsetof(Struct, OutputGradientTensor)),
    schema::DimensionCount("DimensionCount", offsetof(Struct, DimensionCount),
                           kInputGradientTensor),
    schema::Array(schema::FieldType::kUintArray, "InputWindowOffsets",
                  offsetof(Struct, InputWindowOffsets), kDimensionCount, 0),
    schema::Array(schema::FieldType::kUintArray, "InputWindowSizes",
                  offsetof(Struct, InputWindowSizes), kDimensionCount),
    schema::Array(schema::FieldType::kIntArray, "InputWindowStrides",
                  offsetof(Struct, InputWindowStrides), kDimensionCount, 1),
};

inline constexpr schema::TensorSupport kSupport[] = {
    {FeatureLevel::k4_1,
     {1, 8},
     {DataType::kFloat64, DataType::kFloat32, DataType::kFloat16, DataType::kInt64,
      DataType::kInt32, DataType::kInt16, DataType::kInt8, DataType::kUint64, DataType::kUint32,
      DataType::kUint16, DataType::kUint8}},
    {FeatureLevel::k3_1,
     {1, 8},
     {DataType::kFloat32, DataType::kFloat16, DataType::kInt32, DataType::kInt16, DataType::kInt8,
      DataType::kUint32, DataType::kUint16, DataType::kUint8}},
    {FeatureLevel::k3_0,
     {4, 5},
     {DataType::kFloat32, DataType::kFloat16, DataType::kInt32, DataType::kInt16, DataType::kInt8,
      DataType::kUint32, DataType::kUint16, DataType::kUint8}},
};

inline constexpr schema::Constraint kConstraints[] = {
    schema::SameDataType({kInputGradientTensor, kOutputGradientTensor}),
    schema::SameDimensionCount({kInputGradientTensor, kOutputGradientTensor}),
    schema::AtLeastOne({kInputWindowSizes}),
    schema::NotZero({kInputWindowStrides}),
};

Status CheckSliceGrad(const schema::Arguments& arguments);

inline constexpr schema::OperatorSchema kSchema = {
    .name = "SLICE_GRAD",
    .type = DML_OPERATOR_SLICE_GRAD,
    .level = FeatureLevel::k3_0,
    .struct_size = sizeof(Struct),
    .fields = kFields,
    .support = kSupport,
    .constraints = kConstraints,
    .in_place = {},
    // Rule: Along each axis InputWindowOffset + InputWindowSize is at most the size of
    // OutputGradientTensor, and the size of InputGradientTensor at most 1 + (InputWindowSize - 1)
    // / abs(InputWindowStride) (B16).
    .rule = CheckSliceGrad,
};

}  // namespace anydml::slice_grad
