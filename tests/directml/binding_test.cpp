// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// C.4: every rule of binding, and the sentence that each violation leaves. A
// void method has no other way to complain than to remove the device.
#include "directml/fixture.h"
#include "operators/registry.h"

namespace anydml::directml {
namespace {

class BindingTest : public DirectMLTest {
 protected:
  BindingTest()
      : compiled(CompileGate(4)),
        table(Table(compiled.Get())),
        x(Buffer(std::vector<float>{1, -1, 2, -2})),
        dy(Buffer(std::vector<float>{1, 2, 3, 4})),
        dx(Buffer(16)) {}

  void BindInputs(const BindingDescs& inputs) { table->BindInputs(inputs.size(), inputs.data()); }
  void BindOutputs(const BindingDescs& outputs) {
    table->BindOutputs(outputs.size(), outputs.data());
  }

  // Two gates in a row with gaps between their elements: the tensor between
  // them needs temporary memory.
  ComPtr<IDMLCompiledOperator> CompileChain() {
    const Tensor tensor(DML_TENSOR_DATA_TYPE_FLOAT32, {4}, {2});
    const auto gate = CreateGate(tensor, tensor, tensor);
    const DML_OPERATOR_GRAPH_NODE_DESC node = {gate.Get(), nullptr};
    const DML_GRAPH_NODE_DESC nodes[] = {{DML_GRAPH_NODE_TYPE_OPERATOR, &node},
                                         {DML_GRAPH_NODE_TYPE_OPERATOR, &node}};
    const DML_INPUT_GRAPH_EDGE_DESC inputs[] = {
        {0, 0, 0, nullptr}, {0, 0, 1, nullptr}, {0, 1, 0, nullptr}};
    const DML_GRAPH_EDGE_DESC input_edges[] = {{DML_GRAPH_EDGE_TYPE_INPUT, &inputs[0]},
                                               {DML_GRAPH_EDGE_TYPE_INPUT, &inputs[1]},
                                               {DML_GRAPH_EDGE_TYPE_INPUT, &inputs[2]}};
    const DML_INTERMEDIATE_GRAPH_EDGE_DESC between = {0, 0, 1, 1, nullptr};
    const DML_GRAPH_EDGE_DESC between_edge = {DML_GRAPH_EDGE_TYPE_INTERMEDIATE, &between};
    const DML_OUTPUT_GRAPH_EDGE_DESC output = {1, 0, 0, nullptr};
    const DML_GRAPH_EDGE_DESC output_edge = {DML_GRAPH_EDGE_TYPE_OUTPUT, &output};
    const DML_GRAPH_DESC graph = {
        1, 1, 2, nodes, 3, input_edges, 1, &output_edge, 1, &between_edge};
    ComPtr<IDMLCompiledOperator> chain;
    EXPECT_EQ(dml->CompileGraph(&graph, DML_EXECUTION_FLAG_NONE, IID_PPV_ARGS(&chain)), S_OK);
    return chain;
  }

  ComPtr<IDMLCompiledOperator> compiled;
  ComPtr<IDMLBindingTable> table;
  ComPtr<ID3D12Resource> x, dy, dx;
};

// DV-06 and D1
TEST_F(BindingTest, TakesAsManyBindingsAsThereAreTensors) {
  BindInputs({x});
  ExpectRemoved("BindInputs: ACTIVATION_RELU_GRAD: 1 bindings for 2 inputs");
  const DML_OPERATOR_DESC desc = {DML_OPERATOR_ACTIVATION_RELU_GRAD, nullptr};
  void* op = this;
  EXPECT_EQ(dml->CreateOperator(&desc, __uuidof(IDMLOperator), &op), DXGI_ERROR_DEVICE_REMOVED);
  EXPECT_EQ(op, nullptr);
  EXPECT_EQ(LastError(),
            "CreateOperator: the device was removed: BindInputs: ACTIVATION_RELU_GRAD: 1 bindings "
            "for 2 inputs");
  EXPECT_EQ(table->Reset(nullptr), DXGI_ERROR_DEVICE_REMOVED);
  EXPECT_EQ(dml->GetDeviceRemovedReason(), E_INVALIDARG);
}

TEST_F(BindingTest, CountsOutputsToo) {
  BindOutputs({dx, dx});
  ExpectRemoved("BindOutputs: ACTIVATION_RELU_GRAD: 2 bindings for 1 outputs");
}

TEST_F(BindingTest, TakesNoNullArray) {
  table->BindInputs(2, nullptr);
  ExpectRemoved("BindInputs: the array of 2 bindings must not be null");
}

TEST_F(BindingTest, UnbindsWithNoBindings) {
  BindInputs({x, dy});
  table->BindInputs(0, nullptr);
  BindOutputs({dx});
  recorder->RecordDispatch(list.Get(), compiled.Get(), table.Get());
  ExpectRemoved(
      "RecordDispatch: ACTIVATION_RELU_GRAD: the inputs must be bound before it is recorded, or "
      "with DESCRIPTORS_VOLATILE before it is submitted");
}

// D2
TEST_F(BindingTest, WantsABufferForEveryRequiredTensor) {
  BindInputs({x, Range()});
  ExpectRemoved("BindInputs: ACTIVATION_RELU_GRAD: InputGradientTensor: must be bound to a buffer");
}

TEST_F(BindingTest, TakesNoBufferArrayAtExecution) {
  const DML_BUFFER_BINDING buffers[] = {Range(x).Binding(), Range(dy).Binding()};
  const DML_BUFFER_ARRAY_BINDING array = {2, buffers};
  const DML_BINDING_DESC descs[] = {{DML_BINDING_TYPE_BUFFER_ARRAY, &array},
                                    {DML_BINDING_TYPE_BUFFER_ARRAY, &array}};
  table->BindInputs(2, descs);
  ExpectRemoved(
      "BindInputs: ACTIVATION_RELU_GRAD: InputTensor: Type = 2 of the binding must be BUFFER or "
      "NONE");
}

TEST_F(BindingTest, WantsTheDescOfABufferBinding) {
  const DML_BINDING_DESC descs[] = {{DML_BINDING_TYPE_BUFFER, nullptr},
                                    {DML_BINDING_TYPE_BUFFER, nullptr}};
  table->BindInputs(2, descs);
  ExpectRemoved(
      "BindInputs: ACTIVATION_RELU_GRAD: InputTensor: Desc of the binding must not be null");
}

// D3
TEST_F(BindingTest, WantsOffsetsThatAreMultiplesOf16) {
  const auto large = Buffer(64);
  BindInputs({x, Range(large, 8, 16)});
  ExpectRemoved(
      "BindInputs: ACTIVATION_RELU_GRAD: InputGradientTensor: Offset = 8 must be a multiple of 16");
}

// DV-04, the part about binding
TEST_F(BindingTest, WantsTheAlignmentThatTheDescriptionPromises) {
  Tensor aligned(DML_TENSOR_DATA_TYPE_FLOAT32, {4});
  aligned.buffer().GuaranteedBaseOffsetAlignment = 64;
  const Tensor plain(DML_TENSOR_DATA_TYPE_FLOAT32, {4});
  compiled = Compile(CreateGate(aligned, plain, plain));
  table = Table(compiled.Get());
  const auto large = Buffer(256);
  BindInputs({Range(large, 64, 16), dy});
  EXPECT_EQ(dml->GetDeviceRemovedReason(), S_OK);
  BindInputs({Range(large, 16, 16), dy});
  ExpectRemoved(
      "BindInputs: ACTIVATION_RELU_GRAD: InputTensor: Offset = 16 must be a multiple of 64");
}

TEST_F(BindingTest, WantsTheRangeInsideTheBuffer) {
  BindInputs({x, Range(dy, 16, 16)});
  ExpectRemoved(
      "BindInputs: ACTIVATION_RELU_GRAD: InputGradientTensor: Offset = 16 and SizeInBytes = 16 "
      "must lie inside the buffer, which has 16 bytes");
}

TEST_F(BindingTest, WantsTheRangeInsideTheBufferWithoutWrapping) {
  BindInputs({x, Range(dy, 16, ~uint64_t{0} - 15)});
  ExpectRemoved(
      "BindInputs: ACTIVATION_RELU_GRAD: InputGradientTensor: Offset = 16 and SizeInBytes = "
      "18446744073709551600 must lie inside the buffer, which has 16 bytes");
}

// DV-08, the part about tensors, and D4
TEST_F(BindingTest, WantsTheWholeTensorInTheRange) {
  BindInputs({x, Range(dy, 0, 12)});
  ExpectRemoved(
      "BindInputs: ACTIVATION_RELU_GRAD: InputGradientTensor: SizeInBytes = 12 must be at least "
      "16, the tensor's TotalTensorSizeInBytes");
}

TEST_F(BindingTest, TakesLargerRanges) {
  Initialize(compiled);
  const auto large = Buffer(std::vector<float>{9, 9, 9, 9, 1, 2, 3, 4, 9, 9, 9, 9});
  Record(compiled, {x, Range(large, 16, 32)}, {dx});
  Finish();
  EXPECT_EQ(Contents<float>(dx.Get()), (std::vector<float>{1, 0, 3, 0}));
}

// DV-08, the part about the temporary resource, and D5
TEST_F(BindingTest, WantsTheTemporaryResourceAtAMultipleOf256) {
  compiled = CompileChain();
  EXPECT_EQ(compiled->GetBindingProperties().TemporaryResourceSize, 256u);
  table = Table(compiled.Get());
  const BindingDescs temporary = {Range(Buffer(1024), 128, 256)};
  table->BindTemporaryResource(temporary.data());
  ExpectRemoved("BindTemporaryResource: graph: Offset = 128 must be a multiple of 256");
}

TEST_F(BindingTest, WantsAsMuchTemporaryMemoryAsItReports) {
  compiled = CompileChain();
  table = Table(compiled.Get());
  const BindingDescs temporary = {Range(Buffer(1024), 256, 252)};
  table->BindTemporaryResource(temporary.data());
  ExpectRemoved("BindTemporaryResource: graph: SizeInBytes = 252 must be at least 256");
}

TEST_F(BindingTest, WantsATemporaryResourceWhereItReportsOne) {
  compiled = CompileChain();
  table = Table(compiled.Get());
  Bind(table, {Range(Buffer(32))}, {Range(Buffer(32))});
  recorder->RecordDispatch(list.Get(), compiled.Get(), table.Get());
  ExpectRemoved(
      "RecordDispatch: graph: a temporary resource of 256 bytes must be bound before it is "
      "recorded, or with DESCRIPTORS_VOLATILE before it is submitted");
}

TEST_F(BindingTest, TakesNullAndNoneWhereNoTemporaryMemoryIsNeeded) {
  const DML_BINDING_DESC none = {DML_BINDING_TYPE_NONE, nullptr};
  table->BindTemporaryResource(nullptr);
  table->BindTemporaryResource(&none);
  table->BindPersistentResource(nullptr);
  table->BindPersistentResource(&none);
  EXPECT_EQ(dml->GetDeviceRemovedReason(), S_OK);
}

// D7
TEST_F(BindingTest, KeepsTheTemporaryResourceApart) {
  compiled = CompileChain();
  table = Table(compiled.Get());
  const auto shared = Buffer(1024);
  Bind(table, {Range(Buffer(32))}, {Range(shared, 256, 32)});
  const BindingDescs temporary = {Range(shared, 0, 512)};
  table->BindTemporaryResource(temporary.data());
  recorder->RecordDispatch(list.Get(), compiled.Get(), table.Get());
  ExpectRemoved("RecordDispatch: graph: the temporary resource overlaps another binding");
}

// DV-09, the part that works, and D6
TEST_F(BindingTest, RunsInPlaceWhereTheOperatorDoes) {
  Initialize(compiled);
  Record(compiled, {x, dy}, {x});
  Finish();
  EXPECT_EQ(dml->GetDeviceRemovedReason(), S_OK) << LastError();
  EXPECT_EQ(Contents<float>(x.Get()), (std::vector<float>{1, 0, 3, 0}));
}

TEST_F(BindingTest, TakesOneBufferForTwoInputs) {
  Initialize(compiled);
  Record(compiled, {dy, dy}, {dx});
  Finish();
  EXPECT_EQ(Contents<float>(dx.Get()), (std::vector<float>{1, 2, 3, 4}));
}

// DV-09, the part that does not
TEST_F(BindingTest, DoesNotRunInPlaceWhereTheOperatorDoesNot) {
  const Tensor input(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 2, 2});
  const Tensor gradient(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 1, 1});
  const UINT two[] = {2, 2}, one[] = {1, 1}, zero[] = {0, 0};
  const DML_MAX_POOLING_GRAD_OPERATOR_DESC desc = {input, gradient, input, 2,  two,
                                                   two,   zero,     zero,  one};
  compiled = Compile(Create(DML_OPERATOR_MAX_POOLING_GRAD, &desc));
  table = Table(compiled.Get());
  const auto temporary =
      Buffer(std::max<uint64_t>(256, compiled->GetBindingProperties().TemporaryResourceSize));
  const BindingDescs temporary_desc = {temporary};
  table->BindTemporaryResource(temporary_desc.data());
  Bind(table, {x, dy}, {x});
  recorder->RecordDispatch(list.Get(), compiled.Get(), table.Get());
  ExpectRemoved(
      "RecordDispatch: MAX_POOLING_GRAD: OutputGradientTensor is bound to the range of "
      "InputTensor, and does not run in place on it");
}

TEST_F(BindingTest, DoesNotRunInPlaceOnAPartOfTheRange) {
  const auto large = Buffer(64);
  Record(compiled, {Range(large, 0, 32), dy}, {Range(large, 16, 16)});
  ExpectRemoved(
      "RecordDispatch: ACTIVATION_RELU_GRAD: the ranges of OutputGradientTensor, 16 bytes from "
      "16, and of InputTensor, 32 bytes from 0, overlap and are not the same");
}

// D6 wants identical ranges: the same start is not enough.
TEST_F(BindingTest, DoesNotRunInPlaceOnARangeOfAnotherSize) {
  const auto large = Buffer(64);
  Record(compiled, {Range(large, 0, 16), dy}, {Range(large, 0, 64)});
  ExpectRemoved(
      "RecordDispatch: ACTIVATION_RELU_GRAD: the ranges of OutputGradientTensor, 64 bytes from 0, "
      "and of InputTensor, 16 bytes from 0, overlap and are not the same");
}

// B23: with other strides the same bytes are other elements.
TEST_F(BindingTest, DoesNotRunInPlaceOnAnotherLayout) {
  const Tensor packed(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 2});
  const Tensor transposed(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 2}, {1, 2});
  compiled = Compile(CreateGate(transposed, packed, packed));
  Record(compiled, {x, dy}, {x});
  ExpectRemoved(
      "RecordDispatch: ACTIVATION_RELU_GRAD: OutputGradientTensor is bound to the range of "
      "InputTensor, and does not run in place on it");
}

}  // namespace
}  // namespace anydml::directml
