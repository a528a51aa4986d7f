// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/registry.h"

#include "operators/operators.h"

namespace anydml {
namespace {

// One line per DML_OPERATOR_*, in the order of their values.
constexpr const Definition* kRegistry[] = {
    &relu_grad::kReluGrad,  // 129
};

}  // namespace

std::span<const Definition* const> Registry() { return kRegistry; }

const Definition* FindOperator(uint32_t type) {
  for (const Definition* definition : kRegistry) {
    if (definition->schema->type == type) return definition;
  }
  return nullptr;
}

const Definition* FindOperator(std::string_view name) {
  for (const Definition* definition : kRegistry) {
    if (definition->schema->name == name) return definition;
  }
  return nullptr;
}

}  // namespace anydml
