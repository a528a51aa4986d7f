// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Every allocation of a call fails once: the call returns E_OUTOFMEMORY and a
// sentence, leaves nothing behind, and succeeds when it is tried again. A program
// of its own, because it replaces operator new.
#include "directml/failing_new.h"
#include "directml/fixture.h"
#include "directml/graph_builder.h"

namespace anydml::directml {
namespace {

class OutOfMemoryTest : public DirectMLTest {
 protected:
  // Calls until nothing fails any more.
  template <typename Call>
  void FailEverywhere(const std::string& method, const Call& call) {
    const int most = 10000;
    int number = 1;
    for (; number < most; ++number) {
      SetLastError("stale");
      FailAllocation(number);
      const HRESULT result = call();
      FailAllocation(0);
      if (result == S_OK) break;
      ASSERT_EQ(result, E_OUTOFMEMORY) << method << ", allocation " << number;
      EXPECT_EQ(LastError().substr(0, method.size() + 2), method + ": ") << number;
      ASSERT_EQ(dml->GetDeviceRemovedReason(), S_OK) << LastError();
    }
    EXPECT_GT(number, 1) << method << " allocates nothing";
    EXPECT_LT(number, most) << method;
  }
};

TEST_F(OutOfMemoryTest, IsToldByTheMethodsOfTheDevice) {
  const Tensor tensor(DML_TENSOR_DATA_TYPE_FLOAT32, {4});
  const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC gate_desc = {tensor, tensor, tensor};
  const DML_OPERATOR_DESC desc = {DML_OPERATOR_ACTIVATION_RELU_GRAD, &gate_desc};
  ComPtr<IDMLOperator> op;
  FailEverywhere("CreateOperator", [&] { return dml->CreateOperator(&desc, IID_PPV_ARGS(&op)); });
  ComPtr<IDMLCompiledOperator> compiled;
  const auto none = DML_EXECUTION_FLAG_NONE;
  FailEverywhere("CompileOperator",
                 [&] { return dml->CompileOperator(op.Get(), none, IID_PPV_ARGS(&compiled)); });
  const GraphBuilder graph = ChainOf(op.Get(), 3);
  const DML_GRAPH_DESC graph_desc = graph.desc();
  FailEverywhere("CompileGraph",
                 [&] { return dml->CompileGraph(&graph_desc, none, IID_PPV_ARGS(&compiled)); });
  ComPtr<IDMLOperatorInitializer> initializer;
  IDMLCompiledOperator* const operators[] = {compiled.Get()};
  FailEverywhere("CreateOperatorInitializer", [&] {
    return dml->CreateOperatorInitializer(1, operators, IID_PPV_ARGS(&initializer));
  });
  FailEverywhere("CreateCommandRecorder",
                 [&] { return dml->CreateCommandRecorder(IID_PPV_ARGS(&recorder)); });
  ComPtr<IDMLBindingTable> table;
  const DML_BINDING_TABLE_DESC table_desc = TableDesc(compiled.Get());
  FailEverywhere("CreateBindingTable",
                 [&] { return dml->CreateBindingTable(&table_desc, IID_PPV_ARGS(&table)); });
  FailEverywhere("SetName", [&] { return compiled->SetName(L"a chain"); });
}

TEST_F(OutOfMemoryTest, IsToldByDirect3D) {
  const D3D12_HEAP_PROPERTIES properties = d3d12::HeapOf(D3D12_HEAP_TYPE_DEFAULT);
  const D3D12_RESOURCE_DESC desc = d3d12::BufferOf(16);
  ComPtr<ID3D12Resource> buffer;
  FailEverywhere("CreateCommittedResource", [&] {
    return device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc,
                                           D3D12_RESOURCE_STATE_COMMON, nullptr,
                                           IID_PPV_ARGS(&buffer));
  });
  FailEverywhere("CreateFence", [&] {
    return device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence));
  });
  ComPtr<ID3D12CommandAllocator> other;
  const auto type = D3D12_COMMAND_LIST_TYPE_COMPUTE;
  FailEverywhere("CreateCommandAllocator",
                 [&] { return device->CreateCommandAllocator(type, IID_PPV_ARGS(&other)); });
  FailEverywhere("CreateCommandList", [&] {
    return device->CreateCommandList(0, type, other.Get(), nullptr, IID_PPV_ARGS(&list));
  });
  const D3D12_RESOURCE_DESC endless = d3d12::BufferOf(uint64_t{1} << 60);
  EXPECT_EQ(
      device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &endless,
                                      D3D12_RESOURCE_STATE_COMMON, nullptr, IID_PPV_ARGS(&buffer)),
      E_OUTOFMEMORY);
  // A card's sentence is CUDA's.
  EXPECT_TRUE(LastError() == "CreateCommittedResource: no memory for 1152921504606846976 bytes" ||
              LastError().starts_with("CreateCommittedResource: CUDA: allocating 11529215046"))
      << LastError();
}

// A method that returns nothing can only remove the device.
TEST_F(OutOfMemoryTest, RemovesTheDeviceWhereNothingIsReturned) {
  const auto x = Buffer(16), dy = Buffer(16), dx = Buffer(16);
  const BindingDescs inputs = {x, dy}, outputs = {dx};
  int removals = 0;
  for (int number = 1; number < 1000; ++number) {
    ASSERT_EQ(DMLCreateDevice(device.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&dml)), S_OK);
    ASSERT_EQ(dml->CreateCommandRecorder(IID_PPV_ARGS(&recorder)), S_OK);
    const auto compiled = CompileGate(4);
    const auto table = Table(compiled.Get());
    FailAllocation(number);
    table->BindInputs(2, inputs.data());
    table->BindOutputs(1, outputs.data());
    recorder->RecordDispatch(list.Get(), compiled.Get(), table.Get());
    const bool none_failed = AwaitsFailure();
    FailAllocation(0);
    if (none_failed) break;
    ++removals;
    ASSERT_EQ(dml->GetDeviceRemovedReason(), E_OUTOFMEMORY) << number << ": " << LastError();
    ASSERT_EQ(device->GetDeviceRemovedReason(), S_OK);
  }
  EXPECT_GT(removals, 3);
  EXPECT_LT(removals, 999);
}

}  // namespace
}  // namespace anydml::directml
