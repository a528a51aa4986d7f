// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The table of block kernels. Sums of floats have the order of B61; sums of integers are modulo
// 2^n and extremes are the same in any order (B66, B67), so these are plain loops with as many
// accumulators as make good vectors.
#include "kernels/reduce/cpu/block_kernels.h"

#include <bit>
#include <limits>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/reduce/cpu/block_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/prefetch.h"
#include "kernels/reduce/cpu/sums-inl.h"
#include "kernels/reduce/extreme_keys.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::reduce {
namespace HWY_NAMESPACE {

template <class Op, class Map, typename T>
struct Sum {
  static void Block(ExtremeSettings, const void* x, uint64_t count, void* partial) {
    *static_cast<float*>(partial) = SumBlock<Op, Map>(static_cast<const T*>(x), count);
  }
  static void Columns(ExtremeSettings, const void* x, const int64_t* offsets, uint64_t count,
                      uint64_t lanes, void* partials, StripBuffer& buffer) {
    SumColumns<Op, Map>(static_cast<const T*>(x), offsets, count, lanes,
                        static_cast<float*>(partials), buffer);
  }
  static void Combine(void* partials, uint64_t count) {
    SumOfSums<Op>(static_cast<float*>(partials), count);
  }
  static void CombineColumns(void* partials, const int64_t* offsets, uint64_t count, uint64_t lanes,
                             void* results, StripBuffer& buffer) {
    SumColumns<Op, AsItIs>(static_cast<const float*>(partials), offsets, count, lanes,
                           static_cast<float*>(results), buffer);
  }
  static constexpr BlockKernel kKernel = {sizeof(float), Block, Columns, Combine, CombineColumns};
};

// Integers are unsigned: signed arithmetic must not overflow.
struct AddTerms {
  template <typename T>
  static T Start() {
    return 0;
  }
  template <typename T>
  static T Combine(T a, T b) {
    return static_cast<T>(a + b);
  }
};
struct MultiplyTerms {
  template <typename T>
  static T Start() {
    return 1;
  }
  template <typename T>
  static T Combine(T a, T b) {
    return static_cast<T>(a * b);
  }
};
struct TakeGreatest {
  template <typename T>
  static T Start() {
    return std::numeric_limits<T>::lowest();
  }
  template <typename T>
  static T Combine(T a, T b) {
    return a > b ? a : b;
  }
};

struct Term {
  template <typename T>
  static T Of(ExtremeSettings, T x) {
    return x;
  }
};
struct AbsoluteTerm {
  template <typename T>
  static T Of(ExtremeSettings, T x) {
    return static_cast<std::make_signed_t<T>>(x) < 0 ? static_cast<T>(0 - x) : x;
  }
};
struct SquaredTerm {
  template <typename T>
  static T Of(ExtremeSettings, T x) {
    return static_cast<T>(x * x);
  }
};
struct KeyTerm {
  template <typename T>
  static KeyOf<T> Of(ExtremeSettings settings, T x) {
    return ExtremeKey(x, settings);
  }
};

// Of `Element`, with partial results of what Map makes of one.
template <class Op, class Map, typename Element>
struct Fold {
  using P = decltype(Map::Of(ExtremeSettings(), Element()));

  static void Block(ExtremeSettings settings, const void* x, uint64_t count, void* partial) {
    constexpr uint64_t kLanes = 256 / sizeof(P);
    const auto* const from = static_cast<const Element*>(x);
    P lanes[kLanes];
    std::fill_n(lanes, kLanes, Op::template Start<P>());
    uint64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      for (uint64_t line = 0; line < kLanes * sizeof(Element); line += 64) {
        cpu::PrefetchLine(from + i, kAhead + line);
      }
      for (uint64_t j = 0; j < kLanes; ++j) {
        lanes[j] = Op::Combine(lanes[j], Map::Of(settings, from[i + j]));
      }
    }
    P all = Op::template Start<P>();
    for (uint64_t j = 0; j < kLanes; ++j) all = Op::Combine(all, lanes[j]);
    for (; i < count; ++i) all = Op::Combine(all, Map::Of(settings, from[i]));
    *static_cast<P*>(partial) = all;
  }
  // Two lines of elements, whose results stay in registers for some rows.
  static constexpr uint64_t kColumns = 128 / sizeof(Element);
  static constexpr uint64_t kRows = 32;

  // Folds rows into `results`: kFixed columns, or fewer where it is 0.
  template <uint64_t kFixed>
  static HWY_INLINE void FoldColumns(ExtremeSettings settings, const Element* x,
                                     const int64_t* offsets, uint64_t rows, uint64_t ahead,
                                     uint64_t lanes, P* results) {
    const uint64_t n = kFixed == 0 ? lanes : kFixed;
    P folded[kColumns];
    std::copy_n(results, n, folded);
    for (uint64_t r = 0; r < rows; ++r) {
      const Element* const from = x + offsets[r];
      cpu::PrefetchLine(x + offsets[r + ahead], 0);
      cpu::PrefetchLine(x + offsets[r + ahead], 64);
      for (uint64_t i = 0; i < n; ++i) {
        folded[i] = Op::Combine(folded[i], Map::Of(settings, from[i]));
      }
    }
    std::copy_n(folded, n, results);
  }

  static void Columns(ExtremeSettings settings, const void* x, const int64_t* offsets,
                      uint64_t count, uint64_t lanes, void* partials, StripBuffer&) {
    P* const results = static_cast<P*>(partials);
    std::fill_n(results, lanes, Op::template Start<P>());
    for (uint64_t row = 0; row < count; row += kRows) {
      const uint64_t rows = std::min(kRows, count - row);
      const uint64_t ahead = row + 2 * kRows <= count ? kRows : 0;
      for (uint64_t lane = 0; lane < lanes; lane += kColumns) {
        const Element* const from = static_cast<const Element*>(x) + lane;
        if (lane + kColumns <= lanes) {
          FoldColumns<kColumns>(settings, from, offsets + row, rows, ahead, kColumns,
                                results + lane);
        } else {
          FoldColumns<0>(settings, from, offsets + row, rows, ahead, lanes - lane, results + lane);
        }
      }
    }
  }
  static void Combine(void* partials, uint64_t count) {
    P* const all = static_cast<P*>(partials);
    for (uint64_t i = 1; i < count; ++i) all[0] = Op::Combine(all[0], all[i]);
  }
  static void CombineColumns(void* partials, const int64_t* offsets, uint64_t count, uint64_t lanes,
                             void* results, StripBuffer&) {
    P sums[kStrip];
    std::fill_n(sums, kStrip, Op::template Start<P>());
    for (uint64_t r = 0; r < count; ++r) {
      const P* const from = static_cast<const P*>(partials) + offsets[r];
      for (uint64_t i = 0; i < lanes; ++i) sums[i] = Op::Combine(sums[i], from[i]);
    }
    std::copy_n(sums, lanes, static_cast<P*>(results));
  }
  static constexpr BlockKernel kKernel = {sizeof(P), Block, Columns, Combine, CombineColumns};
};

template <typename T>
const BlockKernel* FloatSum(Partial partial) {
  switch (partial) {
    case Partial::kSum:
      return &Sum<Plus, AsItIs, T>::kKernel;
    case Partial::kSumOfAbsolutes:
      return &Sum<Plus, Absolute, T>::kKernel;
    case Partial::kSumOfSquares:
      return &Sum<Plus, Squared, T>::kKernel;
    default:
      return &Sum<Times, AsItIs, T>::kKernel;
  }
}

template <typename T>
const BlockKernel* IntegerSum(Partial partial) {
  using U = std::make_unsigned_t<T>;
  switch (partial) {
    case Partial::kSum:
      return &Fold<AddTerms, Term, U>::kKernel;
    case Partial::kSumOfAbsolutes:
      if constexpr (std::is_signed_v<T>) return &Fold<AddTerms, AbsoluteTerm, U>::kKernel;
      return &Fold<AddTerms, Term, U>::kKernel;
    case Partial::kSumOfSquares:
      return &Fold<AddTerms, SquaredTerm, U>::kKernel;
    default:
      return &Fold<MultiplyTerms, Term, U>::kKernel;
  }
}

const BlockKernel* Find(Partial partial, DataType type) {
  const BlockKernel* found = nullptr;
  if (partial == Partial::kExtreme) {
    DispatchType(ExtremeTypes(), type,
                 [&]<typename T>() { found = &Fold<TakeGreatest, KeyTerm, T>::kKernel; });
  } else if (!DispatchType(TypeList<float, Float16>(), type,
                           [&]<typename T>() { found = FloatSum<T>(partial); })) {
    DispatchType(TypeList<int64_t, int32_t, uint64_t, uint32_t>(), type,
                 [&]<typename T>() { found = IntegerSum<T>(partial); });
  }
  return found;
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::reduce
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::reduce {
namespace {

HWY_EXPORT(Find);

}  // namespace

const BlockKernel& FindBlockKernel(Partial partial, DataType type) {
  return *HWY_DYNAMIC_DISPATCH(Find)(partial, type);
}

}  // namespace anydml::reduce
#endif  // HWY_ONCE
