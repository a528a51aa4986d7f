// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Something done in a forked child, which must not hang.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace anydml::test {

// What the child says of itself; -1 if it was killed, by the alarm for one.
inline int RunInChild(const std::function<int()>& body) {
  constexpr unsigned kSecondsToHang = 20;
  const pid_t child = fork();
  if (child == 0) {
    alarm(kSecondsToHang);
    _exit(body());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace anydml::test
