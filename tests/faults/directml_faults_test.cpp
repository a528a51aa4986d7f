// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// No memory, and no threads, under DXCore, Direct3D 12 and DirectML: whole programs,
// from the factory to the result, in which one allocation fails. Methods that
// return nothing remove the device, whose reason is then asked.
#include "d3d12/fixture.h"
// The Direct3D 12 headers first: directml_guids.h wants them before it.
#include <directml_guids.h>

#include <cstring>

#include "base/last_error.h"
#include "faults/every_failure.h"
#include "faults/operator_program.h"
#include "support/run.h"

namespace anydml::faults {
namespace {

using d3d12::BufferOf;
using d3d12::FirstState;
using d3d12::HeapOf;
using Microsoft::WRL::ComPtr;

Answer AnswerOf(HRESULT result) {
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

constexpr auto kType = D3D12_COMMAND_LIST_TYPE_COMPUTE;

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

// Heaps, placed buffers, copies, timestamps, names.
HRESULT RunDirect3D() {
  Direct3D d3d;
  RETURN_IF_FAILED(d3d.Open());
  RETURN_IF_FAILED(d3d.device->SetName(L"a device with a name that is not short"));
  ComPtr<ID3D12Heap> heap;
  D3D12_HEAP_DESC heap_desc = {};
  heap_desc.SizeInBytes = 1 << 16;
  heap_desc.Properties.Type = D3D12_HEAP_TYPE_DEFAULT;
  RETURN_IF_FAILED(d3d.device->CreateHeap(&heap_desc, IID_PPV_ARGS(&heap)));
  const D3D12_RESOURCE_DESC desc = BufferOf(4096);
  ComPtr<ID3D12Resource> placed, upload, readback;
  RETURN_IF_FAILED(d3d.device->CreatePlacedResource(
      heap.Get(), 0, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr, IID_PPV_ARGS(&placed)));
  RETURN_IF_FAILED(d3d.MakeBuffer(D3D12_HEAP_TYPE_UPLOAD, 4096, upload));
  RETURN_IF_FAILED(d3d.MakeBuffer(D3D12_HEAP_TYPE_READBACK, 4096, readback));
  ComPtr<ID3D12QueryHeap> queries;
  const D3D12_QUERY_HEAP_DESC query_desc = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 2, 0};
  RETURN_IF_FAILED(d3d.device->CreateQueryHeap(&query_desc, IID_PPV_ARGS(&queries)));
  void* data = nullptr;
  RETURN_IF_FAILED(upload->Map(0, nullptr, &data));
  std::memset(data, 7, 4096);
  upload->Unmap(0, nullptr);
  d3d.list->EndQuery(queries.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0);
  d3d.list->CopyResource(placed.Get(), upload.Get());
  d3d.list->CopyBufferRegion(readback.Get(), 0, placed.Get(), 0, 4096);
  RETURN_IF_FAILED(d3d.Finish());
  RETURN_IF_FAILED(readback->Map(0, nullptr, &data));
  return static_cast<uint8_t*>(data)[4095] == 7 ? S_OK : E_UNEXPECTED;
}

TEST(DirectMLFaults, Direct3DTellsThatThereIsNoMemory) {
  FailEverywhere("Direct3D 12", [] { return AnswerOf(RunDirect3D()); });
}

TEST(DirectMLFaults, Direct3DTellsThatThereIsNoThread) {
  EXPECT_GT(FailEveryThread("Direct3D 12", [] { return AnswerOf(RunDirect3D()); }), 0);
}

// A graph of gates in a row, all of DirectML's objects, and the result.
class GateProgram {
 public:
  GateProgram() {
    for (UINT i = 0; i < kLength; ++i) {
      nodes_[i] = {DML_GRAPH_NODE_TYPE_OPERATOR, &operators_[i]};
      input_[i] = {i + 1, i, 0, nullptr};
      input_edges_[i] = {DML_GRAPH_EDGE_TYPE_INPUT, &input_[i]};
      if (i == 0) continue;
      between_[i - 1] = {i - 1, 0, i, 1, nullptr};
      between_edges_[i - 1] = {DML_GRAPH_EDGE_TYPE_INTERMEDIATE, &between_[i - 1]};
    }
    input_[kLength] = {0, 0, 1, nullptr};
    input_edges_[kLength] = {DML_GRAPH_EDGE_TYPE_INPUT, &input_[kLength]};
    output_ = {kLength - 1, 0, 0, nullptr};
    output_edge_ = {DML_GRAPH_EDGE_TYPE_OUTPUT, &output_};
  }

  HRESULT Run() {
    Direct3D d3d;
    RETURN_IF_FAILED(d3d.Open());
    ComPtr<IDMLDevice1> dml;
    RETURN_IF_FAILED(
        DMLCreateDevice(d3d.device.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&dml)));
    ComPtr<IDMLOperator> gate;
    const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC gate_desc = {tensor_, tensor_, tensor_};
    const DML_OPERATOR_DESC desc = {DML_OPERATOR_ACTIVATION_RELU_GRAD, &gate_desc};
    RETURN_IF_FAILED(dml->CreateOperator(&desc, IID_PPV_ARGS(&gate)));
    ComPtr<IDMLCompiledOperator> compiled;
    RETURN_IF_FAILED(
        dml->CompileOperator(gate.Get(), DML_EXECUTION_FLAG_NONE, IID_PPV_ARGS(&compiled)));
    for (auto& node : operators_) node = {gate.Get(), nullptr};
    const DML_GRAPH_DESC graph = {kLength + 1,  1, kLength,       nodes_,      kLength + 1,
                                  input_edges_, 1, &output_edge_, kLength - 1, between_edges_};
    RETURN_IF_FAILED(dml->CompileGraph(&graph, DML_EXECUTION_FLAG_NONE, IID_PPV_ARGS(&compiled)));
    return Execute(d3d, dml.Get(), compiled.Get());
  }

 private:
  static constexpr UINT kLength = 3;

  HRESULT Initialize(Direct3D& d3d, IDMLDevice* dml, IDMLCompiledOperator* compiled,
                     IDMLCommandRecorder* recorder) {
    ComPtr<IDMLOperatorInitializer> initializer;
    RETURN_IF_FAILED(dml->CreateOperatorInitializer(1, &compiled, IID_PPV_ARGS(&initializer)));
    ComPtr<IDMLBindingTable> table;
    const DML_BINDING_TABLE_DESC desc = TableOf(d3d, initializer.Get());
    RETURN_IF_FAILED(dml->CreateBindingTable(&desc, IID_PPV_ARGS(&table)));
    recorder->RecordDispatch(d3d.list.Get(), initializer.Get(), table.Get());
    RETURN_IF_FAILED(dml->GetDeviceRemovedReason());
    return d3d.Finish();
  }

  HRESULT Execute(Direct3D& d3d, IDMLDevice* dml, IDMLCompiledOperator* compiled) {
    ComPtr<IDMLCommandRecorder> recorder;
    RETURN_IF_FAILED(dml->CreateCommandRecorder(IID_PPV_ARGS(&recorder)));
    RETURN_IF_FAILED(Initialize(d3d, dml, compiled, recorder.Get()));
    ComPtr<IDMLBindingTable> table;
    const DML_BINDING_TABLE_DESC desc = TableOf(d3d, compiled);
    RETURN_IF_FAILED(dml->CreateBindingTable(&desc, IID_PPV_ARGS(&table)));
    ComPtr<ID3D12Resource> data, result, temporary;
    RETURN_IF_FAILED(d3d.MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 16, data));
    RETURN_IF_FAILED(d3d.MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 16, result));
    const float values[4] = {1, -2, 3, -4};
    std::memcpy(reinterpret_cast<void*>(data->GetGPUVirtualAddress()), values, sizeof values);
    const DML_BUFFER_BINDING from = {data.Get(), 0, 16}, to = {result.Get(), 0, 16};
    const DML_BINDING_DESC in = {DML_BINDING_TYPE_BUFFER, &from};
    const DML_BINDING_DESC ins[kLength + 1] = {in, in, in, in};
    const DML_BINDING_DESC out = {DML_BINDING_TYPE_BUFFER, &to};
    table->BindInputs(kLength + 1, ins);
    table->BindOutputs(1, &out);
    const UINT64 bytes = compiled->GetBindingProperties().TemporaryResourceSize;
    if (bytes != 0) {
      RETURN_IF_FAILED(d3d.MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, bytes, temporary));
      const DML_BUFFER_BINDING between = {temporary.Get(), 0, bytes};
      const DML_BINDING_DESC binding = {DML_BINDING_TYPE_BUFFER, &between};
      table->BindTemporaryResource(&binding);
    }
    recorder->RecordDispatch(d3d.list.Get(), compiled, table.Get());
    RETURN_IF_FAILED(dml->GetDeviceRemovedReason());
    RETURN_IF_FAILED(d3d.Finish());
    RETURN_IF_FAILED(dml->GetDeviceRemovedReason());
    const float expected[4] = {1, 0, 3, 0};
    const auto* computed = reinterpret_cast<const void*>(result->GetGPUVirtualAddress());
    return std::memcmp(computed, expected, sizeof expected) == 0 ? S_OK : E_UNEXPECTED;
  }

  static DML_BINDING_TABLE_DESC TableOf(const Direct3D& d3d, IDMLDispatchable* dispatchable) {
    return {dispatchable, d3d.descriptors->GetCPUDescriptorHandleForHeapStart(),
            d3d.descriptors->GetGPUDescriptorHandleForHeapStart(), 1};
  }

  const test::Tensor tensor_{DML_TENSOR_DATA_TYPE_FLOAT32, {4}};
  DML_OPERATOR_GRAPH_NODE_DESC operators_[kLength] = {};
  DML_GRAPH_NODE_DESC nodes_[kLength] = {};
  DML_INPUT_GRAPH_EDGE_DESC input_[kLength + 1] = {};
  DML_GRAPH_EDGE_DESC input_edges_[kLength + 1] = {};
  DML_INTERMEDIATE_GRAPH_EDGE_DESC between_[kLength - 1] = {};
  DML_GRAPH_EDGE_DESC between_edges_[kLength - 1] = {};
  DML_OUTPUT_GRAPH_EDGE_DESC output_ = {};
  DML_GRAPH_EDGE_DESC output_edge_ = {};
};

TEST(DirectMLFaults, DirectMLTellsThatThereIsNoMemory) {
  GateProgram program;
  FailEverywhere("DirectML", [&] { return AnswerOf(program.Run()); });
}

TEST(DirectMLFaults, DirectMLTellsThatThereIsNoThread) {
  GateProgram program;
  EXPECT_GT(FailEveryThread("DirectML", [&] { return AnswerOf(program.Run()); }), 0);
}

// Creation and compilation of every operator.
TEST(DirectMLFaults, EveryOperatorTellsThatThereIsNoMemory) {
  for (const Definition* definition : Registry()) {
    for (const Operator& op : OperatorsToTry(*definition)) {
      const test::StructBuilder builder(*op.arguments);
      const DML_OPERATOR_DESC desc = {static_cast<DML_OPERATOR_TYPE>(definition->schema->type),
                                      builder.desc()};
      const auto create = [&]() -> HRESULT {
        Direct3D d3d;
        ComPtr<IDMLDevice> dml;
        ComPtr<IDMLOperator> made;
        ComPtr<IDMLCompiledOperator> compiled;
        RETURN_IF_FAILED(
            D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_1_0_CORE, IID_PPV_ARGS(&d3d.device)));
        RETURN_IF_FAILED(
            DMLCreateDevice(d3d.device.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&dml)));
        RETURN_IF_FAILED(dml->CreateOperator(&desc, IID_PPV_ARGS(&made)));
        return dml->CompileOperator(made.Get(), DML_EXECUTION_FLAG_NONE, IID_PPV_ARGS(&compiled));
      };
      FailEverywhere(std::string(definition->schema->name), [&] { return AnswerOf(create()); });
    }
  }
}

}  // namespace
}  // namespace anydml::faults
