// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Scans with the order of B33: chains of 32 from the neutral element, and the same over their
// totals. A line is one thread's, or one warp's.
#include "kernels/elementwise/cuda/elementwise.cuh"
#include "kernels/reduce/cuda/strategies.h"

namespace anydml::reduce {
namespace {

constexpr unsigned kRadix = 32;
constexpr int kLevels = 7;  // 32^7 elements are more than a tensor has
constexpr unsigned kAllLanes = 0xFFFFFFFFu;

// What every line has.
struct Line {
  uint64_t count;
  int64_t first[2];
  int64_t steps[2];
  bool product;
  bool exclusive;
};

template <typename T>
__device__ T Load(const T& element) {
  return element;
}
__device__ float Load(const Float16& element) { return cuda::Widen(element); }
template <typename T>
__device__ void Store(T value, T& element) {
  element = value;
}
__device__ void Store(float value, Float16& element) { element = cuda::Narrow<Float16>(value); }

template <typename A>
struct Joined {
  bool product;
  __device__ A Start() const { return product ? 1 : 0; }
  __device__ A operator()(A a, A b) const { return product ? a * b : a + b; }
};

// The chains of all levels from `kFirst` on. Level l has the chain of the totals of level l - 1
// and the scan of what lies before that chain.
template <typename A>
class Chains {
 public:
  explicit __device__ Chains(Joined<A> join) : join_(join) {
    for (int l = 0; l < kLevels; ++l) {
      lengths_[l] = 0;
      has_before_[l] = false;
    }
  }

  // Takes one value of level 0; the scan up to it.
  __device__ A Take(A value) {
    const A result = TakeAt(0, value);
    for (int l = 0; lengths_[l] == kRadix; ++l) {
      before_[l] = TakeAt(l + 1, chains_[l]);
      has_before_[l] = true;
      lengths_[l] = 0;
    }
    return result;
  }

 private:
  __device__ A TakeAt(int l, A value) {
    chains_[l] = join_(lengths_[l] == 0 ? join_.Start() : chains_[l], value);
    ++lengths_[l];
    return has_before_[l] ? join_(before_[l], chains_[l]) : chains_[l];
  }

  Joined<A> join_;
  A chains_[kLevels];
  A before_[kLevels];
  unsigned lengths_[kLevels];
  bool has_before_[kLevels];
};

// Lines by their number; those side by side are neighbours.
template <typename T, typename A>
__global__ void ScanLines(Line line, cuda::Walk<2> lines, const T* x, T* y, uint64_t count) {
  const uint64_t number = cuda::ThreadNumber();
  if (number >= count) return;
  int64_t at[2];
  lines.Offsets(static_cast<uint32_t>(number), at);
  const T* from = x + at[0] + line.first[0];
  T* to = y + at[1] + line.first[1];
  const Joined<A> join = {line.product};
  Chains<A> chains(join);
  A result = join.Start();
  for (uint64_t i = 0; i < line.count; ++i, from += line.steps[0], to += line.steps[1]) {
    const A value = Load(*from);  // the output may lie over the input
    if (line.exclusive) Store(result, *to);
    result = chains.Take(value);
    if (!line.exclusive) Store(result, *to);
  }
}

constexpr unsigned kWarps = 4;  // of a block of threads

// 32 chains at a time, one per lane: elements go through shared memory, so that neighbouring
// lanes load and store neighbouring elements.
template <typename T, typename A>
__global__ void ScanLinesByWarps(Line line, cuda::Walk<2> lines, const T* x, T* y, uint64_t count) {
  __shared__ A tiles[kWarps][kRadix][kRadix + 1];
  const unsigned lane = threadIdx.x;
  A(&tile)[kRadix][kRadix + 1] = tiles[threadIdx.y];
  const uint64_t number = uint64_t{blockIdx.x} * kWarps + threadIdx.y;
  if (number >= count) return;
  int64_t at[2];
  lines.Offsets(static_cast<uint32_t>(number), at);
  const Joined<A> join = {line.product};
  Chains<A> chains(join);  // of totals of 32 chains
  A last = join.Start();   // the scan of everything before
  A before = last;         // the same of the chains of 32 before, where there are such
  constexpr uint64_t kTile = kRadix * kRadix;
  for (uint64_t first = 0; first < line.count; first += kTile) {
    const auto each = [&](const auto& body) {
      for (unsigned k = 0; k < kRadix; ++k) {
        const uint64_t i = first + k * kRadix + lane;
        if (i < line.count) body(k, static_cast<int64_t>(i));
      }
    };
    each([&](unsigned k, int64_t i) {
      tile[k][lane] = Load(x[at[0] + line.first[0] + i * line.steps[0]]);
    });
    __syncwarp();
    // Elements behind the end are not looked at.
    const uint64_t left = line.count - first;
    const uint64_t begin = uint64_t{lane} * kRadix;
    const auto length = static_cast<unsigned>(left <= begin           ? 0
                                              : left - begin < kRadix ? left - begin
                                                                      : kRadix);
    A chain = join.Start();
    for (unsigned i = 0; i < length; ++i) tile[lane][i] = chain = join(chain, tile[lane][i]);
    // The chain of the totals: of the lanes before this one, and of all.
    A totals = join.Start(), before_lane = totals;
    for (unsigned l = 0; l < kRadix; ++l) {
      if (l == lane) before_lane = totals;
      totals = join(totals, __shfl_sync(kAllLanes, chain, l));
    }
    const bool is_first = first == 0;
    if (lane > 0) {
      const A prefix = is_first ? before_lane : join(before, before_lane);
      for (unsigned i = 0; i < length; ++i) tile[lane][i] = join(prefix, tile[lane][i]);
    } else if (!is_first) {
      for (unsigned i = 0; i < length; ++i) tile[0][i] = join(last, tile[0][i]);
    }
    __syncwarp();
    const A before_tile = last;
    each([&](unsigned k, int64_t i) {
      A result = tile[k][lane];
      if (line.exclusive) {
        result = lane > 0 ? tile[k][lane - 1] : k > 0 ? tile[k - 1][kRadix - 1] : before_tile;
      }
      Store(result, y[at[1] + line.first[1] + i * line.steps[1]]);
    });
    // Of a whole tile; behind the last one nobody asks.
    last = is_first ? totals : join(before, totals);
    before = chains.Take(totals);
    __syncwarp();
  }
}

// Signed integers would overflow.
template <typename Body>
void DispatchScan(DataType type, const Body& body) {
  if (type == DataType::kFloat32) return body.template operator()<float, float>();
  if (type == DataType::kFloat16) return body.template operator()<Float16, float>();
  ElementSize(type) == 4 ? body.template operator()<uint32_t, uint32_t>()
                         : body.template operator()<uint64_t, uint64_t>();
}

// All lines, those side by side innermost.
StridedLoop<2> LinesOf(const ScanPlan& plan) {
  StridedLoop<2> lines = plan.outer;
  if (lines.ElementCount() == 1) lines.rank = 0;
  lines.sizes[lines.rank] = plan.lanes;
  for (int t = 0; t < 2; ++t) lines.strides[t][lines.rank] = plan.lane_steps[t];
  ++lines.rank;
  return lines;
}

Line LineOf(const ScanPlan& plan) {
  return {plan.count,
          {plan.first[0], plan.first[1]},
          {plan.steps[0], plan.steps[1]},
          plan.product,
          plan.exclusive};
}

template <bool kWarpEach>
void Run(const ScanPlan& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream) {
  const StridedLoop<2> lines = LinesOf(plan);
  const cuda::Walk<2> walk(lines, lines.rank);
  const uint64_t count = lines.ElementCount();
  DispatchScan(plan.type, [&]<typename T, typename A>() {
    const T* const x = bindings.Input<T>(0);
    T* const y = bindings.Output<T>(0);
    if (kWarpEach) {
      ScanLinesByWarps<T, A><<<cuda::BlocksFor(count, kWarps), dim3(kRadix, kWarps), 0, stream>>>(
          LineOf(plan), walk, x, y, count);
    } else {
      ScanLines<T, A><<<cuda::BlocksFor(count), cuda::kThreadsPerBlock, 0, stream>>>(
          LineOf(plan), walk, x, y, count);
    }
  });
}

Refusal AcceptsRows(const ScanPlan& plan) {
  if (plan.count < 2 * kRadix) return {"a line has less than 64 elements"};
  if (plan.lane_steps[0] == 1 && plan.lanes >= 4096) return {"many lines lie side by side"};
  // A grid has that many blocks.
  if (plan.outer.ElementCount() * plan.lanes >= uint64_t{1} << 32) return {"too many lines"};
  return kAccepted;
}

using Strategy = CudaStrategyOf<ScanPlan, NoTables>;

}  // namespace

constinit const CudaStrategy kCudaScans[] = {
    Strategy::Named<AcceptsRows, Run<true>>("rows"),
    Strategy::Named<AcceptsAll<ScanPlan>, Run<false>>("strided"),
};

}  // namespace anydml::reduce
