// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "gradient.h"

#include <directml.h>

#include <anydml/anydml.hpp>

std::vector<float> Gradient(const std::vector<float>& x, const std::vector<float>& dy) {
  const UINT size = static_cast<UINT>(x.size());
  const DML_BUFFER_TENSOR_DESC buffer = {
      DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, 1, &size, nullptr, 4 * x.size(), 0};
  const DML_TENSOR_DESC tensor = {DML_TENSOR_TYPE_BUFFER, &buffer};
  const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC desc = {&tensor, &tensor, &tensor};
  std::vector<float> dx(x.size());
  anydml::Device("cpu")
      .CreateOperator({DML_OPERATOR_ACTIVATION_RELU_GRAD, &desc})
      .Execute({x.data(), dy.data()}, {dx.data()});
  return dx;
}
