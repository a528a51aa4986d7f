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

template <typename... Lists>
class Object : public d3d12::ComObject<Lists...> {
 public:
  HRESULT STDMETHODCALLTYPE GetPrivateData(REFGUID guid, UINT* size, void* data) final {
    return private_data_.Get(guid, size, data);
  }
  HRESULT STDMETHODCALLTYPE SetPrivateData(REFGUID guid, UINT size, const void* data) final {
    return private_data_.Set(guid, size, data);
  }
  HRESULT STDMETHODCALLTYPE SetPrivateDataInterface(REFGUID guid, IUnknown* data) final {
    return private_data_.SetInterface(guid, data);
  }
  HRESULT STDMETHODCALLTYPE SetName(PCWSTR name) final { return private_data_.SetName(name); }

 private:
  d3d12::PrivateData private_data_;
};

// Holds its device, so that the device outlives it. T::kClassId is how the
// library knows its own objects from foreign ones. GetDevice and the private
// data keep working on a removed device: they are the way to its reason.
template <typename T, typename... Lists>
class DeviceChild : public Object<Lists...> {
 public:
  HRESULT STDMETHODCALLTYPE GetDevice(REFIID riid, void** device) final {
    return interface_->QueryInterface(riid, device);
  }
  Device& device() const { return device_; }

 protected:
  // A template, because Device is not complete here.
  template <typename D>
  explicit DeviceChild(D& device) : interface_(&device), device_(device) {}

  void* FindOther(REFIID riid) override {
    return riid == T::kClassId ? static_cast<T*>(this) : nullptr;
  }

 private:
  ComPtr<IDMLDevice> interface_;
  Device& device_;
};

}  // namespace anydml::directml
