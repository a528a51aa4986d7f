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

template <typename... Lists>
class Object : public ComObject<Lists...> {
 public:
  HRESULT STDMETHODCALLTYPE GetPrivateData(REFGUID guid, UINT* size, void* data) final {
    return private_data_.Get(guid, size, data);
  }
  HRESULT STDMETHODCALLTYPE SetPrivateData(REFGUID guid, UINT size, const void* data) final {
    return private_data_.Set(guid, size, data);
  }
  HRESULT STDMETHODCALLTYPE SetPrivateDataInterface(REFGUID guid, const IUnknown* data) final {
    return private_data_.SetInterface(guid, data);
  }
  HRESULT STDMETHODCALLTYPE SetName(LPCWSTR name) final { return private_data_.SetName(name); }

 private:
  PrivateData private_data_;
};

// Holds its device, so that the device outlives it. T is the child's class: its
// kClassId is how the library knows its own objects from foreign ones.
template <typename T, typename... Lists>
class DeviceChild : public Object<Lists...> {
 public:
  HRESULT STDMETHODCALLTYPE GetDevice(REFIID riid, void** device) final {
    return interface_->QueryInterface(riid, device);
  }
  Device& device() const { return device_; }

 protected:
  explicit DeviceChild(Device& device) : interface_(InterfaceOf(device)), device_(device) {}
  void* FindOther(REFIID riid) override {
    return riid == T::kClassId ? static_cast<T*>(this) : nullptr;
  }

 private:
  const ComPtr<ID3D12Device> interface_;
  Device& device_;
};

}  // namespace anydml::d3d12
