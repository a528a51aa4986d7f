// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Columns or channels side by side, short windows: a row of sums at a time. Rows that are read
// lie in buffers as floats, columns split by their remainder modulo the stride, with zeros for
// what is in padding (which changes no sum: none is -0), so that every tap of a row of windows
// is a run of one buffer. A column is one lane, or a run of channels.
#include <hwy/cache_control.h>

#include <algorithm>
#include <bit>

#include "backends/cpu/rows.h"
#include "backends/cpu/streaming.h"
#include "kernels/window/cpu/averages/averages.h"
#include "kernels/window/cpu/averages/row_functions.h"

namespace anydml::window::average {
namespace {

constexpr int kDepth = WindowLoop::kDepth, kHeight = WindowLoop::kHeight,
              kWidth = WindowLoop::kWidth;
constexpr int64_t kScratchFloats = 61440;  // 240 KiB
constexpr int64_t kSlack = 16;             // floats behind every buffer that may be read
constexpr int64_t kMaxTaps = 64;
constexpr int64_t kMaxStride = 16;
constexpr int64_t kMaxReach = 1024;
constexpr int64_t kFewestChannels = 8;
constexpr int64_t kMaxRowBuffers = 256;

constexpr int64_t RoundUp(int64_t n, int64_t to) { return (n + to - 1) / to * to; }

// How rows lie in memory and in buffers.
struct Layout {
  int64_t lanes = 0;   // of a column; 0: not side by side, or too large for the scratch
  int64_t chunks = 1;  // of channels
  int64_t depths = 0;  // buffers of rows that are read: so many times
  int64_t heights = 0;
  int64_t phase_size = 0;
  int64_t row_size = 0;       // of such a buffer
  int64_t results_count = 0;  // of a phase of results, where they are merged
  int64_t results_size = 0;   // from one phase to the next
  int64_t floats = 0;         // of all buffers
};

// Rows of an axis from the first to the last that one result needs, as a power of two: their
// numbers modulo it are places that they do not share.
int64_t RowsOf(const WindowAxis& axis, bool gradient) {
  const int64_t reach = gradient ? axis.reach() / axis.stride : axis.reach();
  const int64_t size = gradient ? axis.output_size : axis.input_size;
  return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(std::min(size, reach + 1))));
}

Layout LayoutWith(const Plan& plan, bool gradient, int64_t lanes) {
  const WindowAxis& axis = plan.loop.axes[kWidth];
  const int64_t s = axis.stride, ahead = axis.reach() / s;
  const int64_t highest = (axis.input_size - 1 + axis.start_padding) / s;
  Layout layout = {.lanes = lanes};
  layout.chunks = lanes == 1 ? 1 : (plan.loop.channels + lanes - 1) / lanes;
  layout.depths = RowsOf(plan.loop.axes[kDepth], gradient);
  layout.heights = RowsOf(plan.loop.axes[kHeight], gradient);
  const int64_t positions =
      gradient ? ahead + std::max(axis.output_size, highest + 1) : axis.output_size + ahead + 1;
  layout.phase_size = RoundUp(positions * lanes, 16) + kSlack;
  layout.row_size = layout.phase_size * (gradient ? 1 : s);
  layout.results_count = highest + 1;
  if (gradient && lanes == 1 && s > 1) layout.results_size = RoundUp(highest + 1, 16) + kSlack;
  const int64_t widths = RoundUp(axis.output_size * lanes, 16) + kSlack;
  layout.floats =
      layout.depths * layout.heights * layout.row_size + s * layout.results_size + widths;
  return layout;
}

bool Fits(const Layout& layout) {
  return layout.floats <= kScratchFloats && layout.depths * layout.heights <= kMaxRowBuffers;
}

Layout LayoutOf(const Plan& plan, bool gradient) {
  const WindowLoop& loop = plan.loop;
  const bool channels = plan.wide.channel == 1 && plan.narrow.channel == 1;
  const bool columns = plan.wide.spatial[kWidth] == 1 && plan.narrow.spatial[kWidth] == 1;
  if (columns && !(channels && loop.channels >= kFewestChannels)) {
    Layout layout = LayoutWith(plan, gradient, 1);
    if (!Fits(layout)) layout.lanes = 0;
    return layout;
  }
  if (!channels || loop.channels < kFewestChannels) return {};
  for (int64_t lanes = loop.channels;; lanes = RoundUp(lanes / 2, 32)) {
    const Layout layout = LayoutWith(plan, gradient, lanes);
    if (Fits(layout)) return layout;
    if (lanes <= 32) return {};
  }
}

Refusal Accepts(const Plan& plan, bool gradient) {
  if (plan.Taps() > kMaxTaps) return {"the window has more than 64 taps"};
  if (plan.p >= 1u << 24) return {"P has more than 24 bits"};
  for (const WindowAxis& axis : plan.loop.axes) {
    if (axis.stride > kMaxStride || axis.reach() > kMaxReach || axis.start_padding > kMaxReach) {
      return {"a stride is larger than 16, or a window or its padding reaches beyond 1024"};
    }
    if (axis.input_size > kScratchFloats || axis.output_size > kScratchFloats) {
      return {"a row has more than 61440 columns"};
    }
  }
  if (LayoutOf(plan, gradient).lanes == 0) {
    return {
        "neither columns nor 8 or more channels lie side by side, or a window's rows take "
        "more than 240 KiB"};
  }
  return kAccepted;
}

// The typed functions.
template <typename T>
struct Functions;
template <>
struct Functions<float> {
  RowFunctions::Sum<float, float> sum, divide, average;
  RowFunctions::Split<float> split;
  RowFunctions::Merge<float> merge;
  explicit Functions(const RowFunctions& all)
      : sum(all.sum_floats),
        divide(all.divide_floats),
        average(all.divide_floats),
        split(all.split_floats),
        merge(all.merge_floats) {}
};
template <>
struct Functions<Float16> {
  RowFunctions::Sum<float, Float16> sum;
  RowFunctions::Sum<Float16, float> divide;
  RowFunctions::Sum<Float16, Float16> average;
  RowFunctions::Split<Float16> split;
  RowFunctions::Merge<Float16> merge;
  explicit Functions(const RowFunctions& all)
      : sum(all.sum_to_halves),
        divide(all.divide_halves),
        average(all.average_halves),
        split(all.split_halves),
        merge(all.merge_halves) {}
};

// Which rows are in the buffers.
class RowBuffers {
 public:
  RowBuffers(float* buffers, const Layout& layout) : buffers_(buffers), layout_(layout) {
    Clear();
    Forget();
  }

  void Forget() { std::fill_n(tags_.begin(), layout_.depths * layout_.heights, -1); }
  // Zeros lie elsewhere where there is another number of lanes.
  void Clear() { std::fill_n(buffers_, layout_.depths * layout_.heights * layout_.row_size, 0.0f); }

  // The buffer of row (d, h) of a group, whose number in it is `number`.
  template <typename Fill>
  const float* Find(int64_t d, int64_t h, int64_t number, const Fill& fill) {
    const int64_t place =
        (d & (layout_.depths - 1)) * layout_.heights + (h & (layout_.heights - 1));
    float* const buffer = buffers_ + place * layout_.row_size;
    if (tags_[static_cast<size_t>(place)] != number) {
      tags_[static_cast<size_t>(place)] = number;
      fill(buffer);
    }
    return buffer;
  }

 private:
  float* buffers_;
  const Layout& layout_;
  std::array<int64_t, kMaxRowBuffers> tags_;
};

// Rows of one tensor; `group` is a plane, or a chunk of the channels of a batch item.
struct Rows {
  const Plan& plan;
  const Layout& layout;
  const PlaneStrides& strides;

  int64_t Lanes(int64_t group) const {
    if (layout.lanes == 1) return 1;
    return std::min(layout.lanes, plan.loop.channels - group % layout.chunks * layout.lanes);
  }
  int64_t GroupOffset(int64_t group) const {
    if (layout.lanes == 1) return strides.PlaneOffset(plan.loop, group);
    return group / layout.chunks * strides.batch + group % layout.chunks * layout.lanes;
  }
  int64_t RowOffset(int64_t d, int64_t h) const {
    return d * strides.spatial[kDepth] + h * strides.spatial[kHeight];
  }
  int64_t Column() const { return strides.spatial[kWidth]; }
  // Whether rows of so many columns are one run.
  bool IsRun(int64_t lanes, int64_t columns) const { return columns == 1 || Column() == lanes; }
};

// What one thread works with.
template <typename T>
class Worker {
 public:
  Worker(const Plan& plan, const Layout& layout, bool gradient, const Bindings& bindings,
         float* scratch)
      : plan_(plan),
        loop_(plan.loop),
        width_(plan.loop.axes[kWidth]),
        layout_(layout),
        functions_(ChooseRowFunctions()),
        sum_floats_(ChooseRowFunctions().sum_floats),
        power_(ChooseRowFunctions().power_floats),
        read_{plan, layout, gradient ? plan.narrow : plan.wide},
        written_{plan, layout, gradient ? plan.wide : plan.narrow},
        input_(bindings.Input<T>(0)),
        output_(bindings.Output<T>(0)),
        buffers_(scratch, layout),
        results_(scratch + layout.depths * layout.heights * layout.row_size),
        widths_(results_ + width_.stride * layout.results_size) {
    for (int64_t o = 0; o < width_.output_size; ++o) {
      const int64_t kept = TapsOf(width_, o).count;
      is_uniform_ = is_uniform_ && kept == width_.window_size;
      std::fill_n(widths_ + o * layout.lanes, layout.lanes,
                  static_cast<float>(std::max<int64_t>(kept, 1)));
    }
    std::fill_n(widths_ + width_.output_size * layout.lanes, kSlack, 1.0f);
    is_uniform_ = is_uniform_ || plan.include_padding;
    stream_ = MayStream(gradient);
  }

  // Of a group, in ascending order.
  void Average(const WindowRow& row) {
    Begin(row.plane);
    const Progression depth = TapsOf(loop_.axes[kDepth], row.depth);
    const Progression height = TapsOf(loop_.axes[kHeight], row.height);
    if (layout_.lanes > 1 && width_.stride > 1 && plan_.p == 0)
      return AverageColumns(row, depth, height);
    int64_t count = 0;
    for (int64_t i = 0; i < depth.count; ++i) {
      for (int64_t j = 0; j < height.count; ++j) {
        const float* from = SplitRow(depth.first + i * depth.step, height.first + j * height.step);
        for (int64_t k = 0; k < width_.window_size; ++k) {
          const int64_t column = k * width_.dilation;
          taps_[count++] =
              from + column % width_.stride * layout_.phase_size + column / width_.stride * lanes_;
        }
      }
    }
    T* const to = group_output_ + written_.RowOffset(row.depth, row.height);
    const Divisors divisors = DivisorsOf(depth.count * height.count);
    if (written_.IsRun(lanes_, width_.output_size)) {
      functions_.sum(taps_, count, 0, width_.output_size * lanes_, divisors, to, stream_);
      return;
    }
    for (int64_t o = 0; o < width_.output_size; ++o) {
      functions_.sum(taps_, count, o * lanes_, lanes_, From(divisors, o),
                     to + o * written_.Column(), stream_);
    }
  }

  void Gradient(const WindowRow& row) {
    Begin(row.plane);
    const Progression depth = WindowsOver(loop_.axes[kDepth], row.depth);
    const Progression height = WindowsOver(loop_.axes[kHeight], row.height);
    // Rows of the same windows have the same gradient.
    const std::array<int64_t, 4> windows = {depth.first, depth.count, height.first, height.count};
    const bool is_known = windows == windows_;
    windows_ = windows;
    int64_t row_count = 0;
    const float* shares[kMaxTaps];
    for (int64_t i = 0; i < depth.count; ++i) {
      for (int64_t j = 0; j < height.count; ++j) {
        shares[row_count++] =
            ShareRow(depth.first + i * depth.step, height.first + j * height.step);
      }
    }
    T* const to = group_output_ + written_.RowOffset(row.depth, row.height);
    const int64_t s = width_.stride, pad = width_.start_padding, columns = width_.input_size;
    if (s == 1 && written_.IsRun(lanes_, columns)) {
      const int64_t count = TapsOfPhase(shares, row_count, 0);
      functions_.sum(taps_, count, pad * lanes_, columns * lanes_, {}, to, stream_);
    } else if (layout_.lanes == 1) {
      if (!is_known) SumPhases(shares, row_count);
      MergePhases(to);
    } else {
      for (int64_t phase = 0; phase < std::min(s, columns); ++phase) {
        const int64_t count = TapsOfPhase(shares, row_count, (phase + pad) % s);
        for (int64_t p = phase; p < columns; p += s) {
          functions_.sum(taps_, count, (p + pad) / s * lanes_, lanes_, {},
                         to + p * written_.Column(), stream_);
        }
      }
    }
  }

  bool streams() const { return stream_; }

 private:
  void Begin(int64_t group) {
    if (group == group_) return;
    const int64_t lanes = read_.Lanes(group);
    if (lanes_ != 0 && lanes != lanes_) buffers_.Clear();
    group_ = group;
    group_input_ = input_ + read_.GroupOffset(group);
    group_output_ = output_ + written_.GroupOffset(group);
    buffers_.Forget();
    windows_ = kNoRow;
    if (lanes == lanes_) return;
    lanes_ = lanes;
    const int64_t s = width_.stride;
    for (int64_t k = 0; k < width_.window_size; ++k) {
      const int64_t column = k * width_.dilation;
      phases_[k] = column % s;
      backs_[k] = (width_.reach() / s - column / s) * lanes_;
      places_[k] = PlaceOf(column);
    }
    for (int64_t i = 0; i < s; ++i) {
      const int64_t column = width_.start_padding + i;
      starts_[i] = PlaceOf(column);
      merged_[i] = results_ + column % s * layout_.results_size + column / s;
    }
  }

  Divisors DivisorsOf(int64_t kept_rows) const {
    if (plan_.p != 0) return {nullptr, 0, plan_.p};
    if (plan_.include_padding) return {nullptr, static_cast<float>(plan_.Taps())};
    if (is_uniform_) return {nullptr, static_cast<float>(kept_rows * width_.window_size)};
    return {widths_, static_cast<float>(kept_rows)};
  }
  Divisors From(Divisors divisors, int64_t column) const {
    if (divisors.widths != nullptr) divisors.widths += column * layout_.lanes;
    return divisors;
  }

  // Where padded column `column` begins in a buffer of phases.
  int64_t PlaceOf(int64_t column) const {
    return column % width_.stride * layout_.phase_size + column / width_.stride * lanes_;
  }

  const float* SplitRow(int64_t d, int64_t h) {
    return buffers_.Find(d, h, d * loop_.axes[kHeight].input_size + h, [&](float* to) {
      const T* const from = group_input_ + read_.RowOffset(d, h);
      const int64_t s = width_.stride, pad = width_.start_padding;
      // Columns behind the last window are not wanted.
      const int64_t end = (width_.output_size - 1) * s + width_.reach() + 1 - pad;
      const int64_t columns = std::min(width_.input_size, end);
      if (columns <= 0) return;
      float* phases[kMaxStride];
      if (layout_.lanes == 1 || (s == 1 && read_.IsRun(lanes_, columns))) {
        for (int64_t i = 0; i < s; ++i) phases[i] = to + starts_[i];
        functions_.split(from, columns * lanes_, s, phases);
      } else {
        for (int64_t p = 0; p < columns; ++p) {
          phases[0] = to + PlaceOf(pad + p);
          functions_.split(from + p * read_.Column(), lanes_, 1, phases);
        }
      }
      // Zeros stay zeros.
      if (plan_.p != 0) power_(to, layout_.row_size, plan_.p, to);
    });
  }

  // A window at a time, from memory to memory: channels that no buffer would bring closer.
  void AverageColumns(const WindowRow& row, const Progression& depth, const Progression& height) {
    T* const to = group_output_ + written_.RowOffset(row.depth, row.height);
    const T* taps[kMaxTaps];
    int64_t count = 0, first = 0;  // what the taps are of
    Progression listed;
    for (int64_t o = 0; o < width_.output_size; ++o) {
      const Progression width = TapsOf(width_, o);
      if (o == 0 || width.count != listed.count) {
        count = 0;
        first = width.first;
        listed = width;
        for (int64_t i = 0; i < depth.count; ++i) {
          for (int64_t j = 0; j < height.count; ++j) {
            const T* const from = group_input_ + read_.RowOffset(depth.first + i * depth.step,
                                                                 height.first + j * height.step);
            for (int64_t k = 0; k < width.count; ++k) {
              taps[count++] = from + (width.first + k * width.step) * read_.Column();
            }
          }
        }
      }
      const float by =
          plan_.include_padding ? static_cast<float>(plan_.Taps()) : static_cast<float>(count);
      functions_.average(taps, count, (width.first - first) * read_.Column(), lanes_, {nullptr, by},
                         to + o * written_.Column(), stream_);
    }
  }

  // What every window of a row has for each of its taps, behind zeros.
  const float* ShareRow(int64_t d, int64_t h) {
    const int64_t number = d * loop_.axes[kHeight].output_size + h;
    return buffers_.Find(d, h, number, [&](float* to) {
      const T* from = group_input_ + read_.RowOffset(d, h);
      const int64_t kept =
          TapsOf(loop_.axes[kDepth], d).count * TapsOf(loop_.axes[kHeight], h).count;
      const Divisors divisors = DivisorsOf(kept);
      to += width_.reach() / width_.stride * lanes_;
      if (read_.IsRun(lanes_, width_.output_size)) {
        return functions_.divide(&from, 1, 0, width_.output_size * lanes_, divisors, to, false);
      }
      for (int64_t o = 0; o < width_.output_size; ++o) {
        functions_.divide(&from, 1, o * read_.Column(), lanes_, From(divisors, o), to + o * lanes_,
                          false);
      }
    });
  }

  // The taps that lie on columns of a phase, of windows in ascending order.
  int64_t TapsOfPhase(const float* const* shares, int64_t row_count, int64_t phase) {
    int64_t count = 0;
    for (int64_t r = 0; r < row_count; ++r) {
      for (int64_t k = width_.window_size; k-- > 0;) {
        if (phases_[k] == phase) taps_[count++] = shares[r] + backs_[k];
      }
    }
    return count;
  }

  // A row of gradients, by phases of its columns.
  void SumPhases(const float* const* shares, int64_t row_count) {
    const int64_t positions = layout_.results_count;
    for (int64_t phase = 0; phase < width_.stride; ++phase) {
      const int64_t count = TapsOfPhase(shares, row_count, phase);
      sum_floats_(taps_, count, 0, positions, {}, results_ + phase * layout_.results_size, false);
    }
  }

  void MergePhases(T* to) {
    functions_.merge(merged_.data(), width_.stride, width_.input_size, to, stream_);
  }

  // Runs of whole aligned lines.
  bool MayStream(bool gradient) const {
    const int64_t columns = gradient ? width_.input_size : width_.output_size;
    const int64_t lanes = layout_.lanes;
    int64_t all = written_.IsRun(lanes, columns) && !(width_.stride > 1 && lanes > 1)
                      ? columns * lanes
                      : lanes;
    const PlaneStrides& strides = written_.strides;
    all |= strides.batch | strides.spatial[kDepth] | strides.spatial[kHeight];
    all |= lanes == 1 ? strides.channel : strides.spatial[kWidth];
    if (layout_.chunks > 1) all |= loop_.channels;
    const auto bytes = static_cast<uint64_t>(all) * sizeof(T);
    const auto total = static_cast<uint64_t>(loop_.PlaneCount() *
                                             (loop_.InputPlaneSize() + loop_.OutputPlaneSize()));
    return (bytes | reinterpret_cast<uintptr_t>(output_)) % 64 == 0 &&
           cpu::ShouldStream(total * sizeof(T));
  }

  const Plan& plan_;
  const WindowLoop& loop_;
  const WindowAxis& width_;
  const Layout& layout_;
  const Functions<T> functions_;
  const RowFunctions::Sum<float, float> sum_floats_;
  void (*const power_)(const float* row, int64_t count, uint32_t p, float* powers);
  const Rows read_, written_;
  const T* input_;
  T* output_;
  RowBuffers buffers_;
  float* results_;
  float* widths_;
  bool is_uniform_ = true;
  bool stream_ = false;
  int64_t group_ = -1;
  // Of the last row of gradients. Those of a row that no window covers are all zeros.
  static constexpr std::array<int64_t, 4> kNoRow = {-1, -1, -1, -1};
  std::array<int64_t, 4> windows_ = kNoRow;
  int64_t lanes_ = 0;
  const T* group_input_ = nullptr;
  T* group_output_ = nullptr;
  // Per tap of the width: the phase of its column, the distance from the zeros of a row of shares
  // to its run there, and its place in a buffer of phases; and where the first columns go.
  std::array<int64_t, kMaxTaps> phases_, backs_, places_;
  std::array<int64_t, kMaxStride> starts_;
  std::array<const float*, kMaxStride> merged_;  // where columns are merged from
  const float* taps_[kMaxTaps];
};

template <bool kGradient>
void Run(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  const Layout layout = LayoutOf(plan, kGradient);
  const WindowLoop& loop = plan.loop;
  const int64_t groups = layout.lanes == 1 ? loop.PlaneCount() : loop.batches * layout.chunks;
  const int64_t rows = kGradient ? loop.InputRowsPerPlane() : loop.OutputRowsPerPlane();
  const auto size_of = [&](int axis) {
    return kGradient ? loop.axes[axis].input_size : loop.axes[axis].output_size;
  };
  const int64_t heights = size_of(kHeight), depths = size_of(kDepth);
  const int64_t row_elements = loop.axes[kWidth].input_size * layout.lanes;
  DispatchType(TypeList<float, Float16>(), plan.data_type, [&]<typename T>() {
    executor.ParallelFor(
        static_cast<uint64_t>(groups * rows),
        std::max<uint64_t>(1, cpu::kElementsPerUnit / static_cast<uint64_t>(row_elements)),
        [&](uint64_t begin, uint64_t end) {
          alignas(64) float scratch[kScratchFloats];
          Worker<T> worker(plan, layout, kGradient, bindings, scratch);
          const auto first = static_cast<int64_t>(begin);
          WindowRow row = kGradient ? InputRow(loop, first) : OutputRow(loop, first);
          for (uint64_t i = begin; i < end; ++i) {
            kGradient ? worker.Gradient(row) : worker.Average(row);
            if (++row.height < heights) continue;
            row.height = 0;
            if (++row.depth < depths) continue;
            row.depth = 0;
            ++row.plane;
          }
          if (worker.streams()) hwy::FlushStream();
        });
  });
}

}  // namespace

Refusal AcceptsRowSums(const Plan& plan) { return Accepts(plan, false); }
Refusal AcceptsRowGradients(const Plan& plan) { return Accepts(plan, true); }

void RunRowSums(const Plan& plan, const NoTables&, const Bindings& bindings,
                const cpu::Executor& executor) {
  Run<false>(plan, bindings, executor);
}
void RunRowGradients(const Plan& plan, const NoTables&, const Bindings& bindings,
                     const cpu::Executor& executor) {
  Run<true>(plan, bindings, executor);
}

}  // namespace anydml::window::average
