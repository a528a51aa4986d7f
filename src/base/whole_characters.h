// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace anydml {

// How many bytes of a text in UTF-8 stay where there is room for `most`, in whole
// characters.
inline size_t WholeCharacters(std::string_view text, size_t most) noexcept {
  if (text.size() <= most) return text.size();
  size_t kept = most;
  while (kept > 0 && (static_cast<uint8_t>(text[kept]) & 0xC0) == 0x80) --kept;
  return kept;
}

}  // namespace anydml
