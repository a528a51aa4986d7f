// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Where in a model we are, and the sentences that begin with it.
#pragma once

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/escaped.h"
#include "base/result.h"
#include "model/json_text.h"

namespace anydml::model {

using Problems = std::vector<Error>;

// Beyond these nobody reads on; one more sentence says that there are others.
inline constexpr size_t kMaxProblems = 100;

// Collects the sentences of one reading.
struct ProblemList {
  Problems& problems;
  size_t count = 0;  // of all that were found, those not kept included
};

// Text of a model for a terminal.
using anydml::Escaped;
// The same for a sentence: cut when long.
std::string Printable(std::string_view text);
std::string Quoted(std::string_view text);

// A value for a sentence: numbers and strings as JSON writes them, the others
// in words ("an array", "null").
std::string Shown(const Json& value);

class Place {
 public:
  explicit Place(ProblemList& list, std::string path = {}) : list_(&list), path_(std::move(path)) {}

  Place Member(std::string_view name) const;  // "resources.A"
  Place Entry(size_t index) const;            // "commands[2]"

  size_t problem_count() const { return list_->count; }

  // "commands[2].type: <sentence>"
  template <typename... Args>
  void Fail(fmt::format_string<Args...> format, Args&&... args) const {
    Add(ErrorCode::kInvalidArgument, ": ", fmt::format(format, std::forward<Args>(args)...));
  }
  // "commands[2].type = "prnt" <rule>"
  template <typename... Args>
  void Refuse(const Json& value, fmt::format_string<Args...> format, Args&&... args) const {
    Add(ErrorCode::kInvalidArgument, " = ",
        Shown(value) + " " + fmt::format(format, std::forward<Args>(args)...));
  }
  // The same for what is known and not available here.
  template <typename... Args>
  void RefuseUnsupported(const Json& value, fmt::format_string<Args...> format,
                         Args&&... args) const {
    Add(ErrorCode::kUnsupported, " = ",
        Shown(value) + " " + fmt::format(format, std::forward<Args>(args)...));
  }
  // The end of a sentence about a misspelt name, as in nearest.h.
  std::string Suggest(std::string_view given, std::span<const std::string_view> names) const;

  void FailOutOfMemory(std::string_view sentence) const {
    Add(ErrorCode::kOutOfMemory, ": ", sentence);
  }

 private:
  void Add(ErrorCode code, std::string_view joint, std::string_view sentence) const;

  ProblemList* list_;
  std::string path_;  // empty for a root without a name
};

}  // namespace anydml::model
