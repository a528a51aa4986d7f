// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "kernels/reduce/cpu/normalization_rows.h"

#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/reduce/cpu/normalization_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/reduce/cpu/sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::reduce {
namespace HWY_NAMESPACE {

// Elements of a slot in a block of `count`.
HWY_INLINE float CountOf(size_t count, size_t slot) {
  return static_cast<float>((count - slot + kSlots - 1) / kSlots);
}

// Past the caches where `stream` says so; the address is then a multiple of a line.
template <class D, typename T>
HWY_INLINE void StoreResult(D d, hn::Vec<D> result, T* to, bool stream) {
  if constexpr (std::is_same_v<T, float> && hn::MaxLanes(D()) >= 4) {
    if (stream) return hn::Stream(result, d, to);
  }
  vectors::StoreFloats(d, result, to);
}

template <typename T>
struct NormalizationSteps {
  // Deviations of whole rows of 128 elements from the means of their slots.
  static HWY_INLINE void SquareRows(const T* HWY_RESTRICT x, size_t rows,
                                    const float* HWY_RESTRICT means, float* HWY_RESTRICT squares) {
    const hn::ScalableTag<float> d;
    const size_t n = hn::Lanes(d);
    for (size_t first = 0; first < kSlots; first += 4 * n) {
      const auto m0 = hn::Load(d, means + first), m1 = hn::Load(d, means + first + n);
      const auto m2 = hn::Load(d, means + first + 2 * n), m3 = hn::Load(d, means + first + 3 * n);
      auto q0 = hn::Zero(d), q1 = q0, q2 = q0, q3 = q0;
      const T* from = x + first;
      for (size_t row = 0; row < rows; ++row, from += kSlots) {
        const auto d0 = hn::Sub(vectors::LoadFloats(d, from), m0);
        const auto d1 = hn::Sub(vectors::LoadFloats(d, from + n), m1);
        const auto d2 = hn::Sub(vectors::LoadFloats(d, from + 2 * n), m2);
        const auto d3 = hn::Sub(vectors::LoadFloats(d, from + 3 * n), m3);
        q0 = hn::Add(q0, hn::Mul(d0, d0));
        q1 = hn::Add(q1, hn::Mul(d1, d1));
        q2 = hn::Add(q2, hn::Mul(d2, d2));
        q3 = hn::Add(q3, hn::Mul(d3, d3));
      }
      hn::Store(q0, d, squares + first);
      hn::Store(q1, d, squares + first + n);
      hn::Store(q2, d, squares + first + 2 * n);
      hn::Store(q3, d, squares + first + 3 * n);
    }
  }

  static void Statistics(const void* data, uint64_t count, float* sum, float* square_sum) {
    const T* const x = static_cast<const T*>(data);
    alignas(64) float sums[kSlots], means[kSlots], squares[kSlots], counts[kSlots];
    const size_t used = std::min<size_t>(count, kSlots);
    const size_t rows = count / kSlots, rest = count % kSlots;
    const T* const tail = x + rows * kSlots;
    SumSlots<Plus, AsItIs>(x, count, sums);
    for (size_t j = 0; j < used; ++j) counts[j] = CountOf(count, j);
    ForEachVector(used, [&](auto d, size_t j) HWY_ATTR {
      hn::StoreU(hn::Div(hn::LoadU(d, sums + j), hn::LoadU(d, counts + j)), d, means + j);
    });
    if (rows > 0) SquareRows(x, rows, means, squares);
    ForEachVector(rest, [&](auto d, size_t j) HWY_ATTR {
      const auto before = rows > 0 ? hn::LoadU(d, squares + j) : hn::Zero(d);
      const auto away = hn::Sub(vectors::LoadFloats(d, tail + j), hn::LoadU(d, means + j));
      hn::StoreU(hn::Add(before, hn::Mul(away, away)), d, squares + j);
    });
    *sum = Halve<Plus>(sums, used);
    const float mean = *sum / static_cast<float>(count);
    ForEachVector(used, [&](auto d, size_t j) HWY_ATTR {
      const auto away = hn::Sub(hn::LoadU(d, means + j), hn::Set(d, mean));
      const auto moved = hn::Mul(hn::LoadU(d, counts + j), hn::Mul(away, away));
      hn::StoreU(hn::Add(hn::LoadU(d, squares + j), moved), d, squares + j);
    });
    *square_sum = Halve<Plus>(squares, used);
  }

  static void StatisticsOfColumns(const void* data, const int64_t* HWY_RESTRICT offsets,
                                  uint64_t count, uint64_t lanes, float* sums, float* squares,
                                  StatisticsBuffer& buffer) {
    const T* const x = static_cast<const T*>(data);
    const size_t used = std::min<size_t>(count, kSlots);
    for (size_t slot = 0; slot < used; ++slot) {
      const float n = CountOf(count, slot);
      ForEachVector(lanes, [&](auto d, size_t i) HWY_ATTR {
        auto sum = hn::Zero(d);
        for (size_t r = slot; r < count; r += kSlots) {
          PrefetchRow(x, offsets, r + 1, count, i, hn::Lanes(d));
          sum = hn::Add(sum, vectors::LoadFloats(d, x + offsets[r] + i));
        }
        const auto mean = hn::Div(sum, hn::Set(d, n));
        auto square = hn::Zero(d);
        for (size_t r = slot; r < count; r += kSlots) {
          const auto away = hn::Sub(vectors::LoadFloats(d, x + offsets[r] + i), mean);
          square = hn::Add(square, hn::Mul(away, away));
        }
        hn::StoreU(sum, d, buffer.sums.slots + slot * kStrip + i);
        hn::StoreU(mean, d, buffer.means.slots + slot * kStrip + i);
        hn::StoreU(square, d, buffer.squares.slots + slot * kStrip + i);
      });
    }
    HalveRows<Plus>(buffer.sums.slots, used, lanes);
    std::copy_n(buffer.sums.slots, lanes, sums);
    for (size_t slot = 0; slot < used; ++slot) {
      const float n = CountOf(count, slot);
      ForEachVector(lanes, [&](auto d, size_t i) HWY_ATTR {
        float* const to = buffer.squares.slots + slot * kStrip + i;
        const auto mean = hn::Div(hn::LoadU(d, sums + i), hn::Set(d, static_cast<float>(count)));
        const auto away = hn::Sub(hn::LoadU(d, buffer.means.slots + slot * kStrip + i), mean);
        hn::StoreU(hn::Add(hn::LoadU(d, to), hn::Mul(hn::Set(d, n), hn::Mul(away, away))), d, to);
      });
    }
    HalveRows<Plus>(buffer.squares.slots, used, lanes);
    std::copy_n(buffer.squares.slots, lanes, squares);
  }

  template <bool kEach, bool kAdds>
  static HWY_INLINE void AffineRow(const T* HWY_RESTRICT x, const T* HWY_RESTRICT add,
                                   const float* HWY_RESTRICT m, const float* HWY_RESTRICT s,
                                   const float* HWY_RESTRICT b, uint64_t count, bool stream,
                                   T* HWY_RESTRICT y) {
    ForEachVector(count, [&](auto d, size_t i) HWY_ATTR {
      const auto mean = kEach ? hn::LoadU(d, m + i) : hn::Set(d, m[0]);
      const auto factor = kEach ? hn::LoadU(d, s + i) : hn::Set(d, s[0]);
      const auto bias = kEach ? hn::LoadU(d, b + i) : hn::Set(d, b[0]);
      auto result = hn::Add(hn::Mul(hn::Sub(vectors::LoadFloats(d, x + i), mean), factor), bias);
      if (kAdds) result = hn::Add(result, vectors::LoadFloats(d, add + i));
      StoreResult(d, result, y + i, stream);
    });
  }
  static void Affine(const void* x, const void* add, const float* m, const float* s, const float* b,
                     bool each, uint64_t count, bool stream, void* y) {
    const auto run = [&]<bool kEach, bool kAdds>() HWY_ATTR {
      AffineRow<kEach, kAdds>(static_cast<const T*>(x), static_cast<const T*>(add), m, s, b, count,
                              stream, static_cast<T*>(y));
    };
    if (each) {
      add == nullptr ? run.template operator()<true, false>()
                     : run.template operator()<true, true>();
    } else {
      add == nullptr ? run.template operator()<false, false>()
                     : run.template operator()<false, true>();
    }
  }

  static void Layer(const void* data, float m, float root, const float* HWY_RESTRICT scale,
                    const float* HWY_RESTRICT b, uint64_t count, bool stream, void* to) {
    const T* const x = static_cast<const T*>(data);
    T* const y = static_cast<T*>(to);
    ForEachVector(count, [&](auto d, size_t i) HWY_ATTR {
      const auto factor = hn::Div(hn::LoadU(d, scale + i), hn::Set(d, root));
      const auto centred = hn::Sub(vectors::LoadFloats(d, x + i), hn::Set(d, m));
      StoreResult(d, hn::Add(hn::Mul(centred, factor), hn::LoadU(d, b + i)), y + i, stream);
    });
  }

  static void GradientSums(const void* data, const void* gradient, float m, uint64_t count,
                           float* sum, float* product) {
    const T* const x = static_cast<const T*>(data);
    const T* const dy = static_cast<const T*>(gradient);
    alignas(64) float products[kBlock];
    *sum = SumBlock<Plus, AsItIs>(dy, count);
    ForEachVector(count, [&](auto d, size_t i) HWY_ATTR {
      const auto centred = hn::Sub(vectors::LoadFloats(d, x + i), hn::Set(d, m));
      hn::StoreU(hn::Mul(vectors::LoadFloats(d, dy + i), centred), d, products + i);
    });
    *product = SumBlock<Plus, AsItIs>(products, count);
  }

  static void GradientSumsOfColumns(const void* data, const int64_t* HWY_RESTRICT x_offsets,
                                    const void* gradient, const int64_t* HWY_RESTRICT dy_offsets,
                                    const float* HWY_RESTRICT m, uint64_t count, uint64_t lanes,
                                    float* sums, float* products, StatisticsBuffer& buffer) {
    const T* const x = static_cast<const T*>(data);
    const T* const dy = static_cast<const T*>(gradient);
    const size_t used = std::min<size_t>(count, kSlots);
    for (size_t slot = 0; slot < used; ++slot) {
      ForEachVector(lanes, [&](auto d, size_t i) HWY_ATTR {
        const auto mean = hn::LoadU(d, m + i);
        auto sum = hn::Zero(d), product = hn::Zero(d);
        for (size_t r = slot; r < count; r += kSlots) {
          PrefetchRow(x, x_offsets, r + 1, count, i, hn::Lanes(d));
          PrefetchRow(dy, dy_offsets, r + 1, count, i, hn::Lanes(d));
          const auto centred = hn::Sub(vectors::LoadFloats(d, x + x_offsets[r] + i), mean);
          const auto g = vectors::LoadFloats(d, dy + dy_offsets[r] + i);
          sum = hn::Add(sum, g);
          product = hn::Add(product, hn::Mul(g, centred));
        }
        hn::StoreU(sum, d, buffer.sums.slots + slot * kStrip + i);
        hn::StoreU(product, d, buffer.squares.slots + slot * kStrip + i);
      });
    }
    HalveRows<Plus>(buffer.sums.slots, used, lanes);
    std::copy_n(buffer.sums.slots, lanes, sums);
    HalveRows<Plus>(buffer.squares.slots, used, lanes);
    std::copy_n(buffer.squares.slots, lanes, products);
  }

  static void Gradient(const void* data, const void* gradient, const float* m, const float* a,
                       const float* k, const float* s, bool each, uint64_t count, bool stream,
                       void* to) {
    const T* const x = static_cast<const T*>(data);
    const T* const dy = static_cast<const T*>(gradient);
    T* const dx = static_cast<T*>(to);
    ForEachVector(count, [&](auto d, size_t i) HWY_ATTR {
      const auto of = [&](const float* values) HWY_ATTR {
        return each ? hn::LoadU(d, values + i) : hn::Set(d, values[0]);
      };
      const auto centred = hn::Sub(vectors::LoadFloats(d, x + i), of(m));
      const auto g = hn::Sub(vectors::LoadFloats(d, dy + i), of(a));
      StoreResult(d, hn::Mul(hn::Sub(g, hn::Mul(centred, of(k))), of(s)), dx + i, stream);
    });
  }

  static void Scaled(const void* gradient, const float* s, bool each, uint64_t count, bool stream,
                     void* to) {
    const T* const dy = static_cast<const T*>(gradient);
    T* const dx = static_cast<T*>(to);
    ForEachVector(count, [&](auto d, size_t i) HWY_ATTR {
      const auto factor = each ? hn::LoadU(d, s + i) : hn::Set(d, s[0]);
      StoreResult(d, hn::Mul(vectors::LoadFloats(d, dy + i), factor), dx + i, stream);
    });
  }

  static constexpr NormalizationRows kRows = {
      Statistics,   StatisticsOfColumns,   Affine,   Layer,
      GradientSums, GradientSumsOfColumns, Gradient, Scaled};
};

const NormalizationRows* FindSteps(DataType type) {
  return type == DataType::kFloat16 ? &NormalizationSteps<Float16>::kRows
                                    : &NormalizationSteps<float>::kRows;
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::reduce
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::reduce {
namespace {

HWY_EXPORT(FindSteps);

}  // namespace

const NormalizationRows& FindNormalizationRows(DataType type) {
  return *HWY_DYNAMIC_DISPATCH(FindSteps)(type);
}

}  // namespace anydml::reduce
#endif  // HWY_ONCE
