// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Names that come from models, files, programs and the environment, for a sentence or a
// terminal: one line, whose characters stand where they are read.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace anydml {
namespace internal {

struct CodePoint {
  uint32_t value = 0;
  size_t bytes = 0;  // 0 where the text does not begin with one
};

// The first character of a text that is not empty, as UTF-8.
inline CodePoint FirstCodePoint(std::string_view text) {
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};  // for so many bytes
  const auto lead = static_cast<uint8_t>(text[0]);
  if (lead < 0x80) return {lead, 1};
  const size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  uint32_t value = lead & (0x7Fu >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    const auto byte = static_cast<uint8_t>(text[i]);
    if ((byte & 0xC0) != 0x80) return {};
    value = value << 6 | (byte & 0x3Fu);
  }
  const bool is_surrogate = value >= 0xD800 && value < 0xE000;
  return value < kLeast[bytes] || value > 0x10FFFF || is_surrogate ? CodePoint{}
                                                                   : CodePoint{value, bytes};
}

// What a terminal obeys, and what makes it show a text in another order or on another
// line than it is: control characters; the marks, embeddings, overrides and isolates
// of direction; the separators of lines and paragraphs.
inline bool ActsOnTerminals(uint32_t value) {
  return value < 0x20 || (value >= 0x7F && value < 0xA0) || value == 0x061C || value == 0x200E ||
         value == 0x200F || (value >= 0x2028 && value <= 0x202E) ||
         (value >= 0x2066 && value <= 0x2069);
}

}  // namespace internal

// "\x1b" and "\u202e" for such characters, "\xff" for a byte that is no UTF-8.
inline std::string Escaped(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const internal::CodePoint first = internal::FirstCodePoint(text);
    const std::string_view taken = text.substr(0, first.bytes == 0 ? 1 : first.bytes);
    if (first.bytes == 0) {
      shown += fmt::format("\\x{:02x}", static_cast<uint8_t>(text[0]));
    } else if (!internal::ActsOnTerminals(first.value)) {
      shown += taken;
    } else if (first.value < 0x100) {
      shown += fmt::format("\\x{:02x}", first.value);
    } else {
      shown += fmt::format("\\u{:04x}", first.value);
    }
    text.remove_prefix(taken.size());
  }
  return shown;
}

}  // namespace anydml
