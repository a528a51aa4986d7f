// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/window/gradient.h"

namespace anydml::max_pooling_grad {

using namespace window::gradient;  // NOLINT: this operator is that family's gradient

}  // namespace anydml::max_pooling_grad
