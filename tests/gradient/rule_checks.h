// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What the rule of every operator is checked on.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gradient/network.h"

namespace anydml::gradient {

// What is differentiated, with respect to what.
struct Checked {
  GraphValue y;
  std::vector<GraphValue> of;
};

using Check = std::function<Checked(Network&)>;
using Checks = std::multimap<std::string, Check>;

// By the operators' names; several of one operator differ in settings. Inputs are odd multiples
// of 1/16, or integers.
Checks AllChecks();

}  // namespace anydml::gradient
