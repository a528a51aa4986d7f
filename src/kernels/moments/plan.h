// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A step of training by the moments of the gradients: what the kernels are given.
#pragma once

#include "tensor/strided_loop.h"

namespace anydml::moments {

// Parameters, first moment, second moment and gradient; then the first three as they become.
enum Tensor { kParameters, kFirst, kSecond, kGradient, kNewParameters, kNewFirst, kNewSecond };
inline constexpr int kTensors = 7;

struct Plan {
  DataType data_type;
  StridedLoop<kTensors> loop;
  float learning_rate;
  float beta1;
  float beta2;
  float epsilon;
};

// Factors that are the same for all elements of an execution.
struct Factors {
  float beta1;
  float rest1;  // 1 - beta1
  float beta2;
  float rest2;
  float rate;
  float epsilon;
};

// Of step `step`, which counts from 1 (B46).
Factors FactorsOf(const Plan& plan, uint32_t step);

}  // namespace anydml::moments
