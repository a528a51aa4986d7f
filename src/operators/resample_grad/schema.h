// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// DML_RESAMPLE_GRAD_OPERATOR_DESC and DML_RESAMPLE_GRAD1_OPERATOR_DESC: the
// pages' tables, row by row. Sizes, scales and offsets are independent of one
// another (E10).
#pragma once

#include <directml.h>

#include "schema/schema.h"

namespace anydml::resample_grad {

// Both versions begin with these; each has its own fields after them.
enum Fields { kInputGradientTensor, kOutputGradientTensor, kInterpolationMode };

// The fallbacks are those of the forward operator: the centres of pixels.
inline constexpr double kCentreOfInputPixel = 0.5;
inline constexpr double kCentreOfOutputPixel = -0.5;

namespace version0 {

enum Fields {
  kDimensionCount = kInterpolationMode + 1,
  kScales,
  kInputPixelOffsets,
  kOutputPixelOffsets
};
using Struct = DML_RESAMPLE_GRAD_OPERATOR_DESC;

inline constexpr schema::Field kFields[] = {
    schema::Input("InputGradientTensor", offsetof(Struct, InputGradientTensor)),
    schema::Output("OutputGradientTensor", offsetof(Struct, OutputGradientTensor)),
    schema::Enum("InterpolationMode", offsetof(Struct, InterpolationMode),
                 schema::kInterpolationMode),
    schema::DimensionCount("DimensionCount", offsetof(Struct, DimensionCount),
                           kInputGradientTensor),
    schema::Array(schema::FieldType::kFloatArray, "Scales", offsetof(Struct, Scales),
                  kDimensionCount),
    schema::Array(schema::FieldType::kFloatArray, "InputPixelOffsets",
                  offsetof(Struct, InputPixelOffsets), kDimensionCount, kCentreOfInputPixel),
    schema::Array(schema::FieldType::kFloatArray, "OutputPixelOffsets",
                  offsetof(Struct, OutputPixelOffsets), kDimensionCount, kCentreOfOutputPixel),
};

inline constexpr schema::TensorSupport kSupport[] = {
    {FeatureLevel::k5_1, {1, 4}, {DataType::kFloat32, DataType::kFloat16}},
    {FeatureLevel::k3_0, {4, 4}, {DataType::kFloat32, DataType::kFloat16}},
};

inline constexpr schema::Constraint kConstraints[] = {
    schema::SameDataType({kInputGradientTensor, kOutputGradientTensor}),
    schema::SameDimensionCount({kInputGradientTensor, kOutputGradientTensor}),
    schema::Positive({kScales}),
    schema::Finite({kInputPixelOffsets, kOutputPixelOffsets}),
};

inline constexpr schema::OperatorSchema kSchema = {
    .name = "RESAMPLE_GRAD",
    .type = DML_OPERATOR_RESAMPLE_GRAD,
    .level = FeatureLevel::k3_0,
    .struct_size = sizeof(Struct),
    .fields = kFields,
    .support = kSupport,
    .constraints = kConstraints,
    .in_place = {},
};

}  // namespace version0

namespace version1 {

enum Fields {
  kRoundingDirection = kInterpolationMode + 1,
  kDimensionCount,
  kScales,
  kInputPixelOffsets,
  kOutputPixelOffsets
};
using Struct = DML_RESAMPLE_GRAD1_OPERATOR_DESC;

inline constexpr schema::Field kFields[] = {
    schema::Input("InputGradientTensor", offsetof(Struct, InputGradientTensor)),
    schema::Output("OutputGradientTensor", offsetof(Struct, OutputGradientTensor)),
    schema::Enum("InterpolationMode", offsetof(Struct, InterpolationMode),
                 schema::kInterpolationMode),
    schema::Enum("RoundingDirection", offsetof(Struct, RoundingDirection), schema::kAxisDirection),
    schema::DimensionCount("DimensionCount", offsetof(Struct, DimensionCount),
                           kInputGradientTensor),
    schema::Array(schema::FieldType::kFloatArray, "Scales", offsetof(Struct, Scales),
                  kDimensionCount),
    schema::Array(schema::FieldType::kFloatArray, "InputPixelOffsets",
                  offsetof(Struct, InputPixelOffsets), kDimensionCount, kCentreOfInputPixel),
    schema::Array(schema::FieldType::kFloatArray, "OutputPixelOffsets",
                  offsetof(Struct, OutputPixelOffsets), kDimensionCount, kCentreOfOutputPixel),
};

inline constexpr schema::TensorSupport kSupport[] = {
    {FeatureLevel::k5_1, {1, 4}, {DataType::kFloat32, DataType::kFloat16}},
};

inline constexpr schema::Constraint kConstraints[] = {
    schema::SameDataType({kInputGradientTensor, kOutputGradientTensor}),
    schema::SameDimensionCount({kInputGradientTensor, kOutputGradientTensor}),
    schema::Positive({kScales}),
    schema::Finite({kInputPixelOffsets, kOutputPixelOffsets}),
};

inline constexpr schema::OperatorSchema kSchema = {
    .name = "RESAMPLE_GRAD1",
    .type = DML_OPERATOR_RESAMPLE_GRAD1,
    .level = FeatureLevel::k5_1,
    .struct_size = sizeof(Struct),
    .fields = kFields,
    .support = kSupport,
    .constraints = kConstraints,
    .in_place = {},
};

}  // namespace version1

}  // namespace anydml::resample_grad
