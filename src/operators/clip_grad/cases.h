// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes of ELEMENT_WISE_CLIP_GRAD and ELEMENT_WISE_CLIP_GRAD1.
#pragma once

#include "operators/case.h"

namespace anydml::clip_grad {

inline constexpr Case kCases[] = {
    {"one_element", {{{1}, {1}, {1}}}, {{{"Min", {-1}}, {"Max", {1}}}}},
    {"tail_after_vectors", {{{67}, {67}, {67}}}, {{{"Min", {-3}}, {"Max", {2}}}}},
    {"bounds_with_fractions",
     {{{1, 3, 5, 7}, {1, 3, 5, 7}, {1, 3, 5, 7}}},
     {{{"Min", {-2.5}}, {"Max", {2.25}}}}},
    {"min_above_max", {{{131}, {131}, {131}}}, {{{"Min", {3}}, {"Max", {-2}}}}},
    {"min_is_negative_zero", {{{131}, {131}, {131}}}, {{{"Min", {-0.0}}, {"Max", {6}}}}},
    {"max_is_positive_zero", {{{131}, {131}, {131}}}, {{{"Min", {-6}}, {"Max", {0}}}}},
    {"eight_dimensions",
     {{{2, 1, 3, 2, 1, 2, 3, 5}, {2, 1, 3, 2, 1, 2, 3, 5}, {2, 1, 3, 2, 1, 2, 3, 5}}},
     {{{"Min", {-1}}, {"Max", {2}}}}},
    {"several_pieces_per_row", {{{17000}, {17000}, {17000}}}, {{{"Min", {-2}}, {"Max", {3}}}}},
};

}  // namespace anydml::clip_grad
