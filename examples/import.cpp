// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A program that already has its data somewhere binds it as it is: memory of
// its own becomes a heap, and a buffer placed in that heap is the data itself.
// Nothing is copied in or out. hello.cpp explains the other steps.
#include <directml.h>
#include <directml_guids.h>
#include <wrl/client.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

#include "anydml/anydml.h"

using Microsoft::WRL::ComPtr;

static void Check(HRESULT result) {
  if (SUCCEEDED(result)) return;
  std::fprintf(stderr, "error %#x: %s\n", static_cast<unsigned>(result), anydml_last_error());
  std::exit(1);
}

// Memory that a heap can be opened on begins at a page. A std::vector with this
// allocator has its elements there.
template <typename T>
struct PageAllocator {
  using value_type = T;
  static constexpr std::align_val_t kPage{65536};

  T* allocate(size_t count) {
    // Whole pages, so that nobody else lives on the last one.
    const size_t bytes = (count * sizeof(T) + 65535) / 65536 * 65536;
    return static_cast<T*>(::operator new(bytes, kPage));
  }
  void deallocate(T* memory, size_t) { ::operator delete(memory, kPage); }
  bool operator==(const PageAllocator&) const { return true; }
  bool operator!=(const PageAllocator&) const { return false; }
};
using Values = std::vector<float, PageAllocator<float>>;

// A device, a queue and an open command list.
struct Session {
  ComPtr<ID3D12Device> d3d12;
  ComPtr<IDMLDevice1> dml;
  ComPtr<ID3D12CommandQueue> queue;
  ComPtr<ID3D12CommandAllocator> allocator;
  ComPtr<ID3D12GraphicsCommandList> list;
  ComPtr<IDMLCommandRecorder> recorder;

  Session() {
    Check(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&d3d12)));
    Check(DMLCreateDevice(d3d12.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&dml)));
    D3D12_COMMAND_QUEUE_DESC desc = {};
    desc.Type = D3D12_COMMAND_LIST_TYPE_COMPUTE;
    Check(d3d12->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue)));
    Check(d3d12->CreateCommandAllocator(desc.Type, IID_PPV_ARGS(&allocator)));
    Check(d3d12->CreateCommandList(0, desc.Type, allocator.Get(), nullptr, IID_PPV_ARGS(&list)));
    Check(dml->CreateCommandRecorder(IID_PPV_ARGS(&recorder)));
  }

  // The vector's own elements as a buffer. The vector must stay where it is,
  // and alive, until the work is done.
  ComPtr<ID3D12Resource> Import(Values& values) {
    ComPtr<ID3D12Device3> device;
    Check(d3d12.As(&device));
    ComPtr<ID3D12Heap> heap;
    Check(device->OpenExistingHeapFromAddress(values.data(), IID_PPV_ARGS(&heap)));
    D3D12_RESOURCE_DESC desc = {};
    desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
    desc.Width = values.size() * sizeof(float);
    desc.Height = desc.DepthOrArraySize = desc.MipLevels = 1;
    desc.SampleDesc.Count = 1;
    desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
    desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
    ComPtr<ID3D12Resource> buffer;
    Check(device->CreatePlacedResource(heap.Get(), 0, &desc, D3D12_RESOURCE_STATE_UNORDERED_ACCESS,
                                       nullptr, IID_PPV_ARGS(&buffer)));
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

  std::vector<ComPtr<ID3D12DescriptorHeap>> descriptor_heaps;

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

int main() {
  constexpr UINT kCount = 1 << 20;
  Values x(kCount), gradient(kCount);
  for (UINT i = 0; i < kCount; ++i) {
    x[i] = i % 3 == 0 ? -1.0f : 1.0f;
    gradient[i] = static_cast<float>(i);
  }
  Session session;

  // ReLU's gradient may overwrite one of its inputs, so one vector is both the
  // incoming and the outgoing gradient.
  const DML_BUFFER_TENSOR_DESC buffer = {DML_TENSOR_DATA_TYPE_FLOAT32,
                                         DML_TENSOR_FLAG_NONE,
                                         1,
                                         &kCount,
                                         nullptr,
                                         kCount * sizeof(float),
                                         0};
  const DML_TENSOR_DESC tensor = {DML_TENSOR_TYPE_BUFFER, &buffer};
  const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC relu = {&tensor, &tensor, &tensor};
  const DML_OPERATOR_DESC desc = {DML_OPERATOR_ACTIVATION_RELU_GRAD, &relu};
  ComPtr<IDMLOperator> op;
  Check(session.dml->CreateOperator(&desc, IID_PPV_ARGS(&op)));
  ComPtr<IDMLCompiledOperator> compiled;
  Check(session.dml->CompileOperator(op.Get(), DML_EXECUTION_FLAG_NONE, IID_PPV_ARGS(&compiled)));
  IDMLCompiledOperator* operators[] = {compiled.Get()};
  ComPtr<IDMLOperatorInitializer> initializer;
  Check(session.dml->CreateOperatorInitializer(1, operators, IID_PPV_ARGS(&initializer)));
  session.recorder->RecordDispatch(session.list.Get(), initializer.Get(),
                                   session.MakeTable(initializer.Get()).Get());

  const ComPtr<ID3D12Resource> x_buffer = session.Import(x);
  const ComPtr<ID3D12Resource> gradient_buffer = session.Import(gradient);
  const DML_BUFFER_BINDING x_binding = {x_buffer.Get(), 0, kCount * sizeof(float)};
  const DML_BUFFER_BINDING gradient_binding = {gradient_buffer.Get(), 0, kCount * sizeof(float)};
  const DML_BINDING_DESC inputs[] = {{DML_BINDING_TYPE_BUFFER, &x_binding},
                                     {DML_BINDING_TYPE_BUFFER, &gradient_binding}};
  const ComPtr<IDMLBindingTable> table = session.MakeTable(compiled.Get());
  table->BindInputs(2, inputs);
  table->BindOutputs(1, &inputs[1]);
  session.recorder->RecordDispatch(session.list.Get(), compiled.Get(), table.Get());
  session.Finish();

  // The result is in the vector already.
  for (UINT i = 0; i < kCount; ++i) {
    if (gradient[i] != (i % 3 == 0 ? 0.0f : static_cast<float>(i))) {
      std::printf("element %u is %g\n", i, gradient[i]);
      return 1;
    }
  }
  std::printf("%u gradients in place, nothing copied\n", kCount);
  return 0;
}
