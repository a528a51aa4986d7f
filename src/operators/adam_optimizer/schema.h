// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// DML_ADAM_OPTIMIZER_OPERATOR_DESC: the page's tables, row by row.
#pragma once

#include <directml.h>

#include "schema/arguments.h"
#include "schema/schema.h"

namespace anydml::adam_optimizer {

enum Fields {
  kInputParametersTensor,
  kInputFirstMomentTensor,
  kInputSecondMomentTensor,
  kGradientTensor,
  kTrainingStepTensor,
  kOutputParametersTensor,
  kOutputFirstMomentTensor,
  kOutputSecondMomentTensor,
  kLearningRate,
  kBeta1,
  kBeta2,
  kEpsilon,
};

using Struct = DML_ADAM_OPTIMIZER_OPERATOR_DESC;

constexpr schema::Field Float(std::string_view name, size_t offset, double fallback) {
  schema::Field field = schema::Float(name, offset);
  field.has_fallback = true;
  field.fallback = fallback;
  return field;
}

inline constexpr schema::Field kFields[] = {
    schema::Input("InputParametersTensor", offsetof(Struct, InputParametersTensor)),
    schema::Input("InputFirstMomentTensor", offsetof(Struct, InputFirstMomentTensor)),
    schema::Input("InputSecondMomentTensor", offsetof(Struct, InputSecondMomentTensor)),
    schema::Input("GradientTensor", offsetof(Struct, GradientTensor)),
    schema::Input("TrainingStepTensor", offsetof(Struct, TrainingStepTensor)),
    schema::Output("OutputParametersTensor", offsetof(Struct, OutputParametersTensor)),
    schema::Output("OutputFirstMomentTensor", offsetof(Struct, OutputFirstMomentTensor)),
    schema::Output("OutputSecondMomentTensor", offsetof(Struct, OutputSecondMomentTensor)),
    Float("LearningRate", offsetof(Struct, LearningRate), 0.001),
    Float("Beta1", offsetof(Struct, Beta1), 0.9),
    Float("Beta2", offsetof(Struct, Beta2), 0.999),
    Float("Epsilon", offsetof(Struct, Epsilon), 1e-8),
};

inline constexpr schema::FieldSet kAlike = {
    kInputParametersTensor,  kInputFirstMomentTensor,  kInputSecondMomentTensor, kGradientTensor,
    kOutputParametersTensor, kOutputFirstMomentTensor, kOutputSecondMomentTensor};
inline constexpr DataTypeSet kFloats = {DataType::kFloat32, DataType::kFloat16};

// The page has 4 dimensions; the history of levels has 8 from 4_0 on. Its table has a FLOAT
// step, its text a UINT32 one (B46).
inline constexpr schema::TensorSupport kSupport[] = {
    {FeatureLevel::k4_0, {1, 8}, kFloats, kAlike},
    {FeatureLevel::k4_0, {1, 8}, {DataType::kUint32}, {kTrainingStepTensor}},
    {FeatureLevel::k3_0, {4, 4}, kFloats, kAlike},
    {FeatureLevel::k3_0, {4, 4}, {DataType::kUint32}, {kTrainingStepTensor}},
};

inline constexpr schema::Constraint kConstraints[] = {
    {schema::Constraint::Kind::kSameDataType, kAlike},
    {schema::Constraint::Kind::kSameDimensionCount, kAlike},
    {schema::Constraint::Kind::kSameSizes, kAlike},
};

Status CheckStep(const schema::Arguments& arguments);

inline constexpr schema::OperatorSchema kSchema = {
    .name = "ADAM_OPTIMIZER",
    .type = DML_OPERATOR_ADAM_OPTIMIZER,
    .level = FeatureLevel::k3_0,
    .struct_size = sizeof(Struct),
    .fields = kFields,
    .support = kSupport,
    .constraints = kConstraints,
    .in_place = {kInputParametersTensor, kInputFirstMomentTensor, kInputSecondMomentTensor,
                 kGradientTensor},
    // Rule: TrainingStepTensor has one element; its DimensionCount is its own.
    .rule = CheckStep,
};

}  // namespace anydml::adam_optimizer
