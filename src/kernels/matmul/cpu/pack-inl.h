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

// Masked loads do not touch what the mask leaves out.
#define ANYDML_MASKS_LOADS (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2)

// The elements at from[lane * step], +0 in the other lanes; nothing else is read.
template <class D, typename T>
HWY_INLINE hn::Vec<D> LoadLanes(D d, const T* from, int64_t step, LaneRange lanes) {
  const auto N = static_cast<int64_t>(hn::Lanes(d));
  if (step == 1 && lanes.begin == 0 && lanes.end == N) return LoadFloats(d, from);
#if ANYDML_MASKS_LOADS
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
  int64_t count = 0;             // that exist
  int64_t offsets[kLanes] = {};  // a gather takes those of lanes that are masked, too
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

#if ANYDML_MASKS_LOADS
// The same for runs of floats at steps of one or two.
template <class D>
struct MaskedRuns {
  static constexpr size_t kLanes = hn::MaxLanes(D());
  using DI = hn::RebindToSigned<D>;

  int64_t count = 0;
  int64_t offsets[kLanes];  // of a run, for lane 0
  hn::Mask<D> masks[kLanes];
  hn::Vec<DI> places[kSpatialAxes];

  // `at` becomes the index behind those given.
  MaskedRuns(const OperandView& view, uint64_t (&at)[kProductAxes], uint64_t given) {
    const D d;
    const DI di;
    const uint8_t fastest = view.order[kProductAxes - 1];
    for (auto& place : places) place = hn::Zero(di);
    for (uint64_t lane = 0, end; lane < given; lane = end) {
      end = std::min(given, lane + view.index_sizes[fastest] - at[fastest]);
      const auto mask = hn::AndNot(hn::FirstN(d, lane), hn::FirstN(d, end));
      int64_t offset = view.start - static_cast<int64_t>(lane) * view.run_step;
      for (size_t i = 0; i < kProductAxes; ++i) {
        offset += static_cast<int64_t>(at[i]) * view.index_steps[i];
      }
      for (size_t i = view.first_border; i < kSpatialAxes; ++i) {
        const Positions& p = view.positions[i];
        int64_t first = p.first + static_cast<int64_t>(at[1 + i]) * p.index_step;
        auto place = hn::Zero(di);
        if (1 + i == fastest) {
          first -= static_cast<int64_t>(lane) * p.index_step;
          place = hn::Mul(hn::Iota(di, 0), hn::Set(di, static_cast<int32_t>(p.index_step)));
        }
        place = hn::Add(place, hn::Set(di, static_cast<int32_t>(first)));
        places[i] = hn::IfThenElse(hn::RebindMask(di, mask), place, places[i]);
      }
      offsets[count] = offset;
      masks[count++] = mask;
      at[fastest] += end - lane;
      for (size_t i = kProductAxes - 1;
           i > 0 && at[view.order[i]] == view.index_sizes[view.order[i]]; --i) {
        at[view.order[i]] = 0;
        ++at[view.order[i - 1]];
      }
    }
  }
};
#endif

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
  static constexpr bool kMasksLoads = ANYDML_MASKS_LOADS && std::is_same_v<T, float>;
  // Four runs in a vector cost less than its part of a transposed square.
  static constexpr uint64_t kLongRun = kMasksLoads ? 5 : 16;

  VectorPacker(const OperandView& view, const T* data, uint64_t first, uint64_t terms,
               uint64_t pitch)
      : view_(view), data_(data), first_(first), terms_(terms), pitch_(pitch) {}

  HWY_NOINLINE void Pack(uint64_t index, uint64_t count, float* to) {
#if ANYDML_MASKS_LOADS
    if constexpr (kMasksLoads) {
      if (is_masked_) return PackMasked(index, count, to);
    }
#endif
    const PackedLanes<kLanes> lanes(view_, index, count);
    switch (view_.runs) {
      case OperandView::Runs::kIndices:
        return ForEachTap([&](const Tap& tap, const Terms& terms)
                              HWY_ATTR { PackRuns(lanes, tap, terms, to); });
      case OperandView::Runs::kDepth:
        if (view_.run_step == 1 && FitIn32Bits() && (view_.run_axis == 0 || !view_.is_image)) {
          const LanePlaces places(view_, lanes);
          const auto pack = [&](const Tap& tap, const Terms& terms)
                                HWY_ATTR { PackChannels(lanes, places, tap, terms, to); };
          return view_.run_axis == 0 ? ForEachTap(pack) : ForEachRow(pack);
        }
        if (view_.run_axis == 0) {
          return ForEachTap([&](const Tap& tap, const Terms& terms)
                                HWY_ATTR { PackDepth(lanes, tap, terms, to); });
        }
        return ForEachRow([&](const Tap& tap, const Terms& terms)
                              HWY_ATTR { PackDepth(lanes, tap, terms, to); });
      case OperandView::Runs::kNone:
        return ForEachTap([&](const Tap& tap, const Terms& terms)
                              HWY_ATTR { PackEach(lanes, tap, terms, to); });
    }
  }

 private:
  // The first of some terms that differ along one axis of the depth, the first or the last one.
  struct Tap {
    int64_t offset;
    int64_t moves[kSpatialAxes];  // in the image, from the first tap
  };
  struct Terms {
    uint64_t first;  // from first_
    uint64_t step;
    int64_t count;
  };

  // `at`: its number along each spatial axis.
  Tap TapOf(uint64_t term, int64_t (&at)[kSpatialAxes]) const {
    Tap tap;
    tap.offset = 0;
    for (size_t i = kProductAxes - 1; i > 0; --i) {
      at[i - 1] = static_cast<int64_t>(term % view_.depth_sizes[i]);
      term /= view_.depth_sizes[i];
      tap.offset += at[i - 1] * view_.depth_steps[i];
      tap.moves[i - 1] = at[i - 1] * view_.positions[i - 1].tap_step;
    }
    tap.offset += static_cast<int64_t>(term) * view_.depth_steps[0];
    return tap;
  }

  // Of all channels, for number `i` of the taps of this piece of the depth.
  HWY_INLINE Terms TermsOf(uint64_t i) const {
    return {i, taps_, static_cast<int64_t>(all_ + (i < rest_ ? 1 : 0))};
  }

  // Lines of taps: f(the first tap, its number, how many).
  template <typename F>
  HWY_INLINE void ForEachLine(const F& f) const {
    const uint64_t count = std::min(terms_, taps_);
    int64_t at[kSpatialAxes];
    Tap tap = TapOf(first_, at);
    for (uint64_t i = 0; i < count;) {
      const uint64_t taps =
          std::min(count - i, view_.depth_sizes[3] - static_cast<uint64_t>(at[2]));
      f(tap, i, taps);
      i += taps;
      tap.offset -= at[2] * view_.depth_steps[3];
      tap.moves[2] = at[2] = 0;
      size_t axis = kProductAxes - 2;
      for (; axis > 0; --axis) {
        tap.offset += view_.depth_steps[axis];
        tap.moves[axis - 1] += view_.positions[axis - 1].tap_step;
        if (++at[axis - 1] < static_cast<int64_t>(view_.depth_sizes[axis])) break;
        tap.offset -= at[axis - 1] * view_.depth_steps[axis];
        tap.moves[axis - 1] = at[axis - 1] = 0;
      }
      if (axis == 0) tap.offset += view_.depth_steps[0];
    }
  }

  // Along the first axis; where there are more taps than terms, term after term.
  template <typename F>
  HWY_INLINE void ForEachTap(const F& f) const {
    ForEachLine([&](Tap tap, uint64_t first, uint64_t taps) HWY_ATTR {
      for (uint64_t i = first; i < first + taps; ++i) {
        f(tap, TermsOf(i));
        tap.offset += view_.depth_steps[3];
        tap.moves[2] += view_.positions[2].tap_step;
      }
    });
  }

  // Along the last axis.
  template <typename F>
  HWY_INLINE void ForEachRow(const F& f) const {
    const uint64_t size = view_.depth_sizes[3];
    int64_t at[kSpatialAxes];
    for (uint64_t k = 0; k < terms_;) {
      const Tap tap = TapOf(first_ + k, at);
      const uint64_t count = std::min(size - static_cast<uint64_t>(at[2]), terms_ - k);
      f(tap, Terms{k, 1, static_cast<int64_t>(count)});
      k += count;
    }
  }

  // Whether places do.
  bool FitIn32Bits() const {
    constexpr int64_t kMost = int64_t{1} << 30;
    return !view_.is_image || std::all_of(view_.positions.begin(), view_.positions.end(),
                                          [](const Positions& p) { return p.size < kMost; });
  }

  // The places of lanes as vectors, and the lanes that exist.
  struct LanePlaces {
    using DI = hn::RebindToSigned<D>;
    hn::Vec<DI> of[kSpatialAxes];
    uint64_t existing;

    LanePlaces(const OperandView& view, const PackedLanes<kLanes>& lanes)
        : existing((uint64_t{1} << lanes.count) - 1) {
      alignas(64) int32_t some[kLanes] = {};
      for (size_t i = view.first_border; i < kSpatialAxes; ++i) {
        for (int64_t lane = 0; lane < lanes.count; ++lane) {
          some[lane] = static_cast<int32_t>(lanes.places[i][lane]);
        }
        of[i] = hn::Load(DI(), some);
      }
    }
  };

  // Lanes for which the tap lies in the image.
  HWY_INLINE uint64_t InsideBits(const LanePlaces& places, const Tap& tap) const {
    if (view_.first_border == kSpatialAxes) return places.existing;
    const D d;
    const hn::RebindToSigned<D> di;
    const hn::RebindToUnsigned<D> du;
    auto inside = hn::FirstN(d, kLanes);
    for (size_t i = view_.first_border; i < kSpatialAxes; ++i) {
      const auto move = hn::Set(di, static_cast<int32_t>(tap.moves[i]));
      const auto place = hn::BitCast(du, hn::Add(places.of[i], move));
      const auto end = hn::Set(du, static_cast<uint32_t>(view_.positions[i].size));
      inside = hn::And(inside, hn::RebindMask(d, hn::Lt(place, end)));
    }
    uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, inside, bytes);
    uint64_t bits;
    std::memcpy(&bits, bytes, sizeof(bits));
    return bits & places.existing;
  }

#if ANYDML_MASKS_LOADS
  bool IsMasked() const { return view_.runs == OperandView::Runs::kIndices && FitIn32Bits(); }

  HWY_INLINE void PackMasked(uint64_t index, uint64_t count, float* to) {
    if (index != next_) {
      uint64_t rest = index;
      for (size_t i = kProductAxes; i-- > 0;) {
        const size_t axis = view_.order[i];
        at_[axis] = rest % view_.index_sizes[axis];
        rest /= view_.index_sizes[axis];
      }
    }
    next_ = index + count;
    const MaskedRuns<D> runs(view_, at_, count);
    view_.run_step == 1 ? PackMaskedRuns<NextFloats>(runs, to)
                        : PackMaskedRuns<EveryOtherFloat>(runs, to);
  }

  template <class Floats>
  HWY_INLINE void PackMaskedRuns(const MaskedRuns<D>& runs, float* to) const {
    switch (runs.count) {
      case 1:
        return PackMasked<Floats, 1>(runs, to);
      case 2:
        return PackMasked<Floats, 2>(runs, to);
      case 3:
        return PackMasked<Floats, 3>(runs, to);
      case 4:
        return PackMasked<Floats, 4>(runs, to);
      default:
        return PackMasked<Floats, kLanes>(runs, to);
    }
  }

  // Some lanes of a vector at a step of one, or two.
  struct NextFloats {
    hn::Mask<D> mask;

    NextFloats() = default;
    HWY_INLINE explicit NextFloats(hn::Mask<D> lanes) : mask(lanes) {}
    HWY_INLINE hn::Vec<D> Load(const float* from) const { return hn::MaskedLoad(mask, D(), from); }
  };
  struct EveryOtherFloat {
    hn::Mask<D> low, high;

    EveryOtherFloat() = default;
    HWY_INLINE explicit EveryOtherFloat(hn::Mask<D> lanes) {
      const D d;
      const hn::RebindToSigned<D> di;
      const hn::Half<decltype(di)> dh;
      const hn::RepartitionToWide<decltype(di)> dw;
      const auto bits = hn::BitCast(di, hn::VecFromMask(d, lanes));
      const auto first = hn::Set(dw, int64_t{0xFFFFFFFF});
      const auto widened = [&](auto half) HWY_ATTR {
        return hn::MaskFromVec(hn::BitCast(d, hn::And(hn::PromoteTo(dw, half), first)));
      };
      low = widened(hn::LowerHalf(dh, bits));
      high = widened(hn::UpperHalf(dh, bits));
    }
    HWY_INLINE hn::Vec<D> Load(const float* from) const {
      const D d;
      return hn::ConcatEven(d, hn::MaskedLoad(high, d, UncheckedOffset(from, kLanes)),
                            hn::MaskedLoad(low, d, from));
    }
  };

  // So many runs of indices, or a few more than four: whether a lane lies in the image is computed
  // for all lanes of a tap at once, so that one channel, or short lines, cost little more.
  template <class Floats, size_t kRuns>
  HWY_INLINE void PackMasked(const MaskedRuns<D>& runs, float* to) const {
    const D d;
    const hn::RebindToSigned<D> di;
    const hn::RebindToUnsigned<D> du;
    // Copies, since a store of a vector might change what is not local.
    const size_t count = kRuns == kLanes ? static_cast<size_t>(runs.count) : kRuns;
    const float* const data = data_;
    const Positions& p = view_.positions[2];
    const auto size = hn::Set(du, static_cast<uint32_t>(p.size));
    const auto tap_move = hn::Set(di, static_cast<int32_t>(p.tap_step));
    const int64_t channel = view_.depth_steps[0], tap_step = view_.depth_steps[3];
    const uint64_t pitch = pitch_, step = taps_ * pitch, all = all_, rest = rest_;
    ForEachLine([=, &runs, this](const Tap& tap, uint64_t first, uint64_t taps) HWY_ATTR {
      auto inside = hn::FirstN(d, kLanes);
      for (size_t i = view_.first_border; i < kSpatialAxes - 1; ++i) {
        const auto move = hn::Set(di, static_cast<int32_t>(tap.moves[i]));
        const auto place = hn::BitCast(du, hn::Add(runs.places[i], move));
        const auto end = hn::Set(du, static_cast<uint32_t>(view_.positions[i].size));
        inside = hn::And(inside, hn::RebindMask(d, hn::Lt(place, end)));
      }
      const float* from[kRuns];
      hn::Mask<D> masks[kRuns];
      for (size_t run = 0; run < count; ++run) {
        from[run] = UncheckedOffset(data, runs.offsets[run] + tap.offset);
        masks[run] = hn::And(inside, runs.masks[run]);
      }
      auto place = hn::Add(runs.places[2], hn::Set(di, static_cast<int32_t>(tap.moves[2])));
      float* line = to + first * pitch;
      for (uint64_t i = first; i < first + taps; ++i, line += pitch) {
        const auto in_line = hn::RebindMask(d, hn::Lt(hn::BitCast(du, place), size));
        Floats lanes[kRuns];
        for (size_t run = 0; run < count; ++run) lanes[run] = Floats(hn::And(in_line, masks[run]));
        float* at = line;
        int64_t ahead = 0;
        for (uint64_t c = all + (i < rest ? 1 : 0); c > 0; --c, at += step, ahead += channel) {
          auto v = lanes[0].Load(UncheckedOffset(from[0], ahead));
          for (size_t run = 1; run < count; ++run) {
            v = hn::Or(v, lanes[run].Load(UncheckedOffset(from[run], ahead)));
          }
          hn::StoreU(v, d, at);
        }
        place = hn::Add(place, tap_move);
        for (size_t run = 0; run < count; ++run) from[run] = UncheckedOffset(from[run], tap_step);
      }
    });
  }
#endif

  HWY_INLINE bool IsInside(const PackedLanes<kLanes>& lanes, const Tap& tap, int64_t lane,
                           size_t axes) const {
    for (size_t i = 0; i < axes; ++i) {
      const Positions& p = view_.positions[i];
      const int64_t at = lanes.places[i][lane] + tap.moves[i];
      if (at < 0 || at >= p.size) return false;
    }
    return true;
  }

  // Runs of indices: the same lanes for every channel.
  HWY_INLINE void PackRuns(const PackedLanes<kLanes>& lanes, const Tap& tap, const Terms& terms,
                           float* to) const {
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
        const LaneRange inside =
            Inside(lanes.places[2][begin] + tap.moves[2], p.index_step, p.size, end - begin);
        range = {begin + inside.begin, begin + inside.end};
        if (range.begin == range.end) continue;
      }
      from[runs] = UncheckedOffset(data_, lanes.offsets[begin] - begin * step + tap.offset);
      ranges[runs++] = range;
    }
    float* at = to + terms.first * pitch_;
    const uint64_t pitch = terms.step * pitch_;
    const int64_t channel = view_.depth_steps[0];
    int64_t ahead = 0;
    if (runs == 1) {
      for (int64_t c = 0; c < terms.count; ++c, at += pitch, ahead += channel) {
        hn::StoreU(LoadLanes(d, UncheckedOffset(from[0], ahead), step, ranges[0]), d, at);
      }
      return;
    }
    for (int64_t c = 0; c < terms.count; ++c, at += pitch, ahead += channel) {
      auto v = hn::Zero(d);
      for (int64_t run = 0; run < runs; ++run) {
        v = hn::Or(v, LoadLanes(d, UncheckedOffset(from[run], ahead), step, ranges[run]));
      }
      hn::StoreU(v, d, at);
    }
  }

  // Channels that follow one another, of a tap that lies in the image or beyond it: squares, of
  // which the last one may repeat some terms of the one before.
  HWY_INLINE void PackChannels(const PackedLanes<kLanes>& lanes, const LanePlaces& places,
                               const Tap& tap, const Terms& terms, float* to) const {
    const D d;
    alignas(64) static constexpr T kZeros[kChain] = {};
    const uint64_t inside = InsideBits(places, tap);
    const T* from[kLanes];
    for (size_t lane = 0; lane < kLanes; ++lane) {
      const T* const at = UncheckedOffset(data_, lanes.offsets[lane] + tap.offset);
      from[lane] = (inside >> lane & 1) != 0 ? at : kZeros;
    }
    const auto N = static_cast<int64_t>(kLanes);
    const uint64_t pitch = terms.step * pitch_;
    float* const first = to + terms.first * pitch_;
    if (terms.count < N) {
      TransposeSquare(
          d,
          [&](size_t lane) HWY_ATTR {
            return LoadLanes(d, from[lane], 1, {0, terms.count});
          },
          [&](size_t term, hn::Vec<D> v) HWY_ATTR {
            if (static_cast<int64_t>(term) < terms.count) hn::StoreU(v, d, first + term * pitch);
          });
      return;
    }
    for (int64_t k = 0; k < terms.count; k += N) {
      k = std::min(k, terms.count - N);
      float* const at = first + static_cast<uint64_t>(k) * pitch;
      TransposeSquare(
          d, [&](size_t lane) HWY_ATTR { return LoadFloats(d, from[lane] + k); },
          [&](size_t term, hn::Vec<D> v) HWY_ATTR { hn::StoreU(v, d, at + term * pitch); });
    }
  }

  // Runs along the depth: squares of lanes and terms.
  HWY_INLINE void PackDepth(const PackedLanes<kLanes>& lanes, const Tap& tap, const Terms& terms,
                            float* to) const {
    const D d;
    const bool in_space = view_.is_image && view_.run_axis != 0;
    const Positions& p = view_.positions[2];
    LaneRange ranges[kLanes];
    const T* from[kLanes];
    for (int64_t lane = 0; lane < static_cast<int64_t>(kLanes); ++lane) {
      ranges[lane] = {0, lane < lanes.count ? terms.count : 0};
      from[lane] = data_;
      if (lane >= lanes.count) continue;
      from[lane] = UncheckedOffset(data_, lanes.offsets[lane] + tap.offset);
      if (view_.is_image && !IsInside(lanes, tap, lane, in_space ? 2 : 3)) ranges[lane].end = 0;
      if (in_space && ranges[lane].end != 0) {
        ranges[lane] =
            Inside(lanes.places[2][lane] + tap.moves[2], p.tap_step, p.size, terms.count);
      }
    }
    const auto N = static_cast<int64_t>(kLanes);
    const int64_t step = view_.run_step;
    for (int64_t k = 0; k < terms.count; k += N) {
      const int64_t end = std::min(N, terms.count - k);
      float* const at = to + (terms.first + static_cast<uint64_t>(k) * terms.step) * pitch_;
      TransposeSquare(
          d,
          [&](size_t lane) HWY_ATTR {
            const LaneRange range = {std::max<int64_t>(ranges[lane].begin - k, 0),
                                     std::min(ranges[lane].end - k, end)};
            if (range.begin >= range.end) return hn::Zero(d);
            return LoadLanes(d, UncheckedOffset(from[lane], k * step), step, range);
          },
          [&](size_t term, hn::Vec<D> v) HWY_ATTR {
            if (static_cast<int64_t>(term) < end) hn::StoreU(v, d, at + term * terms.step * pitch_);
          });
    }
  }

  HWY_INLINE void PackEach(const PackedLanes<kLanes>& lanes, const Tap& tap, const Terms& terms,
                           float* to) const {
    const hn::CappedTag<float, 1> d1;
    float* at = to + terms.first * pitch_;
    bool inside[kLanes];
    for (int64_t lane = 0; lane < static_cast<int64_t>(kLanes); ++lane) {
      inside[lane] =
          lane < lanes.count && (!view_.is_image || IsInside(lanes, tap, lane, kSpatialAxes));
    }
    int64_t ahead = tap.offset;
    for (int64_t c = 0; c < terms.count; ++c) {
      for (int64_t lane = 0; lane < static_cast<int64_t>(kLanes); ++lane) {
        at[lane] =
            inside[lane] ? hn::GetLane(LoadFloats(d1, data_ + lanes.offsets[lane] + ahead)) : 0.0f;
      }
      at += terms.step * pitch_;
      ahead += view_.depth_steps[0];
    }
  }

  const OperandView& view_;
  const T* data_;
  uint64_t first_;
  uint64_t terms_;
  uint64_t pitch_;
  const uint64_t taps_ = view_.Taps();
  // Of terms for each tap, and taps that have one more.
  const uint64_t all_ = terms_ / taps_, rest_ = terms_ % taps_;
#if ANYDML_MASKS_LOADS
  const bool is_masked_ = IsMasked();
  uint64_t next_ = ~uint64_t{0};
  uint64_t at_[kProductAxes];  // index next_
#endif
};

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
