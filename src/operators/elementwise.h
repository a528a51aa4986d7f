// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What the folders of element-wise operators share: which plans their strategies
// take, and the way from a strategy to its kernel. Such a plan keeps its walk in
// the member `loop` and, where the operator has one, its ScaleBias in
// `scale_bias`.
#pragma once

#include "operators/operator.h"

namespace anydml {

template <typename Plan>
bool HasScaleBias(const Plan& plan) {
  if constexpr (requires { plan.scale_bias; }) {
    return plan.scale_bias.present;
  } else {
    return false;
  }
}

template <typename Plan>
Refusal AcceptsRows(const Plan& plan) {
  // A row of few elements costs more to find than to compute.
  constexpr uint64_t kShortestRow = 16;
  if (!plan.loop.HasUnitInnerStrides()) return {"the innermost stride is not 1 in every tensor"};
  if (plan.loop.inner_size() < kShortestRow && plan.loop.RowCount() > 1) {
    return {"the rows are shorter than 16 elements"};
  }
  return kAccepted;
}

template <typename Plan>
Refusal AcceptsPackedRows(const Plan& plan) {
  if (HasScaleBias(plan)) return {"the description has a ScaleBias"};
  return AcceptsRows(plan);
}

template <typename Plan>
Refusal AcceptsPackedRowsScaled(const Plan& plan) {
  if (!HasScaleBias(plan)) return {"the description has no ScaleBias"};
  if (!SetOf(TypeList<float, Float16>()).Contains(plan.data_type)) {
    return {"the data type is neither FLOAT32 nor FLOAT16"};
  }
  return AcceptsRows(plan);
}

template <typename Plan>
Refusal AcceptsPermuted(const Plan& plan) {
  if (HasScaleBias(plan)) return {"the description has a ScaleBias"};
  return kAccepted;
}

}  // namespace anydml

// HWY_EXPORT of a kernel, and Run<kernel>, which a strategy can name.
#define ANYDML_EXPORT_KERNEL(kernel)                                            \
  HWY_EXPORT(kernel);                                                           \
  void Run##kernel(const Plan& plan, const NoTables&, const Bindings& bindings, \
                   const cpu::Executor& executor) {                             \
    HWY_DYNAMIC_DISPATCH(kernel)(plan, bindings, executor);                     \
  }                                                                             \
  static_assert(true, "a semicolon follows")
