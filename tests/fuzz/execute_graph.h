// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#pragma once

#include "graph/program.h"

namespace anydml::test {

// Runs a compiled graph on random inputs, with all memory against pages that nobody may touch. Its
// outputs must have the bits of its nodes executed one by one.
void ExecuteGraph(const graph::Graph& graph, const graph::Program& program, uint32_t seed,
                  bool several_threads);

}  // namespace anydml::test
