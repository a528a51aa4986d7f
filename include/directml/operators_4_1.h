// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Part of directml.h: descriptions of the operators that feature level 4.1 adds.

#ifndef ANYDML_DIRECTML_OPERATORS_4_1_H_
#define ANYDML_DIRECTML_OPERATORS_4_1_H_

#include "directml/core.h"

// At least one of the two outputs must be present.
struct DML_ROI_ALIGN_GRAD_OPERATOR_DESC {
  _Maybenull_ const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* InputGradientTensor;
  const DML_TENSOR_DESC* ROITensor;
  const DML_TENSOR_DESC* BatchIndicesTensor;
  _Maybenull_ const DML_TENSOR_DESC* OutputGradientTensor;
  _Maybenull_ const DML_TENSOR_DESC* OutputROIGradientTensor;
  DML_REDUCE_FUNCTION ReductionFunction;
  DML_INTERPOLATION_MODE InterpolationMode;
  FLOAT SpatialScaleX;
  FLOAT SpatialScaleY;
  FLOAT InputPixelOffset;
  FLOAT OutputPixelOffset;
  UINT MinimumSamplesPerOutput;
  UINT MaximumSamplesPerOutput;
  BOOL AlignRegionsToCorners;
};

struct DML_BATCH_NORMALIZATION_TRAINING_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* ScaleTensor;
  const DML_TENSOR_DESC* BiasTensor;
  _Maybenull_ const DML_TENSOR_DESC* FusedAddTensor;
  const DML_TENSOR_DESC* OutputTensor;
  const DML_TENSOR_DESC* OutputMeanTensor;
  const DML_TENSOR_DESC* OutputVarianceTensor;
  FLOAT Epsilon;
  _Maybenull_ const DML_OPERATOR_DESC* FusedActivation;
};

// Same fields as BATCH_NORMALIZATION_GRAD.
struct DML_BATCH_NORMALIZATION_TRAINING_GRAD_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* InputGradientTensor;
  const DML_TENSOR_DESC* MeanTensor;
  const DML_TENSOR_DESC* VarianceTensor;
  const DML_TENSOR_DESC* ScaleTensor;
  const DML_TENSOR_DESC* OutputGradientTensor;
  const DML_TENSOR_DESC* OutputScaleGradientTensor;
  const DML_TENSOR_DESC* OutputBiasGradientTensor;
  FLOAT Epsilon;
};

#endif  // ANYDML_DIRECTML_OPERATORS_4_1_H_
