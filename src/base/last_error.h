// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The sentence of the calling thread's last failure. Every public call that
// fails leaves it here, whichever interface the call belongs to;
// anydml_last_error() reads it. Memory of its own, since the failure may be that
// there is none; and without a destructor, since registering one takes memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <string_view>

#include "base/whole_characters.h"

namespace anydml {

struct LastErrorText {
  char bytes[4096];  // ends with a null character
  size_t size;
};
inline thread_local constinit LastErrorText last_error_of_thread = {};

// Followed by a null character.
inline std::string_view LastErrorOfThread() noexcept {
  return {last_error_of_thread.bytes, last_error_of_thread.size};
}

// The parts one after the other, as far as there is room: what is longer ends with "...",
// behind a whole character. They may be parts of the last error itself.
inline void SetLastError(std::initializer_list<std::string_view> parts) noexcept {
  constexpr std::string_view kCut = "...";
  LastErrorText text;
  text.size = 0;
  bool is_cut = false;
  for (std::string_view part : parts) {
    const size_t count = std::min(part.size(), sizeof text.bytes - 1 - text.size);
    std::copy_n(part.data(), count, text.bytes + text.size);
    text.size += count;
    is_cut = is_cut || count < part.size();
  }
  if (is_cut) {
    text.size = WholeCharacters({text.bytes, text.size}, text.size - kCut.size());
    std::copy_n(kCut.data(), kCut.size(), text.bytes + text.size);
    text.size += kCut.size();
  }
  text.bytes[text.size] = '\0';
  std::memcpy(last_error_of_thread.bytes, text.bytes, text.size + 1);
  last_error_of_thread.size = text.size;
}
inline void SetLastError(std::string_view sentence) noexcept { SetLastError({sentence}); }

}  // namespace anydml
