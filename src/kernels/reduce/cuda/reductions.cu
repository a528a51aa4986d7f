// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Reductions: partial results of blocks, and of these the set's. Types and functions that a kernel
// can tell apart by data are not template parameters: memory is what these kernels wait for.
#include "kernels/math/scalar.h"
#include "kernels/reduce/cuda/strategies.h"
#include "kernels/reduce/cuda/teams.cuh"
#include "kernels/reduce/extreme_keys.h"

namespace anydml::reduce {
namespace {

enum class Terms : uint8_t { kAsTheyAre, kAbsolutes, kSquares };

bool FindsIndices(const Plan& plan) {
  return plan.function == Function::kArgMax || plan.function == Function::kArgMin;
}
Terms TermsOf(const Plan& plan) {
  const bool is_signed = !SetOf(TypeList<uint32_t, uint64_t>()).Contains(plan.type);
  if (plan.function == Function::kL1 && is_signed) return Terms::kAbsolutes;
  const bool squares = plan.function == Function::kL2 || plan.function == Function::kSumSquare;
  return squares ? Terms::kSquares : Terms::kAsTheyAre;
}

// ---- What is made of elements. A Fold has the type of an Element and of a Partial result, the
// result of no element, Take, Join and Put, which writes an output element.

template <typename T>
struct FloatFold {
  using Element = T;
  using Partial = float;
  Function function;
  Terms terms;
  bool product;
  float size;

  explicit FloatFold(const Plan& plan)
      : function(plan.function),
        terms(TermsOf(plan)),
        product(plan.function == Function::kMultiply),
        size(static_cast<float>(plan.sets.size())) {}

  __device__ float Start() const { return product ? 1.0f : 0.0f; }
  __device__ float Join(float a, float b) const { return product ? a * b : a + b; }
  __device__ float Take(float partial, T element, uint64_t) const {
    const float x = cuda::Widen(element);
    return Join(partial, terms == Terms::kAsTheyAre   ? x
                         : terms == Terms::kAbsolutes ? fabsf(x)
                                                      : x * x);
  }
  __device__ void Put(float sum, void* y, int64_t at) const {
    if (function == Function::kAverage) sum = __fdiv_rn(sum, size);
    if (function == Function::kL2) sum = __fsqrt_rn(sum);
    if (function == Function::kLogSum) sum = math::Rounded<math::Log>(sum);
    static_cast<T*>(y)[at] = cuda::Narrow<T>(sum);
  }
};

// Modulo 2^n.
template <typename T>
struct IntegerFold {
  using Element = T;
  using Partial = T;
  Terms terms;
  bool product;

  explicit IntegerFold(const Plan& plan)
      : terms(TermsOf(plan)), product(plan.function == Function::kMultiply) {}

  __device__ T Start() const { return product ? 1 : 0; }
  __device__ T Join(T a, T b) const { return product ? a * b : a + b; }
  __device__ T Take(T partial, T x, uint64_t) const {
    const bool negative = static_cast<std::make_signed_t<T>>(x) < 0;
    if (terms == Terms::kAbsolutes && negative) x = 0 - x;
    return Join(partial, terms == Terms::kSquares ? x * x : x);
  }
  __device__ void Put(T sum, void* y, int64_t at) const { static_cast<T*>(y)[at] = sum; }
};

// Of elements of so many bits: the best one and where it is (B66).
template <typename Bits>
struct ExtremeFold {
  using Element = Bits;
  using Signed = std::make_signed_t<Bits>;
  using Key = std::conditional_t<sizeof(Bits) == 8, int64_t, int32_t>;
  // As words, since a struct of 8 and 4 bytes has holes.
  struct Partial {
    Key key;
    std::conditional_t<sizeof(Bits) == 8, uint64_t, uint32_t> index;
  };
  static constexpr Bits kTop = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));

  ExtremeSettings settings;
  bool is_float;
  bool is_unsigned;
  bool finds_index;
  bool last;
  uint32_t index_bytes;

  explicit ExtremeFold(const Plan& plan)
      : settings{.least = plan.function == Function::kMin || plan.function == Function::kArgMin,
                 .ties_zeros = FindsIndices(plan)},
        is_float(SetOf(TypeList<float, Float16>()).Contains(plan.type)),
        is_unsigned(SetOf(TypeList<uint64_t, uint32_t, uint16_t, uint8_t>()).Contains(plan.type)),
        finds_index(FindsIndices(plan)),
        last(plan.last),
        index_bytes(ElementSize(plan.output_type)) {}

  __device__ Key KeyOfElement(Bits bits) const {
    if constexpr (sizeof(Bits) == 4 || sizeof(Bits) == 2) {
      using T = std::conditional_t<sizeof(Bits) == 4, float, Float16>;
      if (is_float) return ExtremeKey(std::bit_cast<T>(bits), settings);
    }
    return ExtremeKey(static_cast<Signed>(is_unsigned ? bits ^ kTop : bits), settings);
  }
  __device__ Bits ElementOf(Key key) const {
    if constexpr (sizeof(Bits) == 4 || sizeof(Bits) == 2) {
      using T = std::conditional_t<sizeof(Bits) == 4, float, Float16>;
      if (is_float) {
        return std::bit_cast<Bits>(ElementOfKey<T>(static_cast<KeyOf<T>>(key), settings));
      }
    }
    const auto bits = static_cast<Bits>(ElementOfKey<Signed>(static_cast<Signed>(key), settings));
    return is_unsigned ? bits ^ kTop : bits;
  }

  // No element: worse than all, since between equal keys it has the index that loses.
  __device__ Partial Start() const {
    return {std::numeric_limits<Key>::min(), last ? 0 : static_cast<decltype(Partial::index)>(-1)};
  }
  __device__ Partial Join(const Partial& a, const Partial& b) const {
    const bool later = last ? b.index > a.index : b.index < a.index;
    return b.key > a.key || (b.key == a.key && later) ? b : a;
  }
  __device__ Partial Take(const Partial& partial, Bits element, uint64_t number) const {
    return Join(partial, {KeyOfElement(element), static_cast<decltype(Partial::index)>(number)});
  }
  __device__ void Put(const Partial& best, void* y, int64_t at) const {
    if (!finds_index) {
      static_cast<Bits*>(y)[at] = ElementOf(best.key);
    } else if (index_bytes == 8) {
      static_cast<uint64_t*>(y)[at] = best.index;
    } else {
      static_cast<uint32_t*>(y)[at] = static_cast<uint32_t>(best.index);
    }
  }
};

// ---- Kernels.

constexpr int kAtOnce = 8;  // loads of a thread before the first of them is needed

template <class Fold, class T>
__device__ typename Fold::Partial FoldSlot(const Fold& fold, const Work<2>& work,
                                           const Share<2>& share, const T& team, unsigned slot,
                                           const typename Fold::Element* x) {
  typename Fold::Partial partial = fold.Start();
  if (slot >= share.count) return partial;
  SlotWalk<2> walk(work.inside, share.first + slot);
  if constexpr (T::kThreads == 1) {
    partial = fold.Take(partial, x[walk.offsets()[0]], slot);
  } else if (walk.StaysInRow(share.count - slot)) {
    const auto* at = x + walk.offsets()[0];
    const int64_t step = work.inside.row_steps[0];
#pragma unroll 1
    for (uint32_t r = slot; r < share.count; r += kAtOnce * kSlots) {
      typename Fold::Element elements[kAtOnce];
#pragma unroll
      for (uint32_t k = 0; k < kAtOnce; ++k, at += step) {
        if (r + k * kSlots < share.count) elements[k] = *at;
      }
#pragma unroll
      for (uint32_t k = 0; k < kAtOnce; ++k) {
        if (r + k * kSlots >= share.count) break;
        partial = fold.Take(partial, elements[k], share.first + r + k * kSlots);
      }
    }
  } else {
#pragma unroll 1
    for (uint32_t r = slot; r < share.count; r += kAtOnce * kSlots) {
      typename Fold::Element elements[kAtOnce];
#pragma unroll
      for (uint32_t k = 0; k < kAtOnce; ++k, walk.Next()) {
        if (r + k * kSlots < share.count) elements[k] = x[walk.offsets()[0]];
      }
#pragma unroll
      for (uint32_t k = 0; k < kAtOnce; ++k) {
        if (r + k * kSlots >= share.count) break;
        partial = fold.Take(partial, elements[k], share.first + r + k * kSlots);
      }
    }
  }
  return partial;
}

template <class T, class Fold>
__global__ void __launch_bounds__(T::kBlockThreads)
    FoldBlocks(Fold fold, Work<2> work, const typename Fold::Element* x, void* y,
               typename Fold::Partial* partials) {
  const T team;
  const auto join = [&fold](const auto& a, const auto& b) { return fold.Join(a, b); };
  ForUnits(work, team, [&](const Share<2>& share) {
    typename Fold::Partial slots[T::kSlotsEach];
    for (unsigned i = 0; i < T::kSlotsEach; ++i) {
      slots[i] = FoldSlot(fold, work, share, team, team.SlotAt(i), x + share.at[0]);
    }
    const auto partial = team.Fold(slots, join);
    if (team.thread != 0 || share.count == 0) return;
    if (work.size <= kBlock) {
      fold.Put(partial, y, share.at[1]);
    } else {
      partials[uint64_t{share.set} * work.blocks.divisor() + share.block] = partial;
    }
  });
}

template <class Fold>
__global__ void FoldPartials(Fold fold, Work<2> work, void* y, typename Fold::Partial* partials) {
  const BlockTeam team;
  const auto join = [&fold](const auto& a, const auto& b) { return fold.Join(a, b); };
  for (uint64_t set = blockIdx.x; set < work.sets; set += gridDim.x) {
    const uint64_t blocks = work.blocks.divisor();
    auto* const of_set = partials + set * blocks;
    const auto result = FoldArray(team, of_set, blocks, fold.Start(), join, of_set);
    int64_t at[2];
    work.order.Offsets(static_cast<uint32_t>(set), at);
    if (team.thread == 0) fold.Put(result, y, at[1]);
  }
}

template <class T, class Fold>
void Launch(const Fold& fold, const Work<2>& work, const Bindings& bindings, cuda::Stream stream) {
  using Partial = typename Fold::Partial;
  auto* const partials = bindings.Temporary<Partial>();
  FoldBlocks<T, Fold><<<BlocksForTeams<T>(work.units), T::Threads(), 0, stream>>>(
      fold, work, bindings.Input<typename Fold::Element>(0), bindings.outputs[0], partials);
  if (work.size <= kBlock) return;
  FoldPartials<Fold><<<BlocksForTeams<BlockTeam>(work.sets), BlockTeam::Threads(), 0, stream>>>(
      fold, work, bindings.outputs[0], partials);
}

template <bool kColumns, class Fold>
void RunFold(const Plan& plan, const Bindings& bindings, cuda::Stream stream) {
  // Sets one by one are in the order of the output: neighbouring threads have neighbouring sets.
  const bool is_short = plan.sets.size() <= kThreadElements;
  const Columns<2>* const columns = kColumns && !is_short ? &plan.columns : nullptr;
  const Work<2> work = MakeWork(plan.sets, columns, /*by_blocks=*/true);
  if (is_short) {
    Launch<ThreadTeam>(Fold(plan), work, bindings, stream);
  } else if (kColumns) {
    Launch<ColumnTeam>(Fold(plan), work, bindings, stream);
  } else if (work.size <= kWarpElements) {
    Launch<WarpTeam>(Fold(plan), work, bindings, stream);
  } else {
    Launch<BlockTeam>(Fold(plan), work, bindings, stream);
  }
}

template <bool kColumns>
void Run(const Plan& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream) {
  if (plan.function == Function::kLogSumExp) {
    return RunLogSumExp(plan, bindings, stream);
  }
  if (FindsIndices(plan) || plan.function == Function::kMax || plan.function == Function::kMin) {
    DispatchWidth(ElementSize(plan.type), [&]<typename Bits>() {
      RunFold<kColumns, ExtremeFold<Bits>>(plan, bindings, stream);
    });
  } else if (!DispatchType(TypeList<float, Float16>(), plan.type, [&]<typename T>() {
               RunFold<kColumns, FloatFold<T>>(plan, bindings, stream);
             })) {
    ElementSize(plan.type) == 4 ? RunFold<kColumns, IntegerFold<uint32_t>>(plan, bindings, stream)
                                : RunFold<kColumns, IntegerFold<uint64_t>>(plan, bindings, stream);
  }
}

Refusal AcceptsColumns(const Plan& plan) {
  if (plan.function == Function::kLogSumExp) return {"sums of exponentials are found set by set"};
  return AcceptsLanes(plan.columns.lanes);
}

// The greatest partial result has 16 bytes.
uint64_t TemporaryBytes(const Plan& plan) {
  const uint64_t blocks = (plan.sets.size() + kBlock - 1) / kBlock;
  return blocks == 1 ? 0 : plan.sets.count() * blocks * 16;
}

using Strategy = CudaStrategyOf<Plan, NoTables>;

}  // namespace

constinit const CudaStrategy kCudaReductions[] = {
    Strategy::Named<AcceptsColumns, Run<true>, TemporaryBytes>("columns"),
    Strategy::Named<AcceptsAll<Plan>, Run<false>, TemporaryBytes>("strided"),
};

}  // namespace anydml::reduce
