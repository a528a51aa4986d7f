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

}  // namespace anydml::faults
