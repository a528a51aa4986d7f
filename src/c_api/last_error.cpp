// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "c_api/last_error.h"

#include "base/last_error.h"

namespace anydml::c_api {
namespace {

anydml_status StatusOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return ANYDML_INVALID_ARGUMENT;
    case ErrorCode::kUnsupported:
      return ANYDML_UNSUPPORTED;
    case ErrorCode::kOutOfMemory:
      return ANYDML_OUT_OF_MEMORY;
    case ErrorCode::kDeviceLost:
      return ANYDML_DEVICE_LOST;
    case ErrorCode::kInternal:
      break;
  }
  return ANYDML_INTERNAL;
}

}  // namespace

anydml_status Report(ErrorCode code, std::string_view sentence) noexcept {
  SetLastError(sentence);
  return StatusOf(code);
}

}  // namespace anydml::c_api

const char* anydml_last_error(void) { return anydml::LastErrorOfThread().data(); }
