// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Sums along the lanes of rows and any axes outside them, everything in the order of
// memory: a row is summed along its lanes when the axis outside needs it and waits in one
// of a few slots; so does what an axis makes of one place of the next one. Nothing but
// the rows is read from memory. What computes is called through row_functions.h.
#include <algorithm>
#include <cstring>

#include "backends/cpu/rows.h"
#include "kernels/resample/cpu/axis_sums.h"
#include "kernels/resample/cpu/prefetch.h"
#include "kernels/resample/cpu/row_functions.h"
#include "kernels/resample/cpu/row_units.h"
#include "tensor/data_type.h"

namespace anydml::cpu {
namespace {

// Floats of a row, or of a piece of one, that elements of other types become first.
constexpr uint64_t kConvertedFloats = 8192;

const float* MoveBack(const float* at, uint64_t elements) {
  return reinterpret_cast<const float*>(reinterpret_cast<uintptr_t>(at) - elements * sizeof(float));
}

struct RowTask {
  const RowNest& nest;
  const AxisSumsTables& tables;
  const RowUnits& units;
  const RowFunctions& functions;
  RowKind kind;
  uint64_t element_size;
  const std::byte* source;
  std::byte* target;
};

class RowSummer {
 public:
  explicit RowSummer(const RowTask& task)
      : task_(task), nest_(task.nest), functions_(task.functions) {
    state_.tables = &task.tables;
    state_.nest = &task.nest;
    functions_.prepare(state_);
    if (functions_.convert != nullptr) std::memset(converted_, 0, sizeof converted_);
    if (nest_.level_count == 1) {
      // Lanes that do not change are copied, and the sum of a single -0 is +0.
      rows_are_alone_ = nest_.lanes_change && Table(0).max_terms <= 1 &&
                        functions_.convert == nullptr &&
                        Table(0).terms.size() == Table(0).places.size();
    }
  }

  void Run(uint64_t unit) {
    unit_ = UnitOf(nest_, task_.units, unit);
    window_ = Window();
    const PlaneOffsets plane = OffsetsOf(nest_, unit_.plane);
    const std::byte* const source = task_.source + Bytes(plane.source);
    std::byte* const target =
        task_.target + Bytes(plane.target + static_cast<int64_t>(unit_.lanes.begin));
    if (nest_.level_count == 0) return SumOnlyLanes(source, target);
    const uint32_t last = nest_.level_count - 1;
    if (last == 0) {
      return SumRowsOfPlane(source, target, nest_.levels[0].target_stride, /*to_tensor=*/true);
    }
    SumItems(last, source, [&](const Items& items, uint64_t t) {
      StoreItem(last - 1, items, 0, target + Bytes(Offset(last, t)));
    });
  }

 private:
  // The terms of one target: where they lie, and how much each weighs.
  struct Items {
    const Term* terms;
    uint64_t count;
    const float* slots;
    uint64_t floats;  // of a slot
    uint64_t place;   // of term 0
    uint64_t mask;    // the number of slots, a power of two, less 1
  };

  const TermTable& Table(uint32_t level) const {
    return task_.tables.axes[nest_.levels[level].axis];
  }
  int64_t Bytes(int64_t elements) const {
    return elements * static_cast<int64_t>(task_.element_size);
  }
  int64_t Offset(uint32_t level, uint64_t target) const {
    return static_cast<int64_t>(target) * nest_.levels[level].target_stride;
  }
  // Floats of what level `level` adds: an item of what the levels before it make.
  uint64_t ItemFloats(uint32_t level) const {
    uint64_t floats = unit_.lanes.size();
    for (uint32_t j = 0; j < level; ++j) floats *= unit_.targets[j].size();
    return floats;
  }

  // The source lanes that the unit's lanes read.
  IndexSpan Window() const {
    const IndexSpan lanes = unit_.lanes;
    if (!nest_.lanes_change) return lanes;
    if (task_.kind == RowKind::kRepeated || task_.kind == RowKind::kDoubled ||
        task_.kind == RowKind::kPairedRows) {
      // A vector more of targets on either side.
      constexpr uint64_t kVector = LaneTable::kMaxLanesOfAVector;
      const uint64_t begin = lanes.begin - std::min(lanes.begin, kVector);
      const uint64_t end = std::min(lanes.end + 2 * kVector, nest_.target_lanes);
      return {begin * nest_.source_lanes / nest_.target_lanes,
              end * nest_.source_lanes / nest_.target_lanes};
    }
    const TermTable& table = task_.tables.axes[nest_.lane_axis];
    const uint64_t repeat = nest_.lane_repeat;
    const uint64_t first = lanes.begin / repeat, last = (lanes.end - 1) / repeat;
    // Places ascend, so the first and the last of the range are its ends.
    const uint64_t place = table.first[first], end = table.first[last] + table.TermCount(last);
    if (place == end) return {0, 0};
    return {table.places[place] * repeat, (uint64_t{table.places[end - 1]} + 1) * repeat};
  }

  // The unit's lanes of one row.
  void MakeRow(const std::byte* row, float* to) {
    const std::byte* const begin = row + Bytes(static_cast<int64_t>(window_.begin));
    const uint64_t bytes = window_.size() * task_.element_size;
    PrefetchAhead(begin, bytes);
    // Where a gap follows the row, nobody else would prefetch the line of its end.
    PrefetchAhead(begin + bytes - 1, 1);
    const bool converts = functions_.convert != nullptr;
    if (converts && !nest_.lanes_change) return functions_.convert(begin, window_.size(), to);
    if (functions_.sum_lanes == nullptr || (converts && window_.size() > kConvertedFloats)) {
      return functions_.sum_any_lanes(state_, row, unit_.lanes, to);
    }
    if (!converts) return functions_.sum_lanes(state_, row, unit_.lanes, to);
    float* const converted = converted_ + kRowMargin;
    functions_.convert(begin, window_.size(), converted);
    functions_.sum_lanes(state_, MoveBack(converted, window_.begin), unit_.lanes, to);
  }

  // Planes of one row each. A sum is never -0, so once it is itself.
  void SumOnlyLanes(const std::byte* source, std::byte* target) {
    if (functions_.convert == nullptr) return MakeRow(source, reinterpret_cast<float*>(target));
    MakeRow(source, scratch_);
    const float* const row = scratch_;
    const float once = 1;
    functions_.store_rows(&row, &once, 1, unit_.lanes.size(), target);
  }

  // ---- Rows of one plane: the lanes and level 0.

  // Target row t goes to `to` + t * stride, which counts elements of what lies there.
  void SumRowsOfPlane(const std::byte* source, std::byte* to, int64_t stride, bool to_tensor) {
    const TermTable& table = Table(0);
    const IndexSpan targets = unit_.targets[0];
    if (functions_.sum_plane != nullptr) {
      return functions_.sum_plane(state_, source, targets, to, stride, to_tensor);
    }
    const SumWeightedRows sum = to_tensor ? functions_.store_rows : functions_.sum_rows;
    const auto element = static_cast<int64_t>(to_tensor ? task_.element_size : sizeof(float));
    const int64_t source_stride = Bytes(nest_.levels[0].source_stride);
    const uint64_t lanes = unit_.lanes.size(), pitch = PitchOf(lanes);
    const uint64_t mask = task_.units.slots[0] - 1;
    float* const slots = scratch_ + task_.units.slots_at[0];
    uint64_t made = 0;  // places before this one are in slots, or needed no more
    for (uint64_t t = targets.begin; t < targets.end; ++t) {
      std::byte* const row = to + static_cast<int64_t>(t) * stride * element;
      const uint64_t place = table.first[t], count = table.TermCount(t);
      const Term* const terms = table.terms.data() + table.begin[t];
      if (rows_are_alone_ && count == 1 && terms->weight == 1) {
        MakeRow(source + terms->source * source_stride, reinterpret_cast<float*>(row));
        continue;
      }
      for (made = std::max(made, place); made < place + count; ++made) {
        MakeRow(source + table.places[made] * source_stride, slots + (made & mask) * pitch);
      }
      Sum(sum, {terms, count, slots, pitch, place, mask}, 0, lanes, row);
    }
  }

  void Sum(SumWeightedRows sum, const Items& items, uint64_t at, uint64_t count, void* to) {
    for (uint64_t k = 0; k < items.count; ++k) {
      rows_[k] = items.slots + ((items.place + k) & items.mask) * items.floats + at;
      weights_[k] = items.terms[k].weight;
    }
    sum(rows_, weights_, items.count, count, to);
  }

  // ---- Levels above: sums of items.

  // Calls store(items, t) for every target t of the level.
  template <class Store>
  void SumItems(uint32_t level, const std::byte* source, const Store& store) {
    const TermTable& table = Table(level);
    const uint64_t floats = ItemFloats(level), mask = task_.units.slots[level] - 1;
    float* const slots = scratch_ + task_.units.slots_at[level];
    const int64_t source_stride = Bytes(nest_.levels[level].source_stride);
    uint64_t made = 0;
    for (uint64_t t = unit_.targets[level].begin; t < unit_.targets[level].end; ++t) {
      const uint64_t place = table.first[t], count = table.TermCount(t);
      for (made = std::max(made, place); made < place + count; ++made) {
        MakeItem(level - 1, source + table.places[made] * source_stride,
                 slots + (made & mask) * floats);
      }
      store(Items{table.terms.data() + table.begin[t], count, slots, floats, place, mask}, t);
    }
  }

  // What the levels up to this one make of one place of the next.
  void MakeItem(uint32_t level, const std::byte* source, float* to) {
    if (level == 0) {
      const auto stride = static_cast<int64_t>(unit_.lanes.size());
      auto* const rows =
          reinterpret_cast<std::byte*>(to) - static_cast<int64_t>(unit_.targets[0].begin) * stride *
                                                 static_cast<int64_t>(sizeof(float));
      return SumRowsOfPlane(source, rows, stride, /*to_tensor=*/false);
    }
    const uint64_t floats = ItemFloats(level), begin = unit_.targets[level].begin;
    SumItems(level, source, [&](const Items& items, uint64_t t) {
      Sum(functions_.sum_rows, items, 0, floats, to + (t - begin) * floats);
    });
  }

  // The item that the last level makes, from `at` on: as many elements at once as lie
  // side by side.
  void StoreItem(uint32_t level, const Items& items, uint64_t at, std::byte* to) {
    const uint64_t lanes = unit_.lanes.size();
    const bool side_by_side = nest_.levels[0].target_stride == static_cast<int64_t>(lanes);
    const IndexSpan targets = unit_.targets[level];
    if (level == 0 && side_by_side) {
      return Sum(functions_.store_rows, items, at, targets.size() * lanes,
                 to + Bytes(Offset(0, targets.begin)));
    }
    for (uint64_t t = targets.begin; t < targets.end; ++t) {
      if (level == 0) {
        Sum(functions_.store_rows, items, at, lanes, to + Bytes(Offset(0, t)));
      } else {
        StoreItem(level - 1, items, at, to + Bytes(Offset(level, t)));
      }
      at += ItemFloats(level);
    }
  }

  const RowTask& task_;
  const RowNest& nest_;
  const RowFunctions& functions_;
  LaneState state_;
  RowUnit unit_;
  IndexSpan window_;
  bool rows_are_alone_ = false;  // a target row is one source row, which no other needs
  const float* rows_[kMaxRowTerms];
  float weights_[kMaxRowTerms];
  alignas(64) float converted_[kConvertedFloats + 2 * kRowMargin];
  alignas(64) float scratch_[kScratchFloats];
};

RowNest NestOf(const AxisSums& sums, RowKind kind) {
  return kind == RowKind::kPixels ? JoinPixels(sums.rows) : sums.rows;
}

// Whether the terms of the lanes are of this kind.
Refusal AcceptsKind(const AxisSums& sums, const RowNest& nest, RowKind kind) {
  using enum TermPattern;
  if (!nest.lanes_change) return {"the lanes of a row change nothing"};
  const TermPattern pattern = sums.patterns[nest.lane_axis];
  const uint32_t terms = sums.max_terms[nest.lane_axis];
  if (kind == RowKind::kPixels) {
    return {nest.lane_repeat >= 16 ? "" : "pixels have fewer than 16 lanes"};
  }
  if (kind == RowKind::kWindows) {
    if (nest.target_lanes > kMaxTableElements) return {"the rows are too long for a table"};
    return {terms <= LaneTable::kMaxTerms ? "" : "a lane has more than four terms"};
  }
  if (kind == RowKind::kAny) return {};
  if (nest.lane_repeat != 1) return {"an index of the axis has several lanes"};
  const bool repeats =
      pattern == kPairs || pattern == kPairsAround || pattern == kFours || pattern == kFoursAround;
  if (kind == RowKind::kRepeated) {
    return {repeats && nest.target_lanes > 16
                ? ""
                : "not two or four sources to each of more than 16 targets"};
  }
  if (kind == RowKind::kDoubled) {
    const bool doubles = pattern == kHalf || pattern == kHalfAround;
    return {doubles && nest.target_lanes >= 32 ? "" : "not two of at least 32 targets to a source"};
  }
  if (!sums.transposed) return {"the sums are not those of a gradient"};
  if (nest.level_count == 0) return {"no axis outside the rows changes"};
  const uint32_t level = nest.levels[0].axis;
  if (kind == RowKind::kPairedRows) {
    const bool paired = pattern == kPairsAround && sums.patterns[level] == kPairsAround;
    if (!paired) return {"rows or lanes are not made half as many"};
    const bool few = nest.target_lanes > 16 && nest.target_lanes <= 32;
    return {few ? "" : "rows have not 17 to 32 lanes"};
  }
  const bool linear = sums.axes[nest.lane_axis].sampling == Sampling::kLinear ||
                      sums.axes[level].sampling == Sampling::kLinear;
  if (linear) return {"the sampling is linear"};
  if (terms > 2) return {"a lane has more than two terms"};
  const bool enough = nest.source_lanes >= 32 && nest.target_lanes >= 16;
  return {enough && nest.target_lanes <= kMaxTableElements ? "" : "the rows are too short or long"};
}

}  // namespace

Refusal AcceptsRows(const AxisSums& sums, RowKind kind) {
  if (sums.pass_count == 0) return {"no axis changes anything: the result is a copy"};
  const RowNest nest = NestOf(sums, kind);
  if (!nest.possible) return {"no axis lies side by side in both tensors"};
  if (nest.lanes_change && nest.lane_turn != 0) return {"rows are summed along other axes first"};
  if (kind == RowKind::kUnchanged) {
    if (nest.lanes_change) return {"the lanes of a row change"};
  } else {
    const Refusal refusal = AcceptsKind(sums, nest, kind);
    if (!refusal.accepted()) return refusal;
  }
  const bool repeats = kind == RowKind::kRepeated || kind == RowKind::kDoubled;
  if (!repeats || sums.pass_count != 1) {
    const Refusal refusal = AcceptsLongAxes(sums);
    if (!refusal.accepted()) return refusal;
  }
  const RowUnits units = MakeRowUnits(nest, sums.max_terms, 1);
  const bool whole_rows = kind == RowKind::kPairedRows || kind == RowKind::kNearest;
  const bool many_terms = kind == RowKind::kPixels && sums.max_terms[nest.lane_axis] > kMaxRowTerms;
  if (!units.possible || many_terms || (whole_rows && units.pieces != 1)) {
    return {"too much waits between the sums for a near cache"};
  }
  return {};
}

void SumRows(const AxisSums& sums, const AxisSumsTables& tables, const Bindings& bindings,
             const Executor& executor, RowKind kind) {
  const RowNest nest = NestOf(sums, kind);
  const uint64_t elements = std::max(ElementCount(sums.source_sizes, sums.rank),
                                     ElementCount(sums.target_sizes, sums.rank));
  const bool small = elements < 2 * kElementsPerUnit;
  const uint64_t threads = small ? 1 : static_cast<uint64_t>(executor.threads());
  const RowUnits units = MakeRowUnits(nest, sums.max_terms, threads);
  const RowFunctions functions = ChooseRowFunctions(sums.data_type, kind, tables.repeated);
  const RowTask task = {.nest = nest,
                        .tables = tables,
                        .units = units,
                        .functions = functions,
                        .kind = kind,
                        .element_size = ElementSize(sums.data_type),
                        .source = bindings.Input<std::byte>(0),
                        .target = bindings.Output<std::byte>(0)};
  executor.ParallelFor(units.count, GrainOf(sums, units.count), [&](uint64_t begin, uint64_t end) {
    RowSummer rows(task);
    for (uint64_t unit = begin; unit < end; ++unit) rows.Run(unit);
  });
}

}  // namespace anydml::cpu
