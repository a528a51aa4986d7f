// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The table of CUDA kernels: the formulas of formulas.h, each for its types.
#include <algorithm>
#include <span>

#include "kernels/elementwise/cuda/elementwise.cuh"
#include "kernels/elementwise/cuda/narrow_loop.h"
#include "kernels/elementwise/cuda/table.h"
#include "kernels/elementwise/cuda/typed.h"
#include "kernels/elementwise/formulas.h"
#include "kernels/elementwise/plan.h"

namespace anydml::elementwise {
namespace {

// What the device computes for a scalar formula: the same, unless it has something
// faster with the same bits.
template <class F>
struct OnDevice : F {
  explicit OnDevice(const Plan& plan) : F(MakeFormula<F>(plan.attributes)) {}
};

// The device converts halves by an instruction.
template <>
struct OnDevice<ClipGrad<Float16>> {
  float min;
  float max;
  explicit OnDevice(const Plan& plan)
      : min(ToFloat(plan.attributes.As<Float16>(0))),
        max(ToFloat(plan.attributes.As<Float16>(1))) {}

  __device__ Float16 operator()(Float16 x, Float16 dy) const {
    const float value = cuda::Widen(x);
    return value <= min || value >= max ? Float16{} : dy;
  }
};

// The formula of an operator that has a ScaleBias, present or not.
template <class F, typename T>
struct Staged {
  bool scaled;
  ScaleBias<T> scale_bias;
  F formula;
  explicit Staged(const Plan& plan)
      : scaled(plan.scaled), scale_bias(plan.scale_bias), formula(plan) {}

  template <typename... Rest>
  __device__ T operator()(T x, Rest... rest) const {
    return formula(scaled ? scale_bias(x) : x, rest...);
  }
};

template <class F, typename T, int kInputs>
void LaunchPackedRows(const Plan& plan, const Bindings& bindings, cuda::Stream stream) {
  cuda::TransformPackedRows<T>(Narrow<kInputs>(plan.loop), bindings, stream, F(plan));
}

template <class F, typename T, int kInputs>
void LaunchStrided(const Plan& plan, const Bindings& bindings, cuda::Stream stream) {
  cuda::TransformStrided<T>(Narrow<kInputs>(plan.loop), bindings, stream, F(plan));
}

using Launch = void (*)(const Plan&, const Bindings&, cuda::Stream);

struct Entry {
  TypeKey types;
  Launch packed_rows;
  Launch strided;
};

template <typename T, class F, typename Element, int kInputs>
constexpr Entry EntryOf() {
  return {KeyOfAlike<T, kInputs>(), LaunchPackedRows<F, Element, kInputs>,
          LaunchStrided<F, Element, kInputs>};
}

template <int kInputs, template <typename> class F, typename... Ts>
constexpr Entry kAlike[] = {EntryOf<Ts, OnDevice<F<Ts>>, Ts, kInputs>()...};
template <int kInputs, template <typename> class F, typename... Ts>
constexpr Entry kScaled[] = {EntryOf<Ts, Staged<OnDevice<F<Ts>>, Ts>, Ts, kInputs>()...};
template <int kInputs, template <typename> class F, typename... Ts>
constexpr Entry kByWidth[] = {EntryOf<Ts, OnDevice<F<BitsOf<Ts>>>, BitsOf<Ts>, kInputs>()...};

template <bool kPacked>
void LaunchEveryType(const Plan& plan, const Bindings& bindings, cuda::Stream stream) {
  LaunchTyped(plan, bindings, kPacked, stream);
}
constexpr TypeKey kEveryKey = 0;
constexpr Entry kTyped[] = {{kEveryKey, LaunchEveryType<true>, LaunchEveryType<false>}};

// Formulas that share a kernel, in typed.cu: every thread takes the same way through them.
constexpr bool SharesKernels(Formula formula) {
  return (formula >= Formula::kLogicalAnd && formula <= Formula::kBitShiftRight) ||
         formula == Formula::kModulusTruncate || formula == Formula::kModulusFloor;
}

struct Table {
  std::array<std::span<const Entry>, kFormulaCount> rows = {};

  template <Formula kFormula, int kInputs, template <typename> class F, typename... Ts>
  constexpr void Add(TypeList<Ts...>) {
    if constexpr (SharesKernels(kFormula)) {
      rows[static_cast<size_t>(kFormula)] = kTyped;
    } else {
      rows[static_cast<size_t>(kFormula)] = kAlike<kInputs, F, Ts...>;
    }
  }
  template <Formula kFormula, int kInputs, template <typename> class F, typename... Ts>
  constexpr void AddScaled(TypeList<Ts...>) {
    rows[static_cast<size_t>(kFormula)] = kScaled<kInputs, F, Ts...>;
  }
  template <Formula kFormula, int kInputs, template <typename> class F, typename... Ts>
  constexpr void AddByWidth(TypeList<Ts...>) {
    if constexpr (SharesKernels(kFormula)) {
      rows[static_cast<size_t>(kFormula)] = kTyped;
    } else {
      rows[static_cast<size_t>(kFormula)] = kByWidth<kInputs, F, Ts...>;
    }
  }
  // Kernels of one formula serve all of its types.
  template <Formula kFormula, class Test, typename... Ts>
  constexpr void AddComparison(TypeList<Ts...>) {
    rows[static_cast<size_t>(kFormula)] = kTyped;
  }
  template <Formula kFormula, typename... Ts>
  constexpr void AddIf(TypeList<Ts...>) {
    rows[static_cast<size_t>(kFormula)] = kTyped;
  }
  template <Formula kFormula, typename... Ts>
  constexpr void AddCast(TypeList<Ts...>) {
    rows[static_cast<size_t>(kFormula)] = kTyped;
  }
  template <Formula kFormula, template <typename> class F, class... Signatures>
  constexpr void AddTyped(TypeList<Signatures...>) {
    rows[static_cast<size_t>(kFormula)] = kTyped;
  }
  template <Formula kFormula, typename... Ts>
  constexpr void AddPowers(TypeList<Ts...>) {
    rows[static_cast<size_t>(kFormula)] = kTyped;
  }
};

constexpr Table kTable = [] {
  Table table;
  AddScalarFormulas(table);
  return table;
}();

const Entry& FindEntry(const Plan& plan) {
  const auto rows = kTable.rows[static_cast<size_t>(plan.formula)];
  return *std::find_if(rows.begin(), rows.end(), [&](const Entry& entry) {
    return entry.types == plan.types || entry.types == kEveryKey;
  });
}

Refusal AcceptsPackedRows(const Plan& plan) {
  return {cuda::RefusePackedRows(plan.loop, plan.element_sizes[kOutput])};
}

void RunPackedRows(const Plan& plan, const NoTables&, const Bindings& bindings,
                   cuda::Stream stream) {
  FindEntry(plan).packed_rows(plan, bindings, stream);
}

void RunStrided(const Plan& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream) {
  FindEntry(plan).strided(plan, bindings, stream);
}

using Strategy = CudaStrategyOf<Plan, NoTables>;
constexpr CudaStrategy kStrategies[] = {
    Strategy::Named<AcceptsPackedRows, RunPackedRows>("packed_rows"),
    Strategy::Named<AcceptsAll<Plan>, RunStrided>("strided"),
};

// The formulas that chains of a graph know.
bool FindStep(const void* erased, cuda::ElementStep* step) {
  const Plan& plan = *static_cast<const Plan*>(erased);
  *step = {};
  step->data_type = static_cast<DataType>(plan.types & 15);
  switch (plan.formula) {
    case Formula::kIdentity:
      return true;
    case Formula::kReluGrad:  // open above 0 alone
      step->kind = cuda::ElementStep::Kind::kGate;
      step->nan_closes = true;
      return true;
    case Formula::kClipGrad:  // a NaN bound closes nothing, and neither does a NaN x
      step->kind = cuda::ElementStep::Kind::kGate;
      step->has_high = true;
      step->low = plan.attributes.values[0];
      step->high = plan.attributes.values[1];
      return true;
    default:
      return false;
  }
}

}  // namespace

constinit const CudaKernel kCudaKernel = {
    .name = "elementwise", .strategies = kStrategies, .element_step = FindStep};

}  // namespace anydml::elementwise
