// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What Direct3D 12 and DirectML cost beside the kernels: a recorded dispatch, a
// whole trip of one small dispatch, a copy beside memcpy, and compiling graphs.
#include <anydml/anydml.h>
#include <benchmark/benchmark.h>
#include <directml.h>
#include <directml_guids.h>
#include <wrl/client.h>

#include <cstring>
#include <stdexcept>
#include <vector>

namespace {

using Microsoft::WRL::ComPtr;

void Check(HRESULT result) {
  if (FAILED(result)) throw std::runtime_error(anydml_last_error());
}

// A queue, a list and a RELU_GRAD on `count` elements with its buffers bound.
class Bench {
 public:
  explicit Bench(UINT count) {
    Check(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&device_)));
    Check(DMLCreateDevice(device_.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&dml_)));
    D3D12_COMMAND_QUEUE_DESC desc = {};
    desc.Type = D3D12_COMMAND_LIST_TYPE_COMPUTE;
    Check(device_->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue_)));
    Check(device_->CreateCommandAllocator(desc.Type, IID_PPV_ARGS(&allocator_)));
    Check(
        device_->CreateCommandList(0, desc.Type, allocator_.Get(), nullptr, IID_PPV_ARGS(&list_)));
    Check(device_->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence_)));
    Check(dml_->CreateCommandRecorder(IID_PPV_ARGS(&recorder_)));
    Compile(count);
    Initialize();
    Bind(count);
  }

  ID3D12GraphicsCommandList* list() { return list_.Get(); }

  void RecordDispatch() { recorder_->RecordDispatch(list_.Get(), compiled_.Get(), table_.Get()); }

  void ExecuteAndWait() {
    Check(list_->Close());
    ID3D12CommandList* lists[] = {list_.Get()};
    queue_->ExecuteCommandLists(1, lists);
    Check(queue_->Signal(fence_.Get(), ++value_));
    Check(fence_->SetEventOnCompletion(value_, nullptr));
    Check(dml_->GetDeviceRemovedReason());
    Check(allocator_->Reset());
    Check(list_->Reset(allocator_.Get(), nullptr));
  }

  ComPtr<ID3D12Resource> CreateBuffer(UINT64 bytes) {
    D3D12_HEAP_PROPERTIES heap = {};
    heap.Type = D3D12_HEAP_TYPE_DEFAULT;
    D3D12_RESOURCE_DESC desc = {};
    desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
    desc.Width = bytes;
    desc.Height = desc.DepthOrArraySize = desc.MipLevels = 1;
    desc.SampleDesc.Count = 1;
    desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
    desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
    ComPtr<ID3D12Resource> buffer;
    Check(device_->CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &desc,
                                           D3D12_RESOURCE_STATE_UNORDERED_ACCESS, nullptr,
                                           IID_PPV_ARGS(&buffer)));
    // Pages that were never written are all one page of zeros, and copy too fast.
    // The CPU's device addresses are the program's own.
    std::memset(reinterpret_cast<void*>(buffer->GetGPUVirtualAddress()), 63, bytes);
    return buffer;
  }

 private:
  void Compile(UINT count) {
    DML_BUFFER_TENSOR_DESC buffer = {};
    buffer.DataType = DML_TENSOR_DATA_TYPE_FLOAT32;
    buffer.DimensionCount = 1;
    buffer.Sizes = &count;
    buffer.TotalTensorSizeInBytes = uint64_t{count} * sizeof(float);
    const DML_TENSOR_DESC tensor = {DML_TENSOR_TYPE_BUFFER, &buffer};
    const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC relu_grad = {&tensor, &tensor, &tensor};
    const DML_OPERATOR_DESC desc = {DML_OPERATOR_ACTIVATION_RELU_GRAD, &relu_grad};
    ComPtr<IDMLOperator> op;
    Check(dml_->CreateOperator(&desc, IID_PPV_ARGS(&op)));
    Check(dml_->CompileOperator(op.Get(), DML_EXECUTION_FLAG_NONE, IID_PPV_ARGS(&compiled_)));
  }

  void CreateTable(IDMLDispatchable* dispatchable) {
    D3D12_DESCRIPTOR_HEAP_DESC desc = {};
    desc.Type = D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV;
    desc.NumDescriptors = dispatchable->GetBindingProperties().RequiredDescriptorCount;
    desc.Flags = D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE;
    Check(device_->CreateDescriptorHeap(&desc, IID_PPV_ARGS(&heap_)));
    const DML_BINDING_TABLE_DESC table = {dispatchable, heap_->GetCPUDescriptorHandleForHeapStart(),
                                          heap_->GetGPUDescriptorHandleForHeapStart(),
                                          desc.NumDescriptors};
    Check(dml_->CreateBindingTable(&table, IID_PPV_ARGS(&table_)));
  }

  void Initialize() {
    IDMLCompiledOperator* operators[] = {compiled_.Get()};
    ComPtr<IDMLOperatorInitializer> initializer;
    Check(dml_->CreateOperatorInitializer(1, operators, IID_PPV_ARGS(&initializer)));
    CreateTable(initializer.Get());
    recorder_->RecordDispatch(list_.Get(), initializer.Get(), table_.Get());
    ExecuteAndWait();
  }

  void Bind(UINT count) {
    const UINT64 bytes = uint64_t{count} * sizeof(float);
    CreateTable(compiled_.Get());
    for (auto& buffer : buffers_) buffer = CreateBuffer(bytes);
    const DML_BUFFER_BINDING ranges[3] = {{buffers_[0].Get(), 0, bytes},
                                          {buffers_[1].Get(), 0, bytes},
                                          {buffers_[2].Get(), 0, bytes}};
    const DML_BINDING_DESC bindings[3] = {{DML_BINDING_TYPE_BUFFER, &ranges[0]},
                                          {DML_BINDING_TYPE_BUFFER, &ranges[1]},
                                          {DML_BINDING_TYPE_BUFFER, &ranges[2]}};
    table_->BindInputs(2, bindings);
    table_->BindOutputs(1, bindings + 2);
  }

  ComPtr<ID3D12Device> device_;
  ComPtr<IDMLDevice> dml_;
  ComPtr<ID3D12CommandQueue> queue_;
  ComPtr<ID3D12CommandAllocator> allocator_;
  ComPtr<ID3D12GraphicsCommandList> list_;
  ComPtr<ID3D12Fence> fence_;
  UINT64 value_ = 0;
  ComPtr<IDMLCommandRecorder> recorder_;
  ComPtr<IDMLCompiledOperator> compiled_;
  ComPtr<ID3D12DescriptorHeap> heap_;
  ComPtr<IDMLBindingTable> table_;
  ComPtr<ID3D12Resource> buffers_[3];
};

// items_per_second counts dispatches; one element each, so that the kernel is
// next to nothing.
void ThousandDispatches(benchmark::State& state) {
  Bench bench(1);
  for (auto _ : state) {
    for (int i = 0; i < 1000; ++i) bench.RecordDispatch();
    bench.ExecuteAndWait();
  }
  state.SetItemsProcessed(state.iterations() * 1000);
}
BENCHMARK(ThousandDispatches)->UseRealTime();

void RecordExecuteWait(benchmark::State& state) {
  Bench bench(static_cast<UINT>(state.range(0)));
  for (auto _ : state) {
    bench.RecordDispatch();
    bench.ExecuteAndWait();
  }
}
BENCHMARK(RecordExecuteWait)->Arg(1000)->UseRealTime();

void CopyBufferRegion(benchmark::State& state) {
  const auto bytes = static_cast<UINT64>(state.range(0));
  Bench bench(1);
  const ComPtr<ID3D12Resource> from = bench.CreateBuffer(bytes), to = bench.CreateBuffer(bytes);
  for (auto _ : state) {
    bench.list()->CopyBufferRegion(to.Get(), 0, from.Get(), 0, bytes);
    bench.ExecuteAndWait();
  }
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(CopyBufferRegion)->Arg(64 << 20)->UseRealTime();

// Gates in a row that run one by one, because there are gaps between their
// elements. Every other node of the second half also reads one of the first, as
// a backward pass does.
class ChainGraph {
 public:
  explicit ChainGraph(UINT count) : count_(count) {
    Check(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&device_)));
    Check(DMLCreateDevice(device_.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&dml_)));
    const UINT size = 4, stride = 2;
    const DML_BUFFER_TENSOR_DESC buffer = {
        DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, 1, &size, &stride, 28, 0};
    const DML_TENSOR_DESC tensor = {DML_TENSOR_TYPE_BUFFER, &buffer};
    const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC relu_grad = {&tensor, &tensor, &tensor};
    const DML_OPERATOR_DESC desc = {DML_OPERATOR_ACTIVATION_RELU_GRAD, &relu_grad};
    Check(dml_->CreateOperator(&desc, IID_PPV_ARGS(&op_)));
    gate_ = {op_.Get(), nullptr};
    nodes_.assign(count, {DML_GRAPH_NODE_TYPE_OPERATOR, &gate_});
    Connect();
  }

  void Compile() {
    const auto size = [](const auto& edges) { return static_cast<UINT>(edges.size()); };
    const DML_GRAPH_EDGE_DESC output = {DML_GRAPH_EDGE_TYPE_OUTPUT, &output_};
    const DML_GRAPH_DESC graph = {
        1, 1,       count_,       nodes_.data(), size(input_edges_), input_edges_.data(),
        1, &output, size(edges_), edges_.data()};
    ComPtr<IDMLCompiledOperator> compiled;
    Check(dml_->CompileGraph(&graph, DML_EXECUTION_FLAG_NONE, IID_PPV_ARGS(&compiled)));
  }

 private:
  void Connect() {
    output_ = {count_ - 1, 0, 0, nullptr};
    inputs_.push_back({0, 0, 1, nullptr});
    for (UINT i = 0; i < count_; ++i) {
      const bool is_backward = i > count_ / 2 && i % 2 == 0;
      if (i > 0) betweens_.push_back({i - 1, 0, i, 1, nullptr});
      if (is_backward) betweens_.push_back({count_ - i, 0, i, 0, nullptr});
      if (!is_backward) inputs_.push_back({0, i, 0, nullptr});
    }
    for (const auto& edge : inputs_) input_edges_.push_back({DML_GRAPH_EDGE_TYPE_INPUT, &edge});
    for (const auto& edge : betweens_) {
      edges_.push_back({DML_GRAPH_EDGE_TYPE_INTERMEDIATE, &edge});
    }
  }

  const UINT count_;
  ComPtr<ID3D12Device> device_;
  ComPtr<IDMLDevice1> dml_;
  ComPtr<IDMLOperator> op_;
  DML_OPERATOR_GRAPH_NODE_DESC gate_ = {};
  DML_OUTPUT_GRAPH_EDGE_DESC output_ = {};
  std::vector<DML_GRAPH_NODE_DESC> nodes_;
  std::vector<DML_INPUT_GRAPH_EDGE_DESC> inputs_;
  std::vector<DML_INTERMEDIATE_GRAPH_EDGE_DESC> betweens_;
  std::vector<DML_GRAPH_EDGE_DESC> input_edges_, edges_;
};

// items_per_second counts nodes.
void CompileGraph(benchmark::State& state) {
  ChainGraph graph(static_cast<UINT>(state.range(0)));
  for (auto _ : state) graph.Compile();
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(CompileGraph)->RangeMultiplier(4)->Range(2500, 40000)->Unit(benchmark::kMillisecond);

void Memcpy(benchmark::State& state) {
  std::vector<char> from(static_cast<size_t>(state.range(0)), 1), to(from.size(), 2);
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), from.size());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(Memcpy)->Arg(64 << 20)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
