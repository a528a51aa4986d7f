// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "console.h"

#include <cstdio>
#include <cstring>

#include "base/standard_streams.h"

namespace anydml::tool {
namespace {

StandardOutput output;

}  // namespace

void WriteOutput(std::string_view text) { output.Write(text); }

void WriteError(std::string_view text) {
  if (text.empty()) return;
  // There is nobody left to tell when this fails.
  [[maybe_unused]] const size_t written = std::fwrite(text.data(), 1, text.size(), stderr);
}

bool FinishOutput() {
  const int error = output.Finish();
  if (error == 0) return true;
  Complain("standard output could not be written: {}", std::strerror(error));
  return false;
}

}  // namespace anydml::tool
