// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Packs a vector of indices of an operand: for every term of a piece of the depth one vector of
// floats, zeros where an index does not exist or a term lies beyond the image. Included once per
// instruction set.

#if defined(ANYDML_KERNELS_MATMUL_CPU_PACK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_MATMUL_CPU_PACK_INL_H_
#undef ANYDML_KERNELS_MATMUL_CPU_PACK_INL_H_
#else
#define ANYDML_KERNELS_MATMUL_CPU_PACK_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "backends/cpu/float16-inl.h"
#include "backends/cpu/transpose-inl.h"
#include "backends/cpu/unchecked_offset.h"
#include "kernels/matmul/cpu/operand_view.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Lanes [begin, end) of a vector.
struct LaneRange {
  int64_t begin;
  int64_t end;
};

// The elements at from[lane * step], +0 in the other lanes; nothing else is read.
template <class D, typename T>
HWY_INLINE hn::Vec<D> LoadLanes(D d, const T* from, int64_t step, LaneRange lanes) {
  const auto N = static_cast<int64_t>(hn::Lanes(d));
  if (step == 1 && lanes.begin == 0 && lanes.end == N) return LoadFloats(d, from);
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  if constexpr (std::is_same_v<T, float>) {
    const auto masked = [&](const float* at, int64_t begin, int64_t end) HWY_ATTR {
      const auto first = hn::FirstN(d, static_cast<size_t>(std::clamp<int64_t>(begin, 0, N)));
      const auto last = hn::FirstN(d, static_cast<size_t>(std::clamp<int64_t>(end, 0, N)));
      return hn::MaskedLoad(hn::AndNot(first, last), d, at);
    };
    if (step == 1) return masked(from, lanes.begin, lanes.end);
    const int64_t begin = 2 * lanes.begin, end = 2 * lanes.end - 1;
    const auto low = masked(from, begin, end);
    const auto high = masked(UncheckedOffset(from, N), begin - N, end - N);
    return hn::ConcatEven(d, high, low);
  }
#endif
  alignas(64) T some[hn::MaxLanes(D())] = {};
  for (int64_t i = lanes.begin; i < lanes.end; ++i) some[i] = *UncheckedOffset(from, i * step);
  return LoadFloats(d, some);
}

// The indices of one vector: where they are, and their places in the image.
template <size_t kLanes>
struct PackedLanes {
  int64_t count = 0;  // that exist
  int64_t offsets[kLanes];
  int64_t places[kSpatialAxes][kLanes];
  // Lanes that follow one another along the fastest axis.
  int64_t run_count = 0;
  int64_t run_begins[kLanes + 1];

  PackedLanes(const OperandView& view, uint64_t index, uint64_t given) {
    uint64_t at[kProductAxes];
    for (size_t i = kProductAxes; i-- > 0;) {
      const size_t axis = view.order[i];
      at[axis] = index % view.index_sizes[axis];
      index /= view.index_sizes[axis];
    }
    bool begins = true;
    count = static_cast<int64_t>(given);
    for (int64_t lane = 0; lane < count; ++lane) {
      int64_t offset = view.start;
      for (size_t i = 0; i < kProductAxes; ++i) {
        offset += static_cast<int64_t>(at[i]) * view.index_steps[i];
      }
      offsets[lane] = offset;
      if (view.is_image) {
        for (size_t i = 0; i < kSpatialAxes; ++i) {
          const Positions& p = view.positions[i];
          places[i][lane] = p.first + static_cast<int64_t>(at[1 + i]) * p.index_step;
        }
      }
      if (begins) run_begins[run_count++] = lane;
      const size_t fastest = view.order[3];
      begins = ++at[fastest] == view.index_sizes[fastest];
      for (size_t i = kProductAxes - 1;
           i > 0 && at[view.order[i]] == view.index_sizes[view.order[i]]; --i) {
        at[view.order[i]] = 0;
        ++at[view.order[i - 1]];
      }
    }
    run_begins[run_count] = count;
  }
};

// Of a place `at` that moves by `step` for every one of a number: the numbers, of `count`, for
// which it lies in [0, size).
HWY_INLINE LaneRange Inside(int64_t at, int64_t step, int64_t size, int64_t count) {
  if (at >= 0 && at + (count - 1) * step < size) return {0, count};
  const auto up = [step](int64_t distance) {
    return distance <= 0 ? 0 : step == 1 ? distance : (distance + step - 1) / step;
  };
  const int64_t begin = std::min(up(-at), count);
  return {begin, std::max(begin, std::min(up(size - at), count))};
}

// Packs terms [first, first + terms) of a vector of lanes to to[(k - first) * pitch].
template <class D, typename T>
class VectorPacker {
 public:
  static constexpr size_t kLanes = hn::MaxLanes(D());

  VectorPacker(const OperandView& view, const T* data, uint64_t first, uint64_t terms,
               uint64_t pitch)
      : view_(view), data_(data), first_(first), terms_(terms), pitch_(pitch) {}

  HWY_NOINLINE void Pack(uint64_t index, uint64_t count, float* to) const {
    const PackedLanes<kLanes> lanes(view_, index, count);
    switch (view_.runs) {
      case OperandView::Runs::kIndices:
        return ForEachTap([&](const Tap& tap) HWY_ATTR { PackRuns(lanes, tap, to); });
      case OperandView::Runs::kDepth:
        if (view_.run_axis == 0) {
          return ForEachTap([&](const Tap& tap) HWY_ATTR { PackDepth(lanes, tap, 0, to); });
        }
        return ForEachRow([&](const Tap& tap, int64_t at)
                              HWY_ATTR { PackDepth(lanes, tap, at, to); });
      case OperandView::Runs::kNone:
        return ForEachTap([&](const Tap& tap) HWY_ATTR { PackEach(lanes, tap, to); });
    }
  }

 private:
  // Terms that differ along one axis of the depth: the first one, or the last one.
  struct Tap {
    int64_t offset;
    int64_t at[kSpatialAxes];  // number of the tap along each spatial axis
    uint64_t term;             // of the first, from first_
    uint64_t term_step;
    int64_t count;
  };

  void SetTap(Tap& tap, uint64_t number) const {
    tap.offset = 0;
    for (size_t i = kProductAxes - 1; i > 0; --i) {
      tap.at[i - 1] = static_cast<int64_t>(number % view_.depth_sizes[i]);
      number /= view_.depth_sizes[i];
      tap.offset += tap.at[i - 1] * view_.depth_steps[i];
    }
  }

  // Along the first axis; where there are more taps than terms, term after term.
  template <typename F>
  HWY_INLINE void ForEachTap(const F& f) const {
    const uint64_t taps = view_.Taps();
    Tap tap;
    if (taps > terms_) {
      for (uint64_t k = 0; k < terms_; ++k) {
        SetTap(tap, (first_ + k) % taps);
        tap.offset += static_cast<int64_t>((first_ + k) / taps) * view_.depth_steps[0];
        tap.term = k;
        tap.term_step = 1;
        tap.count = 1;
        f(tap);
      }
      return;
    }
    for (uint64_t t = 0; t < taps; ++t) {
      SetTap(tap, t);
      const uint64_t begin = first_ <= t ? 0 : (first_ - t + taps - 1) / taps;
      const uint64_t beyond = first_ + terms_;
      const uint64_t end = beyond <= t ? 0 : (beyond - t + taps - 1) / taps;
      tap.offset += static_cast<int64_t>(begin) * view_.depth_steps[0];
      tap.term = begin * taps + t - first_;
      tap.term_step = taps;
      tap.count = static_cast<int64_t>(end) - static_cast<int64_t>(begin);
      if (tap.count > 0) f(tap);
    }
  }

  // Along the last axis: f(tap, number of the first).
  template <typename F>
  HWY_INLINE void ForEachRow(const F& f) const {
    const uint64_t size = view_.depth_sizes[3];
    Tap tap;
    for (uint64_t k = 0; k < terms_;) {
      const uint64_t row = (first_ + k) / size, at = (first_ + k) % size;
      const uint64_t taps = view_.Taps() / size;
      SetTap(tap, row % taps * size + at);
      tap.offset += static_cast<int64_t>(row / taps) * view_.depth_steps[0];
      tap.term = k;
      tap.term_step = 1;
      tap.count = static_cast<int64_t>(std::min(size - at, terms_ - k));
      f(tap, static_cast<int64_t>(at));
      k += static_cast<uint64_t>(tap.count);
    }
  }

  HWY_INLINE bool IsInside(const PackedLanes<kLanes>& lanes, const Tap& tap, int64_t lane,
                           size_t axes) const {
    for (size_t i = 0; i < axes; ++i) {
      const Positions& p = view_.positions[i];
      const int64_t at = lanes.places[i][lane] + tap.at[i] * p.tap_step;
      if (at < 0 || at >= p.size) return false;
    }
    return true;
  }

  // Runs of indices: the same lanes for every channel.
  HWY_INLINE void PackRuns(const PackedLanes<kLanes>& lanes, const Tap& tap, float* to) const {
    const D d;
    const int64_t step = view_.run_step;
    const T* from[kLanes];
    LaneRange ranges[kLanes];
    int64_t runs = 0;
    for (int64_t run = 0; run < lanes.run_count; ++run) {
      const int64_t begin = lanes.run_begins[run], end = lanes.run_begins[run + 1];
      LaneRange range = {begin, end};
      if (view_.is_image) {
        const bool of_items = view_.order[3] == 0;  // they are at one place
        if (!IsInside(lanes, tap, begin, of_items ? 3 : 2)) continue;
        const Positions& p = view_.positions[2];
        if (of_items) {
          from[runs] = UncheckedOffset(data_, lanes.offsets[begin] - begin * step + tap.offset);
          ranges[runs++] = range;
          continue;
        }
        const LaneRange inside = Inside(lanes.places[2][begin] + tap.at[2] * p.tap_step,
                                        p.index_step, p.size, end - begin);
        range = {begin + inside.begin, begin + inside.end};
        if (range.begin == range.end) continue;
      }
      from[runs] = UncheckedOffset(data_, lanes.offsets[begin] - begin * step + tap.offset);
      ranges[runs++] = range;
    }
    float* at = to + tap.term * pitch_;
    const uint64_t pitch = tap.term_step * pitch_;
    const int64_t channel = view_.depth_steps[0];
    int64_t ahead = 0;
    if (runs == 1) {
      for (int64_t c = 0; c < tap.count; ++c, at += pitch, ahead += channel) {
        hn::StoreU(LoadLanes(d, UncheckedOffset(from[0], ahead), step, ranges[0]), d, at);
      }
      return;
    }
    for (int64_t c = 0; c < tap.count; ++c, at += pitch, ahead += channel) {
      auto v = hn::Zero(d);
      for (int64_t run = 0; run < runs; ++run) {
        v = hn::Or(v, LoadLanes(d, UncheckedOffset(from[run], ahead), step, ranges[run]));
      }
      hn::StoreU(v, d, at);
    }
  }

  // Runs along the depth: squares of lanes and terms. `first`: number of the first tap of the
  // run, where it lies along the last axis.
  HWY_INLINE void PackDepth(const PackedLanes<kLanes>& lanes, const Tap& tap, int64_t first,
                            float* to) const {
    const D d;
    const bool in_space = view_.is_image && view_.run_axis != 0;
    const Positions& p = view_.positions[2];
    LaneRange ranges[kLanes];
    const T* from[kLanes];
    for (int64_t lane = 0; lane < static_cast<int64_t>(kLanes); ++lane) {
      ranges[lane] = {0, lane < lanes.count ? tap.count : 0};
      from[lane] = data_;
      if (lane >= lanes.count) continue;
      from[lane] = UncheckedOffset(data_, lanes.offsets[lane] + tap.offset);
      if (view_.is_image && !IsInside(lanes, tap, lane, in_space ? 2 : 3)) ranges[lane].end = 0;
      if (in_space && ranges[lane].end != 0) {
        ranges[lane] =
            Inside(lanes.places[2][lane] + first * p.tap_step, p.tap_step, p.size, tap.count);
      }
    }
    const auto N = static_cast<int64_t>(kLanes);
    const int64_t step = view_.run_step;
    for (int64_t k = 0; k < tap.count; k += N) {
      const int64_t end = std::min(N, tap.count - k);
      float* const at = to + (tap.term + static_cast<uint64_t>(k) * tap.term_step) * pitch_;
      TransposeSquare(
          d,
          [&](size_t lane) HWY_ATTR {
            const LaneRange range = {std::max<int64_t>(ranges[lane].begin - k, 0),
                                     std::min(ranges[lane].end - k, end)};
            if (range.begin >= range.end) return hn::Zero(d);
            return LoadLanes(d, UncheckedOffset(from[lane], k * step), step, range);
          },
          [&](size_t term, hn::Vec<D> v) HWY_ATTR {
            if (static_cast<int64_t>(term) < end)
              hn::StoreU(v, d, at + term * tap.term_step * pitch_);
          });
    }
  }

  HWY_INLINE void PackEach(const PackedLanes<kLanes>& lanes, const Tap& tap, float* to) const {
    const hn::CappedTag<float, 1> d1;
    float* at = to + tap.term * pitch_;
    bool inside[kLanes];
    for (int64_t lane = 0; lane < static_cast<int64_t>(kLanes); ++lane) {
      inside[lane] =
          lane < lanes.count && (!view_.is_image || IsInside(lanes, tap, lane, kSpatialAxes));
    }
    int64_t ahead = tap.offset;
    for (int64_t c = 0; c < tap.count; ++c) {
      for (int64_t lane = 0; lane < static_cast<int64_t>(kLanes); ++lane) {
        at[lane] =
            inside[lane] ? hn::GetLane(LoadFloats(d1, data_ + lanes.offsets[lane] + ahead)) : 0.0f;
      }
      at += tap.term_step * pitch_;
      ahead += view_.depth_steps[0];
    }
  }

  const OperandView& view_;
  const T* data_;
  uint64_t first_;
  uint64_t terms_;
  uint64_t pitch_;
};

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
