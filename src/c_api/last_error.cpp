// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "c_api/last_error.h"

#include <string>

namespace anydml::c_api {
namespace {

std::string& LastError() {
  thread_local std::string sentence;
  return sentence;
}

anydml_status StatusOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return ANYDML_INVALID_ARGUMENT;
    case ErrorCode::kUnsupported:
      return ANYDML_UNSUPPORTED;
    case ErrorCode::kOutOfMemory:
      return ANYDML_OUT_OF_MEMORY;
    case ErrorCode::kInternal:
      break;
  }
  return ANYDML_INTERNAL;
}

}  // namespace

anydml_status Report(const Error& error) noexcept {
  try {
    LastError() = error.message;
  } catch (...) {
    LastError().clear();  // no memory even for the sentence: the status remains
  }
  return StatusOf(error.code);
}

}  // namespace anydml::c_api

const char* anydml_last_error(void) { return anydml::c_api::LastError().c_str(); }
