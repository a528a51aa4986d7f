// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Part of directml.h: descriptions of the operators that feature level 6.3 adds.

#ifndef ANYDML_DIRECTML_OPERATORS_6_3_H_
#define ANYDML_DIRECTML_OPERATORS_6_3_H_

#include "directml/core.h"

struct DML_MEAN_VARIANCE_NORMALIZATION2_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  _Maybenull_ const DML_TENSOR_DESC* ScaleTensor;
  _Maybenull_ const DML_TENSOR_DESC* BiasTensor;
  const DML_TENSOR_DESC* OutputTensor;
  UINT AxisCount;
  _Field_size_(AxisCount) const UINT* Axes;
  BOOL UseMean;
  BOOL UseVariance;
  FLOAT Epsilon;
  _Maybenull_ const DML_OPERATOR_DESC* FusedActivation;
};

struct DML_MULTIHEAD_ATTENTION1_OPERATOR_DESC {
  _Maybenull_ const DML_TENSOR_DESC* QueryTensor;
  _Maybenull_ const DML_TENSOR_DESC* KeyTensor;
  _Maybenull_ const DML_TENSOR_DESC* ValueTensor;
  _Maybenull_ const DML_TENSOR_DESC* StackedQueryKeyTensor;
  _Maybenull_ const DML_TENSOR_DESC* StackedKeyValueTensor;
  _Maybenull_ const DML_TENSOR_DESC* StackedQueryKeyValueTensor;
  _Maybenull_ const DML_TENSOR_DESC* BiasTensor;
  _Maybenull_ const DML_TENSOR_DESC* MaskTensor;
  _Maybenull_ const DML_TENSOR_DESC* RelativePositionBiasTensor;
  _Maybenull_ const DML_TENSOR_DESC* PastKeyTensor;
  _Maybenull_ const DML_TENSOR_DESC* PastValueTensor;
  _Maybenull_ const DML_TENSOR_DESC* PastSequenceLengthsTensor;
  const DML_TENSOR_DESC* OutputTensor;
  _Maybenull_ const DML_TENSOR_DESC* OutputPresentKeyTensor;
  _Maybenull_ const DML_TENSOR_DESC* OutputPresentValueTensor;
  FLOAT Scale;
  FLOAT MaskFilterValue;
  UINT QueryHeadCount;
  UINT KeyValueHeadCount;
  DML_MULTIHEAD_ATTENTION_MASK_TYPE MaskType;
};

// QuantizationTensors is an array of descriptions, not of pointers to them.
struct DML_QUANTIZE_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  DML_QUANTIZATION_TYPE QuantizationType;
  UINT QuantizationTensorCount;
  _Field_size_(QuantizationTensorCount) const DML_TENSOR_DESC* QuantizationTensors;
  const DML_TENSOR_DESC* OutputTensor;
};

// QuantizationTensors is an array of descriptions, not of pointers to them.
struct DML_DEQUANTIZE_OPERATOR_DESC {
  const DML_TENSOR_DESC* InputTensor;
  DML_QUANTIZATION_TYPE QuantizationType;
  UINT QuantizationTensorCount;
  _Field_size_(QuantizationTensorCount) const DML_TENSOR_DESC* QuantizationTensors;
  const DML_TENSOR_DESC* OutputTensor;
};

#endif  // ANYDML_DIRECTML_OPERATORS_6_3_H_
