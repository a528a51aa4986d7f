// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The two sweeps of the strategy shared_rows over a band of rows. Both walk
// down a strip of lanes with what neighbouring rows of windows share in
// registers. Included once per instruction set.

#if defined(ANYDML_MAX_POOLING_GRAD_SHARED_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_MAX_POOLING_GRAD_SHARED_ROWS_INL_H_
#undef ANYDML_MAX_POOLING_GRAD_SHARED_ROWS_INL_H_
#else
#define ANYDML_MAX_POOLING_GRAD_SHARED_ROWS_INL_H_
#endif

#include <hwy/highway.h>

#include "operators/max_pooling_grad/shared_rows.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::max_pooling_grad {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Ints = hn::ScalableTag<int32_t>;
using Floats = hn::ScalableTag<float>;

// g++ would read an unaligned vector again for each of its uses.
template <class V>
HWY_INLINE V InRegister(V v) {
#if HWY_ARCH_X86 && HWY_COMPILER_GCC_ACTUAL && HWY_TARGET != HWY_SCALAR
#if HWY_TARGET <= HWY_AVX3
  asm("" : "+v"(v.raw));
#else
  asm("" : "+x"(v.raw));
#endif
#endif
  return v;
}

// The winner of a window as two bits, its column's and its row's.
constexpr int32_t ColumnBit(int64_t k) { return int32_t{1} << k; }
constexpr int32_t RowBit(int64_t r) { return int32_t{1} << (16 + r); }
static_assert(cpu::kMostWidthTaps <= 16);

// The buffers of one band. Row r of a kind lies r * <its row's size> further.
struct Band {
  const cpu::WindowTile& tile;
  int64_t rows;                // of windows
  const int32_t* const* keys;  // of input rows: those that the rows of windows do not share yet
  int32_t* codes;              // of windows
  const float* gradients;      // of windows
  float* sums;                 // of input rows, as keys
  int32_t* carried_keys;       // of windows: the best of each input row that comes again,
  int32_t* carried_codes;      // and its column's bit
  float* carried_sums;         // of input rows that come again
  cpu::VectorsAhead next_inputs;
  cpu::VectorsAhead next_gradients;
  cpu::VectorsAhead outputs;
};

// kHeight taps of which kStride are new with every row of windows; kWidth taps
// along the width, or 0 for any number.
template <int kHeight, int kStride, int kWidth>
struct FindSweep {
  static constexpr int kCarried = kHeight - kStride;

  // The best of one input row for the windows at lane i.
  static HWY_INLINE void BestOfRow(const cpu::WindowTile& tile, const int32_t* keys,
                                   hn::Vec<Ints>& best, hn::Vec<Ints>& code) {
    const Ints di;
    const int64_t taps = kWidth != 0 ? kWidth : tile.tap_count;
    best = hn::LoadU(di, keys + tile.taps[0].key_offset);
    code = hn::Set(di, ColumnBit(0));
    for (int64_t k = 1; k < taps; ++k) {
      const auto key = hn::LoadU(di, keys + tile.taps[static_cast<size_t>(k)].key_offset);
      code = hn::IfThenElse(hn::Gt(key, best), hn::Set(di, ColumnBit(k)), code);
      best = hn::Max(key, best);
    }
  }

  // The winners' bits, given the best of each row. `>` keeps the first row.
  static HWY_INLINE hn::Vec<Ints> BestOfRows(const hn::Vec<Ints>* best, const hn::Vec<Ints>* code) {
    const Ints di;
    auto key = best[0];
    auto winner = hn::Or(code[0], hn::Set(di, RowBit(0)));
    for (int r = 1; r < kHeight; ++r) {
      winner =
          hn::IfThenElse(hn::Gt(best[r], key), hn::Or(code[r], hn::Set(di, RowBit(r))), winner);
      key = hn::Max(best[r], key);
    }
    return winner;
  }

  static void Run(const Band& band) {
    const Ints di;
    const int64_t size = band.tile.windows.phase_size, used = band.tile.windows.used();
    for (int64_t i = 0; i < used; i += static_cast<int64_t>(hn::Lanes(di))) {
      hn::Vec<Ints> best[kHeight], code[kHeight];
      for (int c = 0; c < kCarried; ++c) {
        best[c] = hn::LoadU(di, band.carried_keys + c * size + i);
        code[c] = hn::LoadU(di, band.carried_codes + c * size + i);
      }
      for (int64_t j = 0; j < band.rows; ++j) {
        for (int s = 0; s < kStride; ++s) {
          band.next_inputs.Prefetch(j * kStride + s, i);
          band.outputs.Prefetch(j * kStride + s, i);
          BestOfRow(band.tile, band.keys[j * kStride + s] + i, best[kCarried + s],
                    code[kCarried + s]);
        }
        hn::StoreU(BestOfRows(best, code), di, band.codes + j * size + i);
        for (int c = 0; c < kCarried; ++c) {
          best[c] = best[c + kStride];
          code[c] = code[c + kStride];
        }
      }
      for (int c = 0; c < kCarried; ++c) {
        hn::StoreU(best[c], di, band.carried_keys + c * size + i);
        hn::StoreU(code[c], di, band.carried_codes + c * size + i);
      }
    }
  }

  // The first rows of a walk, which no row of windows before them has carried:
  // puts band.keys[0] where carried row c is kept.
  static void Start(const Band& band, int64_t c) {
    const Ints di;
    const int64_t size = band.tile.windows.phase_size, used = band.tile.windows.used();
    for (int64_t i = 0; i < used; i += static_cast<int64_t>(hn::Lanes(di))) {
      hn::Vec<Ints> best, code;
      BestOfRow(band.tile, band.keys[0] + i, best, code);
      hn::StoreU(best, di, band.carried_keys + c * size + i);
      hn::StoreU(code, di, band.carried_codes + c * size + i);
    }
  }
};

// The taps of one phase, last first: ascending windows (B13).
struct PhaseTaps {
  int64_t count = 0;
  int64_t window_offset[cpu::kMostWidthTaps];
  int32_t column_bit[cpu::kMostWidthTaps];

  PhaseTaps(const cpu::WindowTile& tile, int64_t phase) {
    for (int64_t k = tile.tap_count - 1; k >= 0; --k) {
      const cpu::LaneTap& tap = tile.taps[static_cast<size_t>(k)];
      if (tap.phase != phase) continue;
      window_offset[count] = tap.window_offset;
      column_bit[count++] = ColumnBit(k);
    }
  }
};

// Adds the gradients of every row of windows to the sums of the kHeight rows of
// elements that it sees; kTaps taps of one phase, or 0 for any number.
template <int kHeight, int kStride, int kTaps>
struct SumSweep {
  static constexpr int kCarried = kHeight - kStride;
  using Vector = hn::Vec<Floats>;

  // One test per element and tap: the least work up to three rows.
  static HWY_INLINE void AddEach(const PhaseTaps& taps, const int32_t* codes,
                                 const float* gradients, Vector* sums) {
    const Ints di;
    const Floats df;
    const int64_t count = kTaps != 0 ? kTaps : taps.count;
    for (int64_t k = 0; k < count; ++k) {
      const auto code = InRegister(hn::LoadU(di, codes + taps.window_offset[k]));
      const auto gradient = InRegister(hn::LoadU(df, gradients + taps.window_offset[k]));
      for (int r = 0; r < kHeight; ++r) {
        const auto won = hn::Eq(code, hn::Set(di, taps.column_bit[k] | RowBit(r)));
        sums[r] = hn::IfThenElse(hn::RebindMask(df, won), hn::Add(sums[r], gradient), sums[r]);
      }
    }
  }

  // All windows of one row that a column wins are won by the same element of
  // it: they all see both of any two candidates. So the sum is selected once,
  // for all taps. A window won by another column adds +0, which changes no sum:
  // none is ever -0, since each starts from +0.
  static HWY_INLINE void AddSelected(const PhaseTaps& taps, const int32_t* codes,
                                     const float* gradients, Vector* sums) {
    const Ints di;
    const Floats df;
    const int64_t count = kTaps != 0 ? kTaps : taps.count;
    auto rows = hn::Zero(di);
    Vector won_gradients[kTaps != 0 ? kTaps : cpu::kMostWidthTaps];
    for (int64_t k = 0; k < count; ++k) {
      const auto code = hn::LoadU(di, codes + taps.window_offset[k]);
      const auto won = hn::TestBit(code, hn::Set(di, taps.column_bit[k]));
      rows = hn::IfThenElse(won, code, rows);
      won_gradients[k] = hn::IfThenElseZero(hn::RebindMask(df, won),
                                            hn::LoadU(df, gradients + taps.window_offset[k]));
    }
    auto sum = hn::Zero(df);
    for (int r = 0; r < kHeight; ++r) {
      sum = hn::IfThenElse(hn::RebindMask(df, hn::TestBit(rows, hn::Set(di, RowBit(r)))), sums[r],
                           sum);
    }
    for (int64_t k = 0; k < count; ++k) sum = hn::Add(sum, won_gradients[k]);
    for (int r = 0; r < kHeight; ++r) {
      sums[r] = hn::IfThenElse(hn::RebindMask(df, hn::TestBit(rows, hn::Set(di, RowBit(r)))), sum,
                               sums[r]);
    }
  }

  // kStrips vectors side by side: the sums of one alone would wait for their own
  // last addition.
  template <int kStrips>
  static HWY_INLINE void Walk(const Band& band, const PhaseTaps& taps, int64_t phase, int64_t i) {
    const Floats df;
    const auto lanes = static_cast<int64_t>(hn::Lanes(df));
    const int64_t windows = band.tile.windows.phase_size;
    const int64_t size = band.tile.elements.phase_size, row = band.tile.elements.size();
    float* const carried = band.carried_sums + phase * size + i;
    float* out = band.sums + phase * size + i;
    Vector sums[kStrips][kHeight];
    for (int t = 0; t < kStrips; ++t) {
      for (int r = 0; r < kHeight; ++r) {
        sums[t][r] = r < kCarried ? hn::LoadU(df, carried + r * row + t * lanes) : hn::Zero(df);
      }
    }
    for (int64_t j = 0; j < band.rows; ++j, out += kStride * row) {
      for (int t = 0; t < kStrips; ++t) {
        const int64_t lane = i + t * lanes;
        if (phase == 0) band.next_gradients.Prefetch(j, lane);
        Add(taps, band.codes + j * windows + lane, band.gradients + j * windows + lane, sums[t]);
        for (int s = 0; s < kStride; ++s) hn::StoreU(sums[t][s], df, out + s * row + t * lanes);
        for (int r = 0; r < kHeight; ++r) {
          sums[t][r] = r < kCarried ? sums[t][r + kStride] : hn::Zero(df);
        }
      }
    }
    for (int t = 0; t < kStrips; ++t) {
      for (int r = 0; r < kCarried; ++r) {
        hn::StoreU(sums[t][r], df, carried + r * row + t * lanes);
      }
    }
  }

  static HWY_INLINE void Add(const PhaseTaps& taps, const int32_t* codes, const float* gradients,
                             Vector* sums) {
    if constexpr (kHeight <= 3) {
      AddEach(taps, codes, gradients, sums);
    } else {
      AddSelected(taps, codes, gradients, sums);
    }
  }

  static void Run(const Band& band, const PhaseTaps& the_taps, int64_t phase) {
    const PhaseTaps taps = the_taps;
    const auto lanes = static_cast<int64_t>(hn::Lanes(Floats()));
    const int64_t size = band.tile.elements.phase_size;
    int64_t i = 0;
    for (; i + 2 * lanes <= size; i += 2 * lanes) Walk<2>(band, taps, phase, i);
    for (; i < size; i += lanes) Walk<1>(band, taps, phase, i);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace anydml::max_pooling_grad
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
