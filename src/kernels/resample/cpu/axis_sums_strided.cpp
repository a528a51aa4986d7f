// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Nested sums per target element. The outermost sum is the first axis and the
// innermost the last, so each element sees the additions of "axis by axis, last
// axis first" in the same order, without a tensor in between.
#include <cmath>
#include <cstring>
#include <limits>

#include "backends/cpu/rows.h"
#include "base/checked_math.h"
#include "kernels/resample/cpu/axis_sums.h"

namespace anydml::cpu {
namespace {

template <typename T>
float Widen(T value) {
  if constexpr (std::is_same_v<T, Float16>) {
    return ToFloat(value);
  } else {
    return static_cast<float>(value);
  }
}

// Integers: to nearest even, saturated (B26).
template <typename T>
T Narrow(float value) {
  if constexpr (std::is_same_v<T, float>) {
    return value;
  } else if constexpr (std::is_same_v<T, Float16>) {
    return ToFloat16(value);
  } else {
    const auto least = static_cast<float>(std::numeric_limits<T>::min());
    const auto most = static_cast<float>(std::numeric_limits<T>::max());
    return static_cast<T>(std::nearbyint(std::clamp(value, least, most)));
  }
}

// The position of one target element: the terms of each changing axis, looked
// up again only when its coordinate moves.
class Cursor {
 public:
  Cursor(const AxisSums& sums, const AxisSumsTables& tables, uint64_t target_index)
      : sums_(sums), tables_(tables) {
    uint32_t changing = sums.pass_count;
    for (uint32_t i = sums.rank; i-- > 0;) {
      coordinate_[i] = target_index % sums.target_sizes[i];
      target_index /= sums.target_sizes[i];
      if (sums.changes[i]) slot_[i] = --changing;
      if (sums.changes[i]) strides_[slot_[i]] = sums.source_strides[i];
      Place(i);
    }
  }

  void Next() {
    for (uint32_t i = sums_.rank; i-- > 0;) {
      const bool carry = ++coordinate_[i] == sums_.target_sizes[i];
      if (carry) coordinate_[i] = 0;
      Place(i);
      if (!carry) return;
    }
  }

  uint64_t TargetOffset() const { return Offset(sums_.target_strides, true); }
  // Along the axes that change nothing; the sums walk the others.
  uint64_t SourceOffset() const { return Offset(sums_.source_strides, false); }
  const TermRange* terms() const { return terms_.data(); }
  // An axis without terms: the sum is +0, however many terms the others have.
  bool HasEmptySum() const {
    for (uint32_t k = 0; k < sums_.pass_count; ++k) {
      if (terms_[k].size() == 0) return true;
    }
    return false;
  }
  const int64_t* strides() const { return strides_.data(); }

 private:
  void Place(uint32_t i) {
    if (sums_.changes[i]) terms_[slot_[i]] = TermRange(sums_, tables_, i, coordinate_[i]);
  }

  uint64_t Offset(const std::array<int64_t, kMaxSumAxes>& strides, bool all) const {
    uint64_t offset = 0;
    for (uint32_t i = 0; i < sums_.rank; ++i) {
      if (all || !sums_.changes[i]) offset += coordinate_[i] * static_cast<uint64_t>(strides[i]);
    }
    return offset;
  }

  const AxisSums& sums_;
  const AxisSumsTables& tables_;
  std::array<uint64_t, kMaxSumAxes> coordinate_ = {};
  std::array<uint32_t, kMaxSumAxes> slot_ = {};    // of a changing axis, in logical order
  std::array<TermRange, kMaxSumAxes> terms_ = {};  // by slot
  std::array<int64_t, kMaxSumAxes> strides_ = {};  // of the source, by slot
};

template <int kAxes, typename T>
float Sum(const T* source, const TermRange* terms, const int64_t* strides) {
  if constexpr (kAxes == 0) {
    return Widen(*source);
  } else {
    float sum = 0;
    for (uint64_t k = 0; k < terms->size(); ++k) {
      const Term term = (*terms)[k];
      if (term.weight == 0) continue;
      const T* at = source + int64_t{term.source} * *strides;
      sum += term.weight * Sum<kAxes - 1>(at, terms + 1, strides + 1);
    }
    return sum;
  }
}

template <int kAxes>
void SumElements(const AxisSums& sums, const AxisSumsTables& tables, const Bindings& bindings,
                 const Executor& executor) {
  const uint64_t sources = ElementCount(sums.source_sizes, sums.rank);
  const uint64_t targets = ElementCount(sums.target_sizes, sums.rank);
  const uint64_t grain = kElementsPerUnit / std::max<uint64_t>(1, CeilDivide(sources, targets));
  DispatchType(SumTypes(), sums.data_type, [&]<typename T>() {
    const T* source = bindings.Input<T>(0);
    T* target = bindings.Output<T>(0);
    executor.ParallelFor(targets, grain, [&](uint64_t begin, uint64_t end) {
      Cursor cursor(sums, tables, begin);
      for (uint64_t i = begin; i < end; ++i) {
        const float sum = cursor.HasEmptySum() ? 0.0f
                                               : Sum<kAxes>(source + cursor.SourceOffset(),
                                                            cursor.terms(), cursor.strides());
        target[cursor.TargetOffset()] = Narrow<T>(sum);
        if (i + 1 < end) cursor.Next();
      }
    });
  });
}

// No axis changes anything: the bits of every element survive.
void CopyElements(const AxisSums& sums, const Bindings& bindings, const Executor& executor) {
  DispatchWidth(ElementSize(sums.data_type), [&]<typename T>() {
    const T* source = bindings.Input<T>(0);
    T* target = bindings.Output<T>(0);
    const int64_t from = sums.copy.inner_stride(0), to = sums.copy.inner_stride(1);
    ForEachRowPiece(sums.copy, executor, [=](const auto& at, uint64_t count) {
      if (from == 1 && to == 1) {
        std::memcpy(target + at[1], source + at[0], count * sizeof(T));
        return;
      }
      for (int64_t i = 0; i < static_cast<int64_t>(count); ++i) {
        target[at[1] + i * to] = source[at[0] + i * from];
      }
    });
  });
}

bool HasTables(const AxisSumsTables& tables) {
  for (const TermTable& axis : tables.axes) {
    if (axis.present()) return true;
  }
  return false;
}

}  // namespace

void SumAxesStrided(const AxisSums& sums, const AxisSumsTables& tables, const Bindings& bindings,
                    const Executor& executor) {
  if (sums.pass_count == 1 && !HasTables(tables)) return SumLongAxis(sums, bindings, executor);
  switch (sums.pass_count) {
    case 0:
      return CopyElements(sums, bindings, executor);
    case 1:
      return SumElements<1>(sums, tables, bindings, executor);
    case 2:
      return SumElements<2>(sums, tables, bindings, executor);
    case 3:
      return SumElements<3>(sums, tables, bindings, executor);
    default:
      return SumElements<4>(sums, tables, bindings, executor);
  }
}

}  // namespace anydml::cpu
