// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Channels side by side, no indices: a window at a time, channel by channel,
// straight from memory to memory.
#include "kernels/window/cpu/maxima/strategies.h"
#include "kernels/window/cpu/window_tiles.h"
#include "kernels/window/maximum.h"
#include "kernels/window/plan.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/window/cpu/maxima/channel_windows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/window/cpu/maximum_keys-inl.h"

#ifndef ANYDML_KERNELS_WINDOW_MAXIMA_CHANNEL_WINDOWS_ONCE_
#define ANYDML_KERNELS_WINDOW_MAXIMA_CHANNEL_WINDOWS_ONCE_
namespace anydml::window::maxima {

inline constexpr int64_t kMaxWindowTaps = 256;
inline constexpr uint64_t kMaxSharedTaps = 16;
inline constexpr int64_t kManyTaps = 32;
inline constexpr int64_t kManyChannels = 256;
inline constexpr int64_t kPieceBytes = 8192;  // the processor asks ahead within a page of 4096

// The taps of a window: element offsets from its first one.
struct TapOffsets {
  int64_t count = 0;
  std::array<int64_t, kMaxWindowTaps> offsets;

  void Fill(const PlaneStrides& strides, const WindowTaps& taps) {
    count = 0;
    for (int64_t i = 0; i < taps.depth.count; ++i) {
      for (int64_t j = 0; j < taps.height.count; ++j) {
        for (int64_t k = 0; k < taps.width.count; ++k) {
          offsets[static_cast<size_t>(count++)] = i * taps.depth.step * strides.spatial[0] +
                                                  j * taps.height.step * strides.spatial[1] +
                                                  k * taps.width.step * strides.spatial[2];
        }
      }
    }
  }
};

}  // namespace anydml::window::maxima
#endif

HWY_BEFORE_NAMESPACE();
namespace anydml::window::maxima {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace vectors = anydml::cpu::HWY_NAMESPACE;

// The bits of the first maximum so far (B4, B6).
template <class D>
struct RunningMaximum {
  hn::Vec<D> bits;
  hn::Vec<D> key;  // of 16-bit elements

  HWY_INLINE void Start(D d, hn::Vec<D> first) {
    bits = first;
    key = sizeof(hn::TFromD<D>) == 2 ? vectors::ElementKeys(d, first) : first;
  }
  HWY_INLINE void Next(D d, hn::Vec<D> next) {
    if constexpr (sizeof(hn::TFromD<D>) == 2) {
      const auto next_key = vectors::ElementKeys(d, next);
      bits = hn::IfThenElse(hn::Gt(next_key, key), next, bits);
      key = hn::Max(next_key, key);
    } else {
      // A NaN is not less or equal, and once found it stays.
      const hn::RebindToFloat<D> df;
      const auto x = hn::BitCast(df, next), best = hn::BitCast(df, bits);
      const auto stays = hn::Or(hn::Le(x, best), hn::IsNaN(best));
      bits = hn::BitCast(d, hn::IfThenElse(stays, best, x));
    }
  }
};

// The same for FLOAT32 without NaN, and whether there was none. Both infinities in one
// window count as one: their sum is.
template <int kVectors, class D>
HWY_INLINE bool PlainMaximaOfBlock(D, const TapOffsets& taps, const float* x, float* y) {
  const hn::RebindToFloat<D> df;
  const auto lanes = static_cast<int64_t>(hn::Lanes(df));
  hn::Vec<decltype(df)> best[kVectors], sum[kVectors];
  HWY_UNROLL(8)
  for (int v = 0; v < kVectors; ++v) best[v] = sum[v] = hn::LoadU(df, x + v * lanes);
  for (int64_t t = 1; t < taps.count; ++t) {
    const float* const tap = x + taps.offsets[static_cast<size_t>(t)];
    HWY_UNROLL(8)
    for (int v = 0; v < kVectors; ++v) {
      const auto next = hn::LoadU(df, tap + v * lanes);
      sum[v] = hn::Add(sum[v], next);
      best[v] = vectors::FirstGreater(df, best[v], next);
    }
  }
  auto nan = hn::IsNaN(sum[0]);
  HWY_UNROLL(8)
  for (int v = 1; v < kVectors; ++v) nan = hn::Or(nan, hn::IsNaN(sum[v]));
  if (!hn::AllFalse(df, nan)) return false;
  HWY_UNROLL(8)
  for (int v = 0; v < kVectors; ++v) hn::StoreU(best[v], df, y + v * lanes);
  return true;
}

// kVectors vectors of channels side by side.
template <int kVectors, typename T, class D>
HWY_INLINE void MaximaOfBlock(D d, const TapOffsets& taps, const T* x, T* y) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  if constexpr (sizeof(T) == 4) {
    if (PlainMaximaOfBlock<kVectors>(d, taps, x, y)) return;
  }
  RunningMaximum<D> maxima[kVectors];
  HWY_UNROLL(8)
  for (int v = 0; v < kVectors; ++v) {
    maxima[v].Start(d, vectors::LoadElementBits(d, x + v * lanes));
  }
  for (int64_t t = 1; t < taps.count; ++t) {
    const T* const tap = x + taps.offsets[static_cast<size_t>(t)];
    HWY_UNROLL(8)
    for (int v = 0; v < kVectors; ++v) {
      maxima[v].Next(d, vectors::LoadElementBits(d, tap + v * lanes));
    }
  }
  HWY_UNROLL(8)
  for (int v = 0; v < kVectors; ++v) {
    vectors::StoreElementBits(d, maxima[v].bits, y + v * lanes);
  }
}

// Windows of many taps over many channels would jump through memory for every vector.
// Here a few taps after the other go through a long piece of channels; the maxima so
// far wait in the output, which is in the first-level cache.
template <typename T>
void MaximaTapByTap(const TapOffsets& taps, const T* x, T* y, int64_t channels) {
  constexpr auto kPiece = kPieceBytes / static_cast<int64_t>(sizeof(T));
  constexpr int64_t kTaps = 4;
  const hn::ScalableTag<vectors::BitsOf<T>> d;
  for (int64_t c = 0; c < channels; c += kPiece) {
    const int64_t count = std::min(kPiece, channels - c);
    for (int64_t t = 0; t < taps.count; t += kTaps) {
      const int64_t end = std::min(t + kTaps, taps.count);
      vectors::ForEachBlock(d, count, [&](auto tag, int64_t i) HWY_ATTR {
        RunningMaximum<decltype(tag)> maximum;
        maximum.Start(tag, vectors::LoadElementBits(tag, (t == 0 ? x : y) + c + i));
        for (int64_t tap = t; tap < end; ++tap) {
          const T* from = x + taps.offsets[static_cast<size_t>(tap)] + c + i;
          maximum.Next(tag, vectors::LoadElementBits(tag, from));
        }
        vectors::StoreElementBits(tag, maximum.bits, y + c + i);
      });
    }
  }
}

template <typename T>
HWY_INLINE void MaximaOfWindow(const TapOffsets& taps, const T* x, T* y, int64_t channels) {
  const hn::ScalableTag<vectors::BitsOf<T>> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  if (taps.count >= kManyTaps && channels >= kManyChannels) {
    return MaximaTapByTap(taps, x, y, channels);
  }
  int64_t c = 0;
  for (; c + 8 * lanes <= channels; c += 8 * lanes) MaximaOfBlock<8>(d, taps, x + c, y + c);
  for (; c + 2 * lanes <= channels; c += 2 * lanes) MaximaOfBlock<2>(d, taps, x + c, y + c);
  vectors::ForEachBlock(d, channels - c, [&](auto tag, int64_t i) HWY_ATTR {
    MaximaOfBlock<1>(tag, taps, x + c + i, y + c + i);
  });
}

// One row of windows over some channels.
template <typename T>
void MaximaOfRow(const Plan& plan, const Bindings& bindings, const WindowRow& row,
                 IndexRange channels) {
  const auto& [depth, height, width] = plan.loop.axes;
  const int64_t count = channels.end - channels.begin;
  const T* x = bindings.Input<T>(0) + row.plane * plan.input.batch + channels.begin;
  T* y = bindings.Output<T>(0) + row.plane * plan.output.batch + channels.begin +
         row.depth * plan.output.spatial[0] + row.height * plan.output.spatial[1];
  WindowTaps taps = {TapsOf(depth, row.depth), TapsOf(height, row.height), {}};
  TapOffsets offsets;
  int64_t shape = -1;
  for (int64_t o = 0; o < width.output_size; ++o, y += plan.output.spatial[2]) {
    taps.width = TapsOf(width, o);
    if (taps.depth.count == 0 || taps.height.count == 0 || taps.width.count == 0) {
      std::fill_n(y, count, LowestValue<T>());
      continue;
    }
    if (taps.width.count != shape) offsets.Fill(plan.input, taps);
    shape = taps.width.count;
    MaximaOfWindow(offsets,
                   x + taps.depth.first * plan.input.spatial[0] +
                       taps.height.first * plan.input.spatial[1] +
                       taps.width.first * plan.input.spatial[2],
                   y, count);
  }
}

template <typename T>
void RunRows(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  const WindowLoop& loop = plan.loop;
  const int64_t depths = loop.axes[0].output_size, heights = loop.axes[1].output_size;
  const int64_t rows = loop.batches * depths * heights;
  const int64_t wanted = CeilDivideSigned(int64_t{8} * executor.threads(), rows);
  const cpu::Parts parts =
      cpu::Parts::Of(loop.channels, std::max<int64_t>(64, CeilDivideSigned(loop.channels, wanted)));
  const uint64_t elements =
      static_cast<uint64_t>(loop.axes[2].output_size * parts.length) * loop.MostTaps();
  executor.ParallelFor(
      static_cast<uint64_t>(rows * parts.count),
      cpu::kElementsPerUnit / std::max<uint64_t>(1, elements),
      [&](uint64_t begin, uint64_t end) HWY_ATTR {
        for (auto unit = static_cast<int64_t>(begin); unit < static_cast<int64_t>(end); ++unit) {
          const int64_t row = unit / parts.count;
          MaximaOfRow<T>(plan, bindings,
                         {row / heights / depths, row / heights % depths, row % heights},
                         parts.Part(unit % parts.count, loop.channels));
        }
      });
}

void ChannelWindows(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  DispatchType(TypeList<float, Float16>(), plan.data_type,
               [&]<typename T>() HWY_ATTR { RunRows<T>(plan, bindings, executor); });
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::window::maxima
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::window::maxima {
namespace {

HWY_EXPORT(ChannelWindows);

}  // namespace

Refusal AcceptsChannelWindows(const Plan& plan) {
  if (!SetOf(TypeList<float, Float16>()).Contains(plan.data_type)) {
    return {"the data type is neither FLOAT32 nor FLOAT16"};
  }
  if (plan.index_type != DataType::kUnknown) return {"indices are wanted"};
  if (plan.loop.channels < cpu::kMaxLanes || plan.input.channel != 1 || plan.output.channel != 1) {
    return {"channels do not lie side by side, or are fewer than 16"};
  }
  const uint64_t taps = plan.loop.MostTaps();
  if (taps > static_cast<uint64_t>(kMaxWindowTaps)) return {"the window has too many taps"};
  for (const WindowAxis& axis : plan.loop.axes) {
    // Looking at every tap anew costs more than the buffers of row_maxima.
    if (taps > kMaxSharedTaps && cpu::WindowsOverlap(cpu::SeparateSingleWindow(axis))) {
      return {"large windows overlap"};
    }
  }
  return kAccepted;
}

void RunChannelWindows(const Plan& plan, const NoTables&, const Bindings& bindings,
                       const cpu::Executor& executor) {
  HWY_DYNAMIC_DISPATCH(ChannelWindows)(plan, bindings, executor);
}

}  // namespace anydml::window::maxima
#endif  // HWY_ONCE
