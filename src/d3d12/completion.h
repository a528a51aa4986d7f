// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What waits for fences: a thread, or an event of the program. A HANDLE of an
// event is an eventfd: the descriptor, cast to a pointer.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>

#include "d3d12/com.h"

namespace anydml::d3d12 {

// A duplicate of the program's descriptor, so that the program may close its own
// at once.
class Event {
 public:
  // An invalid argument when `handle` is no open eventfd.
  static Result<Event> From(HANDLE handle);
  Event(Event&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~Event();

  // Adds one to the eventfd. Never blocks: a full counter stays full.
  void Signal() const;

 private:
  explicit Event(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

// What an Error of Event::From is to a program.
inline HRESULT CodeOfEvent(const Error& error) {
  return error.code == ErrorCode::kInvalidArgument ? E_HANDLE : ToHresult(error.code);
}

// Happens once, after `count` calls of CountDown.
class Completion {
 public:
  Completion(uint32_t count, std::optional<Event> event)
      : count_(count), event_(std::move(event)) {}

  void CountDown();
  // Nobody is told, now or later: for a wait that could not be set up. False where
  // somebody was told already.
  bool Cancel() noexcept;
  void Wait();
  bool has_happened();
  // False when the time is up.
  bool WaitFor(std::chrono::milliseconds time);

 private:
  std::mutex mutex_;
  std::condition_variable happened_;
  uint32_t count_;
  std::optional<Event> event_;
};

}  // namespace anydml::d3d12
