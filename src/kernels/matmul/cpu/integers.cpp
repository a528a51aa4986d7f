// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Tiles of sums. Of each piece of the depth the rows and the columns of a tile are packed to 16
// bits, two neighbours of the depth side by side, which one instruction multiplies and adds.
#include "kernels/matmul/integers.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/matmul/cpu/integers.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef ANYDML_KERNELS_MATMUL_CPU_INTEGERS_ONCE
#define ANYDML_KERNELS_MATMUL_CPU_INTEGERS_ONCE
namespace anydml::matmul {

inline constexpr int64_t kTileRows = 128;
inline constexpr int64_t kTileColumns = 64;
inline constexpr int64_t kPairs = 128;  // of the depth, at a time

struct IntegerTile {
  alignas(64) int16_t a[kTileRows][2 * kPairs];
  alignas(64) int16_t b[kPairs][2 * kTileColumns];
  alignas(64) int32_t sums[kTileRows][kTileColumns];
};

}  // namespace anydml::matmul
#endif

HWY_BEFORE_NAMESPACE();
namespace anydml::matmul {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<int32_t>;
using V = hn::Vec<D>;
using D16 = hn::RepartitionToNarrow<D>;

// sum + the products of both halves of every lane
HWY_INLINE V AddProducts(V a, V b, V sum) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  V unused = hn::Zero(D());
  return hn::ReorderWidenMulAccumulate(D(), hn::BitCast(D16(), a), hn::BitCast(D16(), b), sum,
                                       unused);
#else
  const auto low = [](V x) { return hn::ShiftRight<16>(hn::ShiftLeft<16>(x)); };
  const V lows = hn::Mul(low(a), low(b));
  return hn::Add(sum, hn::Add(lows, hn::Mul(hn::ShiftRight<16>(a), hn::ShiftRight<16>(b))));
#endif
}

template <int kRows, int kVectors>
HWY_INLINE void AddBlock(IntegerTile& tile, int64_t row, int64_t column, int64_t pairs) {
  const D d;
  const auto n = static_cast<int64_t>(hn::Lanes(d));
  V sums[kRows][kVectors];
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) {
      sums[r][v] = hn::LoadU(d, &tile.sums[row + r][column + v * n]);
    }
  }
  for (int64_t k = 0; k < pairs; ++k) {
    const int16_t* const from = tile.b[k] + 2 * column;
    V b[kVectors];
    for (int v = 0; v < kVectors; ++v) {
      b[v] = hn::BitCast(d, hn::LoadU(D16(), from + 2 * v * n));
    }
    for (int r = 0; r < kRows; ++r) {
      int32_t pair;
      std::memcpy(&pair, &tile.a[row + r][2 * k], sizeof pair);
      const V a = hn::Set(d, pair);
      for (int v = 0; v < kVectors; ++v) sums[r][v] = AddProducts(a, b[v], sums[r][v]);
    }
  }
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) {
      hn::StoreU(sums[r][v], d, &tile.sums[row + r][column + v * n]);
    }
  }
}

// Of all columns of a tile; what lies behind the matrices is zeros.
void AddTile(IntegerTile& tile, int64_t rows, int64_t pairs) {
  constexpr int kVectors = HWY_MAX_BYTES >= 64 ? 4 : 2;
  const int64_t step = kVectors * static_cast<int64_t>(hn::Lanes(D()));
  for (int64_t column = 0; column < kTileColumns; column += step) {
    for (int64_t row = 0; row < rows; row += 4) AddBlock<4, kVectors>(tile, row, column, pairs);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::matmul
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/matmul/cpu/strategies.h"

namespace anydml::matmul {
namespace {

HWY_EXPORT(AddTile);

using ByteTypes = TypeList<int8_t, uint8_t>;

template <typename A, typename B>
struct Tiles {
  const IntegerPlan& plan;
  const Bindings& bindings;

  int32_t AZero(int64_t row) const {
    return plan.has_a_zero ? bindings.Input<A>(1)[row * plan.a_zero_stride] : 0;
  }
  int32_t BZero(int64_t column) const {
    return plan.has_b_zero ? bindings.Input<B>(3)[column * plan.b_zero_stride] : 0;
  }

  void PackA(const A* from, int64_t first_row, int64_t rows, int64_t first, int64_t count,
             IntegerTile& tile) const {
    const int64_t step = plan.a[3];
    for (int64_t r = 0; r < rows; ++r) {
      const A* const row = from + (first_row + r) * plan.a[2] + first * step;
      const int32_t zero = AZero(first_row + r);
      int16_t* const to = tile.a[r];
      if (step == 1) {
        for (int64_t k = 0; k < count; ++k) to[k] = static_cast<int16_t>(row[k] - zero);
      } else {
        for (int64_t k = 0; k < count; ++k) to[k] = static_cast<int16_t>(row[k * step] - zero);
      }
      if (count % 2 != 0) to[count] = 0;
    }
    // Rows are taken four at a time.
    for (int64_t r = rows; r % 4 != 0; ++r) std::fill_n(tile.a[r], count + count % 2, int16_t{0});
  }

  void PackB(const B* from, int64_t first_column, int64_t columns, int64_t first, int64_t count,
             IntegerTile& tile) const {
    int32_t zeros[kTileColumns] = {};
    for (int64_t c = 0; c < columns; ++c) zeros[c] = BZero(first_column + c);
    const int64_t step = plan.b[3];
    for (int64_t k = 0; k < count; k += 2) {
      const B* const row = from + (first + k) * plan.b[2] + first_column * step;
      const B* const next = k + 1 < count ? row + plan.b[2] : nullptr;
      int16_t* const to = tile.b[k / 2];
      for (int64_t c = 0; c < columns; ++c) {
        to[2 * c] = static_cast<int16_t>(row[c * step] - zeros[c]);
        to[2 * c + 1] =
            next == nullptr ? int16_t{0} : static_cast<int16_t>(next[c * step] - zeros[c]);
      }
      std::fill(to + 2 * columns, to + 2 * kTileColumns, int16_t{0});
    }
  }

  void Run(int64_t batch, int64_t first_row, int64_t first_column, IntegerTile& tile) const {
    const int64_t rows = std::min(kTileRows, plan.rows - first_row);
    const int64_t columns = std::min(kTileColumns, plan.columns - first_column);
    const A* const a = bindings.Input<A>(0) + plan.BatchOffset(plan.a, batch);
    const B* const b = bindings.Input<B>(2) + plan.BatchOffset(plan.b, batch);
    std::fill_n(tile.sums[0], kTileRows * kTileColumns, 0);
    for (int64_t first = 0; first < plan.depth; first += 2 * kPairs) {
      const int64_t count = std::min(2 * kPairs, plan.depth - first);
      PackA(a, first_row, rows, first, count, tile);
      PackB(b, first_column, columns, first, count, tile);
      HWY_DYNAMIC_DISPATCH(AddTile)(tile, rows, (count + 1) / 2);
    }
    int32_t* const y = bindings.Output<int32_t>(0) + plan.BatchOffset(plan.output, batch);
    for (int64_t r = 0; r < rows; ++r) {
      int32_t* const to = y + (first_row + r) * plan.output[2] + first_column * plan.output[3];
      for (int64_t c = 0; c < columns; ++c) to[c * plan.output[3]] = tile.sums[r][c];
    }
  }
};

void RunIntegers(const IntegerPlan& plan, const NoTables&, const Bindings& bindings,
                 const cpu::Executor& executor) {
  const int64_t down = (plan.rows + kTileRows - 1) / kTileRows;
  const int64_t across = (plan.columns + kTileColumns - 1) / kTileColumns;
  DispatchType(ByteTypes(), plan.a_type, [&]<typename A>() {
    DispatchType(ByteTypes(), plan.b_type, [&]<typename B>() {
      const Tiles<A, B> tiles = {plan, bindings};
      const auto units = static_cast<uint64_t>(plan.BatchCount() * down * across);
      executor.ParallelFor(units, 1, [&](uint64_t begin, uint64_t end) {
        IntegerTile tile;
        for (auto unit = static_cast<int64_t>(begin); unit < static_cast<int64_t>(end); ++unit) {
          const int64_t row = unit / across % down, column = unit % across;
          tiles.Run(unit / across / down, row * kTileRows, column * kTileColumns, tile);
        }
      });
    });
  });
}

}  // namespace

constinit const std::array<CpuStrategy, 1> kIntegerStrategies = {
    StrategyOf<IntegerPlan, NoTables>::Named<AcceptsAll<IntegerPlan>, RunIntegers>("strided")};

}  // namespace anydml::matmul
#endif  // HWY_ONCE
