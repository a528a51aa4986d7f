// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "console.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace anydml::tool {
namespace {

int output_error = 0;  // errno of the first failure

void Remember(bool written) {
  if (!written && output_error == 0) output_error = errno;
}

}  // namespace

void ReserveStandardStreams() {
  for (int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    // The lowest free descriptor is this one. Not for writing, so that writing
    // fails as it does on a closed one.
    if (open("/dev/null", O_RDONLY) == -1) return;
  }
}

void WriteOutput(std::string_view text) {
  if (text.empty()) return;
  Remember(std::fwrite(text.data(), 1, text.size(), stdout) == text.size());
}

void WriteError(std::string_view text) {
  if (text.empty()) return;
  // There is nobody left to tell when this fails.
  [[maybe_unused]] const size_t written = std::fwrite(text.data(), 1, text.size(), stderr);
}

bool FinishOutput() {
  Remember(std::fflush(stdout) == 0);
  if (output_error == 0) return true;
  Complain("standard output could not be written: {}", std::strerror(output_error));
  return false;
}

}  // namespace anydml::tool
