// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Decisions read from the bytes of a fuzz input. Bytes that are not there are 0,
// so that every input is a whole one and a shorter one is a simpler one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

namespace anydml::test {

class Bytes {
 public:
  Bytes(const uint8_t* data, size_t size) : data_(data), size_(size) {}

  bool done() const { return at_ >= size_; }
  uint8_t Byte() { return at_ < size_ ? data_[at_++] : 0; }
  bool Flip() { return (Byte() & 1) != 0; }
  // One of 16 decisions is yes; no when the bytes are at their end.
  bool Rarely() { return Byte() % 16 == 15; }
  uint32_t Word() {
    uint32_t word = 0;
    for (int i = 0; i < 4; ++i) word = word << 8 | Byte();
    return word;
  }
  uint64_t Long() { return uint64_t{Word()} << 32 | Word(); }

  // 0 to count - 1; one byte where that is enough.
  uint32_t Below(uint32_t count) {
    if (count <= 1) return 0;
    return count <= 256 ? Byte() % count : Word() % count;
  }
  template <typename T, size_t kCount>
  T OneOf(const T (&choices)[kCount]) {
    return choices[Below(kCount)];
  }

 private:
  const uint8_t* data_;
  size_t size_;
  size_t at_ = 0;
};

// What a fuzz target finds ends the process, with a word of what it was.
inline void Require(bool condition, std::string_view what) {
  if (condition) return;
  std::fprintf(stderr, "%.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

// The sentence of a failing call: something, one line, no book.
inline void RequireSentence(std::string_view sentence) {
  Require(!sentence.empty(), "a failure without a sentence");
  Require(sentence.size() < 2000, "a sentence without end: " + std::string(sentence));
  Require(sentence.find('\n') == std::string::npos,
          "a sentence of several lines: " + std::string(sentence));
}

}  // namespace anydml::test
