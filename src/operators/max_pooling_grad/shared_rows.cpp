// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Rows of windows that share input rows: bands of them go through buffers that
// stay in the first-level cache. Keys of the input rows, then the winners of
// the windows, then the sums of the elements; what a band shares with the next
// one is carried over.
#include "operators/max_pooling_grad/shared_rows.h"

#include "operators/max_pooling_grad/formula.h"
#include "operators/max_pooling_grad/strategies.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "operators/max_pooling_grad/shared_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/window/cpu/window_tiles-inl.h"
#include "operators/max_pooling_grad/shared_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::max_pooling_grad {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace vectors = anydml::cpu::HWY_NAMESPACE;

template <typename T, int kHeight, int kStride>
class SharedRowsUnit {
 public:
  // For units over the same tile as this one.
  SharedRowsUnit(const Plan& plan, const SharedRows& shared, const UnitOfRows& unit,
                 int32_t* scratch)
      : plan_(plan),
        shared_(shared),
        unit_(unit),
        tile_(shared.width, unit.lanes, shared.first_position + unit.positions.begin,
              shared.first_position + unit.positions.end),
        key_move_(tile_.keys, InputColumns(plan.input)),
        gradient_move_(tile_.windows, WindowColumns()),
        sum_move_(tile_.elements, InputColumns(plan.output_gradient)) {
    const auto take = [&](int64_t lanes) {
      int32_t* taken = scratch;
      scratch += lanes;
      return taken;
    };
    const int64_t windows = tile_.windows.phase_size;
    keys_ = take(shared.band * kStride * tile_.keys.size());
    padding_ = take(tile_.keys.size());
    codes_ = take(shared.band * windows);
    gradients_ = reinterpret_cast<float*>(take(shared.band * windows));
    sums_ = reinterpret_cast<float*>(take(shared.band * kStride * tile_.elements.size()));
    carried_keys_ = take(kCarried * windows);
    carried_codes_ = take(kCarried * windows);
    carried_sums_ = reinterpret_cast<float*>(take(kCarried * tile_.elements.size()));
    std::fill(padding_, padding_ + tile_.keys.size(), vectors::kPaddingKey);
    for (int64_t r = 0; r < shared.band * kStride; ++r) {
      vectors::FillOutside(tile_.keys, InputColumns(plan.input), vectors::kPaddingKey,
                           keys_ + r * tile_.keys.size());
    }
    for (int64_t j = 0; j < shared.band; ++j) {
      vectors::FillOutside(tile_.windows, WindowColumns(), 0.0f, gradients_ + j * windows);
      // Of windows that are not there: whatever they name gets their gradient, 0.
      std::fill(codes_ + j * windows + tile_.windows.used(), codes_ + (j + 1) * windows, 0);
    }
  }

  bool HasTileOf(const UnitOfRows& unit) const {
    return unit.positions == unit_.positions && unit.lanes == unit_.lanes;
  }

  // Every walk: the rows of one remainder modulo the dilation.
  void Run(const Bindings& bindings, const UnitOfRows& unit) {
    unit_ = unit;
    x_ = bindings.Input<T>(0) + Offset(plan_.input);
    dy_ = bindings.Input<T>(1) + Offset(plan_.input_gradient);
    dx_ = bindings.Output<T>(0) + Offset(plan_.output_gradient);
    for (remainder_ = 0; remainder_ < shared_.height.dilation; ++remainder_) {
      const auto past = [&](int64_t row) {
        return row <= remainder_ ? 0 : CeilDivideSigned(row - remainder_, shared_.height.dilation);
      };
      const int64_t begin = past(unit_.rows.begin), end = past(unit_.rows.end);
      const int64_t first = begin < kHeight ? 0 : (begin - kHeight) / kStride + 1;
      Walk(first, CeilDivideSigned(end, kStride));
    }
  }

 private:
  static constexpr int kCarried = kHeight - kStride;

  int64_t Offset(const PlaneStrides& strides) const {
    const int64_t plane = shared_.lanes == 1 ? strides.PlaneOffset(plan_.loop, unit_.batch)
                                             : unit_.batch * strides.batch + unit_.channel;
    return plane + unit_.depth * strides.spatial[WindowLoop::kDepth];
  }
  cpu::RowColumns InputColumns(const PlaneStrides& strides) const {
    return {shared_.width.start_padding, shared_.width.input_size,
            strides.spatial[WindowLoop::kWidth]};
  }

  cpu::RowColumns WindowColumns() const {
    return {0, shared_.width.output_size, plan_.input_gradient.spatial[WindowLoop::kWidth]};
  }

  // The input row of row r of the walk; negative in padding.
  int64_t InputRowOf(int64_t r) const {
    const int64_t row = remainder_ + r * shared_.height.dilation - shared_.height.start_padding;
    return row < shared_.height.input_size ? row : -1;
  }

  const int32_t* LoadKeyRow(int64_t r, int64_t slot) const {
    const int64_t row = InputRowOf(r);
    if (row < 0) return padding_;
    int32_t* keys = keys_ + slot * tile_.keys.size();
    vectors::MoveRow(Floats(), key_move_,
                     vectors::LoadKeys<T>{x_ + row * plan_.input.spatial[1], keys});
    return keys;
  }

  // Rows of windows past the last add nothing: the walk goes on over them only
  // to finish the sums that it carries.
  void LoadGradientRow(int64_t j, int64_t slot) const {
    const PlaneStrides& strides = plan_.input_gradient;
    const int64_t row = remainder_ + j * shared_.height.dilation;
    float* gradients = gradients_ + slot * tile_.windows.phase_size;
    if (row >= shared_.height.output_size) {
      std::fill(gradients, gradients + tile_.windows.phase_size, 0.0f);
      return;
    }
    vectors::MoveRow(Floats(), gradient_move_,
                     vectors::LoadValues<T>{dy_ + row * strides.spatial[1], gradients});
  }

  void StoreRow(int64_t r, int64_t slot) const {
    const int64_t row = InputRowOf(r), padded = row + shared_.height.start_padding;
    if (row < 0 || padded < unit_.rows.begin || padded >= unit_.rows.end) return;
    vectors::MoveRow(Floats(), sum_move_,
                     vectors::StoreValues<T>{sums_ + slot * tile_.elements.size(),
                                             dx_ + row * plan_.output_gradient.spatial[1]});
  }

  void Walk(int64_t begin, int64_t end) const {
    const int32_t* keys[kMostBandRows * kStride];
    const Band carried = {
        tile_,         0,  keys, codes_, gradients_, sums_, carried_keys_, carried_codes_,
        carried_sums_, {}, {},   {}};
    for (int64_t c = 0; c < kCarried; ++c) {
      keys[0] = LoadKeyRow(begin * kStride + c, 0);
      StartRow(carried, c);
    }
    std::fill(carried_sums_, carried_sums_ + kCarried * tile_.elements.size(), 0.0f);
    for (int64_t j = begin; j < end; j += shared_.band) {
      Band band = carried;
      band.rows = std::min(shared_.band, end - j);
      const int64_t dilation = shared_.height.dilation, next = j + shared_.band;
      const int64_t top = remainder_ - shared_.height.start_padding;
      band.next_inputs = Ahead(x_, plan_.input, key_move_,
                               top + (next * kStride + kCarried) * dilation, tile_.keys.phases);
      band.next_gradients =
          Ahead(dy_, plan_.input_gradient, gradient_move_, remainder_ + next * dilation, 1);
      band.outputs = Ahead(dx_, plan_.output_gradient, sum_move_, top + j * kStride * dilation,
                           tile_.elements.phases);
      for (int64_t r = 0; r < band.rows * kStride; ++r) {
        keys[r] = LoadKeyRow(j * kStride + kCarried + r, r);
      }
      Find(band);
      for (int64_t r = 0; r < band.rows; ++r) LoadGradientRow(j + r, r);
      for (int64_t phase = 0; phase < tile_.elements.phases; ++phase) Sum(band, phase);
      for (int64_t r = 0; r < band.rows * kStride; ++r) StoreRow(j * kStride + r, r);
    }
  }

  // Row `row` of a tensor and those that follow it on the walk.
  cpu::VectorsAhead Ahead(const T* tensor, const PlaneStrides& strides, const cpu::LaneMove& move,
                          int64_t row, int64_t phases) const {
    const auto size = static_cast<int64_t>(sizeof(T));
    const int64_t step = strides.spatial[WindowLoop::kHeight] * size;
    return {reinterpret_cast<uintptr_t>(tensor + move.memory) + static_cast<uintptr_t>(row * step),
            step * shared_.height.dilation, phases * size};
  }

  void StartRow(const Band& band, int64_t c) const {
    FindSweep<kHeight, kStride, 0>::Start(band, c);
  }
  void Find(const Band& band) const {
    switch (tile_.tap_count) {
      case kHeight:
        return FindSweep<kHeight, kStride, kHeight>::Run(band);
      default:
        return FindSweep<kHeight, kStride, 0>::Run(band);
    }
  }
  void Sum(const Band& band, int64_t phase) const {
    const PhaseTaps taps(tile_, phase);
    switch (taps.count) {
      case 1:
        return SumSweep<kHeight, kStride, 1>::Run(band, taps, phase);
      case 2:
        return SumSweep<kHeight, kStride, 2>::Run(band, taps, phase);
      case 3:
        return SumSweep<kHeight, kStride, 3>::Run(band, taps, phase);
      default:
        if (kHeight > 3 && taps.count == kHeight) {
          return SumSweep<kHeight, kStride, kHeight>::Run(band, taps, phase);
        }
        return SumSweep<kHeight, kStride, 0>::Run(band, taps, phase);
    }
  }

  const Plan& plan_;
  const SharedRows& shared_;
  UnitOfRows unit_;
  const cpu::WindowTile tile_;
  const cpu::LaneMove key_move_;
  const cpu::LaneMove gradient_move_;
  const cpu::LaneMove sum_move_;
  const T* x_ = nullptr;
  const T* dy_ = nullptr;
  T* dx_ = nullptr;
  int64_t remainder_ = 0;
  int32_t* keys_;
  int32_t* padding_;  // keys of a row of padding
  int32_t* codes_;
  float* gradients_;
  float* sums_;
  int32_t* carried_keys_;
  int32_t* carried_codes_;
  float* carried_sums_;
};

template <typename T, int kHeight, int kStride>
void RunUnits(const Plan& plan, const SharedRows& shared, const Bindings& bindings,
              const cpu::Executor& executor) {
  const auto elements =
      static_cast<uint64_t>(shared.row_parts.length * shared.position_parts.length *
                            shared.channel_parts.length * shared.width.stride * kHeight);
  executor.ParallelFor(static_cast<uint64_t>(shared.Units()),
                       cpu::kElementsPerUnit / std::max<uint64_t>(1, elements),
                       [&](uint64_t begin, uint64_t end) HWY_ATTR {
                         alignas(64) int32_t scratch[kMostBandLanes];
                         std::optional<SharedRowsUnit<T, kHeight, kStride>> rows;
                         for (uint64_t number = begin; number < end; ++number) {
                           const UnitOfRows unit = UnitAt(shared, static_cast<int64_t>(number));
                           if (!rows || !rows->HasTileOf(unit)) {
                             rows.emplace(plan, shared, unit, scratch);
                           }
                           rows->Run(bindings, unit);
                         }
                       });
}

template <typename T>
void RunShared(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  const SharedRows shared(plan, executor.threads());
  const WindowAxis& height = shared.height;
  if (height.stride == 1) {
    switch (height.window_size) {
      case 2:
        return RunUnits<T, 2, 1>(plan, shared, bindings, executor);
      case 3:
        return RunUnits<T, 3, 1>(plan, shared, bindings, executor);
      case 4:
        return RunUnits<T, 4, 1>(plan, shared, bindings, executor);
      default:
        return RunUnits<T, 5, 1>(plan, shared, bindings, executor);
    }
  }
  return RunUnits<T, 3, 2>(plan, shared, bindings, executor);
}

void SharedRowsOf(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  DispatchType(Types(), plan.data_type,
               [&]<typename T>() HWY_ATTR { RunShared<T>(plan, bindings, executor); });
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::max_pooling_grad
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::max_pooling_grad {
namespace {

HWY_EXPORT(SharedRowsOf);

}  // namespace

void RunSharedRows(const Plan& plan, const NoTables&, const Bindings& bindings,
                   const cpu::Executor& executor) {
  HWY_DYNAMIC_DISPATCH(SharedRowsOf)(plan, bindings, executor);
}

}  // namespace anydml::max_pooling_grad
#endif  // HWY_ONCE
