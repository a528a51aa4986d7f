// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A compiled graph on a device: memory for what its caller feeds and for its temporaries.
// The rest of its inputs and its outputs are somebody else's memory.
#pragma once

#include <string>
#include <vector>

#include "graph/program.h"
#include "graph/values.h"
#include "train/device_memory.h"

namespace anydml::train {

// An input that is fed per run.
struct Feed {
  std::string name;
  TensorDesc tensor;
  uint32_t input = 0;   // of the graph
  DeviceMemory memory;  // none for one that no node reads
};

class Session {
 public:
  // `is_fed` has an entry per input of the graph; outputs are written over inputs as `shared`
  // says.
  static Result<Session> Create(const Place& place, const graph::Values& values,
                                std::span<const GraphValue> outputs,
                                const std::vector<bool>& is_fed,
                                std::span<const graph::SharedMemory> shared = {});

  const std::vector<Feed>& feeds() const { return feeds_; }
  const graph::Program& program() const { return *program_; }
  // One with the same tensors: operators with other settings.
  void set_program(std::shared_ptr<const graph::Program> program) { program_ = std::move(program); }

  // Of the device: feeds, temporaries and tables.
  uint64_t memory_bytes() const;

  // Memory of the host per feed; of the device per input, where those of feeds are set here,
  // and per output. On a CUDA device it returns when the work is on its way.
  Status Run(std::span<const void* const> fed, std::vector<const void*>& inputs,
             std::span<void* const> outputs);

 private:
  Place place_;
  std::shared_ptr<const graph::Program> program_;
  std::vector<Feed> feeds_;
  DeviceMemory temporary_;
};

}  // namespace anydml::train
