// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The operator behind an anydml_operator handle, which is one of DirectML's or a graph, and
// the checks that an execution's pointers must pass.
#pragma once

#include <memory>
#include <vector>

#include "c_api/compiled_graph.h"
#include "c_api/device.h"

namespace anydml::c_api {

struct BoundOperator {
  BoundOperator(std::shared_ptr<Device> owner, std::shared_ptr<const DeviceProgram> compiled);
  BoundOperator(std::shared_ptr<Device> owner, std::shared_ptr<const CompiledGraph> compiled);
  ~BoundOperator();
  BoundOperator(const BoundOperator&) = delete;
  BoundOperator& operator=(const BoundOperator&) = delete;

  const std::shared_ptr<Device> device;
  const std::shared_ptr<const DeviceProgram> program;  // null for a graph
  const std::shared_ptr<const CompiledGraph> graph;    // null for an operator of DirectML's
  const std::vector<size_t> inputs;   // numbers of tensors (schema/arguments.h), in binding order
  const std::vector<size_t> outputs;  // likewise; both empty for a graph

  uint64_t temporary_bytes() const {
    return graph != nullptr ? graph->program->temporary_bytes : program->temporary_bytes();
  }
};

// Null pointers, alignment, and outputs that overlap other tensors: everything
// that can be told without knowing how large the memory is.
Result<Bindings> CheckPointers(const BoundOperator& op, const void* const* inputs,
                               void* const* outputs);
// The same for the caller's temporary memory, if the bindings have any.
Status CheckTemporary(const BoundOperator& op, const Bindings& bindings);

// Runs, with temporary memory from the pool unless the bindings have their own;
// returns when the result is there.
Status RunNow(const DeviceProgram& program, TemporaryPool& temporaries, const Bindings& bindings,
              const cpu::Executor& executor);

// Puts a CUDA program's work on a stream, with temporary memory of the library
// unless the bindings have their own.
Status LaunchOn(const CudaProgram& program, Bindings bindings, cuda::Stream stream);

}  // namespace anydml::c_api

struct anydml_operator {
  anydml::c_api::BoundOperator op;
};
