// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// No memory in the methods of DXCore and Direct3D 12 that the whole programs of
// d3d12_faults_test.cpp do not come through. What returns no HRESULT tells in its own way,
// or must not fail at all.
#include <cstdlib>
#include <cstring>

#include "faults/direct3d_program.h"

namespace anydml::faults {
namespace {

constexpr UINT kBytes = 4096;

// A failure of a method that returns something else: the sentence tells what it was.
HRESULT CodeOfLastError() {
  return LastErrorOfThread().ends_with("memory") ? E_OUTOFMEMORY : E_UNEXPECTED;
}

void IgnoreNotification(DXCoreNotificationType, IUnknown*, void*) {}

HRESULT AskAdapter() {
  ComPtr<IDXCoreAdapterFactory> factory;
  RETURN_IF_FAILED(DXCoreCreateAdapterFactory(IID_PPV_ARGS(&factory)));
  const LUID cpu = {1, 0};
  ComPtr<IDXCoreAdapter> adapter;
  RETURN_IF_FAILED(factory->GetAdapterByLuid(cpu, IID_PPV_ARGS(&adapter)));
  size_t size = 0;
  char description[256] = {};
  RETURN_IF_FAILED(adapter->GetPropertySize(DXCoreAdapterProperty::DriverDescription, &size));
  RETURN_IF_FAILED(adapter->GetProperty(DXCoreAdapterProperty::DriverDescription,
                                        sizeof description, static_cast<void*>(description)));
  if (std::strlen(description) + 1 != size) return E_UNEXPECTED;
  const DXCoreAdapterMemoryBudgetNodeSegmentGroup group = {0, DXCoreSegmentGroup::Local};
  DXCoreAdapterMemoryBudget budget = {};
  RETURN_IF_FAILED(adapter->QueryState(DXCoreAdapterState::AdapterMemoryBudget, sizeof group,
                                       &group, sizeof budget, &budget));
  if (budget.budget == 0) return E_UNEXPECTED;
  uint32_t cookie = 0;
  RETURN_IF_FAILED(factory->RegisterEventNotification(adapter.Get(),
                                                      DXCoreNotificationType::AdapterListStale,
                                                      IgnoreNotification, nullptr, &cookie));
  return factory->UnregisterEventNotification(cookie);
}

TEST(D3D12MethodsFaults, AnAdapterAnswersOrTellsThatThereIsNoMemory) {
  FailEverywhere("adapters", [] { return AnswerOf(AskAdapter()); });
}

// What tells of sizes, and the newer versions of what makes resources.
HRESULT AskForSizes(ID3D12Device9* device) {
  const D3D12_RESOURCE_DESC desc = BufferOf(kBytes);
  const D3D12_RESOURCE_ALLOCATION_INFO info = device->GetResourceAllocationInfo(0, 1, &desc);
  if (info.SizeInBytes == UINT64_MAX) return CodeOfLastError();
  if (info.SizeInBytes < kBytes) return E_UNEXPECTED;
  UINT64 total = 0;
  device->GetCopyableFootprints(&desc, 0, 1, 0, nullptr, nullptr, nullptr, &total);
  if (total == UINT64_MAX) return CodeOfLastError();
  if (total != kBytes) return E_UNEXPECTED;
  return device->GetCustomHeapProperties(0, D3D12_HEAP_TYPE_UPLOAD).Type == D3D12_HEAP_TYPE_CUSTOM
             ? S_OK
             : E_UNEXPECTED;
}

D3D12_RESOURCE_DESC1 NewerBufferOf(UINT64 bytes) {
  const D3D12_RESOURCE_DESC old = BufferOf(bytes);
  D3D12_RESOURCE_DESC1 desc = {};
  std::memcpy(&desc, &old, sizeof old);  // the newer one has members at its end
  return desc;
}

HRESULT MakeNewerObjects(ID3D12Device9* device, ID3D12CommandQueue* queue) {
  D3D12_HEAP_DESC heap_desc = {};
  heap_desc.SizeInBytes = 1 << 16;
  heap_desc.Properties.Type = D3D12_HEAP_TYPE_DEFAULT;
  ComPtr<ID3D12Heap> heap;
  RETURN_IF_FAILED(device->CreateHeap1(&heap_desc, nullptr, IID_PPV_ARGS(&heap)));
  const D3D12_RESOURCE_DESC1 desc = NewerBufferOf(kBytes);
  ComPtr<ID3D12Resource> placed, committed;
  RETURN_IF_FAILED(device->CreatePlacedResource1(heap.Get(), 0, &desc, D3D12_RESOURCE_STATE_COMMON,
                                                 nullptr, IID_PPV_ARGS(&placed)));
  RETURN_IF_FAILED(device->CreateCommittedResource2(&heap_desc.Properties, D3D12_HEAP_FLAG_NONE,
                                                    &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                                    nullptr, IID_PPV_ARGS(&committed)));
  ComPtr<ID3D12CommandQueue> second;
  D3D12_COMMAND_QUEUE_DESC queue_desc = {};
  queue_desc.Type = kType;
  RETURN_IF_FAILED(device->CreateCommandQueue1(&queue_desc, GUID{}, IID_PPV_ARGS(&second)));
  ComPtr<ID3D12GraphicsCommandList> list;
  RETURN_IF_FAILED(
      device->CreateCommandList1(0, kType, D3D12_COMMAND_LIST_FLAG_NONE, IID_PPV_ARGS(&list)));
  UINT64 card = 0, host = 0;
  RETURN_IF_FAILED(queue->GetClockCalibration(&card, &host));
  ComPtr<ID3D12Device> owner;
  return list->GetDevice(IID_PPV_ARGS(&owner));
}

HRESULT ImportMemory(ID3D12Device9* device) {
  alignas(16) static char memory[1 << 16];
  ComPtr<ID3D12Heap> heap;
  return device->OpenExistingHeapFromAddress(memory, IID_PPV_ARGS(&heap));
}

HRESULT UseNewerMethods() {
  Direct3D d3d;
  RETURN_IF_FAILED(d3d.Open());
  RETURN_IF_FAILED(AskForSizes(d3d.device.Get()));
  RETURN_IF_FAILED(MakeNewerObjects(d3d.device.Get(), d3d.queue.Get()));
  return ImportMemory(d3d.device.Get());
}

TEST(D3D12MethodsFaults, NewerMethodsTellThatThereIsNoMemory) {
  FailEverywhere("newer methods of Direct3D 12", [] { return AnswerOf(UseNewerMethods()); });
}

// Views return nothing; where they are right they need no memory.
void MakeViews(const Direct3D& d3d, ID3D12Resource* buffer) {
  const D3D12_CPU_DESCRIPTOR_HANDLE handle = d3d.descriptors->GetCPUDescriptorHandleForHeapStart();
  D3D12_CONSTANT_BUFFER_VIEW_DESC constants = {buffer->GetGPUVirtualAddress(), 256};
  d3d.device->CreateConstantBufferView(&constants, handle);
  D3D12_SHADER_RESOURCE_VIEW_DESC shader = {};
  shader.ViewDimension = D3D12_SRV_DIMENSION_BUFFER;
  shader.Format = DXGI_FORMAT_R32_UINT;
  shader.Shader4ComponentMapping = D3D12_DEFAULT_SHADER_4_COMPONENT_MAPPING;
  shader.Buffer.NumElements = kBytes / 4;
  d3d.device->CreateShaderResourceView(buffer, &shader, handle);
  D3D12_UNORDERED_ACCESS_VIEW_DESC unordered = {};
  unordered.ViewDimension = D3D12_UAV_DIMENSION_BUFFER;
  unordered.Format = DXGI_FORMAT_R32_TYPELESS;
  unordered.Buffer.Flags = D3D12_BUFFER_UAV_FLAG_RAW;  // for clears of both kinds
  unordered.Buffer.NumElements = kBytes / 4;
  d3d.device->CreateUnorderedAccessView(buffer, nullptr, &unordered, handle);
  d3d.device->CopyDescriptorsSimple(1, handle, handle, D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);
}

HRESULT RecordMoreCommands() {
  Direct3D d3d;
  RETURN_IF_FAILED(d3d.Open());
  ComPtr<ID3D12Resource> buffer, other;
  RETURN_IF_FAILED(d3d.MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, kBytes, buffer));
  RETURN_IF_FAILED(d3d.MakeBuffer(D3D12_HEAP_TYPE_READBACK, kBytes, other));
  ComPtr<ID3D12QueryHeap> queries;
  const D3D12_QUERY_HEAP_DESC query_desc = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 2, 0};
  RETURN_IF_FAILED(d3d.device->CreateQueryHeap(&query_desc, IID_PPV_ARGS(&queries)));
  ComPtr<ID3D12GraphicsCommandList1> newer;
  RETURN_IF_FAILED(d3d.list->QueryInterface(IID_PPV_ARGS(&newer)));
  MakeViews(d3d, buffer.Get());
  ID3D12DescriptorHeap* heaps[] = {d3d.descriptors.Get()};
  newer->SetDescriptorHeaps(1, heaps);
  const auto gpu = d3d.descriptors->GetGPUDescriptorHandleForHeapStart();
  const auto cpu = d3d.descriptors->GetCPUDescriptorHandleForHeapStart();
  const FLOAT floats[4] = {1, 1, 1, 1};
  const UINT numbers[4] = {7, 7, 7, 7};
  newer->ClearUnorderedAccessViewFloat(gpu, cpu, buffer.Get(), floats, 0, nullptr);
  newer->ClearUnorderedAccessViewUint(gpu, cpu, buffer.Get(), numbers, 0, nullptr);
  newer->EndQuery(queries.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0);
  newer->EndQuery(queries.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 1);
  newer->AtomicCopyBufferUINT(other.Get(), 0, buffer.Get(), 0, 0, nullptr, nullptr);
  newer->AtomicCopyBufferUINT64(other.Get(), 8, buffer.Get(), 8, 0, nullptr, nullptr);
  newer->ResolveQueryData(queries.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0, 2, other.Get(), 16);
  const HRESULT finished = d3d.Finish();
  // Close tells what was refused.
  if (FAILED(finished) && LastErrorOfThread().ends_with(": ")) return E_UNEXPECTED;
  RETURN_IF_FAILED(finished);
  void* data = nullptr;
  RETURN_IF_FAILED(other->Map(0, nullptr, &data));
  const auto* words = static_cast<const UINT*>(data);
  return words[0] == 7 && words[2] == 7 && words[3] == 7 ? S_OK : E_UNEXPECTED;
}

TEST(D3D12MethodsFaults, CommandsAreRecordedOrCloseTellsThatThereIsNoMemory) {
  FailEverywhere("clears, queries and atomic copies",
                 [] { return AnswerOf(RecordMoreCommands()); });
}

}  // namespace
}  // namespace anydml::faults
