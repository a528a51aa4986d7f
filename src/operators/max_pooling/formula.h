// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/window/maximum.h"

namespace anydml::max_pooling {

using namespace window::maxima;  // NOLINT: these operators are that family's maxima

}  // namespace anydml::max_pooling
