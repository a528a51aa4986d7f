// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "kernels/move/cpu/interleaved_rows.h"

#include "backends/cpu/rows.h"
#include "tensor/data_type.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/move/cpu/interleaved_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// `apart` is between the rows that lie apart, `count` the elements of each.
using Copy = void (*)(const void* from, void* to, int64_t apart, int64_t count);

template <typename T, int kRows>
void Join(const void* from, void* to, int64_t apart, int64_t count) {
  const auto* const rows = static_cast<const T*>(from);
  auto* const out = static_cast<T*>(to);
  int64_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<T> d;
  const auto N = static_cast<int64_t>(hn::Lanes(d));
  for (; i + N <= count; i += N) {
    const auto load = [=](int r) HWY_ATTR { return hn::LoadU(d, rows + r * apart + i); };
    if constexpr (kRows == 2) {
      hn::StoreInterleaved2(load(0), load(1), d, out + 2 * i);
    } else if constexpr (kRows == 3) {
      hn::StoreInterleaved3(load(0), load(1), load(2), d, out + 3 * i);
    } else {
      hn::StoreInterleaved4(load(0), load(1), load(2), load(3), d, out + 4 * i);
    }
  }
#endif
  for (; i < count; ++i) {
    for (int r = 0; r < kRows; ++r) out[kRows * i + r] = rows[r * apart + i];
  }
}

template <typename T, int kRows>
void Split(const void* from, void* to, int64_t apart, int64_t count) {
  const auto* const in = static_cast<const T*>(from);
  auto* const rows = static_cast<T*>(to);
  int64_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<T> d;
  const auto N = static_cast<int64_t>(hn::Lanes(d));
  for (; i + N <= count; i += N) {
    hn::Vec<decltype(d)> v[4];
    if constexpr (kRows == 2) {
      hn::LoadInterleaved2(d, in + 2 * i, v[0], v[1]);
    } else if constexpr (kRows == 3) {
      hn::LoadInterleaved3(d, in + 3 * i, v[0], v[1], v[2]);
    } else {
      hn::LoadInterleaved4(d, in + 4 * i, v[0], v[1], v[2], v[3]);
    }
    for (int r = 0; r < kRows; ++r) hn::StoreU(v[r], d, rows + r * apart + i);
  }
#endif
  for (; i < count; ++i) {
    for (int r = 0; r < kRows; ++r) rows[r * apart + i] = in[kRows * i + r];
  }
}

Copy Choose(bool joins, uint32_t rows, uint32_t element_size) {
  Copy copy = nullptr;
  DispatchWidth(element_size, [&]<typename T>() {
    constexpr Copy kCopies[2][3] = {{Split<T, 2>, Split<T, 3>, Split<T, 4>},
                                    {Join<T, 2>, Join<T, 3>, Join<T, 4>}};
    copy = kCopies[joins ? 1 : 0][rows - 2];
  });
  return copy;
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::cpu {
namespace {

HWY_EXPORT(Choose);

// All dimensions but `without`, with `last` at the end.
StridedLoop<2> Reordered(const StridedLoop<2>& loop, uint32_t without, uint32_t last) {
  StridedLoop<2> rows;
  const auto add = [&](uint32_t i) {
    rows.sizes[rows.rank] = loop.sizes[i];
    for (int t = 0; t < 2; ++t) rows.strides[t][rows.rank] = loop.strides[t][i];
    ++rows.rank;
  };
  for (uint32_t i = 0; i < loop.rank; ++i) {
    if (i != without && i != last) add(i);
  }
  add(last);
  return rows;
}

}  // namespace

InterleavedRows FindInterleavedRows(const StridedLoop<2>& loop) {
  for (int dense = 0; dense < 2; ++dense) {
    const auto &together = loop.strides[dense], &apart = loop.strides[1 - dense];
    for (uint32_t part = 0; part < loop.rank; ++part) {
      if (together[part] != 1 || loop.sizes[part] < 2 || loop.sizes[part] > 4) continue;
      for (uint32_t row = 0; row < loop.rank; ++row) {
        if (apart[row] != 1 || together[row] != static_cast<int64_t>(loop.sizes[part])) continue;
        return {dense == 1, static_cast<uint32_t>(loop.sizes[part]), apart[part],
                Reordered(loop, part, row)};
      }
    }
  }
  return {};
}

void CopyInterleavedRows(const InterleavedRows& copy, uint32_t element_size, const void* from,
                         void* to, const Executor& executor) {
  const auto move = HWY_DYNAMIC_DISPATCH(Choose)(copy.joins, copy.count, element_size);
  const int64_t size = element_size;
  ForEachRowPiece(
      copy.rows, executor,
      [&](const auto& at, uint64_t count) {
        move(static_cast<const std::byte*>(from) + at[0] * size,
             static_cast<std::byte*>(to) + at[1] * size, copy.apart, static_cast<int64_t>(count));
      },
      kMovedElementsPerUnit<std::byte, 2> / element_size / copy.count);
}

}  // namespace anydml::cpu
#endif  // HWY_ONCE
