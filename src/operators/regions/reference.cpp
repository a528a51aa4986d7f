// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// ROI_ALIGN, its gradient and ROI_POOLING as B47 to B54 define them: samples of an axis as lists of
// pixels with their weights.
#include "operators/reference.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "operators/reference_sets.h"
#include "operators/regions/desc.h"

namespace anydml::regions {
namespace {

using reference::Coordinate;
using reference::GetFloat;

using Taps = std::vector<std::pair<int64_t, float>>;  // of a sample; none: it is outside

// One axis of one region.
struct ReferenceAxis {
  int64_t samples = 0;  // per output
  float scale = 0;
  std::vector<Taps> taps;                         // of every sample
  std::vector<float> fractions;                   // likewise
  std::vector<std::map<int64_t, float>> weights;  // of every output: per pixel
  std::vector<int64_t> inside;                    // likewise

  ReferenceAxis(const AlignDesc& desc, uint32_t dimension, float p1, float p2, bool is_usable) {
    const int64_t outputs = desc.small.sizes[dimension], size = desc.image.sizes[dimension];
    scale = dimension == 2 ? desc.scale_y : desc.scale_x;
    const float a = p1 * scale, b = p2 * scale, length = b - a;
    const double ratio = std::ceil(length / static_cast<float>(outputs));
    const double cap = std::min<double>(desc.most, static_cast<double>(4194304 / outputs));
    samples = static_cast<int64_t>(std::isnan(ratio) ? desc.least
                                                     : std::clamp<double>(ratio, desc.least, cap));
    const int64_t total = outputs * samples;
    const auto divisor = static_cast<float>(desc.aligns_corners ? total - 1 : total);
    const float step = length / divisor;
    weights.resize(static_cast<size_t>(outputs));
    inside.resize(static_cast<size_t>(outputs));
    for (int64_t t = 0; t < total; ++t) {
      float x = (static_cast<float>(t) - desc.output_offset) * step + a - desc.input_offset;
      float fraction = (static_cast<float>(t) - desc.output_offset) / divisor;
      if (desc.aligns_corners && total == 1) {
        x = (a + b) * 0.5f - desc.input_offset;
        fraction = 0.5f;
      }
      fractions.push_back(fraction);
      taps.push_back(is_usable ? TapsAt(desc, x, size) : Taps());
      const auto output = static_cast<size_t>(t / samples);
      if (!taps.back().empty()) ++inside[output];
      for (const auto& [pixel, weight] : taps.back()) weights[output][pixel] += weight;
    }
  }

  static Taps TapsAt(const AlignDesc& desc, float x, int64_t size) {
    if (!(x >= -1 && x <= static_cast<float>(size))) return {};
    const float c = std::clamp(x, 0.0f, static_cast<float>(size - 1));
    if (desc.is_nearest) return {{static_cast<int64_t>(std::nearbyint(c)), 1.0f}};
    const float floor = std::floor(c), second = c - floor;
    const auto pixel = static_cast<int64_t>(floor);
    if (second == 0) return {{pixel, 1.0f}};
    return {{pixel, 1 - second}, {pixel + 1, second}};
  }
};

struct ReferenceRegion {
  int64_t batch;
  bool is_usable;
  ReferenceAxis y, x;

  static float Entry(const AlignDesc& desc, const void* rois, int64_t r, int64_t i) {
    Coordinate c = {};
    c[desc.rois.dimension_count - 2] = r;
    c[desc.rois.dimension_count - 1] = i;
    return GetFloat(desc.rois, rois, c);
  }
  static uint64_t Index(const AlignDesc& desc, const void* indices, int64_t r) {
    Coordinate c = {};
    c[desc.indices.dimension_count - 1] = r;
    if (desc.indices.data_type == DataType::kUint64) {
      return reference::Get<uint64_t>(desc.indices, indices, c);
    }
    return reference::Get<uint32_t>(desc.indices, indices, c);
  }
  ReferenceRegion(const AlignDesc& desc, const void* rois, const void* indices, int64_t r)
      : batch(static_cast<int64_t>(std::min<uint64_t>(Index(desc, indices, r), 1u << 31))),
        is_usable(Index(desc, indices, r) < desc.image.sizes[0]),
        y(desc, 2, Entry(desc, rois, r, 1), Entry(desc, rois, r, 3), is_usable),
        x(desc, 3, Entry(desc, rois, r, 0), Entry(desc, rois, r, 2), is_usable) {}
};

// Of pixels with their weights.
template <typename List, typename Pixel>
float Interpolate(const List& rows, const List& columns, const Pixel& pixel) {
  float sum = 0;
  for (const auto& [i, of_row] : rows) {
    float row = 0;
    for (const auto& [j, of_column] : columns) row = row + of_column * pixel(i, j);
    sum = sum + of_row * row;
  }
  return sum;
}

struct Best {
  float value;
  size_t ty, tx;
};
// `outside`: the value of samples outside, which otherwise take no part.
template <typename Pixel>
std::optional<Best> FindBest(const ReferenceRegion& region, int64_t oy, int64_t ox,
                             std::optional<float> outside, const Pixel& pixel) {
  std::optional<Best> best;
  for (int64_t i = 0; i < region.y.samples; ++i) {
    for (int64_t j = 0; j < region.x.samples; ++j) {
      const auto ty = static_cast<size_t>(oy * region.y.samples + i);
      const auto tx = static_cast<size_t>(ox * region.x.samples + j);
      const bool is_inside = !region.y.taps[ty].empty() && !region.x.taps[tx].empty();
      if (!is_inside && !outside) continue;
      const float v =
          is_inside ? Interpolate(region.y.taps[ty], region.x.taps[tx], pixel) : *outside;
      if (!best || v > best->value || (std::isnan(v) && !std::isnan(best->value))) {
        best = Best{v, ty, tx};
      }
    }
  }
  return best;
}

auto PixelsOf(const AlignDesc& desc, const void* data, int64_t batch, int64_t channel) {
  return [&desc, data, batch, channel](int64_t i, int64_t j) {
    return GetFloat(desc.input, data, {batch, channel, i, j});
  };
}

}  // namespace

void AlignReference(const AlignDesc& desc, const Bindings& bindings) {
  std::vector<ReferenceRegion> regions;
  for (int64_t r = 0; r < int64_t{desc.small.sizes[0]}; ++r) {
    regions.emplace_back(desc, bindings.inputs[1], bindings.inputs[2], r);
  }
  reference::ForEachCoordinate(desc.small, [&](const Coordinate& c) {
    const ReferenceRegion& region = regions[static_cast<size_t>(c[0])];
    const auto pixel = PixelsOf(desc, bindings.inputs[0], region.batch, c[1]);
    float value = 0;
    if (desc.is_maximum) {
      value = FindBest(region, c[2], c[3], desc.outside, pixel)->value;
    } else {
      const auto oy = static_cast<size_t>(c[2]), ox = static_cast<size_t>(c[3]);
      value = Interpolate(region.y.weights[oy], region.x.weights[ox], pixel);
      const int64_t total = region.y.samples * region.x.samples;
      const int64_t missing = total - region.y.inside[oy] * region.x.inside[ox];
      if (missing > 0) value = value + static_cast<float>(missing) * desc.outside;
      value = value / static_cast<float>(total);
    }
    reference::PutFloat(desc.small, bindings.outputs[0], c, value);
  });
}

void AlignGradReference(const AlignDesc& desc, const Bindings& bindings) {
  std::vector<float> dx(desc.image.ElementCount(), 0.0f);
  const auto add = [&](const Coordinate& c, float term) {
    float& sum = dx[reference::LogicalIndex(desc.image, c)];
    sum = sum + term;
  };
  for (int64_t r = 0; r < int64_t{desc.small.sizes[0]}; ++r) {
    const ReferenceRegion region(desc, bindings.inputs[2], bindings.inputs[3], r);
    const size_t rows = region.y.taps.size(), columns = region.x.taps.size();
    std::array<std::vector<float>, 4> terms;
    for (auto& list : terms) list.resize(desc.small.sizes[1] * rows * columns);
    TensorDesc outputs = desc.small;
    outputs.sizes[0] = 1;
    reference::ForEachCoordinate(outputs, [&](Coordinate c) {
      c[0] = r;
      const auto oy = static_cast<size_t>(c[2]), ox = static_cast<size_t>(c[3]);
      const auto pixel = PixelsOf(desc, bindings.inputs[0], region.batch, c[1]);
      const float dy = GetFloat(desc.small, bindings.inputs[1], c);
      const float total = static_cast<float>(region.y.samples * region.x.samples);
      const float share = desc.is_maximum ? dy : dy / total;
      std::optional<Best> best;
      if (desc.is_maximum) best = FindBest(region, c[2], c[3], std::nullopt, pixel);
      if (desc.is_maximum && !best) return;
      std::map<int64_t, float> of_rows = region.y.weights[oy], of_columns = region.x.weights[ox];
      if (best) {
        of_rows = {region.y.taps[best->ty].begin(), region.y.taps[best->ty].end()};
        of_columns = {region.x.taps[best->tx].begin(), region.x.taps[best->tx].end()};
      }
      for (const auto& [i, a] : of_rows) {
        for (const auto& [j, b] : of_columns) add({region.batch, c[1], i, j}, share * a * b);
      }
      if (desc.is_nearest || !desc.roi_gradient.present()) return;
      for (size_t ty = oy * region.y.samples; ty < (oy + 1) * region.y.samples; ++ty) {
        for (size_t tx = ox * region.x.samples; tx < (ox + 1) * region.x.samples; ++tx) {
          if (best && (best->ty != ty || best->tx != tx)) continue;
          const Taps &y = region.y.taps[ty], &x = region.x.taps[tx];
          if (y.empty() || x.empty()) continue;
          const float wy = y.size() == 2 ? y[1].second : 0, wx = x.size() == 2 ? x[1].second : 0;
          const float tl = pixel(y.front().first, x.front().first);
          const float tr = pixel(y.front().first, x.back().first);
          const float bl = pixel(y.back().first, x.front().first);
          const float br = pixel(y.back().first, x.back().first);
          const float gx = (1 - wy) * (tr - tl) + wy * (br - bl);
          const float gy = (1 - wx) * (bl - tl) + wx * (br - tr);
          const float fx = region.x.fractions[tx], fy = region.y.fractions[ty];
          const size_t at = (static_cast<size_t>(c[1]) * rows + ty) * columns + tx;
          terms[0][at] = share * gx * (region.x.scale * (1 - fx));
          terms[1][at] = share * gy * (region.y.scale * (1 - fy));
          terms[2][at] = share * gx * (region.x.scale * fx);
          terms[3][at] = share * gy * (region.y.scale * fy);
        }
      }
    });
    for (size_t e = 0; e < 4 && desc.roi_gradient.present(); ++e) {
      Coordinate c = {};
      c[desc.roi_gradient.dimension_count - 2] = r;
      c[desc.roi_gradient.dimension_count - 1] = static_cast<int64_t>(e);
      reference::PutFloat(desc.roi_gradient, bindings.outputs[1], c, reference::Sum(terms[e]));
    }
  }
  if (!desc.gradient.present()) return;
  reference::ForEachCoordinate(desc.gradient, [&](const Coordinate& c) {
    reference::PutFloat(desc.gradient, bindings.outputs[0], c,
                        dx[reference::LogicalIndex(desc.gradient, c)]);
  });
}

void PoolingReference(const PoolingDesc& desc, const Bindings& bindings) {
  const auto corner = [&](int64_t r, int64_t i) {
    const float scaled = GetFloat(desc.rois, bindings.inputs[1], {0, 0, r, i}) * desc.scale;
    if (!std::isfinite(scaled)) return int64_t{0};
    return static_cast<int64_t>(std::clamp(std::round(double{scaled}), -0x1p30, 0x1p30));
  };
  // The pixels of bin o of an axis.
  const auto bin = [](int64_t first, int64_t last, double outputs, int64_t o, int64_t size) {
    const auto length = static_cast<double>(std::max<int64_t>(last - first + 1, 1));
    const auto from = static_cast<int64_t>(std::floor(static_cast<double>(o) * length / outputs));
    const auto to = static_cast<int64_t>(std::ceil(static_cast<double>(o + 1) * length / outputs));
    std::vector<int64_t> pixels;
    for (int64_t i = 0; i < size; ++i) {
      if (i >= from + first && i < to + first) pixels.push_back(i);
    }
    return pixels;
  };
  reference::ForEachCoordinate(desc.output, [&](const Coordinate& c) {
    const float batch = GetFloat(desc.rois, bindings.inputs[1], {0, 0, c[0], 0});
    std::optional<Coordinate> best;
    if (batch >= 0 && batch < static_cast<float>(desc.input.sizes[0])) {
      const auto rows =
          bin(corner(c[0], 2), corner(c[0], 4), desc.output.sizes[2], c[2], desc.input.sizes[2]);
      const auto columns =
          bin(corner(c[0], 1), corner(c[0], 3), desc.output.sizes[3], c[3], desc.input.sizes[3]);
      for (int64_t i : rows) {
        for (int64_t j : columns) {
          const Coordinate at = {static_cast<int64_t>(batch), c[1], i, j};
          const float v = GetFloat(desc.input, bindings.inputs[0], at);
          const float most = best ? GetFloat(desc.input, bindings.inputs[0], *best) : v;
          if (!best || v > most || (std::isnan(v) && !std::isnan(most))) best = at;
        }
      }
    }
    if (!best) return reference::PutZero(desc.output, bindings.outputs[0], c);
    reference::Copy(desc.input, bindings.inputs[0], *best, desc.output, bindings.outputs[0], c);
  });
}

}  // namespace anydml::regions
