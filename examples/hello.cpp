// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// One DirectML operator through the raw API, every step spelled out: the
// gradient of ReLU, dX = X > 0 ? dY : 0, on eight numbers. The same calls run
// on Windows.
#include <directml.h>
#include <directml_guids.h>
#include <wrl/client.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "anydml/anydml.h"  // for anydml_last_error, which explains failures in words

using Microsoft::WRL::ComPtr;

static void Check(HRESULT result) {
  if (SUCCEEDED(result)) return;
  std::fprintf(stderr, "error %#x: %s\n", static_cast<unsigned>(result), anydml_last_error());
  std::exit(1);
}

// A buffer. UPLOAD buffers are written by the program, READBACK buffers are read
// by it, DEFAULT buffers belong to the device.
static ComPtr<ID3D12Resource> CreateBuffer(ID3D12Device* device, D3D12_HEAP_TYPE type,
                                           UINT64 bytes) {
  D3D12_HEAP_PROPERTIES heap = {};
  heap.Type = type;
  D3D12_RESOURCE_DESC desc = {};
  desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
  desc.Width = bytes;
  desc.Height = desc.DepthOrArraySize = desc.MipLevels = 1;
  desc.SampleDesc.Count = 1;
  desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
  D3D12_RESOURCE_STATES state = D3D12_RESOURCE_STATE_COPY_DEST;
  if (type == D3D12_HEAP_TYPE_UPLOAD) state = D3D12_RESOURCE_STATE_GENERIC_READ;
  if (type == D3D12_HEAP_TYPE_DEFAULT) {
    desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
    state = D3D12_RESOURCE_STATE_UNORDERED_ACCESS;
  }
  ComPtr<ID3D12Resource> buffer;
  Check(device->CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &desc, state, nullptr,
                                        IID_PPV_ARGS(&buffer)));
  return buffer;
}

int main() {
  const float x[8] = {-1, 0, 1, 2, -3, 4, -5, 6};
  const float dy[8] = {10, 20, 30, 40, 50, 60, 70, 80};
  const float expected[8] = {0, 0, 30, 40, 0, 60, 0, 80};

  // 1. A device: Direct3D 12 owns memory and queues, DirectML sits on top.
  ComPtr<ID3D12Device> d3d12;
  Check(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&d3d12)));
  ComPtr<IDMLDevice> dml;
  Check(DMLCreateDevice(d3d12.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&dml)));

  // 2. A queue, and a list to record work into.
  D3D12_COMMAND_QUEUE_DESC queue_desc = {};
  queue_desc.Type = D3D12_COMMAND_LIST_TYPE_COMPUTE;
  ComPtr<ID3D12CommandQueue> queue;
  Check(d3d12->CreateCommandQueue(&queue_desc, IID_PPV_ARGS(&queue)));
  ComPtr<ID3D12CommandAllocator> allocator;
  Check(d3d12->CreateCommandAllocator(queue_desc.Type, IID_PPV_ARGS(&allocator)));
  ComPtr<ID3D12GraphicsCommandList> list;
  Check(
      d3d12->CreateCommandList(0, queue_desc.Type, allocator.Get(), nullptr, IID_PPV_ARGS(&list)));

  // 3. The operator: tensors are described by type, sizes and bytes. All three
  // are the same here. The structs may die as soon as CreateOperator returns.
  const UINT sizes[1] = {8};
  DML_BUFFER_TENSOR_DESC buffer_desc = {};
  buffer_desc.DataType = DML_TENSOR_DATA_TYPE_FLOAT32;
  buffer_desc.DimensionCount = 1;
  buffer_desc.Sizes = sizes;
  buffer_desc.TotalTensorSizeInBytes = sizeof x;
  const DML_TENSOR_DESC tensor = {DML_TENSOR_TYPE_BUFFER, &buffer_desc};
  const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC relu_grad = {&tensor, &tensor, &tensor};
  const DML_OPERATOR_DESC operator_desc = {DML_OPERATOR_ACTIVATION_RELU_GRAD, &relu_grad};
  ComPtr<IDMLOperator> op;
  Check(dml->CreateOperator(&operator_desc, IID_PPV_ARGS(&op)));

  // 4. Compile it: here the kernel for these very tensors is chosen.
  ComPtr<IDMLCompiledOperator> compiled;
  Check(dml->CompileOperator(op.Get(), DML_EXECUTION_FLAG_NONE, IID_PPV_ARGS(&compiled)));

  // 5. Every compiled operator is initialised once. A binding table says which
  // memory an initializer or an operator works on; ReLU's needs none for this.
  IDMLCompiledOperator* operators[] = {compiled.Get()};
  ComPtr<IDMLOperatorInitializer> initializer;
  Check(dml->CreateOperatorInitializer(1, operators, IID_PPV_ARGS(&initializer)));
  const UINT descriptors = compiled->GetBindingProperties().RequiredDescriptorCount;
  D3D12_DESCRIPTOR_HEAP_DESC heap_desc = {};
  heap_desc.Type = D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV;
  heap_desc.NumDescriptors = descriptors;
  heap_desc.Flags = D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE;
  ComPtr<ID3D12DescriptorHeap> heap;
  Check(d3d12->CreateDescriptorHeap(&heap_desc, IID_PPV_ARGS(&heap)));
  ID3D12DescriptorHeap* heaps[] = {heap.Get()};
  list->SetDescriptorHeaps(1, heaps);
  DML_BINDING_TABLE_DESC table_desc = {initializer.Get(),
                                       heap->GetCPUDescriptorHandleForHeapStart(),
                                       heap->GetGPUDescriptorHandleForHeapStart(), descriptors};
  ComPtr<IDMLBindingTable> table;
  Check(dml->CreateBindingTable(&table_desc, IID_PPV_ARGS(&table)));
  ComPtr<IDMLCommandRecorder> recorder;
  Check(dml->CreateCommandRecorder(IID_PPV_ARGS(&recorder)));
  recorder->RecordDispatch(list.Get(), initializer.Get(), table.Get());

  // 6. Bring the inputs to the device: x and dy, one after the other.
  const ComPtr<ID3D12Resource> upload =
      CreateBuffer(d3d12.Get(), D3D12_HEAP_TYPE_UPLOAD, sizeof x + sizeof dy);
  void* mapped = nullptr;
  Check(upload->Map(0, nullptr, &mapped));
  std::memcpy(mapped, x, sizeof x);
  std::memcpy(static_cast<char*>(mapped) + sizeof x, dy, sizeof dy);
  upload->Unmap(0, nullptr);
  const ComPtr<ID3D12Resource> inputs =
      CreateBuffer(d3d12.Get(), D3D12_HEAP_TYPE_DEFAULT, sizeof x + sizeof dy);
  list->CopyBufferRegion(inputs.Get(), 0, upload.Get(), 0, sizeof x + sizeof dy);

  // 7. Bind and record. The table is used again, now for the operator.
  const ComPtr<ID3D12Resource> output =
      CreateBuffer(d3d12.Get(), D3D12_HEAP_TYPE_DEFAULT, sizeof expected);
  table_desc.Dispatchable = compiled.Get();
  Check(table->Reset(&table_desc));
  const DML_BUFFER_BINDING x_binding = {inputs.Get(), 0, sizeof x};
  const DML_BUFFER_BINDING dy_binding = {inputs.Get(), sizeof x, sizeof dy};
  const DML_BUFFER_BINDING dx_binding = {output.Get(), 0, sizeof expected};
  const DML_BINDING_DESC input_bindings[2] = {{DML_BINDING_TYPE_BUFFER, &x_binding},
                                              {DML_BINDING_TYPE_BUFFER, &dy_binding}};
  const DML_BINDING_DESC output_binding = {DML_BINDING_TYPE_BUFFER, &dx_binding};
  table->BindInputs(2, input_bindings);
  table->BindOutputs(1, &output_binding);
  recorder->RecordDispatch(list.Get(), compiled.Get(), table.Get());
  const ComPtr<ID3D12Resource> readback =
      CreateBuffer(d3d12.Get(), D3D12_HEAP_TYPE_READBACK, sizeof expected);
  list->CopyBufferRegion(readback.Get(), 0, output.Get(), 0, sizeof expected);
  Check(list->Close());

  // 8. Execute and wait. Nothing has run before this point. Methods that return
  // nothing report misuse by removing the device, so one question answers for
  // all of them.
  ID3D12CommandList* lists[] = {list.Get()};
  queue->ExecuteCommandLists(1, lists);
  ComPtr<ID3D12Fence> fence;
  Check(d3d12->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)));
  Check(queue->Signal(fence.Get(), 1));
  Check(fence->SetEventOnCompletion(1, nullptr));
  Check(dml->GetDeviceRemovedReason());

  // 9. Look at the result.
  Check(readback->Map(0, nullptr, &mapped));
  float dx[8];
  std::memcpy(dx, mapped, sizeof dx);
  readback->Unmap(0, nullptr);
  std::printf("dX =");
  for (float value : dx) std::printf(" %g", value);
  std::printf("\n");
  return std::memcmp(dx, expected, sizeof dx) == 0 ? 0 : 1;
}
