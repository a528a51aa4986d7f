// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The formats that views of buffers have here.
#pragma once

#include <cstdint>

#include "d3d12/internal.h"

namespace anydml::d3d12 {

struct ViewFormat {
  uint32_t components = 0;
  uint32_t bytes_each = 0;
  bool is_float = false;

  uint32_t bytes() const { return components * bytes_each; }
};

// No components for a format that is not here.
inline ViewFormat ViewFormatOf(DXGI_FORMAT format) {
  switch (format) {
    case DXGI_FORMAT_R32_TYPELESS:
    case DXGI_FORMAT_R32_UINT:
    case DXGI_FORMAT_R32_SINT:
      return {1, 4, false};
    case DXGI_FORMAT_R32_FLOAT:
      return {1, 4, true};
    case DXGI_FORMAT_R16_UINT:
    case DXGI_FORMAT_R16_SINT:
      return {1, 2, false};
    case DXGI_FORMAT_R16_FLOAT:
      return {1, 2, true};
    case DXGI_FORMAT_R8_UINT:
    case DXGI_FORMAT_R8_SINT:
      return {1, 1, false};
    case DXGI_FORMAT_R32G32_UINT:
    case DXGI_FORMAT_R32G32_SINT:
      return {2, 4, false};
    case DXGI_FORMAT_R32G32_FLOAT:
      return {2, 4, true};
    case DXGI_FORMAT_R32G32B32A32_UINT:
    case DXGI_FORMAT_R32G32B32A32_SINT:
      return {4, 4, false};
    case DXGI_FORMAT_R32G32B32A32_FLOAT:
      return {4, 4, true};
    default:
      return {};
  }
}

}  // namespace anydml::d3d12
