// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes of the operators of this folder.
#pragma once

#include "operators/case.h"

namespace anydml::indexing {

inline constexpr Case kGatherElementsCases[] = {
    {"one_element", {{{1}, {1}, {1}}}, {{{"Axis", {0}}}}},
    {"documented_example", {{{3, 3}, {2, 3}, {2, 3}}}, {{{"Axis", {0}}}}},
    {"along_rows", {{{2, 3, 37}, {2, 3, 20}, {2, 3, 20}}}, {{{"Axis", {2}}}}},
    {"eight_dimensions",
     {{{2, 1, 3, 2, 1, 2, 3, 5}, {2, 1, 3, 4, 1, 2, 3, 5}, {2, 1, 3, 4, 1, 2, 3, 5}}},
     {{{"Axis", {3}}}}},
};

inline constexpr Case kGatherNdCases[] = {
    {"one_element",
     {{{1}, {1}, {1}}},
     {{{"InputDimensionCount", {1}}, {"IndicesDimensionCount", {1}}}}},
    {"documented_example",
     {{{2, 2}, {2, 1}, {2, 2}}},
     {{{"InputDimensionCount", {2}}, {"IndicesDimensionCount", {2}}}}},
    {"rows_of_matrices",
     {{{1, 3, 5, 19}, {1, 1, 4, 2}, {1, 1, 4, 19}}},
     {{{"InputDimensionCount", {3}}, {"IndicesDimensionCount", {2}}}}},
    {"all_coordinates_of_eight_dimensions",
     {{{2, 3, 2, 2, 3, 2, 2, 3}, {1, 1, 1, 1, 1, 2, 5, 8}, {1, 1, 1, 1, 1, 1, 2, 5}}},
     {{{"InputDimensionCount", {8}}, {"IndicesDimensionCount", {3}}}}},
};

inline constexpr Case kGatherNd1Cases[] = {
    {"documented_example",
     {{{1, 3, 2, 2}, {1, 3, 2, 2}, {1, 1, 3, 2}}},
     {{{"InputDimensionCount", {3}},
       {"IndicesDimensionCount", {3}},
       {"BatchDimensionCount", {1}}}}},
    {"rows_of_batches",
     {{{2, 3, 7, 17}, {2, 3, 4, 1}, {2, 3, 4, 17}}},
     {{{"InputDimensionCount", {4}},
       {"IndicesDimensionCount", {4}},
       {"BatchDimensionCount", {2}}}}},
    {"eight_dimensions",
     {{{2, 1, 3, 2, 1, 2, 3, 5}, {2, 1, 1, 2, 1, 1, 4, 5}, {2, 1, 1, 2, 1, 1, 4, 5}}},
     {{{"InputDimensionCount", {8}},
       {"IndicesDimensionCount", {8}},
       {"BatchDimensionCount", {2}}}}},
    {"without_batches",
     {{{4, 6}, {3, 2}, {1, 3}}},
     {{{"InputDimensionCount", {2}}, {"IndicesDimensionCount", {2}}}}},
};

inline constexpr Case kScatterCases[] = {
    {"one_element", {{{1}, {1}, {1}, {1}}}, {{{"Axis", {0}}}}},
    {"documented_example", {{{3, 3}, {2, 3}, {2, 3}, {3, 3}}}, {{{"Axis", {0}}}}},
    {"many_for_each_element", {{{3, 7}, {3, 61}, {3, 61}, {3, 7}}}, {{{"Axis", {1}}}}},
    {"eight_dimensions",
     {{{2, 1, 3, 2, 1, 2, 3, 5},
       {2, 1, 3, 4, 1, 2, 3, 5},
       {2, 1, 3, 4, 1, 2, 3, 5},
       {2, 1, 3, 2, 1, 2, 3, 5}}},
     {{{"Axis", {3}}}}},
};

inline constexpr Case kScatterNdCases[] = {
    {"one_element",
     {{{1}, {1}, {1}, {1}}},
     {{{"InputDimensionCount", {1}}, {"IndicesDimensionCount", {1}}}}},
    {"documented_example",
     {{{1, 8}, {4, 1}, {1, 4}, {1, 8}}},
     {{{"InputDimensionCount", {1}}, {"IndicesDimensionCount", {2}}}}},
    {"rows_of_matrices",
     {{{1, 3, 5, 19}, {1, 2, 9, 2}, {1, 2, 9, 19}, {1, 3, 5, 19}}},
     {{{"InputDimensionCount", {3}}, {"IndicesDimensionCount", {3}}}}},
    {"all_coordinates_of_eight_dimensions",
     {{{2, 3, 2, 2, 3, 2, 2, 3},
       {1, 1, 1, 1, 1, 2, 5, 8},
       {1, 1, 1, 1, 1, 1, 2, 5},
       {2, 3, 2, 2, 3, 2, 2, 3}}},
     {{{"InputDimensionCount", {8}}, {"IndicesDimensionCount", {3}}}}},
};

inline constexpr Case kTopKCases[] = {
    {"documented_example", {{{3, 4}, {3, 3}, {3, 3}}}, {{{"Axis", {1}}, {"K", {3}}}}},
    {"of_columns",
     {{{1, 1, 2, 1, 1, 1, 100, 5}, {1, 1, 2, 1, 1, 1, 7, 5}, {1, 1, 2, 1, 1, 1, 7, 5}}},
     {{{"Axis", {6}}, {"K", {7}}}}},
};
inline constexpr Case kTopK1Cases[] = {
    {"one_element", {{{1}, {1}, {1}}}, {{{"Axis", {0}}, {"K", {1}}, {"AxisDirection", {1}}}}},
    {"documented_example",
     {{{3, 4}, {3, 3}, {3, 3}}},
     {{{"Axis", {1}}, {"K", {3}}, {"AxisDirection", {0}}}}},
    {"few_of_many",
     {{{3, 1100}, {3, 4}, {3, 4}}},
     {{{"Axis", {1}}, {"K", {4}}, {"AxisDirection", {1}}}}},
    {"many_of_many",
     {{{2, 700}, {2, 300}, {2, 300}}},
     {{{"Axis", {1}}, {"K", {300}}, {"AxisDirection", {0}}}}},
    {"eight_dimensions",
     {{{2, 1, 3, 9, 1, 2, 3, 5}, {2, 1, 3, 9, 1, 2, 3, 5}, {2, 1, 3, 9, 1, 2, 3, 5}}},
     {{{"Axis", {3}}, {"K", {9}}, {"AxisDirection", {1}}}}},
};

inline constexpr Case kNonzeroCases[] = {
    {"one_element", {{{1}, {1}, {1, 1}}}},
    {"documented_example", {{{1, 2, 4}, {1, 1, 1}, {1, 8, 3}}}},
    {"columns_without_leading_ones", {{{1, 1, 5, 7}, {1}, {1, 1, 35, 2}}}},
    {"eight_dimensions", {{{2, 1, 3, 2, 1, 2, 3, 5}, {1, 1}, {360, 8}}}},
    {"several_chunks", {{{3, 7000}, {1}, {21000, 2}}}},
};

// ---- Benchmarks.

inline constexpr BenchCase kGatherElementsBenchCases[] = {
    {.shape = {"rows_of_1024_4096",
               {{{4096, 1024}, {4096, 1024}, {4096, 1024}}},
               {{{"Axis", {1}}}}}},
    {.shape = {"columns_of_4096_1024",
               {{{4096, 1024}, {4096, 1024}, {4096, 1024}}},
               {{{"Axis", {0}}}}}},
};
inline constexpr BenchCase kGatherNd1BenchCases[] = {
    {.shape = {"rows_of_768_8x2048_of_4096",
               {{{8, 4096, 768}, {8, 2048, 1}, {8, 2048, 768}}},
               {{{"InputDimensionCount", {3}},
                 {"IndicesDimensionCount", {3}},
                 {"BatchDimensionCount", {1}}}}},
     .elements_read = 12582912},
};
inline constexpr BenchCase kScatterBenchCases[] = {
    {.shape = {"rows_of_1024_4096",
               {{{4096, 1024}, {4096, 1024}, {4096, 1024}, {4096, 1024}}},
               {{{"Axis", {1}}}}}},
};
inline constexpr BenchCase kScatterNdBenchCases[] = {
    {.shape = {"rows_of_768_4096_of_16384",
               {{{16384, 768}, {4096, 1}, {4096, 768}, {16384, 768}}},
               {{{"InputDimensionCount", {2}}, {"IndicesDimensionCount", {2}}}}}},
    {.shape = {"elements_2_to_the_20_of_4096x1024",
               {{{4096, 1024}, {1048576, 2}, {1, 1048576}, {4096, 1024}}},
               {{{"InputDimensionCount", {2}}, {"IndicesDimensionCount", {2}}}}}},
};

inline constexpr BenchCase kTopK1BenchCases[] = {
    {.shape = {"k_10_of_rows_of_1000_16384",
               {{{16384, 1000}, {16384, 10}, {16384, 10}}},
               {{{"Axis", {1}}, {"K", {10}}, {"AxisDirection", {1}}}}},
     .independent_items = true},
    {.shape = {"k_100_of_rows_of_65536_256",
               {{{256, 65536}, {256, 100}, {256, 100}}},
               {{{"Axis", {1}}, {"K", {100}}, {"AxisDirection", {1}}}}},
     .independent_items = true},
    {.shape = {"sorted_rows_of_1000_16384",
               {{{16384, 1000}, {16384, 1000}, {16384, 1000}}},
               {{{"Axis", {1}}, {"K", {1000}}, {"AxisDirection", {0}}}}},
     .independent_items = true},
};
inline constexpr BenchCase kNonzeroBenchCases[] = {
    {.shape = {"elements_2_to_the_23", {{{8388608}, {1}, {8388608, 1}}}}},
};

}  // namespace anydml::indexing
