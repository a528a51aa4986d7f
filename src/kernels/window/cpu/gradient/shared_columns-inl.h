// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What the windows of the strategy shared_columns compare, a vector of them at a time:
// keys from buffers, or elements where they lie, by loads of single lanes, so that
// nothing is read but what a window sees.
// Included once per instruction set.

#if defined(ANYDML_KERNELS_WINDOW_GRADIENT_SHARED_COLUMNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_WINDOW_GRADIENT_SHARED_COLUMNS_INL_H_
#undef ANYDML_KERNELS_WINDOW_GRADIENT_SHARED_COLUMNS_INL_H_
#else
#define ANYDML_KERNELS_WINDOW_GRADIENT_SHARED_COLUMNS_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

#include "backends/cpu/prefetch.h"
#include "backends/cpu/unchecked_offset.h"
#include "kernels/window/cpu/gradient/shared_columns.h"
#include "kernels/window/cpu/window_tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::window::gradient {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace vectors = anydml::cpu::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, cpu::kMaxLanes>;
using Ints = hn::RebindToSigned<Floats>;
using Vector = hn::Vec<Floats>;

HWY_INLINE int64_t Lanes() { return static_cast<int64_t>(hn::Lanes(Floats())); }

using cpu::UncheckedOffset;

// The windows at lanes i and following see tap k of an input row as one vector: of
// keys by the rule, from a buffer.
template <int kSize>
class KeyStrip {
 public:
  using D = Ints;
  using Key = hn::Vec<Ints>;
  using Element = int32_t;

  HWY_INLINE KeyStrip(const cpu::WindowTile& tile, IndexRange, int64_t i) {
    for (size_t k = 0; k < kSize; ++k) at_[k] = tile.taps[k].key_offset + i;
  }
  static HWY_INLINE bool Sees(const int32_t*) { return true; }
  static HWY_INLINE Key Padding() { return hn::Set(Ints(), vectors::kPaddingKey); }
  HWY_INLINE void Load(const int32_t* row, Key (&keys)[kSize]) {
    HWY_UNROLL(8)
    for (int k = 0; k < kSize; ++k) keys[k] = hn::LoadU(Ints(), row + at_[k]);
  }
  static HWY_INLINE bool AreRight() { return true; }

 private:
  int64_t at_[kSize];
};

// Whether lanes that a load leaves out are not touched: AMD does not promise it of
// AVX2 (HWY_MEM_OPS_MIGHT_FAULT).
constexpr bool kLoadsLanes = HWY_TARGET <= HWY_AVX3;

// What rows of the tensor have in common: the elements as they are, and minus infinity
// for padding. Wrong where one is a NaN or minus infinity: times zero, either gives a NaN.
// So does plus infinity, for which keys are taken as well.
template <typename T>
class PlainElements {
 public:
  using D = Floats;
  using Key = Vector;
  using Element = T;

  static HWY_INLINE bool Sees(const T* row) { return row != nullptr; }
  static HWY_INLINE Key Padding() { return hn::Set(Floats(), -std::numeric_limits<float>::infinity()); }
  HWY_INLINE bool AreRight() const {
    return hn::AllTrue(Floats(), hn::Eq(check_, hn::Zero(Floats())));
  }

 protected:
  HWY_INLINE PlainElements() : check_(hn::Zero(Floats())) {}
  static HWY_INLINE hn::Mask<Floats> FirstLanes(int64_t count) {
    return hn::FirstN(Floats(), static_cast<size_t>(std::clamp<int64_t>(count, 0, Lanes())));
  }
  // Of the lanes from `at` on, those inside.
  static HWY_INLINE hn::Mask<Floats> LanesInside(IndexRange inside, int64_t at) {
    return hn::AndNot(FirstLanes(inside.begin - at), FirstLanes(inside.end - at));
  }
  static HWY_INLINE Key LoadInside(hn::Mask<Floats> inside, const float* from) {
    return hn::IfThenElse(inside, hn::MaskedLoad(inside, Floats(), from), Padding());
  }
  static HWY_INLINE Key LoadInside(hn::Mask<Floats> inside, const Float16* from) {
#if HWY_TARGET <= HWY_AVX3
    const __m256i halves = _mm256_maskz_loadu_epi16(inside.raw, from);
    return Key{_mm512_mask_cvtph_ps(Padding().raw, inside.raw, halves)};
#else
    (void)inside, (void)from;  // kLoadsLanes is false: never called
    return Padding();
#endif
  }
  HWY_INLINE void Check(hn::Mask<Floats> inside, Key key) {
    check_ = hn::IfThenElse(inside, hn::MulAdd(key, hn::Zero(Floats()), check_), check_);
  }

 private:
  Key check_;
};

// At stride 1.
template <typename T, int kSize>
class PlainStrip : public PlainElements<T> {
  using Base = PlainElements<T>;

 public:
  using typename Base::Key;
  HWY_INLINE PlainStrip(const cpu::WindowTile& tile, IndexRange inside, int64_t i)
      : first_(std::max(i, inside.begin) < tile.taps[kSize - 1].key_offset) {
    for (size_t k = 0; k < kSize; ++k) {
      at_[k] = tile.taps[k].key_offset + i;
      inside_[k] = Base::LanesInside(inside, at_[k]);
    }
  }
  // The last taps of all strips are all columns but those that lie before the first
  // strip's: these are first taps.
  HWY_INLINE void Load(const T* row, Key (&keys)[kSize]) {
    HWY_UNROLL(8)
    for (int k = 0; k < kSize; ++k) {
      keys[k] = Base::LoadInside(inside_[k], UncheckedOffset(row, at_[k]));
      if (k == kSize - 1 || (k == 0 && first_)) Base::Check(inside_[k], keys[k]);
    }
  }

 private:
  const bool first_;
  int64_t at_[kSize];
  hn::Mask<Floats> inside_[kSize];
};

// Windows of three columns at stride 2. Columns are counted from the first that the tile's
// keys have; two taps are the even and the odd ones of two vectors, the third is one of
// them and a column beside these. kOdd: the first tap is the odd column.
template <typename T, bool kOdd>
class PlainPairStrip : public PlainElements<T> {
  using Base = PlainElements<T>;

 public:
  using typename Base::Key;
  HWY_INLINE PlainPairStrip(const cpu::WindowTile&, IndexRange inside, int64_t i)
      : at_(2 * i + (kOdd ? 2 : 0)), beside_(kOdd ? at_ - Lanes() : at_ + 2 * Lanes()) {
    for (int v = 0; v < 2; ++v) inside_[v] = Base::LanesInside(inside, at_ + v * Lanes());
    const auto one = kOdd ? hn::Not(Base::FirstLanes(Lanes() - 1)) : Base::FirstLanes(1);
    inside_beside_ = hn::And(one, Base::LanesInside(inside, beside_));
  }
  HWY_INLINE void Load(const T* row, Key (&keys)[3]) {
    const Key low = Base::LoadInside(inside_[0], UncheckedOffset(row, at_));
    const Key high = Base::LoadInside(inside_[1], UncheckedOffset(row, at_ + Lanes()));
    const Key beside = Base::LoadInside(inside_beside_, UncheckedOffset(row, beside_));
    Base::Check(inside_[0], low);
    Base::Check(inside_[1], high);
    Base::Check(inside_beside_, beside);
#if HWY_TARGET <= HWY_AVX3
    const Key even = hn::ConcatEven(Floats(), high, low), odd = hn::ConcatOdd(Floats(), high, low);
    const auto join = [](Key upper, Key lower, auto lanes) HWY_ATTR {
      return Key{_mm512_castsi512_ps(_mm512_alignr_epi32(
          _mm512_castps_si512(upper.raw), _mm512_castps_si512(lower.raw), lanes.value))};
    };
    if constexpr (kOdd) {
      keys[0] = join(odd, beside, std::integral_constant<int, 15>());
      keys[1] = even;
      keys[2] = odd;
    } else {
      keys[0] = even;
      keys[1] = odd;
      keys[2] = join(beside, even, std::integral_constant<int, 1>());
    }
#else
    // kLoadsLanes is false: never called.
    keys[0] = keys[1] = keys[2] = beside;
#endif
  }

 private:
  const int64_t at_;
  const int64_t beside_;  // a vector of which one lane is wanted
  hn::Mask<Floats> inside_[2];
  hn::Mask<Floats> inside_beside_;
};

// ----
// The sweeps of the strategy shared_columns over a band of rows. Who won is kept
// as words of one bit per window, which are combined and shifted as integers; the
// sweeps walk down a strip of lanes with what neighbouring rows of windows share
// in registers.

// Whether the lanes of a mask are whole bytes of a word in memory.
constexpr bool kWholeBytes =
    std::endian::native == std::endian::little && hn::MaxLanes(Floats()) >= 8 && !HWY_HAVE_SCALABLE;

// Bits i and following of a word. Words are written from bit 0 on.
HWY_INLINE void StoreBits(hn::Mask<Ints> mask, int64_t i, uint64_t* word) {
  const Ints di;
  if constexpr (kWholeBytes) {
    hn::StoreMaskBits(di, mask, reinterpret_cast<uint8_t*>(word) + i / 8);
  } else {
    uint8_t bytes[8] = {};
    hn::StoreMaskBits(di, mask, bytes);
    const uint64_t bits = bytes[0] | uint64_t{bytes[1]} << 8;
    *word = i == 0 ? bits : *word | bits << i;
  }
}

HWY_INLINE hn::Mask<Floats> LoadBits(const uint64_t* word, int64_t i) {
  const Floats df;
  if constexpr (kWholeBytes) {
    return hn::LoadMaskBits(df, reinterpret_cast<const uint8_t*>(word) + i / 8);
  } else {
    const uint64_t bits = *word >> i;
    const uint8_t bytes[8] = {static_cast<uint8_t>(bits), static_cast<uint8_t>(bits >> 8)};
    return hn::LoadMaskBits(df, bytes);
  }
}

// Lines of memory that will be needed soon, asked for little by little.
struct LinePrefetcher {
  uintptr_t at;
  int64_t row_bytes;

  HWY_INLINE LinePrefetcher From(int64_t bytes) const {
    return {at + static_cast<uintptr_t>(bytes), row_bytes};
  }

  template <int kBytes>
  HWY_INLINE void Ask() {
    for (int b = 0; b < kBytes; b += 64) {
      cpu::PrefetchLine(reinterpret_cast<const void*>(at), static_cast<uintptr_t>(b));
    }
    at += static_cast<uintptr_t>(row_bytes);
  }
};

// Rows of windows are the lanes of these arrays, so that a band is combined at
// once. Input row r of the band stands at [r % kStride][r / kStride].
template <int kSize, int kStride>
struct BandWords {
  static constexpr int kCarried = kSize - kStride;
  // Whether the sum is selected once for all taps; see WordSumSweep.
  static constexpr bool kSelects = kStride == 1 && kSize >= 3;
  static constexpr int kMaxRows = kMaxWordRows + kSize;
  using Rows = uint64_t[kMaxWordRows];

  // Of windows: tap k is the first of the greatest in an input row.
  uint64_t columns[kSize][kStride][kMaxRows] = {};
  // Of windows: row r has the greatest.
  Rows rows[kSize] = {};
  Rows valid = {};  // windows that there are
  // Of elements: this one is tap k in row r of a window, and has won it.
  Rows won[kSelects ? 1 : kSize][kSize];
  // Of elements: as tap k this one has won a window; it has won one in row r.
  Rows won_columns[kSize];
  Rows won_rows[kSize];

  uint64_t* Column(int k, int64_t row) { return &columns[k][row % kStride][row / kStride]; }
};

// One band. Row r of a buffer lies r * <its row's size> further.
template <typename T, int kSize, int kStride>
struct ColumnBand {
  static constexpr int kCarried = kSize - kStride;
  const cpu::WindowTile& tile;
  BandWords<kSize, kStride>& words;
  int64_t rows;                   // of windows
  const float* const* gradients;  // rows of windows; those that there are may be read
  T* const* outputs;              // rows that are finished
  int32_t* carried_keys;          // of windows: the best of each input row that comes again
  float* carried_sums;            // of input rows that come again
  LinePrefetcher next_inputs;
  LinePrefetcher next_gradients;
  LinePrefetcher outputs_ahead;
  bool stream;  // outputs by non-temporal stores
};

// Finds who is the greatest, along input rows and then down. A row of `rows` holds
// the lanes of the tile's keys, those within `inside` from the tensor; rows that
// carry over from the band before are not among them.
template <class Strip, typename T, int kSize, int kStride>
struct WordFindSweep {
  using Band = ColumnBand<T, kSize, kStride>;
  using Key = typename Strip::Key;
  using Rows = const typename Strip::Element* const*;
  static constexpr int kCarried = kSize - kStride;

  // The best of input row r for the windows at lane i; `>` keeps the first.
  static HWY_INLINE Key BestOfRow(const Band& band, Strip& strip,
                                  const typename Strip::Element* row, int64_t r, int64_t i) {
    if (!strip.Sees(row)) {
      HWY_UNROLL(8)
      for (int k = 1; k < kSize; ++k) {
        StoreBits(hn::MaskFromVec(hn::Zero(Ints())), i, band.words.Column(k, r));
      }
      return Strip::Padding();
    }
    Key keys[kSize];
    strip.Load(row, keys);
    Key best = keys[0];
    HWY_UNROLL(8)
    for (int k = 1; k < kSize; ++k) {
      StoreBits(Greater(keys[k], best), i, band.words.Column(k, r));
      best = hn::Max(keys[k], best);
    }
    return best;
  }

  // Whether the keys are right.
  static bool Run(const Band& the_band, IndexRange inside, Rows rows) {
    const Band band = the_band;  // a copy, which no store can change
    const int64_t size = band.tile.windows.phase_size, used = band.tile.windows.used();
    bool right = true;
    for (int64_t i = 0; i < used; i += Lanes()) {
      Strip strip(band.tile, inside, i);
      const int64_t bytes = i * static_cast<int64_t>(sizeof(T));
      LinePrefetcher gradients = band.next_gradients.From(bytes);
      LinePrefetcher outputs = band.outputs_ahead.From(bytes * kStride);
      Key best[kSize];
      HWY_UNROLL(8)
      for (int c = 0; c < kCarried; ++c) best[c] = LoadKey(band.carried_keys + c * size + i);
      for (int64_t j = 0; j < band.rows; ++j) {
        gradients.Ask<sizeof(T) * hn::MaxLanes(Ints())>();
        HWY_UNROLL(2)
        for (int s = 0; s < kStride; ++s) {
          if (!band.stream) outputs.Ask<kStride * sizeof(T) * hn::MaxLanes(Ints())>();
          const int64_t row = j * kStride + s;
          best[kCarried + s] = BestOfRow(band, strip, rows[row], kCarried + row, i);
        }
        Key key = best[0];
        HWY_UNROLL(8)
        for (int r = 1; r < kSize; ++r) {
          StoreBits(Greater(best[r], key), i, &band.words.rows[r][j]);
          if (r + 1 < kSize) key = hn::Max(best[r], key);
        }
        HWY_UNROLL(8)
        for (int c = 0; c < kCarried; ++c) best[c] = best[c + kStride];
      }
      HWY_UNROLL(8)
      for (int c = 0; c < kCarried; ++c) StoreKey(best[c], band.carried_keys + c * size + i);
      right = right && strip.AreRight();
    }
    return right;
  }

  // The first rows of a walk, which no row of windows before them has carried: row c
  // of those.
  static bool Start(const Band& band, IndexRange inside, const typename Strip::Element* row,
                    int64_t c) {
    const int64_t size = band.tile.windows.phase_size, used = band.tile.windows.used();
    bool right = true;
    for (int64_t i = 0; i < used; i += Lanes()) {
      Strip strip(band.tile, inside, i);
      StoreKey(BestOfRow(band, strip, row, c, i), band.carried_keys + c * size + i);
      right = right && strip.AreRight();
    }
    return right;
  }

 private:
  static HWY_INLINE hn::Mask<Ints> Greater(Key a, Key b) {
    return hn::RebindMask(Ints(), hn::Gt(a, b));
  }
  static HWY_INLINE Key LoadKey(const int32_t* from) {
    return hn::BitCast(typename Strip::D(), hn::LoadU(Ints(), from));
  }
  static HWY_INLINE void StoreKey(Key key, int32_t* to) {
    hn::StoreU(hn::BitCast(Ints(), key), Ints(), to);
  }
};

// From "beats all before it" to "is the first of the greatest".
template <int kSize>
HWY_INLINE void LastOf(uint64_t (&bits)[kSize]) {
  uint64_t later = 0;
  HWY_UNROLL(8)
  for (int k = kSize - 1; k > 0; --k) {
    const uint64_t beats = bits[k];
    bits[k] = beats & ~later;
    later |= beats;
  }
  bits[0] = ~later;
}

template <int kSize, int kStride>
HWY_INLINE void FirstOfColumns(BandWords<kSize, kStride>& words, int64_t begin, int64_t end) {
  for (int64_t row = begin; row < end; ++row) {
    uint64_t bits[kSize];
    HWY_UNROLL(8)
    for (int k = 1; k < kSize; ++k) bits[k] = *words.Column(k, row);
    LastOf(bits);
    HWY_UNROLL(8)
    for (int k = 0; k < kSize; ++k) *words.Column(k, row) = bits[k];
  }
}

// Who won, as the elements see it: tap k of a window is `offsets[k]` windows
// before it.
template <int kSize, int kStride>
HWY_INLINE void CombineWords(BandWords<kSize, kStride>& words, const int64_t* offsets) {
  using Words = BandWords<kSize, kStride>;
  for (int64_t j = 0; j < kMaxWordRows; ++j) {
    uint64_t bits[kSize], columns[kSize] = {};
    HWY_UNROLL(8)
    for (int r = 1; r < kSize; ++r) bits[r] = words.rows[r][j];
    LastOf(bits);
    HWY_UNROLL(8)
    for (int r = 0; r < kSize; ++r) {
      uint64_t rows = 0;
      HWY_UNROLL(8)
      for (int k = 0; k < kSize; ++k) {
        const uint64_t won =
            bits[r] & words.valid[j] & words.columns[k][r % kStride][j + r / kStride];
        columns[k] |= won;
        rows |= won >> offsets[k];
        if constexpr (!Words::kSelects) words.won[r][k][j] = won >> offsets[k];
      }
      if constexpr (Words::kSelects) words.won_rows[r][j] = rows;
    }
    HWY_UNROLL(8)
    for (int k = 0; k < kSize; ++k) {
      if constexpr (Words::kSelects) words.won_columns[k][j] = columns[k] >> offsets[k];
    }
  }
}

// The last rows of a band are the first of the next.
template <int kSize, int kStride>
HWY_INLINE void CarryColumns(BandWords<kSize, kStride>& words, int64_t rows) {
  HWY_UNROLL(8)
  for (int k = 0; k < kSize; ++k) {
    HWY_UNROLL(8)
    for (int c = 0; c < kSize - kStride; ++c) {
      *words.Column(k, c) = *words.Column(k, rows * kStride + c);
    }
  }
}

// ----
// The last sweep of the strategy shared_columns: the sums of the elements, from
// the words that say who won, down a strip of lanes into memory.

// Stores vectors of sums, of one phase or of two.
template <typename T, int kPhases>
struct SumStore {
  static constexpr size_t kBytes = kPhases * hn::MaxLanes(Floats()) * sizeof(T);
  // Whole lines, which may take non-temporal stores.
  static constexpr bool kCanStream = std::is_same_v<T, float> && kBytes % 64 == 0;

  template <class D>
  static HWY_INLINE void Store(hn::Vec<D> bits, int64_t count, D d, T* to) {
#if HWY_TARGET <= HWY_AVX3
    hn::BlendedStore(bits, hn::FirstN(d, static_cast<size_t>(count)), d,
                     reinterpret_cast<hn::TFromD<D>*>(to));
#else
    HWY_ALIGN hn::TFromD<D> whole[hn::MaxLanes(d)];
    hn::Store(bits, d, whole);
    std::memcpy(to, whole, static_cast<size_t>(count) * sizeof(T));
#endif
  }

  template <bool kWhole, class D>
  static HWY_INLINE void Put(hn::Vec<D> bits, bool stream, int64_t count, D d, T* to) {
    // Whole lines of a last vector too: a plain store among streamed ones would
    // make them wait for its line.
    if (!kWhole && count < static_cast<int64_t>(hn::Lanes(d))) {
      if (count > 0) Store(bits, count, d, to);
      return;
    }
    auto* at = reinterpret_cast<hn::TFromD<D>*>(to);
    if constexpr (kCanStream) {
      if (stream) return hn::Stream(bits, d, at);
    }
    hn::StoreU(bits, d, at);
    (void)stream;
    (void)count;
  }

  // The first `count` elements, or all of them.
  template <bool kWhole>
  static HWY_INLINE void Sums(const Vector* sums, bool stream, int64_t count, T* to) {
    const Floats df;
    const hn::RebindToUnsigned<Floats> du;
    if constexpr (kPhases == 1 && std::is_same_v<T, float>) {
      Put<kWhole>(sums[0], stream, count, df, to);
    } else if constexpr (kPhases == 1) {
      Put<kWhole>(vectors::HalfBits(df, sums[0]), stream, count, hn::Rebind<uint16_t, Floats>(),
                  to);
    } else if constexpr (std::is_same_v<T, float>) {
      Vector low, high;
      Interleave(sums[0], sums[1], low, high);
      Put<kWhole>(low, stream, count, df, to);
      Put<kWhole>(high, stream, count - Lanes(), df, to + Lanes());
    }
#if HWY_TARGET != HWY_SCALAR
    else {
      const auto low = hn::PromoteTo(du, vectors::HalfBits(df, sums[0]));
      const auto high = hn::ShiftLeft<16>(hn::PromoteTo(du, vectors::HalfBits(df, sums[1])));
      const hn::Repartition<uint16_t, decltype(du)> pairs;
      Put<kWhole>(hn::BitCast(pairs, hn::Or(low, high)), stream, count, pairs, to);
    }
#else
    else {
      const hn::Rebind<uint16_t, Floats> halves;
      Put<kWhole>(vectors::HalfBits(df, sums[0]), stream, count, halves, to);
      Put<kWhole>(vectors::HalfBits(df, sums[1]), stream, count - 1, halves, to + 1);
    }
#endif
    (void)du;
  }

  static HWY_INLINE void Interleave(Vector even, Vector odd, Vector& low, Vector& high) {
#if HWY_TARGET <= HWY_AVX3
    const auto lanes = hn::Iota(hn::RebindToSigned<Floats>(), 0);
    const auto half = hn::ShiftRight<1>(lanes);
    const auto index = hn::Or(half, hn::ShiftLeft<4>(hn::And(lanes, hn::Set(Ints(), 1))));
    low = Vector{_mm512_permutex2var_ps(even.raw, index.raw, odd.raw)};
    high = Vector{_mm512_permutex2var_ps(even.raw, hn::Or(index, hn::Set(Ints(), 8)).raw, odd.raw)};
#elif HWY_TARGET == HWY_SCALAR
    low = even;
    high = odd;
#else
    const Floats df;
    HWY_ALIGN float both[2 * hn::MaxLanes(df)];
    hn::StoreInterleaved2(even, odd, df, both);
    low = hn::Load(df, both);
    high = hn::Load(df, both + hn::Lanes(df));
#endif
  }
};

// Adds the gradients of every row of windows to the sums of the kSize rows of
// elements that it sees. kOdd: tap 0 has phase 1.
template <typename T, int kSize, int kStride, bool kOdd>
struct WordSumSweep {
  using Band = ColumnBand<T, kSize, kStride>;
  using Words = BandWords<kSize, kStride>;
  using Sums = Vector[kSize][kStride];
  using Store = SumStore<T, kStride>;
  static constexpr int kCarried = kSize - kStride;
  static constexpr int PhaseOf(int k) { return (k + (kOdd ? 1 : 0)) % kStride; }

  // The last tap first: ascending windows (B13).
  static HWY_INLINE void AddEach(const Words& words, const float* gradients, const int64_t* offsets,
                                 int64_t j, int64_t i, Sums& sums) {
    HWY_UNROLL(8)
    for (int k = kSize - 1; k >= 0; --k) {
      const auto gradient = hn::LoadU(Floats(), gradients + offsets[k]);
      HWY_UNROLL(8)
      for (int r = 0; r < kSize; ++r) {
        Vector& sum = sums[r][PhaseOf(k)];
        sum = hn::IfThenElse(LoadBits(&words.won[r][k][j], i), hn::Add(sum, gradient), sum);
      }
    }
  }

  // All windows of one row that a column wins are won by the same element of it:
  // they all see both of any two candidates. So the sum is selected once.
  static HWY_INLINE void AddSelected(const Words& words, const float* gradients,
                                     const int64_t* offsets, int64_t j, int64_t i, Sums& sums) {
    auto sum = sums[0][0];
    HWY_UNROLL(8)
    for (int r = 1; r < kSize; ++r) {
      sum = hn::IfThenElse(LoadBits(&words.won_rows[r][j], i), sums[r][0], sum);
    }
    HWY_UNROLL(8)
    for (int k = kSize - 1; k >= 0; --k) {
      const auto won = LoadBits(&words.won_columns[k][j], i);
      if constexpr (kLoadsLanes) {
        // No sum is -0, so that adding +0 changes none.
        sum = hn::Add(sum, hn::MaskedLoad(won, Floats(), UncheckedOffset(gradients, offsets[k])));
      } else {
        const auto gradient = hn::LoadU(Floats(), gradients + offsets[k]);
        sum = hn::IfThenElse(won, hn::Add(sum, gradient), sum);
      }
    }
    HWY_UNROLL(8)
    for (int r = 0; r < kSize; ++r) {
      sums[r][0] = hn::IfThenElse(LoadBits(&words.won_rows[r][j], i), sum, sums[r][0]);
    }
  }

  static HWY_INLINE void AddRow(const Words& words, const float* gradients, const int64_t* offsets,
                                int64_t j, int64_t i, Sums& sums) {
    HWY_UNROLL(8)
    for (int r = kCarried; r < kSize; ++r) {
      HWY_UNROLL(2)
      for (int s = 0; s < kStride; ++s) sums[r][s] = hn::Zero(Floats());
    }
    if constexpr (Words::kSelects) {
      AddSelected(words, gradients, offsets, j, i, sums);
    } else {
      AddEach(words, gradients, offsets, j, i, sums);
    }
  }

  // kStrips vectors side by side: the sums of one alone would wait for their own
  // last addition. `count`: elements of a row from lane i on.
  template <int kStrips, bool kWhole>
  static HWY_INLINE void Walk(const Band& band, const int64_t* offsets, int64_t i, int64_t count) {
    const Floats df;
    const int64_t size = band.tile.elements.phase_size;
    const int64_t rows = band.rows, lanes = Lanes();
    const bool stream = band.stream;
    float* const carried = band.carried_sums + i;
    T* const* outputs = band.outputs;
    LinePrefetcher inputs = band.next_inputs.From(i * kStride * static_cast<int64_t>(sizeof(T)));
    Sums sums[kStrips];
    ForCarried<kStrips>([&](int t, int r, int s) HWY_ATTR {
      sums[t][r][s] = hn::LoadU(df, carried + (r * kStride + s) * size + t * lanes);
    });
    for (int64_t j = 0; j < rows; ++j) {
      const float* gradients = UncheckedOffset(band.gradients[j], i);
      HWY_UNROLL(2)
      for (int s = 0; s < kStride; ++s) {
        inputs.Ask<kStrips * kStride * sizeof(T) * hn::MaxLanes(df)>();
      }
      HWY_UNROLL(4)
      for (int t = 0; t < kStrips; ++t) {
        AddRow(band.words, UncheckedOffset(gradients, t * lanes), offsets, j, i + t * lanes,
               sums[t]);
      }
      HWY_UNROLL(2)
      for (int r = 0; r < kStride; ++r) {
        StoreRow<kStrips, kWhole>(sums, r, stream, count, outputs[j * kStride + r] + i * kStride);
      }
      ForCarried<kStrips>([&](int t, int r, int s)
                              HWY_ATTR { sums[t][r][s] = sums[t][r + kStride][s]; });
    }
    ForCarried<kStrips>([&](int t, int r, int s) HWY_ATTR {
      hn::StoreU(sums[t][r][s], df, carried + (r * kStride + s) * size + t * lanes);
    });
  }

  // Sums that are complete: row r of the strips; the last one may be a part.
  template <int kStrips, bool kWhole>
  static HWY_INLINE void StoreRow(const Sums* sums, int r, bool stream, int64_t count, T* to) {
    HWY_UNROLL(4)
    for (int t = 0; t < kStrips; ++t) {
      const int64_t before = t * Lanes() * kStride;
      if (kWhole || t + 1 < kStrips) {
        Store::template Sums<true>(sums[t][r], stream, 0, to + before);
      } else {
        Store::template Sums<false>(sums[t][r], stream, count - before, to + before);
      }
    }
  }

  // The sums of rows that come again.
  template <int kStrips, class Body>
  static HWY_INLINE void ForCarried(const Body& body) {
    HWY_UNROLL(4)
    for (int t = 0; t < kStrips; ++t) {
      HWY_UNROLL(8)
      for (int r = 0; r < kCarried; ++r) {
        HWY_UNROLL(2)
        for (int s = 0; s < kStride; ++s) body(t, r, s);
      }
    }
  }

  template <int kStrips>
  static HWY_INLINE void Walks(const Band& band, const int64_t* offsets, int64_t columns,
                               int64_t& i) {
    const int64_t length = kStrips * Lanes() * kStride, last = Lanes() * kStride;
    while (columns - i * kStride > length - last) {
      const int64_t count = columns - i * kStride;
      if (count >= length) {
        Walk<kStrips, true>(band, offsets, i, count);
      } else {
        Walk<kStrips, false>(band, offsets, i, count);
      }
      i += kStrips * Lanes();
    }
  }

  // `columns` of a row.
  static void Run(const Band& band, const int64_t* the_offsets, int64_t columns) {
    int64_t offsets[kSize];
    std::copy(the_offsets, the_offsets + kSize, offsets);
    int64_t i = 0;
    Walks<4>(band, offsets, columns, i);
    Walks<2>(band, offsets, columns, i);
    Walks<1>(band, offsets, columns, i);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace anydml::window::gradient
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
