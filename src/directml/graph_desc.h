// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Reads a DML_GRAPH_DESC: pointers, tags and owners are checked here, the graph
// itself by src/graph/.
#pragma once

#include "directml/device.h"
#include "graph/graph.h"

namespace anydml::directml {

// The data of constants still belongs to the caller.
Result<graph::Graph> ReadGraph(const Device& device, const DML_GRAPH_DESC* desc);

}  // namespace anydml::directml
