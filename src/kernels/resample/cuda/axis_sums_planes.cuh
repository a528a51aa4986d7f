// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Sums along columns and rows of planes whose columns lie side by side. A block
// brings the source rows of its tile into shared memory; then each thread owns
// a few target columns, keeps their terms in registers and walks down a band of
// target rows.
#pragma once

#include "kernels/resample/cuda/shared_tiles.cuh"

namespace anydml::cuda {

// A target column: where its sources begin in a row, and their weights. What
// lies behind the last of them is masked, not multiplied by zero: it may be
// infinite.
template <bool kUnitWeights, int kTerms>
struct Column {
  uint32_t first = 0;
  float weights[kTerms] = {};
  uint32_t masks[kTerms] = {};

  __device__ void Load(const DeviceTermTable& axis, uint32_t target, uint32_t origin) {
    if constexpr (kTerms <= kMaxFewTerms) {
      // The first half holds two weights.
      using Half = Pack<uint32_t>;
      const auto* halves = reinterpret_cast<const Half*>(axis.few_terms + target);
      const Half low = LoadPack<Half>(halves);
      const Half high = kTerms > 2 ? LoadPack<Half>(halves + 1) : Half{};
      first = low.values[0] - origin;
      for (int k = 0; k < kTerms; ++k) {
        weights[k] = __uint_as_float(k < 2 ? low.values[2 + k] : high.values[k - 2]);
        masks[k] = static_cast<uint32_t>(k) < low.values[1] ? ~0u : 0;
      }
    } else {
      const uint32_t begin = axis.begin[target];
      const uint32_t count = axis.begin[target + 1] - begin;
      first = axis.ranges[target].begin - origin;
      for (int k = 0; k < kTerms; ++k) {
        if (static_cast<uint32_t>(k) >= count) continue;
        weights[k] = axis.terms[begin + k].weight;
        masks[k] = ~0u;
      }
    }
  }

  static __device__ float Masked(float value, uint32_t mask) {
    return __uint_as_float(__float_as_uint(value) & mask);
  }
  static __device__ float Masked(Float16 value, uint32_t mask) {
    return Widen(Float16{static_cast<uint16_t>(value.bits & mask)});
  }

  template <typename S>
  __device__ float Sum(const S* row) const {
    float sum = Product<kUnitWeights>(weights[0], Masked(row[first], masks[0]));
    for (int k = 1; k < kTerms; ++k) {
      sum += Product<kUnitWeights>(weights[k], Masked(row[first + k], masks[k]));
    }
    return sum;
  }
};

// Any number of terms, read where they are needed.
template <bool kUnitWeights>
struct Column<kUnitWeights, 0> {
  const Term* terms = nullptr;
  uint32_t count = 0;
  uint32_t first = 0;

  __device__ void Load(const DeviceTermTable& axis, uint32_t target, uint32_t origin) {
    const uint32_t begin = axis.begin[target];
    terms = axis.terms + begin;
    count = axis.begin[target + 1] - begin;
    first = count == 0 ? 0 : terms->source - origin;
  }

  template <typename S>
  __device__ float Sum(const S* row) const {
    float sum = 0;
    for (uint32_t k = 0; k < count; ++k) {
      sum += Product<kUnitWeights>(terms[k].weight, Widen(row[first + k]));
    }
    return sum;
  }
};

// More save instructions, fewer leave more threads for the same shared memory.
constexpr int ColumnsPerThread(WalkKind kind, int terms, size_t source_size) {
  if (terms == 8 || terms == 0) return 1;
  if (source_size == 4) return kind == WalkKind::kTransposed ? 1 : 2;
  return terms <= 2 ? 4 : 2;
}

// Whole rows of the source, or the parts that a tile needs; whole rows may leave
// through shared memory.
enum class TileForm : uint8_t { kWholeRows, kStaged, kParts };

// Which columns of a tile belong to a thread: pairs of neighbours or single ones,
// the next always as many further on as there are threads side by side.
struct OwnColumns {
  uint32_t lane, lanes, width;
  bool pairs;

  __device__ uint32_t Number(int i) const {
    return pairs ? 2 * (lane + i / 2 * lanes) + i % 2 : lane + i * lanes;
  }
  __device__ bool Has(int i) const { return Number(i) < width; }
};

template <typename T, int kColumns>
__device__ inline void StoreRow(const OwnColumns& own, const float (&sums)[kColumns], T* row) {
  if constexpr (sizeof(T) == 2 && kColumns % 2 == 0) {
    if (own.pairs) {
      for (int i = 0; i < kColumns; i += 2) {
        const Pack<T, 2> pair = {{Narrow<T>(sums[i]), Narrow<T>(sums[i + 1])}};
        if (own.Has(i)) StorePack(pair, row + own.Number(i));
      }
      return;
    }
  }
  for (int i = 0; i < kColumns; ++i) {
    if (own.Has(i)) row[own.Number(i)] = Narrow<T>(sums[i]);
  }
}

template <typename S, typename T, WalkKind kKind, bool kUnitWeights, int kTerms, int kColumns,
          TileForm kForm>
__global__ void __launch_bounds__(kThreadsPerBlock)
    SumPlaneTiles(const __grid_constant__ PlaneTiles tiles, const S* source, T* target) {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  S* shared = reinterpret_cast<S*>(shared_bytes);
  const TilePlace place = TilePlace::Of<kKind>(tiles, blockIdx.x);
  tiles.planes.Move(place.plane, source, target);
  source += place.rows.begin * tiles.source_row + place.columns.begin;
  target += place.row_begin * tiles.target_row + place.column_begin;
  StartTile(tiles, place, source, shared);

  OwnColumns own = {threadIdx.x, tiles.lanes.divisor(), place.column_end - place.column_begin,
                    tiles.pairs};
  uint32_t band = tiles.lanes.Split(own.lane);
  const uint32_t plane = tiles.bands.Split(band);
  const uint32_t begin = place.row_begin + band * tiles.band_rows;
  const uint32_t end = min(begin + tiles.band_rows, place.row_end);
  Column<kUnitWeights, kTerms> columns[kColumns];
  for (int i = 0; i < kColumns; ++i) {
    if (!own.Has(i)) continue;
    columns[i].Load(tiles.column_axis, place.column_begin + own.Number(i), place.columns.begin);
  }
  WaitForTile();
  T* out = target;
  if constexpr (kForm == TileForm::kStaged) {
    out = reinterpret_cast<T*>(shared_bytes + tiles.target_offset) + LeadInPack(target);
  }
  if (plane < place.planes && begin < end) {
    const SharedRows<S, kForm != TileForm::kParts> rows(tiles, place, source, shared, plane);
    // Forward walks may skip rows, others take one after the other.
    constexpr bool kOneByOne = kKind != WalkKind::kForward && kForm != TileForm::kParts;
    const S* at = nullptr;
    if constexpr (kKind == WalkKind::kTransposed) at = rows.At(tiles.row_axis.ranges[begin].begin);
    if constexpr (kKind == WalkKind::kRowByRow) at = rows.At(begin);
    const auto sum_row = [&](uint32_t row, float(&sums)[kColumns]) {
      if constexpr (!kOneByOne) at = rows.At(row);
      for (int i = 0; i < kColumns; ++i) sums[i] = columns[i].Sum(at);
      if constexpr (kOneByOne) at += tiles.pitch;
    };
    out += (plane * tiles.target_rows + begin - place.row_begin) * tiles.target_row;
    const auto store = [&](uint32_t, const float(&sums)[kColumns]) {
      StoreRow(own, sums, out);
      out += tiles.target_row;
    };
    WalkRows<kKind, kUnitWeights, kColumns>(tiles.row_axis, begin, end, sum_row, store);
  }
  if constexpr (kForm == TileForm::kStaged) {
    __syncthreads();
    out = reinterpret_cast<T*>(shared_bytes + tiles.target_offset) + LeadInPack(target);
    const uint32_t rows = place.planes * (place.row_end - place.row_begin);
    CopyFromShared(target, out, rows * tiles.target_columns, threadIdx.x, blockDim.x);
  }
}

}  // namespace anydml::cuda
