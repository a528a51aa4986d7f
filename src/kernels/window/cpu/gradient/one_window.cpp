// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// One window that sees the whole plane (global pooling) over columns side by
// side: the vector is a piece of the plane, and the plane has one winner. Small
// planes for non-temporal stores are put together to whole lines first.
#include <cstring>

#include "kernels/window/cpu/gradient/strategies.h"
#include "kernels/window/gradient.h"
#include "kernels/window/plan.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/window/cpu/gradient/one_window.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/streaming-inl.h"
#include "kernels/window/cpu/gradient/one_window-inl.h"

#ifndef ANYDML_KERNELS_WINDOW_GRADIENT_ONE_WINDOW_ONCE_
#define ANYDML_KERNELS_WINDOW_GRADIENT_ONE_WINDOW_ONCE_
namespace anydml::window::gradient {

inline constexpr int64_t kPlaneStageBytes = 8192;
inline constexpr int64_t kMaxStagedPlanes = 64;
inline constexpr uintptr_t kPrefetchBytes = 2048;

}  // namespace anydml::window::gradient
#endif

HWY_BEFORE_NAMESPACE();
namespace anydml::window::gradient {
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

// The gradient of a window as a sum of one term: -0 becomes +0 (B13).
template <typename T>
HWY_INLINE vectors::BitsOf<T> GradientBits(const T* dy) {
  vectors::BitsOf<T> bits;
  std::memcpy(&bits, dy, sizeof bits);
  return bits == std::numeric_limits<vectors::BitsOf<T>>::min() ? 0 : bits;
}

// Calls group(batch, channel, count) for planes [begin, end), at most `most` of one
// batch at a time.
template <class Group>
HWY_INLINE void ForEachGroup(const WindowLoop& loop, int64_t begin, int64_t end, int64_t most,
                             const Group& group) {
  for (int64_t plane = begin; plane < end;) {
    const int64_t batch = plane / loop.channels, channel = plane % loop.channels;
    const int64_t count = std::min({most, end - plane, loop.channels - channel});
    group(batch, channel, count);
    plane += count;
  }
}

// Planes [begin, end), each of which is packed.
template <typename T>
class SmallPlanes {
 public:
  using Bits = vectors::BitsOf<T>;

  SmallPlanes(const Plan& plan, const Bindings& bindings)
      : plan_(plan),
        bindings_(bindings),
        size_(plan.loop.InputPlaneSize()),
        stream_(ShouldStream()) {
    const int64_t fit = kPlaneStageBytes / static_cast<int64_t>(sizeof(T)) / size_;
    // So many make whole lines.
    group_ = fit >= 32 ? std::min(fit / 32 * 32, kMaxStagedPlanes) : fit;
  }

  void Run(int64_t begin, int64_t end) {
    ForEachGroup(plan_.loop, begin, end, group_,
                 [&](int64_t batch, int64_t channel, int64_t count)
                     HWY_ATTR { RunGroup(batch, channel, count); });
    hwy::FlushStream();
  }

 private:
  bool ShouldStream() const {
    const auto elements = static_cast<uint64_t>(plan_.loop.PlaneCount() * (2 * size_ + 1));
    return plan_.output_gradient.channel == size_ && cpu::ShouldStream(elements * sizeof(T));
  }

  void RunGroup(int64_t batch, int64_t channel, int64_t count) {
    const auto start = [&](const PlaneStrides& s) { return batch * s.batch + channel * s.channel; };
    const auto* x = reinterpret_cast<const Bits*>(bindings_.Input<T>(0) + start(plan_.input));
    const T* dy = bindings_.Input<T>(1) + start(plan_.input_gradient);
    auto* dx = reinterpret_cast<Bits*>(bindings_.Output<T>(0) + start(plan_.output_gradient));
    Bits* const first = stream_ ? stage_ : dx;
    const int64_t x_next = plan_.input.channel, dy_next = plan_.input_gradient.channel;
    const int64_t dx_next = stream_ ? size_ : plan_.output_gradient.channel;
    const int64_t size = size_;
    vectors::WithPlaneVectors(
        hn::ScalableTag<Bits>(), size, [&]<int kVectors, class D>(D d) HWY_ATTR {
          for (int64_t i = 0; i < count; ++i) {
            HandOutPlane<kVectors>(d, x + i * x_next, size, GradientBits(dy + i * dy_next),
                                   first + i * dx_next);
          }
        });
    if (stream_) vectors::StreamCopy(dx, stage_, static_cast<size_t>(count * size_));
  }

  const Plan& plan_;
  const Bindings& bindings_;
  const int64_t size_;
  const bool stream_;
  int64_t group_;
  alignas(64) Bits stage_[kPlaneStageBytes / sizeof(T)];
};

// Planes [begin, end) whose rows lie apart.
template <bool kShorter, typename T, class D>
HWY_NOINLINE void RunGappedPlanes(D d, const Plan& plan, const Bindings& bindings, int64_t begin,
                                  int64_t end) {
  using Bits = vectors::BitsOf<T>;
  const auto& [depth, height, width] = plan.loop.axes;
  const RowsOfPlane rows = {depth.input_size, height.input_size, width.input_size};
  const auto plane = []<typename B>(B* first, const PlaneStrides& s) {
    const auto bytes = std::max<uintptr_t>(1, static_cast<uintptr_t>(s.channel) * sizeof(T));
    return GappedPlane<B>{first, s.spatial[1], s.spatial[0],
                          (kPrefetchBytes + bytes - 1) / bytes * bytes};
  };
  ForEachGroup(plan.loop, begin, end, end - begin,
               [&](int64_t batch, int64_t channel, int64_t count) HWY_ATTR {
                 const auto start = [&](const PlaneStrides& s) {
                   return batch * s.batch + channel * s.channel;
                 };
                 auto x =
                     plane(reinterpret_cast<const Bits*>(bindings.Input<T>(0) + start(plan.input)),
                           plan.input);
                 auto dx = plane(
                     reinterpret_cast<Bits*>(bindings.Output<T>(0) + start(plan.output_gradient)),
                     plan.output_gradient);
                 const T* dy = bindings.Input<T>(1) + start(plan.input_gradient);
                 for (int64_t i = 0; i < count; ++i) {
                   HandOutGappedPlane<kShorter>(d, rows, x, GradientBits(dy), dx);
                   x.first += plan.input.channel;
                   dx.first += plan.output_gradient.channel;
                   dy += plan.input_gradient.channel;
                 }
               });
}

// With the vector that fits the rows.
template <typename T, class D>
void ChooseGappedPlanes(D d, const Plan& plan, const Bindings& bindings, int64_t begin,
                        int64_t end) {
  const int64_t width = plan.loop.axes[WindowLoop::kWidth].input_size;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  if constexpr (hn::MaxLanes(d) > 1) {
    if (width <= lanes / 2) {
      return ChooseGappedPlanes<T>(hn::Half<D>(), plan, bindings, begin, end);
    }
    if (width < lanes) return RunGappedPlanes<true, T>(d, plan, bindings, begin, end);
  }
  RunGappedPlanes<false, T>(d, plan, bindings, begin, end);
}

template <typename T>
void RunSmallPlanes(const Plan& plan, const Bindings& bindings, int64_t begin, int64_t end) {
  const bool packed = cpu::PlaneRuns(plan.loop, plan.input).count() == 1 &&
                      cpu::PlaneRuns(plan.loop, plan.output_gradient).count() == 1;
  if (packed) return SmallPlanes<T>(plan, bindings).Run(begin, end);
  ChooseGappedPlanes<T>(hn::ScalableTag<vectors::BitsOf<T>>(), plan, bindings, begin, end);
}

void OneWindow(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  const auto planes = static_cast<uint64_t>(plan.loop.PlaneCount());
  const auto elements = static_cast<uint64_t>(plan.loop.InputPlaneSize());
  DispatchType(Types(), plan.data_type, [&]<typename T>() HWY_ATTR {
    executor.ParallelFor(
        planes, cpu::kElementsPerUnit / elements, [&](uint64_t begin, uint64_t end) HWY_ATTR {
          const auto first = static_cast<int64_t>(begin), last = static_cast<int64_t>(end);
          if (vectors::IsSmallPlane<T>(plan.loop.InputPlaneSize())) {
            RunSmallPlanes<T>(plan, bindings, first, last);
          } else {
            RunPlanes<T>(plan, bindings, first, last);
          }
        });
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::window::gradient
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::window::gradient {
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

}  // namespace anydml::window::gradient
#endif  // HWY_ONCE
