// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "d3d12/buffer.h"

#include "d3d12/device.h"
#include "d3d12/resource_desc.h"

namespace anydml::d3d12 {

HRESULT Buffer::CheckMapping(const char* method, UINT subresource, const D3D12_RANGE* range) const {
  if (subresource != 0) {
    return device().Fail(E_INVALIDARG, fmt::format("{}: Subresource = {} must be 0 for a buffer",
                                                   method, subresource));
  }
  // End <= Begin says: nothing is read, or nothing was written.
  if (range != nullptr && range->End > range->Begin && range->End > size()) {
    return device().Fail(
        E_INVALIDARG, fmt::format("{}: the range {} to {} must lie inside the buffer of {} bytes",
                                  method, range->Begin, range->End, size()));
  }
  return S_OK;
}

HRESULT Buffer::Map(UINT subresource, const D3D12_RANGE* read, void** data) {
  if (data != nullptr) *data = nullptr;
  return CallAlive("Map", [&]() -> HRESULT {
    const HRESULT checked = CheckMapping("Map", subresource, read);
    if (FAILED(checked)) return checked;
    if (!IsMappable(desc_.heap_properties)) {
      return device().Fail(E_INVALIDARG,
                           "Map: the buffer's heap has no CPU access; UPLOAD, "
                           "READBACK and most CUSTOM heaps have");
    }
    ++mappings_;
    if (data != nullptr) *data = this->data();
    return S_OK;
  });
}

void Buffer::Unmap(UINT subresource, const D3D12_RANGE* written) {
  Call("Unmap", [&]() -> HRESULT {
    const HRESULT checked = CheckMapping("Unmap", subresource, written);
    if (FAILED(checked)) return checked;
    int mappings = mappings_;
    while (mappings != 0 && !mappings_.compare_exchange_weak(mappings, mappings - 1)) {
    }
    if (mappings == 0) return device().Fail(E_INVALIDARG, "Unmap: the buffer is not mapped");
    return S_OK;
  });
}

D3D12_RESOURCE_DESC Buffer::GetDesc() { return Narrow(desc_.desc); }

HRESULT Buffer::WriteToSubresource(UINT, const D3D12_BOX*, const void*, UINT, UINT) {
  return Complain(E_NOTIMPL, "WriteToSubresource", "is for textures; map the buffer instead");
}

HRESULT Buffer::ReadFromSubresource(void*, UINT, UINT, UINT, const D3D12_BOX*) {
  return Complain(E_NOTIMPL, "ReadFromSubresource", "is for textures; map the buffer instead");
}

HRESULT Buffer::GetHeapProperties(D3D12_HEAP_PROPERTIES* properties, D3D12_HEAP_FLAGS* flags) {
  if (properties != nullptr) *properties = desc_.heap_properties;
  if (flags != nullptr) *flags = desc_.heap_flags;
  return S_OK;
}

HRESULT Buffer::GetProtectedResourceSession(REFIID, void** session) {
  if (session != nullptr) *session = nullptr;
  return Complain(DXGI_ERROR_NOT_FOUND, "GetProtectedResourceSession", "there is none");
}

}  // namespace anydml::d3d12
