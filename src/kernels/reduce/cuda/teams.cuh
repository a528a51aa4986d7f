// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Threads that work on a block of a set together. Each has some of the 128 slots of a blocked sum
// (B61): first it combines the elements of its slots, then the halves of all slots are combined,
// those of one thread in registers, those of a warp by shuffles, others through shared memory.
#pragma once

#include "kernels/elementwise/cuda/elementwise.cuh"
#include "kernels/reduce/sets.h"

namespace anydml::reduce {

inline constexpr unsigned kWarp = 32;
inline constexpr unsigned kAllLanes = 0xFFFFFFFFu;

// Partial results are structs of whole words.
template <typename P, typename Shuffle>
__device__ P ByWords(const P& value, const Shuffle& shuffle) {
  static_assert(sizeof(P) % 4 == 0);
  auto words = std::bit_cast<cuda::Pack<uint32_t, sizeof(P) / 4>>(value);
  for (uint32_t& word : words.values) word = shuffle(word);
  return std::bit_cast<P>(words);
}
template <typename P>
__device__ P FromFirstLane(const P& value) {
  return ByWords(value, [](uint32_t word) { return __shfl_sync(kAllLanes, word, 0); });
}

// Slots of neighbouring lanes: the result of all, in every lane.
template <typename P, class Join>
__device__ P FoldWarp(P value, const Join& join) {
  for (unsigned half = kWarp / 2; half > 0; half /= 2) {
    value = join(value, ByWords(value, [half](uint32_t word) {
                   return __shfl_down_sync(kAllLanes, word, half);
                 }));
  }
  return FromFirstLane(value);
}

// A team has kThreads threads of kSlotsEach slots; slot i of a thread is thread + kThreads * i.
// A block of threads has kTeams of them. Teams of one column are for sets one by one.
template <unsigned kThreadsOfTeam, unsigned kColumnsOfTeam = 1>
struct Team {
  static constexpr unsigned kThreads = kThreadsOfTeam;
  static constexpr unsigned kColumns = kColumnsOfTeam;  // sets side by side, one per lane
  static constexpr unsigned kSlotsEach = kThreads == 1 ? kWarp : kSlots / kThreads;
  static constexpr unsigned kTeams = kThreads == 1 ? 256 : kThreads * kColumns == kWarp ? 8 : 1;

  static constexpr unsigned kBlockThreads = kThreads * kColumns * kTeams;

  unsigned thread = kColumns > 1 ? threadIdx.y : kThreads == 1 ? 0 : threadIdx.x;
  unsigned team = kColumns > 1 ? 0 : kThreads == 1 ? threadIdx.x : threadIdx.y;
  unsigned column = kColumns > 1 ? threadIdx.x : 0;

  static dim3 Threads() {
    if (kThreads == 1) return dim3(kTeams);
    return kColumns > 1 ? dim3(kColumns, kThreads) : dim3(kThreads, kTeams);
  }
  __device__ unsigned SlotAt(unsigned i) const { return thread + kThreads * i; }

  // The slots of each column, of which every thread takes part; the result is every thread's.
  template <typename P, class Join>
  __device__ P Fold(P (&slots)[kSlotsEach], const Join& join) const {
    for (unsigned half = kSlotsEach / 2; half > 0; half /= 2) {
      for (unsigned i = 0; i < half; ++i) slots[i] = join(slots[i], slots[i + half]);
    }
    if constexpr (kThreads == 1) {
      return slots[0];
    } else if constexpr (kThreads == kWarp) {
      return FoldWarp(slots[0], join);
    } else {
      __shared__ P shared[kThreads][kColumns];
      shared[thread][column] = slots[0];
      __syncthreads();
      P result;
      if constexpr (kColumns == 1) {
        static_assert(kThreads == kSlots);
        const unsigned lane = thread % kWarp;
        const auto at = [&](unsigned warp) { return shared[lane + warp * kWarp][0]; };
        result = FoldWarp(join(join(at(0), at(2)), join(at(1), at(3))), join);
      } else {
        P all[kThreads];
        for (unsigned i = 0; i < kThreads; ++i) all[i] = shared[i][column];
        for (unsigned half = kThreads / 2; half > 0; half /= 2) {
          for (unsigned i = 0; i < half; ++i) all[i] = join(all[i], all[i + half]);
        }
        result = all[0];
      }
      __syncthreads();
      return result;
    }
  }
};

using ThreadTeam = Team<1>;  // the first 32 slots: the others would be empty
using WarpTeam = Team<kWarp>;
using BlockTeam = Team<kSlots>;
using ColumnTeam = Team<16, kWarp>;
// The longest sets that a thread and a warp take.
inline constexpr uint64_t kThreadElements = ThreadTeam::kSlotsEach;
inline constexpr uint64_t kWarpElements = 1024;

// The elements of a set: where number r of it lies.
template <int N>
struct Inside {
  cuda::Walk<N> walk;
  uint64_t inner;
  int64_t row_steps[N];  // 128 elements further along the innermost dimension

  explicit Inside(const StridedLoop<N>& loop) : walk(loop, loop.rank), inner(loop.inner_size()) {
    for (int t = 0; t < N; ++t) row_steps[t] = loop.inner_stride(t) * int64_t{kSlots};
  }
};

// Walks the elements of a slot.
template <int N>
class SlotWalk {
 public:
  __device__ SlotWalk(const Inside<N>& inside, uint64_t first)
      : inside_(&inside), number_(static_cast<uint32_t>(first)) {
    Seek();
  }

  // Whether the next `count` elements, this one included, lie in one row.
  __device__ bool StaysInRow(uint32_t count) const { return inside_->inner - position_ >= count; }

  __device__ const int64_t (&offsets() const)[N] { return offsets_; }
  __device__ void Next() {
    number_ += kSlots;
    position_ += kSlots;
    if (position_ < inside_->inner) {
      for (int t = 0; t < N; ++t) offsets_[t] += inside_->row_steps[t];
    } else {
      Seek();
    }
  }

 private:
  __device__ void Seek() {
    uint32_t number = number_;
    for (int t = 0; t < N; ++t) offsets_[t] = 0;
#pragma unroll 1
    for (uint32_t i = inside_->walk.rank; i-- > 0;) {
      uint32_t position = number;
      number = inside_->walk.sizes[i].Split(position);
      for (int t = 0; t < N; ++t) offsets_[t] += position * inside_->walk.strides[t][i];
      if (i + 1 == inside_->walk.rank) position_ = position;
    }
  }

  const Inside<N>* inside_;
  // Behind the last element of a set these may begin anew; nobody reads there.
  uint32_t number_;
  uint32_t position_ = 0;
  int64_t offsets_[N];
};

// What teams are given: blocks of sets. Sets are numbered by `order`, in which the columns are
// the innermost dimension; tensors 0 to N - 1 are those of the sets.
template <int N>
struct Work {
  Inside<N> inside;
  cuda::Walk<N> order;
  uint64_t size;  // of each set
  uint64_t sets;
  uint64_t units;
  uint32_t lanes;  // 1: sets one by one
  cuda::Divider blocks;
  cuda::Divider strips;
};

// The share of a team's column.
template <int N>
struct Share {
  uint32_t set;
  uint32_t block;
  uint64_t first;  // of the block's elements
  uint32_t count;  // 0: this column has no set
  int64_t at[N];   // the set's first element
};

// `blocks`: each is a unit; otherwise sets are.
template <int N>
Work<N> MakeWork(const Sets<N>& sets, const Columns<N>* columns, bool by_blocks) {
  StridedLoop<N> order = sets.kept;
  uint64_t lanes = 1;
  if (columns != nullptr) {
    order = columns->outer;
    lanes = columns->lanes;
    if (order.ElementCount() == 1) order.rank = 0;
    order.sizes[order.rank] = lanes;
    for (int t = 0; t < N; ++t) order.strides[t][order.rank] = columns->lane_strides[t];
    ++order.rank;
  }
  const uint64_t strips = (lanes + ColumnTeam::kColumns - 1) / ColumnTeam::kColumns;
  const uint64_t blocks = by_blocks ? (sets.size() + kBlock - 1) / kBlock : 1;
  return {.inside = Inside<N>(sets.reduced),
          .order = cuda::Walk<N>(order, order.rank),
          .size = sets.size(),
          .sets = sets.count(),
          .units = sets.count() / lanes * strips * blocks,
          .lanes = static_cast<uint32_t>(lanes),
          .blocks = cuda::Divider(blocks),
          .strips = cuda::Divider(strips)};
}

template <class T, int N>
__device__ Share<N> ShareOf(const Work<N>& work, const T& team, uint64_t unit) {
  auto strip = static_cast<uint32_t>(unit);
  Share<N> share;
  share.block = work.strips.Split(strip);
  const uint32_t outer = work.blocks.Split(share.block);
  const uint32_t lane = strip * T::kColumns + team.column;
  share.first = uint64_t{share.block} * kBlock;
  const uint64_t left = work.size - share.first;
  share.count = lane < work.lanes ? static_cast<uint32_t>(left < kBlock ? left : kBlock) : 0;
  share.set = outer * work.lanes + (lane < work.lanes ? lane : 0);
  work.order.Offsets(share.set, share.at);
  return share;
}

// Calls body(share) for the units of a team; all threads of a block take the same number of turns.
template <class T, int N, typename Body>
__device__ void ForUnits(const Work<N>& work, const T& team, const Body& body) {
  for (uint64_t first = uint64_t{blockIdx.x} * T::kTeams; first < work.units;
       first += uint64_t{gridDim.x} * T::kTeams) {
    const uint64_t unit = first + team.team;
    if (unit < work.units) body(ShareOf(work, team, unit));
  }
}

template <class T>
unsigned BlocksForTeams(uint64_t units) {
  constexpr uint64_t kMax = 1u << 30;
  const uint64_t blocks = (units + T::kTeams - 1) / T::kTeams;
  return static_cast<unsigned>(blocks < kMax ? blocks : kMax);
}

// The values of an array by a BlockTeam, in the order of B61. Sums of blocks go to `work`, which
// may be the array.
template <typename P, class Join>
__device__ P FoldArray(const BlockTeam& team, const P* values, uint64_t count, P start,
                       const Join& join, P* work) {
  constexpr unsigned kAtOnce = 16;  // one thread block has to hide its own latency
  for (;;) {
    const uint64_t blocks = (count + kBlock - 1) / kBlock;
    P sum = start;
    for (uint64_t b = 0; b < blocks; ++b) {
      const uint64_t end = count < (b + 1) * kBlock ? count : (b + 1) * kBlock;
      P slots[1] = {start};
#pragma unroll 1
      for (uint64_t r = b * kBlock + team.thread; r < end; r += kAtOnce * kSlots) {
        P taken[kAtOnce];
#pragma unroll
        for (unsigned k = 0; k < kAtOnce; ++k) {
          if (r + k * kSlots < end) taken[k] = values[r + k * kSlots];
        }
#pragma unroll
        for (unsigned k = 0; k < kAtOnce; ++k) {
          if (r + k * kSlots < end) slots[0] = join(slots[0], taken[k]);
        }
      }
      sum = team.Fold(slots, join);
      if (blocks > 1 && team.thread == 0) work[b] = sum;
    }
    if (blocks <= 1) return sum;
    __syncthreads();
    values = work;
    count = blocks;
  }
}

// Floats as they are added.
struct Add {
  __device__ float operator()(float a, float b) const { return a + b; }
};

}  // namespace anydml::reduce
