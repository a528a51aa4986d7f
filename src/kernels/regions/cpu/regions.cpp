// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Where the samples of all regions lie is calculated first, into temporary memory. Then: a row of
// outputs of a region at a time, all channels; the gradient of an image plane by plane, that of the
// regions one by one.
#include <algorithm>

#include "base/float16.h"
#include "kernels/regions/cpu/strategies.h"
#include "kernels/window/average.h"

namespace anydml::regions {
namespace {

using Floats = TypeList<float, Float16>;
using Indices = TypeList<uint32_t, uint64_t>;
using PixelWeights = Weights<64>;
using window::average::BlockedSum;
using window::average::TapCount;

constexpr uint64_t kRegionsPerUnit = 64;

float Load(const float& element) { return element; }
float Load(const Float16& element) { return ToFloat(element); }
void Store(float value, float& element) { element = value; }
void Store(float value, Float16& element) { element = ToFloat16(value); }

uint64_t TableBytes(const Plan& plan) { return static_cast<uint64_t>(plan.count) * sizeof(Region); }
// Behind the table: the gradient of the image, before it is rounded.
uint64_t GradientBytes(const Plan& plan) {
  const int64_t elements = plan.batches * plan.channels * plan.image[kY] * plan.image[kX];
  return TableBytes(plan) + (plan.has_gradient ? static_cast<uint64_t>(elements) * 4 : 0);
}

// `first` is the number of the tensor of regions among the inputs; that of indices follows.
template <typename T>
Region* MakeTable(const Plan& plan, const Bindings& bindings, size_t first,
                  const cpu::Executor& executor) {
  Region* const table = bindings.Temporary<Region>();
  const T* const rois = bindings.Input<T>(first);
  DispatchType(Indices(), plan.index_type, [&]<typename I>() {
    const I* const indices = bindings.Input<I>(first + 1);
    executor.ParallelFor(
        static_cast<uint64_t>(plan.count), kRegionsPerUnit, [&](uint64_t begin, uint64_t end) {
          for (auto r = static_cast<int64_t>(begin); r < static_cast<int64_t>(end); ++r) {
            const auto entry = [&](int64_t i) {
              return Load(rois[r * plan.roi[0] + i * plan.roi[1]]);
            };
            const uint64_t batch = indices[r * plan.index_stride];
            const bool is_usable = batch < static_cast<uint64_t>(plan.batches);
            table[r] = {is_usable ? static_cast<int64_t>(batch) : -1,
                        {MakeAxis(plan, kY, entry(1), entry(3), is_usable),
                         MakeAxis(plan, kX, entry(0), entry(2), is_usable)}};
          }
        });
  });
  return table;
}

// The elements of a plane as floats.
template <typename T>
auto PlaneOf(const Plan& plan, const T* x, int64_t batch, int64_t channel) {
  const T* const plane = x + std::max<int64_t>(batch, 0) * plan.input[0] + channel * plan.input[1];
  return [&plan, plane](int64_t i, int64_t j) {
    return Load(plane[i * plan.input[2] + j * plan.input[3]]);
  };
}

void RunAlign(const Plan& plan, const NoTables&, const Bindings& bindings,
              const cpu::Executor& executor) {
  DispatchType(Floats(), plan.type, [&]<typename T>() {
    const Region* const table = MakeTable<T>(plan, bindings, 1, executor);
    const T* const image = bindings.Input<T>(0);
    const auto units = static_cast<uint64_t>(plan.count * plan.pooled[kY]);
    executor.ParallelFor(units, 1, [&](uint64_t begin, uint64_t end) {
      for (uint64_t unit = begin; unit < end; ++unit) {
        const auto r = static_cast<int64_t>(unit) / plan.pooled[kY];
        const auto oy = static_cast<int64_t>(unit) % plan.pooled[kY];
        const Region& region = table[r];
        const PixelWeights y(region.axes[kY], oy);
        for (int64_t ox = 0; ox < plan.pooled[kX]; ++ox) {
          const PixelWeights x(region.axes[kX], ox);
          T* const to =
              bindings.Output<T>(0) + r * plan.small[0] + oy * plan.small[2] + ox * plan.small[3];
          for (int64_t c = 0; c < plan.channels; ++c) {
            const auto pixel = PlaneOf(plan, image, region.batch, c);
            const float value = plan.is_maximum ? MaximumOf(plan, region, oy, ox, pixel)
                                                : AverageOf(plan, y, x, pixel);
            Store(value, to[c * plan.small[1]]);
          }
        }
      }
    });
  });
}

template <typename T>
struct AlignGradient {
  const Plan& plan;
  const Bindings& bindings;
  const Region* table;
  const T* image = bindings.Input<T>(0);
  const T* small = bindings.Input<T>(1);

  float SmallAt(int64_t r, int64_t c, int64_t oy, int64_t ox) const {
    return Load(
        small[r * plan.small[0] + c * plan.small[1] + oy * plan.small[2] + ox * plan.small[3]]);
  }
  static float TotalOf(const Region& region) {
    return static_cast<float>(region.axes[kY].samples * region.axes[kX].samples);
  }
  Winner WinnerAt(const Region& region, int64_t c, int64_t oy, int64_t ox) const {
    return WinnerOf(region, oy, ox, PlaneOf(plan, image, region.batch, c));
  }

  // Of an output, to a plane of the image: ascending, as the outputs come.
  void AddOutput(int64_t r, int64_t c, int64_t oy, int64_t ox, const PixelWeights& y,
                 float* plane) const {
    const Region& region = table[r];
    const float dy = SmallAt(r, c, oy, ox);
    const int64_t width = plan.image[kX];
    if (plan.is_maximum) {
      const Winner winner = WinnerAt(region, c, oy, ox);
      if (!winner.exists) return;
      const Sample sy = region.axes[kY].SampleOf(winner.y), sx = region.axes[kX].SampleOf(winner.x);
      for (int64_t i = 0; i < (sy.weight > 0 ? 2 : 1); ++i) {
        const float of_row = dy * (i == 0 ? 1 - sy.weight : sy.weight);
        for (int64_t j = 0; j < (sx.weight > 0 ? 2 : 1); ++j) {
          float& sum = plane[(sy.at + i) * width + sx.at + j];
          sum = sum + of_row * (j == 0 ? 1 - sx.weight : sx.weight);
        }
      }
      return;
    }
    const PixelWeights x(region.axes[kX], ox);
    const float share = dy / TotalOf(region);
    for (int64_t i = y.pixels.begin; i < y.pixels.end; ++i) {
      if (y.At(i) == 0) continue;
      const float of_row = share * y.At(i);
      for (int64_t j = x.pixels.begin; j < x.pixels.end; ++j) {
        const float weight = x.At(j);
        if (weight != 0) plane[i * width + j] = plane[i * width + j] + of_row * weight;
      }
    }
  }

  void Plane(int64_t b, int64_t c, float* plane) const {
    std::fill_n(plane, plan.image[kY] * plan.image[kX], 0.0f);
    for (int64_t r = 0; r < plan.count; ++r) {
      if (table[r].batch != b) continue;
      for (int64_t oy = 0; oy < plan.pooled[kY]; ++oy) {
        const PixelWeights y(table[r].axes[kY], oy);
        for (int64_t ox = 0; ox < plan.pooled[kX]; ++ox) AddOutput(r, c, oy, ox, y, plane);
      }
    }
    T* const to = bindings.Output<T>(0) + b * plan.gradient[0] + c * plan.gradient[1];
    for (int64_t i = 0; i < plan.image[kY]; ++i) {
      for (int64_t j = 0; j < plan.image[kX]; ++j) {
        Store(plane[i * plan.image[kX] + j], to[i * plan.gradient[2] + j * plan.gradient[3]]);
      }
    }
  }

  // Calls add(tx, share of the gradient) for the samples of row ty that contribute, ascending.
  template <typename Add>
  void ForEachSample(int64_t r, int64_t c, int64_t ty, const Add& add) const {
    const Region& region = table[r];
    const int64_t oy = ty / region.axes[kY].samples;
    for (int64_t ox = 0; ox < plan.pooled[kX]; ++ox) {
      const float dy = SmallAt(r, c, oy, ox);
      if (plan.is_maximum) {
        const Winner winner = WinnerAt(region, c, oy, ox);
        if (winner.exists && winner.y == ty) add(winner.x, dy);
        continue;
      }
      const float share = dy / TotalOf(region);
      const Range range = region.axes[kX].InsideOf(ox);
      for (int64_t tx = range.begin; tx < range.end; ++tx) add(tx, share);
    }
  }

  void Roi(int64_t r) const {
    const Region& region = table[r];
    float results[4] = {};
    if (!plan.is_nearest && region.batch >= 0) {
      const int64_t rows = plan.pooled[kY] * region.axes[kY].samples;
      const int64_t columns = plan.pooled[kX] * region.axes[kX].samples;
      const TapCount terms = static_cast<TapCount>(plan.channels) * static_cast<TapCount>(rows) *
                             static_cast<TapCount>(columns);
      BlockedSum sums[4] = {BlockedSum(terms), BlockedSum(terms), BlockedSum(terms),
                            BlockedSum(terms)};
      for (int64_t c = 0; c < plan.channels; ++c) {
        const auto pixel = PlaneOf(plan, image, region.batch, c);
        const Range inside = region.axes[kY].inside;
        for (int64_t ty = inside.begin; ty < inside.end; ++ty) {
          const TapCount row =
              (static_cast<TapCount>(c) * static_cast<TapCount>(rows) + static_cast<TapCount>(ty)) *
              static_cast<TapCount>(columns);
          ForEachSample(r, c, ty, [&](int64_t tx, float share) {
            const RoiTerms added = RoiTermsOf(plan, region, ty, tx, share, pixel);
            for (int e = 0; e < 4; ++e) {
              sums[e].Add(row + static_cast<TapCount>(tx), added.entries[e]);
            }
          });
        }
      }
      for (int e = 0; e < 4; ++e) results[e] = sums[e].Finish();
    }
    T* const to = bindings.Output<T>(1) + r * plan.roi_gradient[0];
    for (int64_t e = 0; e < 4; ++e) Store(results[e], to[e * plan.roi_gradient[1]]);
  }
};

void RunAlignGradient(const Plan& plan, const NoTables&, const Bindings& bindings,
                      const cpu::Executor& executor) {
  DispatchType(Floats(), plan.type, [&]<typename T>() {
    const Region* const table = MakeTable<T>(plan, bindings, 2, executor);
    const AlignGradient<T> gradient = {plan, bindings, table};
    if (plan.has_gradient) {
      auto* const planes = reinterpret_cast<float*>(bindings.Temporary<Region>() + plan.count);
      const int64_t size = plan.image[kY] * plan.image[kX];
      executor.ParallelFor(
          static_cast<uint64_t>(plan.batches * plan.channels), 1,
          [&](uint64_t begin, uint64_t end) {
            for (auto p = static_cast<int64_t>(begin); p < static_cast<int64_t>(end); ++p) {
              gradient.Plane(p / plan.channels, p % plan.channels, planes + p * size);
            }
          });
    }
    if (plan.has_roi_gradient) {
      executor.ParallelFor(static_cast<uint64_t>(plan.count), 1, [&](uint64_t begin, uint64_t end) {
        for (uint64_t r = begin; r < end; ++r) gradient.Roi(static_cast<int64_t>(r));
      });
    }
  });
}

void RunPooling(const PoolingPlan& plan, const NoTables&, const Bindings& bindings,
                const cpu::Executor& executor) {
  DispatchType(Floats(), plan.type, [&]<typename T>() {
    const T* const image = bindings.Input<T>(0);
    const T* const rois = bindings.Input<T>(1);
    const auto roi = [&](int64_t r, int64_t i) {
      return Load(rois[r * plan.roi[0] + i * plan.roi[1]]);
    };
    const auto value = [&](int64_t at) { return Load(image[at]); };
    const auto units = static_cast<uint64_t>(plan.count * plan.channels);
    executor.ParallelFor(units, 16, [&](uint64_t begin, uint64_t end) {
      for (auto unit = static_cast<int64_t>(begin); unit < static_cast<int64_t>(end); ++unit) {
        const int64_t r = unit / plan.channels, c = unit % plan.channels;
        for (int64_t oy = 0; oy < plan.pooled[kY]; ++oy) {
          for (int64_t ox = 0; ox < plan.pooled[kX]; ++ox) {
            const int64_t best = BestOf(plan, r, c, oy, ox, roi, value);
            bindings.Output<T>(0)[r * plan.output[0] + c * plan.output[1] + oy * plan.output[2] +
                                  ox * plan.output[3]] = best < 0 ? T{} : image[best];
          }
        }
      }
    });
  });
}

using Strategy = StrategyOf<Plan, NoTables>;

}  // namespace

constinit const std::array<CpuStrategy, 1> kAlignStrategies = {
    Strategy::Named<AcceptsAll<Plan>, RunAlign, TableBytes>("strided")};
constinit const std::array<CpuStrategy, 1> kAlignGradientStrategies = {
    Strategy::Named<AcceptsAll<Plan>, RunAlignGradient, GradientBytes>("strided")};
constinit const std::array<CpuStrategy, 1> kPoolingStrategies = {
    StrategyOf<PoolingPlan, NoTables>::Named<AcceptsAll<PoolingPlan>, RunPooling>("strided")};

}  // namespace anydml::regions
