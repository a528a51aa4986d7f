// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "d3d12/completion.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace anydml::d3d12 {
namespace {

// Whether it is one of those without a file, which have no type either: eventfds and
// others that take no bytes as data.
bool HasNoFile(int descriptor) {
  struct stat properties = {};
  return fstat(descriptor, &properties) == 0 && (properties.st_mode & S_IFMT) == 0;
}

// Anything else that takes bytes, a file or the standard output, must not get
// eight of ours.
bool IsEventfd(int descriptor) {
  constexpr std::string_view kEventfd = "anon_inode:[eventfd]";
  char link[32];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  char target[64];
  const ssize_t length = readlink(link, target, sizeof target);
  if (length < 0) return HasNoFile(descriptor);  // a process without /proc
  return std::string_view(target, static_cast<size_t>(length)) == kEventfd;
}

}  // namespace

Result<Event> Event::From(HANDLE handle) {
  constexpr std::string_view kNoEvent = "hEvent must be an open eventfd";
  const auto value = reinterpret_cast<uintptr_t>(handle);
  if (value > static_cast<uintptr_t>(INT32_MAX)) return InvalidArgument(std::string(kNoEvent));
  const int duplicate = fcntl(static_cast<int>(value), F_DUPFD_CLOEXEC, 0);
  if (duplicate < 0 && errno != EBADF) {
    return OutOfMemoryNow("no descriptor is left to keep hEvent: ", std::strerror(errno));
  }
  if (duplicate < 0) return InvalidArgument(std::string(kNoEvent));
  Event event(duplicate);
  if (!IsEventfd(duplicate)) return InvalidArgument(std::string(kNoEvent));
  return event;
}

Event::~Event() {
  if (descriptor_ >= 0) close(descriptor_);
}

void Event::Signal() const {
  pollfd ready = {descriptor_, POLLOUT, 0};
  if (poll(&ready, 1, 0) != 1 || (ready.revents & POLLOUT) == 0) return;
  const uint64_t one = 1;
  // There is nobody to tell that a program's own descriptor refuses a write.
  [[maybe_unused]] const ssize_t written = write(descriptor_, &one, sizeof one);
}

void Completion::CountDown() {
  const std::lock_guard lock(mutex_);
  if (count_ == 0 || --count_ != 0) return;
  if (event_) event_->Signal();
  event_.reset();  // fences that come later may keep this object, but not the descriptor
  happened_.notify_all();
}

bool Completion::Cancel() noexcept {
  const std::lock_guard lock(mutex_);
  const bool is_in_time = count_ != 0;
  count_ = 0;
  event_.reset();
  return is_in_time;
}

void Completion::Wait() {
  std::unique_lock lock(mutex_);
  happened_.wait(lock, [this] { return count_ == 0; });
}

bool Completion::has_happened() {
  const std::lock_guard lock(mutex_);
  return count_ == 0;
}

bool Completion::WaitFor(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return happened_.wait_for(lock, time, [this] { return count_ == 0; });
}

}  // namespace anydml::d3d12
