// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What every IDMLObject and every child of a DirectML device shares.
#pragma once

#include "d3d12/internal.h"
// internal.h first: directml_guids.h wants dxcore.h before it.
#include <directml_guids.h>

#include "d3d12/com.h"
#include "d3d12/private_data.h"

namespace anydml::directml {

using d3d12::As;
using d3d12::ComPtr;
using d3d12::Serves;

class Device;
// Device is not complete here: what an object asks of it.
HRESULT ProvideDevice(Device& device, std::string_view method, REFIID riid, void** result);
// S_OK, or DXGI_ERROR_DEVICE_REMOVED with a sentence.
HRESULT CheckAlive(Device& device, std::string_view method) noexcept;
void ReportComplaint(Device& device, HRESULT code, std::string_view sentence) noexcept;

// "When a DirectML device is removed, all method calls on the device, and every
// object created by that device, become no-ops": names and private data too.
template <typename... Lists>
class Object : public d3d12::ComObject<Lists...> {
 public:
  HRESULT STDMETHODCALLTYPE GetPrivateData(REFGUID guid, UINT* size, void* data) final {
    return Keep("GetPrivateData", [&] { return private_data_.Get(guid, size, data); });
  }
  HRESULT STDMETHODCALLTYPE SetPrivateData(REFGUID guid, UINT size, const void* data) final {
    return Keep("SetPrivateData", [&] { return private_data_.Set(guid, size, data); });
  }
  HRESULT STDMETHODCALLTYPE SetPrivateDataInterface(REFGUID guid, IUnknown* data) final {
    return Keep("SetPrivateDataInterface", [&] { return private_data_.SetInterface(guid, data); });
  }
  HRESULT STDMETHODCALLTYPE SetName(PCWSTR name) final {
    return Keep("SetName", [&] { return private_data_.SetName(name); });
  }

 protected:
  virtual HRESULT CheckAlive(std::string_view method) noexcept = 0;

 private:
  template <typename Body>
  HRESULT Keep(std::string_view method, const Body& body) noexcept {
    const HRESULT alive = CheckAlive(method);
    if (FAILED(alive)) return alive;
    return this->Call(method, [&] {
      const HRESULT result = body();
      if (SUCCEEDED(result)) return result;
      return this->Complain(result, method, d3d12::PrivateData::Explain(result));
    });
  }

  d3d12::PrivateData private_data_;
};

// Holds its device, so that the device outlives it. T::kClassId is how the
// library knows its own objects from foreign ones. GetDevice keeps working on a
// removed device: it is the way to the reason (O10).
template <typename T, typename... Lists>
class DeviceChild : public Object<Lists...> {
 public:
  HRESULT STDMETHODCALLTYPE GetDevice(REFIID riid, void** device) final {
    return ProvideDevice(device_, "GetDevice", riid, device);
  }
  Device& device() const { return device_; }

 protected:
  // A template, because Device is not complete here.
  template <typename D>
  explicit DeviceChild(D& device) : interface_(&device), device_(device) {}

  void* FindOther(REFIID riid) override {
    return riid == T::kClassId ? static_cast<T*>(this) : nullptr;
  }
  HRESULT CheckAlive(std::string_view method) noexcept override {
    return directml::CheckAlive(device_, method);
  }
  void ReportComplaint(HRESULT code, std::string_view sentence) noexcept override {
    directml::ReportComplaint(device_, code, sentence);
  }

 private:
  ComPtr<IDMLDevice> interface_;
  Device& device_;
};

}  // namespace anydml::directml
