// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "directml/removal.h"

#include "base/last_error.h"

namespace anydml::directml {
namespace {

constexpr std::string_view kParentWasRemoved = "the Direct3D 12 device was removed";

}  // namespace

void Removal::Remove(HRESULT reason, std::string_view sentence) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (reason_ == S_OK) {
      try {
        sentence_ = sentence;
      } catch (...) {
        sentence_ = "out of memory";  // short enough to need none
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
  return sentence_.empty() ? std::string(kParentWasRemoved) : sentence_;
}

void Removal::TellSentence() const noexcept {
  const std::lock_guard lock(mutex_);
  SetLastError(sentence_.empty() ? kParentWasRemoved : std::string_view(sentence_));
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
