// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// An operator new that fails on demand, for the calling thread.
#pragma once

namespace anydml::directml {

// The allocation with this number, counted from now on, fails, and no other; 0
// lets all succeed.
void FailAllocation(int number);
// Whether one was asked to fail and has not been reached.
bool AwaitsFailure();

}  // namespace anydml::directml
