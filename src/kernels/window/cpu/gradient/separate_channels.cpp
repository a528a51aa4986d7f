// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Channels side by side, and no element seen by two windows: a window is
// finished at once, channel by channel, straight from memory to memory.
#include "kernels/window/cpu/gradient/cells.h"
#include "kernels/window/cpu/gradient/lines.h"
#include "kernels/window/cpu/gradient/strategies.h"
#include "kernels/window/gradient.h"
#include "kernels/window/plan.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/window/cpu/gradient/separate_channels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/streaming-inl.h"
#include "kernels/window/cpu/maximum_keys-inl.h"

#ifndef ANYDML_KERNELS_WINDOW_GRADIENT_SEPARATE_CHANNELS_ONCE_
#define ANYDML_KERNELS_WINDOW_GRADIENT_SEPARATE_CHANNELS_ONCE_
namespace anydml::window::gradient {

inline constexpr int64_t kMaxWindowTaps = 256;
inline constexpr int64_t kManyTaps = 16, kManyChannels = 128;
inline constexpr int64_t kPieceBytes = 8192;  // the processor asks ahead within a page of 4096

// The taps of a window: element offsets from its first one.
struct TapOffsets {
  int64_t count = 0;
  std::array<int64_t, kMaxWindowTaps> input;
  std::array<int64_t, kMaxWindowTaps> gradient;

  void Fill(const Plan& plan, const WindowTaps& taps) {
    count = 0;
    const auto& [depth, height, width] = taps;
    for (int64_t i = 0; i < depth.count; ++i) {
      for (int64_t j = 0; j < height.count; ++j) {
        for (int64_t k = 0; k < width.count; ++k) {
          const std::array<int64_t, 3> p = {i * depth.step, j * height.step, k * width.step};
          const auto at = static_cast<size_t>(count++);
          input[at] = gradient[at] = 0;
          for (size_t axis = 0; axis < 3; ++axis) {
            input[at] += p[axis] * plan.input.spatial[axis];
            gradient[at] += p[axis] * plan.output_gradient.spatial[axis];
          }
        }
      }
    }
  }
};

}  // namespace anydml::window::gradient
#endif

HWY_BEFORE_NAMESPACE();
namespace anydml::window::gradient {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace vectors = anydml::cpu::HWY_NAMESPACE;

template <typename T>
using Lanes = hn::ScalableTag<vectors::BitsOf<T>>;

template <class D, typename T>
HWY_INLINE void Put(D d, hn::Vec<D> sum, T* to, bool stream) {
  if (stream) {
    hn::Stream(sum, d, reinterpret_cast<hn::TFromD<D>*>(to));
  } else {
    vectors::StoreElementBits(d, sum, to);
  }
}

// kTaps taps, or 0 for any number; kVectors vectors of channels side by side.
template <int kTaps, int kVectors, typename T, class D>
HWY_INLINE void HandOutBlock(D d, const TapOffsets& taps, const T* x, const T* dy, T* dx,
                             bool stream) {
  using Lane = hn::TFromD<D>;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t count = kTaps != 0 ? kTaps : taps.count;
  const auto key = [&](int64_t t, int64_t v) HWY_ATTR {
    const T* from = x + taps.input[static_cast<size_t>(t)] + v * lanes;
    return vectors::ElementKeys(d, vectors::LoadElementBits(d, from));
  };
  hn::Vec<D> best[kVectors], winner[kVectors], gradient[kVectors];
  for (int v = 0; v < kVectors; ++v) {
    best[v] = key(0, v);
    winner[v] = hn::Zero(d);
    gradient[v] = vectors::SingleTerm(d, vectors::LoadElementBits(d, dy + v * lanes));
  }
  for (int64_t t = 1; t < count; ++t) {
    const auto number = hn::Set(d, static_cast<Lane>(t));
    for (int v = 0; v < kVectors; ++v) {
      const auto next = key(t, v);
      // `>` and not `>=`: the first of equal keys wins.
      winner[v] = hn::IfThenElse(hn::Gt(next, best[v]), number, winner[v]);
      best[v] = hn::Max(next, best[v]);
    }
  }
  for (int64_t t = 0; t < count; ++t) {
    const auto number = hn::Set(d, static_cast<Lane>(t));
    for (int v = 0; v < kVectors; ++v) {
      const auto sum = hn::IfThenElseZero(hn::Eq(winner[v], number), gradient[v]);
      Put(d, sum, dx + taps.gradient[static_cast<size_t>(t)] + v * lanes, stream);
    }
  }
}

// Windows of many taps over many channels would jump through memory for every
// vector. Here tap after tap goes through a long piece of channels, whose best
// keys and winners wait in the first-level cache.
template <typename T>
void HandOutTapByTap(const TapOffsets& taps, const T* x, const T* dy, T* dx, int64_t channels,
                     bool stream) {
  using Lane = vectors::BitsOf<T>;
  const Lanes<T> d;
  constexpr auto kPieceChannels = kPieceBytes / static_cast<int64_t>(sizeof(T));
  HWY_ALIGN Lane best[kPieceChannels], winner[kPieceChannels];
  for (int64_t c = 0; c < channels; c += kPieceChannels) {
    const int64_t count = std::min(kPieceChannels, channels - c);
    for (int64_t t = 0; t < taps.count; ++t) {
      const T* from = x + taps.input[static_cast<size_t>(t)] + c;
      vectors::ForEachBlock(d, count, [&](auto tag, int64_t i) HWY_ATTR {
        const auto key = vectors::ElementKeys(tag, vectors::LoadElementBits(tag, from + i));
        const auto old =
            t == 0 ? hn::Set(tag, std::numeric_limits<Lane>::min()) : hn::LoadU(tag, best + i);
        const auto old_winner = t == 0 ? hn::Zero(tag) : hn::LoadU(tag, winner + i);
        const auto number = hn::Set(tag, static_cast<Lane>(t));
        hn::StoreU(hn::IfThenElse(hn::Gt(key, old), number, old_winner), tag, winner + i);
        hn::StoreU(hn::Max(key, old), tag, best + i);
      });
    }
    for (int64_t t = 0; t < taps.count; ++t) {
      T* to = dx + taps.gradient[static_cast<size_t>(t)] + c;
      vectors::ForEachBlock(d, count, [&](auto tag, int64_t i) HWY_ATTR {
        const auto won = hn::Eq(hn::LoadU(tag, winner + i), hn::Set(tag, static_cast<Lane>(t)));
        const auto gradient = vectors::SingleTerm(tag, vectors::LoadElementBits(tag, dy + c + i));
        const auto sum = hn::IfThenElseZero(won, gradient);
        Put(tag, sum, to + i, stream);
      });
    }
  }
}

// Four vectors at a time make longer pieces where a window has many taps.
template <int kTaps, typename T>
HWY_INLINE void HandOut(const TapOffsets& taps, const T* x, const T* dy, T* dx, int64_t channels,
                        bool stream) {
  const Lanes<T> d;
  const auto wide = 4 * static_cast<int64_t>(hn::Lanes(d));
  int64_t c = 0;
  if (kTaps == 0) {
    for (; c + wide <= channels; c += wide) {
      HandOutBlock<kTaps, 4>(d, taps, x + c, dy + c, dx + c, stream);
    }
  }
  vectors::ForEachBlock(d, channels - c, [&](auto tag, int64_t i) HWY_ATTR {
    HandOutBlock<kTaps, 1>(tag, taps, x + c + i, dy + c + i, dx + c + i, stream);
  });
}

// One row of windows over some channels.
template <typename T>
class ChannelRow {
 public:
  ChannelRow(const Plan& plan, const Bindings& bindings) : plan_(plan), bindings_(bindings) {
    for (size_t i = 0; i < 3; ++i) axes_[i] = cpu::SeparateSingleWindow(plan.loop.axes[i]);
    const auto& [depth, height, width] = plan.output_gradient.spatial;
    stream_ =
        ShouldStreamLines(plan, bindings.Output<T>(0), hn::Lanes(Lanes<T>()) * sizeof(T),
                          {plan.output_gradient.batch, depth, height, width, plan.loop.channels});
  }

  void Run(int64_t batch, int64_t od, int64_t oh, IndexRange channels) {
    const auto& [depth, height, width] = axes_;
    const int64_t count = channels.end - channels.begin;
    const auto start = [&](const PlaneStrides& s) { return batch * s.batch + channels.begin; };
    const T* x = bindings_.Input<T>(0) + start(plan_.input);
    const T* dy = bindings_.Input<T>(1) + start(plan_.input_gradient) +
                  od * plan_.input_gradient.spatial[0] + oh * plan_.input_gradient.spatial[1];
    T* dx = bindings_.Output<T>(0) + start(plan_.output_gradient);
    WindowTaps taps = {TapsOf(depth, od), TapsOf(height, oh), {}};
    ZeroOutsideTaps(od, oh, taps, dx, count);
    int64_t shape = -1;
    for (int64_t ow = 0; ow < width.output_size; ++ow) {
      taps.width = TapsOf(width, ow);
      if (taps.depth.count == 0 || taps.height.count == 0 || taps.width.count == 0) continue;
      if (taps.width.count != shape) offsets_.Fill(plan_, taps);
      shape = taps.width.count;
      const auto first = [&](const PlaneStrides& s) {
        return taps.depth.first * s.spatial[0] + taps.height.first * s.spatial[1] +
               taps.width.first * s.spatial[2];
      };
      const T* from = x + first(plan_.input);
      const T* window = dy + ow * plan_.input_gradient.spatial[2];
      T* to = dx + first(plan_.output_gradient);
      if (offsets_.count == 4) {
        HandOut<4>(offsets_, from, window, to, count, stream_);
      } else if (offsets_.count == 8) {
        HandOut<8>(offsets_, from, window, to, count, stream_);
      } else if (offsets_.count >= kManyTaps && count >= kManyChannels) {
        HandOutTapByTap(offsets_, from, window, to, count, stream_);
      } else {
        HandOut<0>(offsets_, from, window, to, count, stream_);
      }
    }
  }

 private:
  // The elements of the row's cell that its windows do not see.
  void ZeroOutsideTaps(int64_t od, int64_t oh, const WindowTaps& taps, T* dx,
                       int64_t channels) const {
    const auto& [depth, height, width] = axes_;
    const PlaneStrides& strides = plan_.output_gradient;
    const IndexRange depths = CellOf(depth, od), heights = CellOf(height, oh);
    const bool whole = CoversCells(width);
    for (int64_t d = depths.begin; d < depths.end; ++d) {
      for (int64_t h = heights.begin; h < heights.end; ++h) {
        T* row = dx + d * strides.spatial[0] + h * strides.spatial[1];
        const bool seen = TapNumber(taps.depth, d) >= 0 && TapNumber(taps.height, h) >= 0;
        if (seen && whole) continue;
        for (int64_t w = 0; w < width.input_size; ++w) {
          if (seen && WindowsOver(width, w).count != 0) continue;
          std::fill_n(row + w * strides.spatial[2], channels, T{});
        }
      }
    }
  }

  const Plan& plan_;
  const Bindings& bindings_;
  std::array<WindowAxis, 3> axes_;
  bool stream_;
  TapOffsets offsets_;
};

template <typename T>
void RunChannels(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  const WindowLoop& loop = plan.loop;
  const int64_t depths = loop.axes[0].output_size, heights = loop.axes[1].output_size;
  const int64_t rows = loop.batches * depths * heights;
  const int64_t wanted = CeilDivideSigned(int64_t{8} * executor.threads(), rows);
  cpu::Parts parts =
      cpu::Parts::Of(loop.channels, std::max<int64_t>(64, CeilDivideSigned(loop.channels, wanted)));
  parts.length = CeilDivideSigned(parts.length, 32) * 32;  // whole lines
  parts.count = CeilDivideSigned(loop.channels, parts.length);
  const uint64_t elements =
      static_cast<uint64_t>(loop.axes[2].output_size * parts.length) * loop.MostTaps();
  executor.ParallelFor(static_cast<uint64_t>(rows * parts.count),
                       cpu::kElementsPerUnit / std::max<uint64_t>(1, elements),
                       [&](uint64_t begin, uint64_t end) HWY_ATTR {
                         ChannelRow<T> row(plan, bindings);
                         for (auto unit = static_cast<int64_t>(begin);
                              unit < static_cast<int64_t>(end); ++unit) {
                           const int64_t number = unit / parts.count;
                           row.Run(number / heights / depths, number / heights % depths,
                                   number % heights, parts.Part(unit % parts.count, loop.channels));
                         }
                         hwy::FlushStream();
                       });
}

void SeparateChannels(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  DispatchType(Types(), plan.data_type,
               [&]<typename T>() HWY_ATTR { RunChannels<T>(plan, bindings, executor); });
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::window::gradient
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::window::gradient {
namespace {

HWY_EXPORT(SeparateChannels);

}  // namespace

Refusal AcceptsSeparateChannels(const Plan& plan) {
  if (plan.loop.channels == 1 || plan.input.channel != 1 || plan.input_gradient.channel != 1 ||
      plan.output_gradient.channel != 1) {
    return {"channels do not lie side by side in every tensor"};
  }
  for (const WindowAxis& axis : plan.loop.axes) {
    if (cpu::WindowsOverlap(cpu::SeparateSingleWindow(axis))) return {"windows overlap"};
  }
  if (plan.loop.MostTaps() > static_cast<uint64_t>(kMaxWindowTaps)) {
    return {"the window has too many taps"};
  }
  return kAccepted;
}

void RunSeparateChannels(const Plan& plan, const NoTables&, const Bindings& bindings,
                         const cpu::Executor& executor) {
  HWY_DYNAMIC_DISPATCH(SeparateChannels)(plan, bindings, executor);
}

}  // namespace anydml::window::gradient
#endif  // HWY_ONCE
