// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// ID3D12CommandQueue: runs what is submitted, in order, on a thread of its own.
#pragma once

#include <memory>

#include "backends/cpu/task_queue.h"
#include "d3d12/object.h"
#include "d3d12/queue_runner.h"

namespace anydml::d3d12 {

class CommandQueue final
    : public DeviceChild<CommandQueue, Serves<ID3D12CommandQueue, ID3D12Object, ID3D12DeviceChild,
                                              ID3D12Pageable, ID3D12CommandQueue>> {
 public:
  static constexpr GUID kClassId = ClassId(0x08);

  // The stream is empty for the CPU.
  CommandQueue(Device& device, const D3D12_COMMAND_QUEUE_DESC& desc, cuda::OwnedStream stream)
      : DeviceChild(device),
        desc_(desc),
        runner_(std::make_shared<QueueRunner>(device, std::move(stream))) {}

  // Owns the work from here on: lists and allocators may be reset at once.
  void STDMETHODCALLTYPE ExecuteCommandLists(UINT count, ID3D12CommandList* const* lists) override;
  HRESULT STDMETHODCALLTYPE Signal(ID3D12Fence* fence, UINT64 value) override;
  HRESULT STDMETHODCALLTYPE Wait(ID3D12Fence* fence, UINT64 value) override;
  HRESULT STDMETHODCALLTYPE GetTimestampFrequency(UINT64* frequency) override;
  HRESULT STDMETHODCALLTYPE GetClockCalibration(UINT64* gpu, UINT64* cpu) override;
  D3D12_COMMAND_QUEUE_DESC STDMETHODCALLTYPE GetDesc() override { return desc_; }

  void STDMETHODCALLTYPE SetMarker(UINT, const void*, UINT) override {}
  void STDMETHODCALLTYPE BeginEvent(UINT, const void*, UINT) override {}
  void STDMETHODCALLTYPE EndEvent() override {}
  void STDMETHODCALLTYPE UpdateTileMappings(ID3D12Resource*, UINT,
                                            const D3D12_TILED_RESOURCE_COORDINATE*,
                                            const D3D12_TILE_REGION_SIZE*, ID3D12Heap*, UINT,
                                            const D3D12_TILE_RANGE_FLAGS*, const UINT*, const UINT*,
                                            D3D12_TILE_MAPPING_FLAGS) override;
  void STDMETHODCALLTYPE CopyTileMappings(ID3D12Resource*, const D3D12_TILED_RESOURCE_COORDINATE*,
                                          ID3D12Resource*, const D3D12_TILED_RESOURCE_COORDINATE*,
                                          const D3D12_TILE_REGION_SIZE*,
                                          D3D12_TILE_MAPPING_FLAGS) override;

 private:
  using Batch = QueueRunner::Batch;

  // Waits until the work is done. On the queue's own thread, where that cannot be,
  // the thread goes on without the queue.
  ~CommandQueue() override;
  Result<Batch> Collect(UINT count, ID3D12CommandList* const* lists, bool& late_error);

  const D3D12_COMMAND_QUEUE_DESC desc_;
  const std::shared_ptr<QueueRunner> runner_;
  cpu::TaskQueue tasks_;
};

}  // namespace anydml::d3d12
