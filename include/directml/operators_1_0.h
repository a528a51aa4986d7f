// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Part of directml.h: descriptions of the other operators of feature level 1.0: matrix products,
// pooling, reshaping, normalization, recurrent networks.

#ifndef ANYDML_DIRECTML_OPERATORS_1_0_H_
#define ANYDML_DIRECTML_OPERATORS_1_0_H_

#include "directml/core.h"

struct DML_CONVOLUTION_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* FilterTensor;
  _Maybenull_ const DML_TENSOR_DESC* BiasTensor;
  const DML_TENSOR_DESC* OutputTensor;
  DML_CONVOLUTION_MODE Mode;
  DML_CONVOLUTION_DIRECTION Direction;
  UINT DimensionCount;
  _Field_size_(DimensionCount) const UINT* Strides;
  _Field_size_(DimensionCount) const UINT* Dilations;
  _Field_size_(DimensionCount) const UINT* StartPadding;
  _Field_size_(DimensionCount) const UINT* EndPadding;
  _Field_size_(DimensionCount) const UINT* OutputPadding;
  UINT GroupCount;
  _Maybenull_ const DML_OPERATOR_DESC* FusedActivation;
};

struct DML_GEMM_OPERATOR_DESC {
  const DML_TENSOR_DESC* ATensor;
  const DML_TENSOR_DESC* BTensor;
  _Maybenull_ const DML_TENSOR_DESC* CTensor;
  const DML_TENSOR_DESC* OutputTensor;
  DML_MATRIX_TRANSFORM TransA;
  DML_MATRIX_TRANSFORM TransB;
  FLOAT Alpha;
  FLOAT Beta;
  _Maybenull_ const DML_OPERATOR_DESC* FusedActivation;
};

// Function comes before the tensors.
struct DML_REDUCE_OPERATOR_DESC {
  DML_REDUCE_FUNCTION Function;
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* OutputTensor;
  UINT AxisCount;
  _Field_size_(AxisCount) const UINT* Axes;
};

struct DML_AVERAGE_POOLING_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* OutputTensor;
  UINT DimensionCount;
  _Field_size_(DimensionCount) const UINT* Strides;
  _Field_size_(DimensionCount) const UINT* WindowSize;
  _Field_size_(DimensionCount) const UINT* StartPadding;
  _Field_size_(DimensionCount) const UINT* EndPadding;
  BOOL IncludePadding;
};

struct DML_LP_POOLING_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* OutputTensor;
  UINT DimensionCount;
  _Field_size_(DimensionCount) const UINT* Strides;
  _Field_size_(DimensionCount) const UINT* WindowSize;
  _Field_size_(DimensionCount) const UINT* StartPadding;
  _Field_size_(DimensionCount) const UINT* EndPadding;
  UINT P;
};

struct DML_MAX_POOLING_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* OutputTensor;
  UINT DimensionCount;
  _Field_size_(DimensionCount) const UINT* Strides;
  _Field_size_(DimensionCount) const UINT* WindowSize;
  _Field_size_(DimensionCount) const UINT* StartPadding;
  _Field_size_(DimensionCount) const UINT* EndPadding;
};

struct DML_ROI_POOLING_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* ROITensor;
  const DML_TENSOR_DESC* OutputTensor;
  FLOAT SpatialScale;
  DML_SIZE_2D PooledSize;
};

struct DML_SLICE_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* OutputTensor;
  UINT DimensionCount;
  _Field_size_(DimensionCount) const UINT* Offsets;
  _Field_size_(DimensionCount) const UINT* Sizes;
  _Field_size_(DimensionCount) const UINT* Strides;
};

struct DML_CAST_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* OutputTensor;
};

// OutputTensors is an array of descriptions, not of pointers to them.
struct DML_SPLIT_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  UINT OutputCount;
  _Field_size_(OutputCount) const DML_TENSOR_DESC* OutputTensors;
  UINT Axis;
};

// InputTensors is an array of descriptions, not of pointers to them.
struct DML_JOIN_OPERATOR_DESC {
  UINT InputCount;
  _Field_size_(InputCount) const DML_TENSOR_DESC* InputTensors;
  const DML_TENSOR_DESC* OutputTensor;
  UINT Axis;
};

struct DML_PADDING_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* OutputTensor;
  DML_PADDING_MODE PaddingMode;
  FLOAT PaddingValue;
  UINT DimensionCount;
  _Field_size_(DimensionCount) const UINT* StartPadding;
  _Field_size_(DimensionCount) const UINT* EndPadding;
};

struct DML_VALUE_SCALE_2D_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* OutputTensor;
  FLOAT Scale;
  UINT ChannelCount;
  _Field_size_(ChannelCount) const FLOAT* Bias;
};

struct DML_UPSAMPLE_2D_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* OutputTensor;
  DML_SIZE_2D ScaleSize;
  DML_INTERPOLATION_MODE InterpolationMode;
};

struct DML_GATHER_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* IndicesTensor;
  const DML_TENSOR_DESC* OutputTensor;
  UINT Axis;
  UINT IndexDimensions;
};

struct DML_SPACE_TO_DEPTH_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* OutputTensor;
  UINT BlockSize;
};

struct DML_DEPTH_TO_SPACE_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* OutputTensor;
  UINT BlockSize;
};

struct DML_TILE_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* OutputTensor;
  UINT RepeatsCount;
  _Field_size_(RepeatsCount) const UINT* Repeats;
};

struct DML_TOP_K_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* OutputValueTensor;
  const DML_TENSOR_DESC* OutputIndexTensor;
  UINT Axis;
  UINT K;
};

struct DML_BATCH_NORMALIZATION_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* MeanTensor;
  const DML_TENSOR_DESC* VarianceTensor;
  const DML_TENSOR_DESC* ScaleTensor;
  const DML_TENSOR_DESC* BiasTensor;
  const DML_TENSOR_DESC* OutputTensor;
  BOOL Spatial;
  FLOAT Epsilon;
  _Maybenull_ const DML_OPERATOR_DESC* FusedActivation;
};

struct DML_MEAN_VARIANCE_NORMALIZATION_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  _Maybenull_ const DML_TENSOR_DESC* ScaleTensor;
  _Maybenull_ const DML_TENSOR_DESC* BiasTensor;
  const DML_TENSOR_DESC* OutputTensor;
  BOOL CrossChannel;
  BOOL NormalizeVariance;
  FLOAT Epsilon;
  _Maybenull_ const DML_OPERATOR_DESC* FusedActivation;
};

struct DML_LOCAL_RESPONSE_NORMALIZATION_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* OutputTensor;
  BOOL CrossChannel;
  UINT LocalSize;
  FLOAT Alpha;
  FLOAT Beta;
  FLOAT Bias;
};

struct DML_LP_NORMALIZATION_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* OutputTensor;
  UINT Axis;
  FLOAT Epsilon;
  UINT P;
};

struct DML_RNN_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* WeightTensor;
  const DML_TENSOR_DESC* RecurrenceTensor;
  _Maybenull_ const DML_TENSOR_DESC* BiasTensor;
  _Maybenull_ const DML_TENSOR_DESC* HiddenInitTensor;
  _Maybenull_ const DML_TENSOR_DESC* SequenceLengthsTensor;
  _Maybenull_ const DML_TENSOR_DESC* OutputSequenceTensor;
  _Maybenull_ const DML_TENSOR_DESC* OutputSingleTensor;
  UINT ActivationDescCount;
  _Field_size_(ActivationDescCount) const DML_OPERATOR_DESC* ActivationDescs;
  DML_RECURRENT_NETWORK_DIRECTION Direction;
};

// Direction is a value; the page prints a pointer.
struct DML_LSTM_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* WeightTensor;
  const DML_TENSOR_DESC* RecurrenceTensor;
  _Maybenull_ const DML_TENSOR_DESC* BiasTensor;
  _Maybenull_ const DML_TENSOR_DESC* HiddenInitTensor;
  _Maybenull_ const DML_TENSOR_DESC* CellMemInitTensor;
  _Maybenull_ const DML_TENSOR_DESC* SequenceLengthsTensor;
  _Maybenull_ const DML_TENSOR_DESC* PeepholeTensor;
  _Maybenull_ const DML_TENSOR_DESC* OutputSequenceTensor;
  _Maybenull_ const DML_TENSOR_DESC* OutputSingleTensor;
  _Maybenull_ const DML_TENSOR_DESC* OutputCellSingleTensor;
  UINT ActivationDescCount;
  _Field_size_(ActivationDescCount) const DML_OPERATOR_DESC* ActivationDescs;
  DML_RECURRENT_NETWORK_DIRECTION Direction;
  FLOAT ClipThreshold;
  BOOL UseClipThreshold;
  BOOL CoupleInputForget;
};

// Direction is a value; the page prints a pointer.
struct DML_GRU_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* WeightTensor;
  const DML_TENSOR_DESC* RecurrenceTensor;
  _Maybenull_ const DML_TENSOR_DESC* BiasTensor;
  _Maybenull_ const DML_TENSOR_DESC* HiddenInitTensor;
  _Maybenull_ const DML_TENSOR_DESC* SequenceLengthsTensor;
  _Maybenull_ const DML_TENSOR_DESC* OutputSequenceTensor;
  _Maybenull_ const DML_TENSOR_DESC* OutputSingleTensor;
  UINT ActivationDescCount;
  _Field_size_(ActivationDescCount) const DML_OPERATOR_DESC* ActivationDescs;
  DML_RECURRENT_NETWORK_DIRECTION Direction;
  BOOL LinearBeforeReset;
};

#endif  // ANYDML_DIRECTML_OPERATORS_1_0_H_
