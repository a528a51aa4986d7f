// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "d3d12/command_queue.h"

#include "d3d12/clock.h"
#include "d3d12/device.h"

namespace anydml::d3d12 {

CommandQueue::~CommandQueue() { runner_->SetReleased(); }

Result<CommandQueue::Batch> CommandQueue::Collect(UINT count, ID3D12CommandList* const* lists,
                                                  bool& late_error) {
  if (count == 0 || lists == nullptr) return InvalidArgument("command lists are missing");
  std::vector<ComPtr<CommandList>> ours;
  for (UINT i = 0; i < count; ++i) {
    ours.push_back(As<CommandList>(lists[i]));
    const CommandList* list = ours.back().Get();
    if (list == nullptr || &list->device() != &device() || list->type() != desc_.Type) {
      return InvalidArgument(fmt::format(
          "ppCommandLists[{}] must be a list of this device and of the type of the queue", i));
    }
    if (!list->closed()) {
      return InvalidArgument(
          fmt::format("ppCommandLists[{}] must be closed, and Close must have succeeded", i));
    }
  }
  Batch batch;
  for (const ComPtr<CommandList>& list : ours) {
    Result<std::shared_ptr<const WorkList>> works = list->Submit();
    if (!works.ok()) {
      late_error = true;
      return works.error();
    }
    batch.push_back(std::move(works).value());
  }
  return batch;
}

void CommandQueue::ExecuteCommandLists(UINT count, ID3D12CommandList* const* lists) {
  if (FAILED(CheckAlive(device(), "ExecuteCommandLists"))) return;
  const HRESULT result = Call("ExecuteCommandLists", [&]() -> HRESULT {
    bool late_error = false;
    Result<Batch> batch = Collect(count, lists, late_error);
    if (!batch.ok()) {
      // Direct3D 12 drops a call with lists that cannot run; a binding that turns
      // out wrong now is DirectML's, whose void methods remove the device.
      if (late_error) {
        device().Remove(ToHresult(batch.error().code), batch.error().message);
        return S_FALSE;
      }
      device().Fail("ExecuteCommandLists", batch.error());
      return S_FALSE;
    }
    auto shared = std::make_shared<const Batch>(std::move(batch).value());
    const Status queued = tasks_.Submit([runner = runner_, shared] { runner->Run(*shared); });
    if (!queued.ok()) device().Remove(ToHresult(queued.error().code), queued.error().message);
    return S_OK;
  });
  if (FAILED(result)) device().Remove(result, "ExecuteCommandLists: not enough memory");
}

HRESULT CommandQueue::Signal(ID3D12Fence* fence, UINT64 value) {
  return CallAlive("Signal", [&]() -> HRESULT {
    const ComPtr<Fence> ours = As<Fence>(fence);
    if (ours == nullptr) {
      return device().Fail(E_INVALIDARG, "Signal: pFence must be a fence of this library");
    }
    // Raised when the thread has left the library: who waits for the fence may fork.
    const Status queued = tasks_.Submit([runner = runner_] { runner->Finish(); },
                                        [ours, value] { ours->Raise(value); });
    return queued.ok() ? S_OK : device().Fail("Signal", queued.error());
  });
}

HRESULT CommandQueue::Wait(ID3D12Fence* fence, UINT64 value) {
  return CallAlive("Wait", [&]() -> HRESULT {
    const ComPtr<Fence> ours = As<Fence>(fence);
    if (ours == nullptr) {
      return device().Fail(E_INVALIDARG, "Wait: pFence must be a fence of this library");
    }
    if (ours->IsLeftToParent(value)) {
      return device().Fail("Wait", Unsupported(std::string(kLeftToParent)));
    }
    const Status queued =
        tasks_.Submit([runner = runner_, ours, value] { runner->Block(*ours.Get(), value); });
    return queued.ok() ? S_OK : device().Fail("Wait", queued.error());
  });
}

HRESULT CommandQueue::GetTimestampFrequency(UINT64* frequency) {
  if (frequency == nullptr) {
    return Complain(E_INVALIDARG, "GetTimestampFrequency", "pFrequency must not be null");
  }
  *frequency = kTicksPerSecond;
  return S_OK;
}

HRESULT CommandQueue::GetClockCalibration(UINT64* gpu, UINT64* cpu) {
  if (gpu == nullptr || cpu == nullptr) {
    return Complain(E_INVALIDARG, "GetClockCalibration", "both pointers must not be null");
  }
  *gpu = *cpu = Ticks();
  return S_OK;
}

void CommandQueue::UpdateTileMappings(ID3D12Resource*, UINT, const D3D12_TILED_RESOURCE_COORDINATE*,
                                      const D3D12_TILE_REGION_SIZE*, ID3D12Heap*, UINT,
                                      const D3D12_TILE_RANGE_FLAGS*, const UINT*, const UINT*,
                                      D3D12_TILE_MAPPING_FLAGS) {
  Complain(E_NOTIMPL, "UpdateTileMappings", "there are no tiles here");
}

void CommandQueue::CopyTileMappings(ID3D12Resource*, const D3D12_TILED_RESOURCE_COORDINATE*,
                                    ID3D12Resource*, const D3D12_TILED_RESOURCE_COORDINATE*,
                                    const D3D12_TILE_REGION_SIZE*, D3D12_TILE_MAPPING_FLAGS) {
  Complain(E_NOTIMPL, "CopyTileMappings", "there are no tiles here");
}

}  // namespace anydml::d3d12
