// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The first elements of lines in an order. A block of threads finds the last one that is wanted,
// digit by digit of its rank and, among equal ones, of its index; collects all up to it in any
// order; and sorts them.
#include <limits>

#include "backends/cuda/launch.cuh"
#include "kernels/elementwise/cuda/elementwise.cuh"
#include "kernels/move/cuda/strategies.h"

namespace anydml::move {
namespace {

constexpr unsigned kThreads = 256;
constexpr uint64_t kSharedItems = 1024;
constexpr unsigned kAllLanes = 0xFFFFFFFFu;

struct Item {
  uint64_t rank;
  uint32_t index;
  __device__ bool IsBefore(const Item& o) const {
    return rank != o.rank ? rank < o.rank : index < o.index;
  }
};

struct Line {
  uint64_t count;
  uint64_t k;
  int64_t steps[3];
  bool increasing;
  bool has_wide_indices;
};

template <typename T>
__device__ uint64_t UnsignedRank(T x, bool increasing) {
  using R = Rank<T>;
  const R rank = RankOf(x, increasing);
  return static_cast<std::make_unsigned_t<R>>(rank ^ std::numeric_limits<R>::min());
}

// What is known of the last item: the digits under the masks.
struct Last {
  Item masks;
  Item digits;
  uint32_t wanted;  // of the items that have these digits
  bool is_found;    // all of them

  __device__ Item Masked(const Item& item) const {
    return {item.rank & masks.rank, item.index & masks.index};
  }
  __device__ bool Matches(const Item& item) const {
    const Item masked = Masked(item);
    return masked.rank == digits.rank && masked.index == digits.index;
  }
  __device__ bool IsWanted(const Item& item) const { return !digits.IsBefore(Masked(item)); }
};

// One digit of items with ranks of kRankDigits, most significant first; then those of the index.
template <int kRankDigits>
struct Digit {
  int shift;
  bool of_rank;

  explicit __device__ Digit(int number)
      : shift(8 * (number < kRankDigits ? kRankDigits - 1 - number : kRankDigits + 3 - number)),
        of_rank(number < kRankDigits) {}
  __device__ unsigned In(const Item& item) const {
    return static_cast<unsigned>(of_rank ? item.rank >> shift : item.index >> shift) & 0xFF;
  }
  __device__ void Put(unsigned digit, Item& item) const {
    if (of_rank) {
      item.rank |= uint64_t{digit} << shift;
    } else {
      item.index |= digit << shift;
    }
  }
};

// By the first warp: the digit of the last item, from the numbers of items with each digit.
template <int kRankDigits>
__device__ void ChooseDigit(const uint32_t (&histogram)[256], Digit<kRankDigits> digit,
                            Last& last) {
  const unsigned lane = threadIdx.x, first = lane * 8;
  const uint32_t wanted = last.wanted;
  uint32_t sum = 0;
  for (unsigned i = 0; i < 8; ++i) sum += histogram[first + i];
  uint32_t until = sum;
  for (unsigned step = 1; step < 32; step *= 2) {
    const uint32_t other = __shfl_up_sync(kAllLanes, until, step);
    if (lane >= step) until += other;
  }
  uint32_t before = until - sum;
  if (before >= wanted || until < wanted) return;
  unsigned chosen = first;
  while (before + histogram[chosen] < wanted) before += histogram[chosen++];
  last.wanted = wanted - before;
  last.is_found = histogram[chosen] == last.wanted;
  digit.Put(0xFF, last.masks);
  digit.Put(chosen, last.digits);
}

template <typename T>
__device__ Item ItemAt(const T* x, const Line& line, uint64_t i) {
  return {UnsignedRank(x[static_cast<int64_t>(i) * line.steps[0]], line.increasing),
          static_cast<uint32_t>(i)};
}

// Items of a power of two.
__device__ void Sort(Item* items, uint64_t count) {
  for (uint64_t size = 2; size <= count; size *= 2) {
    for (uint64_t step = size / 2; step > 0; step /= 2) {
      for (uint64_t i = threadIdx.x; i < count / 2; i += kThreads) {
        const uint64_t at = 2 * i - (i & (step - 1));
        const Item a = items[at], b = items[at + step];
        if (b.IsBefore(a) != ((at & size) == 0)) continue;
        items[at] = b;
        items[at + step] = a;
      }
      __syncthreads();
    }
  }
}

template <typename T>
__global__ void FindLines(Line line, cuda::Walk<3> lines, uint64_t line_count, const T* inputs,
                          T* values, void* indices, Item* temporary, uint64_t padded) {
  constexpr int kRankDigits = sizeof(Rank<T>);
  __shared__ uint32_t histogram[256];
  __shared__ Item shared[kSharedItems];
  __shared__ Last last;
  __shared__ uint32_t taken;
  Item* const items = padded <= kSharedItems ? shared : temporary + blockIdx.x * padded;
  for (uint64_t number = blockIdx.x; number < line_count; number += gridDim.x) {
    int64_t at[3];
    lines.Offsets(static_cast<uint32_t>(number), at);
    const T* x = inputs + at[0];
    if (threadIdx.x == 0) {
      last = {{0, 0}, {0, 0}, static_cast<uint32_t>(line.k), line.k == line.count};
      taken = 0;
    }
    __syncthreads();
    for (int d = 0; d < kRankDigits + 4 && !last.is_found; ++d) {
      const Digit<kRankDigits> digit(d);
      for (unsigned i = threadIdx.x; i < 256; i += kThreads) histogram[i] = 0;
      __syncthreads();
      for (uint64_t i = threadIdx.x; i < line.count; i += kThreads) {
        const Item item = ItemAt(x, line, i);
        if (last.Matches(item)) atomicAdd(&histogram[digit.In(item)], 1u);
      }
      __syncthreads();
      if (threadIdx.x < 32) ChooseDigit(histogram, digit, last);
      __syncthreads();
    }
    for (uint64_t i = threadIdx.x; i < line.count; i += kThreads) {
      const Item item = ItemAt(x, line, i);
      if (last.IsWanted(item)) items[atomicAdd(&taken, 1u)] = item;
    }
    for (uint64_t i = line.k + threadIdx.x; i < padded; i += kThreads) {
      items[i] = {~uint64_t{0}, ~uint32_t{0}};
    }
    __syncthreads();
    Sort(items, padded);
    for (uint64_t k = threadIdx.x; k < line.k; k += kThreads) {
      const uint32_t index = items[k].index;
      const auto i = static_cast<int64_t>(k);
      values[at[1] + i * line.steps[1]] = x[static_cast<int64_t>(index) * line.steps[0]];
      const int64_t to = at[2] + i * line.steps[2];
      if (line.has_wide_indices) {
        static_cast<uint64_t*>(indices)[to] = index;
      } else {
        static_cast<uint32_t*>(indices)[to] = index;
      }
    }
    __syncthreads();
  }
}

uint64_t Padded(const TopK& plan) { return std::bit_ceil(plan.k); }

// Each has a line at a time; in temporary memory of about 64 MiB where it is too long for shared.
uint64_t BlockCount(const TopK& plan) {
  constexpr uint64_t kMost = uint64_t{1} << 20, kMostItems = uint64_t{1} << 22;
  const uint64_t most = Padded(plan) <= kSharedItems ? kMost : kMostItems / Padded(plan);
  return std::min(plan.lines.ElementCount(), most == 0 ? uint64_t{1} : most);
}
uint64_t ItemBytes(const TopK& plan) {
  return Padded(plan) <= kSharedItems ? 0 : BlockCount(plan) * Padded(plan) * sizeof(Item);
}

void RunTopK(const TopK& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream) {
  const Line line = {plan.count,
                     plan.k,
                     {plan.steps[0], plan.steps[1], plan.steps[2]},
                     plan.increasing,
                     plan.index_type == DataType::kUint64};
  DispatchType(reduce::ExtremeTypes(), plan.type, [&]<typename T>() {
    FindLines<T><<<static_cast<unsigned>(BlockCount(plan)), kThreads, 0, stream>>>(
        line, cuda::Walk<3>(plan.lines, plan.lines.rank), plan.lines.ElementCount(),
        bindings.Input<T>(0), bindings.Output<T>(0), bindings.outputs[1],
        bindings.Temporary<Item>(), Padded(plan));
  });
}

using Strategy = CudaStrategyOf<TopK, NoTables>;

}  // namespace

constinit const CudaStrategy kCudaTopK[] = {
    Strategy::Named<AcceptsAll<TopK>, RunTopK, ItemBytes>("strided"),
};

}  // namespace anydml::move
