// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Sums of products from packed panels. A unit is a tile of the output. For each chain of the
// depth its columns are packed, and a panel of rows at a time, unless these are read as they lie; a
// kernel makes the chains of a panel of rows and a panel of columns in registers and adds them to
// the totals of the tile, which are stored to the output behind the last chain.
#include <algorithm>
#include <atomic>
#include <limits>
#include <span>
#include <utility>

#include "backends/cpu/prefetch.h"
#include "base/checked_math.h"
#include "kernels/matmul/cpu/operand_view.h"
#include "kernels/matmul/cpu/strategies.h"

#ifndef ANYDML_KERNELS_MATMUL_CPU_PACKED_PANELS_ONCE_
#define ANYDML_KERNELS_MATMUL_CPU_PACKED_PANELS_ONCE_
namespace anydml::cpu {
namespace {

// Columns for few rows are packed in pieces that stay in the first cache.
constexpr uint64_t kPieceTerms = 128, kPieceColumns = 48;

// Temporary memory of a worker, in floats.
struct UnitMemory {
  uint64_t columns, rows, totals;

  explicit UnitMemory(const ProductPlan& plan) {
    constexpr uint64_t kMostPackedRows = 8;
    const uint64_t terms = std::min<uint64_t>(kChain, plan.MaxDepth());
    const bool few = plan.tiles.has_few_rows;
    columns = few ? kPieceTerms * kPieceColumns + kFewRows * plan.tiles.columns
                  : terms * plan.tiles.columns;
    rows = kChain * kMostPackedRows;
    totals = plan.tiles.rows * plan.tiles.columns;
  }
  uint64_t Floats() const { return (columns + rows + totals + 15) / 16 * 16; }
};

// Elements of the output along columns whose offsets grow by one step.
struct ColumnRun {
  uint64_t begin;
  uint64_t count;
  int64_t output;
  int64_t addend;
};

// The tile of a unit.
struct Tile {
  uint64_t rows_begin, rows_end, columns_begin, columns_end;
  uint64_t rows() const { return rows_end - rows_begin; }
  uint64_t columns() const { return columns_end - columns_begin; }
};

}  // namespace
}  // namespace anydml::cpu
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/matmul/cpu/packed_panels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/matmul/cpu/pack-inl.h"
#include "kernels/matmul/cpu/panels-inl.h"
#include "kernels/matmul/cpu/row_reader-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The vectors of a tile in panels of about the same width.
struct Panels {
  uint64_t vectors;
  uint64_t count = CeilDivide(vectors, kPanelVectors);

  explicit Panels(uint64_t of) : vectors(of) {}
  uint64_t Begin(uint64_t panel) const { return vectors * panel / count; }
};

template <typename T>
class UnitRunner {
 public:
  UnitRunner(const ProductPlan& plan, const Products& products, const Bindings& bindings,
             float* memory)
      : plan_(plan),
        products_(products),
        a_(bindings.Input<T>(plan.exchanged ? plan.columns_input : plan.rows_input)),
        b_(bindings.Input<T>(plan.exchanged ? plan.rows_input : plan.columns_input)),
        c_(plan.has_addend ? bindings.Input<T>(plan.addend_input) : nullptr),
        output_(bindings.Output<T>(0) + products.output_start),
        pitch_(plan.tiles.columns) {
    const UnitMemory parts(plan);
    packed_columns_ = memory;
    packed_rows_ = packed_columns_ + parts.columns;
    totals_ = packed_rows_ + parts.rows;
  }

  void Run(uint64_t batch, const Tile& tile) {
    const uint64_t long_run = VectorPacker<DC, T>::kLongRun;
    const OperandView rows = ViewOf(products_, true, batch, long_run);
    const OperandView columns = ViewOf(products_, false, batch, long_run);
    const uint64_t depth = products_.Depth();
    if (plan_.tiles.has_few_rows) return RunFewRows(batch, tile, rows, columns);
    if (depth == 0) std::fill_n(totals_, tile.rows() * pitch_, 0.0f);
    const OutputRuns outputs(*this, batch, tile, depth != 0 && depth <= kChain);
    for (uint64_t k = 0; k < depth; k += kChain) {
      const uint64_t terms = std::min<uint64_t>(kChain, depth - k);
      PackColumns(columns, tile, k, terms);
      RowReader<T> reader(rows, a_, k, terms, packed_rows_);
      for (uint64_t row = tile.rows_begin; row < tile.rows_end; row += kPanelRows) {
        const uint64_t height = std::min<uint64_t>(kPanelRows, tile.rows_end - row);
        reader.Read(row, height);
        AddPanels(reader, {row - tile.rows_begin, height}, terms, k == 0, outputs);
      }
    }
    Store(outputs);
  }

 private:
  // Chains in memory, to which columns are added as they lie or piece by piece.
  void RunFewRows(uint64_t batch, const Tile& tile, const OperandView& rows,
                  const OperandView& columns) {
    float* const chains = packed_columns_ + kPieceTerms * kPieceColumns;
    std::fill_n(totals_, tile.rows() * pitch_, 0.0f);
    const uint64_t depth = products_.Depth();
    for (uint64_t k = 0; k < depth; k += kChain) {
      const uint64_t terms = std::min<uint64_t>(kChain, depth - k);
      RowReader<T> reader(rows, a_, k, terms, packed_rows_);
      for (uint64_t row = tile.rows_begin; row < tile.rows_end; row += kPackedRows) {
        const uint64_t height = std::min<uint64_t>(kPackedRows, tile.rows_end - row);
        reader.Read(row, height);
        std::fill_n(chains, kPackedRows * pitch_, 0.0f);
        AddColumns(columns, tile, reader, height, k, terms, chains);
        float* const totals = totals_ + (row - tile.rows_begin) * pitch_;
        for (uint64_t i = 0; i < height * pitch_; ++i) totals[i] += chains[i];
      }
    }
    Store(OutputRuns(*this, batch, tile, false));
  }

  void AddColumns(const OperandView& view, const Tile& tile, const RowReader<T>& reader,
                  uint64_t height, uint64_t first, uint64_t terms, float* chains) {
    const uint64_t N = hn::Lanes(DC()), vectors = CeilDivide(tile.columns(), N);
    uint64_t done = 0;
    if (IsMatrixOfRuns(view) && view.index_sizes[2] == 1) {
      done = tile.columns() / N;
      const T* const from =
          UncheckedOffset(b_, OffsetOf(view, tile.columns_begin) +
                                  static_cast<int64_t>(first) * view.depth_steps[3]);
      AddTermsFor<T>(height)(reader.rows(), reader.steps(), from, view.depth_steps[3], done, terms,
                             chains, pitch_);
    }
    for (uint64_t v = done; v < vectors; v += kPanelVectors) {
      const uint64_t width = std::min<uint64_t>(kPanelVectors, vectors - v);
      for (uint64_t k = 0; k < terms; k += kPieceTerms) {
        const uint64_t piece = std::min(kPieceTerms, terms - k);
        VectorPacker<DC, T> packer(view, b_, first + k, piece, PanelWidth());
        for (uint64_t i = v; i < v + width; ++i) {
          packer.Pack(tile.columns_begin + i * N, std::min(N, tile.columns() - i * N),
                      packed_columns_ + (i - v) * N);
        }
        AddTermsFor<float>(height)(reader.rows(), reader.steps() + k, packed_columns_, PanelWidth(),
                                   width, piece, chains + v * N, pitch_);
      }
    }
  }

  static constexpr uint64_t PanelWidth() { return kPanelVectors * hn::MaxLanes(DC()); }
  using DC = hn::ScalableTag<float>;

  // Panel after panel, in each term after term.
  void PackColumns(const OperandView& view, const Tile& tile, uint64_t first, uint64_t terms) {
    const uint64_t N = hn::Lanes(DC());
    VectorPacker<DC, T> packer(view, b_, first, terms, PanelWidth());
    const Panels panels(CeilDivide(tile.columns(), N));
    WholeVector whole[kMaxTileColumns / 4];
    uint64_t whole_count = 0;
    const bool has_runs = IsMatrixOfRuns(view);
    for (uint64_t p = 0, v = 0; p < panels.count; ++p) {
      float* to = packed_columns_ + p * PanelWidth() * terms;
      for (; v < panels.Begin(p + 1); ++v, to += N) {
        const uint64_t index = tile.columns_begin + v * N;
        const uint64_t count = std::min(N, tile.columns_end - index);
        if (has_runs && count == N && index % view.index_sizes[3] + N <= view.index_sizes[3]) {
          whole[whole_count++] = {OffsetOf(view, index), to};
        } else {
          packer.Pack(index, count, to);
        }
      }
    }
    CopyVectors(view, {whole, whole_count}, first, terms);
  }

  // Of columns that follow one another, for a term.
  struct WholeVector {
    int64_t from;
    float* to;
  };

  // One axis of the depth, and indices that follow one another.
  static bool IsMatrixOfRuns(const OperandView& view) {
    return !view.is_image && view.runs == OperandView::Runs::kIndices && view.run_step == 1 &&
           view.depth_sizes[2] == 1;
  }

  static int64_t OffsetOf(const OperandView& view, uint64_t index) {
    int64_t offset = view.start;
    for (size_t i = kProductAxes; i-- > 0;) {
      offset += static_cast<int64_t>(index % view.index_sizes[i]) * view.index_steps[i];
      index /= view.index_sizes[i];
    }
    return offset;
  }

  // In the order of memory: vector after vector would touch a page per term.
  void CopyVectors(const OperandView& view, std::span<const WholeVector> vectors, uint64_t first,
                   uint64_t terms) {
    constexpr int64_t kTermsAhead = 8;
    const DC d;
    const int64_t step = view.depth_steps[3], ahead = kTermsAhead * step;
    int64_t term = static_cast<int64_t>(first) * step;
    for (uint64_t k = 0; k < terms; ++k, term += step) {
      for (const WholeVector& vector : vectors) {
        const T* const from = b_ + (vector.from + term);
        PrefetchLine(from, ahead * static_cast<int64_t>(sizeof(T)));
        hn::StoreU(LoadFloats(d, from), d, vector.to + k * PanelWidth());
      }
    }
  }

  struct RowRange {
    uint64_t begin, count;  // in the tile
  };

  // Where the sums of a tile go. Panels that are one chain of floats and nothing else, side by side
  // in the output, are stored there at once; the runs of the others at the end.
  struct OutputRuns {
    OutputRuns(const UnitRunner& unit, uint64_t batch, const Tile& of, bool is_one_chain)
        : tile(of), panels(CeilDivide(of.columns(), hn::Lanes(DC()))) {
      RowOutput start = {0, 0};
      for (size_t i = kProductBatches; i-- > 0;) {
        const BatchAxis& axis = unit.products_.batches[i];
        const auto at = static_cast<int64_t>(batch % axis.size);
        batch /= axis.size;
        start.output += at * axis.output;
        start.addend += at * axis.addend;
      }
      const Products::Order order = unit.products_.OrderOf(true);
      for (uint64_t r = 0; r < of.rows(); ++r) {
        rows[r] = start;
        AddOffsets(unit.products_.rows, order, of.rows_begin + r, rows[r].output, rows[r].addend);
      }
      count = all_count = unit.FindRuns(tile, {0, tile.columns()}, runs);
      std::fill_n(panel_outputs, panels.count, kApart);
      const bool in_place = std::is_same_v<T, float> && is_one_chain && unit.c_ == nullptr &&
                            unit.plan_.alpha == 1 && unit.RunAxis().output == 1;
      if (in_place) FindPanels(unit);
    }

    static constexpr int64_t kApart = std::numeric_limits<int64_t>::min();
    Tile tile;
    Panels panels;
    struct RowOutput {
      int64_t output, addend;
    } rows[kMaxTileRows];
    // Runs of all columns, or, from all_count on, of those that are not in place.
    ColumnRun runs[2 * kMaxTileColumns];
    uint64_t count, all_count;
    int64_t panel_outputs[kMaxTileColumns / PanelWidth() + 1];

   private:
    void FindPanels(const UnitRunner& unit) {
      const uint64_t N = hn::Lanes(DC());
      uint64_t run = 0;
      for (uint64_t p = 0; p < panels.count; ++p) {
        const uint64_t begin = panels.Begin(p) * N;
        const uint64_t end = std::min(panels.Begin(p + 1) * N, tile.columns());
        while (begin >= runs[run].begin + runs[run].count) ++run;
        const bool is_whole = end == panels.Begin(p + 1) * N;
        if (is_whole && end <= runs[run].begin + runs[run].count) {
          panel_outputs[p] = runs[run].output + static_cast<int64_t>(begin - runs[run].begin);
        } else {
          count += unit.FindRuns(tile, {begin, end}, runs + count);
        }
      }
    }
  };

  void AddPanels(const RowReader<T>& reader, const RowRange& rows, uint64_t terms, bool is_first,
                 const OutputRuns& outputs) {
    float* totals[kPanelRows];
    float* in_place[kPanelRows];
    for (uint64_t r = 0; r < kPanelRows; ++r) {
      totals[r] = totals_ + (rows.begin + r) * pitch_;
      if constexpr (std::is_same_v<T, float>) {
        in_place[r] = output_ + outputs.rows[rows.begin + std::min(r, rows.count - 1)].output;
      }
    }
    const uint64_t N = hn::Lanes(DC());
    const Panels& panels = outputs.panels;
    const bool is_whole = IsWholePanel(rows.count);
    for (uint64_t p = 0; p < panels.count; ++p) {
      const uint64_t first = panels.Begin(p);
      const bool stays = is_whole && outputs.panel_outputs[p] != OutputRuns::kApart;
      AddChainsFor(rows.count, panels.Begin(p + 1) - first)(
          reader.rows(), reader.steps(), packed_columns_ + p * PanelWidth() * terms, terms,
          is_first, stays ? in_place : totals,
          stays ? outputs.panel_outputs[p] : static_cast<int64_t>(first * N));
    }
  }

  // alpha * total + beta * addend, each rounded (B64).
  template <class D>
  HWY_INLINE void StoreVector(D d, const float* total, const T* addend, int64_t addend_step,
                              T* to) const {
    auto value = hn::Mul(hn::Set(d, plan_.alpha), hn::LoadU(d, total));
    if (c_ != nullptr) {
      const auto c = addend_step == 0 ? hn::Set(d, Widened(*addend)) : LoadFloats(d, addend);
      value = hn::Add(value, hn::Mul(hn::Set(d, plan_.beta), c));
    }
    StoreFloats(d, value, to);
  }

  static float Widened(T value) {
    return hn::GetLane(LoadFloats(hn::CappedTag<float, 1>(), &value));
  }

  void StoreRun(const ColumnRun& run, const OutputAxis& axis, const float* totals, int64_t output,
                int64_t addend) const {
    const DC d;
    const hn::CappedTag<float, 1> d1;
    const uint64_t N = hn::Lanes(d);
    T* const to = output_ + output + run.output;
    const T* const c = c_ == nullptr ? nullptr : c_ + addend + run.addend;
    uint64_t i = 0;
    if (axis.output == 1 && (c_ == nullptr || axis.addend == 0 || axis.addend == 1)) {
      while (run.count >= N && i < run.count) {
        i = std::min(i, run.count - N);  // the last vector may repeat some of the one before
        StoreVector(d, totals + run.begin + i, c + static_cast<int64_t>(i) * axis.addend,
                    axis.addend, to + i);
        i += N;
      }
    }
    if (i == 0 && c_ == nullptr && axis.output != 1) return StoreSteps(run, axis, totals, to);
    for (; i < run.count; ++i) {
      const auto at = static_cast<int64_t>(i);
      StoreVector(d1, totals + run.begin + i, c + at * axis.addend, 0, to + at * axis.output);
    }
  }

  // Without an addend, to elements that are apart.
  void StoreSteps(const ColumnRun& run, const OutputAxis& axis, const float* totals, T* to) const {
    const DC d;
    const uint64_t N = hn::Lanes(d);
    T some[hn::MaxLanes(DC())];
    uint64_t i = 0;
    for (; i + N <= run.count; i += N) {
      StoreVector(d, totals + run.begin + i, nullptr, 0, some);
      for (uint64_t lane = 0; lane < N; ++lane) {
        to[static_cast<int64_t>(i + lane) * axis.output] = some[lane];
      }
    }
    for (; i < run.count; ++i) {
      StoreVector(hn::CappedTag<float, 1>(), totals + run.begin + i, nullptr, 0,
                  to + static_cast<int64_t>(i) * axis.output);
    }
  }

  void Store(const OutputRuns& to) const {
    const uint64_t rows = to.tile.rows();
    const uint64_t rest = rows % kPanelRows;
    const uint64_t whole = rest == 0 || IsWholePanel(rest) ? rows : rows - rest;
    const bool some_in_place =
        std::any_of(to.panel_outputs, to.panel_outputs + to.panels.count,
                    [](int64_t output) { return output != OutputRuns::kApart; });
    for (uint64_t r = 0; r < rows; ++r) {
      const bool all = !some_in_place || r >= whole;
      for (uint64_t i = all ? 0 : to.all_count; i < (all ? to.all_count : to.count); ++i) {
        StoreRun(to.runs[i], RunAxis(), totals_ + r * pitch_, to.rows[r].output, to.rows[r].addend);
      }
    }
  }

  // The fastest axis of columns with more than one element.
  const OutputAxis& RunAxis() const {
    const Products::Order order = products_.OrderOf(false);
    size_t i = kProductAxes - 1;
    while (i > 0 && products_.columns[order[i]].size == 1) --i;
    return products_.columns[order[i]];
  }

  struct ColumnRange {
    uint64_t begin, end;  // in the tile
  };

  uint64_t FindRuns(const Tile& tile, const ColumnRange& range, ColumnRun* runs) const {
    const OutputAxis& of = RunAxis();
    const Products::Order order = products_.OrderOf(false);
    uint64_t count = 0;
    for (uint64_t c = range.begin; c < range.end;) {
      const uint64_t index = tile.columns_begin + c;
      ColumnRun run = {c, std::min(of.size - index % of.size, range.end - c), 0, 0};
      AddOffsets(products_.columns, order, index, run.output, run.addend);
      c += run.count;
      if (count != 0 && Continues(runs[count - 1], run, of)) {
        runs[count - 1].count += run.count;
      } else {
        runs[count++] = run;
      }
    }
    return count;
  }

  static bool Continues(const ColumnRun& run, const ColumnRun& next, const OutputAxis& axis) {
    const auto count = static_cast<int64_t>(run.count);
    return next.output == run.output + count * axis.output &&
           next.addend == run.addend + count * axis.addend;
  }

  static void AddOffsets(const std::array<OutputAxis, kProductAxes>& axes,
                         const Products::Order& order, uint64_t index, int64_t& output,
                         int64_t& addend) {
    for (size_t i = kProductAxes; i-- > 0;) {
      const OutputAxis& axis = axes[order[i]];
      const auto at = static_cast<int64_t>(index % axis.size);
      index /= axis.size;
      output += at * axis.output;
      addend += at * axis.addend;
    }
  }

  const ProductPlan& plan_;
  const Products& products_;
  const T* a_;
  const T* b_;
  const T* c_;
  T* output_;
  uint64_t pitch_;
  float* packed_columns_;
  float* packed_rows_;
  float* totals_;
};

template <typename T>
void RunUnit(const ProductPlan& plan, uint64_t unit, const Bindings& bindings, float* memory) {
  const ProductTiles& tiles = plan.tiles;
  const uint64_t column_tile = unit % tiles.column_tiles;
  unit /= tiles.column_tiles;
  const uint64_t row_tile = unit % tiles.row_tiles;
  unit /= tiles.row_tiles;
  const uint64_t batches = plan.products.BatchCount();
  const Products products = plan.ClassOf(unit / batches);
  // Classes may be smaller than the first one.
  const Tile tile = {row_tile * tiles.rows,
                     std::min((row_tile + 1) * tiles.rows, products.RowCount()),
                     column_tile * tiles.columns,
                     std::min((column_tile + 1) * tiles.columns, products.ColumnCount())};
  if (tile.rows_begin >= tile.rows_end || tile.columns_begin >= tile.columns_end) return;
  UnitRunner<T>(plan, products, bindings, memory).Run(unit % batches, tile);
}

void RunUnits(const ProductPlan& plan, const Bindings& bindings, const Executor& executor) {
  std::atomic<uint64_t> next = 0;
  const uint64_t floats = UnitMemory(plan).Floats();
  const auto work = [&](uint64_t worker) {
    float* const memory = bindings.Temporary<float>() + worker * floats;
    for (uint64_t unit; (unit = next.fetch_add(1)) < plan.tiles.units;) {
      if (plan.data_type == DataType::kFloat32) {
        RunUnit<float>(plan, unit, bindings, memory);
      } else {
        RunUnit<Float16>(plan, unit, bindings, memory);
      }
    }
  };
  executor.ParallelFor(plan.tiles.workers, 1, [&](uint64_t begin, uint64_t end) {
    for (uint64_t worker = begin; worker < end; ++worker) work(worker);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::cpu {
namespace {

HWY_EXPORT(RunUnits);

// Places beyond the border are computed, and must not wrap.
bool IsFar(const ProductPlan& plan, const SpatialAxis& axis) {
  constexpr uint64_t kFar = uint64_t{1} << 20;
  const uint64_t reach = (axis.window - 1) * axis.dilation;
  const uint64_t last = plan.backward ? (axis.outputs - 1 + axis.start_padding) / axis.stride
                                      : (axis.outputs - 1) * axis.stride + reach;
  return axis.start_padding >= kFar || reach >= kFar || last >= axis.size + kFar;
}

uint64_t WorkerBytes(const ProductPlan& plan) {
  return plan.tiles.workers * UnitMemory(plan).Floats() * sizeof(float);
}

// Of the filter, if its rows are apart: in a data gradient on packed tensors they are packed
// element by element; on the side of the columns they are turned for each tile of rows.
uint64_t TransposedBytes(const ProductPlan& plan) {
  constexpr uint64_t kMost = uint64_t{14} << 20;  // of a thread
  const OutputAxis& rows = plan.products.rows[0];
  const bool again = plan.exchanged && plan.tiles.row_tiles > 1;
  if (!plan.has_space || !(plan.backward || again)) return 0;
  if (rows.size == 1 || rows.operand == 1) return 0;
  if (plan.products.RowCount() != rows.size) return 0;  // taps are rows, too
  const uint64_t bytes =
      plan.MaxDepth() * rows.size * plan.products.batches[0].size * ElementSize(plan.data_type);
  return bytes <= plan.tiles.workers * kMost ? bytes : 0;
}

ProductPlan WithTransposedFilter(ProductPlan plan) {
  int64_t step = 1;
  const auto next = [&step](uint64_t size) {
    return std::exchange(step, step * static_cast<int64_t>(size));
  };
  Products& products = plan.products;
  products.rows[0].operand = next(products.rows[0].size);
  for (size_t i = kSpatialAxes; i-- > 0;) {
    plan.space[i].filter_stride = next(plan.space[i].window);
  }
  products.depth[0].rows = next(products.depth[0].size);
  products.batches[0].rows = next(products.batches[0].size);
  return plan;
}

template <typename T>
void TransposeFilter(const ProductPlan& plan, const ProductPlan& transposed, const T* filter, T* to,
                     const Executor& executor) {
  const OutputAxis& rows = plan.products.rows[0];
  const DepthAxis& channels = plan.products.depth[0];
  const int64_t to_channel = transposed.products.depth[0].rows;
  // Channels that are nearer than rows are read together.
  const uint64_t together = channels.rows < rows.operand ? 16 : 1;
  const uint64_t blocks = CeilDivide(channels.size, together);
  const auto offset = [](const ProductPlan& of, uint64_t group, uint64_t channel, uint64_t tap) {
    int64_t sum = static_cast<int64_t>(group) * of.products.batches[0].rows +
                  static_cast<int64_t>(channel) * of.products.depth[0].rows;
    for (size_t i = kSpatialAxes; i-- > 0;) {
      sum += static_cast<int64_t>(tap % of.space[i].window) * of.space[i].filter_stride;
      tap /= of.space[i].window;
    }
    return sum;
  };
  const auto transpose = [&](uint64_t group, uint64_t channel, uint64_t tap) {
    const T* const from = filter + offset(plan, group, channel, tap);
    T* const result = to + offset(transposed, group, channel, tap);
    const auto count = static_cast<int64_t>(std::min(together, channels.size - channel));
    for (uint64_t r = 0; r < rows.size; ++r) {
      const T* const row = from + static_cast<int64_t>(r) * rows.operand;
      for (int64_t c = 0; c < count; ++c)
        result[c * to_channel + static_cast<int64_t>(r)] = row[c * channels.rows];
    }
  };
  const uint64_t taps = plan.MaxDepth() / channels.size;
  executor.ParallelFor(plan.products.batches[0].size * blocks,
                       CeilDivide(16384, rows.size * together), [&](uint64_t begin, uint64_t end) {
                         for (uint64_t i = begin; i < end; ++i) {
                           for (uint64_t tap = 0; tap < taps; ++tap) {
                             transpose(i / blocks, i % blocks * together, tap);
                           }
                         }
                       });
}

template <typename T>
void RunTransposed(const ProductPlan& plan, const Bindings& bindings, const Executor& executor) {
  T* const filter = reinterpret_cast<T*>(bindings.Temporary<uint8_t>() + WorkerBytes(plan));
  const ProductPlan transposed = WithTransposedFilter(plan);
  TransposeFilter(plan, transposed, bindings.Input<T>(plan.rows_input), filter, executor);
  Bindings changed = bindings;
  changed.inputs[plan.rows_input] = filter;
  HWY_DYNAMIC_DISPATCH(RunUnits)(transposed, changed, executor);
}

}  // namespace

Refusal AcceptsPackedPanels(const ProductPlan& plan) {
  constexpr uint64_t kMaxClasses = 4096;
  if (plan.ClassCount() > kMaxClasses) {
    return {"the strides make more than 4096 classes of outputs"};
  }
  for (const SpatialAxis& axis : plan.space) {
    if (IsFar(plan, axis)) return {"windows reach 2^20 elements beyond the image"};
  }
  return kAccepted;
}

uint64_t PackedPanelsBytes(const ProductPlan& plan) {
  return WorkerBytes(plan) + TransposedBytes(plan);
}

void RunPackedPanels(const ProductPlan& plan, const NoTables&, const Bindings& bindings,
                     const Executor& executor) {
  if (TransposedBytes(plan) == 0) {
    HWY_DYNAMIC_DISPATCH(RunUnits)(plan, bindings, executor);
  } else if (plan.data_type == DataType::kFloat32) {
    RunTransposed<float>(plan, bindings, executor);
  } else {
    RunTransposed<Float16>(plan, bindings, executor);
  }
  FillOutputPadding(plan, bindings, executor);
}

}  // namespace anydml::cpu
#endif  // HWY_ONCE
