// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Where the samples of all regions lie is calculated first, into temporary memory. Then a thread
// per element, or per slot of the blocked sums of a region's gradient.
#include "backends/cuda/launch.cuh"
#include "kernels/regions/cuda/strategies.h"
#include "kernels/window/average.h"

namespace anydml::regions {
namespace {

using Floats = TypeList<float, Float16>;
using PixelWeights = Weights<16>;
using window::average::BlockedSum;
using window::average::kBlockTerms;
using window::average::kSlots;
using window::average::TapCount;

template <typename T, typename I>
__global__ void MakeTable(Plan plan, const T* rois, const I* indices, Region* table) {
  const auto r = static_cast<int64_t>(cuda::ThreadNumber());
  if (r >= plan.count) return;
  const auto entry = [&](int64_t i) {
    return cuda::Widen(rois[r * plan.roi[0] + i * plan.roi[1]]);
  };
  const uint64_t batch = indices[r * plan.index_stride];
  const bool is_usable = batch < static_cast<uint64_t>(plan.batches);
  table[r] = {is_usable ? static_cast<int64_t>(batch) : -1,
              {MakeAxis(plan, kY, entry(1), entry(3), is_usable),
               MakeAxis(plan, kX, entry(0), entry(2), is_usable)}};
}

template <typename T>
Region* LaunchTable(const Plan& plan, const Bindings& bindings, size_t first, cuda::Stream stream) {
  Region* const table = bindings.Temporary<Region>();
  const auto count = static_cast<uint64_t>(plan.count);
  DispatchType(TypeList<uint32_t, uint64_t>(), plan.index_type, [&]<typename I>() {
    MakeTable<<<cuda::BlocksFor(count), cuda::kThreadsPerBlock, 0, stream>>>(
        plan, bindings.Input<T>(first), bindings.Input<I>(first + 1), table);
  });
  return table;
}

// The elements of a plane as floats.
template <typename T>
struct Plane {
  const T* plane;
  int64_t row, column;
  __device__ Plane(const Plan& plan, const T* x, int64_t batch, int64_t channel)
      : plane(x + (batch < 0 ? 0 : batch) * plan.input[0] + channel * plan.input[1]),
        row(plan.input[2]),
        column(plan.input[3]) {}
  __device__ float operator()(int64_t i, int64_t j) const {
    return cuda::Widen(plane[i * row + j * column]);
  }
};

// Coordinates of a thread's element of a tensor of these last three sizes.
struct Place {
  int64_t at[4];
  __device__ Place(int64_t number, int64_t channels, int64_t height, int64_t width) {
    at[3] = number % width;
    at[2] = number / width % height;
    at[1] = number / width / height % channels;
    at[0] = number / width / height / channels;
  }
  __device__ int64_t OffsetIn(const Strides& strides) const {
    int64_t offset = 0;
    for (int i = 0; i < 4; ++i) offset += at[i] * strides[i];
    return offset;
  }
};

template <typename T>
__global__ void Align(Plan plan, const Region* table, const T* image, T* y) {
  const auto number = static_cast<int64_t>(cuda::ThreadNumber());
  if (number >= plan.count * plan.channels * plan.pooled[kY] * plan.pooled[kX]) return;
  const Place place(number, plan.channels, plan.pooled[kY], plan.pooled[kX]);
  const Region region = table[place.at[0]];
  const Plane<T> pixel(plan, image, region.batch, place.at[1]);
  float value = 0;
  if (plan.is_maximum) {
    value = MaximumOf(plan, region, place.at[2], place.at[3], pixel);
  } else {
    const PixelWeights of_rows(region.axes[kY], place.at[2]);
    const PixelWeights of_columns(region.axes[kX], place.at[3]);
    value = AverageOf(plan, of_rows, of_columns, pixel);
  }
  y[place.OffsetIn(plan.small)] = cuda::Narrow<T>(value);
}

// Of a sample; 0: it does not have the pixel.
__device__ float WeightIn(const Sample& sample, int64_t pixel) {
  if (sample.at == pixel) return 1 - sample.weight;
  return sample.at + 1 == pixel ? sample.weight : 0;
}

template <typename T>
__global__ void CollectGradients(Plan plan, const Region* table, const T* image, const T* small,
                                 T* dx) {
  const auto number = static_cast<int64_t>(cuda::ThreadNumber());
  if (number >= plan.batches * plan.channels * plan.image[kY] * plan.image[kX]) return;
  const Place place(number, plan.channels, plan.image[kY], plan.image[kX]);
  float sum = 0;
  for (int64_t r = 0; r < plan.count; ++r) {
    if (table[r].batch != place.at[0]) continue;
    const Region region = table[r];
    const Axis &y = region.axes[kY], &x = region.axes[kX];
    if (!y.PixelsOf(y.inside).Has(place.at[2])) continue;
    if (!x.PixelsOf(x.inside).Has(place.at[3])) continue;
    for (int64_t oy = 0; oy < plan.pooled[kY]; ++oy) {
      if (!y.PixelsOf(y.InsideOf(oy)).Has(place.at[2])) continue;
      const float of_row = plan.is_maximum ? 1.0f : WeightOf(y, oy, place.at[2]);
      if (of_row == 0) continue;
      for (int64_t ox = 0; ox < plan.pooled[kX]; ++ox) {
        if (!x.PixelsOf(x.InsideOf(ox)).Has(place.at[3])) continue;
        const float dy = cuda::Widen(small[r * plan.small[0] + place.at[1] * plan.small[1] +
                                           oy * plan.small[2] + ox * plan.small[3]]);
        if (!plan.is_maximum) {
          const float of_column = WeightOf(x, ox, place.at[3]);
          const float share = __fdiv_rn(dy, static_cast<float>(y.samples * x.samples));
          if (of_column != 0) sum = sum + share * of_row * of_column;
          continue;
        }
        const Plane<T> pixel(plan, image, region.batch, place.at[1]);
        const Winner winner = WinnerOf(region, oy, ox, pixel);
        if (!winner.exists) continue;
        const float down = WeightIn(y.SampleOf(winner.y), place.at[2]);
        const float right = WeightIn(x.SampleOf(winner.x), place.at[3]);
        if (down != 0 && right != 0) sum = sum + dy * down * right;
      }
    }
  }
  dx[place.OffsetIn(plan.gradient)] = cuda::Narrow<T>(sum);
}

// ---- The gradient of a region: a block of threads, one per slot of the blocked sums.

// What sample `index` adds, in the order of channels, rows and columns of samples.
template <typename T>
__device__ RoiTerms TermsAt(const Plan& plan, const Region& region, int64_t r, uint64_t index,
                            const T* image, const T* small) {
  const Axis &y = region.axes[kY], &x = region.axes[kX];
  const auto columns = static_cast<uint64_t>(plan.pooled[kX] * x.samples);
  const auto rows = static_cast<uint64_t>(plan.pooled[kY] * y.samples);
  const auto tx = static_cast<int64_t>(index % columns);
  const auto ty = static_cast<int64_t>(index / columns % rows);
  const auto c = static_cast<int64_t>(index / columns / rows);
  if (!y.inside.Has(ty) || !x.inside.Has(tx)) return {};
  const int64_t oy = ty / y.samples, ox = tx / x.samples;
  const Plane<T> pixel(plan, image, region.batch, c);
  const float dy = cuda::Widen(
      small[r * plan.small[0] + c * plan.small[1] + oy * plan.small[2] + ox * plan.small[3]]);
  if (!plan.is_maximum) {
    const float share = __fdiv_rn(dy, static_cast<float>(y.samples * x.samples));
    return RoiTermsOf(plan, region, ty, tx, share, pixel);
  }
  const Winner winner = WinnerOf(region, oy, ox, pixel);
  if (!winner.exists || winner.y != ty || winner.x != tx) return {};
  return RoiTermsOf(plan, region, ty, tx, dy, pixel);
}

// The number of the first sample inside from `index` on, in a region that has some; at least the
// number of all samples where there is none.
__device__ uint64_t NextInside(const Plan& plan, const Region& region, uint64_t index) {
  const Axis &y = region.axes[kY], &x = region.axes[kX];
  const auto columns = static_cast<uint64_t>(plan.pooled[kX] * x.samples);
  const auto rows = static_cast<uint64_t>(plan.pooled[kY] * y.samples);
  auto tx = static_cast<int64_t>(index % columns);
  auto ty = static_cast<int64_t>(index / columns % rows);
  uint64_t c = index / columns / rows;
  if (tx >= x.inside.end) {
    ++ty;
    tx = x.inside.begin;
  }
  if (ty >= y.inside.end) {
    ++c;
    ty = y.inside.begin;
    tx = x.inside.begin;
  } else if (ty < y.inside.begin) {
    ty = y.inside.begin;
    tx = x.inside.begin;
  }
  if (tx < x.inside.begin) tx = x.inside.begin;
  return (c * rows + static_cast<uint64_t>(ty)) * columns + static_cast<uint64_t>(tx);
}

template <typename T>
__global__ void CollectRoiGradients(Plan plan, const Region* table, const T* image, const T* small,
                                    T* droi) {
  __shared__ float slots[4][kSlots];
  const int64_t r = blockIdx.x;
  const Region region = table[r];
  const Range &rows = region.axes[kY].inside, &columns = region.axes[kX].inside;
  const bool has_terms = !plan.is_nearest && region.batch >= 0 && rows.begin < rows.end &&
                         columns.begin < columns.end;
  const uint64_t terms =
      !has_terms ? 0
                 : static_cast<uint64_t>(plan.channels * plan.pooled[kY] * region.axes[kY].samples *
                                         plan.pooled[kX] * region.axes[kX].samples);
  const unsigned slot = threadIdx.x;
  // Thread e has the sums of entry e.
  BlockedSum total(terms);
  float result = 0;
  // Blocks without a sample inside are +0.
  const auto block_from = [&](uint64_t index) {
    return NextInside(plan, region, index) / kBlockTerms * kBlockTerms;
  };
  for (uint64_t first = terms == 0 ? 0 : block_from(0); first < terms;
       first = block_from(first + kBlockTerms)) {
    const uint64_t end = first + kBlockTerms < terms ? first + kBlockTerms : terms;
    float sums[4] = {};
    for (uint64_t i = first + slot; i < end; i += kSlots) {
      const RoiTerms added = TermsAt(plan, region, r, i, image, small);
      for (int e = 0; e < 4; ++e) sums[e] = sums[e] + added.entries[e];
    }
    for (int e = 0; e < 4; ++e) slots[e][slot] = sums[e];
    __syncthreads();
    if (slot < 4) {
      result = window::average::SumOfSlots(slots[slot]);
      if (terms > kBlockTerms) total.AddBlock(first / kBlockTerms, result);
    }
    __syncthreads();
  }
  if (slot >= 4) return;
  if (terms > kBlockTerms) result = total.Finish();
  droi[r * plan.roi_gradient[0] + slot * plan.roi_gradient[1]] = cuda::Narrow<T>(result);
}

template <typename T>
__global__ void PoolRegions(PoolingPlan plan, const T* image, const T* rois, T* y) {
  const auto number = static_cast<int64_t>(cuda::ThreadNumber());
  if (number >= plan.count * plan.channels * plan.pooled[kY] * plan.pooled[kX]) return;
  const Place place(number, plan.channels, plan.pooled[kY], plan.pooled[kX]);
  const auto roi = [&](int64_t r, int64_t i) {
    return cuda::Widen(rois[r * plan.roi[0] + i * plan.roi[1]]);
  };
  const int64_t best = BestOf(plan, place.at[0], place.at[1], place.at[2], place.at[3], roi,
                              [&](int64_t at) { return cuda::Widen(image[at]); });
  y[place.OffsetIn(plan.output)] = best < 0 ? T{} : image[best];
}

uint64_t TableBytes(const Plan& plan) { return static_cast<uint64_t>(plan.count) * sizeof(Region); }

void RunAlign(const Plan& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream) {
  const auto count =
      static_cast<uint64_t>(plan.count * plan.channels * plan.pooled[kY] * plan.pooled[kX]);
  DispatchType(Floats(), plan.type, [&]<typename T>() {
    const Region* const table = LaunchTable<T>(plan, bindings, 1, stream);
    Align<T><<<cuda::BlocksFor(count), cuda::kThreadsPerBlock, 0, stream>>>(
        plan, table, bindings.Input<T>(0), bindings.Output<T>(0));
  });
}

void RunAlignGradient(const Plan& plan, const NoTables&, const Bindings& bindings,
                      cuda::Stream stream) {
  const auto count =
      static_cast<uint64_t>(plan.batches * plan.channels * plan.image[kY] * plan.image[kX]);
  DispatchType(Floats(), plan.type, [&]<typename T>() {
    const Region* const table = LaunchTable<T>(plan, bindings, 2, stream);
    const T* const image = bindings.Input<T>(0);
    const T* const small = bindings.Input<T>(1);
    if (plan.has_gradient) {
      CollectGradients<T><<<cuda::BlocksFor(count), cuda::kThreadsPerBlock, 0, stream>>>(
          plan, table, image, small, bindings.Output<T>(0));
    }
    if (plan.has_roi_gradient) {
      CollectRoiGradients<T><<<static_cast<unsigned>(plan.count), kSlots, 0, stream>>>(
          plan, table, image, small, bindings.Output<T>(1));
    }
  });
}

void RunPooling(const PoolingPlan& plan, const NoTables&, const Bindings& bindings,
                cuda::Stream stream) {
  const auto count =
      static_cast<uint64_t>(plan.count * plan.channels * plan.pooled[kY] * plan.pooled[kX]);
  DispatchType(Floats(), plan.type, [&]<typename T>() {
    PoolRegions<T><<<cuda::BlocksFor(count), cuda::kThreadsPerBlock, 0, stream>>>(
        plan, bindings.Input<T>(0), bindings.Input<T>(1), bindings.Output<T>(0));
  });
}

using Strategy = CudaStrategyOf<Plan, NoTables>;

}  // namespace

constinit const CudaStrategy kCudaAlign[1] = {
    Strategy::Named<AcceptsAll<Plan>, RunAlign, TableBytes>("strided")};
constinit const CudaStrategy kCudaAlignGradient[1] = {
    Strategy::Named<AcceptsAll<Plan>, RunAlignGradient, TableBytes>("strided")};
constinit const CudaStrategy kCudaPooling[1] = {
    CudaStrategyOf<PoolingPlan, NoTables>::Named<AcceptsAll<PoolingPlan>, RunPooling>("strided")};

}  // namespace anydml::regions
