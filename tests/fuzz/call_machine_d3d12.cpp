// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include <sys/eventfd.h>
#include <unistd.h>

#include "fuzz/call_machine.h"

namespace anydml::test {

using Microsoft::WRL::ComPtr;

namespace {

// All but the last are known; none has more bits than the enumeration.
D3D12_COMMAND_LIST_TYPE ListType(Bytes& bytes) {
  constexpr D3D12_COMMAND_LIST_TYPE kTypes[] = {
      D3D12_COMMAND_LIST_TYPE_COMPUTE, D3D12_COMMAND_LIST_TYPE_COMPUTE,
      D3D12_COMMAND_LIST_TYPE_DIRECT, D3D12_COMMAND_LIST_TYPE_COPY, D3D12_COMMAND_LIST_TYPE_BUNDLE};
  return bytes.OneOf(kTypes);
}

D3D12_HEAP_TYPE HeapType(Bytes& bytes) {
  constexpr D3D12_HEAP_TYPE kTypes[] = {D3D12_HEAP_TYPE_DEFAULT, D3D12_HEAP_TYPE_DEFAULT,
                                        D3D12_HEAP_TYPE_UPLOAD, D3D12_HEAP_TYPE_READBACK,
                                        D3D12_HEAP_TYPE_CUSTOM};
  return bytes.OneOf(kTypes);
}

}  // namespace

void CallMachine::MakeDevice() {
  ComPtr<ID3D12Device>& device = In(devices_);
  Try([&] {
    return D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0,
                             IID_PPV_ARGS(device.ReleaseAndGetAddressOf()));
  });
  if (device != nullptr) every_device_.push_back(device);
}

void CallMachine::MakeQueue() {
  ID3D12Device* device = In(devices_).Get();
  if (device == nullptr) return;
  D3D12_COMMAND_QUEUE_DESC desc = {};
  desc.Type = ListType(bytes_);
  desc.NodeMask = bytes_.Rarely() ? 2 : 0;
  ComPtr<ID3D12CommandQueue> queue;
  Try([&] {
    return device->CreateCommandQueue(bytes_.Rarely() ? nullptr : &desc, IID_PPV_ARGS(&queue));
  });
  RaiseFences();  // the queue that lay here may wait for one
  In(queues_) = queue;
}

void CallMachine::MakeList() {
  ID3D12Device* device = In(devices_).Get();
  if (device == nullptr) return;
  const D3D12_COMMAND_LIST_TYPE type = ListType(bytes_);
  ComPtr<ID3D12CommandAllocator>& allocator = In(allocators_);
  if (bytes_.Flip()) {
    Try([&] {
      return device->CreateCommandAllocator(type, IID_PPV_ARGS(allocator.ReleaseAndGetAddressOf()));
    });
  }
  ComPtr<ID3D12GraphicsCommandList>& list = In(lists_);
  Try([&] {
    return device->CreateCommandList(0, type, allocator.Get(), nullptr,
                                     IID_PPV_ARGS(list.ReleaseAndGetAddressOf()));
  });
}

void CallMachine::MakeFence() {
  ID3D12Device* device = In(devices_).Get();
  if (device == nullptr) return;
  ComPtr<ID3D12Fence>& fence = In(fences_);
  const auto flags = static_cast<D3D12_FENCE_FLAGS>(bytes_.Rarely() ? bytes_.Below(8) : 0);
  Try([&] {
    return device->CreateFence(Number(0), flags, IID_PPV_ARGS(fence.ReleaseAndGetAddressOf()));
  });
  if (fence != nullptr) every_fence_.push_back(fence);
}

void CallMachine::MakeDescriptors() {
  ID3D12Device* device = In(devices_).Get();
  if (device == nullptr) return;
  const D3D12_DESCRIPTOR_HEAP_DESC desc = {
      static_cast<D3D12_DESCRIPTOR_HEAP_TYPE>(bytes_.Rarely() ? bytes_.Below(5) : 0),
      bytes_.Rarely() ? 0 : 1 + bytes_.Below(4),
      bytes_.Flip() ? D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE : D3D12_DESCRIPTOR_HEAP_FLAG_NONE,
      0};
  ComPtr<ID3D12DescriptorHeap>& heap = In(descriptors_);
  Try([&] {
    return device->CreateDescriptorHeap(&desc, IID_PPV_ARGS(heap.ReleaseAndGetAddressOf()));
  });
}

void CallMachine::MakeHeap() {
  ID3D12Device* device = In(devices_).Get();
  if (device == nullptr) return;
  D3D12_HEAP_DESC desc = {};
  desc.SizeInBytes = MemorySize(65536 * (1 + bytes_.Below(4)));
  desc.Properties.Type = HeapType(bytes_);
  desc.Flags = D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS;
  ComPtr<ID3D12Heap>& heap = In(heaps_);
  Try([&] { return device->CreateHeap(&desc, IID_PPV_ARGS(heap.ReleaseAndGetAddressOf())); });
}

void CallMachine::MakeBuffer() {
  ID3D12Device* device = In(devices_).Get();
  if (device == nullptr) return;
  const D3D12_HEAP_TYPE type = HeapType(bytes_);
  const auto flags =
      bytes_.Flip() ? D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS : D3D12_RESOURCE_FLAG_NONE;
  D3D12_RESOURCE_DESC desc = d3d12::BufferOf(MemorySize(1024 * (1 + bytes_.Below(255))), flags);
  if (bytes_.Rarely()) desc.Height = 2;
  const D3D12_RESOURCE_STATES state =
      bytes_.Rarely() ? D3D12_RESOURCE_STATE_COPY_SOURCE : d3d12::FirstState(type);
  ComPtr<ID3D12Resource>& buffer = In(buffers_);
  if (bytes_.Flip()) {
    ID3D12Heap* heap = In(heaps_).Get();
    const uint64_t offset = Number(65536 * bytes_.Below(3));
    Try([&] {
      return device->CreatePlacedResource(heap, offset, &desc, state, nullptr,
                                          IID_PPV_ARGS(buffer.ReleaseAndGetAddressOf()));
    });
    return;
  }
  const D3D12_HEAP_PROPERTIES properties = d3d12::HeapOf(type);
  Try([&] {
    return device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc, state, nullptr,
                                           IID_PPV_ARGS(buffer.ReleaseAndGetAddressOf()));
  });
}

void CallMachine::UseList() {
  ID3D12GraphicsCommandList* list = In(lists_).Get();
  ID3D12CommandAllocator* allocator = In(allocators_).Get();
  if (list == nullptr) return;
  switch (bytes_.Below(7)) {
    case 0:
      return Try([&] { return list->Close(); });
    case 1:
      return Try([&] { return list->Reset(allocator, nullptr); });
    case 2:
      if (allocator != nullptr) Try([&] { return allocator->Reset(); });
      return;
    case 3: {
      const uint64_t to = Number(16), from = Number(0);
      return list->CopyBufferRegion(In(buffers_).Get(), to, In(buffers_).Get(), from, Number(256));
    }
    case 4:
      return list->CopyResource(In(buffers_).Get(), In(buffers_).Get());
    case 5: {
      D3D12_RESOURCE_BARRIER barrier = {};
      barrier.Type = static_cast<D3D12_RESOURCE_BARRIER_TYPE>(bytes_.Below(4));
      if (barrier.Type == D3D12_RESOURCE_BARRIER_TYPE_UAV) {
        barrier.UAV.pResource = In(buffers_).Get();
      } else {
        barrier.Transition.pResource = In(buffers_).Get();
        barrier.Transition.StateAfter = D3D12_RESOURCE_STATE_UNORDERED_ACCESS;
      }
      return list->ResourceBarrier(1, bytes_.Rarely() ? nullptr : &barrier);
    }
    default: {
      ID3D12DescriptorHeap* heaps[] = {In(descriptors_).Get()};
      return list->SetDescriptorHeaps(1, heaps);
    }
  }
}

void CallMachine::UseQueue() {
  ID3D12CommandQueue* queue = In(queues_).Get();
  if (queue == nullptr) return;
  ID3D12Fence* fence = In(fences_).Get();
  switch (bytes_.Below(4)) {
    case 0:
      return Try([&] { return queue->Signal(fence, Number(1 + bytes_.Below(8))); });
    case 1:
      return Try([&] { return queue->Wait(fence, 1 + bytes_.Below(8)); });
    default: {
      ID3D12CommandList* lists[] = {In(lists_).Get(), In(lists_).Get()};
      return queue->ExecuteCommandLists(1 + bytes_.Below(2), lists);
    }
  }
}

void CallMachine::UseFence() {
  ID3D12Fence* fence = In(fences_).Get();
  if (fence == nullptr) return;
  switch (bytes_.Below(3)) {
    case 0:
      return Try([&] { return fence->Signal(Number(1 + bytes_.Below(8))); });
    case 1:
      // 0 is not waited for. The value that the fence has now might be: a queue's signal may
      // lower it between the two calls, and nobody would ever raise it again.
      return Try([&] { return fence->SetEventOnCompletion(0, nullptr); });
    default: {
      const int event = eventfd(0, EFD_NONBLOCK);
      const int given = bytes_.Rarely() ? 0x7FFFFFFF : event;
      Try([&] {
        return fence->SetEventOnCompletion(Number(bytes_.Below(8)),
                                           reinterpret_cast<HANDLE>(static_cast<intptr_t>(given)));
      });
      close(event);
    }
  }
}

void CallMachine::UseBuffer() {
  ID3D12Resource* buffer = In(buffers_).Get();
  if (buffer == nullptr) return;
  const D3D12_RANGE range = {static_cast<SIZE_T>(Number(0)), static_cast<SIZE_T>(Number(64))};
  const UINT subresource = bytes_.Rarely() ? 1 : 0;
  void* data = nullptr;
  HRESULT code = S_OK;
  Try([&] { return code = buffer->Map(subresource, bytes_.Flip() ? &range : nullptr, &data); });
  const uint64_t width = buffer->GetDesc().Width;
  if (code == S_OK && data != nullptr) {
    static_cast<uint8_t*>(data)[0] = 1;
    static_cast<uint8_t*>(data)[width - 1] = 2;
  }
  if (bytes_.Flip()) buffer->Unmap(subresource, bytes_.Flip() ? &range : nullptr);
}

// A view at any handle, and a clear through it.
void CallMachine::UseView() {
  ID3D12Device* device = In(devices_).Get();
  ID3D12DescriptorHeap* heap = In(descriptors_).Get();
  ID3D12GraphicsCommandList* list = In(lists_).Get();
  if (device == nullptr || heap == nullptr) return;
  ID3D12Resource* buffer = In(buffers_).Get();
  D3D12_UNORDERED_ACCESS_VIEW_DESC desc = {};
  desc.ViewDimension = D3D12_UAV_DIMENSION_BUFFER;
  desc.Format = bytes_.Flip() ? DXGI_FORMAT_R32_FLOAT : DXGI_FORMAT_R16_UINT;
  desc.Buffer.FirstElement = Number(0);
  desc.Buffer.NumElements = static_cast<UINT>(Number(16));
  const SIZE_T step = device->GetDescriptorHandleIncrementSize(heap->GetDesc().Type);
  const SIZE_T past = step * bytes_.Below(6);
  D3D12_CPU_DESCRIPTOR_HANDLE cpu = heap->GetCPUDescriptorHandleForHeapStart();
  cpu.ptr += past;
  device->CreateUnorderedAccessView(buffer, nullptr, bytes_.Rarely() ? nullptr : &desc, cpu);
  if (list == nullptr || !bytes_.Flip()) return;
  D3D12_GPU_DESCRIPTOR_HANDLE gpu = {};
  if ((heap->GetDesc().Flags & D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE) != 0) {
    gpu = heap->GetGPUDescriptorHandleForHeapStart();
  }
  gpu.ptr += past;
  const UINT values[4] = {1, 2, 3, 4};
  const D3D12_RECT rect = {0, 0, static_cast<LONG>(Number(4)), 1};
  list->ClearUnorderedAccessViewUint(gpu, cpu, In(buffers_).Get(), values, bytes_.Flip() ? 1 : 0,
                                     &rect);
}

}  // namespace anydml::test
