// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The valid name that a misspelt one most likely stands for.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace anydml::model {

// A name within two typing errors, else the one that has all words of the given one
// ("RELU_GRAD" in "ACTIVATION_RELU_GRAD"), else the nearest by EditDistance. Empty when none
// is close.
std::string_view Nearest(std::string_view given, std::span<const std::string_view> names);

// "; did you mean WindowSize?", or "; valid names are A, B, C, ..." when none is close; empty
// when there are no names.
std::string Suggest(std::string_view given, std::span<const std::string_view> names);

// Insertions, deletions, replacements and swaps of neighbours that lead from
// one to the other; letters that differ in case alone are the same.
size_t EditDistance(std::string_view a, std::string_view b);

}  // namespace anydml::model
