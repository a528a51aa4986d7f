// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// malloc and its relatives, and pthread_create, that fail on demand. They replace
// those of the C library in the whole process: operator new, aligned_alloc and the
// shared libraries' own calls fail likewise. Nothing here takes memory.
#pragma once

#include <cstdint>

namespace anydml::faults {

enum class Which { kOne, kAllFromThere };
enum class Threads { kCalling, kAll };

// The allocation with this number, counted from now on, fails; the first is 1.
void FailAllocation(int64_t number, Which which, Threads threads);
// The creation of a thread with this number fails, and all after it.
void FailThread(int64_t number);
void StopFailing();
// Whether a call was made to fail since one of the first two was called.
bool HasFailed();

// Allocations that were not freed, of all threads since the process began.
int64_t LiveAllocations();

// Opens libanydml_cuda.so in ../lib, where there is one. To be called before anything
// fails: NVIDIA's code that registers kernels while the library is opened crashes
// when an allocation fails, and no caller can help that.
void OpenCudaLibrary();

}  // namespace anydml::faults
