// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// One pass per changing axis over packed data, last logical axis first, with
// float between the passes. A pass sees a matrix whose rows are made one by one:
// where elements lie inside the axis (inner > 1) a row holds the `inner`
// elements of one target index and is summed in whole vectors; along the
// innermost axis a row holds all target indices and several rows are summed
// side by side.
#include "backends/cpu/axis_sums.h"
#include "base/checked_math.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/axis_sums_packed.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/float16-inl.h"
#include "backends/cpu/rows.h"

#ifndef ANYDML_BACKENDS_CPU_AXIS_SUMS_PACKED_ONCE_
#define ANYDML_BACKENDS_CPU_AXIS_SUMS_PACKED_ONCE_
namespace anydml::cpu {

// A part of the matrix that a pass makes.
struct Tile {
  uint64_t row_begin;
  uint64_t row_end;
  uint64_t column_begin;
  uint64_t column_end;
};

// Rows along the innermost axis that share the look-up of a term.
inline constexpr uint64_t kRowsSideBySide = 8;

inline uint64_t RowsOf(const AxisPass& pass) {
  return pass.inner == 1 ? pass.outer : pass.outer * pass.target_size;
}
inline uint64_t ColumnsOf(const AxisPass& pass) {
  return pass.inner == 1 ? pass.target_size : pass.inner;
}
inline uint64_t RowsPerTile(const AxisPass& pass) { return pass.inner == 1 ? kRowsSideBySide : 1; }

// What lies between the passes: pass k writes buffer k mod 2 and the next reads
// it. The second starts at a multiple of 64 bytes.
inline uint64_t FirstBufferElements(const AxisSums& sums) {
  uint64_t most = 0;
  for (uint32_t k = 0; k + 1 < sums.pass_count; k += 2) {
    most = std::max(most, sums.passes[k].TargetElements());
  }
  return CeilDivide(most, 16) * 16;
}

}  // namespace anydml::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Product rounded, then added: no MulAdd (B13).
template <class D, typename In>
HWY_INLINE hn::Vec<D> SumOf(D d, const Term* begin, const Term* end, const In* source,
                            uint64_t inner) {
  auto sum = hn::Zero(d);
  for (const Term* term = begin; term != end; ++term) {
    const auto value = LoadFloats(d, source + term->source * inner);
    sum = hn::Add(sum, hn::Mul(hn::Set(d, term->weight), value));
  }
  return sum;
}

template <typename In, typename Out>
HWY_INLINE void SumRowsOfInner(const AxisPass& pass, const TermTable& table, const In* source,
                               Out* target, const Tile& tile) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> d1;
  const size_t N = hn::Lanes(d);
  for (uint64_t row = tile.row_begin; row < tile.row_end; ++row) {
    const uint64_t index = row % pass.target_size;
    const Term* begin = table.terms.data() + table.begin[index];
    const Term* end = table.terms.data() + table.begin[index + 1];
    const In* from = source + row / pass.target_size * pass.source_size * pass.inner;
    Out* to = target + row * pass.inner;
    uint64_t i = tile.column_begin;
    for (; i + N <= tile.column_end; i += N) {
      StoreFloats(d, SumOf(d, begin, end, from + i, pass.inner), to + i);
    }
    for (; i < tile.column_end; ++i) {
      StoreFloats(d1, SumOf(d1, begin, end, from + i, pass.inner), to + i);
    }
  }
}

template <uint64_t kRows, typename In, typename Out>
HWY_INLINE void SumInnermostAxis(const AxisPass& pass, const TermTable& table, const In* source,
                                 Out* target, uint64_t column_begin, uint64_t column_end) {
  const hn::CappedTag<float, 1> d1;
  for (uint64_t i = column_begin; i < column_end; ++i) {
    float sums[kRows] = {};
    for (uint32_t k = table.begin[i]; k < table.begin[i + 1]; ++k) {
      const Term term = table.terms[k];
      for (uint64_t r = 0; r < kRows; ++r) {
        const auto value = LoadFloats(d1, source + r * pass.source_size + term.source);
        sums[r] += term.weight * hn::GetLane(value);
      }
    }
    for (uint64_t r = 0; r < kRows; ++r) {
      StoreFloats(d1, hn::Set(d1, sums[r]), target + r * pass.target_size + i);
    }
  }
}

template <typename In, typename Out>
HWY_INLINE void SumTile(const AxisPass& pass, const TermTable& table, const In* source, Out* target,
                        const Tile& tile) {
  if (pass.inner != 1) return SumRowsOfInner(pass, table, source, target, tile);
  uint64_t row = tile.row_begin;
  for (; row + kRowsSideBySide <= tile.row_end; row += kRowsSideBySide) {
    SumInnermostAxis<kRowsSideBySide>(pass, table, source + row * pass.source_size,
                                      target + row * pass.target_size, tile.column_begin,
                                      tile.column_end);
  }
  for (; row < tile.row_end; ++row) {
    SumInnermostAxis<1>(pass, table, source + row * pass.source_size,
                        target + row * pass.target_size, tile.column_begin, tile.column_end);
  }
}

// The first pass reads elements of T and the last writes them.
template <typename T>
HWY_INLINE void RunPass(const AxisSums& sums, const AxisSumsTables& tables,
                        const Bindings& bindings, uint32_t k, const Tile& tile) {
  const AxisPass& pass = sums.passes[k];
  const TermTable& table = tables.axes[pass.axis];
  float* const second = bindings.Temporary<float>() + FirstBufferElements(sums);
  float* const written = k % 2 == 0 ? bindings.Temporary<float>() : second;
  const float* const read = k % 2 == 0 ? second : bindings.Temporary<float>();
  const bool last = k + 1 == sums.pass_count;
  if (k == 0 && last) {
    SumTile(pass, table, bindings.Input<T>(0), bindings.Output<T>(0), tile);
  } else if (k == 0) {
    SumTile(pass, table, bindings.Input<T>(0), written, tile);
  } else if (last) {
    SumTile(pass, table, read, bindings.Output<T>(0), tile);
  } else {
    SumTile(pass, table, read, written, tile);
  }
}

// Every plane goes through all passes at once, while its data is in the cache.
template <typename T>
void RunPlanes(const AxisSums& sums, const AxisSumsTables& tables, const Bindings& bindings,
               const Executor& executor) {
  const uint64_t elements = sums.passes[sums.pass_count - 1].TargetElements() / sums.planes;
  executor.ParallelFor(
      sums.planes, kElementsPerUnit / elements, [&](uint64_t begin, uint64_t end) HWY_ATTR {
        for (uint64_t plane = begin; plane < end; ++plane) {
          for (uint32_t k = 0; k < sums.pass_count; ++k) {
            const uint64_t rows = RowsOf(sums.passes[k]) / sums.planes;
            RunPass<T>(sums, tables, bindings, k,
                       {plane * rows, (plane + 1) * rows, 0, ColumnsOf(sums.passes[k])});
          }
        }
      });
}

// Too few planes for the threads: each pass is cut into tiles.
template <typename T>
void RunTiles(const AxisSums& sums, const AxisSumsTables& tables, const Bindings& bindings,
              const Executor& executor) {
  for (uint32_t k = 0; k < sums.pass_count; ++k) {
    const uint64_t rows = RowsOf(sums.passes[k]), columns = ColumnsOf(sums.passes[k]);
    const uint64_t height = RowsPerTile(sums.passes[k]);
    const uint64_t width = std::min(columns, kElementsPerUnit / height);
    const uint64_t tiles_across = CeilDivide(columns, width);
    executor.ParallelFor(
        CeilDivide(rows, height) * tiles_across, kElementsPerUnit / (height * width),
        [&](uint64_t begin, uint64_t end) HWY_ATTR {
          for (uint64_t tile = begin; tile < end; ++tile) {
            const uint64_t row = tile / tiles_across * height, column = tile % tiles_across * width;
            RunPass<T>(
                sums, tables, bindings, k,
                {row, std::min(row + height, rows), column, std::min(column + width, columns)});
          }
        });
  }
}

void SumAxes(const AxisSums& sums, const AxisSumsTables& tables, const Bindings& bindings,
             const Executor& executor) {
  const auto threads = static_cast<uint64_t>(executor.threads());
  DispatchType(TypeList<float, Float16>(), sums.data_type, [&]<typename T>() HWY_ATTR {
    if (threads == 1 || sums.planes >= 2 * threads) {
      RunPlanes<T>(sums, tables, bindings, executor);
    } else {
      RunTiles<T>(sums, tables, bindings, executor);
    }
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::cpu {
namespace {

HWY_EXPORT(SumAxes);

// A first axis that shrinks and a last axis that grows meet in between: 65536
// by 1 to 1 by 65536 would need 2^32 floats. Nested sums need none.
constexpr uint64_t kMostGrowthBetweenPasses = 8;

uint64_t MostElementsBetweenPasses(const AxisSums& sums) {
  uint64_t most = 0;
  for (uint32_t k = 0; k + 1 < sums.pass_count; ++k) {
    most = std::max(most, sums.passes[k].TargetElements());
  }
  return most;
}

uint64_t LargerTensor(const AxisSums& sums) {
  uint64_t sources = 1, targets = 1;
  for (uint32_t i = 0; i < sums.rank; ++i) {
    sources *= sums.source_sizes[i];
    targets *= sums.target_sizes[i];
  }
  return std::max(sources, targets);
}

}  // namespace

std::string_view RefuseSumAxesPacked(const AxisSums& sums) {
  if (sums.data_type != DataType::kFloat32 && sums.data_type != DataType::kFloat16) {
    return "the data type is neither FLOAT32 nor FLOAT16";
  }
  if (sums.pass_count == 0) return "no axis changes anything: the result is a copy";
  if (!sums.packed) return "the tensors are not packed in one order of the axes";
  for (uint32_t k = 0; k < sums.pass_count; ++k) {
    if (!HasTable(sums.axes[sums.passes[k].axis])) return "an axis is too long for a table of taps";
  }
  if (MostElementsBetweenPasses(sums) > kMostGrowthBetweenPasses * LargerTensor(sums)) {
    return "the tensor between two axes would be far larger than input and output";
  }
  return {};
}

uint64_t SumAxesPackedTemporaryBytes(const AxisSums& sums) {
  uint64_t second = 0;
  for (uint32_t k = 1; k + 1 < sums.pass_count; k += 2) {
    second = std::max(second, sums.passes[k].TargetElements());
  }
  return (FirstBufferElements(sums) + second) * sizeof(float);
}

void SumAxesPacked(const AxisSums& sums, const AxisSumsTables& tables, const Bindings& bindings,
                   const Executor& executor) {
  HWY_DYNAMIC_DISPATCH(SumAxes)(sums, tables, bindings, executor);
}

}  // namespace anydml::cpu
#endif  // HWY_ONCE
