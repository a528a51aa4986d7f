// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// DML_ELEMENT_WISE_CLIP_OPERATOR_DESC and DML_ELEMENT_WISE_CLIP1_OPERATOR_DESC:
// the pages' tables, row by row.
#pragma once

#include <directml.h>

#include "schema/schema.h"

namespace anydml::clip {

// The tensors and ScaleBias come first in both structs.
enum Fields { kInputTensor, kOutputTensor, kScaleBias };
enum ClipFields { kClipMin = kScaleBias + 1, kClipMax };
enum Clip1Fields { kClip1MinMaxDataType = kScaleBias + 1, kClip1Min, kClip1Max };

using ClipStruct = DML_ELEMENT_WISE_CLIP_OPERATOR_DESC;
using Clip1Struct = DML_ELEMENT_WISE_CLIP1_OPERATOR_DESC;

inline constexpr schema::Field kClipFields[] = {
    schema::Input("InputTensor", offsetof(ClipStruct, InputTensor)),
    schema::Output("OutputTensor", offsetof(ClipStruct, OutputTensor)),
    schema::ScaleBias("ScaleBias", offsetof(ClipStruct, ScaleBias)),
    schema::Float("Min", offsetof(ClipStruct, Min)),
    schema::Float("Max", offsetof(ClipStruct, Max)),
};

inline constexpr schema::Field kClip1Fields[] = {
    schema::Input("InputTensor", offsetof(Clip1Struct, InputTensor)),
    schema::Output("OutputTensor", offsetof(Clip1Struct, OutputTensor)),
    schema::ScaleBias("ScaleBias", offsetof(Clip1Struct, ScaleBias)),
    schema::DataTypeOf("MinMaxDataType", offsetof(Clip1Struct, MinMaxDataType), kOutputTensor),
    schema::ScalarUnion("Min", offsetof(Clip1Struct, Min), kClip1MinMaxDataType),
    schema::ScalarUnion("Max", offsetof(Clip1Struct, Max), kClip1MinMaxDataType),
};

inline constexpr schema::TensorSupport kClipSupport[] = {
    {FeatureLevel::k5_0,
     {1, 8},
     {DataType::kFloat32, DataType::kFloat16, DataType::kInt64, DataType::kInt32, DataType::kInt16,
      DataType::kInt8, DataType::kUint64, DataType::kUint32, DataType::kUint16, DataType::kUint8}},
    {FeatureLevel::k3_0,
     {1, 8},
     {DataType::kFloat32, DataType::kFloat16, DataType::kInt32, DataType::kInt16, DataType::kInt8,
      DataType::kUint32, DataType::kUint16, DataType::kUint8}},
    {FeatureLevel::k2_1,
     {4, 4},
     {DataType::kFloat32, DataType::kFloat16, DataType::kInt32, DataType::kInt16, DataType::kInt8,
      DataType::kUint32, DataType::kUint16, DataType::kUint8}},
    {FeatureLevel::k1_0, {4, 4}, {DataType::kFloat32, DataType::kFloat16}},
};

inline constexpr schema::TensorSupport kClip1Support[] = {
    {FeatureLevel::k5_0,
     {1, 8},
     {DataType::kFloat32, DataType::kFloat16, DataType::kInt64, DataType::kInt32, DataType::kInt16,
      DataType::kInt8, DataType::kUint64, DataType::kUint32, DataType::kUint16, DataType::kUint8}},
};

inline constexpr schema::Constraint kConstraints[] = {
    schema::SameDataType({kInputTensor, kOutputTensor}),
    schema::SameDimensionCount({kInputTensor, kOutputTensor}),
    schema::SameSizes({kInputTensor, kOutputTensor}),
};

inline constexpr schema::OperatorSchema kClipSchema = {
    .name = "ELEMENT_WISE_CLIP",
    .type = DML_OPERATOR_ELEMENT_WISE_CLIP,
    .level = FeatureLevel::k1_0,
    .struct_size = sizeof(ClipStruct),
    .fields = kClipFields,
    .support = kClipSupport,
    .constraints = kConstraints,
    .in_place = {kInputTensor},
};

inline constexpr schema::OperatorSchema kClip1Schema = {
    .name = "ELEMENT_WISE_CLIP1",
    .type = DML_OPERATOR_ELEMENT_WISE_CLIP1,
    .level = FeatureLevel::k5_0,
    .struct_size = sizeof(Clip1Struct),
    .fields = kClip1Fields,
    .support = kClip1Support,
    .constraints = kConstraints,
    .in_place = {kInputTensor},
};

}  // namespace anydml::clip
