// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A row kernel: one formula on a block of rows of elements that lie side by side. It is
// all that is compiled per formula, type and instruction set; walk.h brings tensors of
// any layout before it.
#pragma once

#include <cstddef>
#include <span>

#include "kernels/elementwise/plan.h"

namespace anydml::elementwise {

// The output may be one of the inputs, with equal steps.
struct RowBlock {
  uint64_t count = 0;  // elements of a row
  uint64_t rows = 1;
  std::array<const std::byte*, kMaxInputs> inputs = {};
  std::byte* output = nullptr;
  std::array<int64_t, kMaxTensors> steps = {};  // in bytes, from a row to the next
};

using RowKernel = void (*)(const Attributes&, const RowBlock&);

// The kernel of a formula for one combination of types.
struct RowEntry {
  TypeKey types = 0;
  RowKernel run = nullptr;
  RowKernel stream = nullptr;  // with non-temporal stores; null where there is no such kernel
  bool calculates = false;     // costs more than moving its elements
};

// Vectors of the chosen instruction set; scalar code where a formula has none.
const RowEntry& FindRow(Formula formula, TypeKey types);
// Compiled once, from formulas.h.
const RowEntry& FindScalarRow(Formula formula, TypeKey types);

}  // namespace anydml::elementwise
