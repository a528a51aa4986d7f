// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// C.3: creating and compiling operators and initializers.
#include "directml/fixture.h"

namespace anydml::directml {
namespace {

class OperatorTest : public DirectMLTest {
 protected:
  // The result of creating a gate over three tensors like this one.
  HRESULT TryGate(const Tensor& tensor) {
    const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC desc = {tensor, tensor, tensor};
    const DML_OPERATOR_DESC op = {DML_OPERATOR_ACTIVATION_RELU_GRAD, &desc};
    return dml->CreateOperator(&op, __uuidof(IDMLOperator), nullptr);
  }
  HRESULT TryTotal(UINT64 bytes) {
    Tensor tensor(DML_TENSOR_DATA_TYPE_FLOAT16, {3});
    tensor.buffer().TotalTensorSizeInBytes = bytes;
    return TryGate(tensor);
  }
  HRESULT TryAlignment(UINT alignment) {
    Tensor tensor(DML_TENSOR_DATA_TYPE_FLOAT32, {4});
    tensor.buffer().GuaranteedBaseOffsetAlignment = alignment;
    return TryGate(tensor);
  }
};

// DV-03
TEST_F(OperatorTest, WantsTheWholeTensorInItsBytes) {
  EXPECT_EQ(TryTotal(6), E_INVALIDARG);
  EXPECT_EQ(TryTotal(8), S_FALSE);
  EXPECT_EQ(TryTotal(9), E_INVALIDARG);
  EXPECT_EQ(TryTotal(12), S_FALSE);
}

// DV-04, the part about descriptions
TEST_F(OperatorTest, WantsAPowerOfTwoAsAlignment) {
  EXPECT_EQ(TryAlignment(2), E_INVALIDARG);
  EXPECT_EQ(TryAlignment(3), E_INVALIDARG);
  EXPECT_EQ(TryAlignment(4), S_FALSE);
  EXPECT_EQ(TryAlignment(64), S_FALSE);
}

// DV-05
TEST_F(OperatorTest, CountsElementsWithoutWrapping) {
  Tensor square(DML_TENSOR_DATA_TYPE_FLOAT32, {65536, 65536});
  square.buffer().TotalTensorSizeInBytes = uint64_t{4} << 32;
  EXPECT_EQ(TryGate(square), E_INVALIDARG);
  Tensor far(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 2}, {1u << 31, 1u << 31});
  far.buffer().TotalTensorSizeInBytes = uint64_t{5} << 32;
  EXPECT_EQ(TryGate(far), E_INVALIDARG);
  Tensor large(DML_TENSOR_DATA_TYPE_FLOAT32, {65536, 65535});
  large.buffer().TotalTensorSizeInBytes = 17179607040;
  EXPECT_EQ(TryGate(large), S_FALSE);
  large.buffer().TotalTensorSizeInBytes = 17179607036;
  EXPECT_EQ(TryGate(large), E_INVALIDARG);
}

TEST_F(OperatorTest, TellsUnknownOperatorsFromThoseThatAreMissingHere) {
  void* op = this;
  DML_OPERATOR_DESC desc = {DML_OPERATOR_INVALID, nullptr};
  EXPECT_EQ(dml->CreateOperator(&desc, __uuidof(IDMLOperator), &op), E_INVALIDARG);
  EXPECT_EQ(op, nullptr);
  desc.Type = static_cast<DML_OPERATOR_TYPE>(9999);
  EXPECT_EQ(dml->CreateOperator(&desc, __uuidof(IDMLOperator), &op), E_INVALIDARG);
  desc.Type = DML_OPERATOR_GRU;
  EXPECT_EQ(dml->CreateOperator(&desc, __uuidof(IDMLOperator), &op), DXGI_ERROR_UNSUPPORTED);
  EXPECT_EQ(LastError(), "CreateOperator: GRU: this operator is not implemented");
  EXPECT_EQ(dml->CreateOperator(nullptr, __uuidof(IDMLOperator), &op), E_INVALIDARG);
  EXPECT_EQ(LastError(), "CreateOperator: the DML_OPERATOR_DESC must not be null");
}

TEST_F(OperatorTest, LeavesTheSentenceOfARefusedDescription) {
  const Tensor four(DML_TENSOR_DATA_TYPE_FLOAT32, {4}), five(DML_TENSOR_DATA_TYPE_FLOAT32, {5});
  const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC desc = {four, five, four};
  const DML_OPERATOR_DESC op = {DML_OPERATOR_ACTIVATION_RELU_GRAD, &desc};
  EXPECT_EQ(dml->CreateOperator(&op, __uuidof(IDMLOperator), nullptr), E_INVALIDARG);
  EXPECT_EQ(LastError(),
            "CreateOperator: ACTIVATION_RELU_GRAD: InputGradientTensor.Sizes = {5} must equal "
            "InputTensor.Sizes = {4}");
}

TEST_F(OperatorTest, HandsOutOnlyItsOwnInterfaces) {
  const Tensor tensor(DML_TENSOR_DATA_TYPE_FLOAT32, {4});
  const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC desc = {tensor, tensor, tensor};
  const DML_OPERATOR_DESC op = {DML_OPERATOR_ACTIVATION_RELU_GRAD, &desc};
  for (const GUID& iid : {__uuidof(IUnknown), __uuidof(IDMLObject), __uuidof(IDMLDeviceChild),
                          __uuidof(IDMLOperator)}) {
    ComPtr<IUnknown> made;
    EXPECT_EQ(dml->CreateOperator(&op, iid, &made), S_OK);
  }
  void* wrong = this;
  EXPECT_EQ(dml->CreateOperator(&op, __uuidof(IDMLCompiledOperator), &wrong), E_NOINTERFACE);
  EXPECT_EQ(wrong, nullptr);
  EXPECT_EQ(LastError(), "CreateOperator: riid is no interface of the object");
}

TEST_F(OperatorTest, CompilesWithAnyOfTheFlagsAndNoOthers) {
  const auto op = CreateGate(4);
  const auto compile = [&](UINT flags) {
    return dml->CompileOperator(op.Get(), static_cast<DML_EXECUTION_FLAGS>(flags),
                                __uuidof(IDMLCompiledOperator), nullptr);
  };
  for (UINT flags = 0; flags < 8; ++flags) EXPECT_EQ(compile(flags), S_FALSE);
  EXPECT_EQ(compile(8), E_INVALIDARG);
  EXPECT_EQ(dml->CompileOperator(nullptr, DML_EXECUTION_FLAG_NONE, __uuidof(IDMLCompiledOperator),
                                 nullptr),
            E_INVALIDARG);
}

TEST_F(OperatorTest, DoesNotMixChildrenOfTwoDevices) {
  ComPtr<IDMLDevice> other;
  ASSERT_EQ(DMLCreateDevice(device.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&other)), S_OK);
  const auto op = CreateGate(4);
  EXPECT_EQ(other->CompileOperator(op.Get(), DML_EXECUTION_FLAG_NONE,
                                   __uuidof(IDMLCompiledOperator), nullptr),
            E_INVALIDARG);
  const auto compiled = Compile(op);
  IDMLCompiledOperator* operators[] = {compiled.Get()};
  ComPtr<IDMLOperatorInitializer> initializer;
  EXPECT_EQ(other->CreateOperatorInitializer(1, operators, IID_PPV_ARGS(&initializer)),
            E_INVALIDARG);
  const DML_BINDING_TABLE_DESC desc = TableDesc(compiled.Get());
  ComPtr<IDMLBindingTable> table;
  EXPECT_EQ(other->CreateBindingTable(&desc, IID_PPV_ARGS(&table)), E_INVALIDARG);
  IDMLPageable* objects[] = {compiled.Get()};
  EXPECT_EQ(other->Evict(1, objects), E_INVALIDARG);
}

// Programs create descriptor heaps of exactly this size.
TEST_F(OperatorTest, NeedsAtLeastOneDescriptor) {
  const auto compiled = CompileGate(4);
  const auto initializer = Initializer(compiled.Get());
  for (IDMLDispatchable* dispatchable :
       std::initializer_list<IDMLDispatchable*>{compiled.Get(), initializer.Get()}) {
    const DML_BINDING_PROPERTIES properties = dispatchable->GetBindingProperties();
    EXPECT_GE(properties.RequiredDescriptorCount, 1u);
    EXPECT_EQ(properties.TemporaryResourceSize, 0u);
    EXPECT_EQ(properties.PersistentResourceSize, 0u);
    DML_BINDING_TABLE_DESC desc = TableDesc(dispatchable);
    desc.SizeInDescriptors = properties.RequiredDescriptorCount;
    ComPtr<IDMLBindingTable> table;
    EXPECT_EQ(dml->CreateBindingTable(&desc, IID_PPV_ARGS(&table)), S_OK);
    desc.SizeInDescriptors -= 1;
    EXPECT_EQ(dml->CreateBindingTable(&desc, IID_PPV_ARGS(&table)), E_INVALIDARG);
    EXPECT_EQ(LastError(),
              "CreateBindingTable: SizeInDescriptors = 0 must be at least RequiredDescriptorCount "
              "= 1");
  }
}

// Nothing is kept in the descriptors, but elsewhere null is no place for them.
TEST_F(OperatorTest, WantsHandlesOfDescriptors) {
  const auto compiled = CompileGate(4);
  const DML_BINDING_TABLE_DESC valid = TableDesc(compiled.Get());
  ComPtr<IDMLBindingTable> table;
  for (const bool of_the_host : {true, false}) {
    DML_BINDING_TABLE_DESC desc = valid;
    if (of_the_host) {
      desc.CPUDescriptorHandle = {};
    } else {
      desc.GPUDescriptorHandle = {};
    }
    EXPECT_EQ(dml->CreateBindingTable(&desc, IID_PPV_ARGS(&table)), E_INVALIDARG);
    EXPECT_EQ(LastError(),
              "CreateBindingTable: CPUDescriptorHandle and GPUDescriptorHandle must be handles of "
              "a shader-visible descriptor heap and not null");
  }
}

// As PyDirectML does: an initializer of nothing and a table of nothing, both
// reset later.
TEST_F(OperatorTest, MakesEmptyInitializersAndTables) {
  ComPtr<IDMLOperatorInitializer> initializer;
  ASSERT_EQ(dml->CreateOperatorInitializer(0, nullptr, IID_PPV_ARGS(&initializer)), S_OK);
  ComPtr<IDMLBindingTable> table;
  ASSERT_EQ(dml->CreateBindingTable(nullptr, IID_PPV_ARGS(&table)), S_OK);
  const auto compiled = CompileGate(4);
  IDMLCompiledOperator* operators[] = {compiled.Get()};
  EXPECT_EQ(initializer->Reset(1, operators), S_OK);
  EXPECT_EQ(initializer->Reset(0, nullptr), S_OK);
  EXPECT_EQ(initializer->Reset(1, nullptr), E_INVALIDARG);
  const DML_BINDING_TABLE_DESC desc = TableDesc(initializer.Get());
  EXPECT_EQ(table->Reset(&desc), S_OK);
  recorder->RecordDispatch(list.Get(), initializer.Get(), table.Get());
  EXPECT_EQ(table->Reset(nullptr), S_OK);
  EXPECT_EQ(dml->GetDeviceRemovedReason(), S_OK);
  IDMLCompiledOperator* twice[] = {compiled.Get(), compiled.Get()};
  EXPECT_EQ(initializer->Reset(2, twice), E_INVALIDARG);
  EXPECT_EQ(LastError(),
            "IDMLOperatorInitializer::Reset: operator 1 comes twice; an operator is initialised "
            "once");
}

TEST_F(OperatorTest, WantsAPlaceForItsResults) {
  EXPECT_EQ(dml->CreateCommandRecorder(__uuidof(IDMLCommandRecorder), nullptr), E_INVALIDARG);
  EXPECT_EQ(dml->CreateBindingTable(nullptr, __uuidof(IDMLBindingTable), nullptr), E_INVALIDARG);
  EXPECT_EQ(dml->CreateOperatorInitializer(0, nullptr, __uuidof(IDMLOperatorInitializer), nullptr),
            E_INVALIDARG);
}

}  // namespace
}  // namespace anydml::directml
