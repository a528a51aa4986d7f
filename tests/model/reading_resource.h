// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A resource of the name A from its text, for the tests of values.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "model/reading.h"
#include "model/values.h"

namespace anydml::test {

inline constexpr uint64_t kMaxResourceBytes = 1 << 20;

inline std::optional<model::Resource> ReadResourceA(std::string_view text, Sentences& sentences,
                                                    const std::filesystem::path& folder) {
  model::Problems problems;
  model::ProblemList list{problems};
  model::ValueOptions options{folder, kMaxResourceBytes};
  auto resource =
      model::ReadResource("A", model::ParseJson(text).value(), options, model::Place(list, "A"));
  sentences = MessagesOf(problems);
  EXPECT_EQ(resource.has_value(), sentences.empty());
  return resource;
}

inline model::Resource ReadGood(std::string_view text, const std::filesystem::path& folder = {}) {
  Sentences sentences;
  auto resource = ReadResourceA(text, sentences, folder);
  EXPECT_EQ(sentences, Sentences());
  return resource.value_or(model::Resource());
}

// Its only sentence.
inline std::string Refusal(std::string_view text, const std::filesystem::path& folder = {}) {
  Sentences sentences;
  ReadResourceA(text, sentences, folder);
  EXPECT_LE(sentences.size(), 1u);
  return sentences.empty() ? "" : sentences[0];
}

}  // namespace anydml::test
