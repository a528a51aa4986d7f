// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The table of element-wise operators: one row each, the pages' "Tensor support" tables,
// and the formulas as the pages write them, which judge the kernels. Here are those that
// select, the lists of all rows and of what may be fused.
#include "operators/elementwise/activations.h"
#include "operators/elementwise/arithmetic.h"
#include "operators/elementwise/bits.h"
#include "operators/elementwise/exact_rows.h"
#include "operators/elementwise/kernel.h"
#include "operators/fused_activations.h"

namespace anydml::elementwise {
namespace {

// f(x) = max(Min, min(g(x), Max))
constexpr auto kClipByThePage = []<typename T>(const Attributes& attributes, T x) {
  T result = x;
  if (Value(result) > Value(attributes.As<T>(1))) result = attributes.As<T>(1);
  if (Value(result) < Value(attributes.As<T>(0))) result = attributes.As<T>(0);
  return result;
};

// f(x, gradient) = if x <= Min then 0
//                  if x >= Max then 0
//                  else        then gradient
constexpr auto kClipGradByThePage = []<typename T>(const Attributes& attributes, T x, T gradient) {
  if (Value(x) <= Value(attributes.As<T>(0))) return T{};
  if (Value(x) >= Value(attributes.As<T>(1))) return T{};
  return gradient;
};

constexpr schema::TensorSupport kIdentitySupport[] = {
    {FeatureLevel::k4_1, {1, 8}, kFloat64 | kFloats | kIntegers | k64Bits},
    {FeatureLevel::k3_0, {1, 8}, kFloats | kIntegers},
    {FeatureLevel::k2_1, {4, 5}, kFloats | kIntegers},
    {FeatureLevel::k1_0, {4, 5}, kFloats},
};

constexpr schema::TensorSupport kReluSupport[] = {
    {FeatureLevel::k5_1, {1, 8}, kFloats | kSigned},
    {FeatureLevel::k3_0, {1, 8}, kFloats},
    {FeatureLevel::k2_0, {4, 5}, kFloats},
    {FeatureLevel::k1_0, {4, 4}, kFloats},
};

constexpr schema::TensorSupport kReluGradSupport[] = {
    {FeatureLevel::k5_1, {1, 8}, kFloats | kSigned},
    {FeatureLevel::k4_0, {1, 8}, kFloats},
    {FeatureLevel::k3_0, {1, 8}, kFloats},
};

constexpr schema::TensorSupport kClipSupport[] = {
    {FeatureLevel::k5_0, {1, 8}, kFloats | kIntegers | k64Bits},
    {FeatureLevel::k3_0, {1, 8}, kFloats | kIntegers},
    {FeatureLevel::k2_1, {4, 4}, kFloats | kIntegers},
    {FeatureLevel::k1_0, {4, 4}, kFloats},
};

constexpr schema::TensorSupport kClipGradSupport[] = {
    {FeatureLevel::k5_0, {1, 8}, kFloats | kIntegers | k64Bits},
    {FeatureLevel::k3_1, {1, 8}, kFloats | kIntegers},
};

// Of the versions whose bounds are of the tensors' type.
constexpr schema::TensorSupport kTypedBoundsSupport[] = {
    {FeatureLevel::k5_0, {1, 8}, kFloats | kIntegers | k64Bits},
};

template <class Struct = DML_ELEMENT_WISE_CLIP_OPERATOR_DESC>
constexpr schema::Field kClipFields[] = {
    kScaledFields<Struct>[0],
    kScaledFields<Struct>[1],
    kScaledFields<Struct>[2],
    schema::Float("Min", offsetof(Struct, Min)),
    schema::Float("Max", offsetof(Struct, Max)),
};

template <class Struct = DML_ELEMENT_WISE_CLIP1_OPERATOR_DESC>
constexpr schema::Field kClip1Fields[] = {
    kScaledFields<Struct>[0],
    kScaledFields<Struct>[1],
    kScaledFields<Struct>[2],
    schema::OptionalDataTypeOf("MinMaxDataType", offsetof(Struct, MinMaxDataType), 1),
    schema::ScalarUnion("Min", offsetof(Struct, Min), 3),
    schema::ScalarUnion("Max", offsetof(Struct, Max), 3),
};

template <class Struct = DML_ELEMENT_WISE_CLIP_GRAD_OPERATOR_DESC>
constexpr schema::Field kClipGradFields[] = {
    kGradientFields<Struct>[0],
    kGradientFields<Struct>[1],
    kGradientFields<Struct>[2],
    schema::Float("Min", offsetof(Struct, Min)),
    schema::Float("Max", offsetof(Struct, Max)),
};

// The page wants MinMaxDataType to match "OutputTensor"; OutputGradientTensor is meant
// (B24).
template <class Struct = DML_ELEMENT_WISE_CLIP_GRAD1_OPERATOR_DESC>
constexpr schema::Field kClipGrad1Fields[] = {
    kGradientFields<Struct>[0],
    kGradientFields<Struct>[1],
    kGradientFields<Struct>[2],
    schema::OptionalDataTypeOf("MinMaxDataType", offsetof(Struct, MinMaxDataType), 2),
    schema::ScalarUnion("Min", offsetof(Struct, Min), 3),
    schema::ScalarUnion("Max", offsetof(Struct, Max), 3),
};

// Notes on in-place execution: ACTIVATION_RELU_GRAD's page is silent and real programs
// rely on it; CLIP_GRAD's pages allow InputTensor, B23 adds InputGradientTensor. The page
// of ACTIVATION_RELU_GRAD heads the third member "OutputTensor"; the header and the
// page's own tables say OutputGradientTensor (B24).
constexpr Row kSelections[] = {
    {.schema = Scaled<DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC>(
         "ELEMENT_WISE_IDENTITY", DML_OPERATOR_ELEMENT_WISE_IDENTITY, kIdentitySupport),
     .formula = Formula::kIdentity,
     .reference = ByThePage<1>([](const Attributes&, auto x) { return x; }),  // f(x) = g(x)
     .preserves_nan_bits = false,
     .cases = kIdentityCases,
     .bench_cases = {},
     .gradient = gradients::Identity},
    {.schema = SchemaOf<DML_ELEMENT_WISE_CLIP_OPERATOR_DESC>(
         "ELEMENT_WISE_CLIP", DML_OPERATOR_ELEMENT_WISE_CLIP, kClipFields<>, kClipSupport),
     .formula = Formula::kClip,
     .reference = ByThePage<1>(kClipByThePage),
     .preserves_nan_bits = false,
     .converts_attributes = true,
     .cases = kClipCases,
     .bench_cases = {},
     .gradient = gradients::Clip},
    {.schema = SchemaOf<DML_ELEMENT_WISE_CLIP1_OPERATOR_DESC>("ELEMENT_WISE_CLIP1",
                                                              DML_OPERATOR_ELEMENT_WISE_CLIP1,
                                                              kClip1Fields<>, kTypedBoundsSupport),
     .formula = Formula::kClip,
     .reference = ByThePage<1>(kClipByThePage),
     .preserves_nan_bits = false,
     .cases = kClipCases,
     .bench_cases = kClipBenchCases,
     .gradient = gradients::Clip1},
    {.schema = SchemaOf<DML_ELEMENT_WISE_CLIP_GRAD_OPERATOR_DESC>(
         "ELEMENT_WISE_CLIP_GRAD", DML_OPERATOR_ELEMENT_WISE_CLIP_GRAD, kClipGradFields<>,
         kClipGradSupport),
     .formula = Formula::kClipGrad,
     .reference = ByThePage<2>(kClipGradByThePage),
     .converts_attributes = true,
     .cases = kClipGradCases,
     .bench_cases = {},
     .gradient = gradients::ClipGrad},
    {.schema = SchemaOf<DML_ELEMENT_WISE_CLIP_GRAD1_OPERATOR_DESC>(
         "ELEMENT_WISE_CLIP_GRAD1", DML_OPERATOR_ELEMENT_WISE_CLIP_GRAD1, kClipGrad1Fields<>,
         kTypedBoundsSupport),
     .formula = Formula::kClipGrad,
     .reference = ByThePage<2>(kClipGradByThePage),
     .cases = kClipGradCases,
     .bench_cases = kClipGradBenchCases,
     .gradient = gradients::ClipGrad1},
    {.schema = Unary<DML_ACTIVATION_RELU_OPERATOR_DESC>("ACTIVATION_RELU",
                                                        DML_OPERATOR_ACTIVATION_RELU, kReluSupport),
     .formula = Formula::kRelu,
     // f(x) = max(0, x). A NaN is neither greater nor less than 0 and is passed on (B1).
     .reference = ByThePage<1>([](const Attributes&, auto x) {
       return Value(x) > 0 || std::isnan(static_cast<double>(Value(x))) ? x : decltype(x){};
     }),
     .gradient = gradients::Relu},
    {.schema = Gradient<DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC>(
         "ACTIVATION_RELU_GRAD", DML_OPERATOR_ACTIVATION_RELU_GRAD, kReluGradSupport),
     .formula = Formula::kReluGrad,
     // OutputGradientTensor = (X > 0 ? dY : 0); false for NaN
     .reference = ByThePage<2>(
         [](const Attributes&, auto x, auto dy) { return Value(x) > 0 ? dy : decltype(dy){}; }),
     .bench_cases = kCoreBenchCases,
     .gradient = gradients::ReluGrad},
};

constexpr auto kRows = [] {
  std::array<Row, std::size(kSelections) + std::size(kArithmetic) + std::size(kBits) +
                      std::size(kActivations) + std::size(kExactRows)>
      rows;
  auto next = std::ranges::copy(kSelections, rows.begin()).out;
  next = std::ranges::copy(kArithmetic, next).out;
  next = std::ranges::copy(kBits, next).out;
  next = std::ranges::copy(kActivations, next).out;
  std::ranges::copy(kExactRows, next);
  return rows;
}();

constexpr const schema::OperatorSchema* SchemaOfType(DML_OPERATOR_TYPE type) {
  return &std::ranges::find(kRows, static_cast<uint32_t>(type), [](const Row& row) {
            return row.schema.type;
          })->schema;
}

// "activation_relu"
template <size_t kRow>
constexpr auto kKernelName = [] {
  std::array<char, kRows[kRow].schema.name.size()> name;
  std::ranges::transform(kRows[kRow].schema.name, name.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  return name;
}();

// The first version that has the formula.
template <size_t kFormula>
constexpr size_t kRowOf =
    std::ranges::find(kRows, static_cast<Formula>(kFormula), &Row::formula) - std::begin(kRows);

template <size_t kFormula>
constexpr Kernel KernelOf() {
  constexpr size_t kRow = kRowOf<kFormula>;
  static_assert(kRow < std::size(kRows), "no operator has the formula");
  DataTypeSet types;  // of what is calculated, not of conditions and results
  constexpr int kFirst = kRows[kRow].formula == Formula::kIf ? 1 : 0;
  for (const Row& row : kRows) {
    if (row.formula != kRows[kRow].formula) continue;
    for (const schema::TensorSupport& support : row.schema.support) {
      if (!support.tensors.empty() && !support.tensors.Contains(kFirst)) continue;
      types = types | support.data_types;
    }
  }
  return MakeKernel({kKernelName<kRow>.data(), kKernelName<kRow>.size()}, types, kRows[kRow]);
}

}  // namespace
}  // namespace anydml::elementwise

namespace anydml {

constinit const schema::FusedOperator kFusedOperators[] = {
    {elementwise::SchemaOfType(DML_OPERATOR_ACTIVATION_CELU), FeatureLevel::k1_0},
    {elementwise::SchemaOfType(DML_OPERATOR_ACTIVATION_ELU), FeatureLevel::k1_0},
    {elementwise::SchemaOfType(DML_OPERATOR_ACTIVATION_GELU), FeatureLevel::k1_0},
    {elementwise::SchemaOfType(DML_OPERATOR_ACTIVATION_HARD_SIGMOID), FeatureLevel::k1_0},
    {elementwise::SchemaOfType(DML_OPERATOR_ACTIVATION_IDENTITY), FeatureLevel::k1_0},
    {elementwise::SchemaOfType(DML_OPERATOR_ACTIVATION_LEAKY_RELU), FeatureLevel::k1_0},
    {elementwise::SchemaOfType(DML_OPERATOR_ACTIVATION_LINEAR), FeatureLevel::k1_0},
    {elementwise::SchemaOfType(DML_OPERATOR_ACTIVATION_PARAMETRIC_SOFTPLUS), FeatureLevel::k1_0},
    {elementwise::SchemaOfType(DML_OPERATOR_ACTIVATION_RELU), FeatureLevel::k1_0},
    {elementwise::SchemaOfType(DML_OPERATOR_ACTIVATION_SCALED_ELU), FeatureLevel::k1_0},
    {elementwise::SchemaOfType(DML_OPERATOR_ACTIVATION_SCALED_TANH), FeatureLevel::k1_0},
    {elementwise::SchemaOfType(DML_OPERATOR_ACTIVATION_SHRINK), FeatureLevel::k1_0},
    {elementwise::SchemaOfType(DML_OPERATOR_ACTIVATION_SIGMOID), FeatureLevel::k1_0},
    {elementwise::SchemaOfType(DML_OPERATOR_ACTIVATION_SOFTPLUS), FeatureLevel::k1_0},
    {elementwise::SchemaOfType(DML_OPERATOR_ACTIVATION_SOFTSIGN), FeatureLevel::k1_0},
    {elementwise::SchemaOfType(DML_OPERATOR_ACTIVATION_TANH), FeatureLevel::k1_0},
    {elementwise::SchemaOfType(DML_OPERATOR_ACTIVATION_THRESHOLDED_RELU), FeatureLevel::k1_0},
    {elementwise::SchemaOfType(DML_OPERATOR_ELEMENT_WISE_CLIP), FeatureLevel::k6_0},
    {&kFusedSoftmax, FeatureLevel::k6_1},
    {&kFusedSoftmax1, FeatureLevel::k6_1},
};

}  // namespace anydml

namespace anydml::elementwise {

std::span<const Row> Rows() { return kRows; }

constinit const std::array<Kernel, kKernelCount> kKernels =
    []<size_t... k>(std::index_sequence<k...>) {
  return std::array{KernelOf<k>()...};
}
(std::make_index_sequence<kKernelCount>());

std::span<const Definition> Definitions() {
  static constexpr auto kDefinitions = []<size_t... i>(std::index_sequence<i...>) {
    return std::array{Definition{&kRows[i].schema, MakeDesc,
                                 &kKernels[static_cast<size_t>(kRows[i].formula)], kRows[i].cases,
                                 kRows[i].bench_cases, kRows[i].gradient}...};
  }
  (std::make_index_sequence<std::size(kRows)>());
  return kDefinitions;
}

}  // namespace anydml::elementwise
