// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Part of directml.h: the exported functions and the interfaces. The order of the methods is the
// order of the virtual table, hence the ABI; a number in a comment is the slot.

#ifndef ANYDML_DIRECTML_INTERFACES_H_
#define ANYDML_DIRECTML_INTERFACES_H_

#include "directml/core.h"

struct IDMLBindingTable;
struct IDMLCommandRecorder;
struct IDMLCompiledOperator;
struct IDMLDevice;
struct IDMLDeviceChild;
struct IDMLObject;
struct IDMLOperatorInitializer;
struct IDMLPageable;

STDAPI DMLCreateDevice(ID3D12Device* d3d12Device, DML_CREATE_DEVICE_FLAGS flags, REFIID riid,
                       _COM_Outptr_opt_ void** ppv);

#if DML_TARGET_VERSION >= 0x2000
STDAPI DMLCreateDevice1(ID3D12Device* d3d12Device, DML_CREATE_DEVICE_FLAGS flags,
                        DML_FEATURE_LEVEL minimumFeatureLevel, REFIID riid,
                        _COM_Outptr_opt_ void** ppv);
#endif

struct DML_DECLARE_INTERFACE("c8263aac-9e0c-4a2d-9b8e-007521a3317c") IDMLObject : public IUnknown {
  // 3 to 6. IUnknown has 0 to 2.
  virtual HRESULT STDMETHODCALLTYPE GetPrivateData(
      REFGUID guid, _Inout_ UINT* dataSize, _Out_writes_bytes_opt_(*dataSize) void* data) = 0;
  virtual HRESULT STDMETHODCALLTYPE SetPrivateData(REFGUID guid, UINT dataSize,
                                                   _In_reads_bytes_opt_(dataSize)
                                                       const void* data) = 0;
  virtual HRESULT STDMETHODCALLTYPE SetPrivateDataInterface(REFGUID guid,
                                                            _In_opt_ IUnknown* data) = 0;
  virtual HRESULT STDMETHODCALLTYPE SetName(PCWSTR name) = 0;
};

struct DML_DECLARE_INTERFACE("6dbd6437-96fd-423f-a98c-ae5e7c2a573f") IDMLDevice
    : public IDMLObject {
  // 7 to 16.
  virtual HRESULT STDMETHODCALLTYPE
  CheckFeatureSupport(DML_FEATURE feature, UINT featureQueryDataSize,
                      _In_reads_bytes_opt_(featureQueryDataSize) const void* featureQueryData,
                      UINT featureSupportDataSize,
                      _Out_writes_bytes_(featureSupportDataSize) void* featureSupportData) = 0;
  virtual HRESULT STDMETHODCALLTYPE CreateOperator(const DML_OPERATOR_DESC* desc, REFIID riid,
                                                   _COM_Outptr_opt_ void** ppv) = 0;
  virtual HRESULT STDMETHODCALLTYPE CompileOperator(IDMLOperator* op, DML_EXECUTION_FLAGS flags,
                                                    REFIID riid, _COM_Outptr_opt_ void** ppv) = 0;
  virtual HRESULT STDMETHODCALLTYPE CreateOperatorInitializer(
      UINT operatorCount, _In_reads_opt_(operatorCount) IDMLCompiledOperator* const* operators,
      REFIID riid, _COM_Outptr_ void** ppv) = 0;
  virtual HRESULT STDMETHODCALLTYPE CreateCommandRecorder(REFIID riid, _COM_Outptr_ void** ppv) = 0;
  virtual HRESULT STDMETHODCALLTYPE CreateBindingTable(_In_opt_ const DML_BINDING_TABLE_DESC* desc,
                                                       REFIID riid, _COM_Outptr_ void** ppv) = 0;
  virtual HRESULT STDMETHODCALLTYPE Evict(UINT count,
                                          _In_reads_(count) IDMLPageable* const* ppObjects) = 0;
  virtual HRESULT STDMETHODCALLTYPE MakeResident(UINT count,
                                                 _In_reads_(count)
                                                     IDMLPageable* const* ppObjects) = 0;
  virtual HRESULT STDMETHODCALLTYPE GetDeviceRemovedReason() = 0;
  virtual HRESULT STDMETHODCALLTYPE GetParentDevice(REFIID riid, _COM_Outptr_ void** ppv) = 0;
};

#if DML_TARGET_VERSION >= 0x2100
struct DML_DECLARE_INTERFACE("a0884f9a-d2be-4355-aa5d-5901281ad1d2") IDMLDevice1
    : public IDMLDevice {
  // 17.
  virtual HRESULT STDMETHODCALLTYPE CompileGraph(const DML_GRAPH_DESC* desc,
                                                 DML_EXECUTION_FLAGS flags, REFIID riid,
                                                 _COM_Outptr_opt_ void** ppv) = 0;
};
#endif

struct DML_DECLARE_INTERFACE("27e83142-8165-49e3-974e-2fd66e4cb69d") IDMLDeviceChild
    : public IDMLObject {
  // 7.
  virtual HRESULT STDMETHODCALLTYPE GetDevice(REFIID riid, _COM_Outptr_ void** ppv) = 0;
};

struct DML_DECLARE_INTERFACE("b1ab0825-4542-4a4b-8617-6dde6e8f6201") IDMLPageable
    : public IDMLDeviceChild {};

struct DML_DECLARE_INTERFACE("26caae7a-3081-4633-9581-226fbe57695d") IDMLOperator
    : public IDMLDeviceChild {};

struct DML_DECLARE_INTERFACE("dcb821a8-1039-441e-9f1c-b1759c2f3cec") IDMLDispatchable
    : public IDMLPageable {
  // 8. Returns 24 bytes by value: on x86-64 the address of the result comes before `this`.
  virtual DML_BINDING_PROPERTIES STDMETHODCALLTYPE GetBindingProperties() = 0;
};

struct DML_DECLARE_INTERFACE("6b15e56a-bf5c-4902-92d8-da3a650afea4") IDMLCompiledOperator
    : public IDMLDispatchable {};

struct DML_DECLARE_INTERFACE("427c1113-435c-469c-8676-4d5dd072f813") IDMLOperatorInitializer
    : public IDMLDispatchable {
  // 9.
  virtual HRESULT STDMETHODCALLTYPE Reset(UINT operatorCount,
                                          _In_reads_opt_(operatorCount)
                                              IDMLCompiledOperator* const* operators) = 0;
};

struct DML_DECLARE_INTERFACE("29c687dc-de74-4e3b-ab00-1168f2fc3cfc") IDMLBindingTable
    : public IDMLDeviceChild {
  // 8 to 12.
  virtual void STDMETHODCALLTYPE BindInputs(UINT bindingCount,
                                            _In_reads_opt_(bindingCount)
                                                const DML_BINDING_DESC* bindings) = 0;
  virtual void STDMETHODCALLTYPE BindOutputs(UINT bindingCount,
                                             _In_reads_opt_(bindingCount)
                                                 const DML_BINDING_DESC* bindings) = 0;
  virtual void STDMETHODCALLTYPE
  BindTemporaryResource(_In_opt_ const DML_BINDING_DESC* binding) = 0;
  virtual void STDMETHODCALLTYPE
  BindPersistentResource(_In_opt_ const DML_BINDING_DESC* binding) = 0;
  virtual HRESULT STDMETHODCALLTYPE Reset(_In_opt_ const DML_BINDING_TABLE_DESC* desc) = 0;
};

struct DML_DECLARE_INTERFACE("e6857a76-2e3e-4fdd-bff4-5d2ba10fb453") IDMLCommandRecorder
    : public IDMLDeviceChild {
  // 8.
  virtual void STDMETHODCALLTYPE RecordDispatch(ID3D12CommandList* commandList,
                                                IDMLDispatchable* dispatchable,
                                                IDMLBindingTable* bindings) = 0;
};

struct DML_DECLARE_INTERFACE("7d6f3ac9-394a-4ac3-92a7-390cc57a8217") IDMLDebugDevice
    : public IUnknown {
  // 3.
  virtual void STDMETHODCALLTYPE SetMuteDebugOutput(BOOL mute) = 0;
};

#endif  // ANYDML_DIRECTML_INTERFACES_H_
