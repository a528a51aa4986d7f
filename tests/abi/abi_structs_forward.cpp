// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The fields of the operator descriptions that the gradients belong to, and of the other operators
// that training programs use: type and offset.

#include "abi_field.h"
#include "directml.h"

namespace {

using Tensor = const DML_TENSOR_DESC*;
using Uints = const UINT*;
using Ints = const INT*;
using Floats = const FLOAT*;
using Operator = const DML_OPERATOR_DESC*;

namespace activation_relu {
using Desc = DML_ACTIVATION_RELU_OPERATOR_DESC;
static_assert(sizeof(Desc) == 16);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, OutputTensor, 8);
}  // namespace activation_relu

namespace average_pooling {
using Desc = DML_AVERAGE_POOLING_OPERATOR_DESC;
static_assert(sizeof(Desc) == 64);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, OutputTensor, 8);
ABI_FIELD(UINT, DimensionCount, 16);
ABI_FIELD(Uints, Strides, 24);
ABI_FIELD(Uints, WindowSize, 32);
ABI_FIELD(Uints, StartPadding, 40);
ABI_FIELD(Uints, EndPadding, 48);
ABI_FIELD(BOOL, IncludePadding, 56);
}  // namespace average_pooling

namespace average_pooling1 {
using Desc = DML_AVERAGE_POOLING1_OPERATOR_DESC;
static_assert(sizeof(Desc) == 72);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, OutputTensor, 8);
ABI_FIELD(UINT, DimensionCount, 16);
ABI_FIELD(Uints, Strides, 24);
ABI_FIELD(Uints, WindowSize, 32);
ABI_FIELD(Uints, StartPadding, 40);
ABI_FIELD(Uints, EndPadding, 48);
ABI_FIELD(Uints, Dilations, 56);
ABI_FIELD(BOOL, IncludePadding, 64);
}  // namespace average_pooling1

namespace max_pooling {
using Desc = DML_MAX_POOLING_OPERATOR_DESC;
static_assert(sizeof(Desc) == 56);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, OutputTensor, 8);
ABI_FIELD(UINT, DimensionCount, 16);
ABI_FIELD(Uints, Strides, 24);
ABI_FIELD(Uints, WindowSize, 32);
ABI_FIELD(Uints, StartPadding, 40);
ABI_FIELD(Uints, EndPadding, 48);
}  // namespace max_pooling

namespace max_pooling1 {
using Desc = DML_MAX_POOLING1_OPERATOR_DESC;
static_assert(sizeof(Desc) == 64);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, OutputTensor, 8);
ABI_FIELD(Tensor, OutputIndicesTensor, 16);
ABI_FIELD(UINT, DimensionCount, 24);
ABI_FIELD(Uints, Strides, 32);
ABI_FIELD(Uints, WindowSize, 40);
ABI_FIELD(Uints, StartPadding, 48);
ABI_FIELD(Uints, EndPadding, 56);
}  // namespace max_pooling1

namespace max_pooling2 {
using Desc = DML_MAX_POOLING2_OPERATOR_DESC;
static_assert(sizeof(Desc) == 72);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, OutputTensor, 8);
ABI_FIELD(Tensor, OutputIndicesTensor, 16);
ABI_FIELD(UINT, DimensionCount, 24);
ABI_FIELD(Uints, Strides, 32);
ABI_FIELD(Uints, WindowSize, 40);
ABI_FIELD(Uints, StartPadding, 48);
ABI_FIELD(Uints, EndPadding, 56);
ABI_FIELD(Uints, Dilations, 64);
}  // namespace max_pooling2

namespace max_unpooling {
using Desc = DML_MAX_UNPOOLING_OPERATOR_DESC;
static_assert(sizeof(Desc) == 24);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, IndicesTensor, 8);
ABI_FIELD(Tensor, OutputTensor, 16);
}  // namespace max_unpooling

namespace resample {
using Desc = DML_RESAMPLE_OPERATOR_DESC;
static_assert(sizeof(Desc) == 32);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, OutputTensor, 8);
ABI_FIELD(DML_INTERPOLATION_MODE, InterpolationMode, 16);
ABI_FIELD(UINT, ScaleCount, 20);
ABI_FIELD(Floats, Scales, 24);
}  // namespace resample

namespace resample1 {
using Desc = DML_RESAMPLE1_OPERATOR_DESC;
static_assert(sizeof(Desc) == 48);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, OutputTensor, 8);
ABI_FIELD(DML_INTERPOLATION_MODE, InterpolationMode, 16);
ABI_FIELD(UINT, DimensionCount, 20);
ABI_FIELD(Floats, Scales, 24);
ABI_FIELD(Floats, InputPixelOffsets, 32);
ABI_FIELD(Floats, OutputPixelOffsets, 40);
}  // namespace resample1

namespace resample2 {
using Desc = DML_RESAMPLE2_OPERATOR_DESC;
static_assert(sizeof(Desc) == 56);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, OutputTensor, 8);
ABI_FIELD(DML_INTERPOLATION_MODE, InterpolationMode, 16);
ABI_FIELD(DML_AXIS_DIRECTION, RoundingDirection, 20);
ABI_FIELD(UINT, DimensionCount, 24);
ABI_FIELD(Floats, Scales, 32);
ABI_FIELD(Floats, InputPixelOffsets, 40);
ABI_FIELD(Floats, OutputPixelOffsets, 48);
}  // namespace resample2

namespace resample3 {
using Desc = DML_RESAMPLE3_OPERATOR_DESC;
static_assert(sizeof(Desc) == 64);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, OutputTensor, 8);
ABI_FIELD(DML_INTERPOLATION_MODE, InterpolationMode, 16);
ABI_FIELD(DML_AXIS_DIRECTION, RoundingDirection, 20);
ABI_FIELD(UINT, DimensionCount, 24);
ABI_FIELD(Floats, Scales, 32);
ABI_FIELD(Floats, InputPixelOffsets, 40);
ABI_FIELD(Floats, OutputPixelOffsets, 48);
ABI_FIELD(BOOL, Antialiased, 56);
}  // namespace resample3

namespace slice {
using Desc = DML_SLICE_OPERATOR_DESC;
static_assert(sizeof(Desc) == 48);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, OutputTensor, 8);
ABI_FIELD(UINT, DimensionCount, 16);
ABI_FIELD(Uints, Offsets, 24);
ABI_FIELD(Uints, Sizes, 32);
ABI_FIELD(Uints, Strides, 40);
}  // namespace slice

namespace slice1 {
using Desc = DML_SLICE1_OPERATOR_DESC;
static_assert(sizeof(Desc) == 48);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, OutputTensor, 8);
ABI_FIELD(UINT, DimensionCount, 16);
ABI_FIELD(Uints, InputWindowOffsets, 24);
ABI_FIELD(Uints, InputWindowSizes, 32);
ABI_FIELD(Ints, InputWindowStrides, 40);
}  // namespace slice1

namespace element_wise_clip {
using Desc = DML_ELEMENT_WISE_CLIP_OPERATOR_DESC;
static_assert(sizeof(Desc) == 32);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, OutputTensor, 8);
ABI_FIELD(const DML_SCALE_BIAS*, ScaleBias, 16);
ABI_FIELD(FLOAT, Min, 24);
ABI_FIELD(FLOAT, Max, 28);
}  // namespace element_wise_clip

namespace element_wise_clip1 {
using Desc = DML_ELEMENT_WISE_CLIP1_OPERATOR_DESC;
static_assert(sizeof(Desc) == 48);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, OutputTensor, 8);
ABI_FIELD(const DML_SCALE_BIAS*, ScaleBias, 16);
ABI_FIELD(DML_TENSOR_DATA_TYPE, MinMaxDataType, 24);
ABI_FIELD(DML_SCALAR_UNION, Min, 32);
ABI_FIELD(DML_SCALAR_UNION, Max, 40);
}  // namespace element_wise_clip1

namespace local_response_normalization {
using Desc = DML_LOCAL_RESPONSE_NORMALIZATION_OPERATOR_DESC;
static_assert(sizeof(Desc) == 40);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, OutputTensor, 8);
ABI_FIELD(BOOL, CrossChannel, 16);
ABI_FIELD(UINT, LocalSize, 20);
ABI_FIELD(FLOAT, Alpha, 24);
ABI_FIELD(FLOAT, Beta, 28);
ABI_FIELD(FLOAT, Bias, 32);
}  // namespace local_response_normalization

namespace batch_normalization {
using Desc = DML_BATCH_NORMALIZATION_OPERATOR_DESC;
static_assert(sizeof(Desc) == 64);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, MeanTensor, 8);
ABI_FIELD(Tensor, VarianceTensor, 16);
ABI_FIELD(Tensor, ScaleTensor, 24);
ABI_FIELD(Tensor, BiasTensor, 32);
ABI_FIELD(Tensor, OutputTensor, 40);
ABI_FIELD(BOOL, Spatial, 48);
ABI_FIELD(FLOAT, Epsilon, 52);
ABI_FIELD(Operator, FusedActivation, 56);
}  // namespace batch_normalization

namespace roi_align {
using Desc = DML_ROI_ALIGN_OPERATOR_DESC;
static_assert(sizeof(Desc) == 64);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, ROITensor, 8);
ABI_FIELD(Tensor, BatchIndicesTensor, 16);
ABI_FIELD(Tensor, OutputTensor, 24);
ABI_FIELD(DML_REDUCE_FUNCTION, ReductionFunction, 32);
ABI_FIELD(DML_INTERPOLATION_MODE, InterpolationMode, 36);
ABI_FIELD(FLOAT, SpatialScaleX, 40);
ABI_FIELD(FLOAT, SpatialScaleY, 44);
ABI_FIELD(FLOAT, OutOfBoundsInputValue, 48);
ABI_FIELD(UINT, MinimumSamplesPerOutput, 52);
ABI_FIELD(UINT, MaximumSamplesPerOutput, 56);
}  // namespace roi_align

namespace roi_align1 {
using Desc = DML_ROI_ALIGN1_OPERATOR_DESC;
static_assert(sizeof(Desc) == 72);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, ROITensor, 8);
ABI_FIELD(Tensor, BatchIndicesTensor, 16);
ABI_FIELD(Tensor, OutputTensor, 24);
ABI_FIELD(DML_REDUCE_FUNCTION, ReductionFunction, 32);
ABI_FIELD(DML_INTERPOLATION_MODE, InterpolationMode, 36);
ABI_FIELD(FLOAT, SpatialScaleX, 40);
ABI_FIELD(FLOAT, SpatialScaleY, 44);
ABI_FIELD(FLOAT, InputPixelOffset, 48);
ABI_FIELD(FLOAT, OutputPixelOffset, 52);
ABI_FIELD(FLOAT, OutOfBoundsInputValue, 56);
ABI_FIELD(UINT, MinimumSamplesPerOutput, 60);
ABI_FIELD(UINT, MaximumSamplesPerOutput, 64);
ABI_FIELD(BOOL, AlignRegionsToCorners, 68);
}  // namespace roi_align1

namespace convolution {
using Desc = DML_CONVOLUTION_OPERATOR_DESC;
static_assert(sizeof(Desc) == 104);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, FilterTensor, 8);
ABI_FIELD(Tensor, BiasTensor, 16);
ABI_FIELD(Tensor, OutputTensor, 24);
ABI_FIELD(DML_CONVOLUTION_MODE, Mode, 32);
ABI_FIELD(DML_CONVOLUTION_DIRECTION, Direction, 36);
ABI_FIELD(UINT, DimensionCount, 40);
ABI_FIELD(Uints, Strides, 48);
ABI_FIELD(Uints, Dilations, 56);
ABI_FIELD(Uints, StartPadding, 64);
ABI_FIELD(Uints, EndPadding, 72);
ABI_FIELD(Uints, OutputPadding, 80);
ABI_FIELD(UINT, GroupCount, 88);
ABI_FIELD(Operator, FusedActivation, 96);
}  // namespace convolution

namespace random_generator {
using Desc = DML_RANDOM_GENERATOR_OPERATOR_DESC;
static_assert(sizeof(Desc) == 32);
ABI_FIELD(Tensor, InputStateTensor, 0);
ABI_FIELD(Tensor, OutputTensor, 8);
ABI_FIELD(Tensor, OutputStateTensor, 16);
ABI_FIELD(DML_RANDOM_GENERATOR_TYPE, Type, 24);
}  // namespace random_generator

namespace cumulative_product {
using Desc = DML_CUMULATIVE_PRODUCT_OPERATOR_DESC;
static_assert(sizeof(Desc) == 32);
ABI_FIELD(Tensor, InputTensor, 0);
ABI_FIELD(Tensor, OutputTensor, 8);
ABI_FIELD(UINT, Axis, 16);
ABI_FIELD(DML_AXIS_DIRECTION, AxisDirection, 20);
ABI_FIELD(BOOL, HasExclusiveProduct, 24);
}  // namespace cumulative_product

namespace element_wise_difference_square {
using Desc = DML_ELEMENT_WISE_DIFFERENCE_SQUARE_OPERATOR_DESC;
static_assert(sizeof(Desc) == 24);
ABI_FIELD(Tensor, ATensor, 0);
ABI_FIELD(Tensor, BTensor, 8);
ABI_FIELD(Tensor, OutputTensor, 16);
}  // namespace element_wise_difference_square

}  // namespace
