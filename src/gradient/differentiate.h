// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The gradients of a graph: reverse accumulation that adds nodes to it. What is added is
// made of DirectML operators, so that it compiles and runs like any other graph.
#pragma once

#include <span>
#include <vector>

#include "graph/values.h"

namespace anydml::gradient {

inline bool HasGradient(DataType type) {
  return type == DataType::kFloat32 || type == DataType::kFloat16 || type == DataType::kFloat64;
}

// The gradients of `loss`, which has one element, with respect to the values `of`: one
// each, packed, with that value's sizes. Where the loss has no derivative but zero they
// are zeros. Contributions of several readers of a value are added in a defined order:
// the last reader's is the first term, and of one reader the first input's.
Result<std::vector<GraphValue>> Differentiate(graph::Values& graph, const GraphValue& loss,
                                              std::span<const GraphValue> of);

}  // namespace anydml::gradient
