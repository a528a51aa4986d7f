// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Whether a DirectML device is removed, why, and where its sentences go. Shared
// by the device and by work in a queue, which may outlive the device's last
// reference. Thread-safe.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <string_view>

#include "d3d12/internal.h"

namespace anydml::directml {

class Removal {
 public:
  // The parent outlives every use: the device refers to it, and so does the
  // queue whose work calls.
  Removal(ID3D12Device& parent, IAnydmlDevice& messages, bool debug)
      : parent_(parent), messages_(messages), debug_(debug) {}

  // The first reason stays. The sentence becomes the thread's last error.
  void Remove(HRESULT reason, std::string_view sentence) noexcept;

  // S_OK while alive; the parent's removal is the device's too.
  HRESULT Reason() const;

  // Why, in words; for the last error of calls that come after.
  std::string Sentence() const;
  // Makes it the thread's last error.
  void TellSentence() const noexcept;

  // Leaves the sentence as the thread's last error and sends it to the debug
  // output.
  void Explain(D3D12_MESSAGE_SEVERITY severity, std::string_view sentence) noexcept;

  // To the debug output only.
  void Report(D3D12_MESSAGE_SEVERITY severity, std::string_view sentence) noexcept;

  bool debug() const { return debug_; }
  void Mute(bool mute) { muted_ = mute; }

 private:
  ID3D12Device& parent_;
  IAnydmlDevice& messages_;
  const bool debug_;
  std::atomic<bool> muted_ = false;
  std::atomic<HRESULT> reason_ = S_OK;
  mutable std::mutex mutex_;
  std::string sentence_;
};

}  // namespace anydml::directml
