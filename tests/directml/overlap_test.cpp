// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// D6 and D7 where a binding is there and nobody uses it, and buffers that cannot
// be written at all.
#include <functional>

#include "directml/fixture.h"
#include "directml/graph_builder.h"

namespace anydml::directml {
namespace {

class OverlapTest : public DirectMLTest {
 protected:
  // MAX_POOLING2 without its indices: two outputs, one of them absent.
  ComPtr<IDMLCompiledOperator> CompilePooling() {
    const Tensor input(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 2, 2});
    const Tensor output(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 1, 1});
    const UINT one[] = {1, 1}, two[] = {2, 2}, zero[] = {0, 0};
    const DML_MAX_POOLING2_OPERATOR_DESC desc = {input, output, nullptr, 2,  one,
                                                 two,   zero,   zero,    one};
    return Compile(Create(DML_OPERATOR_MAX_POOLING2, &desc));
  }

  // With a device that tells.
  ComPtr<ID3D12InfoQueue1> ListenToMessages() {
    EXPECT_EQ(DMLCreateDevice(device.Get(), DML_CREATE_DEVICE_FLAG_DEBUG, IID_PPV_ARGS(&dml)),
              S_OK);
    EXPECT_EQ(dml->CreateCommandRecorder(IID_PPV_ARGS(&recorder)), S_OK);
    ComPtr<ID3D12InfoQueue1> messages;
    EXPECT_EQ(device->QueryInterface(IID_PPV_ARGS(&messages)), S_OK);
    messages->ClearStoredMessages();
    return messages;
  }

  // At every message, until it is unregistered.
  static DWORD CallOnMessage(const ComPtr<ID3D12InfoQueue1>& messages,
                             std::function<void()>* action) {
    DWORD cookie = 0;
    const auto call = [](D3D12_MESSAGE_CATEGORY, D3D12_MESSAGE_SEVERITY, D3D12_MESSAGE_ID, LPCSTR,
                         void* context) { (*static_cast<std::function<void()>*>(context))(); };
    EXPECT_EQ(
        messages->RegisterMessageCallback(call, D3D12_MESSAGE_CALLBACK_FLAG_NONE, action, &cookie),
        S_OK);
    return cookie;
  }

  // Binds the output of a gate to `buffer`.
  void BindOutput(const ComPtr<ID3D12Resource>& buffer) {
    const auto compiled = CompileGate(4);
    const BindingDescs outputs = {buffer};
    Table(compiled.Get())->BindOutputs(1, outputs.data());
  }
};

TEST_F(OverlapTest, AnAbsentOutputMayBeBoundAnywhere) {
  const auto compiled = CompilePooling();
  Initialize(compiled);
  const auto x = Buffer(std::vector<float>{1, 4, 3, 2});
  const auto y = Buffer(16);
  Record(compiled, {x}, {y, x});
  Record(compiled, {x}, {y, Range(x, 0, 4)});
  Record(compiled, {x}, {y, y});
  Finish();
  EXPECT_EQ(dml->GetDeviceRemovedReason(), S_OK) << LastError();
  EXPECT_EQ(Contents<float>(y.Get()).front(), 4.0f);
  EXPECT_EQ(Contents<float>(x.Get()), (std::vector<float>{1, 4, 3, 2}));
}

// The temporary memory of a graph, over an input that no node reads.
TEST_F(OverlapTest, AnUnreadInputMayLieInTheTemporaryResource) {
  const Tensor padded(DML_TENSOR_DATA_TYPE_FLOAT32, {4}, {2});
  const auto gate = CreateGate(padded, padded, padded);
  GraphBuilder graph(2, 1);
  for (UINT node = 0; node < 2; ++node) {
    graph.AddOperator(gate.Get());
    graph.AddInput(0, node, 0);
  }
  graph.AddInput(0, 0, 1);
  graph.AddEdge(0, 0, 1, 1);
  graph.AddOutput(1, 0, 0);
  const DML_GRAPH_DESC desc = graph.desc();
  ComPtr<IDMLCompiledOperator> compiled;
  ASSERT_EQ(dml->CompileGraph(&desc, DML_EXECUTION_FLAG_NONE, IID_PPV_ARGS(&compiled)), S_OK);
  const uint64_t bytes = compiled->GetBindingProperties().TemporaryResourceSize;
  ASSERT_GT(bytes, 0u);
  Initialize(compiled);
  const auto x = Buffer(std::vector<float>{1, 0, -2, 0, 3, 0, -4, 0});
  const auto y = Buffer(32);
  const auto scratch = Buffer(bytes);
  const auto table = Table(compiled.Get());
  const BindingDescs temporary = {scratch};
  table->BindTemporaryResource(temporary.data());
  Bind(table, {x, scratch}, {y});
  recorder->RecordDispatch(list.Get(), compiled.Get(), table.Get());
  Finish();
  EXPECT_EQ(dml->GetDeviceRemovedReason(), S_OK) << LastError();
  EXPECT_EQ(Contents<float>(y.Get()), (std::vector<float>{1, 0, 0, 0, 3, 0, 0, 0}));
}

TEST_F(OverlapTest, ToldOncePerOperatorThatItRunsInPlace) {
  const ComPtr<ID3D12InfoQueue1> messages = ListenToMessages();
  const auto compiled = CompileGate(4), other = CompileGate(4);
  const auto x = Buffer(16), dy = Buffer(16);
  for (int i = 0; i < 100; ++i) Record(compiled, {x, dy}, {x});
  EXPECT_EQ(messages->GetNumStoredMessages(), 1u);
  Record(other, {x, dy}, {x});
  EXPECT_EQ(messages->GetNumStoredMessages(), 2u);
}

// What was told of is what runs.
TEST_F(OverlapTest, ACallbackThatHearsOfADispatchMayBindAnew) {
  const ComPtr<ID3D12InfoQueue1> messages = ListenToMessages();
  const auto compiled = CompileGate(4);
  Initialize(compiled);
  const auto x = Buffer(std::vector<float>{1, -1, 2, -2});
  const auto dy = Buffer(std::vector<float>{5, 6, 7, 8});
  const auto table = Table(compiled.Get());
  int calls = 0;
  std::function<void()> unbind = [&] {
    ++calls;
    table->BindInputs(0, nullptr);
    table->BindOutputs(0, nullptr);
    EXPECT_EQ(table->Reset(nullptr), S_OK);
  };
  const DWORD cookie = CallOnMessage(messages, &unbind);
  Bind(table, {x, dy}, {x});
  recorder->RecordDispatch(list.Get(), compiled.Get(), table.Get());
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(messages->UnregisterMessageCallback(cookie), S_OK);
  Finish();
  EXPECT_EQ(dml->GetDeviceRemovedReason(), S_OK) << LastError();
  EXPECT_EQ(Contents<float>(x.Get()), (std::vector<float>{5, 0, 7, 0}));
}

TEST_F(OverlapTest, ACallbackThatHearsOfASubmissionMayResetTheList) {
  const ComPtr<ID3D12InfoQueue1> messages = ListenToMessages();
  const auto compiled = CompileGate(4, DML_EXECUTION_FLAG_DESCRIPTORS_VOLATILE);
  Initialize(compiled);
  const auto x = Buffer(std::vector<float>{1, -1, 2, -2});
  const auto dy = Buffer(std::vector<float>{5, 6, 7, 8});
  auto table = Table(compiled.Get());
  int calls = 0;
  std::function<void()> reset = [&] {
    ++calls;
    table = nullptr;
    EXPECT_EQ(list->Reset(allocator.Get(), nullptr), S_OK);
  };
  const DWORD cookie = CallOnMessage(messages, &reset);
  Bind(table, {x, dy}, {x});
  recorder->RecordDispatch(list.Get(), compiled.Get(), table.Get());
  ASSERT_EQ(list->Close(), S_OK);
  Submit();
  EXPECT_EQ(messages->UnregisterMessageCallback(cookie), S_OK);
  WaitForQueue();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(dml->GetDeviceRemovedReason(), S_OK) << LastError();
  EXPECT_EQ(Contents<float>(x.Get()), (std::vector<float>{5, 0, 7, 0}));
}

// "All buffers being bound as output must have heap type D3D12_HEAP_TYPE_DEFAULT."
TEST_F(OverlapTest, NothingIsWrittenToAnUploadHeap) {
  BindOutput(MakeBuffer(D3D12_HEAP_TYPE_UPLOAD, 16));
  ExpectRemoved(
      "BindOutputs: ACTIVATION_RELU_GRAD: OutputGradientTensor: the buffer lies on an UPLOAD heap, "
      "which the device only reads; it must lie on a DEFAULT heap");
}

TEST_F(OverlapTest, NothingIsWrittenToAReadbackHeap) {
  BindOutput(MakeBuffer(D3D12_HEAP_TYPE_READBACK, 16));
  ExpectRemoved(
      "BindOutputs: ACTIVATION_RELU_GRAD: OutputGradientTensor: the buffer lies on a READBACK "
      "heap, which only takes copies; it must lie on a DEFAULT heap");
}

TEST_F(OverlapTest, NothingIsWrittenWithoutUnorderedAccess) {
  const D3D12_HEAP_PROPERTIES properties = d3d12::HeapOf(D3D12_HEAP_TYPE_DEFAULT);
  const D3D12_RESOURCE_DESC desc = d3d12::BufferOf(16);
  ComPtr<ID3D12Resource> plain;
  ASSERT_EQ(
      device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc,
                                      D3D12_RESOURCE_STATE_COMMON, nullptr, IID_PPV_ARGS(&plain)),
      S_OK);
  BindOutput(plain);
  ExpectRemoved(
      "BindOutputs: ACTIVATION_RELU_GRAD: OutputGradientTensor: the buffer must be created with "
      "D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS");
}

TEST_F(OverlapTest, NoTemporaryMemoryLiesOnAnUploadHeap) {
  const Tensor padded(DML_TENSOR_DATA_TYPE_FLOAT32, {4}, {2});
  const auto gate = CreateGate(padded, padded, padded);
  const GraphBuilder graph = ChainOf(gate.Get(), 2);
  const DML_GRAPH_DESC desc = graph.desc();
  ComPtr<IDMLCompiledOperator> compiled;
  ASSERT_EQ(dml->CompileGraph(&desc, DML_EXECUTION_FLAG_NONE, IID_PPV_ARGS(&compiled)), S_OK);
  const BindingDescs temporary = {Range(MakeBuffer(D3D12_HEAP_TYPE_UPLOAD, 256))};
  Table(compiled.Get())->BindTemporaryResource(temporary.data());
  ExpectRemoved(
      "BindTemporaryResource: graph: the buffer lies on an UPLOAD heap, which the device only "
      "reads; it must lie on a DEFAULT heap");
}

}  // namespace
}  // namespace anydml::directml
