// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// DML_ELEMENT_WISE_CLIP_GRAD_OPERATOR_DESC and
// DML_ELEMENT_WISE_CLIP_GRAD1_OPERATOR_DESC: the pages' tables, row by row.
#pragma once

#include <directml.h>

#include "schema/schema.h"

namespace anydml::clip_grad {

// The tensors come first in both structs.
enum Fields { kInputTensor, kInputGradientTensor, kOutputGradientTensor };
enum ClipGradFields { kClipGradMin = kOutputGradientTensor + 1, kClipGradMax };
enum ClipGrad1Fields {
  kClipGrad1MinMaxDataType = kOutputGradientTensor + 1,
  kClipGrad1Min,
  kClipGrad1Max
};

using ClipGradStruct = DML_ELEMENT_WISE_CLIP_GRAD_OPERATOR_DESC;
using ClipGrad1Struct = DML_ELEMENT_WISE_CLIP_GRAD1_OPERATOR_DESC;

inline constexpr schema::Field kClipGradFields[] = {
    schema::Input("InputTensor", offsetof(ClipGradStruct, InputTensor)),
    schema::Input("InputGradientTensor", offsetof(ClipGradStruct, InputGradientTensor)),
    schema::Output("OutputGradientTensor", offsetof(ClipGradStruct, OutputGradientTensor)),
    schema::Float("Min", offsetof(ClipGradStruct, Min)),
    schema::Float("Max", offsetof(ClipGradStruct, Max)),
};

// The page wants MinMaxDataType to match "OutputTensor"; OutputGradientTensor is
// meant (B24).
inline constexpr schema::Field kClipGrad1Fields[] = {
    schema::Input("InputTensor", offsetof(ClipGrad1Struct, InputTensor)),
    schema::Input("InputGradientTensor", offsetof(ClipGrad1Struct, InputGradientTensor)),
    schema::Output("OutputGradientTensor", offsetof(ClipGrad1Struct, OutputGradientTensor)),
    schema::DataTypeOf("MinMaxDataType", offsetof(ClipGrad1Struct, MinMaxDataType),
                       kOutputGradientTensor),
    schema::ScalarUnion("Min", offsetof(ClipGrad1Struct, Min), kClipGrad1MinMaxDataType),
    schema::ScalarUnion("Max", offsetof(ClipGrad1Struct, Max), kClipGrad1MinMaxDataType),
};

inline constexpr schema::TensorSupport kClipGradSupport[] = {
    {FeatureLevel::k5_0,
     {1, 8},
     {DataType::kFloat32, DataType::kFloat16, DataType::kInt64, DataType::kInt32, DataType::kInt16,
      DataType::kInt8, DataType::kUint64, DataType::kUint32, DataType::kUint16, DataType::kUint8}},
    {FeatureLevel::k3_1,
     {1, 8},
     {DataType::kFloat32, DataType::kFloat16, DataType::kInt32, DataType::kInt16, DataType::kInt8,
      DataType::kUint32, DataType::kUint16, DataType::kUint8}},
};

inline constexpr schema::TensorSupport kClipGrad1Support[] = {
    {FeatureLevel::k5_0,
     {1, 8},
     {DataType::kFloat32, DataType::kFloat16, DataType::kInt64, DataType::kInt32, DataType::kInt16,
      DataType::kInt8, DataType::kUint64, DataType::kUint32, DataType::kUint16, DataType::kUint8}},
};

inline constexpr schema::Constraint kConstraints[] = {
    schema::SameDataType({kInputTensor, kInputGradientTensor, kOutputGradientTensor}),
    schema::SameDimensionCount({kInputTensor, kInputGradientTensor, kOutputGradientTensor}),
    schema::SameSizes({kInputTensor, kInputGradientTensor, kOutputGradientTensor}),
};

// The pages allow the output to alias InputTensor, B23 adds InputGradientTensor.
inline constexpr schema::FieldSet kInPlace = {kInputTensor, kInputGradientTensor};

inline constexpr schema::OperatorSchema kClipGradSchema = {
    .name = "ELEMENT_WISE_CLIP_GRAD",
    .type = DML_OPERATOR_ELEMENT_WISE_CLIP_GRAD,
    .level = FeatureLevel::k3_1,
    .struct_size = sizeof(ClipGradStruct),
    .fields = kClipGradFields,
    .support = kClipGradSupport,
    .constraints = kConstraints,
    .in_place = kInPlace,
};

inline constexpr schema::OperatorSchema kClipGrad1Schema = {
    .name = "ELEMENT_WISE_CLIP_GRAD1",
    .type = DML_OPERATOR_ELEMENT_WISE_CLIP_GRAD1,
    .level = FeatureLevel::k5_0,
    .struct_size = sizeof(ClipGrad1Struct),
    .fields = kClipGrad1Fields,
    .support = kClipGrad1Support,
    .constraints = kConstraints,
    .in_place = kInPlace,
};

}  // namespace anydml::clip_grad
