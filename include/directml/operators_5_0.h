// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Part of directml.h: descriptions of the operators that feature level 5.0 adds.

#ifndef ANYDML_DIRECTML_OPERATORS_5_0_H_
#define ANYDML_DIRECTML_OPERATORS_5_0_H_

#include "directml/core.h"

struct DML_ELEMENT_WISE_CLIP1_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* OutputTensor;
  _Maybenull_ const DML_SCALE_BIAS* ScaleBias;
  DML_TENSOR_DATA_TYPE MinMaxDataType;
  DML_SCALAR_UNION Min;
  DML_SCALAR_UNION Max;
};

struct DML_ELEMENT_WISE_CLIP_GRAD1_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* InputGradientTensor;
  const DML_TENSOR_DESC* OutputGradientTensor;
  DML_TENSOR_DATA_TYPE MinMaxDataType;
  DML_SCALAR_UNION Min;
  DML_SCALAR_UNION Max;
};

// PaddingMode is a value; the page prints a pointer.
struct DML_PADDING1_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* OutputTensor;
  DML_PADDING_MODE PaddingMode;
  DML_TENSOR_DATA_TYPE PaddingValueDataType;
  DML_SCALAR_UNION PaddingValue;
  UINT DimensionCount;
  _Field_size_(DimensionCount) const UINT* StartPadding;
  _Field_size_(DimensionCount) const UINT* EndPadding;
};

struct DML_ELEMENT_WISE_NEGATE_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* OutputTensor;
};

#endif  // ANYDML_DIRECTML_OPERATORS_5_0_H_
