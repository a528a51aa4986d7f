// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/place.h"

#include <nlohmann/json.hpp>

#include "model/nearest.h"

namespace anydml::model {
namespace {

constexpr size_t kMaxShown = 60;  // bytes of a text that a sentence repeats

// The start of `text`, not cut inside a character.
std::string_view Start(std::string_view text) {
  if (text.size() <= kMaxShown) return text;
  size_t end = kMaxShown;
  while (end > 0 && (static_cast<uint8_t>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

}  // namespace

std::string Printable(std::string_view text) {
  const std::string_view start = Start(text);
  return Escaped(start) + (start.size() < text.size() ? "..." : "");
}

std::string Quoted(std::string_view text) { return '"' + Printable(text) + '"'; }

std::string Shown(const Json& value) {
  if (const auto* text = value.get_ptr<const Json::string_t*>()) return Quoted(*text);
  if (const auto number = AsInexactNumber(value)) return Printable(number->text);
  if (value.is_object()) return "an object";
  if (value.is_array()) return "an array";
  return value.dump();
}

Place Place::Member(std::string_view name) const {
  const std::string_view dot = path_.empty() ? "" : ".";
  return Place(*list_, fmt::format("{}{}{}", path_, dot, Printable(name)));
}

Place Place::Entry(size_t index) const {
  return Place(*list_, fmt::format("{}[{}]", path_, index));
}

std::string Place::Suggest(std::string_view given, std::span<const std::string_view> names) const {
  return list_->count < kMaxProblems ? model::Suggest(given, names) : std::string();
}

void Place::Add(ErrorCode code, std::string_view joint, std::string_view sentence) const {
  const size_t before = list_->count++;
  if (before > kMaxProblems) return;
  if (before == kMaxProblems) {
    list_->problems.push_back({code, "there are more problems than these"});
    return;
  }
  list_->problems.push_back(
      {code, fmt::format("{}{}{}", path_, path_.empty() ? "" : joint, sentence)});
}

}  // namespace anydml::model
