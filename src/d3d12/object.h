// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What every ID3D12Object and every child of a device shares.
#pragma once

#include "d3d12/com.h"
#include "d3d12/internal.h"
#include "d3d12/private_data.h"

namespace anydml::d3d12 {

class Device;
ID3D12Device* InterfaceOf(Device& device);
// Device is not complete here: what an object asks of it.
HRESULT ProvideDevice(Device& device, std::string_view method, REFIID riid, void** result);
// S_OK, or DXGI_ERROR_DEVICE_REMOVED with a sentence.
HRESULT CheckAlive(Device& device, std::string_view method) noexcept;
void ReportComplaint(Device& device, HRESULT code, std::string_view sentence) noexcept;

template <typename... Lists>
class Object : public ComObject<Lists...> {
 public:
  HRESULT STDMETHODCALLTYPE GetPrivateData(REFGUID guid, UINT* size, void* data) final {
    return Keep("GetPrivateData", [&] { return private_data_.Get(guid, size, data); });
  }
  HRESULT STDMETHODCALLTYPE SetPrivateData(REFGUID guid, UINT size, const void* data) final {
    return Keep("SetPrivateData", [&] { return private_data_.Set(guid, size, data); });
  }
  HRESULT STDMETHODCALLTYPE SetPrivateDataInterface(REFGUID guid, const IUnknown* data) final {
    return Keep("SetPrivateDataInterface", [&] { return private_data_.SetInterface(guid, data); });
  }
  // Names and private data work on a removed device too (O10).
  HRESULT STDMETHODCALLTYPE SetName(LPCWSTR name) final {
    return Keep("SetName", [&] { return private_data_.SetName(name); });
  }

 private:
  template <typename Body>
  HRESULT Keep(std::string_view method, const Body& body) noexcept {
    return this->Call(method, [&] {
      const HRESULT result = body();
      if (SUCCEEDED(result)) return result;
      return this->Complain(result, method, PrivateData::Explain(result));
    });
  }

  PrivateData private_data_;
};

// Holds its device, so that the device outlives it. T is the child's class: its
// kClassId is how the library knows its own objects from foreign ones.
template <typename T, typename... Lists>
class DeviceChild : public Object<Lists...> {
 public:
  HRESULT STDMETHODCALLTYPE GetDevice(REFIID riid, void** device) final {
    return ProvideDevice(device_, "GetDevice", riid, device);
  }
  Device& device() const { return device_; }

 protected:
  explicit DeviceChild(Device& device) : interface_(InterfaceOf(device)), device_(device) {}
  void* FindOther(REFIID riid) override {
    return riid == T::kClassId ? static_cast<T*>(this) : nullptr;
  }
  void ReportComplaint(HRESULT code, std::string_view sentence) noexcept override {
    d3d12::ReportComplaint(device_, code, sentence);
  }
  // Runs the body of a method that needs a device.
  template <typename Body>
  HRESULT CallAlive(std::string_view method, const Body& body) noexcept {
    const HRESULT alive = CheckAlive(device_, method);
    return FAILED(alive) ? alive : this->Call(method, body);
  }

 private:
  const ComPtr<ID3D12Device> interface_;
  Device& device_;
};

}  // namespace anydml::d3d12
