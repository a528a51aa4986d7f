// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Rows of one value.
#pragma once

#include "backends/cpu/streaming.h"
#include "tensor/scalar.h"

namespace anydml::cpu {

// `bytes` bytes of a pattern that repeats every 8; `to` is where an element begins. A thread
// that has streamed calls hwy::FlushStream() at the end.
using FillRow = void (*)(std::byte* to, uint64_t bytes, uint64_t pattern, bool stream);

// Of the instruction set in use.
FillRow ChooseFillRow();

// An element, repeated to 8 bytes.
constexpr uint64_t FillPattern(const Scalar& value, uint32_t element_size) {
  uint64_t pattern = 0;
  for (uint32_t i = 0; i < 8; ++i) pattern |= uint64_t{value.bytes[i % element_size]} << (8 * i);
  return pattern;
}

inline bool MayStreamFills(uint64_t bytes, uint64_t row_bytes) {
  return row_bytes >= kMinStreamedRow && ShouldStream(bytes);
}

}  // namespace anydml::cpu
