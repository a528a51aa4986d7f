// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "staging.h"

#include "backends/cuda/send.h"

namespace anydml::tool {

Result<uint8_t*> Staging::Send(uint8_t* data, uint64_t bytes) {
  const auto found = copies_.find(data);
  if (found != copies_.end()) return static_cast<uint8_t*>(found->second.memory.get());
  const cuda::ScopedDevice device(ordinal_);
  Result<cuda::Memory> memory = cuda::Send(data, bytes);
  if (!memory.ok()) return memory.error();
  auto* address = static_cast<uint8_t*>(memory.value().get());
  copies_.emplace(data, Copied{bytes, std::move(memory).value()});
  return address;
}

Status Staging::Fetch() {
  const cuda::ScopedDevice device(ordinal_);
  for (const auto& [data, copied] : copies_) {
    Status status = cuda::Copy(data, copied.memory.get(), copied.bytes, nullptr);
    if (!status.ok()) return status;
  }
  return cuda::Synchronize(nullptr);
}

}  // namespace anydml::tool
