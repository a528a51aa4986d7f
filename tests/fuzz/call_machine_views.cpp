// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Descriptors, and the commands of a list that read or write through them; queries,
// atomic copies, and the commands that are not here.
#include <limits>

#include "fuzz/call_machine.h"

namespace anydml::test {

using Microsoft::WRL::ComPtr;

namespace {

constexpr DXGI_FORMAT kFormats[] = {DXGI_FORMAT_UNKNOWN,           DXGI_FORMAT_R32_TYPELESS,
                                    DXGI_FORMAT_R32_FLOAT,         DXGI_FORMAT_R16_FLOAT,
                                    DXGI_FORMAT_R8_UINT,           DXGI_FORMAT_R32G32_FLOAT,
                                    DXGI_FORMAT_R32G32B32A32_UINT, DXGI_FORMAT_R8G8B8A8_UNORM};

}  // namespace

// Mostly of a descriptor near the start of a heap.
D3D12_CPU_DESCRIPTOR_HANDLE CallMachine::AnyHandle() {
  ID3D12Device* device = In(devices_).Get();
  ID3D12DescriptorHeap* heap = In(descriptors_).Get();
  if (device == nullptr || heap == nullptr) return {static_cast<SIZE_T>(Number(0))};
  const SIZE_T step = device->GetDescriptorHandleIncrementSize(heap->GetDesc().Type);
  const SIZE_T start = heap->GetCPUDescriptorHandleForHeapStart().ptr;
  return {start + step * static_cast<SIZE_T>(Number(bytes_.Below(6))) + (bytes_.Rarely() ? 1 : 0)};
}

void CallMachine::ReadThroughView(ID3D12Device* device) {
  ID3D12Resource* buffer = In(buffers_).Get();
  if (bytes_.Flip()) {
    D3D12_CONSTANT_BUFFER_VIEW_DESC desc = {Number(0), static_cast<UINT>(Number(256))};
    if (buffer != nullptr) desc.BufferLocation += buffer->GetGPUVirtualAddress();
    return device->CreateConstantBufferView(bytes_.Rarely() ? nullptr : &desc, AnyHandle());
  }
  D3D12_SHADER_RESOURCE_VIEW_DESC desc = {};
  desc.Format = bytes_.OneOf(kFormats);
  desc.ViewDimension = D3D12_SRV_DIMENSION_BUFFER;
  if (bytes_.Rarely()) SetEnum(desc.ViewDimension, 12);
  desc.Buffer.FirstElement = Number(0);
  desc.Buffer.NumElements = static_cast<UINT>(Number(16));
  desc.Buffer.StructureByteStride = static_cast<UINT>(Number(4 * bytes_.Below(2)));
  SetEnum(desc.Buffer.Flags, 2);
  device->CreateShaderResourceView(buffer, bytes_.Rarely() ? nullptr : &desc, AnyHandle());
}

// A view of any kind of elements, and a clear with floats through it.
void CallMachine::WriteThroughView(ID3D12Device* device) {
  D3D12_UNORDERED_ACCESS_VIEW_DESC desc = {};
  desc.Format = bytes_.OneOf(kFormats);
  desc.ViewDimension = D3D12_UAV_DIMENSION_BUFFER;
  if (bytes_.Rarely()) SetEnum(desc.ViewDimension, 12);
  desc.Buffer.FirstElement = Number(bytes_.Below(4));
  desc.Buffer.NumElements = static_cast<UINT>(Number(bytes_.Below(64)));
  desc.Buffer.StructureByteStride = bytes_.Rarely() ? static_cast<UINT>(Number(4)) : 0;
  SetEnum(desc.Buffer.Flags, 2);
  ID3D12Resource* buffer = In(buffers_).Get();
  ID3D12Resource* counter = bytes_.Rarely() ? In(buffers_).Get() : nullptr;
  const D3D12_CPU_DESCRIPTOR_HANDLE cpu = AnyHandle();
  device->CreateUnorderedAccessView(buffer, counter, bytes_.Rarely() ? nullptr : &desc, cpu);
  ID3D12GraphicsCommandList* list = In(lists_).Get();
  if (list == nullptr) return;
  constexpr float kHuge = std::numeric_limits<float>::max();
  const FLOAT values[4] = {1, -kHuge, std::numeric_limits<float>::quiet_NaN(), 1e-8f};
  const D3D12_GPU_DESCRIPTOR_HANDLE gpu = {bytes_.Rarely() ? Number(0) : cpu.ptr};
  ID3D12Resource* cleared = bytes_.Rarely() ? In(buffers_).Get() : buffer;
  const D3D12_RECT rect = {0, 0, 4, 1};
  list->ClearUnorderedAccessViewFloat(gpu, cpu, cleared, bytes_.Rarely() ? nullptr : values,
                                      bytes_.Rarely() ? 1 : 0, &rect);
}

void CallMachine::MakeLargeDescriptors(ID3D12Device* device) {
  // The limits of heaps that shaders see. More would only take time, or be refused.
  constexpr UINT kCounts[] = {64, 2048, 2049, 1000000, 1000001};
  D3D12_DESCRIPTOR_HEAP_DESC desc = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, bytes_.OneOf(kCounts),
                                     D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE,
                                     static_cast<UINT>(Number(0))};
  if (bytes_.Flip()) SetEnum(desc.Type, 4);
  if (bytes_.Flip()) SetEnum(desc.Flags, 2);
  ComPtr<ID3D12DescriptorHeap>& heap = In(descriptors_);
  Try([&] {
    return device->CreateDescriptorHeap(bytes_.Rarely() ? nullptr : &desc,
                                        IID_PPV_ARGS(heap.ReleaseAndGetAddressOf()));
  });
}

void CallMachine::CopyViews(ID3D12Device* device) {
  const uint64_t type = Number(0);
  if (bytes_.Flip()) {
    const D3D12_CPU_DESCRIPTOR_HANDLE target = AnyHandle(), source = AnyHandle();
    return device->CopyDescriptorsSimple(static_cast<UINT>(Number(bytes_.Below(6))), target, source,
                                         static_cast<D3D12_DESCRIPTOR_HEAP_TYPE>(type));
  }
  D3D12_CPU_DESCRIPTOR_HANDLE targets[3], sources[3];
  UINT target_sizes[3], source_sizes[3];
  for (int i = 0; i < 3; ++i) {
    targets[i] = AnyHandle();
    sources[i] = AnyHandle();
    target_sizes[i] = static_cast<UINT>(Number(bytes_.Below(4)));
    source_sizes[i] = static_cast<UINT>(Number(bytes_.Below(4)));
  }
  const UINT target_ranges = bytes_.Below(4), source_ranges = bytes_.Below(4);
  device->CopyDescriptors(
      target_ranges, bytes_.Rarely() ? nullptr : targets, bytes_.Flip() ? nullptr : target_sizes,
      source_ranges, bytes_.Rarely() ? nullptr : sources, bytes_.Flip() ? nullptr : source_sizes,
      static_cast<D3D12_DESCRIPTOR_HEAP_TYPE>(type));
}

void CallMachine::UseViews() {
  ID3D12Device* device = In(devices_).Get();
  if (device == nullptr) return;
  switch (bytes_.Below(6)) {
    case 0:
      return MakeLargeDescriptors(device);
    case 1:
      return ReadThroughView(device);
    case 2:
    case 3:
      return CopyViews(device);
    default:
      return WriteThroughView(device);
  }
}

void CallMachine::UseQueries(ID3D12GraphicsCommandList6* list) {
  constexpr uint32_t kTimestamp = D3D12_QUERY_TYPE_TIMESTAMP;
  ID3D12QueryHeap* heap = In(queries_).Get();
  const UINT index = static_cast<UINT>(Number(bytes_.Below(4)));
  const uint64_t type = Number(kTimestamp);
  switch (bytes_.Below(4)) {
    case 0:
      return list->BeginQuery(heap, static_cast<D3D12_QUERY_TYPE>(type), index);
    case 1:
      return list->EndQuery(heap, static_cast<D3D12_QUERY_TYPE>(type), index);
    default: {
      const UINT count = static_cast<UINT>(Number(bytes_.Below(5)));
      const UINT64 offset = Number(8 * bytes_.Below(4));
      list->ResolveQueryData(heap, static_cast<D3D12_QUERY_TYPE>(type), index, count,
                             In(buffers_).Get(), offset);
    }
  }
}

void CallMachine::UseRefusedCommands(ID3D12GraphicsCommandList6* list) {
  switch (bytes_.Below(6)) {
    case 0:
      return list->Dispatch(1, 1, 1);
    case 1:
      return list->ExecuteBundle(In(lists_).Get());
    case 2:
      return list->WriteBufferImmediate(1, nullptr, nullptr);
    case 3:
      return list->SetComputeRootUnorderedAccessView(0, Number(0));
    case 4:
      return list->SetPipelineState(nullptr);
    default:
      return list->ClearState(nullptr);
  }
}

void CallMachine::UseOtherCommands() {
  ComPtr<ID3D12GraphicsCommandList6> list;
  ID3D12GraphicsCommandList* any = In(lists_).Get();
  if (any == nullptr) return;
  Require(any->QueryInterface(IID_PPV_ARGS(&list)) == S_OK, "a list has no newer methods");
  ID3D12Resource* to = In(buffers_).Get();
  ID3D12Resource* from = In(buffers_).Get();
  switch (bytes_.Below(8)) {
    case 0: {
      const uint64_t target = Number(8 * bytes_.Below(3)), source = Number(4 * bytes_.Below(3));
      if (bytes_.Flip()) {
        return list->AtomicCopyBufferUINT(to, target, from, source, 0, nullptr, nullptr);
      }
      return list->AtomicCopyBufferUINT64(to, target, from, source, 0, nullptr, nullptr);
    }
    case 1:
      return list->DiscardResource(to, nullptr);
    case 2:
      list->BeginEvent(0, nullptr, 0);
      list->SetMarker(0, nullptr, 0);
      return list->EndEvent();
    case 3: {
      D3D12_RESOURCE_BARRIER barriers[2] = {};
      barriers[0].Type = D3D12_RESOURCE_BARRIER_TYPE_ALIASING;
      barriers[0].Aliasing = {to, from};
      // Only a resource in common: where one type has a number, another has a pointer.
      SetEnum(barriers[1].Type, 4);
      barriers[1].UAV.pResource = to;
      SetEnum(barriers[1].Flags, 4);
      return list->ResourceBarrier(bytes_.Below(3), barriers);
    }
    case 4:
      return UseRefusedCommands(list.Get());
    default:
      return UseQueries(list.Get());
  }
}

}  // namespace anydml::test
