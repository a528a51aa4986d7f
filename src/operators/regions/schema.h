// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// ROI_ALIGN, ROI_ALIGN1, ROI_ALIGN_GRAD and ROI_POOLING: the pages' tables, row by row.
#pragma once

#include <directml.h>

#include "schema/field_lists.h"
#include "schema/schema.h"

namespace anydml::regions {

inline constexpr DataTypeSet kFloats = {DataType::kFloat32, DataType::kFloat16};

// Of both versions; version 1 has pixel offsets before OutOfBoundsInputValue.
enum Fields {
  kInputTensor,
  kROITensor,
  kBatchIndicesTensor,
  kOutputTensor,
  kReductionFunction,
  kInterpolationMode,
  kSpatialScaleX,
  kSpatialScaleY,
  kOutOfBoundsInputValue,
  kMinimumSamplesPerOutput,
  kMaximumSamplesPerOutput,
};
enum Fields1 {
  kInputPixelOffset1 = kSpatialScaleY + 1,
  kOutputPixelOffset1,
  kOutOfBoundsInputValue1,
  kMinimumSamplesPerOutput1,
  kMaximumSamplesPerOutput1,
  kAlignRegionsToCorners1,
};

template <class Struct>
inline constexpr schema::Field kTensors[] = {
    schema::Input("InputTensor", offsetof(Struct, InputTensor)),
    schema::Input("ROITensor", offsetof(Struct, ROITensor)),
    schema::Input("BatchIndicesTensor", offsetof(Struct, BatchIndicesTensor)),
    schema::Output("OutputTensor", offsetof(Struct, OutputTensor)),
};
template <class Struct>
inline constexpr schema::Field kModes[] = {
    schema::Enum("ReductionFunction", offsetof(Struct, ReductionFunction), schema::kReduceFunction),
    schema::Enum("InterpolationMode", offsetof(Struct, InterpolationMode),
                 schema::kInterpolationMode),
    schema::Float("SpatialScaleX", offsetof(Struct, SpatialScaleX)),
    schema::Float("SpatialScaleY", offsetof(Struct, SpatialScaleY)),
};
template <class Struct>
inline constexpr schema::Field kOffsets[] = {
    schema::Float("InputPixelOffset", offsetof(Struct, InputPixelOffset)),
    schema::Float("OutputPixelOffset", offsetof(Struct, OutputPixelOffset)),
};
template <class Struct>
inline constexpr schema::Field kSamples[] = {
    schema::Uint("MinimumSamplesPerOutput", offsetof(Struct, MinimumSamplesPerOutput)),
    schema::Uint("MaximumSamplesPerOutput", offsetof(Struct, MaximumSamplesPerOutput)),
};
template <class Struct>
inline constexpr schema::Field kOutside[] = {
    schema::Float("OutOfBoundsInputValue", offsetof(Struct, OutOfBoundsInputValue))};
template <class Struct>
inline constexpr schema::Field kAlign[] = {
    schema::Bool("AlignRegionsToCorners", offsetof(Struct, AlignRegionsToCorners), false)};

template <size_t A, size_t B>
constexpr std::array<schema::Field, A + B> Join(const std::array<schema::Field, A>& first,
                                                const schema::Field (&then)[B]) {
  std::array<schema::Field, A + B> all;
  std::ranges::copy(then, std::ranges::copy(first, all.begin()).out);
  return all;
}

template <class Struct = DML_ROI_ALIGN_OPERATOR_DESC>
inline constexpr auto kFields =
    Join(schema::JoinFields(kTensors<Struct>, kModes<Struct>, kOutside<Struct>), kSamples<Struct>);
template <class Struct = DML_ROI_ALIGN1_OPERATOR_DESC>
inline constexpr auto kFields1 = Join(Join(Join(schema::JoinFields(kTensors<Struct>, kModes<Struct>,
                                                                   kOffsets<Struct>),
                                                kOutside<Struct>),
                                           kSamples<Struct>),
                                      kAlign<Struct>);

inline constexpr DataTypeSet kShortIndices = {DataType::kUint32};
inline constexpr DataTypeSet kIndices = {DataType::kUint64, DataType::kUint32};

inline constexpr schema::TensorSupport kSupport[] = {
    {FeatureLevel::k5_0, {1, 4}, kIndices, {kBatchIndicesTensor}},
    {FeatureLevel::k3_0, {4, 4}, kFloats, {kInputTensor, kOutputTensor}},
    {FeatureLevel::k3_0, {2, 4}, kFloats, {kROITensor}},
    {FeatureLevel::k3_0, {1, 4}, kShortIndices, {kBatchIndicesTensor}},
};
inline constexpr schema::TensorSupport kSupport1[] = {
    {FeatureLevel::k5_0, {1, 4}, kIndices, {kBatchIndicesTensor}},
    {FeatureLevel::k4_0, {4, 4}, kFloats, {kInputTensor, kOutputTensor}},
    {FeatureLevel::k4_0, {2, 4}, kFloats, {kROITensor}},
    {FeatureLevel::k4_0, {1, 4}, kShortIndices, {kBatchIndicesTensor}},
};
inline constexpr schema::Constraint kConstraints[] = {
    schema::SameDataType({kInputTensor, kROITensor, kOutputTensor}),
    schema::AtLeastOne({kMinimumSamplesPerOutput}),
    schema::Finite({kSpatialScaleX, kSpatialScaleY}),
};
inline constexpr schema::Constraint kConstraints1[] = {
    schema::SameDataType({kInputTensor, kROITensor, kOutputTensor}),
    schema::AtLeastOne({kMinimumSamplesPerOutput1}),
    schema::Finite({kSpatialScaleX, kSpatialScaleY, kInputPixelOffset1, kOutputPixelOffset1}),
};

Status CheckAlign(const schema::Arguments& arguments);
Status CheckAlign1(const schema::Arguments& arguments);

inline constexpr schema::OperatorSchema kAlignSchema = {
    .name = "ROI_ALIGN",
    .type = DML_OPERATOR_ROI_ALIGN,
    .level = FeatureLevel::k3_0,
    .struct_size = sizeof(DML_ROI_ALIGN_OPERATOR_DESC),
    .fields = kFields<>,
    .support = kSupport,
    .constraints = kConstraints,
    .in_place = {},
    // Rule: ROITensor is {.., NumROIs, 4}, BatchIndicesTensor {.., NumROIs}, with ones in front;
    // OutputTensor is {NumROIs, C, any, any} where InputTensor has C channels. ReductionFunction is
    // AVERAGE or MAX. MinimumSamplesPerOutput is at most MaximumSamplesPerOutput, and at most 2^22
    // divided by the height and by the width of OutputTensor.
    .rule = CheckAlign,
};
inline constexpr schema::OperatorSchema kAlign1Schema = {
    .name = "ROI_ALIGN1",
    .type = DML_OPERATOR_ROI_ALIGN1,
    .level = FeatureLevel::k4_0,
    .struct_size = sizeof(DML_ROI_ALIGN1_OPERATOR_DESC),
    .fields = kFields1<>,
    .support = kSupport1,
    .constraints = kConstraints1,
    .in_place = {},
    // Rule: ROITensor is {.., NumROIs, 4}, BatchIndicesTensor {.., NumROIs}, with ones in front;
    // OutputTensor is {NumROIs, C, any, any} where InputTensor has C channels. ReductionFunction is
    // AVERAGE or MAX. MinimumSamplesPerOutput is at most MaximumSamplesPerOutput, and at most 2^22
    // divided by the height and by the width of OutputTensor.
    .rule = CheckAlign1,
};

// ---- ROI_ALIGN_GRAD

enum GradFields {
  kGradInput,
  kGradInputGradient,
  kGradROI,
  kGradBatchIndices,
  kGradOutputGradient,
  kGradOutputROIGradient,
  kGradReductionFunction,
  kGradInterpolationMode,
  kGradSpatialScaleX,
  kGradSpatialScaleY,
  kGradInputPixelOffset,
  kGradOutputPixelOffset,
  kGradMinimumSamples,
  kGradMaximumSamples,
  kGradAlignRegionsToCorners,
};

template <class Struct = DML_ROI_ALIGN_GRAD_OPERATOR_DESC>
inline constexpr schema::Field kGradTensors[] = {
    schema::OptionalInput("InputTensor", offsetof(Struct, InputTensor)),
    schema::Input("InputGradientTensor", offsetof(Struct, InputGradientTensor)),
    schema::Input("ROITensor", offsetof(Struct, ROITensor)),
    schema::Input("BatchIndicesTensor", offsetof(Struct, BatchIndicesTensor)),
    schema::OptionalOutput("OutputGradientTensor", offsetof(Struct, OutputGradientTensor)),
    schema::OptionalOutput("OutputROIGradientTensor", offsetof(Struct, OutputROIGradientTensor)),
};
template <class Struct = DML_ROI_ALIGN_GRAD_OPERATOR_DESC>
inline constexpr auto kGradFields = Join(Join(schema::JoinFields(kGradTensors<Struct>,
                                                                 kModes<Struct>, kOffsets<Struct>),
                                              kSamples<Struct>),
                                         kAlign<Struct>);

inline constexpr schema::TensorSupport kGradSupport[] = {
    {FeatureLevel::k4_1, {4, 4}, kFloats, {kGradInput, kGradInputGradient, kGradOutputGradient}},
    {FeatureLevel::k4_1, {2, 4}, kFloats, {kGradROI, kGradOutputROIGradient}},
    {FeatureLevel::k4_1, {1, 4}, kShortIndices, {kGradBatchIndices}},
};
inline constexpr schema::Constraint kGradConstraints[] = {
    schema::SameDataType(
        {kGradInput, kGradInputGradient, kGradROI, kGradOutputGradient, kGradOutputROIGradient}),
    schema::SameSizes({kGradInput, kGradOutputGradient}),
    schema::SameDimensionCount({kGradROI, kGradOutputROIGradient}),
    schema::SameSizes({kGradROI, kGradOutputROIGradient}),
    schema::AtLeastOne({kGradMinimumSamples}),
    schema::Finite(
        {kGradSpatialScaleX, kGradSpatialScaleY, kGradInputPixelOffset, kGradOutputPixelOffset}),
};

Status CheckAlignGrad(const schema::Arguments& arguments);

inline constexpr schema::OperatorSchema kAlignGradSchema = {
    .name = "ROI_ALIGN_GRAD",
    .type = DML_OPERATOR_ROI_ALIGN_GRAD,
    .level = FeatureLevel::k4_1,
    .struct_size = sizeof(DML_ROI_ALIGN_GRAD_OPERATOR_DESC),
    .fields = kGradFields<>,
    .support = kGradSupport,
    .constraints = kGradConstraints,
    .in_place = {},
    // Rule: At least one of OutputGradientTensor and OutputROIGradientTensor is present;
    // InputTensor is where OutputROIGradientTensor is, or where ReductionFunction is MAX. ROITensor
    // is {.., NumROIs, 4}, BatchIndicesTensor {.., NumROIs}, with ones in front;
    // InputGradientTensor is {NumROIs, C, any, any} where the image has C channels.
    // ReductionFunction is AVERAGE or MAX. MinimumSamplesPerOutput is at most
    // MaximumSamplesPerOutput, and at most 2^22 divided by the height and by the width of
    // InputGradientTensor.
    .rule = CheckAlignGrad,
};

// ---- ROI_POOLING

enum PoolingFields { kPoolingOutput = 2, kSpatialScale, kPooledSize };

template <class Struct = DML_ROI_POOLING_OPERATOR_DESC>
inline constexpr schema::Field kPoolingFields[] = {
    schema::Input("InputTensor", offsetof(Struct, InputTensor)),
    schema::Input("ROITensor", offsetof(Struct, ROITensor)),
    schema::Output("OutputTensor", offsetof(Struct, OutputTensor)),
    schema::Float("SpatialScale", offsetof(Struct, SpatialScale)),
    schema::Size2D("PooledSize", offsetof(Struct, PooledSize)),
};
inline constexpr schema::TensorSupport kPoolingSupport[] = {{FeatureLevel::k1_0, {4, 4}, kFloats}};
inline constexpr schema::Constraint kPoolingConstraints[] = {
    schema::SameDataType({kInputTensor, kROITensor, kPoolingOutput}),
};

Status CheckPooling(const schema::Arguments& arguments);
Result<std::vector<TensorDesc>> PoolingOutputs(const schema::Arguments& arguments);

inline constexpr schema::OperatorSchema kPoolingSchema = {
    .name = "ROI_POOLING",
    .type = DML_OPERATOR_ROI_POOLING,
    .level = FeatureLevel::k1_0,
    .struct_size = sizeof(DML_ROI_POOLING_OPERATOR_DESC),
    .fields = kPoolingFields<>,
    .support = kPoolingSupport,
    .constraints = kPoolingConstraints,
    .in_place = {},
    // Rule: ROITensor is {1, 1, NumROIs, 5}, OutputTensor {NumROIs, C, PooledSize.Height,
    // PooledSize.Width} where InputTensor has C channels.
    .rule = CheckPooling,
    .output_tensors = PoolingOutputs,
};

}  // namespace anydml::regions
