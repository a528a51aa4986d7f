// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The sweeps of the strategy shared_columns over a band of rows. Who won is kept
// as words of one bit per window, which are combined and shifted as integers; the
// sweeps walk down a strip of lanes with what neighbouring rows of windows share
// in registers. Included once per instruction set.

#if defined(ANYDML_MAX_POOLING_GRAD_SHARED_COLUMNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_MAX_POOLING_GRAD_SHARED_COLUMNS_INL_H_
#undef ANYDML_MAX_POOLING_GRAD_SHARED_COLUMNS_INL_H_
#else
#define ANYDML_MAX_POOLING_GRAD_SHARED_COLUMNS_INL_H_
#endif

#include <hwy/highway.h>

#include <bit>

#include "backends/cpu/line_ahead.h"
#include "operators/max_pooling_grad/column_strips-inl.h"
#include "operators/max_pooling_grad/shared_columns.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::max_pooling_grad {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace vectors = anydml::cpu::HWY_NAMESPACE;

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
struct LinesAhead {
  uintptr_t at;
  int64_t row_bytes;

  HWY_INLINE LinesAhead From(int64_t bytes) const {
    return {at + static_cast<uintptr_t>(bytes), row_bytes};
  }

  template <int kBytes>
  HWY_INLINE void Ask() {
    for (int b = 0; b < kBytes; b += 64) {
      cpu::AskForLine(reinterpret_cast<const void*>(at), static_cast<uintptr_t>(b));
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
  static constexpr int kMostRows = kMostWordRows + kSize;
  using Rows = uint64_t[kMostWordRows];

  // Of windows: tap k is the first of the greatest in an input row.
  uint64_t columns[kSize][kStride][kMostRows] = {};
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
  LinesAhead next_inputs;
  LinesAhead next_gradients;
  LinesAhead outputs_ahead;
  bool stream;  // outputs go past the caches
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
      LinesAhead gradients = band.next_gradients.From(bytes);
      LinesAhead outputs = band.outputs_ahead.From(bytes * kStride);
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
  for (int64_t j = 0; j < kMostWordRows; ++j) {
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

}  // namespace HWY_NAMESPACE
}  // namespace anydml::max_pooling_grad
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
