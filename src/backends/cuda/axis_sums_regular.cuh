// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Planes whose columns' terms repeat (term_pattern.h). A thread owns a pack of
// neighbouring target columns. Its sources are whole aligned packs and a few
// elements on either side, which neighbours bring into the cache; weights are
// the launch's constants, but for those of the two ends.
#pragma once

#include "backends/cuda/axis_sums_walk.cuh"
#include "backends/cuda/row_words.cuh"
#include "backends/cuda/stage_planes.cuh"

namespace anydml::cuda {

inline constexpr unsigned kRegularThreads = 128;

struct RegularRows {
  StagePlanes planes;
  int64_t source_row, target_row;  // strides
  int source_columns;
  uint32_t target_rows;
  Divider packs, bands;
  uint32_t band_rows;
  uint32_t threads;
  DeviceTermTable row_axis;
  RepeatedTerms terms;
};

// The sources of kSize neighbouring targets, from the first of their own on.
template <typename S, TermPattern kPattern, int kSize>
struct PackSources {
  static constexpr TermPlaces kPlaces = PlacesOf(kPattern);
  static constexpr int kPerWord = 4 / sizeof(S);
  static constexpr int kOwn = kSize * kPlaces.sources / kPlaces.targets;
  static constexpr int kBegin = -((-kPlaces.begin + kPerWord - 1) / kPerWord * kPerWord);
  static constexpr int kEnd = std::max<int>(kOwn, kPlaces.Place(kSize - 1, kPlaces.terms - 1) + 1);
  static constexpr int kCount = (kEnd + kPerWord - 1) / kPerWord * kPerWord - kBegin;
  static constexpr int kAlignment = std::min<int>(16 / sizeof(S), kOwn);  // in elements
  static constexpr int kTerms = kPlaces.terms, kPhases = kPlaces.phases;
  static constexpr bool kPossible = kSize % kPlaces.targets == 0 && kOwn % kPerWord == 0;

  // Where a term lies among the loaded elements.
  static constexpr int Place(int column, int term) {
    return static_cast<int>(PlacesOf(kPattern).Place(column, term)) - kBegin;
  }
};

template <typename S, TermPattern kPattern, int kSize>
class RegularColumns {
 public:
  using Sources = PackSources<S, kPattern, kSize>;
  using Row = Words<S, Sources::kCount>;

  __device__ RegularColumns(const RegularRows& rows, uint32_t pack)
      : rows_(rows), own_(static_cast<int>(pack) * Sources::kOwn) {
    const bool is_first = pack == 0, is_last = pack + 1 == rows.packs.divisor();
    for (int k = 0; k < kTerms; ++k) {
      first_[k] = is_first ? rows.terms.first[k] : rows.terms.between[0][k];
      const float otherwise =
          kSize == 1 ? first_[k] : rows.terms.between[(kSize - 1) % Sources::kPhases][k];
      last_[k] = is_last ? rows.terms.last[k] : otherwise;
    }
  }

  __device__ Row Load(const S* row) const {
    return LoadAround<S, Sources::kBegin, Sources::kCount, Sources::kOwn>(row, own_,
                                                                          rows_.source_columns);
  }

  __device__ void Sum(const Row& row, float (&sums)[kSize]) const {
    for (int i = 0; i < kSize; ++i) {
      sums[i] = Term(row, i, 0);
      for (int k = 1; k < kTerms; ++k) sums[i] += Term(row, i, k);
    }
  }

 private:
  static constexpr int kTerms = Sources::kTerms;

  __device__ float Weight(int column, int k) const {
    if (column == kSize - 1) return last_[k];
    if (column == 0) return first_[k];
    return rows_.terms.between[column % Sources::kPhases][k];
  }

  __device__ float Term(const Row& row, int column, int k) const {
    const float weight = Weight(column, k);
    const float value = FloatAt(row, Sources::Place(column, k));
    // No term is not a product with 0: the value may be infinite.
    if (kTerms == 1) return weight != 0 ? weight * value : 0.0f;
    return weight * value;
  }

  const RegularRows& rows_;
  int own_;
  float first_[kTerms], last_[kTerms];
};

template <typename T, int kSize>
__device__ inline void StoreSums(const float (&sums)[kSize], T* address) {
  if constexpr (kSize == 1) {
    *address = Narrow<T>(sums[0]);
  } else if constexpr (sizeof(T) == 2) {
    Pack<uint32_t, kSize / 2> pack;
    for (int i = 0; i < kSize; i += 2) {
      const __half2 both = __floats2half2_rn(sums[i], sums[i + 1]);
      pack.values[i / 2] =
          __half_as_ushort(__low2half(both)) | uint32_t{__half_as_ushort(__high2half(both))} << 16;
    }
    StorePack(pack, address);
  } else {
    Pack<T, kSize> pack;
    for (int i = 0; i < kSize; ++i) pack.values[i] = sums[i];
    StorePack(pack, address);
  }
}

// How a thread's rows come about.
inline constexpr int kWalk = -1;  // a band of them, each source row asked for once
inline constexpr int kSame = 0;   // one; rows do not change
                                  // otherwise one, of at most so many source rows

template <WalkKind kKind, int kRowTerms, typename S, typename T, TermPattern kPattern, int kSize>
__global__ void __launch_bounds__(kRegularThreads)
    SumRegularRows(const __grid_constant__ RegularRows rows, const S* source, T* target) {
  using Columns = RegularColumns<S, kPattern, kSize>;
  const uint64_t number = ThreadNumber();
  if (number >= rows.threads) return;
  auto pack = static_cast<uint32_t>(number);
  uint32_t band = rows.packs.Split(pack);
  rows.planes.Move(rows.bands.Split(band), source, target);
  target += uint64_t{pack} * kSize;
  const Columns columns(rows, pack);
  if constexpr (kRowTerms == kWalk) {
    const uint32_t begin = band * rows.band_rows;
    const uint32_t end = min(begin + rows.band_rows, rows.target_rows);
    WalkRows<kKind, false, kSize>(
        rows.row_axis, begin, end,
        [&](uint32_t row, float(&sums)[kSize]) {
          columns.Sum(columns.Load(source + row * rows.source_row), sums);
        },
        [&](uint32_t row, const float(&sums)[kSize]) {
          StoreSums(sums, target + row * rows.target_row);
        });
  } else if constexpr (kRowTerms == kSame) {
    float sums[kSize];
    columns.Sum(columns.Load(source + band * rows.source_row), sums);
    for (int i = 0; i < kSize; ++i) sums[i] += 0.0f;
    StoreSums(sums, target + band * rows.target_row);
  } else {
    using Half = Pack<uint32_t>;
    const auto* halves = reinterpret_cast<const Half*>(rows.row_axis.few_terms + band);
    const Half low = LoadPack<Half>(halves);
    const Half high = kRowTerms > 2 ? LoadPack<Half>(halves + 1) : Half{};
    source += low.values[0] * rows.source_row;
    typename Columns::Row loaded[kRowTerms];
    for (uint32_t k = 0; k < kRowTerms; ++k) {
      if (k < low.values[1]) loaded[k] = columns.Load(source + k * rows.source_row);
    }
    float result[kSize] = {};
    for (uint32_t k = 0; k < kRowTerms; ++k) {
      if (k >= low.values[1]) continue;
      const float weight = __uint_as_float(k < 2 ? low.values[2 + k] : high.values[k - 2]);
      float sums[kSize];
      columns.Sum(loaded[k], sums);
      for (int i = 0; i < kSize; ++i) result[i] += weight * sums[i];
    }
    StoreSums(result, target + band * rows.target_row);
  }
}

}  // namespace anydml::cuda
