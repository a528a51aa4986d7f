// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The settings of a description on one line.
#pragma once

#include <string>

#include "schema/arguments.h"

namespace anydml::tool {

// "InputWindowStrides {2, 2}, ...": what is no tensor. Counts are left out, since
// the arrays show them. Empty for an operator without settings.
std::string SettingsText(const schema::Arguments& arguments);

}  // namespace anydml::tool
