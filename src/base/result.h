// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Result<T>: a value or an Error with a sentence. The core neither throws nor
// prints; every function that can fail returns one of these. The HRESULTs and
// status codes of the public interfaces are made from ErrorCode at the border.
#pragma once

#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace anydml {

enum class ErrorCode {
  kInvalidArgument,  // the caller's description or binding breaks a rule
  kUnsupported,      // known, and not available here
  kOutOfMemory,
  kInternal,    // a defect of ours, told instead of aborting
  kDeviceLost,  // a device failed; what was on it is gone
};

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;
};

inline Error InvalidArgument(std::string message) {
  return {ErrorCode::kInvalidArgument, std::move(message)};
}
inline Error Unsupported(std::string message) {
  return {ErrorCode::kUnsupported, std::move(message)};
}
inline Error OutOfMemory(std::string message) {
  return {ErrorCode::kOutOfMemory, std::move(message)};
}

// The same where memory has just run out: a shorter sentence when there is none
// for this one either. Strings of 15 characters need no memory.
template <typename... Parts>
Error OutOfMemoryNow(const Parts&... parts) noexcept {
  try {
    std::string message;
    (message.append(parts), ...);
    return {ErrorCode::kOutOfMemory, std::move(message)};
  } catch (const std::exception&) {
    return {ErrorCode::kOutOfMemory, "out of memory"};
  }
}

// Success, or an Error.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}  // NOLINT: implicit by design

  bool ok() const { return !error_.has_value(); }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT

  bool ok() const { return state_.index() == 0; }
  const T& value() const& { return *std::get_if<0>(&state_); }
  T& value() & { return *std::get_if<0>(&state_); }
  T&& value() && { return std::move(*std::get_if<0>(&state_)); }
  const Error& error() const { return *std::get_if<1>(&state_); }

 private:
  std::variant<T, Error> state_;
};

}  // namespace anydml
