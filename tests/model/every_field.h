// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The schema of an operator that does not exist: one field of every type.
#pragma once

#include <string_view>

#include "operators/registry.h"
#include "schema/schema.h"

namespace anydml::test {

enum EveryField {
  kInput,
  kWeights,  // an optional input
  kOutput,
  kDimensionCount,
  kWindowSize,
  kOffsets,
  kScales,
  kMode,
  kRatio,
  kCount,
  kShift,
  kIncludePadding,
  kScaleSize,
  kScaleBias,
  kMin,  // before its type, as no real struct has it
  kMinMaxDataType,
  kMax,
};

using schema::FieldType;

inline constexpr schema::Field kEveryFields[] = {
    schema::Input("InputTensor", 0),
    {.name = "WeightsTensor", .type = FieldType::kInputTensor, .optional = true},
    schema::Output("OutputTensor", 0),
    schema::DimensionCount("DimensionCount", 0, kInput, 2),
    schema::Array(FieldType::kUintArray, "WindowSize", 0, kDimensionCount),
    schema::Array(FieldType::kIntArray, "Offsets", 0, kDimensionCount),
    schema::Array(FieldType::kFloatArray, "Scales", 0, kDimensionCount),
    schema::Enum("Mode", 0, schema::kInterpolationMode),
    schema::Float("Ratio", 0),
    {.name = "Count", .type = FieldType::kUint},
    {.name = "Shift", .type = FieldType::kInt},
    schema::Bool("IncludePadding", 0, false),
    schema::Size2D("ScaleSize", 0),
    schema::ScaleBias("ScaleBias", 0),
    schema::ScalarUnion("Min", 0, kMinMaxDataType),
    schema::DataTypeOf("MinMaxDataType", 0, kInput),
    schema::ScalarUnion("Max", 0, kMinMaxDataType),
};

inline constexpr schema::TensorSupport kEverySupport[] = {
    {FeatureLevel::k1_0,
     {1, 8},
     {DataType::kFloat32, DataType::kFloat16, DataType::kUint8, DataType::kInt64}}};

inline constexpr schema::OperatorSchema kEveryFieldSchema = {
    .name = "EVERY_FIELD",
    .type = 1000,
    .level = FeatureLevel::k1_0,
    .struct_size = 0,
    .fields = kEveryFields,
    .support = kEverySupport,
    .constraints = {},
    .in_place = {},
};

// The real operators, and EVERY_FIELD.
inline const schema::OperatorSchema* FindTestSchema(std::string_view name) {
  if (name == kEveryFieldSchema.name) return &kEveryFieldSchema;
  const Definition* definition = FindOperator(name);
  return definition == nullptr ? nullptr : definition->schema;
}

}  // namespace anydml::test
