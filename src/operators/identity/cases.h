// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes of ELEMENT_WISE_IDENTITY.
#pragma once

#include "operators/case.h"

namespace anydml::identity {

inline constexpr Case kCases[] = {
    {"one_element", {{{1}, {1}}}},
    {"odd_bytes", {{{67}, {67}}}},
    {"image", {{{2, 3, 5, 7}, {2, 3, 5, 7}}}},
    {"eight_dimensions", {{{2, 1, 3, 2, 1, 2, 3, 5}, {2, 1, 3, 2, 1, 2, 3, 5}}}},
    {"larger_than_a_tile", {{{3, 5, 18, 21}, {3, 5, 18, 21}}}},
    {"several_pieces_per_row", {{{2, 17000}, {2, 17000}}}},
    {"scale_and_bias", {{{2, 3, 67}, {2, 3, 67}}}, {{{"ScaleBias", {1.1, -0.3}}}}},
    {"scale_overflows", {{{2, 67}, {2, 67}}}, {{{"ScaleBias", {-3e38, 1e10}}}}},
    {"scale_is_zero", {{{131}, {131}}}, {{{"ScaleBias", {0, -0.0}}}}},
};

}  // namespace anydml::identity
