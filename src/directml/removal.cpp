// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "directml/removal.h"

#include "base/last_error.h"

namespace anydml::directml {

void Removal::Remove(HRESULT reason, std::string_view sentence) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (reason_ == S_OK) {
      try {
        sentence_ = sentence;
      } catch (...) {
        // No memory for the words: the reason remains.
      }
      reason_ = reason;
    }
  }
  Explain(D3D12_MESSAGE_SEVERITY_ERROR, sentence);
}

HRESULT Removal::Reason() const {
  const HRESULT own = reason_;
  return own != S_OK ? own : parent_.GetDeviceRemovedReason();
}

std::string Removal::Sentence() const {
  const std::lock_guard lock(mutex_);
  return sentence_.empty() ? "the Direct3D 12 device was removed" : sentence_;
}

void Removal::Explain(D3D12_MESSAGE_SEVERITY severity, std::string_view sentence) noexcept {
  SetLastError(sentence);
  Report(severity, sentence);
}

void Removal::Report(D3D12_MESSAGE_SEVERITY severity, std::string_view sentence) noexcept {
  if (muted_) return;
  // Without the flag there is no info queue for DirectML, though another device on
  // the same parent may have turned it on.
  if (debug_) {
    messages_.Report(severity, sentence);
  } else {
    messages_.Print(sentence);
  }
}

}  // namespace anydml::directml
