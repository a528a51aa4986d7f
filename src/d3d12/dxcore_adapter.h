// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// IDXCoreAdapter: an AdapterInfo with the faces that DXCore gives it.
#pragma once

#include <memory>

#include "d3d12/adapter.h"
#include "d3d12/com.h"

namespace anydml::d3d12 {

class DxcoreAdapter final : public ComObject<Serves<IDXCoreAdapter, IDXCoreAdapter>> {
 public:
  static constexpr GUID kClassId = ClassId(0x09);

  explicit DxcoreAdapter(std::shared_ptr<const AdapterInfo> info) : info_(std::move(info)) {}

  bool STDMETHODCALLTYPE IsValid() override { return true; }
  bool STDMETHODCALLTYPE IsAttributeSupported(REFGUID attribute) override;
  bool STDMETHODCALLTYPE IsPropertySupported(DXCoreAdapterProperty property) override;
  HRESULT STDMETHODCALLTYPE GetProperty(DXCoreAdapterProperty property, size_t size,
                                        void* data) override;
  HRESULT STDMETHODCALLTYPE GetPropertySize(DXCoreAdapterProperty property, size_t* size) override;
  bool STDMETHODCALLTYPE IsQueryStateSupported(DXCoreAdapterState state) override;
  HRESULT STDMETHODCALLTYPE QueryState(DXCoreAdapterState state, size_t details_size,
                                       const void* details, size_t size, void* data) override;
  bool STDMETHODCALLTYPE IsSetStateSupported(DXCoreAdapterState) override { return false; }
  HRESULT STDMETHODCALLTYPE SetState(DXCoreAdapterState, size_t, const void*, size_t,
                                     const void*) override;
  HRESULT STDMETHODCALLTYPE GetFactory(REFIID riid, void** factory) override;

  const std::shared_ptr<const AdapterInfo>& info() const { return info_; }

 private:
  ~DxcoreAdapter() override = default;
  void* FindOther(REFIID riid) override { return riid == kClassId ? this : nullptr; }

  const std::shared_ptr<const AdapterInfo> info_;
};

}  // namespace anydml::d3d12
