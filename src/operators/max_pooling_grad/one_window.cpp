// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// One window that sees the whole plane (global pooling) over columns side by
// side: the vector is a piece of the plane, and the plane has one winner. Small
// planes go through a stage several at a time, which makes them packed where
// they are not, and whole lines where they are to go past the caches.
#include <cstring>

#include "operators/max_pooling_grad/formula.h"
#include "operators/max_pooling_grad/plan.h"
#include "operators/max_pooling_grad/strategies.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "operators/max_pooling_grad/one_window.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/streaming-inl.h"
#include "operators/max_pooling_grad/small_plane-inl.h"

#ifndef ANYDML_MAX_POOLING_GRAD_ONE_WINDOW_ONCE_
#define ANYDML_MAX_POOLING_GRAD_ONE_WINDOW_ONCE_
namespace anydml::max_pooling_grad {

inline constexpr int64_t kPlaneStageBytes = 8192;
inline constexpr int64_t kMostStagedPlanes = 64;

}  // namespace anydml::max_pooling_grad
#endif

HWY_BEFORE_NAMESPACE();
namespace anydml::max_pooling_grad {
namespace HWY_NAMESPACE {

// Planes [begin, end).
template <typename T>
void RunPlanes(const Plan& plan, const Bindings& bindings, int64_t begin, int64_t end) {
  const WindowLoop& loop = plan.loop;
  const cpu::PlaneRuns inputs(loop, plan.input), outputs(loop, plan.output_gradient);
  int64_t batch = begin / loop.channels, channel = begin % loop.channels;
  for (int64_t plane = begin; plane < end; ++plane) {
    const auto offset = [&](const PlaneStrides& s) {
      return batch * s.batch + channel * s.channel;
    };
    const T* x = bindings.Input<T>(0) + offset(plan.input);
    T* dx = bindings.Output<T>(0) + offset(plan.output_gradient);
    for (int64_t run = 0; run < outputs.count(); ++run) {
      std::memset(static_cast<void*>(dx + outputs.Offset(run)), 0,
                  static_cast<size_t>(outputs.length) * sizeof(T));
    }
    const cpu::RunElement first = vectors::FirstMaximum(x, inputs);
    int64_t to = outputs.Offset(first.run) + first.position;
    if (inputs.length != outputs.length) {
      const int64_t index = first.run * inputs.length + first.position;
      to = outputs.Offset(index / outputs.length) + index % outputs.length;
    }
    Round(0.0f + Widen(bindings.Input<T>(1)[offset(plan.input_gradient)]), dx[to]);
    if (++channel == loop.channels) {
      channel = 0;
      ++batch;
    }
  }
}

// A run that is shorter than two registers, mostly: no call.
template <typename Bits>
HWY_INLINE void CopyRun(Bits* to, const Bits* from, int64_t count) {
  vectors::ForEachBlock(hn::ScalableTag<Bits>(), count, [&](auto tag, int64_t i) HWY_ATTR {
    hn::StoreU(hn::LoadU(tag, from + i), tag, to + i);
  });
}

// Planes of one batch, several at a time.
template <typename T>
class SmallPlanes {
 public:
  using Bits = vectors::BitsOf<T>;

  SmallPlanes(const Plan& plan, const Bindings& bindings)
      : plan_(plan),
        bindings_(bindings),
        size_(plan.loop.InputPlaneSize()),
        inputs_(plan.loop, plan.input),
        outputs_(plan.loop, plan.output_gradient),
        x_packed_(inputs_.count() == 1),
        stream_(ShouldStream()) {
    const int64_t fit = kPlaneStageBytes / static_cast<int64_t>(sizeof(T)) / size_;
    // So many make whole lines.
    group_ = fit >= 32 ? std::min(fit / 32 * 32, kMostStagedPlanes) : fit;
  }

  void Run(int64_t begin, int64_t end) {
    const int64_t channels = plan_.loop.channels;
    for (int64_t plane = begin; plane < end;) {
      const int64_t batch = plane / channels, channel = plane % channels;
      const int64_t count = std::min({group_, end - plane, channels - channel});
      RunGroup(batch, channel, count);
      plane += count;
    }
    hwy::FlushStream();
  }

 private:
  bool ShouldStream() const {
    const bool side_by_side = outputs_.count() == 1 && plan_.output_gradient.channel == size_;
    const auto elements = static_cast<uint64_t>(plan_.loop.PlaneCount() * (2 * size_ + 1));
    return side_by_side && cpu::ShouldStream(elements * sizeof(T));
  }

  void RunGroup(int64_t batch, int64_t channel, int64_t count) {
    const auto start = [&](const PlaneStrides& s) { return batch * s.batch + channel * s.channel; };
    const auto* x = reinterpret_cast<const Bits*>(bindings_.Input<T>(0) + start(plan_.input));
    const T* dy = bindings_.Input<T>(1) + start(plan_.input_gradient);
    auto* dx = reinterpret_cast<Bits*>(bindings_.Output<T>(0) + start(plan_.output_gradient));
    const bool direct = outputs_.count() == 1 && !stream_;
    if (!x_packed_) {
      MoveRuns(inputs_, count, [&](int64_t plane, int64_t run, int64_t at) HWY_ATTR {
        CopyRun(x_stage_ + at, x + plane * plan_.input.channel + run, inputs_.length);
      });
    }
    for (int64_t i = 0; i < count; ++i) {
      Bits gradient;
      std::memcpy(&gradient, dy + i * plan_.input_gradient.channel, sizeof gradient);
      // What a sum of this one term gives: -0 becomes +0 (B13).
      if (gradient == std::numeric_limits<Bits>::min()) gradient = 0;
      const Bits* from = x_packed_ ? x + i * plan_.input.channel : x_stage_ + i * size_;
      Bits* to = direct ? dx + i * plan_.output_gradient.channel : dx_stage_ + i * size_;
      HandOutSmallPlane(hn::ScalableTag<Bits>(), from, size_, gradient, to);
    }
    if (stream_) {
      vectors::StreamCopy(dx, dx_stage_, static_cast<size_t>(count * size_));
    } else if (!direct) {
      MoveRuns(outputs_, count, [&](int64_t plane, int64_t run, int64_t at) HWY_ATTR {
        CopyRun(dx + plane * plan_.output_gradient.channel + run, dx_stage_ + at, outputs_.length);
      });
    }
  }

  template <class Move>
  HWY_INLINE void MoveRuns(const cpu::PlaneRuns& runs, int64_t count, const Move& move) const {
    for (int64_t plane = 0, at = 0; plane < count; ++plane) {
      for (int64_t depth = 0; depth < runs.depths; ++depth) {
        for (int64_t height = 0; height < runs.heights; ++height, at += runs.length) {
          move(plane, depth * runs.depth_stride + height * runs.height_stride, at);
        }
      }
    }
  }

  const Plan& plan_;
  const Bindings& bindings_;
  const int64_t size_;
  const cpu::PlaneRuns inputs_;
  const cpu::PlaneRuns outputs_;
  const bool x_packed_;
  const bool stream_;
  int64_t group_;
  alignas(64) Bits x_stage_[kPlaneStageBytes / sizeof(T)];
  alignas(64) Bits dx_stage_[kPlaneStageBytes / sizeof(T)];
};

void OneWindow(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  const auto planes = static_cast<uint64_t>(plan.loop.PlaneCount());
  const auto elements = static_cast<uint64_t>(plan.loop.InputPlaneSize());
  DispatchType(Types(), plan.data_type, [&]<typename T>() HWY_ATTR {
    executor.ParallelFor(
        planes, cpu::kElementsPerUnit / elements, [&](uint64_t begin, uint64_t end) HWY_ATTR {
          const auto first = static_cast<int64_t>(begin), last = static_cast<int64_t>(end);
          if (IsSmallPlane<T>(plan.loop.InputPlaneSize())) {
            SmallPlanes<T>(plan, bindings).Run(first, last);
          } else {
            RunPlanes<T>(plan, bindings, first, last);
          }
        });
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::max_pooling_grad
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::max_pooling_grad {
namespace {

HWY_EXPORT(OneWindow);

}  // namespace

Refusal AcceptsOneWindow(const Plan& plan) {
  if (plan.input.spatial[WindowLoop::kWidth] != 1 ||
      plan.output_gradient.spatial[WindowLoop::kWidth] != 1) {
    return {"the innermost stride of InputTensor or OutputGradientTensor is not 1"};
  }
  if (!cpu::SeesWholePlane(plan.loop)) return {"a plane has more than one window"};
  return kAccepted;
}

void RunOneWindow(const Plan& plan, const NoTables&, const Bindings& bindings,
                  const cpu::Executor& executor) {
  HWY_DYNAMIC_DISPATCH(OneWindow)(plan, bindings, executor);
}

}  // namespace anydml::max_pooling_grad
#endif  // HWY_ONCE
