// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The sentence of the calling thread's last failure. Every public call that
// fails leaves it here, whichever interface the call belongs to;
// anydml_last_error() reads it.
#pragma once

#include <string>
#include <string_view>

namespace anydml {

inline std::string& LastErrorOfThread() {
  thread_local std::string sentence;
  return sentence;
}

inline void SetLastError(std::string_view sentence) noexcept {
  try {
    LastErrorOfThread() = sentence;
  } catch (...) {
    LastErrorOfThread().clear();  // no memory even for the sentence: the code remains
  }
}

}  // namespace anydml
