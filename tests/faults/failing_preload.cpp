// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The failing calls as a library to be loaded before a program's own (LD_PRELOAD):
// ANYDML_TEST_FAIL_ALLOCATION and ANYDML_TEST_FAIL_THREAD say which call fails.
//
// ANYDML_TEST_STOP_AT_RENAME: the process stops, as by SIGSTOP, before a file is
// renamed. ANYDML_TEST_STOP_AT_WRITE: before the first bytes go to a file.
// ANYDML_TEST_STOP_AT_ENTROPY: before an unfinished file gets its name.
// ANYDML_TEST_FAIL_FSYNC: the disk fails when a file is to be on it.
#include <dlfcn.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "faults/failing_calls.h"

namespace {

int64_t NumberOf(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? 0 : std::strtoll(value, nullptr, 10);
}

void Begin() {
  using namespace anydml::faults;  // NOLINT: one function
  OpenCudaLibrary();
  if (const int64_t number = NumberOf("ANYDML_TEST_FAIL_THREAD")) FailThread(number);
  if (const int64_t number = NumberOf("ANYDML_TEST_FAIL_ALLOCATION")) {
    FailAllocation(number, Which::kAllFromThere, Threads::kAll);
  }
}

using Main = int (*)(int, char**, char**);
Main program = nullptr;

int BeginAndRun(int argc, char** argv, char** environment) {
  Begin();
  return program(argc, argv, environment);
}

}  // namespace

// Calls main(): what is made before it is for the C++ library alone.
extern "C" int __libc_start_main(Main main, int argc, char** argv, void (*init)(), void (*fini)(),
                                 void (*loader_fini)(), void* stack_end) {
  using Start = decltype(&__libc_start_main);
  const auto start = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  program = main;
  return start(BeginAndRun, argc, argv, init, fini, loader_fini, stack_end);
}

extern "C" int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  using Rename = int (*)(int, const char*, int, const char*);
  static const auto original = reinterpret_cast<Rename>(dlsym(RTLD_NEXT, "renameat"));
  if (std::getenv("ANYDML_TEST_STOP_AT_RENAME") != nullptr) raise(SIGSTOP);
  return original(from_folder, from, to_folder, to);
}

// Of the command alone: that of the C library's own is another function.
extern "C" int getentropy(void* bytes, size_t size) {
  using GetEntropy = int (*)(void*, size_t);
  static const auto original = reinterpret_cast<GetEntropy>(dlsym(RTLD_NEXT, "getentropy"));
  if (std::getenv("ANYDML_TEST_STOP_AT_ENTROPY") != nullptr) raise(SIGSTOP);
  return original(bytes, size);
}

extern "C" size_t fwrite(const void* data, size_t size, size_t count, FILE* file) {
  using Write = size_t (*)(const void*, size_t, size_t, FILE*);
  static const auto original = reinterpret_cast<Write>(dlsym(RTLD_NEXT, "fwrite"));
  static const bool stops = std::getenv("ANYDML_TEST_STOP_AT_WRITE") != nullptr;
  if (stops && file != stdout && file != stderr) raise(SIGSTOP);
  return original(data, size, count, file);
}

extern "C" int fsync(int file) {
  using Sync = int (*)(int);
  static const auto original = reinterpret_cast<Sync>(dlsym(RTLD_NEXT, "fsync"));
  if (std::getenv("ANYDML_TEST_FAIL_FSYNC") == nullptr) return original(file);
  errno = EIO;
  return -1;
}
