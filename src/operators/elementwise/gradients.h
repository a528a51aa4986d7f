// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The gradient rules of the rows of the table. Where a row has a ScaleBias the formula f
// sees u = x * Scale + Bias; the rule gives the gradient of u and Scale is applied to it.
#pragma once

#include <type_traits>

#include "operators/gradient_writer.h"

namespace anydml::elementwise::gradients {

using Rule = std::remove_pointer_t<GradientRule>;

// Arithmetic.
Rule Identity, Negate, Abs, Recip, Sqrt, Cast;
Rule Add, Subtract, Multiply, Divide, Max, Min, If;
// Functions.
Rule Exp, Log, Erf, Tanh;
// Selections. CLIP and CLIP1 have gradient operators, which are linear in the gradient.
Rule Clip, Clip1, ClipGrad, ClipGrad1, Relu, ReluGrad;
// Activations.
Rule Linear, LeakyRelu, ThresholdedRelu, HardSigmoid, Softsign, Sigmoid, Gelu;
Rule Elu, Celu, ScaledElu, ScaledTanh;
Rule ModulusTruncate, ModulusFloor, Mean, DifferenceSquare, Dequantize, Threshold;
Rule ParameterizedRelu, Shrink, HardSwish;
Rule Softplus, ParametricSoftplus, Swish;
// Exact functions.
Rule Sin, Cos, Tan, Asin, Acos, Atan, Sinh, Cosh, Asinh, Acosh, Atanh;
Rule ConstantPow, Pow, AtanYx;

}  // namespace anydml::elementwise::gradients
