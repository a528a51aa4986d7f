// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A program that knows the package only.
#include "gradient.h"

int main() { return Gradient({-1, 1}, {3, 4}) == std::vector<float>{0, 4} ? 0 : 1; }
