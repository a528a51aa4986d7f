// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The operator behind an anydml_operator handle, and the checks that an
// execution's pointers must pass.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "c_api/device.h"

namespace anydml::c_api {

// Temporary memory of executions that bring none: kept and used again.
class TemporaryPool {
 public:
  struct FreeAligned {
    void operator()(void* memory) const;
  };
  using Block = std::unique_ptr<void, FreeAligned>;

  // Room for all that is kept: returning a block must not fail.
  explicit TemporaryPool(uint64_t bytes) : bytes_(bytes) { free_.reserve(kMostKept); }

  // Empty when the operator needs none.
  Result<Block> Take();
  void Return(Block block);

 private:
  static constexpr size_t kMostKept = 4;

  const uint64_t bytes_;
  std::mutex mutex_;
  std::vector<Block> free_;
};

struct BoundOperator {
  BoundOperator(std::shared_ptr<Device> owner, std::shared_ptr<const DeviceProgram> compiled);

  const std::shared_ptr<Device> device;
  const std::shared_ptr<const DeviceProgram> program;
  const std::vector<size_t> inputs;   // numbers of tensors (schema/arguments.h), in binding order
  const std::vector<size_t> outputs;  // likewise
  const std::shared_ptr<TemporaryPool> temporaries;
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
