// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Cases in a line each.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "operators/case.h"

namespace anydml {

// A case whose settings have a value for each of some axes; one value stands for all of them.
struct AxesCase : Case {
  using Values = std::initializer_list<double>;

  constexpr AxesCase(std::string_view name_, std::initializer_list<CaseSizes> sizes_, size_t axes_)
      : Case{.name = name_}, axes(static_cast<uint32_t>(axes_)) {
    std::ranges::copy(sizes_, sizes.begin());
  }

  constexpr AxesCase Set(std::string_view field, Values values) const {
    AxesCase c = *this;
    *std::ranges::find(c.settings, std::string_view(), &CaseSetting::field) = {field, values};
    return c;
  }
  constexpr AxesCase SetAxes(std::string_view field, Values values) const {
    AxesCase c = Set(field, values);
    if (values.size() > 1) return c;
    CaseSetting& setting = *std::ranges::find(c.settings, field, &CaseSetting::field);
    while (setting.count < axes) setting.values[setting.count++] = *values.begin();
    return c;
  }

  // Windows.
  constexpr AxesCase Stride(auto... v) const { return SetAxes("Strides", {1.0 * v...}); }
  constexpr AxesCase Dilate(auto... v) const { return SetAxes("Dilations", {1.0 * v...}); }
  constexpr AxesCase Start(auto... v) const { return SetAxes("StartPadding", {1.0 * v...}); }
  constexpr AxesCase End(auto... v) const { return SetAxes("EndPadding", {1.0 * v...}); }
  constexpr AxesCase Pad(auto... v) const { return Start(v...).End(v...); }

  // Resampling.
  constexpr AxesCase Floor() const { return Set("RoundingDirection", {1}); }
  constexpr AxesCase In(auto... v) const { return SetAxes("InputPixelOffsets", {1.0 * v...}); }
  constexpr AxesCase Out(auto... v) const { return SetAxes("OutputPixelOffsets", {1.0 * v...}); }
  constexpr AxesCase AsLongAxes() const {
    AxesCase c = *this;
    c.as_long_axes = kAsLongAxes;
    return c;
  }

  uint32_t axes;
};

constexpr AxesCase Pool(std::string_view name, const CaseSizes& input, const CaseSizes& output,
                        AxesCase::Values window) {
  return AxesCase(name, {input, output}, window.size()).Set("WindowSize", window);
}

constexpr AxesCase Nearest(std::string_view name, const CaseSizes& input, const CaseSizes& output,
                           AxesCase::Values scales) {
  return AxesCase(name, {input, output}, input.count).Set("Scales", scales);
}
// Pixels by their lower corners.
constexpr AxesCase NearestFloor(std::string_view name, const CaseSizes& input,
                                const CaseSizes& output, AxesCase::Values scales,
                                AxesCase::Values output_offsets = {-0.5}) {
  return Nearest(name, input, output, scales)
      .Floor()
      .In(0)
      .SetAxes("OutputPixelOffsets", output_offsets);
}
constexpr AxesCase Linear(std::string_view name, const CaseSizes& input, const CaseSizes& output,
                          AxesCase::Values scales) {
  return Nearest(name, input, output, scales).Set("InterpolationMode", {1});
}

// The part of `input` that SLICE1 and its gradient take.
constexpr AxesCase Part(std::string_view name, const CaseSizes& input, const CaseSizes& output,
                        AxesCase::Values offsets, AxesCase::Values sizes,
                        AxesCase::Values strides = {}) {
  AxesCase c(name, {input, output}, input.count);
  if (offsets.size() > 0) c = c.Set("InputWindowOffsets", offsets);
  c = c.Set("InputWindowSizes", sizes);
  return strides.size() > 0 ? c.Set("InputWindowStrides", strides) : c;
}

// ---- Lists.

template <size_t... N>
constexpr auto Join(const Case (&... lists)[N]) {
  std::array<Case, (N + ...)> all;
  auto end = all.begin();
  ((end = std::ranges::copy(lists, end).out), ...);
  return all;
}

// The first two tensors exchanged, as in a gradient.
template <size_t N>
constexpr auto Exchange(std::array<Case, N> cases) {
  for (Case& c : cases) std::swap(c.sizes[0], c.sizes[1]);
  return cases;
}

// From case `first` on with a third tensor of the sizes of tensor `like`.
template <size_t N>
constexpr auto AddThird(std::array<Case, N> cases, size_t like, size_t first = 0) {
  for (size_t i = first; i < N; ++i) cases[i].sizes[2] = cases[i].sizes[like];
  return cases;
}

constexpr BenchCase OfImages(const Case& shape) {
  return {.shape = shape, .layouts = kImageLayouts, .independent_items = true};
}
constexpr BenchCase FindBenchCase(std::span<const BenchCase> cases, std::string_view name) {
  return *std::ranges::find(cases, name, [](const BenchCase& c) { return c.shape.name; });
}

}  // namespace anydml
