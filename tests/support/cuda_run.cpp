// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "support/cuda_run.h"

namespace anydml::test {
namespace {

// A TensorMemory's bytes, guards included, on the current device, at the same
// distance from a 64-byte boundary.
class Mirror {
 public:
  Status Send(TensorMemory& memory) {
    host_ = &memory;
    Result<cuda::Memory> device = cuda::Allocate(memory.storage().size() + 64);
    if (!device.ok()) return device.error();
    device_ = std::move(device).value();
    return cuda::Copy(begin(), memory.storage().data(), memory.storage().size(), nullptr);
  }
  Status Fetch() {
    return cuda::Copy(host_->storage().data(), begin(), host_->storage().size(), nullptr);
  }
  void* data() const { return host_->desc().present() ? begin() + host_->start() : nullptr; }

 private:
  uint8_t* begin() const {
    const auto address = reinterpret_cast<uintptr_t>(host_->storage().data());
    return static_cast<uint8_t*>(device_.get()) + address % 64;
  }

  TensorMemory* host_ = nullptr;
  cuda::Memory device_;
};

Status SendAll(std::span<TensorMemory> from, std::vector<Mirror>& to) {
  for (TensorMemory& memory : from) {
    Status status = to.emplace_back().Send(memory);
    if (!status.ok()) return status;
  }
  return {};
}

Status FetchAll(std::vector<Mirror>& from) {
  for (Mirror& mirror : from) {
    Status status = mirror.Fetch();
    if (!status.ok()) return status;
  }
  return cuda::Synchronize(nullptr);
}

}  // namespace

std::vector<const CudaStrategy*> AcceptingCudaStrategies(const Operator& op) {
  const CudaKernel* kernel = FindCudaKernel(*op.definition->kernel);
  std::vector<const CudaStrategy*> strategies;
  if (kernel == nullptr) return strategies;
  const std::shared_ptr<const void> plan = op.definition->kernel->make_plan(op.desc.get());
  for (const CudaStrategy& strategy : kernel->strategies) {
    if (strategy.accepts(plan.get()).accepted()) strategies.push_back(&strategy);
  }
  return strategies;
}

Status RunOnCuda(const CudaProgram& program, std::span<TensorMemory> inputs,
                 std::span<TensorMemory> outputs, std::optional<size_t> in_place_on) {
  const cuda::ScopedDevice device(program.ordinal);
  std::vector<Mirror> sent, made;
  Status status = SendAll(inputs, sent);
  if (status.ok()) status = SendAll(outputs, made);
  if (!status.ok()) return status;
  Result<cuda::Memory> temporary = cuda::Allocate(program.temporary_bytes + 256);
  if (!temporary.ok()) return temporary.error();
  // No kernel may count on zeros.
  status = cuda::Fill(temporary.value().get(), 0xA5, program.temporary_bytes, nullptr);
  if (!status.ok()) return status;
  Bindings bindings;
  for (size_t i = 0; i < sent.size(); ++i) bindings.inputs[i] = sent[i].data();
  for (size_t i = 0; i < made.size(); ++i) bindings.outputs[i] = made[i].data();
  if (in_place_on) bindings.outputs[0] = sent[*in_place_on].data();
  bindings.temporary = temporary.value().get();
  status = Launch(program, bindings, nullptr);
  if (status.ok()) status = FetchAll(sent);
  if (status.ok()) status = FetchAll(made);
  return status;
}

}  // namespace anydml::test
