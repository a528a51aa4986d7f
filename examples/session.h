// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What the examples of this folder share: a device, a queue and an open command
// list. hello.cpp, which does without it, explains the steps one by one.
#pragma once

#include <directml.h>
// dxcore.h needs the types of directml.h, and its interfaces get their identifiers from the next.
#include <dxcore.h>
// So this order.
#include <directml_guids.h>
#include <wrl/client.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "anydml/anydml.h"

using Microsoft::WRL::ComPtr;

inline void Check(HRESULT result) {
  if (SUCCEEDED(result)) return;
  std::fprintf(stderr, "error %#x: %s\n", static_cast<unsigned>(result), anydml_last_error());
  std::exit(1);
}

// A packed FLOAT32 tensor description that owns what it points to.
struct Tensor {
  std::vector<UINT> sizes;
  DML_BUFFER_TENSOR_DESC buffer = {};
  DML_TENSOR_DESC desc = {DML_TENSOR_TYPE_BUFFER, &buffer};

  explicit Tensor(std::vector<UINT> tensor_sizes) : sizes(std::move(tensor_sizes)) {
    buffer.DataType = DML_TENSOR_DATA_TYPE_FLOAT32;
    buffer.DimensionCount = static_cast<UINT>(sizes.size());
    buffer.Sizes = sizes.data();
    buffer.TotalTensorSizeInBytes = sizeof(float);
    for (UINT size : sizes) buffer.TotalTensorSizeInBytes *= size;
  }
  Tensor(const Tensor&) = delete;
};

// A device, a queue and an open command list.
struct Session {
  ComPtr<ID3D12Device> d3d12;
  ComPtr<IDMLDevice1> dml;
  ComPtr<ID3D12CommandQueue> queue;
  ComPtr<ID3D12CommandAllocator> allocator;
  ComPtr<ID3D12GraphicsCommandList> list;
  ComPtr<IDMLCommandRecorder> recorder;

  // Without an adapter, on the first card, or on the CPU where there is none.
  explicit Session(IUnknown* adapter = nullptr) {
    Check(D3D12CreateDevice(adapter, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&d3d12)));
    Check(DMLCreateDevice(d3d12.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&dml)));
    D3D12_COMMAND_QUEUE_DESC desc = {};
    desc.Type = D3D12_COMMAND_LIST_TYPE_COMPUTE;
    Check(d3d12->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue)));
    Check(d3d12->CreateCommandAllocator(desc.Type, IID_PPV_ARGS(&allocator)));
    Check(d3d12->CreateCommandList(0, desc.Type, allocator.Get(), nullptr, IID_PPV_ARGS(&list)));
    Check(dml->CreateCommandRecorder(IID_PPV_ARGS(&recorder)));
  }

  // A buffer that the host writes and reads and the device uses in place: on a
  // CPU no copy between the two is needed (hello.cpp shows the copies).
  ComPtr<ID3D12Resource> MakeBuffer(const std::vector<float>& values) {
    const D3D12_HEAP_PROPERTIES heap = {D3D12_HEAP_TYPE_CUSTOM, D3D12_CPU_PAGE_PROPERTY_WRITE_BACK,
                                        D3D12_MEMORY_POOL_L0, 0, 0};
    D3D12_RESOURCE_DESC desc = {};
    desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
    desc.Width = values.size() * sizeof(float);
    desc.Height = desc.DepthOrArraySize = desc.MipLevels = 1;
    desc.SampleDesc.Count = 1;
    desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
    desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
    ComPtr<ID3D12Resource> buffer;
    Check(d3d12->CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &desc,
                                         D3D12_RESOURCE_STATE_UNORDERED_ACCESS, nullptr,
                                         IID_PPV_ARGS(&buffer)));
    void* data = nullptr;
    Check(buffer->Map(0, nullptr, &data));
    std::memcpy(data, values.data(), values.size() * sizeof(float));
    buffer->Unmap(0, nullptr);
    return buffer;
  }

  ComPtr<IDMLBindingTable> MakeTable(IDMLDispatchable* dispatchable) {
    D3D12_DESCRIPTOR_HEAP_DESC desc = {};
    desc.Type = D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV;
    desc.NumDescriptors = dispatchable->GetBindingProperties().RequiredDescriptorCount;
    desc.Flags = D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE;
    ComPtr<ID3D12DescriptorHeap> heap;
    Check(d3d12->CreateDescriptorHeap(&desc, IID_PPV_ARGS(&heap)));
    ID3D12DescriptorHeap* heaps[] = {heap.Get()};
    list->SetDescriptorHeaps(1, heaps);
    descriptor_heaps.push_back(heap);
    const DML_BINDING_TABLE_DESC table_desc = {
        dispatchable, heap->GetCPUDescriptorHandleForHeapStart(),
        heap->GetGPUDescriptorHandleForHeapStart(), desc.NumDescriptors};
    ComPtr<IDMLBindingTable> table;
    Check(dml->CreateBindingTable(&table_desc, IID_PPV_ARGS(&table)));
    return table;
  }

  // Initialises the operator and records one execution of it.
  void Record(IDMLCompiledOperator* compiled, const std::vector<ID3D12Resource*>& inputs,
              const std::vector<ID3D12Resource*>& outputs) {
    ComPtr<IDMLOperatorInitializer> initializer;
    Check(dml->CreateOperatorInitializer(1, &compiled, IID_PPV_ARGS(&initializer)));
    recorder->RecordDispatch(list.Get(), initializer.Get(), MakeTable(initializer.Get()).Get());

    const ComPtr<IDMLBindingTable> table = MakeTable(compiled);
    std::vector<DML_BUFFER_BINDING> buffers;
    for (ID3D12Resource* input : inputs) buffers.push_back({input, 0, input->GetDesc().Width});
    for (ID3D12Resource* output : outputs) buffers.push_back({output, 0, output->GetDesc().Width});
    std::vector<DML_BINDING_DESC> bindings;
    for (const DML_BUFFER_BINDING& buffer : buffers) {
      bindings.push_back({DML_BINDING_TYPE_BUFFER, &buffer});
    }
    table->BindInputs(static_cast<UINT>(inputs.size()), bindings.data());
    table->BindOutputs(static_cast<UINT>(outputs.size()), bindings.data() + inputs.size());
    const UINT64 bytes = compiled->GetBindingProperties().TemporaryResourceSize;
    if (bytes != 0) {  // memory for what the operator keeps while it runs
      const ComPtr<ID3D12Resource> memory =
          MakeBuffer(std::vector<float>((bytes + 3) / sizeof(float)));
      const DML_BUFFER_BINDING temporary = {memory.Get(), 0, bytes};
      const DML_BINDING_DESC binding = {DML_BINDING_TYPE_BUFFER, &temporary};
      table->BindTemporaryResource(&binding);
      temporaries.push_back(memory);  // until the work is done
    }
    recorder->RecordDispatch(list.Get(), compiled, table.Get());
  }
  std::vector<ComPtr<ID3D12Resource>> temporaries;
  std::vector<ComPtr<ID3D12DescriptorHeap>> descriptor_heaps;

  ComPtr<IDMLOperator> Create(DML_OPERATOR_TYPE type, const void* desc) {
    const DML_OPERATOR_DESC operator_desc = {type, desc};
    ComPtr<IDMLOperator> op;
    Check(dml->CreateOperator(&operator_desc, IID_PPV_ARGS(&op)));
    return op;
  }

  ComPtr<IDMLCompiledOperator> Compile(DML_OPERATOR_TYPE type, const void* desc) {
    const ComPtr<IDMLOperator> op = Create(type, desc);
    ComPtr<IDMLCompiledOperator> compiled;
    Check(dml->CompileOperator(op.Get(), DML_EXECUTION_FLAG_NONE, IID_PPV_ARGS(&compiled)));
    return compiled;
  }

  // Executes what was recorded, and waits.
  void Finish() {
    Check(list->Close());
    ID3D12CommandList* lists[] = {list.Get()};
    queue->ExecuteCommandLists(1, lists);
    ComPtr<ID3D12Fence> fence;
    Check(d3d12->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)));
    Check(queue->Signal(fence.Get(), 1));
    Check(fence->SetEventOnCompletion(1, nullptr));
    Check(dml->GetDeviceRemovedReason());
  }
};

// Prints a result and says whether it is the expected one.
inline bool Show(const char* name, ID3D12Resource* buffer, const std::vector<float>& expected) {
  void* data = nullptr;
  Check(buffer->Map(0, nullptr, &data));
  std::vector<float> values(expected.size());
  std::memcpy(values.data(), data, values.size() * sizeof(float));
  buffer->Unmap(0, nullptr);
  std::printf("%-18s", name);
  for (float value : values) std::printf(" %g", value);
  std::printf("\n");
  return values == expected;
}
