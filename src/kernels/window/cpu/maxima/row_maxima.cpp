// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Any window, stride, dilation and depth, by tiles in a buffer: the maxima along the depth,
// of these along the height, of these along the width. So the cost of a window is the sum
// of its sizes, not their product. Lanes are columns or channels.
//
// Lanes hold integers or floats of the elements' width whose order is that of the values.
// They cannot tell the first of two equal elements that differ, zeros of both signs and
// NaN. Where a tile's result may depend on that, and where indices are wanted, lanes of 64
// bits hold the key above and the place below it: of equal keys the first is the greatest.
#include "kernels/window/cpu/maxima/row_maxima.h"

#include <cstring>

#include "backends/bindings.h"
#include "backends/cpu/prefetch.h"
#include "kernels/window/cpu/maxima/strategies.h"
#include "kernels/window/maximum.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/window/cpu/maxima/row_maxima.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/window/cpu/maximum_keys-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::window::maxima {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace vectors = anydml::cpu::HWY_NAMESPACE;

template <class D>
HWY_INLINE int64_t Step(D d) {
  return static_cast<int64_t>(hn::Lanes(d));
}

template <typename T>
struct PlainLaneOf {
  using Type = std::make_signed_t<T>;
};
template <>
struct PlainLaneOf<float> {
  using Type = float;
};
template <>
struct PlainLaneOf<Float16> {
  using Type = int16_t;
};
template <typename T>
using PlainLane = typename PlainLaneOf<T>::Type;

constexpr int kPrefetchBytes = 2048;

// From the bits of an element to its lane and back.
template <typename T, class D>
HWY_INLINE hn::Vec<D> Recode(D d, hn::Vec<D> v) {
  using Lane = hn::TFromD<D>;
  if constexpr (std::is_same_v<T, Float16>) {
    return hn::Xor(v, hn::And(hn::BroadcastSignBit(v), hn::Set(d, Lane{0x7FFF})));
  } else if constexpr (std::is_unsigned_v<T>) {
    return hn::Xor(v, hn::Set(d, std::numeric_limits<Lane>::min()));
  } else {
    return v;
  }
}

// What elements a row has for which plain lanes do not do.
enum Found : uint32_t { kNothing = 0, kNan = 1, kMinusZero = 2 };

// Puts `count` elements into lanes, or the greater of these and what is there already.
template <typename T, class D>
uint32_t LoadPlainBy(D d, const T* from, int64_t count, bool accumulate, PlainLane<T>* to) {
  if constexpr (hn::MaxLanes(d) > 1) {
    if (count < Step(d)) return LoadPlainBy(hn::Half<D>(), from, count, accumulate, to);
  }
  auto sum = hn::Zero(d), least = hn::Zero(d), min_bits = hn::Zero(d), greatest = hn::Zero(d);
  (void)sum, (void)least, (void)min_bits, (void)greatest;
  const auto block = [&](int64_t i) HWY_ATTR {
    cpu::PrefetchLine(from + i, kPrefetchBytes);
    const auto bits = vectors::LoadElementBits(d, from + i);
    const auto lanes = Recode<T>(d, bits);
    if constexpr (std::is_same_v<T, float>) {
      const hn::RebindToSigned<D> di;
      sum = hn::Add(sum, bits);
      min_bits = hn::BitCast(
          d, hn::Min(hn::BitCast(di, min_bits), hn::BitCast(di, bits)));  // -0 is the least
    } else if constexpr (std::is_same_v<T, Float16>) {
      min_bits = hn::Min(min_bits, bits);
      least = hn::Min(least, lanes);
      greatest = hn::Max(greatest, lanes);
    }
    hn::StoreU(accumulate ? hn::Max(hn::LoadU(d, to + i), lanes) : lanes, d, to + i);
  };
  int64_t i = 0;
  for (; i + Step(d) <= count; i += Step(d)) block(i);
  if (i < count) block(count - Step(d));
  uint32_t found = kNothing;
  if constexpr (std::is_same_v<T, float>) {
    const hn::RebindToSigned<D> di;
    const auto zero = hn::Set(di, std::numeric_limits<int32_t>::min());
    if (!hn::AllFalse(d, hn::IsNaN(sum))) found |= kNan;
    if (!hn::AllFalse(di, hn::Eq(hn::BitCast(di, min_bits), zero))) found |= kMinusZero;
  } else if constexpr (std::is_same_v<T, Float16>) {
    const auto infinity = hn::Set(d, int16_t{0x7C00});
    const auto nan = hn::Or(hn::Gt(greatest, infinity), hn::Gt(hn::Not(infinity), least));
    if (!hn::AllFalse(d, nan)) found |= kNan;
    if (!hn::AllFalse(d, hn::Eq(min_bits, hn::Set(d, std::numeric_limits<int16_t>::min())))) {
      found |= kMinusZero;
    }
  }
  return found;
}

template <typename T>
uint32_t LoadPlain(const void* from, int64_t count, int64_t, bool, bool accumulate, void* to) {
  using Lane = PlainLane<T>;
  return LoadPlainBy(hn::ScalableTag<Lane>(), static_cast<const T*>(from), count, accumulate,
                     static_cast<Lane*>(to));
}

template <typename T>
void StorePlain(const void* from, int64_t count, void* to) {
  using Lane = PlainLane<T>;
  vectors::ForEachBlock(hn::ScalableTag<Lane>(), count, [&](auto d, int64_t i) HWY_ATTR {
    const auto lanes = hn::LoadU(d, static_cast<const Lane*>(from) + i);
    vectors::StoreElementBits(d, Recode<T>(d, lanes), static_cast<T*>(to) + i);
  });
}

// Keys of NaN are equal, and so are those of the zeros.
template <typename T, class D>
HWY_INLINE hn::Vec<D> KeysOf(D d, const T* from) {
  if constexpr (std::is_same_v<T, float>) {
    return vectors::ElementKeys(d, vectors::LoadElementBits(d, from));
  } else if constexpr (std::is_same_v<T, Float16>) {
    const hn::Rebind<int16_t, D> d16;
    return hn::PromoteTo(d, vectors::ElementKeys(d16, vectors::LoadElementBits(d16, from)));
  } else if constexpr (sizeof(T) < 4) {
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<T, D>(), from));
  } else {
    return Recode<T>(d, vectors::LoadElementBits(d, from));
  }
}

// `place` is that of the first element; all have the same if they are channels.
template <typename T>
uint32_t LoadPlaced(const void* from, int64_t count, int64_t place, bool columns, bool accumulate,
                    void* to) {
  const auto* x = static_cast<const T*>(from);
  auto* lanes = static_cast<int64_t*>(to);
  vectors::ForEachBlock(hn::ScalableTag<int64_t>(), count, [&](auto d, int64_t i) HWY_ATTR {
    const auto key = hn::PromoteTo(d, KeysOf(hn::Rebind<int32_t, decltype(d)>(), x + i));
    const auto first = hn::Set(d, int64_t{0xFFFFFFFF} - place - (columns ? i : 0));
    const auto lower = columns ? hn::Sub(first, hn::Iota(d, 0)) : first;
    const auto placed = hn::Or(hn::ShiftLeft<32>(key), lower);
    hn::StoreU(accumulate ? hn::Max(hn::LoadU(d, lanes + i), placed) : placed, d, lanes + i);
  });
  return kNothing;
}

struct ElementMoves {
  int64_t size;
  uint64_t lowest;  // its bits
  uint32_t (*load)(const void* from, int64_t count, int64_t place, bool columns, bool accumulate,
                   void* to);
  void (*store)(const void* from, int64_t count, void* to);
};

template <typename T>
uint64_t LowestBits() {
  const T lowest = LowestValue<T>();
  uint64_t bits = 0;
  std::memcpy(&bits, &lowest, sizeof(T));
  return bits;
}

// The maximum of `count` elements `step` lanes apart, the last of which is `last` lanes
// from the first, for every lane below `size`. `to` may be `from` or lie before it.
template <int kCount, typename Lane>
void MaximaOfTaps(const Lane* from, Lane* to, int64_t size, int64_t step, int64_t last,
                  int64_t count) {
  const hn::ScalableTag<Lane> d;
  if constexpr (kCount != 0) count = kCount;
  for (int64_t i = 0; i < size; i += Step(d)) {
    auto best = hn::LoadU(d, from + i);
    for (int64_t k = 1; k < count - 1; ++k) {
      best = hn::Max(best, hn::LoadU(d, from + i + k * step));
    }
    hn::StoreU(hn::Max(best, hn::LoadU(d, from + i + last)), d, to + i);
  }
}

template <typename Lane>
void MaximaOfTaps(const Lane* from, Lane* to, int64_t size, int64_t step, int64_t last,
                  int64_t count) {
  if (count == 2) return MaximaOfTaps<2>(from, to, size, step, last, count);
  if (count == 3) return MaximaOfTaps<3>(from, to, size, step, last, count);
  if (count == 4) return MaximaOfTaps<4>(from, to, size, step, last, count);
  return MaximaOfTaps<0>(from, to, size, step, last, count);
}

// The same, without touching a lane behind `size`.
template <typename Lane>
void MaximaOfExactTaps(const Lane* from, Lane* to, int64_t size, int64_t step, int64_t last,
                       int64_t count) {
  vectors::ForEachBlock(hn::ScalableTag<Lane>(), size, [&](auto d, int64_t i) HWY_ATTR {
    auto best = hn::LoadU(d, from + i);
    for (int64_t k = 1; k < count - 1; ++k) {
      best = hn::Max(best, hn::LoadU(d, from + i + k * step));
    }
    hn::StoreU(hn::Max(best, hn::LoadU(d, from + i + last)), d, to + i);
  });
}

// The maxima of windows along an axis of `extent` elements of `unit` lanes.
template <typename Lane>
void MaximaOfAxis(const WindowAxis& axis, int64_t stride, Lane* from, Lane* to, int64_t windows,
                  int64_t extent, int64_t unit) {
  const int64_t taps = axis.window_size, step = axis.dilation * unit;
  if (taps == 1 && stride == 1 && from == to) return;
  // Of many taps: every element becomes the maximum of four times as many first.
  int64_t span = 1;
  while (taps >= 8 * span && 3 * CeilDivideSigned(taps, span) * windows > 16 * extent &&
         (stride == 1 || 3 * span * step >= kSpareLanes / 4)) {
    MaximaOfTaps(from, from, extent * unit - (4 * span - 1) * step, span * step, 3 * span * step,
                 4);
    span *= 4;
  }
  const int64_t count = CeilDivideSigned(taps, span), last = (taps - span) * step;
  if (stride == 1) return MaximaOfTaps(from, to, windows * unit, span * step, last, count);
  for (int64_t o = 0; o < windows; ++o) {
    MaximaOfExactTaps(from + o * stride * unit, to + o * unit, unit, span * step, last, count);
  }
}

// Keeps every stride-th lane, `count` of them.
template <typename Lane>
void KeepEach(int64_t stride, Lane* lanes, int64_t count) {
#if HWY_TARGET != HWY_SCALAR
  if (stride >= 2 && stride <= 4) {
    const hn::ScalableTag<Lane> d;
    hn::Vec<decltype(d)> v[4];
    for (int64_t i = 0; i < count; i += Step(d)) {
      if (stride == 2) hn::LoadInterleaved2(d, lanes + i * stride, v[0], v[1]);
      if (stride == 3) hn::LoadInterleaved3(d, lanes + i * stride, v[0], v[1], v[2]);
      if (stride == 4) hn::LoadInterleaved4(d, lanes + i * stride, v[0], v[1], v[2], v[3]);
      hn::StoreU(v[0], d, lanes + i);
    }
    return;
  }
#endif
  for (int64_t i = 0; i < count; ++i) lanes[i] = lanes[i * stride];
}

void CopyElements(const void* from, int64_t from_stride, int64_t count, void* to, int64_t to_stride,
                  int64_t size) {
  const auto copy = [&]<typename Bits>(Bits) {
    for (int64_t i = 0; i < count; ++i) {
      static_cast<Bits*>(to)[i * to_stride] = static_cast<const Bits*>(from)[i * from_stride];
    }
  };
  if (size == 1) copy(uint8_t{});
  if (size == 2) copy(uint16_t{});
  if (size == 4) copy(uint32_t{});
  if (size == 8) copy(uint64_t{});
}

// The maxima of a tile. Lanes of 64 bits with places where moves.store is null.
template <typename Lane>
class MaximaOfTile {
 public:
  MaximaOfTile(const RowMaxima& maxima, const ElementMoves& moves, DataType index_type,
               const Bindings& bindings, const MaximaTile& tile, void* scratch)
      : maxima_(maxima),
        axes_(maxima.loop.axes),
        moves_(moves),
        index_type_(index_type),
        bindings_(bindings),
        tile_(tile),
        lanes_(static_cast<Lane*>(scratch)) {
    for (size_t i = 0; i < 3; ++i) count_[i] = tile.windows[i].end - tile.windows[i].begin;
    const int64_t channels = tile.channels.end - tile.channels.begin;
    buffer_ = maxima.Buffer(count_, channels);
    elements_ = reinterpret_cast<char*>(lanes_ + buffer_.AllLanes() + kSpareLanes);
    padding_ = std::numeric_limits<Lane>::min();
    if (!placed()) moves_.load(&moves_.lowest, 1, 0, false, false, &padding_);
  }

  // Whether plain lanes did.
  bool Run() {
    if (!(maxima_.shares ? LoadRows() : LoadMaximaOfRows())) return false;
    if (maxima_.shares) FindAlongDepthAndHeight();
    FindAlongWidth();
    const auto& [depths, heights, widths] = tile_.windows;
    if ((found_ & kMinusZero) != 0 && HasZero()) return false;
    for (int64_t d = depths.begin; d < depths.end; ++d) {
      for (int64_t h = heights.begin; h < heights.end; ++h) StoreRow(d, h);
    }
    return true;
  }

 private:
  bool placed() const { return moves_.store == nullptr; }
  int64_t FirstInput(size_t axis) const {
    return tile_.windows[axis].begin * axes_[axis].stride - axes_[axis].start_padding;
  }
  int64_t Offset(const PlaneStrides& strides) const {
    return maxima_.lanes == 1
               ? strides.PlaneOffset(maxima_.loop, tile_.plane)
               : tile_.plane * strides.batch + tile_.channels.begin * strides.channel;
  }
  const char* InputRow(int64_t d, int64_t h) const {
    const PlaneStrides& strides = maxima_.input;
    return bindings_.Input<char>(0) +
           moves_.size * (Offset(strides) + d * strides.spatial[0] + h * strides.spatial[1]);
  }
  Lane* Row(int64_t slice, int64_t row) const {
    return lanes_ + (slice * rows_per_slice_ + row) * row_lanes_;
  }

  // Every input row of the tile, once.
  bool LoadRows() {
    const auto& [depth, height, width] = axes_;
    rows_per_slice_ = buffer_.size[1];
    row_lanes_ = buffer_.RowLanes();
    for (int64_t i = 0; i < buffer_.size[0]; ++i) {
      for (int64_t j = 0; j < buffer_.size[1]; ++j) {
        const int64_t d = FirstInput(0) + i, h = FirstInput(1) + j;
        if (d < 0 || d >= depth.input_size || h < 0 || h >= height.input_size) {
          std::fill_n(Row(i, j), row_lanes_, padding_);
        } else if (!LoadRow(InputRow(d, h), i * rows_per_slice_ + j, false, Row(i, j))) {
          return false;
        }
      }
    }
    return true;
  }

  // The maxima of the rows that every row of windows sees.
  bool LoadMaximaOfRows() {
    rows_per_slice_ = count_[1];
    row_lanes_ = buffer_.RowLanes();
    for (int64_t i = 0; i < count_[0]; ++i) {
      const Progression depths = TapsOf(axes_[0], tile_.windows[0].begin + i);
      for (int64_t j = 0; j < count_[1]; ++j) {
        const Progression heights = TapsOf(axes_[1], tile_.windows[1].begin + j);
        const int64_t rows = depths.count * heights.count;
        if (rows == 0) std::fill_n(Row(i, j), row_lanes_, padding_);
        for (int64_t r = 0; r < rows; ++r) {
          const char* row = InputRow(depths.first + r / heights.count * depths.step,
                                     heights.first + r % heights.count * heights.step);
          if (!LoadRow(row, r, r > 0, Row(i, j))) return false;
        }
      }
    }
    return true;
  }

  // `number` is the row's, in logical order.
  bool LoadRow(const char* row, int64_t number, bool accumulate, Lane* to) {
    const WindowAxis& width = axes_[WindowLoop::kWidth];
    const int64_t stride = maxima_.input.spatial[WindowLoop::kWidth], lanes = buffer_.lanes;
    const int64_t first = FirstInput(WindowLoop::kWidth);
    const int64_t extent = (count_[2] - 1) * width.stride + width.reach() + 1;
    const int64_t begin = std::max<int64_t>(0, first);
    const int64_t count = std::max<int64_t>(0, std::min(width.input_size, first + extent) - begin);
    const int64_t lead = count == 0 ? 0 : begin - first;
    if (!accumulate) {
      std::fill_n(to, lead * lanes, padding_);
      std::fill(to + (lead + count) * lanes, to + row_lanes_, padding_);
    }
    if (count == 0) return true;
    row += begin * stride * moves_.size;
    to += lead * lanes;
    const int64_t place = number * buffer_.size[2] + lead;
    if (maxima_.lanes == 1) {
      if (stride != 1) {
        CopyElements(row, stride, count, elements_, 1, moves_.size);
        row = elements_;
      }
      found_ |= moves_.load(row, count, place, true, accumulate, to);
    } else if (stride == lanes && !placed()) {
      found_ |= moves_.load(row, count * lanes, place, false, accumulate, to);
    } else {
      for (int64_t c = 0; c < count; ++c, row += stride * moves_.size, to += lanes) {
        found_ |= moves_.load(row, lanes, place + c, false, accumulate, to);
      }
    }
    return (found_ & kNan) == 0;
  }

  void FindAlongDepthAndHeight() {
    const auto& [depth, height, width] = axes_;
    MaximaOfAxis(depth, depth.stride, lanes_, lanes_, count_[0], buffer_.size[0],
                 buffer_.SliceLanes());
    const int64_t rows = buffer_.size[1];
    if (height.stride == 1) {
      // Rows between those of two slices see both, and nobody asks for them.
      return MaximaOfAxis(height, 1, lanes_, lanes_, count_[0] * rows - height.reach(),
                          count_[0] * rows, row_lanes_);
    }
    for (int64_t i = 0; i < count_[0]; ++i) {
      MaximaOfAxis(height, height.stride, Row(i, 0), lanes_ + i * count_[1] * row_lanes_, count_[1],
                   rows, row_lanes_);
    }
    rows_per_slice_ = count_[1];
  }

  void FindAlongWidth() {
    const WindowAxis& width = axes_[WindowLoop::kWidth];
    const int64_t rows = count_[0] * rows_per_slice_, columns = buffer_.size[2];
    if (maxima_.lanes == 1 || width.stride == 1) {
      MaximaOfAxis(width, 1, lanes_, lanes_, rows * columns - width.reach(), rows * columns,
                   buffer_.lanes);
      if (width.stride == 1) return;
      row_lanes_ = columns / width.stride;
      return KeepEach(width.stride, lanes_, rows * row_lanes_);
    }
    row_lanes_ = count_[2] * buffer_.lanes;
    for (int64_t r = 0; r < rows; ++r) {
      MaximaOfAxis(width, width.stride, lanes_ + r * buffer_.RowLanes(), lanes_ + r * row_lanes_,
                   count_[2], columns, buffer_.lanes);
    }
  }

  bool HasZero() const {
    for (int64_t i = 0; i < count_[0]; ++i) {
      for (int64_t j = 0; j < count_[1]; ++j) {
        const Lane* row = Row(i, j);
        const Lane* end = row + count_[2] * buffer_.lanes;
        if (std::find(row, end, Lane{0}) != end) return true;
      }
    }
    return false;
  }

  // The row (d, h) of windows.
  void StoreRow(int64_t d, int64_t h) const {
    const Lane* row = Row(d - tile_.windows[0].begin, h - tile_.windows[1].begin);
    const PlaneStrides& strides = maxima_.output;
    const int64_t stride = strides.spatial[WindowLoop::kWidth], lanes = buffer_.lanes;
    char* to = bindings_.Output<char>(0) +
               moves_.size * (Offset(strides) + d * strides.spatial[0] + h * strides.spatial[1] +
                              tile_.windows[2].begin * stride);
    if (placed()) return StorePlaces(row, d, h, to);
    if (stride == lanes) return moves_.store(row, count_[2] * lanes, to);
    if (maxima_.lanes == 1) {
      moves_.store(row, count_[2], elements_);
      return CopyElements(elements_, 1, count_[2], to, stride, moves_.size);
    }
    for (int64_t o = 0; o < count_[2]; ++o, to += stride * moves_.size) {
      moves_.store(row + o * lanes, lanes, to);
    }
  }

  // Copies the elements of the places, and stores their logical indices in the whole input.
  void StorePlaces(const Lane* row, int64_t od, int64_t oh, char* to) const {
    const auto& [depth, height, width] = axes_;
    Progression depths = {FirstInput(0), 1, 1}, heights = {FirstInput(1), buffer_.size[1], 1};
    if (!maxima_.shares) {
      depths = TapsOf(depth, od);
      heights = TapsOf(height, oh);
    }
    const auto columns = static_cast<uint32_t>(buffer_.size[2]);
    const auto rows = static_cast<uint32_t>(heights.count);
    const PlaneStrides& in = maxima_.input;
    for (int64_t o = 0; o < count_[2]; ++o) {
      for (int64_t c = 0; c < buffer_.lanes; ++c, ++row) {
        const int64_t channel = maxima_.lanes == 1 ? 0 : c;
        char* const y = to + moves_.size * (o * maxima_.output.spatial[2] + channel);
        const auto lane = static_cast<int64_t>(*row);
        if (lane == std::numeric_limits<int64_t>::min()) {
          std::memcpy(y, &moves_.lowest, static_cast<size_t>(moves_.size));
          PutIndex(od, oh, o, channel, -1);
          continue;
        }
        const uint32_t place = 0xFFFFFFFFu - static_cast<uint32_t>(lane);
        const uint32_t number = place / columns;
        const int64_t d = depths.first + number / rows * depths.step;
        const int64_t h = heights.first + number % rows * heights.step;
        const int64_t w = FirstInput(2) + place % columns;
        CopyElements(InputRow(d, h) + moves_.size * (w * in.spatial[2] + channel), 1, 1, y, 1,
                     moves_.size);
        const int64_t plane = maxima_.lanes == 1
                                  ? tile_.plane
                                  : tile_.plane * maxima_.loop.channels + tile_.channels.begin + c;
        PutIndex(od, oh, o, channel,
                 ((plane * depth.input_size + d) * height.input_size + h) * width.input_size + w);
      }
    }
  }

  void PutIndex(int64_t d, int64_t h, int64_t o, int64_t channel, int64_t value) const {
    const PlaneStrides& strides = maxima_.indices;
    const int64_t at = Offset(strides) + d * strides.spatial[0] + h * strides.spatial[1] +
                       (tile_.windows[2].begin + o) * strides.spatial[2] +
                       channel * strides.channel;
    if (index_type_ == DataType::kUint64) {
      bindings_.Output<uint64_t>(1)[at] = static_cast<uint64_t>(value);
    } else if (index_type_ == DataType::kUint32) {
      bindings_.Output<uint32_t>(1)[at] = static_cast<uint32_t>(value);
    }
  }

  const RowMaxima& maxima_;
  const std::array<WindowAxis, 3>& axes_;
  const ElementMoves& moves_;
  const DataType index_type_;
  const Bindings& bindings_;
  const MaximaTile& tile_;
  Lane* const lanes_;
  char* elements_;  // of a row with gaps
  std::array<int64_t, 3> count_;
  MaximaBuffer buffer_;
  Lane padding_;
  int64_t rows_per_slice_ = 0;
  int64_t row_lanes_ = 0;
  uint32_t found_ = kNothing;
};

constexpr size_t kScratchBytes = 8 * (kMaxBufferLanes + kSpareLanes);

template <typename T>
void RunMaxima(const Plan& plan, const RowMaxima& maxima, const Bindings& bindings,
               const cpu::Executor& executor) {
  constexpr auto kSize = static_cast<int64_t>(sizeof(T));
  const ElementMoves plain = {kSize, LowestBits<T>(), LoadPlain<T>, StorePlain<T>};
  const auto elements = static_cast<uint64_t>(
      maxima.parts[0].length * maxima.parts[1].length * maxima.parts[2].length *
      maxima.channel_parts.length * maxima.loop.axes[1].stride * maxima.loop.axes[2].stride);
  executor.ParallelFor(
      static_cast<uint64_t>(maxima.Units()),
      cpu::kElementsPerUnit / std::max<uint64_t>(1, elements),
      [&](uint64_t begin, uint64_t end) HWY_ATTR {
        alignas(64) char scratch[kScratchBytes];
        for (uint64_t unit = begin; unit < end; ++unit) {
          const MaximaTile tile = maxima.Tile(static_cast<int64_t>(unit));
          if (plan.index_type == DataType::kUnknown &&
              MaximaOfTile<PlainLane<T>>(maxima, plain, plan.index_type, bindings, tile, scratch)
                  .Run()) {
            continue;
          }
          if constexpr (kSize < 8) {
            const ElementMoves places = {kSize, LowestBits<T>(), LoadPlaced<T>, nullptr};
            MaximaOfTile<int64_t>(maxima, places, plan.index_type, bindings, tile, scratch).Run();
          }
        }
      });
}

void RowMaximaOf(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  const RowMaxima maxima(plan, executor.threads());
  DispatchType(Types(), plan.data_type,
               [&]<typename T>() HWY_ATTR { RunMaxima<T>(plan, maxima, bindings, executor); });
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::window::maxima
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::window::maxima {
namespace {

HWY_EXPORT(RowMaximaOf);

constexpr int64_t kMaxReach = kMaxBufferLanes / 2 - 1;
constexpr int64_t kMaxRows = 65536;  // that a window sees
constexpr int64_t kTileLanes = 8192;
constexpr double kMaxOverlap = 1.15;

int64_t Extent(const WindowAxis& axis, int64_t windows) {
  return (windows - 1) * axis.stride + axis.reach() + 1;
}

}  // namespace

void RunRowMaxima(const Plan& plan, const NoTables&, const Bindings& bindings,
                  const cpu::Executor& executor) {
  HWY_DYNAMIC_DISPATCH(RowMaximaOf)(plan, bindings, executor);
}

RowMaxima::RowMaxima(const Plan& plan, int threads)
    : loop(plan.loop), input(plan.input), output(plan.output), indices(plan.indices) {
  auto& axes = loop.axes;
  const auto is_whole = [](const WindowAxis& axis) {
    return axis.is_trivial() && axis.start_padding == 0;
  };
  // One column: rows are columns.
  for (int i = 0; i < 2 && is_whole(axes[2]); ++i) {
    axes = {axes[2], axes[0], axes[1]};
    for (PlaneStrides* strides : {&input, &output, &indices}) {
      auto& spatial = strides->spatial;
      spatial = {0, spatial[0], spatial[1]};
    }
  }
  for (WindowAxis& axis : axes) {
    if (axis.output_size == 1) axis.stride = 1;
  }
  lanes = std::max<int64_t>(1, cpu::LanesPerColumn(loop, input, output));
  // One slice: channels are slices.
  if (lanes == 1 && is_whole(axes[0])) {
    axes[0].input_size = axes[0].output_size = loop.channels;
    loop.channels = 1;
    for (PlaneStrides* strides : {&input, &output, &indices}) {
      strides->spatial[0] = strides->channel;
    }
  }
  planes = lanes == 1 ? loop.PlaneCount() : loop.batches;

  std::array<int64_t, 3> windows;
  for (size_t i = 0; i < 3; ++i) windows[i] = axes[i].output_size;
  // Rows with gaps need room for their elements.
  const bool has_gaps = lanes == 1 && (input.spatial[2] != 1 || output.spatial[2] != 1);
  const int64_t room = has_gaps ? kMaxBufferLanes / 2 : kMaxBufferLanes;
  const auto rows = [](const WindowAxis& axis, int64_t count) {
    return static_cast<double>(Extent(axis, count)) / static_cast<double>(count);
  };
  const double taps =
      static_cast<double>(axes[0].window_size) * static_cast<double>(axes[1].window_size);
  shares = true;
  shares = taps > rows(axes[0], windows[0]) * rows(axes[1], windows[1]) &&
           Extent(axes[0], 1) <= room && Extent(axes[1], 1) <= room &&
           Buffer({1, 1, 1}, 1).AllLanes() <= room;
  int64_t channels = lanes;
  // The axis whose halves have the least in common.
  const auto halve = [&](bool all, double least) {
    int64_t* cut = nullptr;
    const auto offer = [&](int64_t& count, double cost) {
      if (count > 1 && cost < least) {
        least = cost;
        cut = &count;
      }
    };
    for (size_t i = 0; i < (all ? 3 : 2); ++i) {
      const auto whole = static_cast<double>(Extent(axes[i], windows[i]));
      const auto half = static_cast<double>(Extent(axes[i], (windows[i] + 1) / 2));
      const bool is_row = i == WindowLoop::kWidth;
      const bool is_short = is_row && half * static_cast<double>(channels) < 256;
      offer(windows[i], shares || is_row ? 2 * half / whole * (is_short ? 1.5 : 1) : 1);
    }
    if (all && channels > 16) offer(channels, channels > 64 ? 1.1 : 1.3);
    if (cut == nullptr) return false;
    *cut = (*cut + 1) / 2;
    return true;
  };
  // In the first-level cache, unless much of a tile would belong to its neighbours too.
  while (Buffer(windows, channels).AllLanes() > kTileLanes &&
         halve(true, Buffer(windows, channels).AllLanes() > room ? 1e30 : kMaxOverlap)) {
  }
  const auto cut = [&] {
    for (size_t i = 0; i < 3; ++i) parts[i] = cpu::Parts::Of(axes[i].output_size, windows[i]);
    channel_parts = cpu::Parts::Of(lanes, channels);
  };
  cut();
  // Enough units for all threads.
  while (threads > 1 && Units() < int64_t{4} * threads && halve(false, 1e30)) cut();
}

MaximaBuffer RowMaxima::Buffer(const std::array<int64_t, 3>& windows, int64_t lane_count) const {
  const auto& [depth, height, width] = loop.axes;
  int64_t columns = Extent(width, windows[2]);
  if (lanes == 1) columns = CeilDivideSigned(columns, width.stride) * width.stride;
  return {{shares ? Extent(depth, windows[0]) : windows[0],
           shares ? Extent(height, windows[1]) : windows[1], columns},
          lane_count};
}

MaximaTile RowMaxima::Tile(int64_t unit) const {
  cpu::Digits digits{unit};
  MaximaTile tile;
  tile.channels = digits.NextPart(channel_parts, lanes);
  for (size_t i = 3; i-- > 0;) {
    tile.windows[i] = digits.NextPart(parts[i], loop.axes[i].output_size);
  }
  tile.plane = digits.number;
  return tile;
}

Refusal AcceptsRowMaxima(const Plan& plan) {
  if (plan.index_type != DataType::kUnknown &&
      SetOf(TypeList<int64_t, uint64_t>()).Contains(plan.data_type)) {
    return {"indices of 64-bit elements are wanted"};
  }
  const auto& [depth, height, width] = RowMaxima(plan, 1).loop.axes;
  if (std::max(width.reach(), width.stride) > kMaxReach) return {"the window is too wide"};
  // Places have 32 bits.
  if (std::min(depth.window_size, depth.input_size) *
          std::min(height.window_size, height.input_size) >
      kMaxRows) {
    return {"the window has too many rows"};
  }
  return kAccepted;
}

}  // namespace anydml::window::maxima
#endif  // HWY_ONCE
