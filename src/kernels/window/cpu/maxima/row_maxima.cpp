// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Columns or channels side by side: the maxima along every input row, once;
// then the maxima of the rows that a row of windows sees. Any window, stride
// and dilation.
#include "kernels/window/cpu/maxima/row_maxima.h"

#include "kernels/window/cpu/maxima/strategies.h"
#include "kernels/window/maximum.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/window/cpu/maxima/row_maxima.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/window/cpu/maxima/row_maxima-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::window::maxima {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace vectors = anydml::cpu::HWY_NAMESPACE;

// Rows of windows over a tile of columns.
template <typename T>
class MaximaUnit {
 public:
  using Lane = vectors::BitsOf<T>;

  MaximaUnit(const Plan& plan, const RowMaxima& maxima, const Bindings& bindings, int64_t number,
             Lane* scratch)
      : plan_(plan), maxima_(maxima), bindings_(bindings) {
    cpu::Digits digits{number};
    channels_ = digits.NextPart(maxima.channel_parts, maxima.lanes);
    columns_ = digits.NextPart(maxima.window_parts, maxima.axes[WindowLoop::kWidth].output_size);
    rows_ = digits.NextPart(maxima.row_parts, maxima.axes[WindowLoop::kHeight].output_size);
    depth_ = digits.Next(maxima.axes[WindowLoop::kDepth].output_size);
    plane_ = digits.number;
    inputs_ = maxima.Inputs(channels_.end - channels_.begin, columns_);
    windows_ = maxima.Windows(channels_.end - channels_.begin, columns_);
    input_move_.emplace(inputs_, InputColumns());
    SetBuffers(scratch);
    SetTaps();
  }

  void Run() {
    plain_ = std::is_same_v<T, float> && codes_ == nullptr;
    if (plain_) {
      RunRows();
      if (plain_) return;
      std::fill_n(held_.begin(), maxima_.slots, -1);
    }
    RunRows();
  }

 private:
  void RunRows() {
    const cpu::LaneMove store(windows_, {0, maxima_.axes[WindowLoop::kWidth].output_size,
                                         plan_.output.spatial[WindowLoop::kWidth]});
    T* output = bindings_.Output<T>(0) + Offset(plan_.output) + depth_ * plan_.output.spatial[0];
    for (int64_t oh = rows_.begin; oh < rows_.end; ++oh) {
      const bool started_plain = plain_;
      const int64_t count = FindRows(oh);
      if (plain_ != started_plain) return;
      if constexpr (std::is_same_v<T, float>) {
        if (plain_) {
          vectors::MoveRow(
              hn::ScalableTag<float>(), store,
              StorePlainMaxima{found_.data(), count, output + oh * plan_.output.spatial[1]});
          continue;
        }
      }
      vectors::MoveRow(hn::ScalableTag<Lane>(), store,
                       StoreMaxima<T>{found_.data(), count, taps_.count,
                                      output + oh * plan_.output.spatial[1], codes_});
      if (codes_ != nullptr) StoreIndices(oh);
    }
  }

  int64_t Offset(const PlaneStrides& strides) const {
    return maxima_.lanes == 1 ? strides.PlaneOffset(plan_.loop, plane_)
                              : plane_ * strides.batch + channels_.begin * strides.channel;
  }
  cpu::RowColumns InputColumns() const {
    const WindowAxis& width = maxima_.axes[WindowLoop::kWidth];
    return {width.start_padding, width.input_size, plan_.input.spatial[WindowLoop::kWidth]};
  }

  void SetBuffers(Lane* scratch) {
    const bool indices = plan_.index_type != DataType::kUnknown;
    const auto take = [&](int64_t size) {
      Lane* taken = scratch;
      scratch += size;
      return taken;
    };
    input_ = {take(inputs_.size()), take(inputs_.size()), nullptr};
    for (int64_t s = 0; s < maxima_.slots; ++s) {
      const int64_t size = windows_.phase_size;
      slots_[static_cast<size_t>(s)] = {take(size), take(size), indices ? take(size) : nullptr};
      held_[static_cast<size_t>(s)] = -1;
    }
    const Lane lowest = std::bit_cast<Lane>(LowestValue<T>());
    padding_ = {take(windows_.phase_size), take(windows_.phase_size),
                indices ? take(windows_.phase_size) : nullptr};
    codes_ = indices ? take(windows_.phase_size) : nullptr;
    // A window in padding alone gives the lowest value.
    vectors::FillOutside(inputs_, InputColumns(), std::numeric_limits<Lane>::min(), input_.keys);
    vectors::FillOutside(inputs_, InputColumns(), lowest, input_.bits);
    std::fill_n(padding_.keys, windows_.phase_size, std::numeric_limits<Lane>::min());
    std::fill_n(padding_.bits, windows_.phase_size, lowest);
    if (indices) std::fill_n(padding_.codes, windows_.phase_size, Lane{0});
  }

  void SetTaps() {
    const WindowAxis& width = maxima_.axes[WindowLoop::kWidth];
    taps_.count = width.window_size;
    for (int64_t k = 0; k < taps_.count; ++k) {
      taps_.offset[static_cast<size_t>(k)] =
          k * width.dilation % width.stride * inputs_.phase_size +
          k * width.dilation / width.stride * inputs_.lanes;
    }
  }

  // Puts the maxima along the input rows that row oh of windows sees into
  // found_, and says how many they are.
  int64_t FindRows(int64_t oh) {
    const Progression depths = TapsOf(maxima_.axes[WindowLoop::kDepth], depth_);
    heights_ = TapsOf(maxima_.axes[WindowLoop::kHeight], oh);
    depths_ = depths;
    int64_t count = 0;
    for (int64_t i = 0; i < depths.count; ++i) {
      for (int64_t j = 0; j < heights_.count; ++j) {
        const int64_t h = heights_.first + j * heights_.step;
        const auto slot = static_cast<size_t>(maxima_.shares ? h % maxima_.slots : count);
        found_[static_cast<size_t>(count++)] = slots_[slot];
        if (maxima_.shares && held_[slot] == h) continue;
        held_[slot] = h;
        LoadRow(depths.first + i * depths.step, h, slots_[slot]);
      }
    }
    if (count > 0) return count;
    found_[0] = padding_;
    return 1;
  }

  // With elements as they are; a NaN ends that.
  void LoadPlainRow(const float* row, const Candidates<int32_t>& to) {
    float* const input = reinterpret_cast<float*>(input_.bits);
    float* const maxima = reinterpret_cast<float*>(to.bits);
    vectors::MoveRow(hn::ScalableTag<float>(), *input_move_, LoadPlain{row, input});
    switch (taps_.count) {
      case 2:
        plain_ &= PlainMaximaOfRow<2>(taps_, input, windows_.phase_size, maxima);
        break;
      case 3:
        plain_ &= PlainMaximaOfRow<3>(taps_, input, windows_.phase_size, maxima);
        break;
      case 5:
        plain_ &= PlainMaximaOfRow<5>(taps_, input, windows_.phase_size, maxima);
        break;
      default:
        plain_ &= PlainMaximaOfRow<0>(taps_, input, windows_.phase_size, maxima);
    }
  }

  void LoadRow(int64_t depth, int64_t height, const Candidates<Lane>& to) {
    const T* row = bindings_.Input<T>(0) + Offset(plan_.input) + depth * plan_.input.spatial[0] +
                   height * plan_.input.spatial[1];
    if constexpr (std::is_same_v<T, float>) {
      if (plain_) return LoadPlainRow(row, to);
    }
    vectors::MoveRow(hn::ScalableTag<Lane>(), *input_move_, LoadCandidates<T>{row, input_});
    switch (taps_.count) {
      case 2:
        return MaximaOfRow<2>(taps_, input_, windows_.phase_size, to);
      case 3:
        return MaximaOfRow<3>(taps_, input_, windows_.phase_size, to);
      case 5:
        return MaximaOfRow<5>(taps_, input_, windows_.phase_size, to);
      default:
        return MaximaOfRow<0>(taps_, input_, windows_.phase_size, to);
    }
  }

  // From the number of a tap to the logical index in the whole input tensor.
  void StoreIndices(int64_t oh) const {
    const WindowAxis& width = maxima_.axes[WindowLoop::kWidth];
    const int64_t heights = plan_.loop.axes[WindowLoop::kHeight].input_size;
    std::array<int64_t, kMaxRowTaps * cpu::kMaxTileTaps> index;
    size_t tap = 0;
    for (int64_t i = 0; i < depths_.count; ++i) {
      for (int64_t j = 0; j < heights_.count; ++j) {
        const int64_t row =
            (depths_.first + i * depths_.step) * heights + heights_.first + j * heights_.step;
        for (int64_t k = 0; k < taps_.count; ++k) {
          index[tap++] = row * width.input_size + k * width.dilation;
        }
      }
    }
    const int64_t at =
        Offset(plan_.indices) + depth_ * plan_.indices.spatial[0] + oh * plan_.indices.spatial[1];
    const Lane* code = codes_;
    for (int64_t o = columns_.begin; o < columns_.end; ++o) {
      for (int64_t c = 0; c < windows_.lanes; ++c, ++code) {
        const int64_t plane =
            maxima_.lanes == 1 ? plane_ : plane_ * plan_.loop.channels + channels_.begin + c;
        const int64_t first =
            plane * plan_.loop.InputPlaneSize() + o * width.stride - width.start_padding;
        const int64_t value = *code < 0 ? -1 : first + index[static_cast<size_t>(*code)];
        PutIndex(at + o * plan_.indices.spatial[2] + c * plan_.indices.channel, value);
      }
    }
  }

  void PutIndex(int64_t at, int64_t value) const {
    if (plan_.index_type == DataType::kUint64) {
      bindings_.Output<uint64_t>(1)[at] = static_cast<uint64_t>(value);
    } else {
      bindings_.Output<uint32_t>(1)[at] = static_cast<uint32_t>(value);
    }
  }

  const Plan& plan_;
  const RowMaxima& maxima_;
  const Bindings& bindings_;
  bool plain_ = false;  // whether buffers hold elements as they are
  int64_t plane_;
  int64_t depth_;
  IndexRange rows_;
  IndexRange columns_;
  IndexRange channels_;
  cpu::LaneRow inputs_;
  cpu::LaneRow windows_;
  std::optional<cpu::LaneMove> input_move_;
  WidthTaps taps_;
  Candidates<Lane> input_;
  Candidates<Lane> padding_;
  Lane* codes_;
  std::array<Candidates<Lane>, kMaxRowTaps> slots_;
  std::array<int64_t, kMaxRowTaps> held_;  // the input row of each slot
  std::array<Candidates<Lane>, kMaxRowTaps> found_;
  Progression depths_;
  Progression heights_;
};

template <typename T>
void RunMaxima(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  const RowMaxima maxima(plan, executor.threads());
  const auto elements = static_cast<uint64_t>(
      maxima.row_parts.length * maxima.window_parts.length * maxima.channel_parts.length *
      maxima.axes[WindowLoop::kWidth].stride * maxima.axes[WindowLoop::kHeight].stride);
  executor.ParallelFor(
      static_cast<uint64_t>(maxima.Units()),
      cpu::kElementsPerUnit / std::max<uint64_t>(1, elements),
      [&](uint64_t begin, uint64_t end) HWY_ATTR {
        alignas(64) vectors::BitsOf<T> scratch[kMaxMaximaLanes];
        for (uint64_t unit = begin; unit < end; ++unit) {
          MaximaUnit<T>(plan, maxima, bindings, static_cast<int64_t>(unit), scratch).Run();
        }
      });
}

void RowMaximaOf(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  DispatchType(TypeList<float, Float16>(), plan.data_type,
               [&]<typename T>() HWY_ATTR { RunMaxima<T>(plan, bindings, executor); });
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::window::maxima
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::window::maxima {
namespace {

HWY_EXPORT(RowMaximaOf);

}  // namespace

void RunRowMaxima(const Plan& plan, const NoTables&, const Bindings& bindings,
                  const cpu::Executor& executor) {
  HWY_DYNAMIC_DISPATCH(RowMaximaOf)(plan, bindings, executor);
}

namespace {

constexpr int64_t kMaxStride = 64;
constexpr int64_t kTileLanes = 1024;

}  // namespace

RowMaxima::RowMaxima(const Plan& plan, int threads) {
  for (size_t i = 0; i < 3; ++i) axes[i] = cpu::SeparateSingleWindow(plan.loop.axes[i]);
  const auto& [depth, height, width] = axes;
  lanes = cpu::LanesPerColumn(plan.loop, plan.input, plan.output);
  planes = lanes == 1 ? plan.loop.PlaneCount() : plan.loop.batches;
  shares = depth.window_size == 1;
  slots = shares ? std::min(height.reach() + 1, kMaxRowTaps + 1)
                 : std::min(depth.window_size, kMaxRowTaps + 1) *
                       std::min(height.window_size, kMaxRowTaps + 1);
  const int64_t reach = width.reach() / width.stride;
  // Tall windows keep many rows, so their tiles are narrower.
  const int64_t fitting = std::min(kTileLanes, kMaxMaximaLanes / (4 * slots + 16));
  const int64_t most = std::max<int64_t>(64, fitting / width.stride);
  channel_parts = cpu::Parts::Of(lanes, std::max<int64_t>(32, most / (1 + 2 * reach)));
  window_parts = cpu::Parts::Of(width.output_size,
                                std::max<int64_t>(most / channel_parts.length, 2 * reach + 1));
  // Enough units for all threads.
  const int64_t tiles = planes * depth.output_size * window_parts.count * channel_parts.count;
  const int64_t wanted = threads == 1 ? 1 : CeilDivideSigned(int64_t{4} * threads, tiles);
  row_parts =
      cpu::Parts::Of(height.output_size, std::max(CeilDivideSigned(height.output_size, wanted),
                                                  4 * (height.reach() / height.stride + 1)));
}

cpu::LaneRow RowMaxima::Windows(int64_t lane_count, IndexRange windows) const {
  const int64_t count = windows.end - windows.begin;
  return {lane_count, 1, windows.begin, count, 2 * cpu::WholeVectors((count * lane_count + 1) / 2)};
}

cpu::LaneRow RowMaxima::Inputs(int64_t lane_count, IndexRange windows) const {
  const WindowAxis& width = axes[WindowLoop::kWidth];
  const int64_t reach = width.reach() / width.stride;
  return {lane_count, width.stride, windows.begin, windows.end - windows.begin + reach,
          cpu::WholeVectors(Windows(lane_count, windows).phase_size + reach * lane_count)};
}

int64_t RowMaxima::BufferLanes() const {
  const IndexRange windows = {0, window_parts.length};
  return 2 * Inputs(channel_parts.length, windows).size() +
         (3 * slots + 4) * Windows(channel_parts.length, windows).phase_size;
}

Refusal AcceptsRowMaxima(const Plan& plan) {
  if (!SetOf(TypeList<float, Float16>()).Contains(plan.data_type)) {
    return {"the data type is neither FLOAT32 nor FLOAT16"};
  }
  if (cpu::LanesPerColumn(plan.loop, plan.input, plan.output) == 0) {
    return {"neither columns nor channels lie side by side in both tensors"};
  }
  const WindowAxis width = cpu::SeparateSingleWindow(plan.loop.axes[WindowLoop::kWidth]);
  if (width.window_size > cpu::kMaxTileTaps || width.stride > kMaxStride ||
      width.reach() > kMaxStride) {
    return {"the window is too wide"};
  }
  const RowMaxima maxima(plan, 1);
  if (maxima.slots > kMaxRowTaps || maxima.BufferLanes() > kMaxMaximaLanes) {
    return {"the window is too large for the row buffers"};
  }
  return kAccepted;
}

}  // namespace anydml::window::maxima
#endif  // HWY_ONCE
