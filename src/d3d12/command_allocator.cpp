// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "d3d12/command_allocator.h"

#include "d3d12/device.h"

namespace anydml::d3d12 {

HRESULT CommandAllocator::Reset() {
  if (device().removed()) return DXGI_ERROR_DEVICE_REMOVED;
  if (!recording_) return S_OK;
  return Guard([&] {
    return device().Fail(E_FAIL, "ID3D12CommandAllocator::Reset: a command list is recording");
  });
}

}  // namespace anydml::d3d12
