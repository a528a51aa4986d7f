// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// How tables of row kernels are written: an array by formula, filled at compile time.
#pragma once

#include <algorithm>

#include "kernels/elementwise/cpu/row_kernel.h"

namespace anydml::elementwise {

using RowTable = std::array<std::span<const RowEntry>, kFormulaCount>;

constexpr bool HasGaps(const RowTable& table, Formula first = Formula{},
                       Formula last = Formula::kScaleBias) {
  return std::any_of(table.begin() + static_cast<size_t>(first),
                     table.begin() + static_cast<size_t>(last) + 1,
                     [](std::span<const RowEntry> rows) { return rows.empty(); });
}

// Of the chosen instruction set, from the files of these names; rows.cpp has the rest.
const RowTable& ArithmeticRows();
const RowTable& ActivationRows();
const RowTable& FunctionRows();

inline const RowEntry* Find(const RowTable& table, Formula formula, TypeKey types) {
  for (const RowEntry& entry : table[static_cast<size_t>(formula)]) {
    if (entry.types == types) return &entry;
  }
  return nullptr;
}

}  // namespace anydml::elementwise
