// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A formula as data, for kernels that run a chain of them on elements in registers: every formula
// of formulas.h whose tensors have one type. A formula that is added there is here, too.
#pragma once

#include <utility>

#include "kernels/elementwise/cuda/fused.h"
#include "kernels/elementwise/formulas.h"
#include "kernels/elementwise/plan.h"

namespace anydml::elementwise {

using StepTypes = FloatsAndIntegers;

// What costs many registers: kernels without are smaller. Of integers there is none.
template <typename T>
constexpr bool IsCostly(Formula formula) {
  return kIsFloat<T> && ((formula >= Formula::kExp && formula < Formula::kScaleBias) ||
                         formula == Formula::kModulusTruncate || formula == Formula::kModulusFloor);
}

// Costly formulas are calls on devices, whose unrolled loops would repeat them.
#ifdef __CUDACC__
#define ANYDML_STEP_APART __noinline__
#else
#define ANYDML_STEP_APART [[gnu::noinline]]
#endif
template <class F, typename T, typename... Rest>
ANYDML_STEP_APART constexpr T AppliedApart(F formula, T x, Rest... rest) {
  return formula(x, rest...);
}
#undef ANYDML_STEP_APART

// Lines of the table of formulas that chains do not know.
struct WithoutTypedFormulas {
  template <Formula kFormula, class Test, typename... Ts>
  constexpr void AddComparison(TypeList<Ts...>) {}
  template <Formula kFormula, typename... Ts>
  constexpr void AddIf(TypeList<Ts...>) {}
  template <Formula kFormula, typename... Ts>
  constexpr void AddCast(TypeList<Ts...>) {}
  template <Formula kFormula, template <typename> class F, class... Signatures>
  constexpr void AddTyped(TypeList<Signatures...>) {}
  template <Formula kFormula, typename... Ts>
  constexpr void AddPowers(TypeList<Ts...>) {}
};

// Formulas are asked one after the other, those of the part where the wanted one is.
inline constexpr size_t kPartSize = 12;
constexpr size_t PartOf(Formula formula) { return static_cast<size_t>(formula) / kPartSize; }

// x becomes the step's result on x and, of two inputs, on y. A table for AddScalarFormulas.
template <typename T, bool kCostly, size_t kPart, int kCount>
struct AppliedStep : WithoutTypedFormulas {
  Formula formula;
  const Attributes& attributes;
  T (&x)[kCount];
  const T (&y)[kCount];

  template <Formula kFormula, int kInputs, template <typename> class F, typename... Ts>
  constexpr void Add(TypeList<Ts...>) {
    if constexpr ((std::is_same_v<T, Ts> || ...) && PartOf(kFormula) == kPart &&
                  (kCostly || !IsCostly<T>(kFormula))) {
      if (formula == kFormula) Apply<kFormula, kInputs, F<T>, T>(Numbers());
    }
  }
  template <Formula kFormula, int kInputs, template <typename> class F, typename... Ts>
  constexpr void AddScaled(TypeList<Ts...> types) {
    Add<kFormula, kInputs, F>(types);
  }
  template <Formula kFormula, int kInputs, template <typename> class F, typename... Ts>
  constexpr void AddByWidth(TypeList<Ts...>) {
    if constexpr ((std::is_same_v<T, Ts> || ...) && PartOf(kFormula) == kPart) {
      if (formula == kFormula) Apply<kFormula, kInputs, F<BitsOf<T>>, BitsOf<T>>(Numbers());
    }
  }

 private:
  using Numbers = std::make_index_sequence<kCount>;

  template <Formula kFormula, int kInputs, class F, typename Element, size_t... i>
  constexpr void Apply(std::index_sequence<i...>) {
    const F f = MakeFormula<F>(attributes);
    if constexpr (kInputs == 1) {
      ((x[i] = std::bit_cast<T>(Of<kFormula>(f, std::bit_cast<Element>(x[i])))), ...);
    } else {
      ((x[i] = std::bit_cast<T>(
            Of<kFormula>(f, std::bit_cast<Element>(x[i]), std::bit_cast<Element>(y[i])))),
       ...);
    }
  }
  template <Formula kFormula, class F, typename... Elements>
  static constexpr auto Of(const F& f, Elements... elements) {
    if constexpr (IsCostly<T>(kFormula)) {
      return AppliedApart(f, elements...);
    } else {
      return f(elements...);
    }
  }
};

template <bool kCostly, size_t kPart, typename T, int kCount>
constexpr void ApplyPart(Formula formula, const Attributes& attributes, T (&x)[kCount],
                         const T (&y)[kCount]) {
  if (PartOf(formula) != kPart) return;
  AppliedStep<T, kCostly, kPart, kCount> step = {{}, formula, attributes, x, y};
  AddScalarFormulas(step);
}
template <bool kCostly, typename T, int kCount, size_t... kParts>
constexpr void ApplyParts(Formula formula, const Attributes& attributes, T (&x)[kCount],
                          const T (&y)[kCount], std::index_sequence<kParts...>) {
  (ApplyPart<kCostly, kParts>(formula, attributes, x, y), ...);
}
// Without kCostly nothing happens for a costly formula.
template <bool kCostly, typename T, int kCount>
constexpr void ApplyStep(Formula formula, const Attributes& attributes, T (&x)[kCount],
                         const T (&y)[kCount]) {
  ApplyParts<kCostly>(formula, attributes, x, y,
                      std::make_index_sequence<PartOf(Formula::kScaleBias) + 1>());
}

// The types for which AppliedStep knows a formula.
struct TypesOfSteps : WithoutTypedFormulas {
  std::array<DataTypeSet, kFormulaCount> rows = {};

  template <Formula kFormula, int kInputs, template <typename> class F, typename... Ts>
  constexpr void Add(TypeList<Ts...> types) {
    static_assert(kInputs <= 2);
    rows[static_cast<size_t>(kFormula)] = SetOf(types);
  }
  template <Formula kFormula, int kInputs, template <typename> class F, typename... Ts>
  constexpr void AddScaled(TypeList<Ts...> types) {
    Add<kFormula, kInputs, F>(types);
  }
  template <Formula kFormula, int kInputs, template <typename> class F, typename... Ts>
  constexpr void AddByWidth(TypeList<Ts...> types) {
    Add<kFormula, kInputs, F>(types);
  }
};
inline constexpr TypesOfSteps kTypesOfSteps = [] {
  TypesOfSteps types;
  AddScalarFormulas(types);
  return types;
}();

// Fills in what a chain needs to know of the plan; false where its tensors have several types.
inline bool FindStep(const Plan& plan, cuda::ElementStep* step) {
  const auto type = static_cast<DataType>(plan.types & 15);
  TypeKey alike = 0;
  for (int t = 0; t <= plan.inputs; ++t) alike = AppendType(alike, type);
  if (plan.types != alike || !SetOf(StepTypes()).Contains(type) ||
      !kTypesOfSteps.rows[static_cast<size_t>(plan.formula)].Contains(type)) {
    return false;
  }
  *step = {.formula = plan.formula,
           .data_type = type,
           .inputs = static_cast<uint8_t>(plan.inputs),
           .scaled = plan.scaled,
           .attributes = plan.attributes,
           .scale_bias = plan.scale_bias};
  return true;
}

}  // namespace anydml::elementwise
