// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/nearest.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "model/place.h"

namespace anydml::model {
namespace {

// Bounds on the work that a hostile model can ask for.
constexpr size_t kMaxLength = 80;
constexpr size_t kMaxNames = 1000;

constexpr size_t kMaxListed = 12;
constexpr size_t kMaxTypingErrors = 2;

bool SameLetter(char a, char b) {
  return std::tolower(static_cast<uint8_t>(a)) == std::tolower(static_cast<uint8_t>(b));
}

bool SameWord(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, SameLetter);
}

// The first word of a name, which it loses: "Gradient" of "GradientTensor", "RELU" of
// "RELU_GRAD". Empty at the end.
std::string_view TakeWord(std::string_view& name) {
  const auto is = [](int (*kind)(int), char c) { return kind(static_cast<uint8_t>(c)) != 0; };
  name.remove_prefix(std::min(name.find_first_not_of('_'), name.size()));
  size_t size = 0;
  while (size < name.size() && name[size] != '_') {
    const bool starts_next =
        size > 0 && is(std::isupper, name[size]) && is(std::islower, name[size - 1]);
    if (starts_next) break;
    ++size;
  }
  const std::string_view word = name.substr(0, size);
  name.remove_prefix(size);
  return word;
}

// How many words `name` has beside those of `given`, which it has in their order; empty when
// it lacks one.
std::optional<size_t> FurtherWords(std::string_view given, std::string_view name) {
  size_t further = 0;
  std::string_view wanted = TakeWord(given);
  if (wanted.empty()) return std::nullopt;
  for (std::string_view word = TakeWord(name); !word.empty(); word = TakeWord(name)) {
    if (SameWord(word, wanted)) {
      wanted = TakeWord(given);
    } else {
      ++further;
    }
  }
  return wanted.empty() ? std::optional(further) : std::nullopt;
}

// "OutputGradientTensor" for "OutputTensor": the name with the fewest further words. Empty
// when there is none, or more than one.
std::string_view NameWithWords(std::string_view given, std::span<const std::string_view> names) {
  std::string_view best;
  size_t least = kMaxLength;
  for (std::string_view name : names) {
    const size_t further = FurtherWords(given, name.substr(0, kMaxLength)).value_or(kMaxLength);
    if (further > least) continue;
    best = further == least ? std::string_view() : name;
    least = further;
  }
  return best;
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

std::string_view Nearest(std::string_view given, std::span<const std::string_view> names) {
  const std::span compared = names.first(std::min(names.size(), kMaxNames));
  std::string_view best;
  size_t least = kMaxLength + 1;
  for (std::string_view name : compared) {
    const size_t distance = EditDistance(given, name);
    if (distance >= least) continue;
    least = distance;
    best = name;
  }
  if (least > kMaxTypingErrors) {
    const std::string_view name = NameWithWords(given.substr(0, kMaxLength), compared);
    if (!name.empty()) return name;
  }
  // Farther apart than this, the nearest name is a coincidence.
  const bool is_close =
      least <= std::max(kMaxTypingErrors, std::min(given.size(), best.size()) / 2);
  return is_close ? best : std::string_view();
}

std::string Suggest(std::string_view given, std::span<const std::string_view> names) {
  if (names.empty()) return "";
  const std::string_view nearest = Nearest(given, names);
  if (nearest.empty()) return fmt::format("; valid names are {}", List(names));
  return fmt::format("; did you mean {}?", Printable(nearest));
}

}  // namespace anydml::model
