// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Planes whose columns' terms repeat (term_pattern.h). A thread owns a pack of
// neighbouring target columns. Its sources are whole aligned packs and a few
// elements on either side, which neighbours bring into the cache; weights are
// the launch's constants, but for those of the ends.
#pragma once

#include "backends/cuda/row_words.cuh"
#include "kernels/resample/cuda/stage_planes.cuh"

namespace anydml::cuda {

inline constexpr unsigned kRegularThreads = 128;

struct RegularRows {
  StagePlanes planes;
  int64_t source_row, target_row;  // strides
  uint32_t source_rows, target_rows;
  Divider packs, bands;
  uint32_t band_rows;  // of the target, for one thread
  uint32_t threads;
  DeviceTermTable row_axis;     // kFew
  RepeatedTerms columns, rows;  // kGather

  // Of a row's term.
  __device__ float RowWeight(uint32_t row, int term) const {
    const float weight = row == 0 ? rows.first[term] : rows.between[0][term];
    return row + 1 == target_rows ? rows.last[term] : weight;
  }
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
  static constexpr int kWords = kCount / kPerWord;
  static constexpr int kBefore = -kBegin / kPerWord;  // words
  static constexpr int kBehind = kWords - kBefore - kOwn / kPerWord;
  static constexpr int kAlignment = std::min<int>(16 / sizeof(S), kOwn);  // in elements
  static constexpr int kTerms = kPlaces.terms, kPhases = kPlaces.Phases();
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
      : rows_(rows), is_first_(pack == 0), is_last_(pack + 1 == rows.packs.divisor()) {
    for (int k = 0; k < kTerms; ++k) {
      first_[k] = is_first_ ? rows.columns.first[k] : rows.columns.between[0][k];
      const float otherwise =
          kSize == 1 ? first_[k] : rows.columns.between[(kSize - 1) % Sources::kPhases][k];
      last_[k] = is_last_ ? rows.columns.last[k] : otherwise;
    }
  }

  // `row` begins with the thread's own sources. What lies outside is 0.
  __device__ Row Load(const S* row) const {
    constexpr int kOwnWords = Sources::kOwn / Sources::kPerWord;
    Row words;
    for (int i = 0; i < kOwnWords; i += kPackWords) {
      LoadWords<kPackWords>(row + i * Sources::kPerWord, true, words.values + Sources::kBefore + i);
    }
    LoadWords<Sources::kBefore>(row + Sources::kBegin, !is_first_, words.values);
    LoadWords<Sources::kBehind>(row + Sources::kOwn, !is_last_,
                                words.values + Sources::kBefore + kOwnWords);
    return words;
  }

  __device__ void Sum(const Row& row, float (&sums)[kSize]) const {
    for (int i = 0; i < kSize; ++i) {
      sums[i] = Term(row, i, 0);
      for (int k = 1; k < kTerms; ++k) sums[i] += Term(row, i, k);
    }
  }

 private:
  static constexpr int kTerms = Sources::kTerms;
  static constexpr int kPackWords = std::min(4, Sources::kOwn / Sources::kPerWord);

  template <int kCount>
  static __device__ void LoadWords(const S* from, bool exist, uint32_t* words) {
    if constexpr (kCount > 0) {
      Pack<uint32_t, kCount> pack = {};
      if (exist) pack = LoadPack<Pack<uint32_t, kCount>>(from);
      for (int i = 0; i < kCount; ++i) words[i] = pack.values[i];
    }
  }

  __device__ float Weight(int column, int k) const {
    if (column == kSize - 1) return last_[k];
    if (column == 0) return first_[k];
    return rows_.columns.between[column % Sources::kPhases][k];
  }

  __device__ float Term(const Row& row, int column, int k) const {
    const float weight = Weight(column, k);
    const float value = FloatAt(row, Sources::Place(column, k));
    // No term is not a product with 0: the value may be infinite.
    if (kTerms == 1) return weight != 0 ? weight * value : 0.0f;
    return weight * value;
  }

  const RegularRows& rows_;
  bool is_first_, is_last_;
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
enum class RowKind : uint8_t {
  kSame,    // one row, which does not change
  kFew,     // one row, of few source rows
  kGather,  // a band; every source row is shared by two target rows
};

// Whole rows of a plane, as the columns of one thread.
template <class Columns, typename S, typename T, int kSize>
struct RegularPlane {
  const RegularRows& rows;
  const Columns& columns;
  const S* source;
  T* target;

  // Rows outside the plane are 0.
  __device__ typename Columns::Row Load(int64_t row) const {
    typename Columns::Row words = {};
    if (row >= 0 && row < rows.source_rows) words = columns.Load(source + row * rows.source_row);
    return words;
  }

  __device__ void Store(const float (&sums)[kSize], uint32_t row) const {
    StoreSums(sums, target + row * rows.target_row);
  }

  static __device__ void Add(float weight, const float (&values)[kSize], float (&sums)[kSize]) {
    for (int i = 0; i < kSize; ++i) sums[i] += weight * values[i];
  }

  __device__ void Same(uint32_t row) const {
    float sums[kSize];
    columns.Sum(columns.Load(source + row * rows.source_row), sums);
    for (int i = 0; i < kSize; ++i) sums[i] += 0.0f;
    Store(sums, row);
  }

  template <int kTerms>
  __device__ void Few(uint32_t row) const {
    using Half = Pack<uint32_t>;
    const auto* halves = reinterpret_cast<const Half*>(rows.row_axis.few_terms + row);
    const Half low = LoadPack<Half>(halves);
    const Half high = kTerms > 2 ? LoadPack<Half>(halves + 1) : Half{};
    const uint32_t count = low.values[1];
    const S* first = source + low.values[0] * rows.source_row;
    typename Columns::Row loaded[kTerms];
    for (uint32_t k = 0; k < kTerms; ++k) {
      if (k < count) loaded[k] = columns.Load(first + k * rows.source_row);
    }
    float sums[kSize] = {};
    for (uint32_t k = 0; k < kTerms; ++k) {
      if (k >= count) continue;
      float values[kSize];
      columns.Sum(loaded[k], values);
      Add(__uint_as_float(k < 2 ? low.values[2 + k] : high.values[k - 2]), values, sums);
    }
    Store(sums, row);
  }

  // Every target row has kSources source rows of its own and as many around, half
  // of them on either side.
  template <int kSources>
  __device__ void Gather(uint32_t begin, uint32_t end) const {
    float own[kSize], next[kSize] = {}, values[kSize];
    int64_t row = int64_t{begin} * kSources - kSources / 2;
    for (uint32_t target_row = begin;; ++target_row, row += kSources) {
      // The sources that end `own` and begin `next`, two at a time.
      for (int i = 0; i < kSize; ++i) {
        own[i] = next[i];
        next[i] = 0;
      }
#pragma unroll
      for (int k = 0; k < kSources; k += 2) {
        const typename Columns::Row loaded[2] = {Load(row + k), Load(row + k + 1)};
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          columns.Sum(loaded[i], values);
          if (target_row > begin) {
            Add(rows.RowWeight(target_row - 1, kSources + k + i), values, own);
          }
          Add(rows.RowWeight(target_row, k + i), values, next);
        }
      }
      if (target_row > begin) Store(own, target_row - 1);
      if (target_row == end) return;
    }
  }
};

template <RowKind kKind, typename S, typename T, TermPattern kPattern, int kSize>
__global__ void __launch_bounds__(kRegularThreads)
    SumRegularRows(const __grid_constant__ RegularRows rows, const S* source, T* target) {
  using Columns = RegularColumns<S, kPattern, kSize>;
  using Sources = typename Columns::Sources;
  const uint64_t number = ThreadNumber();
  if (number >= rows.threads) return;
  auto pack = static_cast<uint32_t>(number);
  uint32_t band = rows.packs.Split(pack);
  rows.planes.Move(rows.bands.Split(band), source, target);
  const Columns columns(rows, pack);
  const RegularPlane<Columns, S, T, kSize> plane = {
      rows, columns, source + uint64_t{pack} * Sources::kOwn, target + uint64_t{pack} * kSize};
  if constexpr (kKind == RowKind::kSame) {
    plane.Same(band);
  } else if constexpr (kKind == RowKind::kFew) {
    plane.template Few<Sources::kTerms>(band);
  } else {
    const uint32_t begin = band * rows.band_rows;
    const uint32_t end = min(begin + rows.band_rows, rows.target_rows);
    plane.template Gather<Sources::kTerms / 2>(begin, end);
  }
}

}  // namespace anydml::cuda
