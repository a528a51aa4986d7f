// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Standard output and standard error. A stream that is closed or full must not
// throw in the middle of a command (fmt::print does): the first failure of
// standard output is remembered, and FinishOutput tells it once.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "model/place.h"

namespace anydml::tool {

void WriteOutput(std::string_view text);
void WriteError(std::string_view text);

// Whether all that was written arrived; tells why not.
bool FinishOutput();

template <typename... Args>
void Print(fmt::format_string<Args...> format, Args&&... args) {
  WriteOutput(fmt::format(format, std::forward<Args>(args)...));
}

// "anydml: <sentence>", on standard error, on one line whatever names it holds.
template <typename... Args>
void Complain(fmt::format_string<Args...> sentence, Args&&... args) {
  const std::string text = fmt::format(sentence, std::forward<Args>(args)...);
  WriteError("anydml: " + model::Escaped(text) + "\n");
}

}  // namespace anydml::tool
