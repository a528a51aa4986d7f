// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/nearest.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "model/place.h"

namespace anydml::model {
namespace {

// Bounds on the work that a hostile model can ask for.
constexpr size_t kMaxLength = 80;
constexpr size_t kMaxNames = 1000;
constexpr size_t kMaxListed = 12;

bool SameLetter(char a, char b) {
  return std::tolower(static_cast<uint8_t>(a)) == std::tolower(static_cast<uint8_t>(b));
}

std::string List(std::span<const std::string_view> names) {
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kMaxListed); ++i) {
    text += (i == 0 ? "" : ", ") + Printable(names[i]);
  }
  return text + (names.size() > kMaxListed ? ", ..." : "");
}

}  // namespace

size_t EditDistance(std::string_view a, std::string_view b) {
  a = a.substr(0, kMaxLength);
  b = b.substr(0, kMaxLength);
  using Row = std::array<size_t, kMaxLength + 1>;
  Row before_last = {}, last = {}, row = {};
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = last[j - 1] + (SameLetter(a[i - 1], b[j - 1]) ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped =
          i > 1 && j > 1 && SameLetter(a[i - 1], b[j - 2]) && SameLetter(a[i - 2], b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = last;
    last = row;
  }
  return last[b.size()];
}

std::string Suggest(std::string_view given, std::span<const std::string_view> names) {
  if (names.empty()) return "";
  std::string_view best;
  size_t least = kMaxLength + 1;
  for (std::string_view name : names.first(std::min(names.size(), kMaxNames))) {
    const size_t distance = EditDistance(given, name);
    if (distance >= least) continue;
    least = distance;
    best = name;
  }
  // Farther apart than this, the nearest name is a coincidence.
  if (least <= std::max<size_t>(2, std::min(given.size(), best.size()) / 2)) {
    return fmt::format("; did you mean {}?", Printable(best));
  }
  return fmt::format("; valid names are {}", List(names));
}

}  // namespace anydml::model
