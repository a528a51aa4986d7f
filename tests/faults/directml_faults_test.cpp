// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// No memory, and no threads, under DirectML: whole programs, from the factory to the
// result, in which one allocation fails. Methods that return nothing remove the
// device, whose reason is then asked.
#include "faults/direct3d_program.h"
// The Direct3D 12 headers first.
#include <cstring>

#include "faults/operator_program.h"
#include "support/run.h"

namespace anydml::faults {
namespace {

DML_BINDING_TABLE_DESC TableOf(const Direct3D& d3d, IDMLDispatchable* dispatchable) {
  return {dispatchable, d3d.descriptors->GetCPUDescriptorHandleForHeapStart(),
          d3d.descriptors->GetGPUDescriptorHandleForHeapStart(), 1};
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

HRESULT KeepPrivateDataOfAll(const test::Tensor& tensor, Witness& witness) {
  Direct3D d3d;
  RETURN_IF_FAILED(d3d.Open());
  ComPtr<IDMLDevice> dml;
  RETURN_IF_FAILED(
      DMLCreateDevice(d3d.device.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&dml)));
  const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC gate_desc = {tensor, tensor, tensor};
  const DML_OPERATOR_DESC desc = {DML_OPERATOR_ACTIVATION_RELU_GRAD, &gate_desc};
  ComPtr<IDMLOperator> gate;
  RETURN_IF_FAILED(dml->CreateOperator(&desc, IID_PPV_ARGS(&gate)));
  ComPtr<IDMLCompiledOperator> compiled;
  RETURN_IF_FAILED(
      dml->CompileOperator(gate.Get(), DML_EXECUTION_FLAG_NONE, IID_PPV_ARGS(&compiled)));
  ComPtr<IDMLOperatorInitializer> initializer;
  RETURN_IF_FAILED(
      dml->CreateOperatorInitializer(1, compiled.GetAddressOf(), IID_PPV_ARGS(&initializer)));
  ComPtr<IDMLBindingTable> table;
  const DML_BINDING_TABLE_DESC table_desc = TableOf(d3d, compiled.Get());
  RETURN_IF_FAILED(dml->CreateBindingTable(&table_desc, IID_PPV_ARGS(&table)));
  ComPtr<IDMLCommandRecorder> recorder;
  RETURN_IF_FAILED(dml->CreateCommandRecorder(IID_PPV_ARGS(&recorder)));
  IDMLObject* const objects[] = {dml.Get(),         gate.Get(),  compiled.Get(),
                                 initializer.Get(), table.Get(), recorder.Get()};
  for (IDMLObject* object : objects) RETURN_IF_FAILED(KeepPrivateData(object, witness));
  return S_OK;
}

TEST(DirectMLFaults, PrivateDataIsKeptOrThereIsNoMemory) {
  const test::Tensor tensor{DML_TENSOR_DATA_TYPE_FLOAT32, {4}};
  FailEverywhere("private data of DirectML", [&] {
    Witness witness;
    const HRESULT result = KeepPrivateDataOfAll(tensor, witness);
    return witness.references == 1 ? AnswerOf(result) : kStillHeld;
  });
}

// A device of a level with a debug layer, and the ways back from its objects.
HRESULT FindTheWayBack() {
  Direct3D d3d;
  RETURN_IF_FAILED(d3d.Open());
  ComPtr<IDMLDevice> dml, found;
  RETURN_IF_FAILED(DMLCreateDevice1(d3d.device.Get(), DML_CREATE_DEVICE_FLAG_DEBUG,
                                    DML_FEATURE_LEVEL_5_0, IID_PPV_ARGS(&dml)));
  ComPtr<IDMLCommandRecorder> recorder;
  RETURN_IF_FAILED(dml->CreateCommandRecorder(IID_PPV_ARGS(&recorder)));
  RETURN_IF_FAILED(recorder->GetDevice(IID_PPV_ARGS(&found)));
  ComPtr<ID3D12Device> parent;
  RETURN_IF_FAILED(found->GetParentDevice(IID_PPV_ARGS(&parent)));
  ComPtr<ID3D12InfoQueue> messages;
  RETURN_IF_FAILED(parent->QueryInterface(IID_PPV_ARGS(&messages)));
  return messages->AddMessage(D3D12_MESSAGE_CATEGORY_MISCELLANEOUS, D3D12_MESSAGE_SEVERITY_INFO,
                              D3D12_MESSAGE_ID_UNKNOWN, "a message that is not short");
}

TEST(DirectMLFaults, ADeviceOfALevelTellsThatThereIsNoMemory) {
  FailEverywhere("a DirectML device of a level", [] { return AnswerOf(FindTheWayBack()); });
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
