// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A file that is being written under another name, for programs. One at a time: it
// is gone when anything goes wrong on the way, and also when a signal ends the
// process meanwhile; any but SIGKILL.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

namespace anydml {

class PartialFile {
 public:
  // Before the file is made in a folder that stays open until this is gone.
  PartialFile(int folder, std::string name) : folder_(folder), name_(std::move(name)) {
    if (name_.size() >= sizeof name_to_remove) return;  // longer than any file's name
    folder_of_name = folder_;
    std::memcpy(name_to_remove, name_.c_str(), name_.size() + 1);
    for (int i = 1; i < NSIG; ++i) watched_[i] = Watch(i);
  }
  ~PartialFile() {
    if (!kept_) unlinkat(folder_, name_.c_str(), 0);
    for (int i = 1; i < NSIG; ++i) {
      if (watched_[i]) std::signal(i, SIG_DFL);
    }
    name_to_remove[0] = '\0';
  }
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  const std::string& name() const { return name_; }
  // Null where it cannot be made. What somebody has laid there, such as a link to
  // another file, is not written through. Of `mode` the process's mask leaves what it
  // leaves.
  std::FILE* Create(mode_t mode) const {
    const int file = openat(folder_, name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    std::FILE* stream = file == -1 ? nullptr : fdopen(file, "wb");
    if (stream == nullptr && file != -1) {
      close(file);
      errno = ENOMEM;  // the only reason
    }
    return stream;
  }
  // The one that there is, if any, for those who end the process otherwise.
  static void Remove() {
    if (name_to_remove[0] != '\0') unlinkat(folder_of_name, name_to_remove, 0);
  }
  // It has its final name now.
  void Keep() { kept_ = true; }

 private:
  // Whether it is one that ends the process by default, and does now. Those that the
  // caller of the program has turned off stay so.
  static bool Watch(int signal) {
    for (int other : {SIGCHLD, SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH}) {
      if (signal == other) return false;
    }
    struct sigaction action = {};
    if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) return false;
    action = {};
    action.sa_handler = RemoveAndEnd;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
    return sigaction(signal, &action, nullptr) == 0;  // not SIGKILL
  }

  // After this the signal does what it does by default.
  static void RemoveAndEnd(int signal) {
    Remove();
    raise(signal);
  }

  // Read by a signal handler.
  static inline int folder_of_name = -1;
  static inline char name_to_remove[256] = "";

  const int folder_;
  const std::string name_;
  bool watched_[NSIG] = {};
  bool kept_ = false;
};

}  // namespace anydml
