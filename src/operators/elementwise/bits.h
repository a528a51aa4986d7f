// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Rows of logic, bits, tests of bits and quantization, for table.cpp.
#pragma once

#include <fmt/format.h>

#include <bit>

#include "operators/elementwise/arithmetic.h"

namespace anydml::elementwise {

inline constexpr schema::TensorSupport kLogicSupport[] = {
    {FeatureLevel::k3_0, {1, 8}, kTruth},
    {FeatureLevel::k2_0, {4, 4}, kTruth},
    {FeatureLevel::k1_0, {4, 4}, kUint32},
};
inline constexpr schema::TensorSupport kBitSupport[] = {
    {FeatureLevel::k4_1, {1, 8}, kFloat64 | kFloats | kIntegers | k64Bits},
    {FeatureLevel::k3_0, {1, 8}, kUnsigned},
};
inline constexpr schema::TensorSupport kBitCountSupport[] = {
    {FeatureLevel::k4_1, {1, 8}, kFloat64 | kFloats | kIntegers | k64Bits, {0}},
    {FeatureLevel::k3_0, {1, 8}, kUnsigned, {0}},
    {FeatureLevel::k3_0, {1, 8}, kTruth, {1}},
};
inline constexpr DataTypeSet kUint64 = {DataType::kUint64};
inline constexpr schema::TensorSupport kShiftSupport[] = {
    {FeatureLevel::k4_1, {1, 8}, kUnsigned | kUint64},
    {FeatureLevel::k3_0, {1, 8}, kUnsigned},
    {FeatureLevel::k2_1, {4, 4}, kUnsigned},
};
inline constexpr schema::TensorSupport kIsNanSupport[] = {
    {FeatureLevel::k3_0, {1, 8}, kFloats, {0}},
    {FeatureLevel::k2_0, {4, 4}, kFloats, {0}},
    {FeatureLevel::k3_0, {1, 8}, kTruth, {1}},
    {FeatureLevel::k2_0, {4, 4}, kTruth, {1}},
};
inline constexpr schema::TensorSupport kIsInfinitySupport[] = {
    {FeatureLevel::k3_0, {1, 8}, kFloats, {0}},
    {FeatureLevel::k2_1, {4, 4}, kFloats, {0}},
    {FeatureLevel::k3_0, {1, 8}, kUint8, {1}},
    {FeatureLevel::k2_1, {4, 4}, kUint8, {1}},
};
inline constexpr DataTypeSet kFloat32 = {DataType::kFloat32};
inline constexpr DataTypeSet kInt32 = {DataType::kInt32};
inline constexpr DataTypeSet kBytes = {DataType::kInt8, DataType::kUint8};
inline constexpr schema::TensorSupport kQuantizeSupport[] = {
    {FeatureLevel::k6_0, {1, 8}, kFloats | kInt32, {0}},
    {FeatureLevel::k3_0, {1, 8}, kFloat32 | kInt32, {0}},
    {FeatureLevel::k2_1, {4, 4}, kFloat32 | kInt32, {0}},
    {FeatureLevel::k1_0, {4, 4}, kFloat32, {0}},
    {FeatureLevel::k6_0, {1, 8}, kFloats, {1}},
    {FeatureLevel::k3_0, {1, 8}, kFloat32, {1}},
    {FeatureLevel::k1_0, {4, 4}, kFloat32, {1}},
    {FeatureLevel::k3_0, {1, 8}, kBytes, {2, 3}},
    {FeatureLevel::k2_1, {4, 4}, kBytes, {2, 3}},
    {FeatureLevel::k1_0, {4, 4}, kUint8, {2, 3}},
};
inline constexpr schema::TensorSupport kDequantizeSupport[] = {
    {FeatureLevel::k3_0, {1, 8}, kIntegers, {0, 2}},
    {FeatureLevel::k2_1, {4, 4}, kIntegers, {0, 2}},
    {FeatureLevel::k1_0, {4, 4}, kUint8, {0, 2}},
    {FeatureLevel::k6_0, {1, 8}, kFloats, {1, 3}},
    {FeatureLevel::k3_0, {1, 8}, kFloat32, {1, 3}},
    {FeatureLevel::k1_0, {4, 4}, kFloat32, {1, 3}},
};

inline constexpr std::string_view kInfinityModes[] = {"EITHER", "POSITIVE", "NEGATIVE"};
inline constexpr schema::Enumeration kInfinityMode = {"DML_IS_INFINITY_MODE_", kInfinityModes};
template <class Struct = DML_ELEMENT_WISE_IS_INFINITY_OPERATOR_DESC>
inline constexpr schema::Field kIsInfinityFields[] = {
    kUnaryFields<Struct>[0],
    kUnaryFields<Struct>[1],
    schema::Enum("InfinityMode", offsetof(Struct, InfinityMode), kInfinityMode),
};
template <class Struct>
inline constexpr schema::Field kQuantizeFields[] = {
    kUnaryFields<Struct>[0],
    schema::Input("ScaleTensor", offsetof(Struct, ScaleTensor)),
    schema::OptionalInput("ZeroPointTensor", offsetof(Struct, ZeroPointTensor)),
    kUnaryFields<Struct>[1],
};

inline constexpr schema::Constraint kQuantizedAlike[] = {schema::SameDataType({2, 3}),
                                                         schema::SameDimensionCount({0, 1, 2, 3}),
                                                         schema::SameSizes({0, 1, 2, 3})};
inline constexpr schema::Constraint kDequantizedAlike[] = {
    schema::SameDataType({0, 2}), schema::SameDataType({1, 3}),
    schema::SameDimensionCount({0, 1, 2, 3}), schema::SameSizes({0, 1, 2, 3})};

inline Status CheckZeroPointAt(const schema::Arguments& arguments, FeatureLevel level) {
  if (level >= FeatureLevel::k6_2 || arguments.tensor(2).present()) return {};
  return arguments.Fail(
      fmt::format("an absent ZeroPointTensor needs feature level 6_2 or above; this device has {}",
                  FeatureLevelName(level)));
}
inline Status CheckScaleAt(const schema::Arguments& arguments, FeatureLevel level) {
  const DataType input = arguments.tensor(0).data_type, scale = arguments.tensor(1).data_type;
  const DataType wanted = input == DataType::kInt32 ? DataType::kFloat32 : input;
  if (scale == wanted) return CheckZeroPointAt(arguments, level);
  return arguments.Fail(
      fmt::format("ScaleTensor.DataType = {} must be {} for InputTensor.DataType = {}",
                  DataTypeName(scale), DataTypeName(wanted), DataTypeName(input)));
}

// Without a zero point UINT8, as ONNX has it.
inline Result<std::vector<TensorDesc>> QuantizedOutput(const schema::Arguments& arguments) {
  const TensorDesc& zero = arguments.tensor(2);
  const DataType type = zero.present() ? zero.data_type : DataType::kUint8;
  return std::vector{PackedTensor(type, arguments.tensor(0).Sizes())};
}

template <class Struct>
constexpr schema::OperatorSchema Quantization(std::string_view name, DML_OPERATOR_TYPE type,
                                              std::span<const schema::TensorSupport> support,
                                              std::span<const schema::Constraint> constraints,
                                              schema::FieldSet in_place, schema::LevelRule rule) {
  schema::OperatorSchema schema = WithTypes(
      SchemaOf<Struct>(name, type, kQuantizeFields<Struct>, support), constraints, in_place);
  schema.level_rule = rule;
  return schema;
}

// ---- References.

// F()(attributes, a, b, width) on encodings, in the low bits of 64.
template <class F, size_t kIn, size_t kOut>
void EncodedElement(const Attributes& attributes, const void* const* inputs, void* output) {
  uint64_t a = 0, b = 0;
  std::memcpy(&a, inputs[0], kIn);
  if (inputs[1] != nullptr) std::memcpy(&b, inputs[1], kIn);
  const uint64_t result = F()(attributes, a, b, uint64_t{8 * kIn});
  std::memcpy(output, &result, kOut);
}
template <class F, size_t kIn>
ReferenceElement EncodedBySize(size_t out) {
  return out == 1   ? EncodedElement<F, kIn, 1>
         : out == 2 ? EncodedElement<F, kIn, 2>
         : out == 4 ? EncodedElement<F, kIn, 4>
                    : EncodedElement<F, kIn, 8>;
}
template <class F>
ReferenceElement EncodedReference(const Desc& desc) {
  const size_t in = ElementSize(desc.tensors[0].data_type);
  const size_t out = ElementSize(desc.tensors[kOutput].data_type);
  return in == 1   ? EncodedBySize<F, 1>(out)
         : in == 2 ? EncodedBySize<F, 2>(out)
         : in == 4 ? EncodedBySize<F, 4>(out)
                   : EncodedBySize<F, 8>(out);
}
inline float FloatOfBits(uint64_t bits, uint64_t width) {
  return width == 16 ? reference::HalfValue(static_cast<uint16_t>(bits))
                     : std::bit_cast<float>(static_cast<uint32_t>(bits));
}

template <typename T>
int64_t Whole(const void* element) {
  T value;
  std::memcpy(&value, element, sizeof value);
  return static_cast<int64_t>(reference::Value(value));
}
template <typename T>
float FloatAt(const void* element) {
  T value;
  std::memcpy(&value, element, sizeof value);
  return static_cast<float>(reference::Value(value));
}

// clamp(round(x / scale) + zero, Min, Max)
template <typename In, typename Scale, typename Out>
void QuantizeElement(const Attributes&, const void* const* inputs, void* output) {
  const long double rounded = std::nearbyint(FloatAt<In>(inputs[0]) / FloatAt<Scale>(inputs[1]));
  long double sum = std::isnan(rounded) ? 0 : rounded;
  if (inputs[2] != nullptr) sum += static_cast<long double>(Whole<Out>(inputs[2]));
  const long double least = std::numeric_limits<Out>::min(), most = std::numeric_limits<Out>::max();
  const auto result = static_cast<Out>(std::max(least, std::min(most, sum)));
  std::memcpy(output, &result, sizeof result);
}
template <typename Out>
ReferenceElement QuantizeTo(DataType input) {
  return input == DataType::kInt32     ? QuantizeElement<int32_t, float, Out>
         : input == DataType::kFloat16 ? QuantizeElement<Float16, Float16, Out>
                                       : QuantizeElement<float, float, Out>;
}
inline ReferenceElement QuantizeReference(const Desc& desc) {
  const DataType input = desc.tensors[0].data_type;
  return desc.tensors[kOutput].data_type == DataType::kInt8 ? QuantizeTo<int8_t>(input)
                                                            : QuantizeTo<uint8_t>(input);
}

// (x - zero) * scale
template <typename In, typename Out>
void DequantizeElement(const Attributes&, const void* const* inputs, void* output) {
  const int64_t zero = inputs[2] != nullptr ? Whole<In>(inputs[2]) : 0;
  const auto difference = static_cast<float>(Whole<In>(inputs[0]) - zero);
  const float product = difference * FloatAt<Out>(inputs[1]);
  const auto result = reference::Element<Out>(static_cast<double>(product));
  std::memcpy(output, &result, sizeof result);
}
inline ReferenceElement DequantizeReference(const Desc& desc) {
  ReferenceElement found = nullptr;
  DispatchType(reference::AllTypes(), desc.tensors[0].data_type, [&]<typename In>() {
    found = desc.tensors[kOutput].data_type == DataType::kFloat16 ? DequantizeElement<In, Float16>
                                                                  : DequantizeElement<In, float>;
  });
  return found;
}

// ---- The rows. All are whole numbers, without a derivative but one.

template <class F>
constexpr Row RowOfBits(const schema::OperatorSchema& schema, Formula formula, F) {
  return {.schema = schema,
          .formula = formula,
          .reference = EncodedReference<F>,
          .cases = kFewCases,
          .bench_cases = kFewBenchCases,
          .gradient = ZeroGradient};
}
// All of these structs are alike.
constexpr schema::OperatorSchema Pairs(std::string_view name, DML_OPERATOR_TYPE type,
                                       std::span<const schema::TensorSupport> support) {
  return Binary<DML_ELEMENT_WISE_BIT_AND_OPERATOR_DESC>(name, type, support);
}
constexpr schema::OperatorSchema Singles(std::string_view name, DML_OPERATOR_TYPE type,
                                         std::span<const schema::TensorSupport> support) {
  return Unary<DML_ELEMENT_WISE_BIT_NOT_OPERATOR_DESC>(name, type, support);
}

inline constexpr Row kBits[] = {
    RowOfBits(
        Pairs("ELEMENT_WISE_LOGICAL_AND", DML_OPERATOR_ELEMENT_WISE_LOGICAL_AND, kLogicSupport),
        Formula::kLogicalAnd,
        [](auto&, uint64_t a, uint64_t b, uint64_t) { return uint64_t{a != 0 && b != 0}; }),
    RowOfBits(Pairs("ELEMENT_WISE_LOGICAL_OR", DML_OPERATOR_ELEMENT_WISE_LOGICAL_OR, kLogicSupport),
              Formula::kLogicalOr,
              [](auto&, uint64_t a, uint64_t b, uint64_t) { return uint64_t{a != 0 || b != 0}; }),
    RowOfBits(
        Pairs("ELEMENT_WISE_LOGICAL_XOR", DML_OPERATOR_ELEMENT_WISE_LOGICAL_XOR, kLogicSupport),
        Formula::kLogicalXor,
        [](auto&, uint64_t a, uint64_t b, uint64_t) { return uint64_t{(a != 0) != (b != 0)}; }),
    RowOfBits(
        Singles("ELEMENT_WISE_LOGICAL_NOT", DML_OPERATOR_ELEMENT_WISE_LOGICAL_NOT, kLogicSupport),
        Formula::kLogicalNot,
        [](auto&, uint64_t x, uint64_t, uint64_t) { return uint64_t{x == 0}; }),
    RowOfBits(Pairs("ELEMENT_WISE_BIT_AND", DML_OPERATOR_ELEMENT_WISE_BIT_AND, kBitSupport),
              Formula::kBitAnd, [](auto&, uint64_t a, uint64_t b, uint64_t) { return a & b; }),
    RowOfBits(Pairs("ELEMENT_WISE_BIT_OR", DML_OPERATOR_ELEMENT_WISE_BIT_OR, kBitSupport),
              Formula::kBitOr, [](auto&, uint64_t a, uint64_t b, uint64_t) { return a | b; }),
    RowOfBits(Pairs("ELEMENT_WISE_BIT_XOR", DML_OPERATOR_ELEMENT_WISE_BIT_XOR, kBitSupport),
              Formula::kBitXor, [](auto&, uint64_t a, uint64_t b, uint64_t) { return a ^ b; }),
    RowOfBits(Singles("ELEMENT_WISE_BIT_NOT", DML_OPERATOR_ELEMENT_WISE_BIT_NOT, kBitSupport),
              Formula::kBitNot, [](auto&, uint64_t x, uint64_t, uint64_t) { return ~x; }),
    RowOfBits(Pairs("ELEMENT_WISE_BIT_SHIFT_LEFT", DML_OPERATOR_ELEMENT_WISE_BIT_SHIFT_LEFT,
                    kShiftSupport),
              Formula::kBitShiftLeft,
              [](auto&, uint64_t a, uint64_t b, uint64_t width) { return b < width ? a << b : 0; }),
    RowOfBits(Pairs("ELEMENT_WISE_BIT_SHIFT_RIGHT", DML_OPERATOR_ELEMENT_WISE_BIT_SHIFT_RIGHT,
                    kShiftSupport),
              Formula::kBitShiftRight,
              [](auto&, uint64_t a, uint64_t b, uint64_t width) { return b < width ? a >> b : 0; }),
    RowOfBits(WithTypes(Singles("ELEMENT_WISE_BIT_COUNT", DML_OPERATOR_ELEMENT_WISE_BIT_COUNT,
                                kBitCountSupport),
                        kShapesAlike, {0}),
              Formula::kBitCount,
              [](auto&, uint64_t x, uint64_t, uint64_t) {
                return static_cast<uint64_t>(std::popcount(x));
              }),
    RowOfBits(
        WithTypes(Singles("ELEMENT_WISE_IS_NAN", DML_OPERATOR_ELEMENT_WISE_IS_NAN, kIsNanSupport),
                  kShapesAlike, {0}),
        Formula::kIsNan,
        [](auto&, uint64_t x, uint64_t, uint64_t width) {
          return uint64_t{std::isnan(FloatOfBits(x, width))};
        }),
    [] {
      Row row = RowOfBits(
          WithTypes(SchemaOf<DML_ELEMENT_WISE_IS_INFINITY_OPERATOR_DESC>(
                        "ELEMENT_WISE_IS_INFINITY", DML_OPERATOR_ELEMENT_WISE_IS_INFINITY,
                        kIsInfinityFields<>, kIsInfinitySupport),
                    kShapesAlike, {}),
          Formula::kIsInfinity, [](const Attributes& a, uint64_t x, uint64_t, uint64_t width) {
            const float value = FloatOfBits(x, width);
            const uint32_t mode = a.As<uint32_t>(0);  // either, positive, negative
            return uint64_t{std::isinf(value) && (mode == 0 || std::signbit(value) == (mode == 2))};
          });
      row.cases = kIsInfinityCases;
      row.bench_cases = kIsInfinityBenchCases;
      return row;
    }(),
    {.schema =
         [] {
           auto schema = Quantization<DML_ELEMENT_WISE_QUANTIZE_LINEAR_OPERATOR_DESC>(
               "ELEMENT_WISE_QUANTIZE_LINEAR", DML_OPERATOR_ELEMENT_WISE_QUANTIZE_LINEAR,
               kQuantizeSupport, kQuantizedAlike, {2}, CheckScaleAt);
           schema.output_tensors = QuantizedOutput;
           return schema;
         }(),
     .formula = Formula::kQuantize,
     .reference = QuantizeReference,
     .cases = kQuantizeCases,
     .bench_cases = kTypedBenchCases,
     .gradient = ZeroGradient},
    {.schema = Quantization<DML_ELEMENT_WISE_DEQUANTIZE_LINEAR_OPERATOR_DESC>(
         "ELEMENT_WISE_DEQUANTIZE_LINEAR", DML_OPERATOR_ELEMENT_WISE_DEQUANTIZE_LINEAR,
         kDequantizeSupport, kDequantizedAlike, {0, 1, 2}, CheckZeroPointAt),
     .formula = Formula::kDequantize,
     .reference = DequantizeReference,
     .preserves_nan_bits = false,
     .cases = kQuantizeCases,
     .bench_cases = kFewBenchCases,
     .gradient = gradients::Dequantize},
};

}  // namespace anydml::elementwise
