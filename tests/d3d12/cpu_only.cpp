// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// These tests look at memory through its GPU address, which is the host's on the
// CPU alone; CUDA devices have tests of their own.
#include <cstdlib>

namespace {

[[maybe_unused]] const int kWithoutCuda = setenv("CUDA_VISIBLE_DEVICES", "", 1);

}  // namespace
