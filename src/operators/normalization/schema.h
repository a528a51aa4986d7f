// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Batch normalization, its training and gradients, mean-variance normalization: the pages' tables,
// row by row.
#pragma once

#include <directml.h>

#include "operators/fused_activations.h"
#include "schema/schema.h"

namespace anydml::normalization {

inline constexpr DataTypeSet kFloats = {DataType::kFloat32, DataType::kFloat16};
inline constexpr schema::TensorSupport kFrom1_0[] = {
    {FeatureLevel::k3_1, {1, 8}, kFloats},
    {FeatureLevel::k1_0, {4, 4}, kFloats},
};
inline constexpr schema::TensorSupport kAlways4[] = {{FeatureLevel::k1_0, {4, 4}, kFloats}};
inline constexpr schema::TensorSupport kFrom2_1[] = {
    {FeatureLevel::k3_1, {1, 8}, kFloats},
    {FeatureLevel::k2_1, {4, 4}, kFloats},
};
inline constexpr schema::TensorSupport kFrom3_1[] = {{FeatureLevel::k3_1, {1, 8}, kFloats}};
inline constexpr schema::TensorSupport kFrom4_1[] = {{FeatureLevel::k4_1, {1, 8}, kFloats}};
inline constexpr schema::TensorSupport kFrom6_3[] = {{FeatureLevel::k6_3, {1, 8}, kFloats}};

Status CheckParameters(const schema::Arguments& arguments);
Status CheckMean(const schema::Arguments& arguments);
Status CheckScale(const schema::Arguments& arguments);
Status CheckScaleAndBias(const schema::Arguments& arguments);
Status CheckScaleAndBiasAt(const schema::Arguments& arguments, FeatureLevel level);
Status CheckChannelsAt(const schema::Arguments& arguments, FeatureLevel level);

// ---- BATCH_NORMALIZATION

enum Fields { kInput, kMean, kVariance, kScale, kBias, kOutput, kSpatial, kEpsilon };

// Spatial has no effect (B41).
inline constexpr schema::Field kFields[] = {
    schema::Input("InputTensor", offsetof(DML_BATCH_NORMALIZATION_OPERATOR_DESC, InputTensor)),
    schema::Input("MeanTensor", offsetof(DML_BATCH_NORMALIZATION_OPERATOR_DESC, MeanTensor)),
    schema::Input("VarianceTensor",
                  offsetof(DML_BATCH_NORMALIZATION_OPERATOR_DESC, VarianceTensor)),
    schema::Input("ScaleTensor", offsetof(DML_BATCH_NORMALIZATION_OPERATOR_DESC, ScaleTensor)),
    schema::Input("BiasTensor", offsetof(DML_BATCH_NORMALIZATION_OPERATOR_DESC, BiasTensor)),
    schema::Output("OutputTensor", offsetof(DML_BATCH_NORMALIZATION_OPERATOR_DESC, OutputTensor)),
    schema::Bool("Spatial", offsetof(DML_BATCH_NORMALIZATION_OPERATOR_DESC, Spatial), true),
    schema::Float("Epsilon", offsetof(DML_BATCH_NORMALIZATION_OPERATOR_DESC, Epsilon)),
    schema::Fused("FusedActivation",
                  offsetof(DML_BATCH_NORMALIZATION_OPERATOR_DESC, FusedActivation),
                  kFusedActivations),
};
inline constexpr schema::Constraint kConstraints[] = {
    schema::SameDataType({kInput, kMean, kVariance, kScale, kBias, kOutput}),
    schema::SameDimensionCount({kInput, kMean, kVariance, kScale, kBias, kOutput}),
    schema::SameSizes({kInput, kOutput}),
};
inline constexpr schema::OperatorSchema kBatchNormalizationSchema = {
    .name = "BATCH_NORMALIZATION",
    .type = DML_OPERATOR_BATCH_NORMALIZATION,
    .level = FeatureLevel::k1_0,
    .struct_size = sizeof(DML_BATCH_NORMALIZATION_OPERATOR_DESC),
    .fields = kFields,
    .support = kFrom1_0,
    .constraints = kConstraints,
    .in_place = {},
    // Rule: Every dimension of MeanTensor, VarianceTensor, ScaleTensor and BiasTensor is 1 or that
    // of InputTensor.
    .rule = CheckParameters,
};

// ---- BATCH_NORMALIZATION_TRAINING

enum TrainingFields {
  kTrainingScale = 1,
  kTrainingBias,
  kFusedAdd,
  kTrainingOutput,
  kOutputMean,
  kOutputVariance,
  kTrainingEpsilon
};

inline constexpr schema::Field kTrainingFields[] = {
    schema::Input("InputTensor",
                  offsetof(DML_BATCH_NORMALIZATION_TRAINING_OPERATOR_DESC, InputTensor)),
    schema::Input("ScaleTensor",
                  offsetof(DML_BATCH_NORMALIZATION_TRAINING_OPERATOR_DESC, ScaleTensor)),
    schema::Input("BiasTensor",
                  offsetof(DML_BATCH_NORMALIZATION_TRAINING_OPERATOR_DESC, BiasTensor)),
    schema::OptionalInput("FusedAddTensor",
                          offsetof(DML_BATCH_NORMALIZATION_TRAINING_OPERATOR_DESC, FusedAddTensor)),
    schema::Output("OutputTensor",
                   offsetof(DML_BATCH_NORMALIZATION_TRAINING_OPERATOR_DESC, OutputTensor)),
    schema::Output("OutputMeanTensor",
                   offsetof(DML_BATCH_NORMALIZATION_TRAINING_OPERATOR_DESC, OutputMeanTensor)),
    schema::Output("OutputVarianceTensor",
                   offsetof(DML_BATCH_NORMALIZATION_TRAINING_OPERATOR_DESC, OutputVarianceTensor)),
    schema::Float("Epsilon", offsetof(DML_BATCH_NORMALIZATION_TRAINING_OPERATOR_DESC, Epsilon)),
    schema::Fused("FusedActivation",
                  offsetof(DML_BATCH_NORMALIZATION_TRAINING_OPERATOR_DESC, FusedActivation),
                  kFusedActivations),
};
inline constexpr schema::Constraint kTrainingConstraints[] = {
    schema::SameDataType({kInput, kTrainingScale, kTrainingBias, kFusedAdd, kTrainingOutput,
                          kOutputMean, kOutputVariance}),
    schema::SameDimensionCount({kInput, kTrainingScale, kTrainingBias, kFusedAdd, kTrainingOutput,
                                kOutputMean, kOutputVariance}),
    schema::SameSizes({kInput, kFusedAdd, kTrainingOutput}),
    schema::SameSizes({kTrainingScale, kTrainingBias, kOutputMean, kOutputVariance}),
};
inline constexpr schema::OperatorSchema kBatchNormalizationTrainingSchema = {
    .name = "BATCH_NORMALIZATION_TRAINING",
    .type = DML_OPERATOR_BATCH_NORMALIZATION_TRAINING,
    .level = FeatureLevel::k4_1,
    .struct_size = sizeof(DML_BATCH_NORMALIZATION_TRAINING_OPERATOR_DESC),
    .fields = kTrainingFields,
    .support = kFrom4_1,
    .constraints = kTrainingConstraints,
    .in_place = {},
    // Rule: Every dimension of ScaleTensor is 1 or that of InputTensor.
    .rule = CheckScale,
};

// ---- BATCH_NORMALIZATION_GRAD, BATCH_NORMALIZATION_TRAINING_GRAD

enum GradFields {
  kInputGradient = 1,
  kGradMean,
  kGradVariance,
  kGradScale,
  kOutputGradient,
  kScaleGradient,
  kBiasGradient,
  kGradEpsilon
};

template <class Struct>
inline constexpr schema::Field kGradFields[] = {
    schema::Input("InputTensor", offsetof(Struct, InputTensor)),
    schema::Input("InputGradientTensor", offsetof(Struct, InputGradientTensor)),
    schema::Input("MeanTensor", offsetof(Struct, MeanTensor)),
    schema::Input("VarianceTensor", offsetof(Struct, VarianceTensor)),
    schema::Input("ScaleTensor", offsetof(Struct, ScaleTensor)),
    schema::Output("OutputGradientTensor", offsetof(Struct, OutputGradientTensor)),
    schema::Output("OutputScaleGradientTensor", offsetof(Struct, OutputScaleGradientTensor)),
    schema::Output("OutputBiasGradientTensor", offsetof(Struct, OutputBiasGradientTensor)),
    schema::Float("Epsilon", offsetof(Struct, Epsilon)),
};
inline constexpr schema::Constraint kGradConstraints[] = {
    schema::SameDataType({kInput, kInputGradient, kGradMean, kGradVariance, kGradScale,
                          kOutputGradient, kScaleGradient, kBiasGradient}),
    schema::SameDimensionCount({kInput, kInputGradient, kGradMean, kGradVariance, kGradScale,
                                kOutputGradient, kScaleGradient, kBiasGradient}),
    schema::SameSizes({kInput, kInputGradient, kOutputGradient}),
    schema::SameSizes({kGradMean, kGradVariance, kGradScale, kScaleGradient, kBiasGradient}),
};
inline constexpr schema::OperatorSchema kBatchNormalizationGradSchema = {
    .name = "BATCH_NORMALIZATION_GRAD",
    .type = DML_OPERATOR_BATCH_NORMALIZATION_GRAD,
    .level = FeatureLevel::k3_1,
    .struct_size = sizeof(DML_BATCH_NORMALIZATION_GRAD_OPERATOR_DESC),
    .fields = kGradFields<DML_BATCH_NORMALIZATION_GRAD_OPERATOR_DESC>,
    .support = kFrom3_1,
    .constraints = kGradConstraints,
    .in_place = {},
    // Rule: Every dimension of MeanTensor is 1 or that of InputTensor.
    .rule = CheckMean,
};
inline constexpr schema::OperatorSchema kBatchNormalizationTrainingGradSchema = {
    .name = "BATCH_NORMALIZATION_TRAINING_GRAD",
    .type = DML_OPERATOR_BATCH_NORMALIZATION_TRAINING_GRAD,
    .level = FeatureLevel::k4_1,
    .struct_size = sizeof(DML_BATCH_NORMALIZATION_TRAINING_GRAD_OPERATOR_DESC),
    .fields = kGradFields<DML_BATCH_NORMALIZATION_TRAINING_GRAD_OPERATOR_DESC>,
    .support = kFrom4_1,
    .constraints = kGradConstraints,
    .in_place = {},
    // Rule: Every dimension of MeanTensor is 1 or that of InputTensor.
    .rule = CheckMean,
};

// ---- MEAN_VARIANCE_NORMALIZATION and its versions 1 and 2

enum MvnFields { kMvnScale = 1, kMvnBias, kMvnOutput };
enum Mvn0Fields { kCrossChannel = 4, kMvn0NormalizeVariance, kMvn0Epsilon };
enum Mvn1Fields { kMvnAxisCount = 4, kMvnAxes, kNormalizeVariance, kMvn1Epsilon };
enum Mvn2Fields { kUseMean = 6, kUseVariance, kMvn2Epsilon };

inline constexpr schema::Field kMvn0Fields[] = {
    schema::Input("InputTensor",
                  offsetof(DML_MEAN_VARIANCE_NORMALIZATION_OPERATOR_DESC, InputTensor)),
    schema::OptionalInput("ScaleTensor",
                          offsetof(DML_MEAN_VARIANCE_NORMALIZATION_OPERATOR_DESC, ScaleTensor)),
    schema::OptionalInput("BiasTensor",
                          offsetof(DML_MEAN_VARIANCE_NORMALIZATION_OPERATOR_DESC, BiasTensor)),
    schema::Output("OutputTensor",
                   offsetof(DML_MEAN_VARIANCE_NORMALIZATION_OPERATOR_DESC, OutputTensor)),
    schema::Bool("CrossChannel",
                 offsetof(DML_MEAN_VARIANCE_NORMALIZATION_OPERATOR_DESC, CrossChannel), false),
    schema::Bool("NormalizeVariance",
                 offsetof(DML_MEAN_VARIANCE_NORMALIZATION_OPERATOR_DESC, NormalizeVariance), true),
    schema::Float("Epsilon", offsetof(DML_MEAN_VARIANCE_NORMALIZATION_OPERATOR_DESC, Epsilon)),
    schema::Fused("FusedActivation",
                  offsetof(DML_MEAN_VARIANCE_NORMALIZATION_OPERATOR_DESC, FusedActivation),
                  kFusedActivations),
};
inline constexpr schema::Field kMvn1Fields[] = {
    schema::Input("InputTensor",
                  offsetof(DML_MEAN_VARIANCE_NORMALIZATION1_OPERATOR_DESC, InputTensor)),
    schema::OptionalInput("ScaleTensor",
                          offsetof(DML_MEAN_VARIANCE_NORMALIZATION1_OPERATOR_DESC, ScaleTensor)),
    schema::OptionalInput("BiasTensor",
                          offsetof(DML_MEAN_VARIANCE_NORMALIZATION1_OPERATOR_DESC, BiasTensor)),
    schema::Output("OutputTensor",
                   offsetof(DML_MEAN_VARIANCE_NORMALIZATION1_OPERATOR_DESC, OutputTensor)),
    schema::AxisCount("AxisCount",
                      offsetof(DML_MEAN_VARIANCE_NORMALIZATION1_OPERATOR_DESC, AxisCount), kInput),
    schema::Axes("Axes", offsetof(DML_MEAN_VARIANCE_NORMALIZATION1_OPERATOR_DESC, Axes),
                 kMvnAxisCount),
    schema::Bool("NormalizeVariance",
                 offsetof(DML_MEAN_VARIANCE_NORMALIZATION1_OPERATOR_DESC, NormalizeVariance), true),
    schema::Float("Epsilon", offsetof(DML_MEAN_VARIANCE_NORMALIZATION1_OPERATOR_DESC, Epsilon)),
    schema::Fused("FusedActivation",
                  offsetof(DML_MEAN_VARIANCE_NORMALIZATION1_OPERATOR_DESC, FusedActivation),
                  kFusedActivations),
};
inline constexpr schema::Field kMvn2Fields[] = {
    schema::Input("InputTensor",
                  offsetof(DML_MEAN_VARIANCE_NORMALIZATION2_OPERATOR_DESC, InputTensor)),
    schema::OptionalInput("ScaleTensor",
                          offsetof(DML_MEAN_VARIANCE_NORMALIZATION2_OPERATOR_DESC, ScaleTensor)),
    schema::OptionalInput("BiasTensor",
                          offsetof(DML_MEAN_VARIANCE_NORMALIZATION2_OPERATOR_DESC, BiasTensor)),
    schema::Output("OutputTensor",
                   offsetof(DML_MEAN_VARIANCE_NORMALIZATION2_OPERATOR_DESC, OutputTensor)),
    schema::AxisCount("AxisCount",
                      offsetof(DML_MEAN_VARIANCE_NORMALIZATION2_OPERATOR_DESC, AxisCount), kInput),
    schema::Axes("Axes", offsetof(DML_MEAN_VARIANCE_NORMALIZATION2_OPERATOR_DESC, Axes),
                 kMvnAxisCount),
    schema::Bool("UseMean", offsetof(DML_MEAN_VARIANCE_NORMALIZATION2_OPERATOR_DESC, UseMean),
                 true),
    schema::Bool("UseVariance",
                 offsetof(DML_MEAN_VARIANCE_NORMALIZATION2_OPERATOR_DESC, UseVariance), true),
    schema::Float("Epsilon", offsetof(DML_MEAN_VARIANCE_NORMALIZATION2_OPERATOR_DESC, Epsilon)),
    schema::Fused("FusedActivation",
                  offsetof(DML_MEAN_VARIANCE_NORMALIZATION2_OPERATOR_DESC, FusedActivation),
                  kFusedActivations),
};
inline constexpr schema::Constraint kMvnConstraints[] = {
    schema::SameDataType({kInput, kMvnScale, kMvnBias, kMvnOutput}),
    schema::SameDimensionCount({kInput, kMvnScale, kMvnBias, kMvnOutput}),
    schema::SameSizes({kInput, kMvnOutput}),
};
inline constexpr schema::OperatorSchema kMeanVarianceNormalizationSchema = {
    .name = "MEAN_VARIANCE_NORMALIZATION",
    .type = DML_OPERATOR_MEAN_VARIANCE_NORMALIZATION,
    .level = FeatureLevel::k1_0,
    .struct_size = sizeof(DML_MEAN_VARIANCE_NORMALIZATION_OPERATOR_DESC),
    .fields = kMvn0Fields,
    .support = kAlways4,
    .constraints = kMvnConstraints,
    .in_place = {},
    // Rule: Every dimension of ScaleTensor and BiasTensor is 1 or that of InputTensor. Below
    // feature level 5_2 both are present or neither.
    .rule = CheckScaleAndBias,
    .level_rule = CheckScaleAndBiasAt,
};
inline constexpr schema::OperatorSchema kMeanVarianceNormalization1Schema = {
    .name = "MEAN_VARIANCE_NORMALIZATION1",
    .type = DML_OPERATOR_MEAN_VARIANCE_NORMALIZATION1,
    .level = FeatureLevel::k2_1,
    .struct_size = sizeof(DML_MEAN_VARIANCE_NORMALIZATION1_OPERATOR_DESC),
    .fields = kMvn1Fields,
    .support = kFrom2_1,
    .constraints = kMvnConstraints,
    .in_place = {},
    // Rule: Every dimension of ScaleTensor and BiasTensor is 1 or that of InputTensor; below
    // feature level 4_0 their channel dimension is that of InputTensor. Below 5_2 both are present
    // or neither.
    .rule = CheckScaleAndBias,
    .level_rule = CheckChannelsAt,
};
inline constexpr schema::OperatorSchema kMeanVarianceNormalization2Schema = {
    .name = "MEAN_VARIANCE_NORMALIZATION2",
    .type = DML_OPERATOR_MEAN_VARIANCE_NORMALIZATION2,
    .level = FeatureLevel::k6_3,
    .struct_size = sizeof(DML_MEAN_VARIANCE_NORMALIZATION2_OPERATOR_DESC),
    .fields = kMvn2Fields,
    .support = kFrom6_3,
    .constraints = kMvnConstraints,
    .in_place = {},
    // Rule: Every dimension of ScaleTensor and BiasTensor is 1 or that of InputTensor. Below
    // feature level 5_2 both are present or neither.
    .rule = CheckScaleAndBias,
    .level_rule = CheckScaleAndBiasAt,
};

}  // namespace anydml::normalization
