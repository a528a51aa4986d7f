// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "d3d12/command_allocator.h"

#include "d3d12/device.h"

namespace anydml::d3d12 {

HRESULT CommandAllocator::Reset() {
  constexpr std::string_view kMethod = "ID3D12CommandAllocator::Reset";
  return CallAlive(kMethod, [&] {
    return recording_ ? Complain(E_FAIL, kMethod, "a command list is recording") : S_OK;
  });
}

}  // namespace anydml::d3d12
