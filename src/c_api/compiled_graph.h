// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A compiled graph behind an operator handle, and the checks that an execution's pointers
// must pass.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "c_api/device.h"
#include "graph/program.h"
#include "graph/values.h"

namespace anydml::c_api {

// What one pointer of an execution is for.
struct GraphTensor {
  std::string name;
  TensorDesc tensor;
  bool is_used = true;  // an input that no output depends on is not
  bool may_be_overwritten = false;
};

struct CompiledGraph {
  std::shared_ptr<const graph::Program> program;
  std::vector<GraphTensor> inputs;
  std::vector<GraphTensor> outputs;
  std::vector<graph::SharedMemory> shared;  // that it was compiled for
  std::string strategy;                     // "12 steps of 17 operators"
  uint64_t table_bytes = 0;                 // and of what is kept per operator
};

// The graph of these values, on a device. Names are those of the outputs.
Result<std::shared_ptr<const CompiledGraph>> CompileGraph(
    const graph::Values& values, std::span<const GraphValue> outputs,
    std::vector<std::string> names, std::span<const graph::SharedMemory> shared,
    const Device& device);

struct GraphBindings {
  std::vector<const void*> inputs;
  std::vector<void*> outputs;
  void* temporary = nullptr;
};

// Null pointers, alignment, and overlaps.
Result<GraphBindings> CheckPointers(const CompiledGraph& graph, const void* const* inputs,
                                    void* const* outputs, void* temporary);

// As those of operators (operator.h).
Status RunNow(const CompiledGraph& graph, TemporaryPool& temporaries, const GraphBindings& bindings,
              const cpu::Executor& executor);
Status LaunchOn(const CompiledGraph& graph, GraphBindings bindings, cuda::Stream stream);

}  // namespace anydml::c_api
