// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What a device makes by its newer methods, on memory of the program too, and what it
// does with several objects at once.
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/call_machine.h"

namespace anydml::test {

using Microsoft::WRL::ComPtr;

namespace {

constexpr size_t kBlock = 65536;
constexpr size_t kBlocks = 4;

// Memory of the program between pages that nobody may touch: a heap from any of its
// addresses ends where it ends, and so does whatever is placed on it.
std::byte* ProgramMemory() {
  static std::byte* const memory = [] {
    void* start =
        mmap(nullptr, (kBlocks + 2) * kBlock, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    Require(start != MAP_FAILED, "no address space");
    std::byte* inside = static_cast<std::byte*>(start) + kBlock;
    Require(mprotect(inside, kBlocks * kBlock, PROT_READ | PROT_WRITE) == 0, "no memory");
    return inside;
  }();
  return memory;
}

const void* AnyAddress(Bytes& bytes) {
  alignas(16) static constexpr std::byte kReadOnly[16] = {};
  std::byte* const memory = ProgramMemory();
  switch (bytes.Below(8)) {
    case 0:
      return nullptr;
    case 1:
      return memory + 1 + bytes.Below(15);
    case 2:
      return memory - 16;
    case 3:
      return memory + kBlocks * kBlock;
    case 4:
      return kReadOnly;
    case 5:
      return memory + kBlocks * kBlock - 16;
    default:
      return memory + size_t{16} * bytes.Below(4);
  }
}

}  // namespace

void CallMachine::MakeOtherBuffer(ID3D12Device9* device) {
  D3D12_RESOURCE_DESC1 desc = {};
  const D3D12_RESOURCE_DESC usual = d3d12::BufferOf(MemorySize(1024 * (1 + bytes_.Below(64))),
                                                    D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS);
  std::memcpy(&desc, &usual, sizeof usual);
  if (bytes_.Rarely()) SetEnum(desc.Layout, 4);
  if (bytes_.Rarely()) desc.SamplerFeedbackMipRegion.Width = 1;
  ComPtr<ID3D12Resource>& buffer = In(buffers_);
  // Passed as they are: a variable of the type would be loaded, which such a number is not.
  const uint64_t state = Number(0);
  if (bytes_.Flip()) {
    ID3D12Heap* heap = In(heaps_).Get();
    const uint64_t offset = Number(65536 * bytes_.Below(3));
    return Try([&] {
      return device->CreatePlacedResource1(heap, offset, bytes_.Rarely() ? nullptr : &desc,
                                           static_cast<D3D12_RESOURCE_STATES>(state), nullptr,
                                           IID_PPV_ARGS(buffer.ReleaseAndGetAddressOf()));
    });
  }
  D3D12_HEAP_PROPERTIES properties = d3d12::HeapOf(D3D12_HEAP_TYPE_CUSTOM);
  SetEnum(properties.CPUPageProperty, 4);
  SetEnum(properties.MemoryPoolPreference, 3);
  const uint64_t flags = Number(0);
  if (bytes_.Flip()) {
    return Try([&] {
      return device->CreateCommittedResource(&properties, static_cast<D3D12_HEAP_FLAGS>(flags),
                                             &usual, static_cast<D3D12_RESOURCE_STATES>(state),
                                             nullptr,
                                             IID_PPV_ARGS(buffer.ReleaseAndGetAddressOf()));
    });
  }
  Try([&] {
    return device->CreateCommittedResource2(&properties, static_cast<D3D12_HEAP_FLAGS>(flags),
                                            bytes_.Rarely() ? nullptr : &desc,
                                            static_cast<D3D12_RESOURCE_STATES>(state), nullptr,
                                            nullptr, IID_PPV_ARGS(buffer.ReleaseAndGetAddressOf()));
  });
}

void CallMachine::MakeOtherQueue(ID3D12Device9* device) {
  if (bytes_.Flip()) {
    const uint64_t flags = Number(0);
    const uint64_t type = Number(bytes_.Below(4));
    ComPtr<ID3D12GraphicsCommandList>& list = In(lists_);
    return Try([&] {
      return device->CreateCommandList1(0, static_cast<D3D12_COMMAND_LIST_TYPE>(type),
                                        static_cast<D3D12_COMMAND_LIST_FLAGS>(flags),
                                        IID_PPV_ARGS(list.ReleaseAndGetAddressOf()));
    });
  }
  D3D12_COMMAND_QUEUE_DESC desc = {};
  SetEnum(desc.Type, 4);
  desc.Priority = static_cast<INT>(Number(0));
  if (bytes_.Rarely()) SetEnum(desc.Flags, 4);
  ComPtr<ID3D12CommandQueue> queue;
  Try([&] { return device->CreateCommandQueue1(&desc, {}, IID_PPV_ARGS(&queue)); });
  RaiseFences();  // the queue that lay here may wait for one
  In(queues_) = queue;
}

void CallMachine::MakeOther() {
  const ComPtr<ID3D12Device9> device = AnyDevice();
  if (device == nullptr) return;
  switch (bytes_.Below(5)) {
    case 0: {
      const void* address = AnyAddress(bytes_);
      ComPtr<ID3D12Heap>& heap = In(heaps_);
      return Try([&] {
        return device->OpenExistingHeapFromAddress(address,
                                                   IID_PPV_ARGS(heap.ReleaseAndGetAddressOf()));
      });
    }
    case 1: {
      D3D12_HEAP_DESC desc = {MemorySize(65536 * bytes_.Below(4)), {}, Number(0), {}};
      SetEnum(desc.Properties.Type, 6);
      if (bytes_.Rarely()) SetEnum(desc.Flags, 256);
      ComPtr<ID3D12Heap>& heap = In(heaps_);
      return Try([&] {
        return device->CreateHeap1(bytes_.Rarely() ? nullptr : &desc, nullptr,
                                   IID_PPV_ARGS(heap.ReleaseAndGetAddressOf()));
      });
    }
    case 2: {
      D3D12_QUERY_HEAP_DESC desc = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, bytes_.Below(9), 0};
      if (bytes_.Rarely()) SetEnum(desc.Type, 8);
      ComPtr<ID3D12QueryHeap>& heap = In(queries_);
      return Try([&] {
        return device->CreateQueryHeap(bytes_.Rarely() ? nullptr : &desc,
                                       IID_PPV_ARGS(heap.ReleaseAndGetAddressOf()));
      });
    }
    case 3:
      return MakeOtherBuffer(device.Get());
    default:
      return MakeOtherQueue(device.Get());
  }
}

// Nobody waits for a value that may not come: without an event, for 0 alone.
void CallMachine::WaitForFences(ID3D12Device9* device) {
  ID3D12Fence* fences[3];
  UINT64 values[3];
  const int event = bytes_.Flip() ? eventfd(0, EFD_NONBLOCK) : -1;
  for (int i = 0; i < 3; ++i) {
    fences[i] = In(fences_).Get();
    values[i] = event < 0 ? 0 : Number(bytes_.Below(8));
  }
  const uint64_t flags = Number(bytes_.Below(2));
  const HANDLE handle =
      event < 0 ? nullptr : reinterpret_cast<HANDLE>(static_cast<intptr_t>(event));
  Try([&] {
    return device->SetEventOnMultipleFenceCompletion(
        bytes_.Rarely() ? nullptr : fences, values, bytes_.Below(4),
        static_cast<D3D12_MULTIPLE_FENCE_WAIT_FLAGS>(flags), handle);
  });
  if (event >= 0) close(event);
}

void CallMachine::UseResidency() {
  const ComPtr<ID3D12Device9> device = AnyDevice();
  if (device == nullptr) return;
  ID3D12Pageable* const objects[] = {In(buffers_).Get(), In(heaps_).Get(), In(queries_).Get()};
  const UINT count = bytes_.Below(4);
  ID3D12Pageable* const* given = bytes_.Rarely() ? nullptr : objects;
  switch (bytes_.Below(6)) {
    case 0:
      return Try([&] { return device->MakeResident(count, given); });
    case 1:
      return Try([&] { return device->Evict(count, given); });
    case 2:
      return Try([&] { return device->SetResidencyPriority(count, given, nullptr); });
    case 3: {
      ID3D12Fence* fence = In(fences_).Get();
      const UINT64 value = Number(1 + bytes_.Below(8));
      const uint64_t flags = Number(bytes_.Below(2));
      return Try([&] {
        return device->EnqueueMakeResident(static_cast<D3D12_RESIDENCY_FLAGS>(flags), count, given,
                                           fence, value);
      });
    }
    default:
      return WaitForFences(device.Get());
  }
}

}  // namespace anydml::test
