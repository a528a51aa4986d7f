// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Rows of activations, for table.cpp.
#pragma once

#include "operators/elementwise/row.h"

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

inline constexpr Row kActivations[] = {
    {.schema = Activation<DML_ACTIVATION_IDENTITY_OPERATOR_DESC>("ACTIVATION_IDENTITY",
                                                                 DML_OPERATOR_ACTIVATION_IDENTITY),
     .formula = Formula::kIdentity,
     .reference = ByThePage<1>([](const Attributes&, auto x) { return x; }),
     .preserves_nan_bits = false,  // of the kernel that it shares with ELEMENT_WISE_IDENTITY
     .cases = kFewCases,
     .bench_cases = kFewBenchCases},
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
     .bench_cases = kAlphaBetaBenchCases},
    {.schema = AlphaActivation<DML_ACTIVATION_LEAKY_RELU_OPERATOR_DESC>(
         "ACTIVATION_LEAKY_RELU", DML_OPERATOR_ACTIVATION_LEAKY_RELU),
     .formula = Formula::kLeakyRelu,
     // if x >= 0 then x else Alpha * x
     .reference = InFloatByThePage(
         [](const Attributes& a, float x) { return x >= 0 ? x : a.As<float>(0) * x; }),
     .preserves_nan_bits = false,
     .cases = kAlphaCases,
     .bench_cases = kAlphaBenchCases},
    {.schema = AlphaActivation<DML_ACTIVATION_THRESHOLDED_RELU_OPERATOR_DESC>(
         "ACTIVATION_THRESHOLDED_RELU", DML_OPERATOR_ACTIVATION_THRESHOLDED_RELU),
     .formula = Formula::kThresholdedRelu,
     // if x > Alpha then x else 0
     .reference = ByThePage<1>([](const Attributes& a, auto x) {
       return static_cast<float>(Value(x)) > a.As<float>(0) ? x : decltype(x){};
     }),
     .cases = kAlphaCases,
     .bench_cases = kAlphaBenchCases},
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
     .bench_cases = kAlphaBetaBenchCases},
    {.schema = Activation<DML_ACTIVATION_SOFTSIGN_OPERATOR_DESC>("ACTIVATION_SOFTSIGN",
                                                                 DML_OPERATOR_ACTIVATION_SOFTSIGN),
     .formula = Formula::kSoftsign,
     // x / (1 + |x|)
     .reference =
         InFloatByThePage([](const Attributes&, float x) { return x / (1 + std::fabs(x)); }),
     .preserves_nan_bits = false,
     .cases = kFewCases,
     .bench_cases = kFewBenchCases},
};

}  // namespace anydml::elementwise
