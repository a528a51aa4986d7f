// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The winners of a row of neighbouring windows, several at a time, for FLOAT32
// and FLOAT16 rows whose elements lie side by side. Included once per
// instruction set. The rule is that of tensor/window_maximum.h.

#if defined(ANYDML_KERNELS_WINDOW_CPU_WINDOW_MAXIMUM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_WINDOW_CPU_WINDOW_MAXIMUM_INL_H_
#undef ANYDML_KERNELS_WINDOW_CPU_WINDOW_MAXIMUM_INL_H_
#else
#define ANYDML_KERNELS_WINDOW_CPU_WINDOW_MAXIMUM_INL_H_
#endif

#include <hwy/highway.h>

#include <limits>

#include "tensor/window_maximum.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The bits of neighbouring elements, sign-extended.
template <class DI>
HWY_INLINE hn::Vec<DI> LoadBits(DI di, const float* from) {
  return hn::BitCast(di, hn::LoadU(hn::RebindToFloat<DI>(), from));
}

template <class DI>
HWY_INLINE hn::Vec<DI> LoadBits(DI di, const Float16* from) {
  const hn::Rebind<int16_t, DI> d16;
  return hn::PromoteTo(di, hn::LoadU(d16, reinterpret_cast<const int16_t*>(from)));
}

// The same of every second element. Reads two elements per lane.
#if HWY_TARGET == HWY_SCALAR
template <class DI, typename T>
HWY_INLINE hn::Vec<DI> LoadEvenBits(DI di, const T* from) {
  return LoadBits(di, from);
}
#else
template <class DI>
HWY_INLINE hn::Vec<DI> LoadEvenBits(DI di, const float* from) {
  return hn::ConcatEven(di, LoadBits(di, from + hn::Lanes(di)), LoadBits(di, from));
}

template <class DI>
HWY_INLINE hn::Vec<DI> LoadEvenBits(DI di, const Float16* from) {
  const hn::Repartition<int16_t, DI> d16;
  const auto pairs = hn::LoadU(d16, reinterpret_cast<const int16_t*>(from));
  return hn::ShiftRight<16>(hn::ShiftLeft<16>(hn::BitCast(di, pairs)));
}
#endif

// MaximumKey of every lane.
template <typename T, class DI>
HWY_INLINE hn::Vec<DI> MaximumKeys(DI di, hn::Vec<DI> bits) {
  constexpr bool kHalf = sizeof(T) == 2;
  const auto magnitude = hn::And(bits, hn::Set(di, kHalf ? 0x7FFF : 0x7FFFFFFF));
  const auto nan = hn::Gt(magnitude, hn::Set(di, kHalf ? 0x7C00 : 0x7F800000));
  const auto negative = hn::Lt(bits, hn::Zero(di));
  const auto key = hn::IfThenElse(negative, hn::Neg(magnitude), magnitude);
  return hn::IfThenElse(nan, hn::Set(di, std::numeric_limits<int32_t>::max()), key);
}

// 0, kStep, 2 * kStep ...
template <int kStep, class DU>
HWY_INLINE hn::Vec<DU> LanePositions(DU du) {
  const auto lanes = hn::Iota(du, 0);
  return kStep == 1 ? lanes : hn::ShiftLeft<1>(lanes);
}

// Windows of one plane that share depth and height.
template <typename T>
struct RowOfWindows {
  const T* plane;
  const PlaneStrides& strides;
  const WindowLoop& loop;
  Progression depth;   // taps
  Progression height;  // taps
};

// Lanes(di) windows from `o` on, all whole: calls sink(di, o, indices, bits)
// with the winners' logical indices within the plane and their bits.
template <int kStep, typename T, class DI, class Sink>
HWY_INLINE void BlockWinners(DI di, const RowOfWindows<T>& row, int64_t o, const Sink& sink) {
  static_assert(kStep == 1 || kStep == 2);
  const hn::RebindToUnsigned<DI> du;
  const WindowAxis& width = row.loop.axes[WindowLoop::kWidth];
  const int64_t heights = row.loop.axes[WindowLoop::kHeight].input_size;
  const int64_t start = o * kStep - width.start_padding;
  // Below the key of minus infinity: the first tap always replaces it.
  auto best = hn::Set(di, std::numeric_limits<int32_t>::min());
  auto best_bits = hn::Zero(di);
  auto best_index = hn::Zero(du);
  for (int64_t i = 0, d = row.depth.first; i < row.depth.count; ++i, d += row.depth.step) {
    for (int64_t j = 0, h = row.height.first; j < row.height.count; ++j, h += row.height.step) {
      const T* taps = row.plane + d * row.strides.spatial[0] + h * row.strides.spatial[1] + start;
      const int64_t index = (d * heights + h) * width.input_size + start;
      for (int64_t w = 0; w <= width.reach(); w += width.dilation) {
        const auto bits = kStep == 1 ? LoadBits(di, taps + w) : LoadEvenBits(di, taps + w);
        const auto key = MaximumKeys<T>(di, bits);
        const auto greater = hn::Gt(key, best);
        best = hn::IfThenElse(greater, key, best);
        best_bits = hn::IfThenElse(greater, bits, best_bits);
        best_index = hn::IfThenElse(hn::RebindMask(du, greater),
                                    hn::Set(du, static_cast<uint32_t>(index + w)), best_index);
      }
    }
  }
  sink(di, o, hn::Add(best_index, LanePositions<kStep>(du)), best_bits);
}

// The last block may overlap the one before it: sinks must not mind seeing a
// window twice.
template <int kStep, typename T, class DI, class Sink>
HWY_INLINE void BlocksOfWinners(DI di, const RowOfWindows<T>& row, IndexRange range,
                                const Sink& sink) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(di));
  for (int64_t o = range.begin; o + lanes < range.end; o += lanes) {
    BlockWinners<kStep>(di, row, o, sink);
  }
  BlockWinners<kStep>(di, row, range.end - lanes, sink);
}

// The windows [first, first + count) of a row whose width stride is kStep and
// whose elements lie side by side: sink as above for vectors of windows,
// one(o, winner) for those near padding and for the rest of short rows.
template <int kStep, typename T, class Sink, class One>
HWY_INLINE void RowWinners(const RowOfWindows<T>& row, int64_t first, int64_t count,
                           const Sink& sink, const One& one) {
  const hn::ScalableTag<int32_t> d;
  const hn::CappedTag<int32_t, 4> d4;
  const WindowAxis& width = row.loop.axes[WindowLoop::kWidth];
  IndexRange whole = WholeWindows(width);
  whole = {std::max(whole.begin, first), std::min(whole.end, first + count)};
  const bool padding_only = row.depth.count == 0 || row.height.count == 0;
  if (padding_only || whole.end - whole.begin < static_cast<int64_t>(hn::Lanes(d4))) {
    whole = {first, first};
  } else if (whole.end - whole.begin < static_cast<int64_t>(hn::Lanes(d))) {
    BlocksOfWinners<kStep>(d4, row, whole, sink);
  } else {
    BlocksOfWinners<kStep>(d, row, whole, sink);
  }
  const auto rest = [&](int64_t begin, int64_t end) {
    for (int64_t o = begin; o < end; ++o) {
      one(o,
          FindWinner(row.plane, row.strides, row.loop, {row.depth, row.height, TapsOf(width, o)}));
    }
  };
  rest(first, whole.begin);
  rest(whole.end, first + count);
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
