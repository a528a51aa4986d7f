// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Row kernels of scalar code, from formulas.h.
#include <tuple>

#include "kernels/elementwise/cpu/row_table.h"
#include "kernels/elementwise/formulas.h"

namespace anydml::elementwise {
namespace {

template <class F, typename Out, typename... In>
void ScalarRow(const Attributes& attributes, const RowBlock& block) {
  const F f = MakeFormula<F>(attributes);
  [&]<size_t... k>(std::index_sequence<k...>) {
    const uint64_t count = block.count;
    for (int64_t row = 0; row < static_cast<int64_t>(block.rows); ++row) {
      auto* const output = reinterpret_cast<Out*>(block.output + row * block.steps[kOutput]);
      const std::tuple<const In*...> inputs = {
          reinterpret_cast<const In*>(block.inputs[k] + row * block.steps[k])...};
      for (uint64_t i = 0; i < count; ++i) output[i] = f(std::get<k>(inputs)[i]...);
    }
  }
  (std::index_sequence_for<In...>());
}

// ScalarRow of kInputs inputs of type T.
template <class F, typename T, int kInputs>
constexpr RowKernel ScalarRowOf() {
  return []<size_t... k>(std::index_sequence<k...>) { return ScalarRow<F, T, Repeated<T, k>...>; }
  (std::make_index_sequence<kInputs>());
}

template <int kInputs, template <typename> class F, typename... Ts>
constexpr RowEntry kAlike[] = {{.types = KeyOfAlike<Ts, kInputs>(),
                                .run = ScalarRowOf<F<Ts>, Ts, kInputs>(),
                                .calculates = true}...};

template <int kInputs, template <typename> class F, typename... Ts>
constexpr RowEntry kByWidth[] = {{.types = KeyOfAlike<Ts, kInputs>(),
                                  .run = ScalarRowOf<F<BitsOf<Ts>>, BitsOf<Ts>, kInputs>(),
                                  .calculates = true}...};

template <typename T, typename Out, class Test>
constexpr RowEntry ComparedEntry() {
  return {.types = KeyOf<T, T, Out>(),
          .run = ScalarRow<Compare<T, Out, Test>, Out, T, T>,
          .calculates = true};
}
template <class Test, typename... Ts>
constexpr RowEntry kCompared[] = {ComparedEntry<Ts, uint32_t, Test>()...,
                                  ComparedEntry<Ts, uint8_t, Test>()...};

template <typename... Ts>
constexpr RowEntry kIfs[] = {
    {.types = KeyOf<uint8_t, Ts, Ts, Ts>(),
     .run = ScalarRow<If<BitsOf<Ts>>, BitsOf<Ts>, uint8_t, BitsOf<Ts>, BitsOf<Ts>>}...};

// All pairs: entry i is of the types i / count and i % count.
template <typename... Ts>
constexpr auto kCasts = [] {
  std::array<RowEntry, sizeof...(Ts) * sizeof...(Ts)> entries;
  size_t i = 0;
  const auto from = [&]<typename From>(TypeList<From>) {
    ((entries[i++] = {.types = KeyOf<From, Ts>(), .run = ScalarRow<Cast<From, Ts>, Ts, From>}),
     ...);
  };
  (from(TypeList<Ts>()), ...);
  return entries;
}();

template <template <typename> class F, typename Out, typename... In>
constexpr RowEntry TypedEntry(Signature<Out, In...>) {
  return {.types = KeyOf<In..., Out>(),
          .run = ScalarRow<F<Out>, Out, SeenBy<F<Out>, In>...>,
          .calculates = true};
}
template <template <typename> class F, class... Signatures>
constexpr RowEntry kTyped[] = {TypedEntry<F>(Signatures())...};
template <typename... Ts>
constexpr auto kPowers = [] {
  std::array<RowEntry, sizeof...(Ts) * sizeof...(Ts)> entries;
  size_t i = 0;
  const auto of = [&]<typename T>(TypeList<T>) {
    ((entries[i++] = {.types = KeyOf<T, Ts, T>(),
                      .run = ScalarRow<Pow<T, Ts>, T, T, Ts>,
                      .calculates = true}),
     ...);
  };
  (of(TypeList<Ts>()), ...);
  return entries;
}();

struct Table {
  RowTable rows = {};

  template <Formula kFormula, int kInputs, template <typename> class F, typename... Ts>
  constexpr void Add(TypeList<Ts...>) {
    rows[static_cast<size_t>(kFormula)] = kAlike<kInputs, F, Ts...>;
  }
  // ScaleBias is a stage before.
  template <Formula kFormula, int kInputs, template <typename> class F, typename... Ts>
  constexpr void AddScaled(TypeList<Ts...> types) {
    Add<kFormula, kInputs, F>(types);
  }
  template <Formula kFormula, int kInputs, template <typename> class F, typename... Ts>
  constexpr void AddByWidth(TypeList<Ts...>) {
    rows[static_cast<size_t>(kFormula)] = kByWidth<kInputs, F, Ts...>;
  }
  template <Formula kFormula, class Test, typename... Ts>
  constexpr void AddComparison(TypeList<Ts...>) {
    rows[static_cast<size_t>(kFormula)] = kCompared<Test, Ts...>;
  }
  template <Formula kFormula, typename... Ts>
  constexpr void AddIf(TypeList<Ts...>) {
    rows[static_cast<size_t>(kFormula)] = kIfs<Ts...>;
  }
  template <Formula kFormula, typename... Ts>
  constexpr void AddCast(TypeList<Ts...>) {
    rows[static_cast<size_t>(kFormula)] = kCasts<Ts...>;
  }
  template <Formula kFormula, template <typename> class F, class... Signatures>
  constexpr void AddTyped(TypeList<Signatures...>) {
    rows[static_cast<size_t>(kFormula)] = kTyped<F, Signatures...>;
  }
  template <Formula kFormula, typename... Ts>
  constexpr void AddPowers(TypeList<Ts...>) {
    rows[static_cast<size_t>(kFormula)] = kPowers<Ts...>;
  }
};

constexpr RowTable kScalarRows = [] {
  Table table;
  AddScalarFormulas(table);
  return table.rows;
}();
static_assert(!HasGaps(kScalarRows), "a formula has no scalar row kernels");

}  // namespace

const RowEntry& FindScalarRow(Formula formula, TypeKey types) {
  return *Find(kScalarRows, formula, types);
}

}  // namespace anydml::elementwise
