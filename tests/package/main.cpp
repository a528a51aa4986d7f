// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A program that knows the installed package only.
#include <directml.h>

#include <anydml/anydml.hpp>

int main() {
  const UINT size = 2;
  const DML_BUFFER_TENSOR_DESC buffer = {
      DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, 1, &size, nullptr, 8, 0};
  const DML_TENSOR_DESC tensor = {DML_TENSOR_TYPE_BUFFER, &buffer};
  const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC desc = {&tensor, &tensor, &tensor};
  const float x[2] = {-1, 1}, dy[2] = {3, 4};
  float dx[2] = {};
  anydml::Device("cpu")
      .CreateOperator({DML_OPERATOR_ACTIVATION_RELU_GRAD, &desc})
      .Execute({x, dy}, {dx});
  return dx[0] == 0 && dx[1] == 4 ? 0 : 1;
}
