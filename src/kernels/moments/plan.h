// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A step of training by the moments of the gradients: what the kernels are given.
#pragma once

#include <cmath>

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

// In float64 by squaring, from the lowest bit up.
constexpr double Power(double base, uint32_t exponent) {
  double result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result *= base;
    base *= base;
  }
  return result;
}

// Of step `step`, which counts from 1 (B46).
constexpr Factors FactorsOf(const Plan& plan, uint32_t step) {
  const double power1 = Power(static_cast<double>(plan.beta1), step);
  const double power2 = Power(static_cast<double>(plan.beta2), step);
  const auto alpha = static_cast<float>(std::sqrt(1 - power2) / (1 - power1));
  return {plan.beta1,  1 - plan.beta1, plan.beta2, 1 - plan.beta2, plan.learning_rate * alpha,
          plan.epsilon};
}

}  // namespace anydml::moments
