// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// An implementation of every IDML* interface whose methods only remember that they were called.
// Knows nothing of slots: the compiler places the methods, abi_interfaces.cpp says where.

#ifndef ANYDML_TESTS_ABI_FAKE_INTERFACES_H_
#define ANYDML_TESTS_ABI_FAKE_INTERFACES_H_

#include <string_view>

#include "directml.h"

namespace anydml::abi {

template <typename Interface>
class FakeUnknown : public Interface {
 public:
  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID, void**) override {
    return Record("QueryInterface");
  }
  ULONG STDMETHODCALLTYPE AddRef() override { return Record("AddRef"); }
  ULONG STDMETHODCALLTYPE Release() override { return Record("Release"); }

  std::string_view last_call;

 protected:
  HRESULT Record(std::string_view method) {
    last_call = method;
    return S_OK;
  }
};

template <typename Interface>
class FakeObject : public FakeUnknown<Interface> {
 public:
  HRESULT STDMETHODCALLTYPE GetPrivateData(REFGUID, UINT*, void*) override {
    return this->Record("GetPrivateData");
  }
  HRESULT STDMETHODCALLTYPE SetPrivateData(REFGUID, UINT, const void*) override {
    return this->Record("SetPrivateData");
  }
  HRESULT STDMETHODCALLTYPE SetPrivateDataInterface(REFGUID, IUnknown*) override {
    return this->Record("SetPrivateDataInterface");
  }
  HRESULT STDMETHODCALLTYPE SetName(PCWSTR) override { return this->Record("SetName"); }
};

template <typename Interface>
class FakeDevice : public FakeObject<Interface> {
 public:
  HRESULT STDMETHODCALLTYPE CheckFeatureSupport(DML_FEATURE, UINT, const void*, UINT,
                                                void*) override {
    return this->Record("CheckFeatureSupport");
  }
  HRESULT STDMETHODCALLTYPE CreateOperator(const DML_OPERATOR_DESC*, REFIID, void**) override {
    return this->Record("CreateOperator");
  }
  HRESULT STDMETHODCALLTYPE CompileOperator(IDMLOperator*, DML_EXECUTION_FLAGS, REFIID,
                                            void**) override {
    return this->Record("CompileOperator");
  }
  HRESULT STDMETHODCALLTYPE CreateOperatorInitializer(UINT, IDMLCompiledOperator* const*, REFIID,
                                                      void**) override {
    return this->Record("CreateOperatorInitializer");
  }
  HRESULT STDMETHODCALLTYPE CreateCommandRecorder(REFIID, void**) override {
    return this->Record("CreateCommandRecorder");
  }
  HRESULT STDMETHODCALLTYPE CreateBindingTable(const DML_BINDING_TABLE_DESC*, REFIID,
                                               void**) override {
    return this->Record("CreateBindingTable");
  }
  HRESULT STDMETHODCALLTYPE Evict(UINT, IDMLPageable* const*) override {
    return this->Record("Evict");
  }
  HRESULT STDMETHODCALLTYPE MakeResident(UINT, IDMLPageable* const*) override {
    return this->Record("MakeResident");
  }
  HRESULT STDMETHODCALLTYPE GetDeviceRemovedReason() override {
    return this->Record("GetDeviceRemovedReason");
  }
  HRESULT STDMETHODCALLTYPE GetParentDevice(REFIID, void**) override {
    return this->Record("GetParentDevice");
  }
};

class FakeDevice1 : public FakeDevice<IDMLDevice1> {
 public:
  HRESULT STDMETHODCALLTYPE CompileGraph(const DML_GRAPH_DESC*, DML_EXECUTION_FLAGS, REFIID,
                                         void**) override {
    return Record("CompileGraph");
  }
};

template <typename Interface>
class FakeDeviceChild : public FakeObject<Interface> {
 public:
  HRESULT STDMETHODCALLTYPE GetDevice(REFIID, void**) override { return this->Record("GetDevice"); }
};

template <typename Interface>
class FakeDispatchable : public FakeDeviceChild<Interface> {
 public:
  DML_BINDING_PROPERTIES STDMETHODCALLTYPE GetBindingProperties() override {
    this->Record("GetBindingProperties");
    return {1, 2, 3};
  }
};

class FakeOperatorInitializer : public FakeDispatchable<IDMLOperatorInitializer> {
 public:
  HRESULT STDMETHODCALLTYPE Reset(UINT, IDMLCompiledOperator* const*) override {
    return Record("Reset");
  }
};

class FakeBindingTable : public FakeDeviceChild<IDMLBindingTable> {
 public:
  void STDMETHODCALLTYPE BindInputs(UINT, const DML_BINDING_DESC*) override {
    Record("BindInputs");
  }
  void STDMETHODCALLTYPE BindOutputs(UINT, const DML_BINDING_DESC*) override {
    Record("BindOutputs");
  }
  void STDMETHODCALLTYPE BindTemporaryResource(const DML_BINDING_DESC*) override {
    Record("BindTemporaryResource");
  }
  void STDMETHODCALLTYPE BindPersistentResource(const DML_BINDING_DESC*) override {
    Record("BindPersistentResource");
  }
  HRESULT STDMETHODCALLTYPE Reset(const DML_BINDING_TABLE_DESC*) override {
    return Record("Reset");
  }
};

class FakeCommandRecorder : public FakeDeviceChild<IDMLCommandRecorder> {
 public:
  void STDMETHODCALLTYPE RecordDispatch(ID3D12CommandList*, IDMLDispatchable*,
                                        IDMLBindingTable*) override {
    Record("RecordDispatch");
  }
};

class FakeDebugDevice : public FakeUnknown<IDMLDebugDevice> {
 public:
  void STDMETHODCALLTYPE SetMuteDebugOutput(BOOL) override { Record("SetMuteDebugOutput"); }
};

}  // namespace anydml::abi

#endif  // ANYDML_TESTS_ABI_FAKE_INTERFACES_H_
