// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Standard output of programs. A stream that is closed or full does not end them in
// the middle: the first failure is remembered, and told at the end.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string_view>

namespace anydml {

// Descriptors that the caller closed are kept taken, so that no file of ours
// becomes standard output.
inline void ReserveStandardStreams() {
  for (int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    // The lowest free descriptor is this one. Not for writing, so that writing
    // fails as it does on a closed one.
    if (open("/dev/null", O_RDONLY) == -1) return;
  }
}

class StandardOutput {
 public:
  void Write(std::string_view text) {
    if (text.empty()) return;
    Remember(std::fwrite(text.data(), 1, text.size(), stdout) == text.size());
  }
  void Flush() { Remember(std::fflush(stdout) == 0); }
  // 0 where all that was written arrived, or the errno of the first failure.
  int Finish() {
    Flush();
    return error_;
  }

 private:
  void Remember(bool written) {
    if (!written && error_ == 0) error_ = errno;
  }

  int error_ = 0;
};

}  // namespace anydml
