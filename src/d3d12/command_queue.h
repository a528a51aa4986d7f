// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// ID3D12CommandQueue: runs what is submitted, in order, on a thread of its own.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "backends/cpu/task_queue.h"
#include "d3d12/command_list.h"
#include "d3d12/fence.h"
#include "d3d12/object.h"

namespace anydml::d3d12 {

class CommandQueue final
    : public DeviceChild<CommandQueue, Serves<ID3D12CommandQueue, ID3D12Object, ID3D12DeviceChild,
                                              ID3D12Pageable, ID3D12CommandQueue>> {
 public:
  static constexpr GUID kClassId = {
      0x0b6c1d3a, 0x7f21, 0x4c55, {0x8a, 0x10, 0x61, 0x5e, 0x0d, 0x3b, 0x24, 0x08}};

  CommandQueue(Device& device, const D3D12_COMMAND_QUEUE_DESC& desc)
      : DeviceChild(device), desc_(desc) {}

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
  using Batch = std::vector<std::shared_ptr<const WorkList>>;

  // Waits until the work is done.
  ~CommandQueue() override;
  Result<Batch> Collect(UINT count, ID3D12CommandList* const* lists, bool& late_error);
  // On the queue's thread.
  void Run(const Batch& batch);
  void RunWorks(const WorkList& works);
  void Block(Fence& fence, UINT64 value);

  const D3D12_COMMAND_QUEUE_DESC desc_;
  std::atomic<bool> released_{false};
  cpu::TaskQueue tasks_;  // last: its thread uses all of the above
};

}  // namespace anydml::d3d12
