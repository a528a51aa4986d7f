// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A folder that is held open. What is opened in it by a descriptor is opened there,
// whatever becomes of its name meanwhile.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

namespace anydml {

class OpenFolder {
 public:
  // Of a name that a person gave: links are followed, and nothing is the current one.
  static OpenFolder Named(const std::filesystem::path& path) {
    return OpenFolder(open(path.empty() ? "." : path.c_str(), kFlags));
  }

  // Of an absolute path that was resolved. A link that is on it now was laid since, and
  // leads where nobody has looked: it is not followed, as if there were a file.
  static OpenFolder Resolved(const std::filesystem::path& path) {
    OpenFolder folder(open("/", kFlags));
    for (const std::filesystem::path& name : path.relative_path()) {
      if (folder.is_open()) {
        folder = OpenFolder(openat(folder.descriptor(), name.c_str(), kFlags | O_NOFOLLOW));
      }
    }
    return folder;
  }

  ~OpenFolder() {
    if (is_open()) close(descriptor_);
  }
  OpenFolder(OpenFolder&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), error_(other.error_) {}
  OpenFolder& operator=(OpenFolder&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    error_ = other.error_;
    return *this;
  }

  bool is_open() const { return descriptor_ != -1; }
  int error() const { return error_; }  // errno, where it is not
  int descriptor() const { return descriptor_; }

 private:
  // A folder that one may pass through and not list is one too.
  static constexpr int kFlags = O_PATH | O_DIRECTORY | O_CLOEXEC;

  explicit OpenFolder(int descriptor)
      : descriptor_(descriptor), error_(descriptor == -1 ? errno : 0) {}

  int descriptor_;
  int error_;
};

}  // namespace anydml
