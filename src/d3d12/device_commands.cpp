// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Queues, allocators, lists, fences and query heaps of the device.
#include "base/raw_value.h"
#include "d3d12/command_allocator.h"
#include "d3d12/command_list.h"
#include "d3d12/command_queue.h"
#include "d3d12/device.h"
#include "d3d12/fence.h"
#include "d3d12/query_heap.h"

namespace anydml::d3d12 {
namespace {

Status CheckType(const D3D12_COMMAND_LIST_TYPE& type) {
  if (Holds(type, D3D12_COMMAND_LIST_TYPE_DIRECT) || Holds(type, D3D12_COMMAND_LIST_TYPE_COMPUTE) ||
      Holds(type, D3D12_COMMAND_LIST_TYPE_COPY)) {
    return {};
  }
  return InvalidArgument(fmt::format("Type = {} must be DIRECT, COMPUTE or COPY", RawValue(type)));
}

Status CheckNode(UINT node_mask) {
  if (node_mask <= 1) return {};
  return InvalidArgument(fmt::format("NodeMask = {} must be 0 or 1: there is one node", node_mask));
}

Status CheckQueue(const D3D12_COMMAND_QUEUE_DESC* desc) {
  if (desc == nullptr) return InvalidArgument("pDesc must not be null");
  Status status = CheckType(desc->Type);
  if (status.ok()) status = CheckNode(desc->NodeMask);
  if (!status.ok()) return status;
  if (desc->Priority != D3D12_COMMAND_QUEUE_PRIORITY_NORMAL &&
      desc->Priority != D3D12_COMMAND_QUEUE_PRIORITY_HIGH) {
    return InvalidArgument(fmt::format("Priority = {} must be NORMAL or HIGH", desc->Priority));
  }
  if ((RawValue(desc->Flags) & ~UINT{D3D12_COMMAND_QUEUE_FLAG_DISABLE_GPU_TIMEOUT}) != 0) {
    return InvalidArgument(fmt::format("Flags = {} must be known", RawValue(desc->Flags)));
  }
  return {};
}

}  // namespace

HRESULT Device::CreateCommandQueue(const D3D12_COMMAND_QUEUE_DESC* desc, REFIID riid,
                                   void** queue) {
  return Make("CreateCommandQueue", queue, [&]() -> HRESULT {
    const Status status = CheckQueue(desc);
    if (!status.ok()) return Fail("CreateCommandQueue", status.error());
    D3D12_COMMAND_QUEUE_DESC completed = *desc;
    completed.NodeMask = 1;
    cuda::OwnedStream stream;
    if (adapter_->cuda) {
      const cuda::ScopedDevice scope(*adapter_->cuda);
      Result<cuda::OwnedStream> created = cuda::CreateStream();
      if (!created.ok()) return Fail("CreateCommandQueue", created.error());
      stream = std::move(created).value();
    }
    return CreateObject<CommandQueue>(riid, queue, *this, completed, std::move(stream));
  });
}

HRESULT Device::CreateCommandQueue1(const D3D12_COMMAND_QUEUE_DESC* desc, REFIID, REFIID riid,
                                    void** queue) {
  return CreateCommandQueue(desc, riid, queue);
}

HRESULT Device::CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE type, REFIID riid,
                                       void** allocator) {
  return Make("CreateCommandAllocator", allocator, [&]() -> HRESULT {
    const Status status = CheckType(type);
    if (!status.ok()) return Fail("CreateCommandAllocator", status.error());
    return CreateObject<CommandAllocator>(riid, allocator, *this, type);
  });
}

HRESULT Device::CreateCommandList(UINT node_mask, D3D12_COMMAND_LIST_TYPE type,
                                  ID3D12CommandAllocator* allocator, ID3D12PipelineState*,
                                  REFIID riid, void** list) {
  return Make("CreateCommandList", list, [&]() -> HRESULT {
    Status status = CheckType(type);
    if (status.ok()) status = CheckNode(node_mask);
    if (!status.ok()) return Fail("CreateCommandList", status.error());
    ComPtr<CommandList> made;
    made.Attach(new CommandList(*this, type));
    const HRESULT recording = made->Begin("CreateCommandList", allocator);
    if (FAILED(recording)) return recording;
    if (list == nullptr) return CouldProvide<CommandList>(riid);
    return made->Provide(riid, list);
  });
}

HRESULT Device::CreateCommandList1(UINT node_mask, D3D12_COMMAND_LIST_TYPE type,
                                   D3D12_COMMAND_LIST_FLAGS flags, REFIID riid, void** list) {
  return Make("CreateCommandList1", list, [&]() -> HRESULT {
    Status status = CheckType(type);
    if (status.ok()) status = CheckNode(node_mask);
    if (status.ok() && !Holds(flags, D3D12_COMMAND_LIST_FLAG_NONE)) {
      status = InvalidArgument(fmt::format("flags = {} must be 0", RawValue(flags)));
    }
    if (!status.ok()) return Fail("CreateCommandList1", status.error());
    return CreateObject<CommandList>(riid, list, *this, type);
  });
}

HRESULT Device::CreateFence(UINT64 initial_value, D3D12_FENCE_FLAGS flags, REFIID riid,
                            void** fence) {
  return Make("CreateFence", fence, [&]() -> HRESULT {
    constexpr UINT kKnown = D3D12_FENCE_FLAG_SHARED | D3D12_FENCE_FLAG_SHARED_CROSS_ADAPTER |
                            D3D12_FENCE_FLAG_NON_MONITORED;
    if ((RawValue(flags) & ~kKnown) != 0) {
      return Fail("CreateFence",
                  InvalidArgument(fmt::format("Flags = {} must be known", RawValue(flags))));
    }
    return CreateObject<Fence>(riid, fence, *this, initial_value, flags);
  });
}

HRESULT Device::SetEventOnMultipleFenceCompletion(ID3D12Fence* const* fences, const UINT64* values,
                                                  UINT count, D3D12_MULTIPLE_FENCE_WAIT_FLAGS flags,
                                                  HANDLE event) {
  constexpr const char* kMethod = "SetEventOnMultipleFenceCompletion";
  return Call(kMethod, [&] {
    return SetEventOnFences(*this, kMethod, fences, values, count, RawValue(flags), event);
  });
}

HRESULT Device::CreateQueryHeap(const D3D12_QUERY_HEAP_DESC* desc, REFIID riid, void** heap) {
  return Make("CreateQueryHeap", heap, [&]() -> HRESULT {
    if (desc == nullptr || desc->Count == 0 || desc->NodeMask > 1) {
      return Fail("CreateQueryHeap",
                  InvalidArgument("pDesc must be given, Count at least 1, NodeMask 0 or 1"));
    }
    if (!Holds(desc->Type, D3D12_QUERY_HEAP_TYPE_TIMESTAMP) &&
        !Holds(desc->Type, D3D12_QUERY_HEAP_TYPE_COPY_QUEUE_TIMESTAMP)) {
      return Fail("CreateQueryHeap", Unsupported(fmt::format("Type = {} is not TIMESTAMP or "
                                                             "COPY_QUEUE_TIMESTAMP",
                                                             RawValue(desc->Type))));
    }
    const uint64_t bytes = uint64_t{desc->Count} * sizeof(uint64_t);
    Result<std::shared_ptr<Memory>> memory =
        adapter_->cuda ? Memory::AllocateForCuda(bytes, *adapter_->cuda, cuda::Place::kPinnedHost)
                       : Memory::Allocate(bytes);
    if (!memory.ok()) return Fail("CreateQueryHeap", memory.error());
    return CreateObject<QueryHeap>(riid, heap, *this, std::move(memory).value(), desc->Count);
  });
}

}  // namespace anydml::d3d12
