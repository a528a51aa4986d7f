// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// From text to JSON values, as DxDispatch reads its models: comments and
// trailing commas are allowed. Unlike there, what follows the root value is refused.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace anydml::model {

// Members keep the order of the text, so that problems are told in it.
using Json = nlohmann::ordered_json;

// More than any model nests, and little enough for every recursive walk.
inline constexpr size_t kMaxJsonDepth = 64;

// Errors begin with "line 3, column 14: " (columns in characters). A member
// that is given twice is an error. Integers from -2^63 to 2^64 - 1 are exact,
// other numbers are doubles or, rarely, an InexactNumber; one beyond the doubles
// is an error.
Result<Json> ParseJson(std::string_view text);

// A number that is no double, where the nearest double must not stand for it: that is an
// integer, or would turn when it is rounded again (decimal.h). Kept as what no text holds:
// JSON's binary.
struct InexactNumber {
  double nearest;
  std::string_view text;
};

std::optional<InexactNumber> AsInexactNumber(const Json& value);

// Empties a value from the leaves on. What is not empty takes memory to destroy,
// and ends the process when there is none.
void Dismantle(Json& value) noexcept;

// The same for what was parsed, at the end of a scope.
class DismantleAtEnd {
 public:
  explicit DismantleAtEnd(Result<Json>& json) : json_(json) {}
  ~DismantleAtEnd();
  DismantleAtEnd(const DismantleAtEnd&) = delete;
  DismantleAtEnd& operator=(const DismantleAtEnd&) = delete;

 private:
  Result<Json>& json_;
};

}  // namespace anydml::model
