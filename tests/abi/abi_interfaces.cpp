// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The interfaces as a client built elsewhere sees them: a number per method and an identifier.
// Methods are called by slot, through the virtual table and not by name.

#include <gtest/gtest.h>

#include <string_view>

#include "directml_guids.h"
#include "fake_interfaces.h"

namespace anydml::abi {
namespace {

constexpr unsigned HexDigit(char c) {
  return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
}

// The `count` bytes that start at digit `position`, as one number.
constexpr unsigned HexNumber(std::string_view text, int position, int count) {
  unsigned value = 0;
  for (int i = 0; i < 2 * count; ++i) value = value * 16 + HexDigit(text[position + i]);
  return value;
}

// `text` is an identifier as the documentation prints it, in lower case.
template <typename Interface>
constexpr bool HasIid(std::string_view text) {
  constexpr int kTail[8] = {19, 21, 24, 26, 28, 30, 32, 34};
  const GUID iid = uuidof<Interface>();
  bool same = iid.Data1 == HexNumber(text, 0, 4) && iid.Data2 == HexNumber(text, 9, 2) &&
              iid.Data3 == HexNumber(text, 14, 2);
  for (int i = 0; i < 8; ++i) same = same && iid.Data4[i] == HexNumber(text, kTail[i], 1);
  return same && ConstexprIsEqualGUID(iid, __uuidof(Interface));
}

static_assert(HasIid<IDMLObject>("c8263aac-9e0c-4a2d-9b8e-007521a3317c"));
static_assert(HasIid<IDMLDevice>("6dbd6437-96fd-423f-a98c-ae5e7c2a573f"));
static_assert(HasIid<IDMLDevice1>("a0884f9a-d2be-4355-aa5d-5901281ad1d2"));
static_assert(HasIid<IDMLDeviceChild>("27e83142-8165-49e3-974e-2fd66e4cb69d"));
static_assert(HasIid<IDMLPageable>("b1ab0825-4542-4a4b-8617-6dde6e8f6201"));
static_assert(HasIid<IDMLOperator>("26caae7a-3081-4633-9581-226fbe57695d"));
static_assert(HasIid<IDMLDispatchable>("dcb821a8-1039-441e-9f1c-b1759c2f3cec"));
static_assert(HasIid<IDMLCompiledOperator>("6b15e56a-bf5c-4902-92d8-da3a650afea4"));
static_assert(HasIid<IDMLOperatorInitializer>("427c1113-435c-469c-8676-4d5dd072f813"));
static_assert(HasIid<IDMLBindingTable>("29c687dc-de74-4e3b-ab00-1168f2fc3cfc"));
static_assert(HasIid<IDMLCommandRecorder>("e6857a76-2e3e-4fdd-bff4-5d2ba10fb453"));
static_assert(HasIid<IDMLDebugDevice>("7d6f3ac9-394a-4ac3-92a7-390cc57a8217"));

// Adds one method, which lands in the first slot that `Fake` leaves free: the slot behind the last
// method of the interface.
template <typename Fake>
class WithNext final : public Fake {
 public:
  virtual void Next() { this->last_call = "Next"; }
};

template <typename T>
struct Argument {
  static T Any() { return T{}; }
};

template <>
struct Argument<const GUID&> {
  static const GUID& Any() {
    static constexpr GUID kGuid = {};
    return kGuid;
  }
};

// Calls `slot` of `fake` with the signature of `method`.
template <typename Fake, typename Interface, typename Result, typename... Args>
Result CallSlot(Fake& fake, int slot, Result (Interface::*)(Args...)) {
  using Function = Result (*)(void*, Args...);
  void* object = static_cast<Interface*>(&fake);
  void** table = *static_cast<void***>(object);
  return reinterpret_cast<Function>(table[slot])(object, Argument<Args>::Any()...);
}

// The name of the method that answers to `slot`.
template <typename Fake, typename Method>
std::string_view MethodAt(Fake& fake, int slot, Method method) {
  fake.last_call = "nothing";
  CallSlot(fake, slot, method);
  return fake.last_call;
}

template <typename Fake>
void ExpectUnknownMethods(Fake& fake) {
  // Cast because IUnknown has a template of the same name.
  const auto query = static_cast<HRESULT (IUnknown::*)(REFIID, void**)>(&IUnknown::QueryInterface);
  EXPECT_EQ(MethodAt(fake, 0, query), "QueryInterface");
  EXPECT_EQ(MethodAt(fake, 1, &IUnknown::AddRef), "AddRef");
  EXPECT_EQ(MethodAt(fake, 2, &IUnknown::Release), "Release");
}

template <typename Fake>
void ExpectObjectMethods(Fake& fake) {
  ExpectUnknownMethods(fake);
  EXPECT_EQ(MethodAt(fake, 3, &IDMLObject::GetPrivateData), "GetPrivateData");
  EXPECT_EQ(MethodAt(fake, 4, &IDMLObject::SetPrivateData), "SetPrivateData");
  EXPECT_EQ(MethodAt(fake, 5, &IDMLObject::SetPrivateDataInterface), "SetPrivateDataInterface");
  EXPECT_EQ(MethodAt(fake, 6, &IDMLObject::SetName), "SetName");
}

template <typename Fake>
void ExpectDeviceMethods(Fake& fake) {
  ExpectObjectMethods(fake);
  EXPECT_EQ(MethodAt(fake, 7, &IDMLDevice::CheckFeatureSupport), "CheckFeatureSupport");
  EXPECT_EQ(MethodAt(fake, 8, &IDMLDevice::CreateOperator), "CreateOperator");
  EXPECT_EQ(MethodAt(fake, 9, &IDMLDevice::CompileOperator), "CompileOperator");
  EXPECT_EQ(MethodAt(fake, 10, &IDMLDevice::CreateOperatorInitializer),
            "CreateOperatorInitializer");
  EXPECT_EQ(MethodAt(fake, 11, &IDMLDevice::CreateCommandRecorder), "CreateCommandRecorder");
  EXPECT_EQ(MethodAt(fake, 12, &IDMLDevice::CreateBindingTable), "CreateBindingTable");
  EXPECT_EQ(MethodAt(fake, 13, &IDMLDevice::Evict), "Evict");
  EXPECT_EQ(MethodAt(fake, 14, &IDMLDevice::MakeResident), "MakeResident");
  EXPECT_EQ(MethodAt(fake, 15, &IDMLDevice::GetDeviceRemovedReason), "GetDeviceRemovedReason");
  EXPECT_EQ(MethodAt(fake, 16, &IDMLDevice::GetParentDevice), "GetParentDevice");
}

template <typename Fake>
void ExpectDeviceChildMethods(Fake& fake) {
  ExpectObjectMethods(fake);
  EXPECT_EQ(MethodAt(fake, 7, &IDMLDeviceChild::GetDevice), "GetDevice");
}

template <typename Fake>
void ExpectDispatchableMethods(Fake& fake) {
  ExpectDeviceChildMethods(fake);
  EXPECT_EQ(MethodAt(fake, 8, &IDMLDispatchable::GetBindingProperties), "GetBindingProperties");
}

// The interface has `count` methods, those it inherits included.
template <typename Fake>
void ExpectMethodCount(WithNext<Fake>& fake, int count) {
  EXPECT_EQ(MethodAt(fake, count, &WithNext<Fake>::Next), "Next");
}

TEST(AbiInterfaces, ObjectHasItsMethodsAfterThoseOfUnknown) {
  WithNext<FakeObject<IDMLObject>> object;
  ExpectObjectMethods(object);
  ExpectMethodCount(object, 7);
}

TEST(AbiInterfaces, DeviceHasItsMethodsInOrder) {
  WithNext<FakeDevice<IDMLDevice>> device;
  ExpectDeviceMethods(device);
  ExpectMethodCount(device, 17);
}

TEST(AbiInterfaces, Device1HasCompileGraphAfterTheMethodsOfDevice) {
  WithNext<FakeDevice1> device;
  ExpectDeviceMethods(device);
  EXPECT_EQ(MethodAt(device, 17, &IDMLDevice1::CompileGraph), "CompileGraph");
  ExpectMethodCount(device, 18);
}

TEST(AbiInterfaces, DeviceChildHasGetDeviceAfterTheMethodsOfObject) {
  WithNext<FakeDeviceChild<IDMLDeviceChild>> child;
  ExpectDeviceChildMethods(child);
  ExpectMethodCount(child, 8);
}

TEST(AbiInterfaces, PageableAddsNothingToDeviceChild) {
  WithNext<FakeDeviceChild<IDMLPageable>> pageable;
  ExpectDeviceChildMethods(pageable);
  ExpectMethodCount(pageable, 8);
}

TEST(AbiInterfaces, OperatorAddsNothingToDeviceChild) {
  WithNext<FakeDeviceChild<IDMLOperator>> op;
  ExpectDeviceChildMethods(op);
  ExpectMethodCount(op, 8);
}

TEST(AbiInterfaces, DispatchableHasGetBindingPropertiesAfterTheMethodsOfPageable) {
  WithNext<FakeDispatchable<IDMLDispatchable>> dispatchable;
  ExpectDispatchableMethods(dispatchable);
  ExpectMethodCount(dispatchable, 9);
}

TEST(AbiInterfaces, CompiledOperatorAddsNothingToDispatchable) {
  WithNext<FakeDispatchable<IDMLCompiledOperator>> compiled;
  ExpectDispatchableMethods(compiled);
  ExpectMethodCount(compiled, 9);
}

TEST(AbiInterfaces, OperatorInitializerHasResetAfterTheMethodsOfDispatchable) {
  WithNext<FakeOperatorInitializer> initializer;
  ExpectDispatchableMethods(initializer);
  EXPECT_EQ(MethodAt(initializer, 9, &IDMLOperatorInitializer::Reset), "Reset");
  ExpectMethodCount(initializer, 10);
}

TEST(AbiInterfaces, BindingTableHasItsMethodsInOrder) {
  WithNext<FakeBindingTable> table;
  ExpectDeviceChildMethods(table);
  EXPECT_EQ(MethodAt(table, 8, &IDMLBindingTable::BindInputs), "BindInputs");
  EXPECT_EQ(MethodAt(table, 9, &IDMLBindingTable::BindOutputs), "BindOutputs");
  EXPECT_EQ(MethodAt(table, 10, &IDMLBindingTable::BindTemporaryResource), "BindTemporaryResource");
  EXPECT_EQ(MethodAt(table, 11, &IDMLBindingTable::BindPersistentResource),
            "BindPersistentResource");
  EXPECT_EQ(MethodAt(table, 12, &IDMLBindingTable::Reset), "Reset");
  ExpectMethodCount(table, 13);
}

TEST(AbiInterfaces, CommandRecorderHasRecordDispatchAfterTheMethodsOfDeviceChild) {
  WithNext<FakeCommandRecorder> recorder;
  ExpectDeviceChildMethods(recorder);
  EXPECT_EQ(MethodAt(recorder, 8, &IDMLCommandRecorder::RecordDispatch), "RecordDispatch");
  ExpectMethodCount(recorder, 9);
}

TEST(AbiInterfaces, DebugDeviceIsNoObject) {
  WithNext<FakeDebugDevice> debug;
  ExpectUnknownMethods(debug);
  EXPECT_EQ(MethodAt(debug, 3, &IDMLDebugDevice::SetMuteDebugOutput), "SetMuteDebugOutput");
  ExpectMethodCount(debug, 4);
}

// 24 bytes do not fit in registers: the caller passes an address for them before `this`.
TEST(AbiInterfaces, BindingPropertiesComeBackWhole) {
  FakeDispatchable<IDMLCompiledOperator> compiled;
  const DML_BINDING_PROPERTIES properties =
      CallSlot(compiled, 8, &IDMLDispatchable::GetBindingProperties);
  EXPECT_EQ(properties.RequiredDescriptorCount, 1u);
  EXPECT_EQ(properties.TemporaryResourceSize, 2u);
  EXPECT_EQ(properties.PersistentResourceSize, 3u);
}

}  // namespace
}  // namespace anydml::abi
