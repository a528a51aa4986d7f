// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// B22, D5, D7, D9 and D12: tensors that belong to DirectML, and the persistent
// resource that keeps them.
#include "directml/fixture.h"

namespace anydml::directml {
namespace {

class OwnedTensorTest : public DirectMLTest {
 protected:
  OwnedTensorTest()
      : x(Buffer(std::vector<float>{1, -1, 2, -2})),
        dy(Buffer(std::vector<float>{1, 2, 3, 4})),
        dx(Buffer(std::vector<float>{9, 9, 9, 9})) {}

  // A gate whose x belongs to DirectML.
  ComPtr<IDMLCompiledOperator> CompileOwning() {
    Tensor owned(DML_TENSOR_DATA_TYPE_FLOAT32, {4});
    owned.buffer().Flags = DML_TENSOR_FLAG_OWNED_BY_DML;
    const Tensor plain(DML_TENSOR_DATA_TYPE_FLOAT32, {4});
    return Compile(CreateGate(owned, plain, plain));
  }

  // Binds `given` as the array of the initializer's only operator.
  static void BindArray(const ComPtr<IDMLBindingTable>& table, std::vector<Range> given) {
    std::vector<DML_BUFFER_BINDING> buffers;
    for (const Range& range : given) buffers.push_back(range.Binding());
    const DML_BUFFER_ARRAY_BINDING array = {static_cast<UINT>(buffers.size()), buffers.data()};
    const DML_BINDING_DESC desc = {DML_BINDING_TYPE_BUFFER_ARRAY, &array};
    table->BindInputs(1, &desc);
  }

  void RecordInitialization(const ComPtr<IDMLCompiledOperator>& compiled, std::vector<Range> inputs,
                            const Range& persistent) {
    const auto initializer = Initializer(compiled.Get());
    const auto table = Table(initializer.Get());
    BindArray(table, std::move(inputs));
    const BindingDescs outputs = {persistent};
    table->BindOutputs(1, outputs.data());
    recorder->RecordDispatch(list.Get(), initializer.Get(), table.Get());
  }

  void RecordOwning(const ComPtr<IDMLCompiledOperator>& compiled, const Range& first,
                    const Range& persistent) {
    const auto table = Table(compiled.Get());
    const BindingDescs resource = {persistent};
    table->BindPersistentResource(resource.data());
    Bind(table, {first, dy}, {dx});
    recorder->RecordDispatch(list.Get(), compiled.Get(), table.Get());
  }

  std::vector<float> Result() { return Contents<float>(dx.Get()); }

  const std::vector<float> untouched = {9, 9, 9, 9};
  const std::vector<float> expected = {1, 0, 3, 0};
  ComPtr<ID3D12Resource> x, dy, dx;
};

// DV-07
TEST_F(OwnedTensorTest, CopiesOwnedTensorsAtInitialisation) {
  const auto compiled = CompileOwning();
  const DML_BINDING_PROPERTIES properties = compiled->GetBindingProperties();
  EXPECT_GE(properties.PersistentResourceSize, 16u);
  const auto persistent = Buffer(properties.PersistentResourceSize);
  RecordInitialization(compiled, {x, Range()}, persistent);
  Finish();
  const std::vector<float> changed(4, 1.0f);
  SetContents(x.Get(), changed);
  RecordOwning(compiled, Range(), persistent);
  Finish();
  EXPECT_EQ(dml->GetDeviceRemovedReason(), S_OK) << LastError();
  EXPECT_EQ(Result(), expected) << "the old data counts";
  RecordOwning(compiled, x, persistent);
  ExpectRemoved(
      "RecordDispatch: the device was removed: BindInputs: ACTIVATION_RELU_GRAD: InputTensor: is "
      "OWNED_BY_DML: it is bound at initialisation, and NONE at execution");
}

TEST_F(OwnedTensorTest, InitialisesSeveralOperatorsAtOnce) {
  const auto a = CompileOwning(), b = CompileGate(4), c = CompileOwning();
  IDMLCompiledOperator* operators[] = {a.Get(), b.Get(), c.Get()};
  ComPtr<IDMLOperatorInitializer> initializer;
  ASSERT_EQ(dml->CreateOperatorInitializer(3, operators, IID_PPV_ARGS(&initializer)), S_OK);
  const auto table = Table(initializer.Get());
  const uint64_t bytes = a->GetBindingProperties().PersistentResourceSize;
  const auto kept_a = Buffer(bytes), kept_c = Buffer(bytes);
  const DML_BUFFER_BINDING of_a[] = {Range(x).Binding(), {}};
  const DML_BUFFER_BINDING of_c[] = {Range(dy).Binding(), {}};
  const DML_BUFFER_ARRAY_BINDING array_a = {2, of_a}, array_c = {2, of_c};
  const DML_BINDING_DESC inputs[] = {{DML_BINDING_TYPE_BUFFER_ARRAY, &array_a},
                                     {DML_BINDING_TYPE_NONE, nullptr},
                                     {DML_BINDING_TYPE_BUFFER_ARRAY, &array_c}};
  table->BindInputs(3, inputs);
  const BindingDescs outputs = {kept_a, Range(), kept_c};
  table->BindOutputs(3, outputs.data());
  recorder->RecordDispatch(list.Get(), initializer.Get(), table.Get());
  RecordOwning(a, Range(), kept_a);
  Finish();
  EXPECT_EQ(Result(), expected);
  RecordOwning(c, Range(), kept_c);
  Finish();
  EXPECT_EQ(Result(), (std::vector<float>{1, 2, 3, 4}));
  Record(b, {x, dy}, {dx});
  Finish();
  EXPECT_EQ(Result(), expected);
}

// D9
TEST_F(OwnedTensorTest, BindsOnlyOwnedTensorsAtInitialisation) {
  RecordInitialization(CompileOwning(), {x, dy}, Buffer(256));
  EXPECT_EQ(dml->GetDeviceRemovedReason(), E_INVALIDARG);
}

TEST_F(OwnedTensorTest, BindsEveryOwnedTensorAtInitialisation) {
  const auto compiled = CompileOwning();
  const auto initializer = Initializer(compiled.Get());
  BindArray(Table(initializer.Get()), {Range(), Range()});
  ExpectRemoved(
      "BindInputs: ACTIVATION_RELU_GRAD: InputTensor: is OWNED_BY_DML and must be bound at "
      "initialisation");
}

TEST_F(OwnedTensorTest, CountsTheBindingsOfAnInitializer) {
  const auto initializer = Initializer(CompileOwning().Get());
  const auto table = Table(initializer.Get());
  const BindingDescs outputs = {Range(Buffer(256)), Range(Buffer(256))};
  table->BindOutputs(2, outputs.data());
  ExpectRemoved("BindOutputs: initializer: 2 bindings for 1 operators");
}

TEST_F(OwnedTensorTest, TakesArraysAsInputsOfAnInitializer) {
  const auto initializer = Initializer(CompileOwning().Get());
  const BindingDescs inputs = {x};
  Table(initializer.Get())->BindInputs(1, inputs.data());
  ExpectRemoved(
      "BindInputs: ACTIVATION_RELU_GRAD: an initializer's inputs are BUFFER_ARRAY bindings, one "
      "per operator, or NONE");
}

// "You may supply nullptr or an empty DML_BUFFER_ARRAY_BINDING."
TEST_F(OwnedTensorTest, TakesEmptyArraysWhereNothingIsOwned) {
  const auto compiled = CompileGate(4);
  const auto initializer = Initializer(compiled.Get());
  const auto table = Table(initializer.Get());
  const DML_BUFFER_ARRAY_BINDING empty = {0, nullptr};
  for (const void* array : {static_cast<const void*>(&empty), static_cast<const void*>(nullptr)}) {
    const DML_BINDING_DESC desc = {DML_BINDING_TYPE_BUFFER_ARRAY, array};
    table->BindInputs(1, &desc);
    EXPECT_EQ(dml->GetDeviceRemovedReason(), S_OK) << LastError();
  }
  recorder->RecordDispatch(list.Get(), initializer.Get(), table.Get());
  Record(compiled, {x, dy}, {dx});
  Finish();
  EXPECT_EQ(Result(), expected);
}

TEST_F(OwnedTensorTest, TakesNoEmptyArrayWhereSomethingIsOwned) {
  const auto initializer = Initializer(CompileOwning().Get());
  BindArray(Table(initializer.Get()), {});
  ExpectRemoved(
      "BindInputs: ACTIVATION_RELU_GRAD: BindingCount = 0 must be the number of inputs, 2");
}

TEST_F(OwnedTensorTest, WantsThePersistentResourceAtInitialisation) {
  const auto compiled = CompileOwning();
  const auto initializer = Initializer(compiled.Get());
  const auto table = Table(initializer.Get());
  BindArray(table, {x, Range()});
  recorder->RecordDispatch(list.Get(), initializer.Get(), table.Get());
  ExpectRemoved(
      "RecordDispatch: ACTIVATION_RELU_GRAD: a persistent resource of 256 bytes must be bound "
      "before the initializer is recorded");
}

TEST_F(OwnedTensorTest, WantsThePersistentResourceAtExecution) {
  const auto compiled = CompileOwning();
  RecordInitialization(compiled, {x, Range()}, Buffer(256));
  Record(compiled, {Range(), dy}, {dx});
  ExpectRemoved(
      "RecordDispatch: ACTIVATION_RELU_GRAD: a persistent resource of 256 bytes must be bound "
      "before it is recorded, or with DESCRIPTORS_VOLATILE before it is submitted");
}

// D5
TEST_F(OwnedTensorTest, WantsThePersistentResourceAtAMultipleOf256) {
  const auto compiled = CompileOwning();
  const BindingDescs resource = {Range(Buffer(1024), 16, 256)};
  Table(compiled.Get())->BindPersistentResource(resource.data());
  ExpectRemoved(
      "BindPersistentResource: ACTIVATION_RELU_GRAD: Offset = 16 must be a multiple of 256");
}

// D7
TEST_F(OwnedTensorTest, KeepsInputsAndPersistentResourcesInDifferentBuffers) {
  const auto shared = Buffer(1024);
  RecordInitialization(CompileOwning(), {Range(shared, 512, 16), Range()}, Range(shared, 0, 256));
  ExpectRemoved("RecordDispatch: initializer: an input and a persistent resource are one buffer");
}

TEST_F(OwnedTensorTest, KeepsThePersistentResourceFromBeingOverwritten) {
  const auto compiled = CompileOwning();
  const auto persistent = Buffer(256);
  RecordInitialization(compiled, {x, Range()}, persistent);
  dx = persistent;
  RecordOwning(compiled, Range(), persistent);
  ExpectRemoved(
      "RecordDispatch: ACTIVATION_RELU_GRAD: the range of OutputGradientTensor overlaps the "
      "persistent resource");
}

// The buffers were checked against the operators of that time.
TEST_F(OwnedTensorTest, IsBoundAgainAfterTheInitializerWasReset) {
  const auto first = CompileOwning(), second = CompileOwning();
  const auto initializer = Initializer(first.Get());
  const auto table = Table(initializer.Get());
  BindArray(table, {x, Range()});
  const BindingDescs outputs = {Range(Buffer(256))};
  table->BindOutputs(1, outputs.data());
  IDMLCompiledOperator* operators[] = {second.Get()};
  ASSERT_EQ(initializer->Reset(1, operators), S_OK);
  recorder->RecordDispatch(list.Get(), initializer.Get(), table.Get());
  ExpectRemoved("RecordDispatch: initializer: it was reset after it was bound");
}

// D12
TEST_F(OwnedTensorTest, WantsThePersistentResourceThatInitialisationWrote) {
  const auto compiled = CompileOwning();
  RecordInitialization(compiled, {x, Range()}, Buffer(256));
  RecordOwning(compiled, Range(), Buffer(256));
  Finish();
  EXPECT_EQ(dml->GetDeviceRemovedReason(), E_INVALIDARG);
  EXPECT_EQ(Result(), untouched);
}

}  // namespace
}  // namespace anydml::directml
