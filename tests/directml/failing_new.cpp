// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// In a file of its own: compilers that see both sides take malloc and operator
// delete for a mistake.
#include "directml/failing_new.h"

#include <cstdlib>
#include <new>

namespace anydml::directml {
namespace {

thread_local int countdown = 0;

bool Fails() { return countdown != 0 && --countdown == 0; }

}  // namespace

void FailAllocation(int number) { countdown = number; }
bool AwaitsFailure() { return countdown != 0; }

}  // namespace anydml::directml

void* operator new(size_t size) {
  void* memory = anydml::directml::Fails() ? nullptr : std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  return anydml::directml::Fails() ? nullptr : std::malloc(size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
