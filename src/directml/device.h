// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// IDMLDevice and IDMLDevice1: creates everything else. Has no state of its own
// beyond being removed or not, so all of its methods may be called from any
// thread.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string_view>

#include "directml/object.h"
#include "directml/removal.h"
#include "operators/operator.h"

namespace anydml::directml {

// IDMLDebugDevice: a part of a device that was created with the debug flag.
class DebugDevice final : public IDMLDebugDevice {
 public:
  DebugDevice(IUnknown& owner, Removal& removal) : owner_(owner), removal_(removal) {}
  virtual ~DebugDevice() = default;

  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID riid, void** object) override {
    return owner_.QueryInterface(riid, object);
  }
  ULONG STDMETHODCALLTYPE AddRef() override { return owner_.AddRef(); }
  ULONG STDMETHODCALLTYPE Release() override { return owner_.Release(); }
  void STDMETHODCALLTYPE SetMuteDebugOutput(BOOL mute) override { removal_.Mute(mute != FALSE); }

 private:
  IUnknown& owner_;
  Removal& removal_;
};

class Device final : public Object<Serves<IDMLDevice1, IDMLObject, IDMLDevice, IDMLDevice1>> {
 public:
  static constexpr GUID kClassId = d3d12::ClassId(0x16);

  Device(ComPtr<ID3D12Device> parent, ComPtr<IAnydmlDevice> messages, const DeviceOptions& options,
         bool debug);

  HRESULT STDMETHODCALLTYPE CheckFeatureSupport(DML_FEATURE feature, UINT query_size,
                                                const void* query, UINT data_size,
                                                void* data) override;
  HRESULT STDMETHODCALLTYPE CreateOperator(const DML_OPERATOR_DESC* desc, REFIID riid,
                                           void** result) override;
  HRESULT STDMETHODCALLTYPE CompileOperator(IDMLOperator* op, DML_EXECUTION_FLAGS flags,
                                            REFIID riid, void** result) override;
  HRESULT STDMETHODCALLTYPE CreateOperatorInitializer(UINT count,
                                                      IDMLCompiledOperator* const* operators,
                                                      REFIID riid, void** result) override;
  HRESULT STDMETHODCALLTYPE CreateCommandRecorder(REFIID riid, void** result) override;
  HRESULT STDMETHODCALLTYPE CreateBindingTable(const DML_BINDING_TABLE_DESC* desc, REFIID riid,
                                               void** result) override;
  HRESULT STDMETHODCALLTYPE Evict(UINT count, IDMLPageable* const* objects) override;
  HRESULT STDMETHODCALLTYPE MakeResident(UINT count, IDMLPageable* const* objects) override;
  HRESULT STDMETHODCALLTYPE GetDeviceRemovedReason() override;
  HRESULT STDMETHODCALLTYPE GetParentDevice(REFIID riid, void** result) override;
  HRESULT STDMETHODCALLTYPE CompileGraph(const DML_GRAPH_DESC* desc, DML_EXECUTION_FLAGS flags,
                                         REFIID riid, void** result) override;

  const std::shared_ptr<Removal>& removal() const { return removal_; }
  const DeviceOptions& options() const { return options_; }
  HRESULT CheckAlive(std::string_view method) noexcept override;
  void ReportComplaint(HRESULT code, std::string_view sentence) noexcept override;

  // Whether an object of Direct3D 12 is a child of the parent device.
  bool IsSibling(ID3D12DeviceChild* object) const;

  // The border of a method: nothing on a removed device; errors and exceptions
  // become an HRESULT and a sentence that starts with the method's name.
  template <typename Body>
  HRESULT Call(std::string_view method, const Body& body) noexcept;

  // The same for methods that return nothing: misuse removes the device.
  template <typename Body>
  void CallVoid(std::string_view method, const Body& body) noexcept;

 protected:
  void* FindOther(REFIID riid) override;

 private:
  HRESULT FailInterface(std::string_view method) noexcept;
  HRESULT CheckPageables(std::string_view method, UINT count, IDMLPageable* const* objects);

  const ComPtr<ID3D12Device> parent_;
  const ComPtr<IAnydmlDevice> messages_;
  const ComPtr<IUnknown> parent_identity_;
  const DeviceOptions options_;
  const std::shared_ptr<Removal> removal_;
  DebugDevice debug_device_;
};

template <typename Body>
HRESULT Device::Call(std::string_view method, const Body& body) noexcept {
  const HRESULT alive = CheckAlive(method);
  if (FAILED(alive)) return alive;
  return ComObject::Call(method, [&]() -> HRESULT {
    Result<HRESULT> result = body();
    if (!result.ok()) {
      return Complain(d3d12::ToHresult(result.error().code), method, result.error().message);
    }
    if (result.value() == E_NOINTERFACE) return FailInterface(method);
    return result.value();
  });
}

template <typename Body>
void Device::CallVoid(std::string_view method, const Body& body) noexcept {
  if (FAILED(CheckAlive(method))) return;
  const HRESULT result = ComObject::Call(method, [&]() -> HRESULT {
    const Status status = body();
    if (!status.ok()) {
      removal_->Remove(d3d12::ToHresult(status.error().code),
                       fmt::format("{}: {}", method, status.error().message));
    }
    return S_OK;
  });
  if (FAILED(result)) removal_->Remove(result, "not enough memory");
}

// Makes a T and hands out its interface `riid`; a null `result` asks only
// whether that could be done: S_FALSE.
template <typename T, typename... Arguments>
Result<HRESULT> Create(REFIID riid, void** result, Arguments&&... arguments) {
  return d3d12::CreateObject<T>(riid, result, std::forward<Arguments>(arguments)...);
}

}  // namespace anydml::directml
