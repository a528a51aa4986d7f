// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Part of directml.h: descriptions of the operators that feature level 6.2 adds.

#ifndef ANYDML_DIRECTML_OPERATORS_6_2_H_
#define ANYDML_DIRECTML_OPERATORS_6_2_H_

#include "directml/core.h"

struct DML_LP_POOLING1_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* OutputTensor;
  UINT DimensionCount;
  _Field_size_(DimensionCount) const UINT* Strides;
  _Field_size_(DimensionCount) const UINT* WindowSize;
  _Field_size_(DimensionCount) const UINT* StartPadding;
  _Field_size_(DimensionCount) const UINT* EndPadding;
  _Field_size_(DimensionCount) const UINT* Dilations;
  UINT P;
};

struct DML_AVERAGE_POOLING1_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* OutputTensor;
  UINT DimensionCount;
  _Field_size_(DimensionCount) const UINT* Strides;
  _Field_size_(DimensionCount) const UINT* WindowSize;
  _Field_size_(DimensionCount) const UINT* StartPadding;
  _Field_size_(DimensionCount) const UINT* EndPadding;
  _Field_size_(DimensionCount) const UINT* Dilations;
  BOOL IncludePadding;
};

struct DML_ACTIVATION_SWISH_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* OutputTensor;
  FLOAT SigmoidInputScale;
};

struct DML_ACTIVATION_HARD_SWISH_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* OutputTensor;
  FLOAT Alpha;
  FLOAT Beta;
};

// OutputScaleTensor and OutputZeroPointTensor are inputs.
struct DML_QUANTIZED_LINEAR_AVERAGE_POOLING_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* InputScaleTensor;
  _Maybenull_ const DML_TENSOR_DESC* InputZeroPointTensor;
  const DML_TENSOR_DESC* OutputScaleTensor;
  _Maybenull_ const DML_TENSOR_DESC* OutputZeroPointTensor;
  const DML_TENSOR_DESC* OutputTensor;
  UINT DimensionCount;
  _Field_size_(DimensionCount) const UINT* Strides;
  _Field_size_(DimensionCount) const UINT* WindowSize;
  _Field_size_(DimensionCount) const UINT* StartPadding;
  _Field_size_(DimensionCount) const UINT* EndPadding;
  _Field_size_(DimensionCount) const UINT* Dilations;
  BOOL IncludePadding;
};

struct DML_MATRIX_MULTIPLY_INTEGER_TO_FLOAT_OPERATOR_DESC {
  const DML_TENSOR_DESC* ATensor;
  const DML_TENSOR_DESC* AScaleTensor;
  _Maybenull_ const DML_TENSOR_DESC* AZeroPointTensor;
  const DML_TENSOR_DESC* BTensor;
  const DML_TENSOR_DESC* BScaleTensor;
  _Maybenull_ const DML_TENSOR_DESC* BZeroPointTensor;
  _Maybenull_ const DML_TENSOR_DESC* BiasTensor;
  const DML_TENSOR_DESC* OutputTensor;
};

#endif  // ANYDML_DIRECTML_OPERATORS_6_2_H_
