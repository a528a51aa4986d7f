// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Part of directml.h: descriptions of the operators that feature level 6.4 adds.

#ifndef ANYDML_DIRECTML_OPERATORS_6_4_H_
#define ANYDML_DIRECTML_OPERATORS_6_4_H_

#include "directml/core.h"

struct DML_RESAMPLE3_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* OutputTensor;
  DML_INTERPOLATION_MODE InterpolationMode;
  DML_AXIS_DIRECTION RoundingDirection;
  UINT DimensionCount;
  _Field_size_(DimensionCount) const FLOAT* Scales;
  _Field_size_(DimensionCount) const FLOAT* InputPixelOffsets;
  _Field_size_(DimensionCount) const FLOAT* OutputPixelOffsets;
  BOOL Antialiased;
};

struct DML_FOLD_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* OutputTensor;
  UINT DimensionCount;
  _Field_size_(DimensionCount) const UINT* WindowSizes;
  _Field_size_(DimensionCount) const UINT* Strides;
  _Field_size_(DimensionCount) const UINT* Dilations;
  _Field_size_(DimensionCount) const UINT* StartPadding;
  _Field_size_(DimensionCount) const UINT* EndPadding;
};

struct DML_UNFOLD_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* OutputTensor;
  UINT DimensionCount;
  _Field_size_(DimensionCount) const UINT* WindowSizes;
  _Field_size_(DimensionCount) const UINT* Strides;
  _Field_size_(DimensionCount) const UINT* Dilations;
  _Field_size_(DimensionCount) const UINT* StartPadding;
  _Field_size_(DimensionCount) const UINT* EndPadding;
};

#endif  // ANYDML_DIRECTML_OPERATORS_6_4_H_
