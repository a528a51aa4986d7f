// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes of the element-wise operators. All tensors have the same sizes; what an
// operator does not have is not looked at.
#pragma once

#include <directml.h>

#include <algorithm>

#include "operators/case.h"

namespace anydml::elementwise {

using Settings = std::array<CaseSetting, kMaxCaseSettings>;

struct Shape {
  std::string_view name;
  CaseSizes sizes;
};

constexpr Case CaseOf(const Shape& shape, const Settings& settings = {}) {
  Case c = {.name = shape.name, .settings = settings};
  c.sizes.fill(shape.sizes);
  return c;
}

inline constexpr Shape kShapes[] = {
    {"one_element", {1}},
    {"shorter_than_a_vector", {3}},
    {"tail_after_vectors", {67}},
    {"image", {2, 3, 5, 7}},
    {"volume", {1, 2, 3, 4, 9}},
    {"eight_dimensions", {2, 1, 3, 2, 1, 2, 3, 5}},
    {"larger_than_a_tile", {3, 5, 18, 21}},
    {"squares_of_whole_lines", {49, 80}},
    {"several_pieces_per_row", {2, 20000}},
};

// All shapes with these settings, and cases of an operator's own.
template <size_t kOwn = 0>
constexpr auto CasesWith(const Settings& settings, const std::array<Case, kOwn>& own = {}) {
  std::array<Case, std::size(kShapes) + kOwn> cases;
  std::ranges::transform(kShapes, cases.begin(),
                         [&](const Shape& shape) { return CaseOf(shape, settings); });
  std::ranges::copy(own, cases.begin() + std::size(kShapes));
  return cases;
}

// `core`: rows of `make bench`, with what they have to reach.
constexpr auto BenchCasesWith(const Settings& settings, bool core) {
  const auto packed = [&](const Shape& shape, const BenchTarget& target = {}) {
    return BenchCase{.shape = CaseOf(shape, settings),
                     .core = core,
                     .every_type = true,
                     .independent_items = true,
                     .target = core ? target : BenchTarget{}};
  };
  const auto in_layouts = [&](const Shape& shape, uint8_t layouts) {
    return BenchCase{.shape = CaseOf(shape, settings),
                     .layouts = layouts,
                     .core = core,
                     .independent_items = true};
  };
  const BenchTarget large = {.float32_floors = 1.15,
                             .other_floors = 1.15,
                             .cuda_float32_floors = 1.05,
                             .cuda_float16_floors = 1.05};
  BenchTarget largest = large;
  largest.peer_ratio = 1.3;
  return std::array{
      packed({"elements_2_to_the_10", {1024}}, {.most_microseconds = 2}),
      packed({"elements_2_to_the_15", {32768}}),
      packed({"elements_2_to_the_20", {1048576}}),
      packed({"elements_2_to_the_24", {16777216}}, large),
      packed({"elements_2_to_the_26", {67108864}}, largest),
      in_layouts({"image_8x64x112x112", {8, 64, 112, 112}}, kImageLayouts),
      in_layouts({"eight_dimensions_2x4x8x4x8x8x16x32", {2, 4, 8, 4, 8, 8, 16, 32}},
                 kPackedAndPermuted),
  };
}

// For operators whose kernels share all but a formula: what is left over of vectors, tiles.
template <size_t kOwn = 0>
constexpr auto FewCasesWith(const Settings& settings, const std::array<Case, kOwn>& own = {}) {
  constexpr Shape kFew[] = {{"tail_after_vectors", {67}},
                            {"eight_dimensions", {2, 1, 3, 2, 1, 2, 3, 5}},
                            {"larger_than_a_tile", {3, 5, 18, 21}}};
  std::array<Case, std::size(kFew) + kOwn> cases;
  std::ranges::transform(kFew, cases.begin(),
                         [&](const Shape& shape) { return CaseOf(shape, settings); });
  std::ranges::copy(own, cases.begin() + std::size(kFew));
  return cases;
}
constexpr auto FewBenchCasesWith(const Settings& settings, bool every_type = true) {
  const auto packed = [&](const Shape& shape) {
    return BenchCase{
        .shape = CaseOf(shape, settings), .every_type = every_type, .independent_items = true};
  };
  return std::array{packed({"elements_2_to_the_15", {32768}}),
                    packed({"elements_2_to_the_26", {67108864}})};
}
// And with a second input that repeats a row or a column.
template <size_t kCount>
constexpr auto WithRepeated(const std::array<BenchCase, kCount>& cases) {
  std::array<BenchCase, kCount + 1> more;
  std::ranges::copy(cases, more.begin());
  more.back() = {.shape = CaseOf({"matrix_8192x8192", {8192, 8192}}),
                 .layouts = kRepeated,
                 .independent_items = true,
                 .target = {.float32_floors = 1.2,
                            .other_floors = 1.2,
                            .cuda_float32_floors = 1.1,
                            .cuda_float16_floors = 1.1}};
  return more;
}
inline constexpr auto kFewCases = FewCasesWith({});
inline constexpr auto kFewBenchCases = FewBenchCasesWith({});
inline constexpr auto kPairBenchCases = WithRepeated(FewBenchCasesWith({}));
inline constexpr auto kTypedBenchCases = FewBenchCasesWith({}, false);
inline constexpr auto kComparisonBenchCases = WithRepeated(FewBenchCasesWith({}, false));
inline constexpr auto kArithmeticBenchCases = WithRepeated(BenchCasesWith({}, false));
inline constexpr auto kScaledCases =
    FewCasesWith({}, std::array{
                         CaseOf({"scale_and_bias", {2, 3, 67}}, {{{"ScaleBias", {1.1, -0.3}}}}),
                         CaseOf({"scale_overflows", {2, 67}}, {{{"ScaleBias", {-3e38, 1e10}}}}),
                     });
inline constexpr Settings kAlpha = {{{"Alpha", {0.3}}}};
inline constexpr auto kAlphaCases =
    FewCasesWith(kAlpha, std::array{CaseOf({"alpha_is_negative", {131}}, {{{"Alpha", {-1.7}}}}),
                                    CaseOf({"alpha_is_zero", {131}}, {{{"Alpha", {0}}}})});
inline constexpr auto kAlphaBenchCases = FewBenchCasesWith(kAlpha);
inline constexpr Settings kAlphaBeta = {{{"Alpha", {0.3}}, {"Beta", {0.6}}}};
inline constexpr auto kAlphaBetaCases = FewCasesWith(
    kAlphaBeta,
    std::array{CaseOf({"alpha_is_negative", {131}}, {{{"Alpha", {-1.7}}, {"Beta", {-0.1}}}})});
inline constexpr Settings kAlphaGamma = {{{"Alpha", {1.5}}, {"Gamma", {0.6}}}};
inline constexpr auto kAlphaGammaCases = FewCasesWith(kAlphaGamma);
inline constexpr auto kAlphaGammaBenchCases = FewBenchCasesWith(kAlphaGamma);
inline constexpr auto kAlphaBetaBenchCases = FewBenchCasesWith(kAlphaBeta);

// Of operators without settings.
inline constexpr auto kCases = CasesWith({});
inline constexpr auto kBenchCases = BenchCasesWith({}, false);
inline constexpr auto kCoreBenchCases = BenchCasesWith({}, true);

inline constexpr Settings kBounds = {{{"Min", {-1}}, {"Max", {2}}}};
inline constexpr Case kBoundsWithFractions =
    CaseOf({"bounds_with_fractions", {1, 3, 5, 7}}, {{{"Min", {-2.5}}, {"Max", {2.25}}}});
inline constexpr Case kMinAboveMax =
    CaseOf({"min_above_max", {131}}, {{{"Min", {3}}, {"Max", {-2}}}});

inline constexpr auto kClipCases =
    CasesWith(kBounds, std::array{
                           kBoundsWithFractions,
                           kMinAboveMax,
                           CaseOf({"bounds_are_zeros", {131}}, {{{"Min", {-0.0}}, {"Max", {0}}}}),
                           CaseOf({"scale_and_bias", {2, 3, 67}},
                                  {{{"ScaleBias", {1.5, -0.3}}, {"Min", {-4}}, {"Max", {5}}}}),
                           CaseOf({"scale_overflows", {2, 67}},
                                  {{{"ScaleBias", {-3e38, 1e10}}, {"Min", {0}}, {"Max", {100}}}}),
                       });
inline constexpr auto kClipGradCases = CasesWith(
    kBounds, std::array{
                 kBoundsWithFractions,
                 kMinAboveMax,
                 CaseOf({"min_is_negative_zero", {131}}, {{{"Min", {-0.0}}, {"Max", {6}}}}),
                 CaseOf({"max_is_positive_zero", {131}}, {{{"Min", {-6}}, {"Max", {0}}}}),
             });
inline constexpr auto kAdd1Cases = FewCasesWith(
    {},
    std::array{
        CaseOf({"relu", {2, 3, 67}}, {{{"FusedActivation", {DML_OPERATOR_ACTIVATION_RELU}}}}),
        CaseOf({"elu", {2, 3, 67}}, {{{"FusedActivation", {DML_OPERATOR_ACTIVATION_ELU, 0.5}}}})});
inline constexpr auto kIdentityCases =
    CasesWith({}, std::array{
                      CaseOf({"odd_bytes", {67}}),
                      CaseOf({"scale_and_bias", {2, 3, 67}}, {{{"ScaleBias", {1.1, -0.3}}}}),
                      CaseOf({"scale_overflows", {2, 67}}, {{{"ScaleBias", {-3e38, 1e10}}}}),
                      CaseOf({"scale_is_zero", {131}}, {{{"ScaleBias", {0, -0.0}}}}),
                  });

inline constexpr auto kThresholdCases = FewCasesWith(
    {{{"Min", {0.3}}}}, std::array{CaseOf({"min_has_a_fraction", {131}}, {{{"Min", {-2.5}}}}),
                                   CaseOf({"scale_and_bias", {2, 3, 67}},
                                          {{{"ScaleBias", {1.5, -0.3}}, {"Min", {-4}}}})});
inline constexpr auto kThresholdBenchCases = FewBenchCasesWith({{{"Min", {-2}}}});
inline constexpr auto kRoundCases =
    FewCasesWith({{{"RoundingMode", {0}}}},
                 std::array{CaseOf({"toward_zero", {131}}, {{{"RoundingMode", {1}}}}),
                            CaseOf({"halves_away_from_zero", {131}}, {{{"RoundingMode", {2}}}})});
inline constexpr auto kRoundBenchCases = FewBenchCasesWith({{{"RoundingMode", {2}}}});
inline constexpr auto kIsInfinityCases = FewCasesWith(
    {{{"InfinityMode", {0}}}}, std::array{CaseOf({"positive", {131}}, {{{"InfinityMode", {1}}}}),
                                          CaseOf({"negative", {131}}, {{{"InfinityMode", {2}}}})});
inline constexpr auto kIsInfinityBenchCases = FewBenchCasesWith({{{"InfinityMode", {0}}}}, false);
inline constexpr auto kQuantizeCases = FewCasesWith({}, [] {
  std::array own = {CaseOf({"no_zero_point", {2, 3, 67}})};
  own[0].sizes[2] = {};
  return own;
}());
inline constexpr Settings kShrinking = {{{"Bias", {0.75}}, {"Threshold", {1.5}}}};
inline constexpr auto kShrinkCases = FewCasesWith(
    kShrinking,
    std::array{CaseOf({"threshold_is_negative", {131}}, {{{"Bias", {-3}}, {"Threshold", {-1}}}})});
inline constexpr auto kShrinkBenchCases = FewBenchCasesWith(kShrinking);

inline constexpr Settings kBenchBounds = {{{"Min", {-2}}, {"Max", {2}}}};
inline constexpr auto kClipBenchCases = BenchCasesWith(kBenchBounds, false);
inline constexpr auto kClipGradBenchCases = BenchCasesWith(kBenchBounds, true);

}  // namespace anydml::elementwise
