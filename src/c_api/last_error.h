// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The sentence of the calling thread's last failure, and the way from Error to
// anydml_status.
#pragma once

#include <new>
#include <string_view>

#include "anydml/anydml.h"
#include "backends/cpu/forks.h"
#include "base/result.h"

namespace anydml::c_api {

// Remembers the sentence and returns the status for it.
anydml_status Report(ErrorCode code, std::string_view sentence) noexcept;
inline anydml_status Report(const Error& error) noexcept {
  return Report(error.code, error.message);
}

inline anydml_status Report(const Status& status) noexcept {
  return status.ok() ? ANYDML_OK : Report(status.error());
}

// Runs the body of a public function: what it throws becomes a status.
template <typename Body>
anydml_status Guard(Body&& body) noexcept {
  try {
    if (cpu::IsLostInFork()) return Report(cpu::LostInFork());
    const cpu::InsideLibrary inside;
    return Report(Status(body()));
  } catch (const std::bad_alloc&) {
    return Report(ErrorCode::kOutOfMemory, "not enough memory");
  } catch (const std::exception& exception) {
    return Report(ErrorCode::kInternal, exception.what());
  } catch (...) {
    return Report(ErrorCode::kInternal, "an unknown exception");
  }
}

// The same for functions without a status: those that give something up, and counts.
// A process that was lost in a fork keeps it: destructors may meet locks that nobody
// opens.
template <typename Body>
void GuardRelease(Body&& body) noexcept {
  if (cpu::IsLostInFork()) return;
  try {
    const cpu::InsideLibrary inside;
    body();
  } catch (...) {  // no memory to look for devices: they are looked for again next time
  }
}

}  // namespace anydml::c_api
