// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Rows of further exact functions (B100), for table.cpp.
#pragma once

#include <fmt/format.h>

#include "operators/elementwise/activations.h"

namespace anydml::elementwise {

template <class Struct, long double (*kFunction)(long double)>
constexpr Row FunctionRow(std::string_view name, DML_OPERATOR_TYPE type,
                          std::span<const schema::TensorSupport> support, Formula formula,
                          GradientRule gradient) {
  return {.schema = Scaled<Struct>(name, type, support),
          .formula = formula,
          .reference = kFunctionByThePage<reference::Rounded<kFunction>>,
          .preserves_nan_bits = false,
          .scales_itself = true,
          .cases = kScaledCases,
          .bench_cases = kFewBenchCases,
          .gradient = gradient};
}

template <class Struct = DML_ACTIVATION_SOFTPLUS_OPERATOR_DESC>
inline constexpr schema::Field kSoftplusFields[] = {
    kUnaryFields<Struct>[0],
    kUnaryFields<Struct>[1],
    schema::Float("Steepness", offsetof(Struct, Steepness)),
};
template <class Struct = DML_ACTIVATION_SWISH_OPERATOR_DESC>
inline constexpr schema::Field kSwishFields[] = {
    kUnaryFields<Struct>[0],
    kUnaryFields<Struct>[1],
    schema::Float("SigmoidInputScale", offsetof(Struct, SigmoidInputScale)),
};
template <class Struct = DML_ELEMENT_WISE_CONSTANT_POW_OPERATOR_DESC>
inline constexpr schema::Field kConstantPowFields[] = {
    kScaledFields<Struct>[0],
    kScaledFields<Struct>[1],
    kScaledFields<Struct>[2],
    schema::Float("Exponent", offsetof(Struct, Exponent)),
};
template <class Struct = DML_ELEMENT_WISE_POW_OPERATOR_DESC>
inline constexpr schema::Field kPowFields[] = {
    schema::Input("InputTensor", offsetof(Struct, InputTensor)),
    schema::Input("ExponentTensor", offsetof(Struct, ExponentTensor)),
    schema::Output("OutputTensor", offsetof(Struct, OutputTensor)),
    schema::ScaleBias("ScaleBias", offsetof(Struct, ScaleBias)),
};

inline constexpr schema::TensorSupport kSwishSupport[] = {{FeatureLevel::k6_2, {1, 8}, kFloats}};
inline constexpr schema::TensorSupport kAtanYxSupport[] = {{FeatureLevel::k3_1, {1, 8}, kFloats}};
inline constexpr schema::TensorSupport kPowSupport[] = {
    {FeatureLevel::k3_0, {1, 8}, kFloats | kIntegers},
    {FeatureLevel::k1_0, {4, 4}, kFloats},
};
inline constexpr schema::Constraint kPowAlike[] = {schema::SameDataType({0, 2}),
                                                   schema::SameDimensionCount({0, 1, 2}),
                                                   schema::SameSizes({0, 1, 2})};

// B124.
inline Status CheckSteepness(const schema::Arguments& arguments, FeatureLevel level) {
  const float steepness = arguments.Float(2);
  if (level >= FeatureLevel::k6_4 || steepness >= 1) return {};
  return arguments.Fail(
      fmt::format("Steepness = {} must be 1 or more below feature level 6_4; this device has {}",
                  steepness, FeatureLevelName(level)));
}
constexpr schema::OperatorSchema SoftplusSchema() {
  schema::OperatorSchema schema = SchemaOf<DML_ACTIVATION_SOFTPLUS_OPERATOR_DESC>(
      "ACTIVATION_SOFTPLUS", DML_OPERATOR_ACTIVATION_SOFTPLUS, kSoftplusFields<>,
      kActivationSupport);
  schema.level_rule = CheckSteepness;
  return schema;
}

// H2.
inline Status CheckExponentType(const schema::Arguments& arguments, FeatureLevel level) {
  const DataType type = arguments.tensor(0).data_type, exponent = arguments.tensor(1).data_type;
  if (level >= FeatureLevel::k3_0 || type == exponent) return {};
  return arguments.Fail(fmt::format(
      "ExponentTensor.DataType = {} must equal InputTensor.DataType = {} below feature level 3_0; "
      "this device has {}",
      DataTypeName(exponent), DataTypeName(type), FeatureLevelName(level)));
}
constexpr schema::OperatorSchema PowSchema() {
  schema::OperatorSchema schema = SchemaOf<DML_ELEMENT_WISE_POW_OPERATOR_DESC>(
      "ELEMENT_WISE_POW", DML_OPERATOR_ELEMENT_WISE_POW, kPowFields<>, kPowSupport);
  schema.constraints = kPowAlike;
  schema.level_rule = CheckExponentType;
  return schema;
}

// B113: integers are exact, modulo the width; 1 / x^|e| toward zero.
inline uint64_t IntegerPowerByThePage(int64_t x, int64_t e) {
  if (e < 0 && x == 0) return ~uint64_t{0};
  if (e < 0 && x != 1 && x != -1) return 0;
  uint64_t power = 1;
  for (int bit = 32; bit >= 0; --bit) {
    power *= power;
    if ((std::abs(e) >> bit & 1) != 0) power *= static_cast<uint64_t>(x);
  }
  return power;
}
template <typename T, typename E>
T PowByThePage(const Attributes& a, T x, E e) {
  const auto exponent = static_cast<long double>(Value(e));
  if constexpr (!std::is_integral_v<T>) {
    const float base = ScaledByAttributes(a, static_cast<float>(Value(x)));
    return reference::Element<T>(static_cast<double>(reference::Pow(base, exponent)));
  } else if constexpr (std::is_integral_v<E>) {
    return static_cast<T>(IntegerPowerByThePage(x, e));
  } else {
    const float power = reference::Pow(static_cast<float>(x), exponent);
    return reference::Element<T>(static_cast<double>(power));
  }
}
inline ReferenceElement PowReference(const Desc& desc) {
  ReferenceElement found = nullptr;
  DispatchType(FloatsAndNarrowIntegers(), desc.tensors[0].data_type, [&]<typename T>() {
    DispatchType(FloatsAndNarrowIntegers(), desc.tensors[1].data_type, [&]<typename E>() {
      found = [](const Attributes& attributes, const void* const* inputs, void* output) {
        T x;
        E e;
        std::memcpy(&x, inputs[0], sizeof x);
        std::memcpy(&e, inputs[1], sizeof e);
        const T result = PowByThePage(attributes, x, e);
        std::memcpy(output, &result, sizeof result);
      };
    });
  });
  return found;
}

inline constexpr auto kAtanYxByThePage = []<typename T>(const Attributes&, T y, T x) {
  const float angle = reference::Atan2(static_cast<float>(Value(y)), static_cast<float>(Value(x)));
  return reference::Element<T>(static_cast<double>(angle));
};

inline constexpr Settings kSteepness = {{{"Steepness", {1.5}}}};
inline constexpr auto kSoftplusCases =
    FewCasesWith(kSteepness, std::array{CaseOf({"is_gentle", {131}}, {{{"Steepness", {0.3}}}})});
inline constexpr Settings kInputScale = {{{"SigmoidInputScale", {1.702}}}};
inline constexpr auto kSwishCases = FewCasesWith(kInputScale);
inline constexpr Settings kCube = {{{"Exponent", {3}}}};
inline constexpr auto kConstantPowCases =
    FewCasesWith(kCube, std::array{CaseOf({"root", {131}}, {{{"Exponent", {0.5}}}}),
                                   CaseOf({"scale_and_bias", {2, 3, 67}},
                                          {{{"ScaleBias", {1.1, -0.3}}, {"Exponent", {-2.5}}}})});
inline constexpr auto kSoftplusBenchCases = FewBenchCasesWith(kSteepness);
inline constexpr auto kSwishBenchCases = FewBenchCasesWith(kInputScale);
inline constexpr auto kConstantPowBenchCases = FewBenchCasesWith(kCube);

inline constexpr Row kExactRows[] = {
    {.schema = SoftplusSchema(),
     .formula = Formula::kSoftplus,
     // ln(1 + e^(Steepness * x)) / Steepness, where ln(1 + e^t) is one function (B104)
     .reference = InFloatByThePage([](const Attributes& a, float x) {
       const float product = a.As<float>(0) * x;
       return reference::Softplus(product) / a.As<float>(0);
     }),
     .preserves_nan_bits = false,
     .cases = kSoftplusCases,
     .bench_cases = kSoftplusBenchCases,
     .gradient = gradients::Softplus},
    {.schema = AlphaBetaActivation<DML_ACTIVATION_PARAMETRIC_SOFTPLUS_OPERATOR_DESC>(
         "ACTIVATION_PARAMETRIC_SOFTPLUS", DML_OPERATOR_ACTIVATION_PARAMETRIC_SOFTPLUS),
     .formula = Formula::kParametricSoftplus,
     // Alpha * ln(1 + e^(Beta * x))
     .reference = InFloatByThePage([](const Attributes& a, float x) {
       const float product = a.As<float>(1) * x;
       return a.As<float>(0) * reference::Softplus(product);
     }),
     .preserves_nan_bits = false,
     .cases = kAlphaBetaCases,
     .bench_cases = kAlphaBetaBenchCases,
     .gradient = gradients::ParametricSoftplus},
    {.schema = SchemaOf<DML_ACTIVATION_SWISH_OPERATOR_DESC>(
         "ACTIVATION_SWISH", DML_OPERATOR_ACTIVATION_SWISH, kSwishFields<>, kSwishSupport),
     .formula = Formula::kSwish,
     // x * sigmoid(SigmoidInputScale * x)
     .reference = InFloatByThePage([](const Attributes& a, float x) {
       const float product = a.As<float>(0) * x;
       return x * reference::Sigmoid(product);
     }),
     .preserves_nan_bits = false,
     .cases = kSwishCases,
     .bench_cases = kSwishBenchCases,
     .gradient = gradients::Swish},
    FunctionRow<DML_ELEMENT_WISE_SIN_OPERATOR_DESC, sinl>(
        "ELEMENT_WISE_SIN", DML_OPERATOR_ELEMENT_WISE_SIN, kFirstFunctionSupport, Formula::kSin,
        gradients::Sin),
    FunctionRow<DML_ELEMENT_WISE_COS_OPERATOR_DESC, cosl>(
        "ELEMENT_WISE_COS", DML_OPERATOR_ELEMENT_WISE_COS, kFirstFunctionSupport, Formula::kCos,
        gradients::Cos),
    FunctionRow<DML_ELEMENT_WISE_TAN_OPERATOR_DESC, tanl>(
        "ELEMENT_WISE_TAN", DML_OPERATOR_ELEMENT_WISE_TAN, kFirstFunctionSupport, Formula::kTan,
        gradients::Tan),
    FunctionRow<DML_ELEMENT_WISE_ASIN_OPERATOR_DESC, asinl>(
        "ELEMENT_WISE_ASIN", DML_OPERATOR_ELEMENT_WISE_ASIN, kFirstFunctionSupport, Formula::kAsin,
        gradients::Asin),
    FunctionRow<DML_ELEMENT_WISE_ACOS_OPERATOR_DESC, acosl>(
        "ELEMENT_WISE_ACOS", DML_OPERATOR_ELEMENT_WISE_ACOS, kFirstFunctionSupport, Formula::kAcos,
        gradients::Acos),
    FunctionRow<DML_ELEMENT_WISE_ATAN_OPERATOR_DESC, atanl>(
        "ELEMENT_WISE_ATAN", DML_OPERATOR_ELEMENT_WISE_ATAN, kFirstFunctionSupport, Formula::kAtan,
        gradients::Atan),
    FunctionRow<DML_ELEMENT_WISE_SINH_OPERATOR_DESC, sinhl>(
        "ELEMENT_WISE_SINH", DML_OPERATOR_ELEMENT_WISE_SINH, kSecondFunctionSupport, Formula::kSinh,
        gradients::Sinh),
    FunctionRow<DML_ELEMENT_WISE_COSH_OPERATOR_DESC, coshl>(
        "ELEMENT_WISE_COSH", DML_OPERATOR_ELEMENT_WISE_COSH, kSecondFunctionSupport, Formula::kCosh,
        gradients::Cosh),
    FunctionRow<DML_ELEMENT_WISE_ASINH_OPERATOR_DESC, asinhl>(
        "ELEMENT_WISE_ASINH", DML_OPERATOR_ELEMENT_WISE_ASINH, kSecondFunctionSupport,
        Formula::kAsinh, gradients::Asinh),
    FunctionRow<DML_ELEMENT_WISE_ACOSH_OPERATOR_DESC, acoshl>(
        "ELEMENT_WISE_ACOSH", DML_OPERATOR_ELEMENT_WISE_ACOSH, kSecondFunctionSupport,
        Formula::kAcosh, gradients::Acosh),
    FunctionRow<DML_ELEMENT_WISE_ATANH_OPERATOR_DESC, atanhl>(
        "ELEMENT_WISE_ATANH", DML_OPERATOR_ELEMENT_WISE_ATANH, kSecondFunctionSupport,
        Formula::kAtanh, gradients::Atanh),
    {.schema = SchemaOf<DML_ELEMENT_WISE_CONSTANT_POW_OPERATOR_DESC>(
         "ELEMENT_WISE_CONSTANT_POW", DML_OPERATOR_ELEMENT_WISE_CONSTANT_POW, kConstantPowFields<>,
         kFirstFunctionSupport),
     .formula = Formula::kConstantPow,
     .reference = InFloatByThePage([](const Attributes& a, float x) {
       return reference::Pow(ScaledByAttributes(a, x), a.As<float>(0));
     }),
     .preserves_nan_bits = false,
     .scales_itself = true,
     .cases = kConstantPowCases,
     .bench_cases = kConstantPowBenchCases,
     .gradient = gradients::ConstantPow},
    {.schema = Binary<DML_ELEMENT_WISE_ATAN_YX_OPERATOR_DESC>(
         "ELEMENT_WISE_ATAN_YX", DML_OPERATOR_ELEMENT_WISE_ATAN_YX, kAtanYxSupport),
     .formula = Formula::kAtan2,
     .reference = ByThePage<2>(kAtanYxByThePage),
     .preserves_nan_bits = false,
     .cases = kFewCases,
     .bench_cases = kFewBenchCases,
     .gradient = gradients::AtanYx},
    {.schema = PowSchema(),
     .formula = Formula::kPow,
     .reference = PowReference,
     .preserves_nan_bits = false,
     .scales_itself = true,
     .cases = kScaledCases,
     .bench_cases = kTypedBenchCases,
     .gradient = gradients::Pow},
};

}  // namespace anydml::elementwise
