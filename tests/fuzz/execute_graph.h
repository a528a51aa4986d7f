// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "graph/program.h"
#include "graph/values.h"

namespace anydml::test {

// Runs a compiled graph on random inputs, with all memory against pages that nobody may touch. Its
// outputs must have the bits of its nodes executed one by one.
// Outputs that share memory, which may alias, lie over their inputs.
void ExecuteGraph(const graph::Graph& graph, const graph::Program& program, uint32_t seed,
                  bool several_threads, std::span<const graph::SharedMemory> shared = {});

}  // namespace anydml::test
