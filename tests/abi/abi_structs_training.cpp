// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The fields of every gradient and training operator description: type and offset.

#include "abi_field.h"
#include "directml.h"

namespace {

using Tensor = const DML_TENSOR_DESC*;
using Uints = const UINT*;
using Ints = const INT*;
using Floats = const FLOAT*;
using Operator = const DML_OPERATOR_DESC*;

namespace activation_relu_grad {
using Desc = DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC;
static_assert(sizeof(Desc) == 24);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, InputGradientTensor, 8);
ABI_FIELD(Tensor, OutputGradientTensor, 16);
}  // namespace activation_relu_grad

namespace average_pooling_grad {
using Desc = DML_AVERAGE_POOLING_GRAD_OPERATOR_DESC;
static_assert(sizeof(Desc) == 64);
ABI_FIELD(Tensor, InputGradientTensor, 0);
ABI_FIELD(Tensor, OutputGradientTensor, 8);
ABI_FIELD(UINT, DimensionCount, 16);
ABI_FIELD(Uints, Strides, 24);
ABI_FIELD(Uints, WindowSize, 32);
ABI_FIELD(Uints, StartPadding, 40);
ABI_FIELD(Uints, EndPadding, 48);
ABI_FIELD(BOOL, IncludePadding, 56);
}  // namespace average_pooling_grad

namespace max_pooling_grad {
using Desc = DML_MAX_POOLING_GRAD_OPERATOR_DESC;
static_assert(sizeof(Desc) == 72);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, InputGradientTensor, 8);
ABI_FIELD(Tensor, OutputGradientTensor, 16);
ABI_FIELD(UINT, DimensionCount, 24);
ABI_FIELD(Uints, Strides, 32);
ABI_FIELD(Uints, WindowSize, 40);
ABI_FIELD(Uints, StartPadding, 48);
ABI_FIELD(Uints, EndPadding, 56);
ABI_FIELD(Uints, Dilations, 64);
}  // namespace max_pooling_grad

namespace resample_grad {
using Desc = DML_RESAMPLE_GRAD_OPERATOR_DESC;
static_assert(sizeof(Desc) == 48);
ABI_FIELD(Tensor, InputGradientTensor, 0);
ABI_FIELD(Tensor, OutputGradientTensor, 8);
ABI_FIELD(DML_INTERPOLATION_MODE, InterpolationMode, 16);
ABI_FIELD(UINT, DimensionCount, 20);
ABI_FIELD(Floats, Scales, 24);
ABI_FIELD(Floats, InputPixelOffsets, 32);
ABI_FIELD(Floats, OutputPixelOffsets, 40);
}  // namespace resample_grad

namespace slice_grad {
using Desc = DML_SLICE_GRAD_OPERATOR_DESC;
static_assert(sizeof(Desc) == 48);
ABI_FIELD(Tensor, InputGradientTensor, 0);
ABI_FIELD(Tensor, OutputGradientTensor, 8);
ABI_FIELD(UINT, DimensionCount, 16);
ABI_FIELD(Uints, InputWindowOffsets, 24);
ABI_FIELD(Uints, InputWindowSizes, 32);
ABI_FIELD(Ints, InputWindowStrides, 40);
}  // namespace slice_grad

namespace adam_optimizer {
using Desc = DML_ADAM_OPTIMIZER_OPERATOR_DESC;
static_assert(sizeof(Desc) == 80);
ABI_FIELD(Tensor, InputParametersTensor, 0);
ABI_FIELD(Tensor, InputFirstMomentTensor, 8);
ABI_FIELD(Tensor, InputSecondMomentTensor, 16);
ABI_FIELD(Tensor, GradientTensor, 24);
ABI_FIELD(Tensor, TrainingStepTensor, 32);
ABI_FIELD(Tensor, OutputParametersTensor, 40);
ABI_FIELD(Tensor, OutputFirstMomentTensor, 48);
ABI_FIELD(Tensor, OutputSecondMomentTensor, 56);
ABI_FIELD(FLOAT, LearningRate, 64);
ABI_FIELD(FLOAT, Beta1, 68);
ABI_FIELD(FLOAT, Beta2, 72);
ABI_FIELD(FLOAT, Epsilon, 76);
}  // namespace adam_optimizer

namespace element_wise_clip_grad {
using Desc = DML_ELEMENT_WISE_CLIP_GRAD_OPERATOR_DESC;
static_assert(sizeof(Desc) == 32);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, InputGradientTensor, 8);
ABI_FIELD(Tensor, OutputGradientTensor, 16);
ABI_FIELD(FLOAT, Min, 24);
ABI_FIELD(FLOAT, Max, 28);
}  // namespace element_wise_clip_grad

namespace local_response_normalization_grad {
using Desc = DML_LOCAL_RESPONSE_NORMALIZATION_GRAD_OPERATOR_DESC;
static_assert(sizeof(Desc) == 48);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, InputGradientTensor, 8);
ABI_FIELD(Tensor, OutputGradientTensor, 16);
ABI_FIELD(BOOL, CrossChannel, 24);
ABI_FIELD(UINT, LocalSize, 28);
ABI_FIELD(FLOAT, Alpha, 32);
ABI_FIELD(FLOAT, Beta, 36);
ABI_FIELD(FLOAT, Bias, 40);
}  // namespace local_response_normalization_grad

namespace batch_normalization_grad {
using Desc = DML_BATCH_NORMALIZATION_GRAD_OPERATOR_DESC;
static_assert(sizeof(Desc) == 72);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, InputGradientTensor, 8);
ABI_FIELD(Tensor, MeanTensor, 16);
ABI_FIELD(Tensor, VarianceTensor, 24);
ABI_FIELD(Tensor, ScaleTensor, 32);
ABI_FIELD(Tensor, OutputGradientTensor, 40);
ABI_FIELD(Tensor, OutputScaleGradientTensor, 48);
ABI_FIELD(Tensor, OutputBiasGradientTensor, 56);
ABI_FIELD(FLOAT, Epsilon, 64);
}  // namespace batch_normalization_grad

namespace roi_align_grad {
using Desc = DML_ROI_ALIGN_GRAD_OPERATOR_DESC;
static_assert(sizeof(Desc) == 88);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, InputGradientTensor, 8);
ABI_FIELD(Tensor, ROITensor, 16);
ABI_FIELD(Tensor, BatchIndicesTensor, 24);
ABI_FIELD(Tensor, OutputGradientTensor, 32);
ABI_FIELD(Tensor, OutputROIGradientTensor, 40);
ABI_FIELD(DML_REDUCE_FUNCTION, ReductionFunction, 48);
ABI_FIELD(DML_INTERPOLATION_MODE, InterpolationMode, 52);
ABI_FIELD(FLOAT, SpatialScaleX, 56);
ABI_FIELD(FLOAT, SpatialScaleY, 60);
ABI_FIELD(FLOAT, InputPixelOffset, 64);
ABI_FIELD(FLOAT, OutputPixelOffset, 68);
ABI_FIELD(UINT, MinimumSamplesPerOutput, 72);
ABI_FIELD(UINT, MaximumSamplesPerOutput, 76);
ABI_FIELD(BOOL, AlignRegionsToCorners, 80);
}  // namespace roi_align_grad

namespace batch_normalization_training {
using Desc = DML_BATCH_NORMALIZATION_TRAINING_OPERATOR_DESC;
static_assert(sizeof(Desc) == 72);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, ScaleTensor, 8);
ABI_FIELD(Tensor, BiasTensor, 16);
ABI_FIELD(Tensor, FusedAddTensor, 24);
ABI_FIELD(Tensor, OutputTensor, 32);
ABI_FIELD(Tensor, OutputMeanTensor, 40);
ABI_FIELD(Tensor, OutputVarianceTensor, 48);
ABI_FIELD(FLOAT, Epsilon, 56);
ABI_FIELD(Operator, FusedActivation, 64);
}  // namespace batch_normalization_training

namespace batch_normalization_training_grad {
using Desc = DML_BATCH_NORMALIZATION_TRAINING_GRAD_OPERATOR_DESC;
static_assert(sizeof(Desc) == 72);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, InputGradientTensor, 8);
ABI_FIELD(Tensor, MeanTensor, 16);
ABI_FIELD(Tensor, VarianceTensor, 24);
ABI_FIELD(Tensor, ScaleTensor, 32);
ABI_FIELD(Tensor, OutputGradientTensor, 40);
ABI_FIELD(Tensor, OutputScaleGradientTensor, 48);
ABI_FIELD(Tensor, OutputBiasGradientTensor, 56);
ABI_FIELD(FLOAT, Epsilon, 64);
}  // namespace batch_normalization_training_grad

namespace element_wise_clip_grad1 {
using Desc = DML_ELEMENT_WISE_CLIP_GRAD1_OPERATOR_DESC;
static_assert(sizeof(Desc) == 48);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, InputGradientTensor, 8);
ABI_FIELD(Tensor, OutputGradientTensor, 16);
ABI_FIELD(DML_TENSOR_DATA_TYPE, MinMaxDataType, 24);
ABI_FIELD(DML_SCALAR_UNION, Min, 32);
ABI_FIELD(DML_SCALAR_UNION, Max, 40);
}  // namespace element_wise_clip_grad1

namespace resample_grad1 {
using Desc = DML_RESAMPLE_GRAD1_OPERATOR_DESC;
static_assert(sizeof(Desc) == 56);
ABI_FIELD(Tensor, InputGradientTensor, 0);
ABI_FIELD(Tensor, OutputGradientTensor, 8);
ABI_FIELD(DML_INTERPOLATION_MODE, InterpolationMode, 16);
ABI_FIELD(DML_AXIS_DIRECTION, RoundingDirection, 20);
ABI_FIELD(UINT, DimensionCount, 24);
ABI_FIELD(Floats, Scales, 32);
ABI_FIELD(Floats, InputPixelOffsets, 40);
ABI_FIELD(Floats, OutputPixelOffsets, 48);
}  // namespace resample_grad1

}  // namespace
