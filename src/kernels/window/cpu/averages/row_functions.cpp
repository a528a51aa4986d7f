// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "kernels/window/cpu/averages/row_functions.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/window/cpu/averages/row_functions.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/float16-inl.h"
#include "kernels/math/vectors-inl.h"
#include "kernels/window/average.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::window::average {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace powers = anydml::math::HWY_NAMESPACE;
namespace vectors = anydml::cpu::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

HWY_INLINE void StreamFloats(D d, V values, float* to) { hn::Stream(values, d, to); }
HWY_INLINE void StreamFloats(D d, V values, Float16* to) {
  const hn::Rebind<uint16_t, D> d16;
  auto* const at = reinterpret_cast<uint16_t*>(to);
  if constexpr (HWY_MAX_BYTES < 32) {
    hn::StoreU(vectors::HalfBits(d, values), d16, at);  // 8 bytes: no such non-temporal store
  } else {
    hn::Stream(vectors::HalfBits(d, values), d16, at);
  }
}

HWY_INLINE V Divided(D d, V sum, const Divisors& divisors, float reciprocal, int64_t i) {
  if (divisors.root == 2) return hn::Sqrt(sum);
  if (divisors.root > 2) {
    return powers::RoundedOf<powers::RootOf>(d, sum, hn::Set(d, static_cast<float>(divisors.root)));
  }
  if (divisors.others == 0) return sum;
  if (reciprocal != 0) return hn::Mul(sum, hn::Set(d, reciprocal));
  V by = hn::Set(d, divisors.others);
  if (divisors.widths != nullptr) by = hn::Mul(hn::LoadU(d, divisors.widths + i), by);
  return hn::Div(sum, by);
}

template <typename To>
HWY_INLINE void Put(D d, V value, To* to, bool stream) {
  stream ? StreamFloats(d, value, to) : vectors::StoreFloats(d, value, to);
}

template <typename From>
HWY_INLINE float Number(const From* from) {
  if constexpr (sizeof(From) == 2)
    return ToFloat(*from);
  else
    return *from;
}

// The row that a tail belongs to, element by element: only rows shorter than a vector.
template <typename From, typename To>
void SumEach(const From* const* rows, int64_t row_count, int64_t from, int64_t count,
             const Divisors& divisors, To* to) {
  for (int64_t i = 0; i < count; ++i) {
    float sum = 0;
    for (int64_t k = 0; k < row_count; ++k) sum += Number(rows[k] + from + i);
    if (divisors.others != 0) {
      sum /= divisors.widths != nullptr ? divisors.widths[i] * divisors.others : divisors.others;
    }
    if constexpr (sizeof(To) == 2)
      to[i] = ToFloat16(sum);
    else
      to[i] = sum;
  }
}

// Vectors from element i on, the last of which may overlap its neighbour to end with `end`.
template <int kVectors, typename From, typename To>
HWY_INLINE void SumVectors(D d, const From* const* rows, int64_t row_count, int64_t from, int64_t i,
                           int64_t end, const Divisors& divisors, To* to, bool stream) {
  const auto N = static_cast<int64_t>(hn::Lanes(d));
  const float reciprocal = divisors.ExactReciprocal();
  int64_t at[kVectors];
  V sums[kVectors];
  for (int v = 0; v < kVectors; ++v) {
    at[v] = v + 1 < kVectors ? i + v * N : std::min(i + v * N, end - N);
    sums[v] = hn::Zero(d);
  }
  for (int64_t k = 0; k < row_count; ++k) {
    const From* const row = rows[k] + from;
    for (int v = 0; v < kVectors; ++v) {
      sums[v] = hn::Add(sums[v], vectors::LoadFloats(d, row + at[v]));
    }
  }
  for (int v = 0; v < kVectors; ++v) {
    Put(d, Divided(d, sums[v], divisors, reciprocal, at[v]), to + at[v], stream);
  }
}

template <bool kOurs, typename From, typename To>
void Sum(const From* const* rows, int64_t row_count, int64_t from, int64_t count,
         const Divisors& divisors, To* to, bool stream) {
  const D d;
  const auto N = static_cast<int64_t>(hn::Lanes(d));
  if (count < N) {
    if constexpr (kOurs) {
      To buffer[HWY_MAX_BYTES / sizeof(float)];
      SumVectors<1>(d, rows, row_count, from, 0, N, divisors, buffer, false);
      std::copy_n(buffer, count, to);
      return;
    }
    return SumEach(rows, row_count, from, count, divisors, to);
  }
  // Chains of several vectors do not wait for one another.
  int64_t i = 0;
  for (; i + 4 * N <= count; i += 4 * N) {
    SumVectors<4>(d, rows, row_count, from, i, count, divisors, to, stream);
  }
  switch ((count - i + N - 1) / N) {
    case 4:
      return SumVectors<4>(d, rows, row_count, from, i, count, divisors, to, stream);
    case 3:
      return SumVectors<3>(d, rows, row_count, from, i, count, divisors, to, stream);
    case 2:
      return SumVectors<2>(d, rows, row_count, from, i, count, divisors, to, stream);
    case 1:
      return SumVectors<1>(d, rows, row_count, from, i, count, divisors, to, stream);
    default:
      return;
  }
}

// Calls move(element, phase) for elements [i, count), of which i is a multiple of the stride.
template <typename Phase, typename Body>
HWY_INLINE void ForEachOf(int64_t i, int64_t count, int64_t stride, Phase* const* phases,
                          const Body& move) {
  for (int64_t place = i / stride; i < count; ++place) {
    for (int64_t phase = 0; phase < stride && i < count; ++phase, ++i) {
      move(i, phases[phase][place]);
    }
  }
}

template <typename T>
void Split(const T* from, int64_t count, int64_t stride, float* const* phases) {
  const D d;
  const auto N = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  if (stride == 1) {
    for (; i + N <= count; i += N) hn::StoreU(vectors::LoadFloats(d, from + i), d, phases[0] + i);
    if (i != count && count > N) {  // a vector that overlaps its neighbour
      i = count - N;
      hn::StoreU(vectors::LoadFloats(d, from + i), d, phases[0] + i);
      return;
    }
  }
#if HWY_TARGET != HWY_SCALAR
  if (stride == 2) {
    const auto pair = [&](int64_t at) {
      const V a = vectors::LoadFloats(d, from + at), b = vectors::LoadFloats(d, from + at + N);
      hn::StoreU(hn::ConcatEven(d, b, a), d, phases[0] + at / 2);
      hn::StoreU(hn::ConcatOdd(d, b, a), d, phases[1] + at / 2);
    };
    for (; i + 2 * N <= count; i += 2 * N) pair(i);
    if (i + 1 < count && count >= 2 * N) {  // a pair that overlaps its neighbour
      i = (count - 2 * N) / 2 * 2;
      pair(i);
      i += 2 * N;
    }
  }
#endif
  ForEachOf(i, count, stride, phases,
            [&](int64_t element, float& to) { to = Number(from + element); });
}

template <typename T>
void Merge(const float* const* phases, int64_t stride, int64_t count, T* to,
           [[maybe_unused]] bool stream) {
  int64_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const D d;
  const auto N = static_cast<int64_t>(hn::Lanes(d));
  if (stride == 2) {
    alignas(64) float buffer[2 * HWY_MAX_BYTES / sizeof(float)];
    for (int64_t left; (left = count - i) >= N; i += std::min(left / N, int64_t{2}) * N) {
      // Phases are buffers of ours, behind which may be read.
      hn::StoreInterleaved2(hn::LoadU(d, phases[0] + i / 2), hn::LoadU(d, phases[1] + i / 2), d,
                            buffer);
      Put(d, hn::Load(d, buffer), to + i, stream);
      if (left >= 2 * N) Put(d, hn::Load(d, buffer + N), to + i + N, stream);
    }
  }
#endif
  ForEachOf(i, count, stride, phases, [&](int64_t element, const float& value) {
    if constexpr (sizeof(T) == 2)
      to[element] = ToFloat16(value);
    else
      to[element] = value;
  });
}

// The last elements go through a whole vector, too: a power has much code.
template <typename T>
void Power(const T* row, int64_t count, uint32_t p, float* to) {
  const D d;
  const auto N = static_cast<int64_t>(hn::Lanes(d));
  const V exponent = hn::Set(d, static_cast<float>(p));
  const auto power = [&](const T* from, float* at) HWY_ATTR {
    const V x = vectors::LoadFloats(d, from), size = hn::Abs(x);
    const V y = p == 1   ? size
                : p == 2 ? hn::Mul(x, x)
                         : powers::RoundedOf<powers::PowOf>(d, size, exponent);
    hn::StoreU(y, d, at);
  };
  int64_t i = 0;
  for (; i + N <= count; i += N) power(row + i, to + i);
  if (i == count) return;
  T rest[HWY_MAX_BYTES / sizeof(float)] = {};
  float results[HWY_MAX_BYTES / sizeof(float)];
  std::copy_n(row + i, count - i, rest);
  power(rest, results);
  std::copy_n(results, count - i, to + i);
}

template <typename T>
void AddToSlots(const T* terms, int64_t count, float* slots) {
  const D d;
  const auto N = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  // 32 slots at a time stay in registers.
  for (int64_t first = 0; first < kSlots; first += 4 * N) {
    V sums[4];
    for (int v = 0; v < 4; ++v) sums[v] = hn::LoadU(d, slots + first + v * N);
    for (int64_t r = first; r + 4 * N <= count; r += kSlots) {
      for (int v = 0; v < 4; ++v) {
        sums[v] = hn::Add(sums[v], vectors::LoadFloats(d, terms + r + v * N));
      }
    }
    for (int v = 0; v < 4; ++v) hn::StoreU(sums[v], d, slots + first + v * N);
    // The last, broken piece.
    const int64_t rest = count % kSlots - first;
    if (rest > 0 && rest < 4 * N) {
      const int64_t row = count / kSlots * kSlots + first;
      for (i = 0; i < rest; ++i) slots[first + i] += Number(terms + row + i);
    }
  }
}

const RowFunctions& Choose() {
  static constexpr RowFunctions kFunctions = {.sum_floats = Sum<true, float, float>,
                                              .sum_to_halves = Sum<true, float, Float16>,
                                              .divide_floats = Sum<false, float, float>,
                                              .divide_halves = Sum<false, Float16, float>,
                                              .average_halves = Sum<false, Float16, Float16>,
                                              .split_floats = Split<float>,
                                              .split_halves = Split<Float16>,
                                              .merge_floats = Merge<float>,
                                              .merge_halves = Merge<Float16>,
                                              .power_floats = Power<float>,
                                              .power_halves = Power<Float16>,
                                              .add_floats = AddToSlots<float>,
                                              .add_halves = AddToSlots<Float16>};
  return kFunctions;
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::window::average
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::window::average {

HWY_EXPORT(Choose);

const RowFunctions& ChooseRowFunctions() { return HWY_DYNAMIC_DISPATCH(Choose)(); }

}  // namespace anydml::window::average
#endif  // HWY_ONCE
