// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// C.5, D10 and D11: when bindings are taken, and when work runs.
#include "directml/fixture.h"

namespace anydml::directml {
namespace {

class ExecutionTest : public DirectMLTest {
 protected:
  ExecutionTest()
      : x(Buffer(std::vector<float>{1, -1, 2, -2})),
        dy(Buffer(std::vector<float>{1, 2, 3, 4})),
        dx(Buffer(std::vector<float>{9, 9, 9, 9})) {}

  std::vector<float> Result() { return Contents<float>(dx.Get()); }

  const std::vector<float> untouched = {9, 9, 9, 9};
  const std::vector<float> expected = {1, 0, 3, 0};
  ComPtr<ID3D12Resource> x, dy, dx;
};

TEST_F(ExecutionTest, RunsWhenItIsSubmittedAndNotWhenItIsRecorded) {
  const auto compiled = CompileGate(4);
  Initialize(compiled);
  Record(compiled, {x, dy}, {dx});
  EXPECT_EQ(Result(), untouched);
  Finish();
  EXPECT_EQ(Result(), expected);
}

// D8: two outputs of 16 bytes in one buffer, each bound to the buffer's end.
TEST_F(ExecutionTest, OutputsOverlapOnlyWhereTheyAreWritten) {
  const Tensor input(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 3, 3});
  const Tensor output(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 2, 2});
  const Tensor indices(DML_TENSOR_DATA_TYPE_UINT32, {1, 1, 2, 2});
  const UINT one[] = {1, 1}, two[] = {2, 2}, none[] = {0, 0};
  const DML_MAX_POOLING2_OPERATOR_DESC desc = {input, output, indices, 2,  one,
                                               two,   none,   none,    one};
  const auto compiled = Compile(Create(DML_OPERATOR_MAX_POOLING2, &desc));
  Initialize(compiled);
  const auto data = Buffer(std::vector<float>{1, 2, 3, 2, 4, 2, 5, 6, 7});
  const auto both = Buffer(512);
  Record(compiled, {data}, {both, {both, 256, 256}});
  Finish();
  ASSERT_EQ(dml->GetDeviceRemovedReason(), S_OK) << LastError();
  const std::vector<float> all = Contents<float>(both.Get());
  const float* values = all.data();
  EXPECT_EQ(std::vector<float>(values, values + 4), (std::vector<float>{4, 4, 6, 7}));
  const UINT* places = reinterpret_cast<const UINT*>(all.data()) + 256 / sizeof(UINT);
  EXPECT_EQ(std::vector<UINT>(places, places + 4), (std::vector<UINT>{4, 4, 7, 8}));
  Record(compiled, {data}, {both, both});
  ExpectRemoved(
      "RecordDispatch: MAX_POOLING2: the ranges of OutputIndicesTensor and OutputTensor overlap, "
      "and both are written");
}

// A binding per entry of an array of tensors, in the order of the array.
TEST_F(ExecutionTest, ArraysOfTensorsTakeABindingPerEntry) {
  const Tensor wide(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 2}),
      thin(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 1});
  const Tensor whole(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 4});
  const DML_TENSOR_DESC parts[] = {*static_cast<const DML_TENSOR_DESC*>(thin),
                                   *static_cast<const DML_TENSOR_DESC*>(wide),
                                   *static_cast<const DML_TENSOR_DESC*>(thin)};
  const DML_JOIN_OPERATOR_DESC join = {3, parts, whole, 1};
  const auto joined = Compile(Create(DML_OPERATOR_JOIN, &join));
  Initialize(joined);
  const auto a = Buffer(std::vector<float>{1, 5}), b = Buffer(std::vector<float>{2, 3, 6, 7}),
             c = Buffer(std::vector<float>{4, 8}), all = Buffer(std::vector<float>(8));
  Record(joined, {a, b, c}, {all});
  Finish();
  ASSERT_EQ(dml->GetDeviceRemovedReason(), S_OK) << LastError();
  EXPECT_EQ(Contents<float>(all.Get()), (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}));
  const DML_SPLIT_OPERATOR_DESC split = {whole, 3, parts, 1};
  const auto divided = Compile(Create(DML_OPERATOR_SPLIT, &split));
  Initialize(divided);
  const auto first = Buffer(std::vector<float>(2)), middle = Buffer(std::vector<float>(4)),
             last = Buffer(std::vector<float>(2));
  Record(divided, {all}, {first, middle, last});
  Finish();
  ASSERT_EQ(dml->GetDeviceRemovedReason(), S_OK) << LastError();
  EXPECT_EQ(Contents<float>(first.Get()), (std::vector<float>{1, 5}));
  EXPECT_EQ(Contents<float>(middle.Get()), (std::vector<float>{2, 3, 6, 7}));
  EXPECT_EQ(Contents<float>(last.Get()), (std::vector<float>{4, 8}));
}

TEST_F(ExecutionTest, AnOperatorMayHaveNoInputs) {
  const Tensor output(DML_TENSOR_DATA_TYPE_FLOAT32, {4});
  DML_FILL_VALUE_SEQUENCE_OPERATOR_DESC desc = {output, DML_TENSOR_DATA_TYPE_FLOAT32, {}, {}};
  desc.ValueStart.Float32 = 3;
  desc.ValueDelta.Float32 = 2;
  const auto compiled = Compile(Create(DML_OPERATOR_FILL_VALUE_SEQUENCE, &desc));
  Initialize(compiled);
  Record(compiled, {}, {dx});
  Finish();
  ASSERT_EQ(dml->GetDeviceRemovedReason(), S_OK) << LastError();
  EXPECT_EQ(Result(), (std::vector<float>{3, 5, 7, 9}));
}

// B59: three outputs, each over its input.
TEST_F(ExecutionTest, SeveralOutputsMayLieOverInputs) {
  const Tensor t(DML_TENSOR_DATA_TYPE_FLOAT32, {2}), step(DML_TENSOR_DATA_TYPE_UINT32, {1});
  const DML_ADAM_OPTIMIZER_OPERATOR_DESC desc = {t, t, t, t, step, t, t, t, .125f, .5f, .75f, 0};
  const auto compiled = Compile(Create(DML_OPERATOR_ADAM_OPTIMIZER, &desc));
  Initialize(compiled);
  const auto parameters = Buffer(std::vector<float>{1, 1}),
             first = Buffer(std::vector<float>{0, 0}), second = Buffer(std::vector<float>{0, 0}),
             gradient = Buffer(std::vector<float>{2, -4}), number = Buffer(std::vector<UINT>{1});
  const auto table = Table(compiled.Get());
  Bind(table, {parameters, first, second, gradient, number}, {parameters, first, second});
  // Cards need some.
  const uint64_t bytes = compiled->GetBindingProperties().TemporaryResourceSize;
  const auto memory = Buffer(std::max<uint64_t>(256, bytes));
  const BindingDescs temporary = {memory};
  if (bytes != 0) table->BindTemporaryResource(temporary.data());
  recorder->RecordDispatch(list.Get(), compiled.Get(), table.Get());
  Finish();
  ASSERT_EQ(dml->GetDeviceRemovedReason(), S_OK) << LastError();
  EXPECT_EQ(Contents<float>(parameters.Get()), (std::vector<float>{.875f, 1.125f}));
  EXPECT_EQ(Contents<float>(first.Get()), (std::vector<float>{1, -2}));
  EXPECT_EQ(Contents<float>(second.Get()), (std::vector<float>{1, 4}));
}

TEST_F(ExecutionTest, InitialisesAndRunsInOneList) {
  const auto compiled = CompileGate(4);
  const auto initializer = Initializer(compiled.Get());
  const auto table = Table(initializer.Get());
  recorder->RecordDispatch(list.Get(), initializer.Get(), table.Get());
  const DML_BINDING_TABLE_DESC desc = TableDesc(compiled.Get());
  ASSERT_EQ(table->Reset(&desc), S_OK);
  Bind(table, {x, dy}, {dx});
  recorder->RecordDispatch(list.Get(), compiled.Get(), table.Get());
  Finish();
  EXPECT_EQ(Result(), expected);
}

TEST_F(ExecutionTest, MustBeInitialisedFirst) {
  Record(CompileGate(4), {x, dy}, {dx});
  Finish();
  EXPECT_EQ(dml->GetDeviceRemovedReason(), E_INVALIDARG);
  EXPECT_EQ(LastError(), "ACTIVATION_RELU_GRAD: was executed before it was initialised");
  EXPECT_EQ(device->GetDeviceRemovedReason(), S_OK);
  EXPECT_EQ(Result(), untouched);
  ComPtr<IDMLBindingTable> table;
  EXPECT_EQ(dml->CreateBindingTable(nullptr, IID_PPV_ARGS(&table)), DXGI_ERROR_DEVICE_REMOVED);
  EXPECT_EQ(LastError(),
            "CreateBindingTable: the device was removed: ACTIVATION_RELU_GRAD: was executed before "
            "it was initialised");
}

// Lists may be recorded in another order than they run.
TEST_F(ExecutionTest, MayBeRecordedBeforeItIsInitialised) {
  const auto compiled = CompileGate(4);
  Record(compiled, {x, dy}, {dx});
  ASSERT_EQ(list->Close(), S_OK);
  ComPtr<ID3D12CommandAllocator> other_allocator;
  ComPtr<ID3D12GraphicsCommandList> other;
  ASSERT_EQ(device->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_COMPUTE,
                                           IID_PPV_ARGS(&other_allocator)),
            S_OK);
  ASSERT_EQ(device->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_COMPUTE, other_allocator.Get(),
                                      nullptr, IID_PPV_ARGS(&other)),
            S_OK);
  const auto initializer = Initializer(compiled.Get());
  recorder->RecordDispatch(other.Get(), initializer.Get(), Table(initializer.Get()).Get());
  ASSERT_EQ(other->Close(), S_OK);
  ID3D12CommandList* lists[] = {other.Get(), list.Get()};
  queue->ExecuteCommandLists(2, lists);
  WaitForQueue();
  EXPECT_EQ(dml->GetDeviceRemovedReason(), S_OK);
  EXPECT_EQ(Result(), expected);
}

TEST_F(ExecutionTest, IsInitialisedOnce) {
  const auto compiled = CompileGate(4);
  Initialize(compiled);
  const auto initializer = Initializer(compiled.Get());
  recorder->RecordDispatch(list.Get(), initializer.Get(), Table(initializer.Get()).Get());
  ExpectRemoved("RecordDispatch: ACTIVATION_RELU_GRAD: is initialised already");
}

TEST_F(ExecutionTest, IsNotInitialisedTwiceByOneList) {
  const auto compiled = CompileGate(4);
  const auto initializer = Initializer(compiled.Get());
  recorder->RecordDispatch(list.Get(), initializer.Get(), Table(initializer.Get()).Get());
  recorder->RecordDispatch(list.Get(), initializer.Get(), Table(initializer.Get()).Get());
  EXPECT_EQ(dml->GetDeviceRemovedReason(), S_OK);
  Finish();
  EXPECT_EQ(dml->GetDeviceRemovedReason(), E_INVALIDARG);
}

// D11: what was recorded keeps its bindings.
TEST_F(ExecutionTest, KeepsTheBindingsOfATableThatIsReboundResetAndReleased) {
  const auto compiled = CompileGate(4);
  Initialize(compiled);
  const auto other = Buffer(std::vector<float>(4, -1.0f));
  auto table = Table(compiled.Get());
  Bind(table, {x, dy}, {dx});
  recorder->RecordDispatch(list.Get(), compiled.Get(), table.Get());
  Bind(table, {other, other}, {other});
  ASSERT_EQ(table->Reset(nullptr), S_OK);
  table = nullptr;
  Finish();
  EXPECT_EQ(Result(), expected);
  EXPECT_EQ(Contents<float>(other.Get()), std::vector<float>(4, -1.0f));
}

// D10: bindings of the time of submission.
TEST_F(ExecutionTest, BindsLateWithVolatileDescriptors) {
  const auto compiled = CompileGate(4, DML_EXECUTION_FLAG_DESCRIPTORS_VOLATILE);
  Initialize(compiled);
  const auto other = Buffer(std::vector<float>(4, 7.0f));
  const auto table = Table(compiled.Get());
  recorder->RecordDispatch(list.Get(), compiled.Get(), table.Get());
  EXPECT_EQ(dml->GetDeviceRemovedReason(), S_OK);
  Bind(table, {x, other}, {other});
  Bind(table, {x, dy}, {dx});
  ASSERT_EQ(list->Close(), S_OK);
  Submit();
  WaitForQueue();
  EXPECT_EQ(Result(), expected);
  // The same list again, bound to something else.
  Bind(table, {x, other}, {dx});
  Submit();
  WaitForQueue();
  EXPECT_EQ(Result(), (std::vector<float>{7, 0, 7, 0}));
}

TEST_F(ExecutionTest, LeavesLateBindingsToWorkRecordedBeforeAReset) {
  const auto compiled = CompileGate(4, DML_EXECUTION_FLAG_DESCRIPTORS_VOLATILE);
  Initialize(compiled);
  auto table = Table(compiled.Get());
  Bind(table, {x, dy}, {dx});
  recorder->RecordDispatch(list.Get(), compiled.Get(), table.Get());
  ASSERT_EQ(table->Reset(nullptr), S_OK);
  table = nullptr;
  Finish();
  EXPECT_EQ(Result(), expected);
}

TEST_F(ExecutionTest, ChecksLateBindingsAtSubmission) {
  const auto compiled = CompileGate(4, DML_EXECUTION_FLAG_DESCRIPTORS_VOLATILE);
  Initialize(compiled);
  const auto table = Table(compiled.Get());
  recorder->RecordDispatch(list.Get(), compiled.Get(), table.Get());
  const BindingDescs inputs = {x, dy};
  table->BindInputs(2, inputs.data());
  ASSERT_EQ(list->Close(), S_OK);
  Submit();
  ExpectRemoved(
      "ExecuteCommandLists: ACTIVATION_RELU_GRAD: the outputs must be bound before it is recorded, "
      "or with DESCRIPTORS_VOLATILE before it is submitted");
  WaitForQueue();
  EXPECT_EQ(Result(), untouched);
}

TEST_F(ExecutionTest, RunsThousandsOfDispatchesInOneList) {
  constexpr int kCount = 5000;
  const auto compiled = CompileGate(4);
  Initialize(compiled);
  // Each reads what the one before wrote.
  const auto a = Buffer(std::vector<float>{1, 2, 3, 4}), b = Buffer(16);
  const auto table = Table(compiled.Get());
  for (int i = 0; i < kCount; ++i) {
    Bind(table, {a, i % 2 == 0 ? a : b}, {i % 2 == 0 ? b : dx});
    recorder->RecordDispatch(list.Get(), compiled.Get(), table.Get());
  }
  Finish();
  EXPECT_EQ(Result(), (std::vector<float>{1, 2, 3, 4}));
}

// A list is executed as often as it is submitted, also after it was released.
TEST_F(ExecutionTest, OutlivesTheListTheTableAndTheOperator) {
  auto compiled = CompileGate(4);
  Initialize(compiled);
  Record(compiled, {x, dy}, {dx});
  compiled = nullptr;
  recorder = nullptr;
  ASSERT_EQ(list->Close(), S_OK);
  Submit();
  Submit();
  list = nullptr;
  allocator = nullptr;
  WaitForQueue();
  EXPECT_EQ(Result(), expected);
}

// O11
TEST_F(ExecutionTest, ReadsBuffersOfEveryHeap) {
  const auto compiled = CompileGate(4);
  Initialize(compiled);
  const auto upload = Upload(std::vector<float>{1, -1, 2, -2});
  const auto readback = MakeBuffer(D3D12_HEAP_TYPE_READBACK, 16);
  list->CopyResource(readback.Get(), dy.Get());
  Record(compiled, {upload, readback}, {dx});
  Finish();
  EXPECT_EQ(Result(), expected);
}

}  // namespace
}  // namespace anydml::directml
