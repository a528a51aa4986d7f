// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Memory between two pages that nobody may touch: reading or writing one byte
// past the end (or before the start, as the test chooses) is a fault, whoever
// does it and with whatever compiler. On the other side, where the page does not
// begin, AddressSanitizer is told of the rest.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

#if defined(__SANITIZE_ADDRESS__)
#define ANYDML_POISONS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ANYDML_POISONS 1
#endif
#endif
#ifdef ANYDML_POISONS
#include <sanitizer/asan_interface.h>
#endif

namespace anydml::test {

class GuardPages {
 public:
  enum class Flush { kWithTheStart, kWithTheEnd };

  explicit GuardPages(size_t bytes, Flush flush = Flush::kWithTheEnd) {
    const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    room_ = (bytes + page - 1) / page * page;
    mapped_ = room_ + 2 * page;
    void* mapping =
        mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) return;
    mapping_ = static_cast<uint8_t*>(mapping);
    if (room_ != 0 && mprotect(mapping_ + page, room_, PROT_READ | PROT_WRITE) != 0) return;
    room_start_ = mapping_ + page;
    data_ = flush == Flush::kWithTheEnd ? room_start_ + room_ - bytes : room_start_;
#ifdef ANYDML_POISONS
    __asan_poison_memory_region(room_start_, room_);
    __asan_unpoison_memory_region(data_, bytes);
#endif
  }
  ~GuardPages() {
#ifdef ANYDML_POISONS
    if (room_start_ != nullptr) __asan_unpoison_memory_region(room_start_, room_);
#endif
    if (mapping_ != nullptr) munmap(mapping_, mapped_);
  }
  GuardPages(const GuardPages&) = delete;
  GuardPages& operator=(const GuardPages&) = delete;

  // Null where the machine has no address space left.
  uint8_t* data() const { return data_; }

 private:
  size_t room_ = 0;
  size_t mapped_ = 0;
  uint8_t* mapping_ = nullptr;
  uint8_t* room_start_ = nullptr;
  uint8_t* data_ = nullptr;
};

}  // namespace anydml::test
