// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// ID3D12QueryHeap: timestamps, which are all that a compute device counts.
#pragma once

#include <atomic>
#include <memory>

#include "d3d12/memory.h"
#include "d3d12/object.h"

namespace anydml::d3d12 {

// Written by one queue while another may read. On a CUDA device they lie where it
// can write them.
class Timestamps {
 public:
  Timestamps(std::shared_ptr<Memory> memory, uint64_t count)
      : memory_(std::move(memory)), count_(count) {}

  uint64_t size() const { return count_; }
  uint64_t* data() const { return reinterpret_cast<uint64_t*>(memory_->data()); }
  std::atomic_ref<uint64_t> At(uint64_t i) const { return std::atomic_ref(data()[i]); }

 private:
  const std::shared_ptr<Memory> memory_;
  const uint64_t count_;
};

class QueryHeap final
    : public DeviceChild<QueryHeap, Serves<ID3D12QueryHeap, ID3D12Object, ID3D12DeviceChild,
                                           ID3D12Pageable, ID3D12QueryHeap>> {
 public:
  static constexpr GUID kClassId = ClassId(0x04);

  QueryHeap(Device& device, std::shared_ptr<Memory> memory, UINT count)
      : DeviceChild(device), timestamps_(std::make_shared<Timestamps>(std::move(memory), count)) {}

  const std::shared_ptr<Timestamps>& timestamps() const { return timestamps_; }

 private:
  ~QueryHeap() override = default;

  const std::shared_ptr<Timestamps> timestamps_;
};

}  // namespace anydml::d3d12
