// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The addresses that one execution works on. The caller has checked sizes and
// overlaps; kernels only compute.
#pragma once

#include <array>
#include <cstddef>

namespace anydml {

// Of inputs, and of outputs: the longest array of tensors that a description may
// have (schema::kMaxArrayTensors) and a few tensors beside it.
inline constexpr size_t kMaxBindings = 72;

// Inputs and outputs are numbered separately, in the order of the description;
// an absent optional tensor keeps its slot and holds null, an array of tensors takes
// a slot per entry.
struct Bindings {
  std::array<const void*, kMaxBindings> inputs = {};
  std::array<void*, kMaxBindings> outputs = {};
  void* temporary = nullptr;  // as large as the strategy asked for, 64-byte aligned

  template <typename T>
  const T* Input(size_t i) const {
    return static_cast<const T*>(inputs[i]);
  }
  template <typename T>
  T* Output(size_t i) const {
    return static_cast<T*>(outputs[i]);
  }
  template <typename T>
  T* Temporary() const {
    return static_cast<T*>(temporary);
  }
};

}  // namespace anydml
