// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// ID3D12QueryHeap: timestamps, which are all that a compute device counts.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "d3d12/object.h"

namespace anydml::d3d12 {

// Written by one queue while another may read.
using Timestamps = std::vector<std::atomic<uint64_t>>;

class QueryHeap final
    : public DeviceChild<QueryHeap, Serves<ID3D12QueryHeap, ID3D12Object, ID3D12DeviceChild,
                                           ID3D12Pageable, ID3D12QueryHeap>> {
 public:
  static constexpr GUID kClassId = {
      0x0b6c1d3a, 0x7f21, 0x4c55, {0x8a, 0x10, 0x61, 0x5e, 0x0d, 0x3b, 0x24, 0x04}};

  QueryHeap(Device& device, UINT count)
      : DeviceChild(device), timestamps_(std::make_shared<Timestamps>(count)) {}

  const std::shared_ptr<Timestamps>& timestamps() const { return timestamps_; }

 private:
  ~QueryHeap() override = default;

  const std::shared_ptr<Timestamps> timestamps_;
};

}  // namespace anydml::d3d12
