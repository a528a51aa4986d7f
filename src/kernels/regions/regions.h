// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Regions of images: what the kernels are given, and where the samples of a region lie (B47 to
// B51). For CPUs and devices; knows nothing of threads.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "tensor/data_type.h"

namespace anydml::regions {

using Strides = std::array<int64_t, 4>;

inline constexpr int kY = 0, kX = 1;

// The largest, or the average, of samples; and the gradients of both.
struct Plan {
  DataType type;
  DataType index_type;
  bool is_maximum;
  bool is_nearest;
  bool aligns_corners;
  bool has_gradient;      // of the image
  bool has_roi_gradient;  // of the regions
  int64_t batches, channels;
  int64_t count;                  // of regions
  std::array<int64_t, 2> image;   // height, width
  std::array<int64_t, 2> pooled;  // of the tensor with an image per region
  std::array<float, 2> scales;
  float input_offset, output_offset;
  float outside;
  int64_t least, most;  // samples per output
  Strides input, small, gradient;
  std::array<int64_t, 2> roi, roi_gradient;  // from one region to the next, and inside of one
  int64_t index_stride;
};

// Samples that are numbered along an axis cannot be more, so that their numbers are exact floats.
inline constexpr int64_t kMostSamples = int64_t{1} << 22;

// A sample along one axis: between pixels `at` and at + 1, by so much nearer to the second.
struct Sample {
  int64_t at;
  float weight;  // of the second; 0: there is none
};

struct Range {
  int64_t begin = 0;
  int64_t end = 0;
  constexpr bool Has(int64_t i) const { return i >= begin && i < end; }
};

struct Axis {
  float start;  // of the region, scaled
  float step;
  float divisor;  // samples, or the gaps between those that are aligned with corners
  float centre;   // of the one sample that is
  float input_offset, output_offset;
  int64_t size;     // of the image
  int64_t samples;  // per output
  Range inside;     // of the samples: coordinates ascend, or descend
  bool has_centre;
  bool is_nearest;

  constexpr float CoordinateOf(int64_t t) const {
    if (has_centre) return centre;
    return ((static_cast<float>(t) - output_offset) * step + start) - input_offset;
  }
  // How far a sample is on the way from the first corner to the second.
  constexpr float FractionOf(int64_t t) const {
    return has_centre ? 0.5f : (static_cast<float>(t) - output_offset) / divisor;
  }
  // Of one that is inside.
  constexpr Sample SampleOf(int64_t t) const {
    const float x = CoordinateOf(t), last = static_cast<float>(size - 1);
    const float clamped = x < 0 ? 0.0f : x > last ? last : x;
    if (is_nearest) return {static_cast<int64_t>(std::rint(clamped)), 0};
    const float floor = std::floor(clamped);
    return {static_cast<int64_t>(floor), clamped - floor};
  }
  // The samples of an output that are inside.
  constexpr Range InsideOf(int64_t output) const {
    const int64_t first = output * samples;
    const int64_t begin = std::max(inside.begin, first);
    return {begin, std::max(begin, std::min(inside.end, first + samples))};
  }
  // The pixels that such samples may have.
  constexpr Range PixelsOf(const Range& range) const {
    if (range.begin >= range.end) return {};
    const int64_t a = SampleOf(range.begin).at, b = SampleOf(range.end - 1).at;
    return {std::min(a, b), std::min(std::max(a, b) + 2, size)};
  }
};

// The samples [0, total) that are inside: those between the first and the last of them.
constexpr Range InsideOf(const Axis& axis, int64_t total) {
  // Otherwise no coordinate is a number of the image.
  if (!axis.has_centre && !(axis.step - axis.step == 0 && axis.start - axis.start == 0)) return {};
  const bool ascends = axis.has_centre || axis.step >= 0;
  const float last = static_cast<float>(axis.size);
  // The first sample that is not before the image, or that is behind it.
  const auto find = [&](bool behind) {
    int64_t low = 0, high = total;
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      const float x = axis.CoordinateOf(middle);
      const bool passed =
          behind == ascends ? (behind ? x > last : x <= last) : (behind ? x < -1 : x >= -1);
      passed ? high = middle : low = middle + 1;
    }
    return low;
  };
  const int64_t begin = find(false);
  return {begin, std::max(begin, find(true))};
}

struct Region {
  int64_t batch;
  Axis axes[2];
};

// `axis` of the region between corners p1 and p2.
constexpr Axis MakeAxis(const Plan& plan, int axis, float p1, float p2, bool is_usable) {
  const int64_t outputs = plan.pooled[axis];
  const float a = p1 * plan.scales[axis], b = p2 * plan.scales[axis], length = b - a;
  const float ratio = std::ceil(length / static_cast<float>(outputs));
  const int64_t most = std::min(plan.most, kMostSamples / outputs);
  Axis made = {};
  made.samples = plan.least;
  if (ratio >= static_cast<float>(most)) {
    made.samples = most;
  } else if (ratio > static_cast<float>(plan.least)) {
    made.samples = static_cast<int64_t>(ratio);
  }
  const int64_t total = outputs * made.samples;
  made.start = a;
  made.divisor = static_cast<float>(plan.aligns_corners ? total - 1 : total);
  made.has_centre = plan.aligns_corners && total == 1;
  made.step = made.has_centre ? 0.0f : length / made.divisor;
  made.centre = (a + b) * 0.5f - plan.input_offset;
  made.input_offset = plan.input_offset;
  made.output_offset = plan.output_offset;
  made.size = plan.image[axis];
  made.is_nearest = plan.is_nearest;
  if (is_usable) made.inside = InsideOf(made, total);
  return made;
}

// What the samples of one output have for a pixel, in ascending order (B50); 0: none has it.
constexpr float WeightOf(const Axis& axis, int64_t output, int64_t pixel) {
  float sum = 0;
  const Range range = axis.InsideOf(output);
  for (int64_t t = range.begin; t < range.end; ++t) {
    const Sample sample = axis.SampleOf(t);
    if (sample.at == pixel) sum = sum + (1 - sample.weight);
    if (sample.weight > 0 && sample.at + 1 == pixel) sum = sum + sample.weight;
  }
  return sum;
}

// The same for all pixels, and how many samples are inside. The first kKept pixels are calculated
// once.
template <int64_t kKept>
struct Weights {
  Axis axis;
  int64_t output;
  Range pixels;
  int64_t inside;
  float kept[kKept];

  constexpr Weights(const Axis& of, int64_t number) : axis(of), output(number) {
    const Range range = axis.InsideOf(output);
    pixels = axis.PixelsOf(range);
    inside = range.end - range.begin;
    for (float& weight : kept) weight = 0;
    for (int64_t t = range.begin; t < range.end; ++t) {
      const Sample sample = axis.SampleOf(t);
      const int64_t k = sample.at - pixels.begin;
      if (k < kKept) kept[k] = kept[k] + (1 - sample.weight);
      if (sample.weight > 0 && k + 1 < kKept) kept[k + 1] = kept[k + 1] + sample.weight;
    }
  }

  // Of one of these pixels.
  constexpr float At(int64_t pixel) const {
    const int64_t k = pixel - pixels.begin;
    return k < kKept ? kept[k] : WeightOf(axis, output, pixel);
  }
};

// pixel(y, x) is an element of the plane as float.
template <typename Weights, typename Pixel>
constexpr float AverageOf(const Plan& plan, const Weights& y, const Weights& x,
                          const Pixel& pixel) {
  float sum = 0;
  for (int64_t i = y.pixels.begin; i < y.pixels.end; ++i) {
    const float of_row = y.At(i);
    if (of_row == 0) continue;
    float row = 0;
    for (int64_t j = x.pixels.begin; j < x.pixels.end; ++j) {
      const float of_column = x.At(j);
      if (of_column != 0) row = row + of_column * pixel(i, j);
    }
    sum = sum + of_row * row;
  }
  const int64_t total = y.axis.samples * x.axis.samples;
  const int64_t missing = total - y.inside * x.inside;
  if (missing > 0) sum = sum + static_cast<float>(missing) * plan.outside;
  return sum / static_cast<float>(total);
}

template <typename Pixel>
constexpr float RowOf(const Sample& x, int64_t y, const Pixel& pixel) {
  float row = 0.0f + (1 - x.weight) * pixel(y, x.at);
  if (x.weight > 0) row = row + x.weight * pixel(y, x.at + 1);
  return row;
}
template <typename Pixel>
constexpr float ValueOf(const Sample& y, const Sample& x, const Pixel& pixel) {
  float value = 0.0f + (1 - y.weight) * RowOf(x, y.at, pixel);
  if (y.weight > 0) value = value + y.weight * RowOf(x, y.at + 1, pixel);
  return value;
}

// The largest of the samples of an output that are inside; NaN wins, and of equal ones the first
// (B6).
struct Winner {
  bool exists;
  float value;
  int64_t y, x;  // numbers of its samples
};
constexpr bool Beats(float value, float best) {
  return value > best || (value != value && best == best);
}
template <typename Pixel>
constexpr Winner WinnerOf(const Region& region, int64_t oy, int64_t ox, const Pixel& pixel) {
  const Axis &ay = region.axes[kY], &ax = region.axes[kX];
  const Range rows = ay.InsideOf(oy), columns = ax.InsideOf(ox);
  Winner best = {};
  for (int64_t ty = rows.begin; ty < rows.end; ++ty) {
    for (int64_t tx = columns.begin; tx < columns.end; ++tx) {
      const float value = ValueOf(ay.SampleOf(ty), ax.SampleOf(tx), pixel);
      if (!best.exists || Beats(value, best.value)) best = {true, value, ty, tx};
    }
  }
  return best;
}

// The same where samples outside take part.
template <typename Pixel>
constexpr float MaximumOf(const Plan& plan, const Region& region, int64_t oy, int64_t ox,
                          const Pixel& pixel) {
  const Winner winner = WinnerOf(region, oy, ox, pixel);
  const Axis &ay = region.axes[kY], &ax = region.axes[kX];
  const Range rows = ay.InsideOf(oy), columns = ax.InsideOf(ox);
  const int64_t first_y = oy * ay.samples, first_x = ox * ax.samples;
  if (!winner.exists) return plan.outside;
  const bool has_outside =
      rows.end - rows.begin < ay.samples || columns.end - columns.begin < ax.samples;
  if (!has_outside) return winner.value;
  // The first sample outside.
  int64_t y = first_y, x = first_x;
  if (rows.begin == first_y && columns.begin == first_x) {
    const bool in_first_row = columns.end < first_x + ax.samples;
    y = in_first_row ? first_y : rows.end;
    x = in_first_row ? columns.end : first_x;
  }
  const bool is_before = y < winner.y || (y == winner.y && x < winner.x);
  const bool outside_wins =
      is_before ? !Beats(winner.value, plan.outside) : Beats(plan.outside, winner.value);
  return outside_wins ? plan.outside : winner.value;
}

// What a sample inside, at these places, adds to the gradients of the four entries of its region
// (B52), where g is its share of the gradient.
struct RoiTerms {
  float entries[4];
};
template <typename Pixel>
constexpr RoiTerms RoiTermsOf(const Plan& plan, const Region& region, int64_t ty, int64_t tx,
                              float g, const Pixel& pixel) {
  const Axis &ay = region.axes[kY], &ax = region.axes[kX];
  const Sample y = ay.SampleOf(ty), x = ax.SampleOf(tx);
  const int64_t below = y.weight > 0 ? y.at + 1 : y.at, right = x.weight > 0 ? x.at + 1 : x.at;
  const float tl = pixel(y.at, x.at), tr = pixel(y.at, right);
  const float bl = pixel(below, x.at), br = pixel(below, right);
  const float gx = (1 - y.weight) * (tr - tl) + y.weight * (br - bl);
  const float gy = (1 - x.weight) * (bl - tl) + x.weight * (br - tr);
  const float fx = ax.FractionOf(tx), fy = ay.FractionOf(ty);
  const float sx = plan.scales[kX], sy = plan.scales[kY];
  return {{(g * gx) * (sx * (1 - fx)), (g * gy) * (sy * (1 - fy)), (g * gx) * (sx * fx),
           (g * gy) * (sy * fy)}};
}

// ---- ROI_POOLING: the largest element of each bin.

struct PoolingPlan {
  DataType type;
  int64_t batches, channels;
  int64_t count;
  std::array<int64_t, 2> image;
  std::array<int64_t, 2> pooled;
  float scale;
  Strides input, output;
  std::array<int64_t, 2> roi;
};

// A corner: halves away from zero; what is not finite counts as 0 (B54).
constexpr int64_t CornerOf(float value, float scale) {
  const float x = value * scale;
  constexpr float kMost = 1 << 30;
  if (!(x - x == 0)) return 0;
  const float size = x < 0 ? -x : x;
  if (size >= kMost) return x < 0 ? -(int64_t{1} << 30) : int64_t{1} << 30;
  // The sum is exact in double.
  const auto rounded = static_cast<int64_t>(static_cast<double>(size) + 0.5);
  return x < 0 ? -rounded : rounded;
}

struct Bin {
  int64_t first, end;
};
constexpr Bin BinOf(int64_t start, int64_t last, int64_t outputs, int64_t o, int64_t size) {
  const auto length = static_cast<uint64_t>(std::max<int64_t>(last - start + 1, 1));
  const auto parts = static_cast<uint64_t>(outputs), part = static_cast<uint64_t>(o);
  const auto from = static_cast<int64_t>(part * length / parts) + start;
  const auto to = static_cast<int64_t>(((part + 1) * length + parts - 1) / parts) + start;
  return {std::max<int64_t>(from, 0), std::min(to, size)};
}

// Where the element of an output lies in the image; -1: nowhere. value(offset) is an element.
template <typename Roi, typename Value>
constexpr int64_t BestOf(const PoolingPlan& plan, int64_t region, int64_t channel, int64_t oy,
                         int64_t ox, const Roi& roi, const Value& value) {
  const float batch = roi(region, 0);
  if (!(batch >= 0 && batch < static_cast<float>(plan.batches))) return -1;
  const Bin rows = BinOf(CornerOf(roi(region, 2), plan.scale), CornerOf(roi(region, 4), plan.scale),
                         plan.pooled[kY], oy, plan.image[kY]);
  const Bin columns =
      BinOf(CornerOf(roi(region, 1), plan.scale), CornerOf(roi(region, 3), plan.scale),
            plan.pooled[kX], ox, plan.image[kX]);
  const int64_t plane = static_cast<int64_t>(batch) * plan.input[0] + channel * plan.input[1];
  int64_t best = -1;
  float greatest = 0;
  for (int64_t i = rows.first; i < rows.end; ++i) {
    for (int64_t j = columns.first; j < columns.end; ++j) {
      const int64_t at = plane + i * plan.input[2] + j * plan.input[3];
      const float x = value(at);
      const bool is_first_nan = x != x && greatest == greatest;
      if (best >= 0 && !(x > greatest) && !is_first_nan) continue;
      best = at;
      greatest = x;
    }
  }
  return best;
}

}  // namespace anydml::regions
