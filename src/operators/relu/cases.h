// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes of ACTIVATION_RELU.
#pragma once

#include "operators/case.h"

namespace anydml::relu {

inline constexpr Case kCases[] = {
    {"one_element", {{{1}, {1}}}},
    {"shorter_than_a_vector", {{{3}, {3}}}},
    {"tail_after_vectors", {{{67}, {67}}}},
    {"image", {{{2, 3, 5, 7}, {2, 3, 5, 7}}}},
    {"volume", {{{1, 2, 3, 4, 9}, {1, 2, 3, 4, 9}}}},
    {"eight_dimensions", {{{2, 1, 3, 2, 1, 2, 3, 5}, {2, 1, 3, 2, 1, 2, 3, 5}}}},
    {"several_pieces_per_row", {{{2, 20000}, {2, 20000}}}},
};

}  // namespace anydml::relu
