// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// How tables of row kernels are written: an array by formula, filled at compile time.
#pragma once

#include <algorithm>

#include "kernels/elementwise/cpu/row_kernel.h"

namespace anydml::elementwise {

using RowTable = std::array<std::span<const RowEntry>, kFormulaCount>;

constexpr bool HasGaps(const RowTable& table) {
  return std::ranges::any_of(table, [](std::span<const RowEntry> rows) { return rows.empty(); });
}

inline const RowEntry* Find(const RowTable& table, Formula formula, TypeKey types) {
  for (const RowEntry& entry : table[static_cast<size_t>(formula)]) {
    if (entry.types == types) return &entry;
  }
  return nullptr;
}

}  // namespace anydml::elementwise
