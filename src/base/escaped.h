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
  constexpr uint32_t kMin[] = {0, 0, 0x80, 0x800, 0x10000};  // for so many bytes
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
  return value < kMin[bytes] || value > 0x10FFFF || is_surrogate ? CodePoint{}
                                                                 : CodePoint{value, bytes};
}

struct CodePoints {
  uint32_t first, last;
};

// What a terminal obeys, and what makes it show a text in another order, on another line or
// shorter than it is: control characters, the separators of lines and paragraphs, notes
// between lines, and all that Unicode gives the property Default_Ignorable_Code_Point,
// which is shown as nothing: marks of direction, fillers, tags, spaces of no width.
constexpr CodePoints kUnseen[] = {
    {0x0000, 0x001F}, {0x007F, 0x009F},   {0x00AD, 0x00AD},   {0x034F, 0x034F},  {0x061C, 0x061C},
    {0x115F, 0x1160}, {0x17B4, 0x17B5},   {0x180B, 0x180F},   {0x200B, 0x200F},  {0x2028, 0x202E},
    {0x2060, 0x206F}, {0x3164, 0x3164},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},  {0xFFA0, 0xFFA0},
    {0xFFF0, 0xFFFB}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}};

inline bool IsUnseen(uint32_t value) {
  for (const CodePoints& points : kUnseen) {
    if (value >= points.first && value <= points.last) return true;
  }
  return false;
}

// Joiners and selectors of variants, of which many scripts and emoji make use; they do
// nothing to a character of ASCII.
inline bool ShapesItsNeighbour(uint32_t value) {
  return value == 0x200C || value == 0x200D || (value >= 0xFE00 && value <= 0xFE0F) ||
         (value >= 0xE0100 && value <= 0xE01EF);
}

// Each letter has its own number of digits, so that none is taken from what follows.
inline std::string NumberOf(uint32_t value) {
  if (value < 0x100) return fmt::format("\\x{:02x}", value);
  return value < 0x10000 ? fmt::format("\\u{:04x}", value) : fmt::format("\\U{:08x}", value);
}

}  // namespace internal

// "\x1b", "\u202e" and "\U000e0041" for such characters, "\xff" for a byte that is no UTF-8.
inline std::string Escaped(std::string_view text) {
  std::string shown;
  uint32_t before = 0;
  while (!text.empty()) {
    const internal::CodePoint first = internal::FirstCodePoint(text);
    const std::string_view taken = text.substr(0, first.bytes == 0 ? 1 : first.bytes);
    const bool stays = !internal::IsUnseen(first.value) ||
                       (internal::ShapesItsNeighbour(first.value) && before >= 0x80);
    if (first.bytes == 0) {
      shown += internal::NumberOf(static_cast<uint8_t>(text[0]));
    } else if (stays) {
      shown += taken;
    } else {
      shown += internal::NumberOf(first.value);
    }
    before = first.bytes != 0 && stays ? first.value : 0;
    text.remove_prefix(taken.size());
  }
  return shown;
}

}  // namespace anydml
