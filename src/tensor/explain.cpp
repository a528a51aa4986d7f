// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "tensor/explain.h"

#include "base/text.h"

namespace anydml {
namespace {

std::string_view SamplingName(Sampling sampling) {
  switch (sampling) {
    case Sampling::kFloor:
      return "nearest below";
    case Sampling::kCeil:
      return "nearest above";
    case Sampling::kLinear:
      return "linear";
  }
  return "";
}

std::string ExplainAxis(const AxisSums& sums, uint32_t i) {
  const TapAxis& axis = sums.axes[i];
  if (!sums.changes[i]) {
    return fmt::format("axis {}: {} elements, skipped: every element stays in its place", i,
                       sums.source_sizes[i]);
  }
  return fmt::format("axis {}: {} -> {} elements, {}, x(o) = (o - {}) / {} - {}, {}", i,
                     sums.source_sizes[i], sums.target_sizes[i], SamplingName(axis.sampling),
                     axis.output_pixel_offset, axis.scale, axis.input_pixel_offset,
                     HasTable(axis) ? "taps in a table" : "taps evaluated where needed");
}

}  // namespace

std::string ExplainLoop(std::span<const uint64_t> sizes,
                        std::span<const std::span<const int64_t>> strides,
                        std::initializer_list<std::string_view> tensors) {
  std::string text = fmt::format("coalesced to {} dimension{}: {}", sizes.size(),
                                 sizes.size() == 1 ? "" : "s", BracedList(sizes));
  size_t t = 0;
  for (std::string_view tensor : tensors) {
    text += fmt::format("\nelement strides of {}: {}", tensor, BracedList(strides[t++]));
  }
  return text;
}

std::string Explain(const WindowLoop& loop) {
  constexpr std::string_view kNames[] = {"depth", "height", "width"};
  std::string text = fmt::format("{} planes ({} x {}), at most {} taps per window",
                                 loop.PlaneCount(), loop.batches, loop.channels, loop.MostTaps());
  for (size_t i = 0; i < loop.axes.size(); ++i) {
    const WindowAxis& axis = loop.axes[i];
    if (axis.input_size == 1 && axis.output_size == 1 && axis.window_size == 1) continue;
    text += fmt::format("\n{}: {} elements, {} windows of {}, stride {}, dilation {}, padding {}",
                        kNames[i], axis.input_size, axis.output_size, axis.window_size, axis.stride,
                        axis.dilation, axis.start_padding);
  }
  return text;
}

std::string Explain(const AxisSums& sums) {
  std::string text =
      fmt::format("{} of {} axes change{}, {}", sums.pass_count, sums.rank,
                  sums.pass_count == 0 ? ": a copy of the bits" : ", last axis first",
                  sums.rows.possible ? "rows lie side by side" : "strided");
  for (uint32_t i = 0; i < sums.rank; ++i) text += "\n" + ExplainAxis(sums, i);
  return text;
}

}  // namespace anydml
