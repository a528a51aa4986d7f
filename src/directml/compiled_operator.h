// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// IDMLCompiledOperator: a program, made from one operator or from a graph, and
// the layout of its persistent resource.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "directml/device.h"
#include "graph/program.h"

namespace anydml::directml {

// DML_PERSISTENT_BUFFER_ALIGNMENT
inline constexpr uint64_t kPersistentAlignment = 256;

// Where the copies of the OWNED_BY_DML inputs lie.
struct PersistentLayout {
  std::vector<uint64_t> offsets;  // by input; unused for one that is not owned
  uint64_t bytes = 0;
};

// Shared with work in queues. Initialisation happens when its work runs, not
// when it is recorded: lists may be recorded in any order.
class Initialization {
 public:
  // False when it was done before. `persistent` is where the copies go.
  bool Begin(const void* persistent) {
    const void* none = nullptr;
    return persistent_.compare_exchange_strong(none, persistent == nullptr ? this : persistent);
  }
  bool done() const { return persistent_ != nullptr; }
  // The resource that was written is the one that must be bound (D12).
  bool Wrote(const void* persistent) const {
    return persistent_ == (persistent == nullptr ? this : persistent);
  }

 private:
  std::atomic<const void*> persistent_ = nullptr;  // this: nothing to keep
};

class CompiledOperator final
    : public DeviceChild<CompiledOperator,
                         Serves<IDMLCompiledOperator, IDMLObject, IDMLDeviceChild, IDMLPageable,
                                IDMLDispatchable, IDMLCompiledOperator>> {
 public:
  static constexpr GUID kClassId = d3d12::ClassId(0x14);

  CompiledOperator(Device& device, std::shared_ptr<const graph::Program> program,
                   DML_EXECUTION_FLAGS flags);

  DML_BINDING_PROPERTIES STDMETHODCALLTYPE GetBindingProperties() override;

  const std::shared_ptr<const graph::Program>& program() const { return program_; }
  const PersistentLayout& persistent() const { return persistent_; }
  const std::shared_ptr<Initialization>& initialization() const { return initialization_; }
  // True once: programs dispatch an operator thousands of times, and the info
  // queue is short.
  bool MayTellOfRunningInPlace() const { return !told_of_running_in_place_.exchange(true); }
  bool is_bound_late() const { return (flags_ & DML_EXECUTION_FLAG_DESCRIPTORS_VOLATILE) != 0; }

 private:
  const std::shared_ptr<const graph::Program> program_;
  const DML_EXECUTION_FLAGS flags_;
  const PersistentLayout persistent_;
  const std::shared_ptr<Initialization> initialization_ = std::make_shared<Initialization>();
  mutable std::atomic<bool> told_of_running_in_place_ = false;
};

}  // namespace anydml::directml
