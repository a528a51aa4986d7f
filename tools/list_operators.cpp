// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Prints the operators' schemas, for tools/make_operators_hpp.
#include <cstdio>

#include "anydml/anydml.h"

int main() { return std::puts(anydml_operators_json()) < 0 ? 1 : 0; }
