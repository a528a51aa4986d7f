// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What programs of Direct3D 12 and DirectML share that run without memory: objects
// from the factory to a fence, and a call that ends the program where it fails.
#pragma once

#include "d3d12/fixture.h"
// The Direct3D 12 headers first: directml_guids.h wants them before it.
#include <directml_guids.h>

#include <cstring>

#include "base/last_error.h"
#include "d3d12/witness.h"
#include "faults/every_failure.h"

namespace anydml::faults {

using d3d12::BufferOf;
using d3d12::FirstState;
using d3d12::HeapOf;
using d3d12::Witness;
using Microsoft::WRL::ComPtr;

inline Answer AnswerOf(HRESULT result) {
  if (SUCCEEDED(result)) return {};
  return Answer::Of(result == E_OUTOFMEMORY ? Verdict::kOutOfMemory : Verdict::kOther,
                    LastErrorOfThread());
}

// Stops at the first failure, as a program would.
#define RETURN_IF_FAILED(call)                         \
  do {                                                 \
    const HRESULT result_of_call = (call);             \
    if (FAILED(result_of_call)) return result_of_call; \
  } while (false)

inline constexpr auto kType = D3D12_COMMAND_LIST_TYPE_COMPUTE;

struct Direct3D {
  ComPtr<ID3D12Device9> device;
  ComPtr<ID3D12CommandQueue> queue;
  ComPtr<ID3D12CommandAllocator> allocator;
  ComPtr<ID3D12GraphicsCommandList> list;
  ComPtr<ID3D12Fence> fence;
  ComPtr<ID3D12DescriptorHeap> descriptors;
  UINT64 value = 0;

  HRESULT Open() {
    ComPtr<IDXCoreAdapterFactory> factory;
    ComPtr<IDXCoreAdapterList> adapters;
    ComPtr<IDXCoreAdapter> adapter;
    RETURN_IF_FAILED(DXCoreCreateAdapterFactory(IID_PPV_ARGS(&factory)));
    const GUID attribute = {// D3D12_CORE_COMPUTE
                            0x248e2800,
                            0xa793,
                            0x4724,
                            {0xab, 0xaa, 0x23, 0xa6, 0xde, 0x1b, 0xe0, 0x90}};
    RETURN_IF_FAILED(factory->CreateAdapterList(1, &attribute, IID_PPV_ARGS(&adapters)));
    const DXCoreAdapterPreference preference = DXCoreAdapterPreference::MinimumPower;
    RETURN_IF_FAILED(adapters->Sort(1, &preference));
    RETURN_IF_FAILED(adapters->GetAdapter(0, IID_PPV_ARGS(&adapter)));
    RETURN_IF_FAILED(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_1_0_CORE, IID_PPV_ARGS(&device)));
    D3D12_COMMAND_QUEUE_DESC desc = {};
    desc.Type = kType;
    RETURN_IF_FAILED(device->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue)));
    RETURN_IF_FAILED(device->CreateCommandAllocator(kType, IID_PPV_ARGS(&allocator)));
    RETURN_IF_FAILED(
        device->CreateCommandList(0, kType, allocator.Get(), nullptr, IID_PPV_ARGS(&list)));
    RETURN_IF_FAILED(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)));
    const D3D12_DESCRIPTOR_HEAP_DESC heap = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 1,
                                             D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE, 0};
    return device->CreateDescriptorHeap(&heap, IID_PPV_ARGS(&descriptors));
  }

  HRESULT MakeBuffer(D3D12_HEAP_TYPE type, UINT64 bytes, ComPtr<ID3D12Resource>& buffer) const {
    const D3D12_HEAP_PROPERTIES properties = HeapOf(type);
    const D3D12_RESOURCE_DESC desc =
        BufferOf(bytes, type == D3D12_HEAP_TYPE_DEFAULT ? D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS
                                                        : D3D12_RESOURCE_FLAG_NONE);
    return device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc,
                                           FirstState(type), nullptr, IID_PPV_ARGS(&buffer));
  }

  // Closes, runs, waits, and opens the list again.
  HRESULT Finish() {
    RETURN_IF_FAILED(list->Close());
    ID3D12CommandList* lists[] = {list.Get()};
    queue->ExecuteCommandLists(1, lists);
    RETURN_IF_FAILED(device->GetDeviceRemovedReason());
    RETURN_IF_FAILED(queue->Signal(fence.Get(), ++value));
    RETURN_IF_FAILED(fence->SetEventOnCompletion(value, nullptr));
    RETURN_IF_FAILED(device->GetDeviceRemovedReason());
    RETURN_IF_FAILED(allocator->Reset());
    return list->Reset(allocator.Get(), nullptr);
  }
};

inline const Answer kStillHeld = Answer::Of(Verdict::kOther, "the program's object is still held");

// Private data of an ID3D12Object or an IDMLObject. What could not be replaced is
// there as it was.
template <typename Object>
HRESULT KeepPrivateData(Object* object, Witness& witness) {
  constexpr GUID kBytes = {0x0ddba11, 1, 1, {}}, kObject = {0x0ddba11, 2, 2, {}};
  constexpr char kShort[] = "short";
  constexpr char kLong[] = "this one is longer, and has no room where the other was";
  RETURN_IF_FAILED(object->SetPrivateData(kBytes, sizeof kShort, kShort));
  const HRESULT replaced = object->SetPrivateData(kBytes, sizeof kLong, kLong);
  char read[sizeof kLong] = {};
  UINT size = sizeof read;
  RETURN_IF_FAILED(object->GetPrivateData(kBytes, &size, read));
  if (std::strcmp(read, FAILED(replaced) ? kShort : kLong) != 0) return E_UNEXPECTED;
  RETURN_IF_FAILED(replaced);
  const ULONG before = witness.references;
  const HRESULT kept = object->SetPrivateDataInterface(kObject, &witness);
  if (witness.references != before + (SUCCEEDED(kept) ? 1 : 0)) return E_UNEXPECTED;
  RETURN_IF_FAILED(kept);
  RETURN_IF_FAILED(object->SetName(L"a name that is not short either"));
  return object->SetPrivateData(kBytes, 0, nullptr);
}

}  // namespace anydml::faults
