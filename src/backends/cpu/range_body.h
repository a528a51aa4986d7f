// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

namespace anydml::cpu {

// A borrowed callable, as cheap as a function pointer; lives only for the call.
class RangeBody {
 public:
  template <typename F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, RangeBody>)
      RangeBody(const F& body)  // NOLINT: implicit by design
      : object_(&body), call_([](const void* object, uint64_t begin, uint64_t end) {
          (*static_cast<const F*>(object))(begin, end);
        }) {}

  void operator()(uint64_t begin, uint64_t end) const { call_(object_, begin, end); }

 private:
  const void* object_;
  void (*call_)(const void*, uint64_t, uint64_t);
};

}  // namespace anydml::cpu
