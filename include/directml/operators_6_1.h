// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Part of directml.h: descriptions of the operators that feature level 6.1 adds.

#ifndef ANYDML_DIRECTML_OPERATORS_6_1_H_
#define ANYDML_DIRECTML_OPERATORS_6_1_H_

#include "directml/core.h"

struct DML_MULTIHEAD_ATTENTION_OPERATOR_DESC {
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
  const DML_TENSOR_DESC* OutputTensor;
  _Maybenull_ const DML_TENSOR_DESC* OutputPresentKeyTensor;
  _Maybenull_ const DML_TENSOR_DESC* OutputPresentValueTensor;
  FLOAT Scale;
  FLOAT MaskFilterValue;
  UINT HeadCount;
  DML_MULTIHEAD_ATTENTION_MASK_TYPE MaskType;
};

#endif  // ANYDML_DIRECTML_OPERATORS_6_1_H_
