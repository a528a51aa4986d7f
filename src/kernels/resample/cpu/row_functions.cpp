// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "kernels/resample/cpu/row_functions.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "kernels/resample/cpu/axis_sums.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/resample/cpu/row_functions.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/resample/cpu/paired_rows-inl.h"
#include "kernels/resample/cpu/repeated_lanes-inl.h"
#include "kernels/resample/cpu/weighted_rows-inl.h"
#include "kernels/resample/cpu/window_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void PrepareNothing(LaneState&) {}

// ---- Lanes of any terms, one after the other, from the tensor's elements.
template <typename In>
void SumAnyLanes(const LaneState& state, const void* source, IndexSpan lanes, float* to) {
  const hn::CappedTag<float, 1> d1;
  const TermTable& table = state.tables->axes[state.nest->lane_axis];
  const uint64_t repeat = state.nest->lane_repeat;
  const In* const from = static_cast<const In*>(source);
  uint64_t target = lanes.begin / repeat, offset = lanes.begin % repeat;
  for (uint64_t lane = lanes.begin; lane < lanes.end; ++lane) {
    float sum = 0;
    const Term* const end = table.terms.data() + table.begin[target + 1];
    for (const Term* term = table.terms.data() + table.begin[target]; term != end; ++term) {
      sum += term->weight * hn::GetLane(LoadFloats(d1, from + term->source * repeat + offset));
    }
    *to++ = sum;
    if (++offset == repeat) ++target, offset = 0;
  }
}

void CopyLanes(const LaneState&, const void* from, IndexSpan lanes, float* to) {
  std::memcpy(to, static_cast<const float*>(from) + lanes.begin, lanes.size() * sizeof(float));
}

// ---- Rows of pixels, each of which has lanes enough of its own.
void SumPixelLanes(const LaneState& state, const void* source, IndexSpan lanes, float* to) {
  const TermTable& table = state.tables->axes[state.nest->lane_axis];
  const uint64_t repeat = state.nest->lane_repeat;
  const float* const from = static_cast<const float*>(source);
  const float* rows[kMaxRowTerms];
  float weights[kMaxRowTerms];
  uint64_t target = lanes.begin / repeat, offset = lanes.begin % repeat;
  for (uint64_t lane = lanes.begin; lane < lanes.end; ++target, offset = 0) {
    const uint64_t count = std::min(repeat - offset, lanes.end - lane);
    const Term* const terms = table.terms.data() + table.begin[target];
    const uint32_t size = table.TermCount(target);
    for (uint32_t k = 0; k < size; ++k) {
      rows[k] = from + terms[k].source * repeat + offset;
      weights[k] = terms[k].weight;
    }
    SumRows<float>(rows, weights, size, count, to);
    lane += count;
    to += count;
  }
}

#if ANYDML_TRANSPOSES

// ---- Kernels that a thread prepares once.
template <class Lanes>
const Lanes& Prepared(const LaneState& state) {
  return *std::launder(reinterpret_cast<const Lanes*>(state.lanes));
}
template <class Lanes>
void SumPrepared(const LaneState& state, const void* from, IndexSpan lanes, float* to) {
  Prepared<Lanes>(state).Sum(static_cast<const float*>(from), lanes.begin, lanes.end, to);
}
template <class Lanes>
void PrepareRepeated(LaneState& state) {
  static_assert(sizeof(Lanes) <= sizeof state.lanes && std::is_trivially_destructible_v<Lanes>);
  new (state.lanes) Lanes(state.tables->repeated, state.nest->target_lanes);
}
template <class Lanes>
void PrepareTable(LaneState& state) {
  static_assert(sizeof(Lanes) <= sizeof state.lanes && std::is_trivially_destructible_v<Lanes>);
  new (state.lanes) Lanes(*state.tables, *state.nest);
}
template <class Planes, typename T>
void SumPlaneOf(const LaneState& state, const void* source, IndexSpan targets, void* to,
                int64_t stride, bool to_tensor) {
  const Planes& planes = Prepared<Planes>(state);
  const T* const from = static_cast<const T*>(source);
  if (to_tensor) {
    planes.Sum(from, targets, static_cast<T*>(to), stride);
  } else {
    planes.Sum(from, targets, static_cast<float*>(to), stride);
  }
}

// Whether all terms have the weight 1.
inline bool AreUnitTerms(const RepeatedTerms& terms) {
  const int count = PlacesOf(terms.pattern).terms;
  const auto unit = [&](const float* weights) {
    return std::count(weights, weights + count, 1.0f) == count;
  };
  return unit(terms.first) && unit(terms.between[0]) && unit(terms.last);
}

template <class Lanes>
void UseRepeated(RowFunctions& functions) {
  functions.prepare = PrepareRepeated<Lanes>;
  functions.sum_lanes = SumPrepared<Lanes>;
}

void ChooseRepeated(const RepeatedTerms& terms, RowFunctions& functions) {
  using enum TermPattern;
  const bool unit = AreUnitTerms(terms);
  switch (terms.pattern) {
    case kPairs:
      return unit ? UseRepeated<RepeatedLanes<kPairs, true>>(functions)
                  : UseRepeated<RepeatedLanes<kPairs, false>>(functions);
    case kFours:
      return unit ? UseRepeated<RepeatedLanes<kFours, true>>(functions)
                  : UseRepeated<RepeatedLanes<kFours, false>>(functions);
    case kPairsAround:
      return UseRepeated<RepeatedLanes<kPairsAround, false>>(functions);
    case kFoursAround:
      return UseRepeated<RepeatedLanes<kFoursAround, false>>(functions);
    case kHalf:
      return UseRepeated<DoubledLanes<kHalf>>(functions);
    default:
      return UseRepeated<DoubledLanes<kHalfAround>>(functions);
  }
}

template <class Planes>
void UsePlanes(DataType data_type, RowFunctions& functions) {
  functions.prepare = PrepareTable<Planes>;
  functions.sum_plane =
      data_type == DataType::kFloat32 ? SumPlaneOf<Planes, float> : SumPlaneOf<Planes, Float16>;
}

#endif  // ANYDML_TRANSPOSES

RowFunctions Choose(DataType data_type, RowKind kind, const RepeatedTerms& repeated) {
  RowFunctions functions = {};
  DispatchType(SumTypes(), data_type, [&]<typename T>() {
    if constexpr (!std::is_same_v<T, float>) functions.convert = ConvertRow<T>;
    functions.sum_any_lanes = SumAnyLanes<T>;
    functions.store_rows = SumRows<T>;
  });
  functions.sum_rows = SumRows<float>;
  functions.prepare = PrepareNothing;
  switch (kind) {
    case RowKind::kUnchanged:
      functions.sum_lanes = CopyLanes;
      break;
    case RowKind::kPixels:
      functions.sum_lanes = SumPixelLanes;
      break;
#if ANYDML_TRANSPOSES
    case RowKind::kRepeated:
    case RowKind::kDoubled:
    case RowKind::kPairedRows:
      ChooseRepeated(repeated, functions);
      break;
    case RowKind::kNearest:
      UsePlanes<NearestRows>(data_type, functions);
      break;
    case RowKind::kWindows:
      functions.prepare = PrepareTable<WindowLanes>;
      functions.sum_lanes = SumPrepared<WindowLanes>;
      break;
#endif
    default:
      break;
  }
#if ANYDML_TRANSPOSES
  if constexpr (hn::MaxLanes(hn::ScalableTag<float>()) == LaneTable::kMaxLanesOfAVector) {
    if (kind == RowKind::kPairedRows) UsePlanes<PairedRows>(data_type, functions);
  }
#else
  (void)repeated;
#endif
  return functions;
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::cpu {

HWY_EXPORT(Choose);

RowFunctions ChooseRowFunctions(DataType data_type, RowKind kind, const RepeatedTerms& repeated) {
  return HWY_DYNAMIC_DISPATCH(Choose)(data_type, kind, repeated);
}

}  // namespace anydml::cpu
#endif  // HWY_ONCE
