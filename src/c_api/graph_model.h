// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A model of src/model as a graph of values, and the other way. A model's commands are a tape
// on which every dispatch reads and writes resources; it is a graph when every resource is
// written once, before it is read. Views are the strided tensors of its descriptions.
#pragma once

#include <span>

#include "c_api/graph.h"
#include "model/model.h"

namespace anydml::c_api {

// Resources that no dispatch writes are inputs, packed, with their contents; all values have
// the names of their resources. Prints and files are left out.
Result<NamedGraph> GraphOf(const model::Model& model);

// The live nodes as dispatches in order, and a print of every output. An output that is
// written over an input has no resource of its own. Inputs without contents are zeros.
Result<model::Model> ModelOf(const NamedGraph& graph, std::span<const anydml_value> outputs,
                             std::span<const graph::SharedMemory> shared = {});

}  // namespace anydml::c_api
