// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// One gradient operator through libdirectml.so, loaded by name, in the steps of the
// traced programs: create, compile, initialize, bind, record, run, read back.
#include <algorithm>

#include "clients/client_fixture.h"
// After loaded_library.h, whose headers these need.
#include "DirectML.h"
#include "directml_guids.h"

namespace anydml::clients {
namespace {

using CreateDirectml = HRESULT(ID3D12Device*, DML_CREATE_DEVICE_FLAGS, DML_FEATURE_LEVEL, REFIID,
                               void**);

class ClientDirectmlTest : public ClientStyleTest {
 protected:
  void SetUp() override {
    ClientStyleTest::SetUp();
    if (HasFatalFailure()) return;
    auto* create = directml.Find<CreateDirectml>("DMLCreateDevice1");
    ASSERT_NE(create, nullptr);
    ASSERT_EQ(create(device.Get(), DML_CREATE_DEVICE_FLAG_NONE, DML_FEATURE_LEVEL_5_0,
                     IID_PPV_ARGS(&dml)),
              S_OK);
    ASSERT_EQ(dml->CreateCommandRecorder(IID_PPV_ARGS(&recorder)), S_OK);
  }

  // dx = x > 0 ? dy : 0, on eight floats; the descriptions die here.
  ComPtr<IDMLCompiledOperator> CompileReluGrad() {
    const UINT sizes[] = {1, 1, 2, 4};
    const DML_BUFFER_TENSOR_DESC buffer = {
        DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, 4, sizes, nullptr, 32, 0};
    const DML_TENSOR_DESC tensor = {DML_TENSOR_TYPE_BUFFER, &buffer};
    const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC relu = {&tensor, &tensor, &tensor};
    const DML_OPERATOR_DESC desc = {DML_OPERATOR_ACTIVATION_RELU_GRAD, &relu};
    ComPtr<IDMLOperator> created;
    EXPECT_EQ(dml->CreateOperator(&desc, IID_PPV_ARGS(&created)), S_OK);
    ComPtr<IDMLCompiledOperator> compiled;
    EXPECT_EQ(dml->CompileOperator(created.Get(), DML_EXECUTION_FLAG_NONE, IID_PPV_ARGS(&compiled)),
              S_OK);
    EXPECT_EQ(compiled->SetName(L"relu_grad"), S_OK);
    return compiled;
  }

  // A heap of exactly the descriptors that the dispatchable asks for, set in the
  // list, and a table over it.
  ComPtr<IDMLBindingTable> MakeTable(IDMLDispatchable* dispatchable) {
    const DML_BINDING_PROPERTIES properties = dispatchable->GetBindingProperties();
    D3D12_DESCRIPTOR_HEAP_DESC heap = {};
    heap.Type = D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV;
    heap.NumDescriptors = std::max(1u, properties.RequiredDescriptorCount);
    heap.Flags = D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE;
    EXPECT_EQ(
        device->CreateDescriptorHeap(&heap, IID_PPV_ARGS(descriptors.ReleaseAndGetAddressOf())),
        S_OK);
    ID3D12DescriptorHeap* heaps[] = {descriptors.Get()};
    list->SetDescriptorHeaps(1, heaps);
    const DML_BINDING_TABLE_DESC desc = {
        dispatchable, descriptors->GetCPUDescriptorHandleForHeapStart(),
        descriptors->GetGPUDescriptorHandleForHeapStart(), heap.NumDescriptors};
    ComPtr<IDMLBindingTable> table;
    EXPECT_EQ(dml->CreateBindingTable(&desc, IID_PPV_ARGS(&table)), S_OK);
    BindMemory(properties, table.Get());
    return table;
  }

  void BindMemory(const DML_BINDING_PROPERTIES& properties, IDMLBindingTable* table) {
    if (properties.TemporaryResourceSize != 0) {
      temporary = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, properties.TemporaryResourceSize, L"temp");
      const DML_BUFFER_BINDING bound = {temporary.Get(), 0, properties.TemporaryResourceSize};
      const DML_BINDING_DESC desc = {DML_BINDING_TYPE_BUFFER, &bound};
      table->BindTemporaryResource(&desc);
    }
  }

  void Initialize(IDMLCompiledOperator* compiled) {
    ComPtr<IDMLOperatorInitializer> initializer;
    IDMLCompiledOperator* operators[] = {compiled};
    ASSERT_EQ(dml->CreateOperatorInitializer(1, operators, IID_PPV_ARGS(&initializer)), S_OK);
    const auto table = MakeTable(initializer.Get());
    recorder->RecordDispatch(list.Get(), initializer.Get(), table.Get());
    ExecuteAndWait();
  }

  const LoadedLibrary directml{"libdirectml.so"};
  ComPtr<IDMLDevice1> dml;
  ComPtr<IDMLCommandRecorder> recorder;
  ComPtr<ID3D12DescriptorHeap> descriptors;
  ComPtr<ID3D12Resource> temporary;
};

TEST_F(ClientDirectmlTest, ReluGradRunsFromUploadToReadback) {
  const auto compiled = CompileReluGrad();
  Initialize(compiled.Get());
  const auto input = Upload({-1, 0, 1, 2, -3, 4, -0.0f, 5});
  const auto gradient = Upload({1, 2, 3, 4, 5, 6, 7, 8});
  const auto output = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 32, L"output");
  auto table = MakeTable(compiled.Get());
  const DML_BUFFER_BINDING buffers[] = {
      {input.Get(), 0, 32}, {gradient.Get(), 0, 32}, {output.Get(), 0, 32}};
  const DML_BINDING_DESC bindings[] = {{DML_BINDING_TYPE_BUFFER, &buffers[0]},
                                       {DML_BINDING_TYPE_BUFFER, &buffers[1]},
                                       {DML_BINDING_TYPE_BUFFER, &buffers[2]}};
  table->BindInputs(2, bindings);
  table->BindOutputs(1, &bindings[2]);
  recorder->RecordDispatch(list.Get(), compiled.Get(), table.Get());
  table = nullptr;  // recorded bindings are a snapshot
  const auto barrier = CD3DX12_RESOURCE_BARRIER::UAV(nullptr);
  list->ResourceBarrier(1, &barrier);
  ExecuteAndWait();
  EXPECT_EQ(dml->GetDeviceRemovedReason(), S_OK);
  EXPECT_EQ(Download(output.Get()), (std::vector<float>{0, 0, 3, 4, 0, 6, 0, 8}));
}

}  // namespace
}  // namespace anydml::clients
