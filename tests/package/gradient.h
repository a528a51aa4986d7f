// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

// The gradient of ReLU: dy where x > 0, and 0 elsewhere.
std::vector<float> Gradient(const std::vector<float>& x, const std::vector<float>& dy);
