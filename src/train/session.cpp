// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "train/session.h"

#include <fmt/format.h>

#include "base/escaped.h"

namespace anydml::train {

Result<Session> Session::Create(const Place& place, const graph::Values& values,
                                std::span<const GraphValue> outputs,
                                const std::vector<bool>& is_fed,
                                std::span<const graph::SharedMemory> shared) {
  Result<graph::Graph> graph = values.Build(outputs, place.options, shared);
  if (!graph.ok()) return graph.error();
  Result<std::shared_ptr<const graph::Program>> program = graph::Compile(graph.value(), place.cuda);
  if (!program.ok()) return program.error();
  Session session;
  session.place_ = place;
  session.program_ = std::move(program).value();
  Result<DeviceMemory> temporary = DeviceMemory::Allocate(place, session.program_->temporary_bytes);
  if (!temporary.ok()) return temporary.error();
  session.temporary_ = std::move(temporary).value();
  for (uint32_t i = 0; i < values.inputs().size(); ++i) {
    if (!is_fed[i]) continue;
    const TensorDesc& tensor = values.inputs()[i].tensor;
    // None for an input that no node reads.
    const uint64_t bytes = session.program_->inputs[i].bytes == 0 ? 0 : tensor.total_bytes;
    Result<DeviceMemory> memory = DeviceMemory::Allocate(place, bytes);
    if (!memory.ok()) return memory.error();
    session.feeds_.push_back({values.input_names()[i], tensor, i, std::move(memory).value()});
  }
  return session;
}

uint64_t Session::memory_bytes() const {
  uint64_t bytes = temporary_.bytes();
  for (const Feed& feed : feeds_) bytes += feed.memory.bytes();
  for (const graph::Step& step : program_->steps) {
    for (const graph::Stage& stage : step.stages) bytes += stage.program.table_bytes();
  }
  return bytes;
}

Status Session::Run(std::span<const void* const> fed, std::vector<const void*>& inputs,
                    std::span<void* const> outputs) {
  if (fed.size() != feeds_.size()) {
    return InvalidArgument(
        fmt::format("this graph is fed {} inputs, not {}", feeds_.size(), fed.size()));
  }
  for (size_t i = 0; i < feeds_.size(); ++i) {
    if (feeds_[i].memory.bytes() == 0) continue;
    if (fed[i] == nullptr) {
      return InvalidArgument(
          fmt::format("the memory of input '{}' must not be null", Escaped(feeds_[i].name)));
    }
    // Its last word may be longer than the tensor.
    const TensorDesc& tensor = feeds_[i].tensor;
    Status status =
        feeds_[i].memory.Write(fed[i], tensor.ElementCount() * ElementSize(tensor.data_type));
    if (!status.ok()) return status;
    inputs[feeds_[i].input] = feeds_[i].memory.get();
  }
  const graph::Addresses addresses = {inputs, outputs, temporary_.get()};
  if (place_.cuda) return graph::Launch(*program_, addresses, nullptr);
  return graph::Run(*program_, addresses, *place_.executor);
}

}  // namespace anydml::train
