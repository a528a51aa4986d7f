// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A row of the table of element-wise operators (table.cpp), and what it is written
// with: fields of the usual structs, sets of data types, a reference per element.
#pragma once

#include <directml.h>

#include <cstring>

#include "kernels/elementwise/plan.h"
#include "operators/elementwise/cases.h"
#include "operators/elementwise/gradients.h"
#include "operators/operator.h"
#include "operators/reference.h"

namespace anydml::elementwise {

struct Row;

// What a validated description says.
struct Desc {
  const Row* row = nullptr;
  int inputs = 0;
  std::array<TensorDesc, kMaxTensors> tensors = {};  // the output is last
  std::array<std::string_view, kMaxTensors> names = {};
  bool scaled = false;  // it has a ScaleBias
  Attributes scale_bias = {};
  Attributes attributes = {};
};

// One element by the page; null for types that the page does not have.
using ReferenceElement = void (*)(const Attributes&, const void* const* inputs, void* output);

struct Row {
  schema::OperatorSchema schema;
  Formula formula;
  ReferenceElement (*reference)(const Desc&);
  // False where a NaN may be calculated: it has no particular payload.
  bool preserves_nan_bits = true;
  // FLOAT attributes become numbers of the tensors' type before they are used (B26).
  bool converts_attributes = false;
  // The formula applies its ScaleBias, at kScaleAttribute.
  bool scales_itself = false;
  std::span<const Case> cases = kCases;
  std::span<const BenchCase> bench_cases = kBenchCases;
  GradientRule gradient = nullptr;
};

std::span<const Row> Rows();

// ---- Fields of structs.

template <class Struct>
inline constexpr schema::Field kUnaryFields[] = {
    schema::Input("InputTensor", offsetof(Struct, InputTensor)),
    schema::Output("OutputTensor", offsetof(Struct, OutputTensor)),
};
template <class Struct>
inline constexpr schema::Field kScaledFields[] = {
    schema::Input("InputTensor", offsetof(Struct, InputTensor)),
    schema::Output("OutputTensor", offsetof(Struct, OutputTensor)),
    schema::ScaleBias("ScaleBias", offsetof(Struct, ScaleBias)),
};
// With one or two numbers after the tensors.
template <class Struct>
inline constexpr schema::Field kAlphaFields[] = {
    kUnaryFields<Struct>[0],
    kUnaryFields<Struct>[1],
    schema::Float("Alpha", offsetof(Struct, Alpha)),
};
template <class Struct>
inline constexpr schema::Field kAlphaBetaFields[] = {
    kUnaryFields<Struct>[0],
    kUnaryFields<Struct>[1],
    schema::Float("Alpha", offsetof(Struct, Alpha)),
    schema::Float("Beta", offsetof(Struct, Beta)),
};
template <class Struct>
inline constexpr schema::Field kGradientFields[] = {
    schema::Input("InputTensor", offsetof(Struct, InputTensor)),
    schema::Input("InputGradientTensor", offsetof(Struct, InputGradientTensor)),
    schema::Output("OutputGradientTensor", offsetof(Struct, OutputGradientTensor)),
};

template <class Struct>
inline constexpr schema::Field kBinaryFields[] = {
    schema::Input("ATensor", offsetof(Struct, ATensor)),
    schema::Input("BTensor", offsetof(Struct, BTensor)),
    schema::Output("OutputTensor", offsetof(Struct, OutputTensor)),
};

inline constexpr schema::Constraint kTwoAlike[] = {
    schema::SameDataType({0, 1}), schema::SameDimensionCount({0, 1}), schema::SameSizes({0, 1})};
inline constexpr schema::Constraint kThreeAlike[] = {schema::SameDataType({0, 1, 2}),
                                                     schema::SameDimensionCount({0, 1, 2}),
                                                     schema::SameSizes({0, 1, 2})};

// Tensors are the first fields, and alike. The output may be laid over any input, where
// pages are silent too (B23).
template <class Struct>
constexpr schema::OperatorSchema SchemaOf(std::string_view name, DML_OPERATOR_TYPE type,
                                          std::span<const schema::Field> fields,
                                          std::span<const schema::TensorSupport> support) {
  const bool three = fields.size() > 2 && fields[2].type == schema::FieldType::kOutputTensor;
  return {.name = name,
          .type = static_cast<uint32_t>(type),
          .level = support.back().level,
          .struct_size = sizeof(Struct),
          .fields = fields,
          .support = support,
          .constraints = three ? std::span(kThreeAlike) : std::span(kTwoAlike),
          .in_place = three ? schema::FieldSet{0, 1} : schema::FieldSet{0}};
}
template <class Struct>
constexpr schema::OperatorSchema Unary(std::string_view name, DML_OPERATOR_TYPE type,
                                       std::span<const schema::TensorSupport> support) {
  return SchemaOf<Struct>(name, type, kUnaryFields<Struct>, support);
}
template <class Struct>
constexpr schema::OperatorSchema Binary(std::string_view name, DML_OPERATOR_TYPE type,
                                        std::span<const schema::TensorSupport> support) {
  return SchemaOf<Struct>(name, type, kBinaryFields<Struct>, support);
}
template <class Struct>
constexpr schema::OperatorSchema Scaled(std::string_view name, DML_OPERATOR_TYPE type,
                                        std::span<const schema::TensorSupport> support) {
  return SchemaOf<Struct>(name, type, kScaledFields<Struct>, support);
}
template <class Struct>
constexpr schema::OperatorSchema Gradient(std::string_view name, DML_OPERATOR_TYPE type,
                                          std::span<const schema::TensorSupport> support) {
  return SchemaOf<Struct>(name, type, kGradientFields<Struct>, support);
}

// ---- Data types.

inline constexpr DataTypeSet kFloats = {DataType::kFloat32, DataType::kFloat16};
inline constexpr DataTypeSet kSigned = {DataType::kInt32, DataType::kInt16, DataType::kInt8};
inline constexpr DataTypeSet kUnsigned = {DataType::kUint32, DataType::kUint16, DataType::kUint8};
inline constexpr DataTypeSet kIntegers = kSigned | kUnsigned;  // without those of 64 bits
inline constexpr DataTypeSet k64Bits = {DataType::kInt64, DataType::kUint64};
inline constexpr DataTypeSet kFloat64 = {DataType::kFloat64};

// ---- References. They share no code with the kernels.

// F()(attributes, x...) on elements of the first input's type.
template <int kInputs, class F>
ReferenceElement ReferenceOf(const Desc& desc) {
  ReferenceElement found = nullptr;
  DispatchType(reference::AllTypes(), desc.tensors[0].data_type, [&]<typename T>() {
    found = [](const Attributes& attributes, const void* const* inputs, void* output) {
      std::array<T, kInputs> x;
      for (int t = 0; t < kInputs; ++t) std::memcpy(&x[t], inputs[t], sizeof(T));
      const T result = std::apply([&](auto... value) { return F()(attributes, value...); }, x);
      std::memcpy(output, &result, sizeof(T));
    };
  });
  return found;
}

// The same from a formula in float, of FLOAT32 and FLOAT16: rounded once at the end (B101).
template <class F>
struct InFloat {
  template <typename T>
  T operator()(const Attributes& attributes, T x) const {
    const auto value = static_cast<float>(reference::Value(x));
    return reference::Element<T>(static_cast<double>(F()(attributes, value)));
  }
};
template <class F>
constexpr auto InFloatByThePage(F) {
  return ReferenceOf<1, InFloat<F>>;
}

// x * Scale + Bias of formulas that apply it themselves.
inline float ScaledByAttributes(const Attributes& attributes, float x) {
  const float product = x * attributes.As<float>(kScaleAttribute);
  return product + attributes.As<float>(kScaleAttribute + 1);
}

// From a lambda: ByThePage<1>([](const Attributes&, auto x) { return x; }).
template <int kInputs, class F>
constexpr auto ByThePage(F) {
  return ReferenceOf<kInputs, F>;
}

}  // namespace anydml::elementwise
