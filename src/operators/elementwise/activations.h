// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Rows of activations, for table.cpp.
#pragma once

#include "operators/elementwise/arithmetic.h"
#include "operators/reference_functions.h"

namespace anydml::elementwise {

using reference::Value;

// Row A1 of the pages.
inline constexpr schema::TensorSupport kActivationSupport[] = {
    {FeatureLevel::k3_0, {1, 8}, kFloats},
    {FeatureLevel::k2_0, {4, 5}, kFloats},
    {FeatureLevel::k1_0, {4, 4}, kFloats},
};

template <class Struct>
constexpr schema::OperatorSchema Activation(std::string_view name, DML_OPERATOR_TYPE type) {
  return SchemaOf<Struct>(name, type, kUnaryFields<Struct>, kActivationSupport);
}
template <class Struct>
constexpr schema::OperatorSchema AlphaActivation(std::string_view name, DML_OPERATOR_TYPE type) {
  return SchemaOf<Struct>(name, type, kAlphaFields<Struct>, kActivationSupport);
}
template <class Struct>
constexpr schema::OperatorSchema AlphaBetaActivation(std::string_view name,
                                                     DML_OPERATOR_TYPE type) {
  return SchemaOf<Struct>(name, type, kAlphaBetaFields<Struct>, kActivationSupport);
}

// Rows U1 and U2: functions of one number, with a ScaleBias.
inline constexpr schema::TensorSupport kFirstFunctionSupport[] = {
    {FeatureLevel::k3_0, {1, 8}, kFloats},
    {FeatureLevel::k1_0, {4, 4}, kFloats},
};
inline constexpr schema::TensorSupport kSecondFunctionSupport[] = {
    {FeatureLevel::k3_0, {1, 8}, kFloats},
    {FeatureLevel::k2_0, {4, 4}, kFloats},
};
inline constexpr schema::TensorSupport kCeluSupport[] = {{FeatureLevel::k3_0, {1, 8}, kFloats}};
inline constexpr schema::TensorSupport kGeluSupport[] = {{FeatureLevel::k5_1, {1, 8}, kFloats}};

inline constexpr schema::TensorSupport kParameterizedReluSupport[] = {
    {FeatureLevel::k5_1, {1, 8}, kFloats | kSigned},
    {FeatureLevel::k3_0, {1, 8}, kFloats},
    {FeatureLevel::k2_0, {4, 5}, kFloats},
    {FeatureLevel::k1_0, {4, 4}, kFloats},
};
inline constexpr schema::TensorSupport kShrinkSupport[] = {
    {FeatureLevel::k5_1, {1, 8}, kFloats | kIntegers},
    {FeatureLevel::k3_0, {1, 8}, kFloats},
    {FeatureLevel::k2_0, {4, 5}, kFloats},
};
inline constexpr schema::TensorSupport kHardSwishSupport[] = {
    {FeatureLevel::k6_2, {1, 8}, kFloats}};

template <class Struct = DML_ACTIVATION_PARAMETERIZED_RELU_OPERATOR_DESC>
inline constexpr schema::Field kParameterizedReluFields[] = {
    kUnaryFields<Struct>[0],
    schema::Input("SlopeTensor", offsetof(Struct, SlopeTensor)),
    kUnaryFields<Struct>[1],
};
template <class Struct = DML_ACTIVATION_SHRINK_OPERATOR_DESC>
inline constexpr schema::Field kShrinkFields[] = {
    kUnaryFields<Struct>[0],
    kUnaryFields<Struct>[1],
    schema::Float("Bias", offsetof(Struct, Bias)),
    schema::Float("Threshold", offsetof(Struct, Threshold)),
};

// if x >= 0 then x else slope * x
inline constexpr auto kParameterizedReluByThePage = []<typename T>(const Attributes&, T x,
                                                                   T slope) {
  return Value(x) >= 0 ? x : FloatOrWrapped(slope, x, [](auto a, auto b) { return a * b; });
};
// x > Threshold: x - Bias; x < -Threshold: x + Bias; else 0. Integers of 32 bits in double.
inline constexpr auto kShrinkByThePage = []<typename T>(const Attributes& attributes, T x) {
  using Number =
      std::conditional_t<std::numeric_limits<T>::is_integer && sizeof(T) == 4, double, float>;
  const Number value = static_cast<Number>(Value(x)), bias = attributes.As<float>(0),
               threshold = attributes.As<float>(1);
  Number result = 0;
  if (value < -threshold) result = value + bias;
  if (value > threshold) result = value - bias;
  return reference::Element<T>(static_cast<double>(result));
};

template <class Struct = DML_ACTIVATION_SCALED_ELU_OPERATOR_DESC>
inline constexpr schema::Field kAlphaGammaFields[] = {
    kAlphaFields<Struct>[0],
    kAlphaFields<Struct>[1],
    kAlphaFields<Struct>[2],
    schema::Float("Gamma", offsetof(Struct, Gamma)),
};

// One of the functions of reference_functions.h, of g(x).
template <float (*kFunction)(float)>
inline constexpr auto kFunctionByThePage = InFloatByThePage([](const Attributes& a, float x) {
  return kFunction(ScaledByAttributes(a, x));
});

inline constexpr Row kActivations[] = {
    {.schema = Activation<DML_ACTIVATION_IDENTITY_OPERATOR_DESC>("ACTIVATION_IDENTITY",
                                                                 DML_OPERATOR_ACTIVATION_IDENTITY),
     .formula = Formula::kIdentity,
     .reference = ByThePage<1>([](const Attributes&, auto x) { return x; }),
     .preserves_nan_bits = false,  // of the kernel that it shares with ELEMENT_WISE_IDENTITY
     .cases = kFewCases,
     .bench_cases = kFewBenchCases,
     .gradient = gradients::Identity},
    {.schema = AlphaBetaActivation<DML_ACTIVATION_LINEAR_OPERATOR_DESC>(
         "ACTIVATION_LINEAR", DML_OPERATOR_ACTIVATION_LINEAR),
     .formula = Formula::kLinear,
     // f(x) = Alpha * x + Beta
     .reference = InFloatByThePage([](const Attributes& a, float x) {
       const float product = a.As<float>(0) * x;
       return product + a.As<float>(1);
     }),
     .preserves_nan_bits = false,
     .cases = kAlphaBetaCases,
     .bench_cases = kAlphaBetaBenchCases,
     .gradient = gradients::Linear},
    {.schema = AlphaActivation<DML_ACTIVATION_LEAKY_RELU_OPERATOR_DESC>(
         "ACTIVATION_LEAKY_RELU", DML_OPERATOR_ACTIVATION_LEAKY_RELU),
     .formula = Formula::kLeakyRelu,
     // if x >= 0 then x else Alpha * x
     .reference = InFloatByThePage(
         [](const Attributes& a, float x) { return x >= 0 ? x : a.As<float>(0) * x; }),
     .preserves_nan_bits = false,
     .cases = kAlphaCases,
     .bench_cases = kAlphaBenchCases,
     .gradient = gradients::LeakyRelu},
    {.schema = AlphaActivation<DML_ACTIVATION_THRESHOLDED_RELU_OPERATOR_DESC>(
         "ACTIVATION_THRESHOLDED_RELU", DML_OPERATOR_ACTIVATION_THRESHOLDED_RELU),
     .formula = Formula::kThresholdedRelu,
     // if x > Alpha then x else 0
     .reference = ByThePage<1>([](const Attributes& a, auto x) {
       return static_cast<float>(Value(x)) > a.As<float>(0) ? x : decltype(x){};
     }),
     .cases = kAlphaCases,
     .bench_cases = kAlphaBenchCases,
     .gradient = gradients::ThresholdedRelu},
    {.schema = AlphaBetaActivation<DML_ACTIVATION_HARD_SIGMOID_OPERATOR_DESC>(
         "ACTIVATION_HARD_SIGMOID", DML_OPERATOR_ACTIVATION_HARD_SIGMOID),
     .formula = Formula::kHardSigmoid,
     // max(0, min(Alpha * x + Beta, 1)), which passes a NaN
     .reference = InFloatByThePage([](const Attributes& a, float x) {
       const float product = a.As<float>(0) * x;
       const float sum = product + a.As<float>(1);
       return sum > 1 ? 1 : sum < 0 ? 0 : sum;
     }),
     .preserves_nan_bits = false,
     .cases = kAlphaBetaCases,
     .bench_cases = kAlphaBetaBenchCases,
     .gradient = gradients::HardSigmoid},
    {.schema = Activation<DML_ACTIVATION_SOFTSIGN_OPERATOR_DESC>("ACTIVATION_SOFTSIGN",
                                                                 DML_OPERATOR_ACTIVATION_SOFTSIGN),
     .formula = Formula::kSoftsign,
     // x / (1 + |x|)
     .reference =
         InFloatByThePage([](const Attributes&, float x) { return x / (1 + std::fabs(x)); }),
     .preserves_nan_bits = false,
     .cases = kFewCases,
     .bench_cases = kFewBenchCases,
     .gradient = gradients::Softsign},
    {.schema = Scaled<DML_ELEMENT_WISE_EXP_OPERATOR_DESC>(
         "ELEMENT_WISE_EXP", DML_OPERATOR_ELEMENT_WISE_EXP, kFirstFunctionSupport),
     .formula = Formula::kExp,
     .reference = kFunctionByThePage<reference::Exp>,
     .preserves_nan_bits = false,
     .scales_itself = true,
     .cases = kScaledCases,
     .bench_cases = kFewBenchCases,
     .gradient = gradients::Exp},
    {.schema = Scaled<DML_ELEMENT_WISE_LOG_OPERATOR_DESC>(
         "ELEMENT_WISE_LOG", DML_OPERATOR_ELEMENT_WISE_LOG, kFirstFunctionSupport),
     .formula = Formula::kLog,
     .reference = kFunctionByThePage<reference::Log>,
     .preserves_nan_bits = false,
     .scales_itself = true,
     .cases = kScaledCases,
     .bench_cases = kFewBenchCases,
     .gradient = gradients::Log},
    {.schema = Scaled<DML_ELEMENT_WISE_ERF_OPERATOR_DESC>(
         "ELEMENT_WISE_ERF", DML_OPERATOR_ELEMENT_WISE_ERF, kSecondFunctionSupport),
     .formula = Formula::kErf,
     .reference = kFunctionByThePage<reference::Erf>,
     .preserves_nan_bits = false,
     .scales_itself = true,
     .cases = kScaledCases,
     .bench_cases = kFewBenchCases,
     .gradient = gradients::Erf},
    {.schema = Scaled<DML_ELEMENT_WISE_TANH_OPERATOR_DESC>(
         "ELEMENT_WISE_TANH", DML_OPERATOR_ELEMENT_WISE_TANH, kSecondFunctionSupport),
     .formula = Formula::kTanh,
     .reference = kFunctionByThePage<reference::Tanh>,
     .preserves_nan_bits = false,
     .scales_itself = true,
     .cases = kScaledCases,
     .bench_cases = kFewBenchCases,
     .gradient = gradients::Tanh},
    {.schema = Activation<DML_ACTIVATION_TANH_OPERATOR_DESC>("ACTIVATION_TANH",
                                                             DML_OPERATOR_ACTIVATION_TANH),
     .formula = Formula::kTanh,
     .reference = kFunctionByThePage<reference::Tanh>,
     .preserves_nan_bits = false,
     .scales_itself = true,
     .cases = kFewCases,
     .bench_cases = {},
     .gradient = gradients::Tanh},
    {.schema = Activation<DML_ACTIVATION_SIGMOID_OPERATOR_DESC>("ACTIVATION_SIGMOID",
                                                                DML_OPERATOR_ACTIVATION_SIGMOID),
     .formula = Formula::kSigmoid,
     .reference =
         InFloatByThePage([](const Attributes&, float x) { return reference::Sigmoid(x); }),
     .preserves_nan_bits = false,
     .cases = kFewCases,
     .bench_cases = kFewBenchCases,
     .gradient = gradients::Sigmoid},
    {.schema = Unary<DML_ACTIVATION_GELU_OPERATOR_DESC>("ACTIVATION_GELU",
                                                        DML_OPERATOR_ACTIVATION_GELU, kGeluSupport),
     .formula = Formula::kGelu,
     .reference = InFloatByThePage([](const Attributes&, float x) { return reference::Gelu(x); }),
     .preserves_nan_bits = false,
     .cases = kFewCases,
     .bench_cases = kFewBenchCases,
     .gradient = gradients::Gelu},
    {.schema = AlphaActivation<DML_ACTIVATION_ELU_OPERATOR_DESC>("ACTIVATION_ELU",
                                                                 DML_OPERATOR_ACTIVATION_ELU),
     .formula = Formula::kElu,
     // if x >= 0 then x else Alpha * (e^x - 1), where e^x - 1 is one function (B104)
     .reference = InFloatByThePage([](const Attributes& a, float x) {
       return x >= 0 ? x : a.As<float>(0) * reference::Expm1(x);
     }),
     .preserves_nan_bits = false,
     .cases = kAlphaCases,
     .bench_cases = kAlphaBenchCases,
     .gradient = gradients::Elu},
    {.schema = SchemaOf<DML_ACTIVATION_CELU_OPERATOR_DESC>(
         "ACTIVATION_CELU", DML_OPERATOR_ACTIVATION_CELU,
         kAlphaFields<DML_ACTIVATION_CELU_OPERATOR_DESC>, kCeluSupport),
     .formula = Formula::kCelu,
     // max(0, x) + min(0, Alpha * (e^(x / Alpha) - 1)), as a selection (B109)
     .reference = InFloatByThePage([](const Attributes& a, float x) {
       const float alpha = a.As<float>(0);
       return x >= 0 ? x : alpha * reference::Expm1(x / alpha);
     }),
     .preserves_nan_bits = false,
     .cases = kAlphaCases,
     .bench_cases = kAlphaBenchCases,
     .gradient = gradients::Celu},
    {.schema = SchemaOf<DML_ACTIVATION_SCALED_ELU_OPERATOR_DESC>(
         "ACTIVATION_SCALED_ELU", DML_OPERATOR_ACTIVATION_SCALED_ELU, kAlphaGammaFields<>,
         kActivationSupport),
     .formula = Formula::kScaledElu,
     // Gamma * (if x > 0 then x else Alpha * e^x - Alpha)
     .reference = InFloatByThePage([](const Attributes& a, float x) {
       const float gamma = a.As<float>(1);
       if (x > 0) return gamma * x;
       const float below = a.As<float>(0) * reference::Expm1(x);
       return gamma * below;
     }),
     .preserves_nan_bits = false,
     .cases = kAlphaGammaCases,
     .bench_cases = kAlphaGammaBenchCases,
     .gradient = gradients::ScaledElu},
    {.schema = AlphaBetaActivation<DML_ACTIVATION_SCALED_TANH_OPERATOR_DESC>(
         "ACTIVATION_SCALED_TANH", DML_OPERATOR_ACTIVATION_SCALED_TANH),
     .formula = Formula::kScaledTanh,
     // Alpha * tanh(Beta * x)
     .reference = InFloatByThePage([](const Attributes& a, float x) {
       const float product = a.As<float>(1) * x;
       return a.As<float>(0) * reference::Tanh(product);
     }),
     .preserves_nan_bits = false,
     .cases = kAlphaBetaCases,
     .bench_cases = kAlphaBetaBenchCases,
     .gradient = gradients::ScaledTanh},
    {.schema = SchemaOf<DML_ACTIVATION_PARAMETERIZED_RELU_OPERATOR_DESC>(
         "ACTIVATION_PARAMETERIZED_RELU", DML_OPERATOR_ACTIVATION_PARAMETERIZED_RELU,
         kParameterizedReluFields<>, kParameterizedReluSupport),
     .formula = Formula::kParameterizedRelu,
     .reference = ByThePage<2>(kParameterizedReluByThePage),
     .preserves_nan_bits = false,
     .cases = kFewCases,
     .bench_cases = kFewBenchCases,
     .gradient = gradients::ParameterizedRelu},
    {.schema = SchemaOf<DML_ACTIVATION_SHRINK_OPERATOR_DESC>(
         "ACTIVATION_SHRINK", DML_OPERATOR_ACTIVATION_SHRINK, kShrinkFields<>, kShrinkSupport),
     .formula = Formula::kShrink,
     .reference = ByThePage<1>(kShrinkByThePage),
     .preserves_nan_bits = false,
     .cases = kShrinkCases,
     .bench_cases = kShrinkBenchCases,
     .gradient = gradients::Shrink},
    {.schema = SchemaOf<DML_ACTIVATION_HARD_SWISH_OPERATOR_DESC>(
         "ACTIVATION_HARD_SWISH", DML_OPERATOR_ACTIVATION_HARD_SWISH,
         kAlphaBetaFields<DML_ACTIVATION_HARD_SWISH_OPERATOR_DESC>, kHardSwishSupport),
     .formula = Formula::kHardSwish,
     // x * max(0, min(Alpha * x + Beta, 1))
     .reference = InFloatByThePage([](const Attributes& a, float x) {
       const float product = a.As<float>(0) * x;
       const float sum = product + a.As<float>(1);
       return x * (sum > 1 ? 1 : sum < 0 ? 0 : sum);
     }),
     .preserves_nan_bits = false,
     .cases = kAlphaBetaCases,
     .bench_cases = kAlphaBetaBenchCases,
     .gradient = gradients::HardSwish},
};

}  // namespace anydml::elementwise
