// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// ID3D12Heap: memory that buffers are placed on.
#pragma once

#include "d3d12/memory.h"
#include "d3d12/object.h"

namespace anydml::d3d12 {

class Heap final : public DeviceChild<Heap, Serves<ID3D12Heap1, ID3D12Object, ID3D12DeviceChild,
                                                   ID3D12Pageable, ID3D12Heap, ID3D12Heap1>> {
 public:
  static constexpr GUID kClassId = ClassId(0x02);

  Heap(Device& device, const D3D12_HEAP_DESC& desc, std::shared_ptr<Memory> memory)
      : DeviceChild(device), desc_(desc), memory_(std::move(memory)) {}

  D3D12_HEAP_DESC STDMETHODCALLTYPE GetDesc() override { return desc_; }
  HRESULT STDMETHODCALLTYPE GetProtectedResourceSession(REFIID, void** session) override {
    if (session != nullptr) *session = nullptr;
    return Complain(DXGI_ERROR_NOT_FOUND, "GetProtectedResourceSession", "there is none");
  }

  const D3D12_HEAP_DESC& desc() const { return desc_; }
  const std::shared_ptr<Memory>& memory() const { return memory_; }

 private:
  ~Heap() override = default;

  const D3D12_HEAP_DESC desc_;
  const std::shared_ptr<Memory> memory_;
};

}  // namespace anydml::d3d12
