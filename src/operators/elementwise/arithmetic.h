// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Rows of arithmetic, comparison, choice and conversion, for table.cpp.
#pragma once

#include "operators/elementwise/row.h"
#include "operators/fused_activations.h"

namespace anydml::elementwise {

inline constexpr DataTypeSet kWide = {DataType::kInt32, DataType::kUint32};

inline constexpr schema::TensorSupport kAddSupport[] = {
    {FeatureLevel::k5_1, {1, 8}, kFloats | kIntegers | k64Bits},
    {FeatureLevel::k4_1, {1, 8}, kFloats | kWide | k64Bits},
    {FeatureLevel::k3_0, {1, 8}, kFloats | kWide},
    {FeatureLevel::k2_1, {4, 5}, kFloats | kWide},
    {FeatureLevel::k1_0, {4, 5}, kFloats},
};
inline constexpr schema::TensorSupport kAdd1Support[] = {
    {FeatureLevel::k3_0, {1, 8}, kFloats},
    {FeatureLevel::k2_0, {4, 5}, kFloats},
};
// Its page has 4 dimensions only where ADD and MULTIPLY have 4 to 5.
inline constexpr schema::TensorSupport kSubtractSupport[] = {
    {FeatureLevel::k5_1, {1, 8}, kFloats | kIntegers | k64Bits},
    {FeatureLevel::k4_1, {1, 8}, kFloats | kWide | k64Bits},
    {FeatureLevel::k3_0, {1, 8}, kFloats | kWide},
    {FeatureLevel::k2_1, {4, 4}, kFloats | kWide},
    {FeatureLevel::k1_0, {4, 4}, kFloats},
};
inline constexpr schema::TensorSupport kDivideSupport[] = {
    {FeatureLevel::k6_0, {1, 8}, kFloats | kIntegers | k64Bits},
    {FeatureLevel::k5_1, {1, 8}, kFloats | kIntegers},
    {FeatureLevel::k3_0, {1, 8}, kFloats | kWide},
    {FeatureLevel::k2_1, {4, 4}, kFloats | kWide},
    {FeatureLevel::k1_0, {4, 4}, kFloats},
};
inline constexpr schema::TensorSupport kMaxSupport[] = {
    {FeatureLevel::k5_0, {1, 8}, kFloats | kIntegers | k64Bits},
    {FeatureLevel::k3_0, {1, 8}, kFloats | kIntegers},
    {FeatureLevel::k2_1, {4, 4}, kFloats | kIntegers},
    {FeatureLevel::k1_0, {4, 4}, kFloats},
};
inline constexpr DataTypeSet kInt64 = {DataType::kInt64};
inline constexpr schema::TensorSupport kNegateSupport[] = {
    {FeatureLevel::k5_0, {1, 8}, kFloats | kSigned | kInt64},
};
inline constexpr schema::TensorSupport kAbsSupport[] = {
    {FeatureLevel::k4_1, {1, 8}, kFloats | kSigned | kInt64},
    {FeatureLevel::k3_0, {1, 8}, kFloats | kSigned},
    {FeatureLevel::k2_1, {4, 4}, kFloats | kSigned},
    {FeatureLevel::k1_0, {4, 4}, kFloats},
};
// Row U1 of the pages: functions of one number.
inline constexpr schema::TensorSupport kFunctionSupport[] = {
    {FeatureLevel::k3_0, {1, 8}, kFloats},
    {FeatureLevel::k1_0, {4, 4}, kFloats},
};

inline constexpr DataTypeSet kUint32 = {DataType::kUint32};
inline constexpr DataTypeSet kUint8 = {DataType::kUint8};
inline constexpr DataTypeSet kTruth = kUint32 | kUint8;
// A and B, then the output, which has 1 for true.
inline constexpr schema::TensorSupport kCompareSupport[] = {
    {FeatureLevel::k4_1, {1, 8}, kFloats | kIntegers | k64Bits, {0, 1}},
    {FeatureLevel::k3_0, {1, 8}, kFloats | kIntegers, {0, 1}},
    {FeatureLevel::k2_1, {4, 4}, kFloats | kIntegers, {0, 1}},
    {FeatureLevel::k1_0, {4, 4}, kFloats, {0, 1}},
    {FeatureLevel::k3_0, {1, 8}, kTruth, {2}},
    {FeatureLevel::k2_0, {4, 4}, kTruth, {2}},
    {FeatureLevel::k1_0, {4, 4}, kUint32, {2}},
};
inline constexpr schema::TensorSupport kCompareOrEqualSupport[] = {
    {FeatureLevel::k4_1, {1, 8}, kFloats | kIntegers | k64Bits, {0, 1}},
    {FeatureLevel::k3_0, {1, 8}, kFloats | kIntegers, {0, 1}},
    {FeatureLevel::k3_0, {1, 8}, kTruth, {2}},
};
// The page lists FLOAT16 alone at 2_0; FLOAT32 is taken too (B128).
inline constexpr schema::TensorSupport kIfSupport[] = {
    {FeatureLevel::k3_0, {1, 8}, kUint8, {0}},
    {FeatureLevel::k2_0, {4, 4}, kUint8, {0}},
    {FeatureLevel::k5_0, {1, 8}, kFloat64 | kFloats | kIntegers | k64Bits, {1, 2, 3}},
    {FeatureLevel::k3_0, {1, 8}, kFloats | kIntegers, {1, 2, 3}},
    {FeatureLevel::k2_0, {4, 4}, kFloats, {1, 2, 3}},
};
inline constexpr DataTypeSet kNarrow = {DataType::kInt16, DataType::kInt8, DataType::kUint16,
                                        DataType::kUint8};
inline constexpr schema::TensorSupport kCastSupport[] = {
    {FeatureLevel::k4_1, {1, 8}, kFloat64 | kFloats | kIntegers | k64Bits},
    {FeatureLevel::k3_1, {1, 8}, kFloats | kIntegers | k64Bits},
    {FeatureLevel::k3_0, {4, 4}, kFloats | kIntegers | k64Bits},
    {FeatureLevel::k1_0, {4, 4}, kFloats | kNarrow},
};

inline constexpr schema::TensorSupport kModulusSupport[] = {
    {FeatureLevel::k6_0, {1, 8}, kFloats | kIntegers | k64Bits},
    {FeatureLevel::k3_0, {1, 8}, kFloats | kIntegers},
    {FeatureLevel::k2_1, {4, 4}, kFloats | kIntegers},
};
inline constexpr schema::TensorSupport kMeanSupport[] = {
    {FeatureLevel::k3_0, {1, 8}, kFloats | kWide},
    {FeatureLevel::k2_1, {4, 4}, kFloats | kWide},
    {FeatureLevel::k1_0, {4, 4}, kFloats},
};
inline constexpr schema::TensorSupport kDifferenceSquareSupport[] = {
    {FeatureLevel::k3_1, {1, 8}, kFloats | kWide},
};
inline constexpr schema::TensorSupport kThresholdSupport[] = {
    {FeatureLevel::k3_0, {1, 8}, kFloats | kIntegers},
    {FeatureLevel::k2_1, {4, 4}, kFloats | kIntegers},
    {FeatureLevel::k1_0, {4, 4}, kFloats},
};
inline constexpr schema::TensorSupport kSignSupport[] = {
    {FeatureLevel::k4_1, {1, 8}, kFloats | kIntegers | k64Bits},
    {FeatureLevel::k3_0, {1, 8}, kFloats | kIntegers},
    {FeatureLevel::k2_1, {4, 4}, kFloats | kIntegers},
    {FeatureLevel::k2_0, {4, 4}, kFloats},
};
inline constexpr schema::TensorSupport kRoundSupport[] = {
    {FeatureLevel::k3_0, {1, 8}, kFloats},
    {FeatureLevel::k2_1, {4, 4}, kFloats},
};

template <class Struct = DML_ELEMENT_WISE_THRESHOLD_OPERATOR_DESC>
inline constexpr schema::Field kThresholdFields[] = {
    kScaledFields<Struct>[0],
    kScaledFields<Struct>[1],
    kScaledFields<Struct>[2],
    schema::Float("Min", offsetof(Struct, Min)),
};
// "Toward infinity" means halves away from zero (B107).
inline constexpr std::string_view kRoundingModes[] = {"HALVES_TO_NEAREST_EVEN", "TOWARD_ZERO",
                                                      "TOWARD_INFINITY"};
inline constexpr schema::Enumeration kRoundingMode = {"DML_ROUNDING_MODE_", kRoundingModes};
template <class Struct = DML_ELEMENT_WISE_ROUND_OPERATOR_DESC>
inline constexpr schema::Field kRoundFields[] = {
    kUnaryFields<Struct>[0],
    kUnaryFields<Struct>[1],
    schema::Enum("RoundingMode", offsetof(Struct, RoundingMode), kRoundingMode),
};

template <class Struct = DML_ELEMENT_WISE_ADD1_OPERATOR_DESC>
inline constexpr schema::Field kAdd1Fields[] = {
    kBinaryFields<Struct>[0],
    kBinaryFields<Struct>[1],
    kBinaryFields<Struct>[2],
    schema::Fused("FusedActivation", offsetof(Struct, FusedActivation), kFusedActivations),
};
template <class Struct = DML_ELEMENT_WISE_IF_OPERATOR_DESC>
inline constexpr schema::Field kIfFields[] = {
    schema::Input("ConditionTensor", offsetof(Struct, ConditionTensor)),
    kBinaryFields<Struct>[0],
    kBinaryFields<Struct>[1],
    kBinaryFields<Struct>[2],
};

inline constexpr schema::Constraint kComparedAlike[] = {schema::SameDataType({0, 1}),
                                                        schema::SameDimensionCount({0, 1, 2}),
                                                        schema::SameSizes({0, 1, 2})};
inline constexpr schema::Constraint kChosenAlike[] = {schema::SameDataType({1, 2, 3}),
                                                      schema::SameDimensionCount({0, 1, 2, 3}),
                                                      schema::SameSizes({0, 1, 2, 3})};
inline constexpr schema::Constraint kShapesAlike[] = {schema::SameDimensionCount({0, 1}),
                                                      schema::SameSizes({0, 1})};

constexpr schema::OperatorSchema WithTypes(schema::OperatorSchema schema,
                                           std::span<const schema::Constraint> constraints,
                                           schema::FieldSet in_place) {
  schema.constraints = constraints;
  schema.in_place = in_place;
  schema.level = FeatureLevel::k6_4;
  for (const schema::TensorSupport& row : schema.support) {
    schema.level = std::min(schema.level, row.level);
  }
  return schema;
}

// What IF takes, where nothing else is said.
inline Result<std::vector<TensorDesc>> ComparisonOutputs(const schema::Arguments& arguments) {
  return std::vector{PackedTensor(DataType::kUint8, arguments.tensor(0).Sizes())};
}

template <class Struct>
constexpr schema::OperatorSchema Comparison(std::string_view name, DML_OPERATOR_TYPE type,
                                            std::span<const schema::TensorSupport> support) {
  schema::OperatorSchema schema =
      WithTypes(Binary<Struct>(name, type, support), kComparedAlike, {0, 1});
  schema.output_tensors = ComparisonOutputs;
  return schema;
}

// ---- References.

// Integers calculate modulo 2^64, of which the low bits are those of every width.
template <typename T, class F>
T FloatOrWrapped(T a, T b, F f) {
  if constexpr (std::numeric_limits<T>::is_integer) {
    return static_cast<T>(f(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
  } else {
    return reference::Element<T>(static_cast<double>(f(reference::Value(a), reference::Value(b))));
  }
}

inline constexpr auto kAddByThePage = []<typename T>(const Attributes&, T a, T b) {
  return FloatOrWrapped(a, b, [](auto x, auto y) { return x + y; });
};
inline constexpr auto kSubtractByThePage = []<typename T>(const Attributes&, T a, T b) {
  return FloatOrWrapped(a, b, [](auto x, auto y) { return x - y; });
};
inline constexpr auto kMultiplyByThePage = []<typename T>(const Attributes&, T a, T b) {
  return FloatOrWrapped(a, b, [](auto x, auto y) { return x * y; });
};
inline constexpr auto kDivideByThePage = []<typename T>(const Attributes&, T a, T b) {
  if constexpr (std::numeric_limits<T>::is_integer) {
    if (b == 0) return std::is_signed_v<T> ? static_cast<T>(-1) : std::numeric_limits<T>::max();
    const bool overflows =
        std::is_signed_v<T> && a == std::numeric_limits<T>::min() && static_cast<int64_t>(b) == -1;
    return overflows ? a : static_cast<T>(a / b);
  } else {
    return reference::Element<T>(static_cast<double>(reference::Value(a) / reference::Value(b)));
  }
};
// IEEE 754-2019 maximum and minimum (B105).
template <bool kGreatest>
struct ExtremeByThePage {
  template <typename T>
  T operator()(const Attributes&, T a, T b) const {
    const auto x = reference::Value(a), y = reference::Value(b);
    if constexpr (!std::numeric_limits<T>::is_integer) {
      if (std::isnan(x)) return a;
      if (std::isnan(y)) return b;
      if (x == 0 && y == 0) return std::signbit(x) == kGreatest ? b : a;
    }
    return kGreatest == (x > y) ? a : b;
  }
};
// B103: the sign is a bit.
inline constexpr auto kNegateByThePage = []<typename T>(const Attributes&, T x) {
  if constexpr (std::numeric_limits<T>::is_integer) {
    return static_cast<T>(-static_cast<uint64_t>(x));
  } else if constexpr (sizeof(T) == 2) {
    return T{static_cast<uint16_t>(x.bits + 0x8000)};
  } else {
    return std::copysign(x, std::signbit(x) ? T{1} : T{-1});
  }
};
inline constexpr auto kAbsByThePage = []<typename T>(const Attributes&, T x) {
  if constexpr (std::numeric_limits<T>::is_integer) {
    return x < 0 ? static_cast<T>(-static_cast<uint64_t>(x)) : x;
  } else if constexpr (sizeof(T) == 2) {
    return T{static_cast<uint16_t>(x.bits % 0x8000)};
  } else {
    return std::fabs(x);
  }
};

// The remainder of long doubles is exact, and they hold every element.
inline constexpr auto kRestByThePage = []<typename T>(const Attributes&, T a, T b) {
  const auto rest = std::fmod(static_cast<long double>(reference::Value(a)),
                              static_cast<long double>(reference::Value(b)));
  if constexpr (std::numeric_limits<T>::is_integer) {
    return b == 0 ? static_cast<T>(~uint64_t{0}) : static_cast<T>(rest);
  } else {
    return reference::Element<T>(static_cast<double>(rest));
  }
};
inline constexpr auto kFloorRestByThePage = []<typename T>(const Attributes&, T a, T b) {
  const auto divisor = static_cast<long double>(reference::Value(b));
  auto rest = std::fmod(static_cast<long double>(reference::Value(a)), divisor);
  if (rest != 0 && std::signbit(rest) != std::signbit(divisor)) rest += divisor;
  if constexpr (std::numeric_limits<T>::is_integer) {
    return b == 0 ? static_cast<T>(~uint64_t{0}) : static_cast<T>(rest);
  } else {  // the sum has enough bits to be rounded again
    const auto value = static_cast<float>(rest == 0 ? std::copysign(rest, divisor) : rest);
    return reference::Element<T>(static_cast<double>(value));
  }
};
inline constexpr auto kMeanByThePage = []<typename T>(const Attributes&, T a, T b) {
  if constexpr (std::numeric_limits<T>::is_integer) {
    return static_cast<T>((static_cast<int64_t>(a) + static_cast<int64_t>(b)) / 2);
  } else {
    const float sum = reference::Value(a) + reference::Value(b);
    return reference::Element<T>(static_cast<double>(sum / 2));
  }
};
inline constexpr auto kDifferenceSquareByThePage = []<typename T>(const Attributes&, T a, T b) {
  return FloatOrWrapped(a, b, [](auto x, auto y) {
    const auto difference = x - y;
    return difference * difference;
  });
};
inline constexpr auto kThresholdByThePage = []<typename T>(const Attributes& attributes, T x) {
  const T least = attributes.As<T>(0);
  return reference::Value(x) < reference::Value(least) ? least : x;
};
inline constexpr auto kSignByThePage = []<typename T>(const Attributes&, T x) {
  const auto value = reference::Value(x), zero = reference::Value(T{});
  return reference::Element<T>(value > zero ? 1 : value < zero ? -1 : 0);
};
inline constexpr auto kRoundByThePage = [](const Attributes& attributes, float x) {
  const uint32_t mode = attributes.As<uint32_t>(0);
  const float below = std::floor(std::fabs(x)), rest = std::fabs(x) - below;
  const bool half_goes_up = mode == 2 || (mode == 0 && std::fmod(below, 2.0f) == 1);
  const bool up = mode != 1 && (rest > 0.5f || (rest == 0.5f && half_goes_up));
  return std::copysign(up ? below + 1 : below, x);
};

// Of tensors of several types: by the types of the first input and of the output.
template <class Test>
ReferenceElement CompareByThePage(const Desc& desc) {
  const bool wide = desc.tensors[kOutput].data_type == DataType::kUint32;
  ReferenceElement found = nullptr;
  DispatchType(reference::AllTypes(), desc.tensors[0].data_type,
               [&]<typename T>() {
                 const auto element = []<typename Out>(const void* const* inputs, void* output) {
                   T a, b;
                   std::memcpy(&a, inputs[0], sizeof(T));
                   std::memcpy(&b, inputs[1], sizeof(T));
                   const Out result = Test()(reference::Value(a), reference::Value(b)) ? 1 : 0;
                   std::memcpy(output, &result, sizeof result);
                 };
                 using Element = decltype(element);
                 found = wide ? [](const Attributes&, const void* const* inputs, void* output) {
      Element().template operator()<uint32_t>(inputs, output);
    } : [](const Attributes&, const void* const* inputs, void* output) {
      Element().template operator()<uint8_t>(inputs, output);
    };
               });
  return found;
}

template <size_t kSize>
void ChooseElement(const Attributes&, const void* const* inputs, void* output) {
  std::memcpy(output, *static_cast<const uint8_t*>(inputs[0]) != 0 ? inputs[1] : inputs[2], kSize);
}
inline ReferenceElement IfByThePage(const Desc& desc) {
  switch (ElementSize(desc.tensors[kOutput].data_type)) {
    case 1:
      return ChooseElement<1>;
    case 2:
      return ChooseElement<2>;
    case 4:
      return ChooseElement<4>;
    default:
      return ChooseElement<8>;
  }
}

// A long double holds every element of every type.
template <typename From, typename To>
To CastByThePage(From x) {
  const auto value = static_cast<long double>(reference::Value(x));
  if constexpr (std::numeric_limits<To>::is_integer) {
    if constexpr (std::numeric_limits<From>::is_integer) return static_cast<To>(x);
    if (std::isnan(value)) return 0;
    const long double whole = std::trunc(value);
    if (whole <= static_cast<long double>(std::numeric_limits<To>::min())) {
      return std::numeric_limits<To>::min();
    }
    if (whole >= static_cast<long double>(std::numeric_limits<To>::max())) {
      return std::numeric_limits<To>::max();
    }
    return static_cast<To>(whole);
  } else if constexpr (std::is_same_v<To, Float16>) {
    return {reference::NearestHalf(value)};
  } else {
    return static_cast<To>(value);
  }
}
inline ReferenceElement CastReference(const Desc& desc) {
  ReferenceElement found = nullptr;
  DispatchType(reference::AllTypes(), desc.tensors[0].data_type, [&]<typename From>() {
    DispatchType(reference::AllTypes(), desc.tensors[kOutput].data_type, [&]<typename To>() {
      found = [](const Attributes&, const void* const* inputs, void* output) {
        From x;
        std::memcpy(&x, inputs[0], sizeof x);
        const To result = CastByThePage<From, To>(x);
        std::memcpy(output, &result, sizeof result);
      };
    });
  });
  return found;
}

// ---- The rows.

inline constexpr Row kArithmetic[] = {
    {.schema = Binary<DML_ELEMENT_WISE_ADD_OPERATOR_DESC>(
         "ELEMENT_WISE_ADD", DML_OPERATOR_ELEMENT_WISE_ADD, kAddSupport),
     .formula = Formula::kAdd,
     .reference = ByThePage<2>(kAddByThePage),
     .preserves_nan_bits = false,
     .cases = kFewCases,
     .bench_cases = kArithmeticBenchCases,
     .gradient = gradients::Add},
    {.schema = SchemaOf<DML_ELEMENT_WISE_ADD1_OPERATOR_DESC>(
         "ELEMENT_WISE_ADD1", DML_OPERATOR_ELEMENT_WISE_ADD1, kAdd1Fields<>, kAdd1Support),
     .formula = Formula::kAdd,
     .reference = ByThePage<2>(kAddByThePage),
     .preserves_nan_bits = false,
     .cases = kAdd1Cases,
     .bench_cases = {},
     .gradient = gradients::Add},
    {.schema = Binary<DML_ELEMENT_WISE_SUBTRACT_OPERATOR_DESC>(
         "ELEMENT_WISE_SUBTRACT", DML_OPERATOR_ELEMENT_WISE_SUBTRACT, kSubtractSupport),
     .formula = Formula::kSubtract,
     .reference = ByThePage<2>(kSubtractByThePage),
     .preserves_nan_bits = false,
     .cases = kFewCases,
     .bench_cases = kPairBenchCases,
     .gradient = gradients::Subtract},
    {.schema = Binary<DML_ELEMENT_WISE_MULTIPLY_OPERATOR_DESC>(
         "ELEMENT_WISE_MULTIPLY", DML_OPERATOR_ELEMENT_WISE_MULTIPLY, kAddSupport),
     .formula = Formula::kMultiply,
     .reference = ByThePage<2>(kMultiplyByThePage),
     .preserves_nan_bits = false,
     .cases = kFewCases,
     .bench_cases = kPairBenchCases,
     .gradient = gradients::Multiply},
    {.schema = Binary<DML_ELEMENT_WISE_DIVIDE_OPERATOR_DESC>(
         "ELEMENT_WISE_DIVIDE", DML_OPERATOR_ELEMENT_WISE_DIVIDE, kDivideSupport),
     .formula = Formula::kDivide,
     .reference = ByThePage<2>(kDivideByThePage),
     .preserves_nan_bits = false,
     .cases = kFewCases,
     .bench_cases = kPairBenchCases,
     .gradient = gradients::Divide},
    {.schema = Binary<DML_ELEMENT_WISE_MAX_OPERATOR_DESC>(
         "ELEMENT_WISE_MAX", DML_OPERATOR_ELEMENT_WISE_MAX, kMaxSupport),
     .formula = Formula::kMax,
     .reference = ReferenceOf<2, ExtremeByThePage<true>>,
     .preserves_nan_bits = false,
     .cases = kFewCases,
     .bench_cases = kPairBenchCases,
     .gradient = gradients::Max},
    {.schema = Binary<DML_ELEMENT_WISE_MIN_OPERATOR_DESC>(
         "ELEMENT_WISE_MIN", DML_OPERATOR_ELEMENT_WISE_MIN, kMaxSupport),
     .formula = Formula::kMin,
     .reference = ReferenceOf<2, ExtremeByThePage<false>>,
     .preserves_nan_bits = false,
     .cases = kFewCases,
     .bench_cases = kPairBenchCases,
     .gradient = gradients::Min},
    {.schema = Unary<DML_ELEMENT_WISE_NEGATE_OPERATOR_DESC>(
         "ELEMENT_WISE_NEGATE", DML_OPERATOR_ELEMENT_WISE_NEGATE, kNegateSupport),
     .formula = Formula::kNegate,
     .reference = ByThePage<1>(kNegateByThePage),
     .cases = kFewCases,
     .bench_cases = kFewBenchCases,
     .gradient = gradients::Negate},
    {.schema = Scaled<DML_ELEMENT_WISE_ABS_OPERATOR_DESC>(
         "ELEMENT_WISE_ABS", DML_OPERATOR_ELEMENT_WISE_ABS, kAbsSupport),
     .formula = Formula::kAbs,
     .reference = ByThePage<1>(kAbsByThePage),
     .preserves_nan_bits = false,
     .cases = kScaledCases,
     .bench_cases = kFewBenchCases,
     .gradient = gradients::Abs},
    {.schema = Scaled<DML_ELEMENT_WISE_RECIP_OPERATOR_DESC>(
         "ELEMENT_WISE_RECIP", DML_OPERATOR_ELEMENT_WISE_RECIP, kFunctionSupport),
     .formula = Formula::kRecip,
     .reference = InFloatByThePage(
         [](const Attributes& a, float x) { return 1 / ScaledByAttributes(a, x); }),
     .preserves_nan_bits = false,
     .scales_itself = true,
     .cases = kScaledCases,
     .bench_cases = kFewBenchCases,
     .gradient = gradients::Recip},
    {.schema = Scaled<DML_ELEMENT_WISE_SQRT_OPERATOR_DESC>(
         "ELEMENT_WISE_SQRT", DML_OPERATOR_ELEMENT_WISE_SQRT, kFunctionSupport),
     .formula = Formula::kSqrt,
     // sqrt of a float, calculated in double, is the rounded root: 53 >= 2 * 24 + 2.
     .reference = InFloatByThePage([](const Attributes& a, float x) {
       return static_cast<float>(std::sqrt(static_cast<double>(ScaledByAttributes(a, x))));
     }),
     .preserves_nan_bits = false,
     .scales_itself = true,
     .cases = kScaledCases,
     .bench_cases = kFewBenchCases,
     .gradient = gradients::Sqrt},
    {.schema = Comparison<DML_ELEMENT_WISE_LOGICAL_EQUALS_OPERATOR_DESC>(
         "ELEMENT_WISE_LOGICAL_EQUALS", DML_OPERATOR_ELEMENT_WISE_LOGICAL_EQUALS, kCompareSupport),
     .formula = Formula::kEquals,
     .reference = CompareByThePage<std::equal_to<>>,
     .cases = kFewCases,
     .bench_cases = kComparisonBenchCases,
     .gradient = ZeroGradient},
    {.schema = Comparison<DML_ELEMENT_WISE_LOGICAL_GREATER_THAN_OPERATOR_DESC>(
         "ELEMENT_WISE_LOGICAL_GREATER_THAN", DML_OPERATOR_ELEMENT_WISE_LOGICAL_GREATER_THAN,
         kCompareSupport),
     .formula = Formula::kGreater,
     .reference = CompareByThePage<std::greater<>>,
     .cases = kFewCases,
     .bench_cases = kComparisonBenchCases,
     .gradient = ZeroGradient},
    {.schema = Comparison<DML_ELEMENT_WISE_LOGICAL_LESS_THAN_OPERATOR_DESC>(
         "ELEMENT_WISE_LOGICAL_LESS_THAN", DML_OPERATOR_ELEMENT_WISE_LOGICAL_LESS_THAN,
         kCompareSupport),
     .formula = Formula::kLess,
     .reference = CompareByThePage<std::less<>>,
     .cases = kFewCases,
     .bench_cases = kComparisonBenchCases,
     .gradient = ZeroGradient},
    {.schema = Comparison<DML_ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL_OPERATOR_DESC>(
         "ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL",
         DML_OPERATOR_ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL, kCompareOrEqualSupport),
     .formula = Formula::kGreaterOrEqual,
     .reference = CompareByThePage<std::greater_equal<>>,
     .cases = kFewCases,
     .bench_cases = kComparisonBenchCases,
     .gradient = ZeroGradient},
    {.schema = Comparison<DML_ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL_OPERATOR_DESC>(
         "ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL",
         DML_OPERATOR_ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL, kCompareOrEqualSupport),
     .formula = Formula::kLessOrEqual,
     .reference = CompareByThePage<std::less_equal<>>,
     .cases = kFewCases,
     .bench_cases = kComparisonBenchCases,
     .gradient = ZeroGradient},
    {.schema =
         WithTypes(SchemaOf<DML_ELEMENT_WISE_IF_OPERATOR_DESC>(
                       "ELEMENT_WISE_IF", DML_OPERATOR_ELEMENT_WISE_IF, kIfFields<>, kIfSupport),
                   kChosenAlike, {0, 1, 2}),
     .formula = Formula::kIf,
     .reference = IfByThePage,
     .cases = kFewCases,
     .bench_cases = kPairBenchCases,
     .gradient = gradients::If},
    {.schema = WithTypes(Unary<DML_CAST_OPERATOR_DESC>("CAST", DML_OPERATOR_CAST, kCastSupport),
                         kShapesAlike, {0}),
     .formula = Formula::kCast,
     .reference = CastReference,
     .preserves_nan_bits = false,
     .cases = kFewCases,
     .bench_cases = kTypedBenchCases,
     .gradient = gradients::Cast},
    {.schema = Binary<DML_ELEMENT_WISE_MODULUS_TRUNCATE_OPERATOR_DESC>(
         "ELEMENT_WISE_MODULUS_TRUNCATE", DML_OPERATOR_ELEMENT_WISE_MODULUS_TRUNCATE,
         kModulusSupport),
     .formula = Formula::kModulusTruncate,
     .reference = ByThePage<2>(kRestByThePage),
     .preserves_nan_bits = false,
     .cases = kFewCases,
     .bench_cases = kFewBenchCases,
     .gradient = gradients::ModulusTruncate},
    {.schema = Binary<DML_ELEMENT_WISE_MODULUS_FLOOR_OPERATOR_DESC>(
         "ELEMENT_WISE_MODULUS_FLOOR", DML_OPERATOR_ELEMENT_WISE_MODULUS_FLOOR, kModulusSupport),
     .formula = Formula::kModulusFloor,
     .reference = ByThePage<2>(kFloorRestByThePage),
     .preserves_nan_bits = false,
     .cases = kFewCases,
     .bench_cases = kFewBenchCases,
     .gradient = gradients::ModulusFloor},
    {.schema = Binary<DML_ELEMENT_WISE_MEAN_OPERATOR_DESC>(
         "ELEMENT_WISE_MEAN", DML_OPERATOR_ELEMENT_WISE_MEAN, kMeanSupport),
     .formula = Formula::kMean,
     .reference = ByThePage<2>(kMeanByThePage),
     .preserves_nan_bits = false,
     .cases = kFewCases,
     .bench_cases = kPairBenchCases,
     .gradient = gradients::Mean},
    {.schema = Binary<DML_ELEMENT_WISE_DIFFERENCE_SQUARE_OPERATOR_DESC>(
         "ELEMENT_WISE_DIFFERENCE_SQUARE", DML_OPERATOR_ELEMENT_WISE_DIFFERENCE_SQUARE,
         kDifferenceSquareSupport),
     .formula = Formula::kDifferenceSquare,
     .reference = ByThePage<2>(kDifferenceSquareByThePage),
     .preserves_nan_bits = false,
     .cases = kFewCases,
     .bench_cases = kPairBenchCases,
     .gradient = gradients::DifferenceSquare},
    // CLIP whose Max is infinity.
    {.schema = SchemaOf<DML_ELEMENT_WISE_THRESHOLD_OPERATOR_DESC>(
         "ELEMENT_WISE_THRESHOLD", DML_OPERATOR_ELEMENT_WISE_THRESHOLD, kThresholdFields<>,
         kThresholdSupport),
     .formula = Formula::kClip,
     .reference = ByThePage<1>(kThresholdByThePage),
     .preserves_nan_bits = false,
     .converts_attributes = true,
     .cases = kThresholdCases,
     .bench_cases = kThresholdBenchCases,
     .gradient = gradients::Threshold},
    {.schema = Unary<DML_ELEMENT_WISE_SIGN_OPERATOR_DESC>(
         "ELEMENT_WISE_SIGN", DML_OPERATOR_ELEMENT_WISE_SIGN, kSignSupport),
     .formula = Formula::kSign,
     .reference = ByThePage<1>(kSignByThePage),
     .preserves_nan_bits = false,
     .cases = kFewCases,
     .bench_cases = kFewBenchCases,
     .gradient = ZeroGradient},
    {.schema = Scaled<DML_ELEMENT_WISE_CEIL_OPERATOR_DESC>(
         "ELEMENT_WISE_CEIL", DML_OPERATOR_ELEMENT_WISE_CEIL, kFunctionSupport),
     .formula = Formula::kCeil,
     .reference = InFloatByThePage(
         [](const Attributes& a, float x) { return std::ceil(ScaledByAttributes(a, x)); }),
     .preserves_nan_bits = false,
     .scales_itself = true,
     .cases = kScaledCases,
     .bench_cases = kFewBenchCases,
     .gradient = ZeroGradient},
    {.schema = Scaled<DML_ELEMENT_WISE_FLOOR_OPERATOR_DESC>(
         "ELEMENT_WISE_FLOOR", DML_OPERATOR_ELEMENT_WISE_FLOOR, kFunctionSupport),
     .formula = Formula::kFloor,
     .reference = InFloatByThePage(
         [](const Attributes& a, float x) { return std::floor(ScaledByAttributes(a, x)); }),
     .preserves_nan_bits = false,
     .scales_itself = true,
     .cases = kScaledCases,
     .bench_cases = kFewBenchCases,
     .gradient = ZeroGradient},
    {.schema = SchemaOf<DML_ELEMENT_WISE_ROUND_OPERATOR_DESC>(
         "ELEMENT_WISE_ROUND", DML_OPERATOR_ELEMENT_WISE_ROUND, kRoundFields<>, kRoundSupport),
     .formula = Formula::kRound,
     .reference = InFloatByThePage(kRoundByThePage),
     .preserves_nan_bits = false,
     .cases = kRoundCases,
     .bench_cases = kRoundBenchCases,
     .gradient = ZeroGradient},
};

}  // namespace anydml::elementwise
