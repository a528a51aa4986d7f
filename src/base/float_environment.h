// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Guards a stretch of arithmetic against the application's floating-point
// settings: programs built for games often flush subnormals to zero, and then
// a subnormal input would no longer count as positive.
#pragma once

#if defined(__x86_64__)
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

namespace anydml {

#if defined(__x86_64__)
class ScopedDefaultFloatEnvironment {
 public:
  ScopedDefaultFloatEnvironment() : saved_(_mm_getcsr()) { _mm_setcsr(kDefault); }
  ~ScopedDefaultFloatEnvironment() { _mm_setcsr(saved_); }
  ScopedDefaultFloatEnvironment(const ScopedDefaultFloatEnvironment&) = delete;
  ScopedDefaultFloatEnvironment& operator=(const ScopedDefaultFloatEnvironment&) = delete;

 private:
  static constexpr unsigned kDefault = 0x1F80;  // all exceptions masked, nearest even, no FTZ/DAZ
  unsigned saved_;
};
#else
class ScopedDefaultFloatEnvironment {
 public:
  ScopedDefaultFloatEnvironment() {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~ScopedDefaultFloatEnvironment() { std::fesetenv(&saved_); }
  ScopedDefaultFloatEnvironment(const ScopedDefaultFloatEnvironment&) = delete;
  ScopedDefaultFloatEnvironment& operator=(const ScopedDefaultFloatEnvironment&) = delete;

 private:
  std::fenv_t saved_;
};
#endif

}  // namespace anydml
