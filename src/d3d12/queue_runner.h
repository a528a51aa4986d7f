// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What a queue's thread needs. The thread shares it with the queue, because the
// program may release the queue on that very thread, from a callback of the info
// queue, while a list runs.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "d3d12/command_list.h"
#include "d3d12/cuda_replay.h"
#include "d3d12/fence.h"

namespace anydml::d3d12 {

class QueueRunner {
 public:
  using Batch = std::vector<std::shared_ptr<const WorkList>>;

  // Holds the device. The stream is empty for the CPU.
  QueueRunner(Device& device, cuda::OwnedStream stream)
      : interface_(InterfaceOf(device)), device_(device), stream_(std::move(stream)) {}

  // On the queue's thread.
  void Run(const Batch& batch);
  // What was put on the stream is done; only then a fence may be raised.
  void Finish();
  void Block(Fence& fence, UINT64 value);

  // Nobody can submit any more, so waiting has an end.
  void SetReleased() { released_ = true; }

 private:
  Status RunWorks(const std::shared_ptr<const WorkList>& works);

  const ComPtr<ID3D12Device> interface_;
  Device& device_;
  const cuda::OwnedStream stream_;
  CudaReplay replay_;
  std::atomic<bool> released_{false};
};

}  // namespace anydml::d3d12
