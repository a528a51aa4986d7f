// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Opens libanydml_cuda.so, once. It is looked for beside the shared library that
// holds this code. A program that holds it (the command) looks in the library
// folders of its own tree: ../lib, or where `cmake --install` puts libraries.
// No search path and no environment variable leads elsewhere.
#pragma once

#include <string>

#include "backends/cuda/interface.h"

namespace anydml::cuda {

// Null where it is absent or does not belong to this build.
const Interface* Library();
// A sentence, where Library() is null.
const std::string& WhyNoLibrary();

}  // namespace anydml::cuda
