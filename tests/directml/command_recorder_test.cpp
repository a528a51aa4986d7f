// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// IDMLCommandRecorder::RecordDispatch and tables without a target: D10, D11.
#include "directml/fixture.h"

namespace anydml::directml {
namespace {

class CommandRecorderTest : public DirectMLTest {
 protected:
  CommandRecorderTest()
      : compiled(CompileGate(4)),
        table(Table(compiled.Get())),
        x(Buffer(16)),
        dy(Buffer(16)),
        dx(Buffer(16)) {}

  ComPtr<IDMLCompiledOperator> compiled;
  ComPtr<IDMLBindingTable> table;
  ComPtr<ID3D12Resource> x, dy, dx;
};

// D10
TEST_F(CommandRecorderTest, WantsEverythingBoundBeforeItIsRecorded) {
  const BindingDescs inputs = {x, dy};
  table->BindInputs(inputs.size(), inputs.data());
  recorder->RecordDispatch(list.Get(), compiled.Get(), table.Get());
  ExpectRemoved(
      "RecordDispatch: ACTIVATION_RELU_GRAD: the outputs must be bound before it is recorded, or "
      "with DESCRIPTORS_VOLATILE before it is submitted");
}

// D11
TEST_F(CommandRecorderTest, BelongsToOneDispatchable) {
  const auto other = CompileGate(4);
  Bind(table, {x, dy}, {dx});
  recorder->RecordDispatch(list.Get(), other.Get(), table.Get());
  ExpectRemoved("RecordDispatch: the binding table belongs to another dispatchable");
}

TEST_F(CommandRecorderTest, NeedsADispatchable) {
  ASSERT_EQ(table->Reset(nullptr), S_OK);
  const BindingDescs inputs = {x, dy};
  table->BindInputs(inputs.size(), inputs.data());
  ExpectRemoved("BindInputs: the binding table has no dispatchable");
}

TEST_F(CommandRecorderTest, BindsTemporaryAndPersistentOnlyForADispatchable) {
  ASSERT_EQ(table->Reset(nullptr), S_OK);
  table->BindTemporaryResource(nullptr);
  ExpectRemoved("BindTemporaryResource: the binding table has no dispatchable");
}

TEST_F(CommandRecorderTest, WantsADispatchableOfItsDevice) {
  recorder->RecordDispatch(list.Get(), nullptr, table.Get());
  ExpectRemoved("RecordDispatch: the dispatchable must be one of this device");
}

TEST_F(CommandRecorderTest, WantsABindingTable) {
  recorder->RecordDispatch(list.Get(), compiled.Get(), nullptr);
  ExpectRemoved("RecordDispatch: the binding table must be one of this device");
}

TEST_F(CommandRecorderTest, WantsACommandList) {
  recorder->RecordDispatch(nullptr, compiled.Get(), table.Get());
  ExpectRemoved("RecordDispatch: the command list must not be null");
}

TEST_F(CommandRecorderTest, WantsAnOpenCommandList) {
  Bind(table, {x, dy}, {dx});
  ASSERT_EQ(list->Close(), S_OK);
  recorder->RecordDispatch(list.Get(), compiled.Get(), table.Get());
  ExpectRemoved("RecordDispatch: the command list must be open for recording");
}

TEST_F(CommandRecorderTest, WantsACommandListThatDispatches) {
  ComPtr<ID3D12CommandAllocator> copies;
  ComPtr<ID3D12GraphicsCommandList> copy_list;
  ASSERT_EQ(device->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_COPY, IID_PPV_ARGS(&copies)),
            S_OK);
  ASSERT_EQ(device->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_COPY, copies.Get(), nullptr,
                                      IID_PPV_ARGS(&copy_list)),
            S_OK);
  Bind(table, {x, dy}, {dx});
  recorder->RecordDispatch(copy_list.Get(), compiled.Get(), table.Get());
  ExpectRemoved(
      "RecordDispatch: a command list of type 3 takes no dispatch; it must be DIRECT or COMPUTE");
}

}  // namespace
}  // namespace anydml::directml
