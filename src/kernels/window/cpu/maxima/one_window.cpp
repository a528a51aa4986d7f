// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// One window that sees the whole plane (global pooling) over columns side by
// side: the vector is a piece of the plane, and the plane has one winner.
#include "kernels/window/cpu/maxima/rows.h"
#include "kernels/window/cpu/maxima/strategies.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/window/cpu/maxima/one_window.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/window/cpu/maximum_runs-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::window::maxima {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace vectors = anydml::cpu::HWY_NAMESPACE;

// Planes [begin, end), each of which is packed and has at most 64 elements.
template <typename T>
void RunSmallPlanes(const Plan& plan, const Bindings& bindings, int64_t begin, int64_t end) {
  using Bits = vectors::BitsOf<T>;
  const WindowLoop& loop = plan.loop;
  const int64_t size = loop.InputPlaneSize();
  const auto run = [&]<int kVectors, class D>(D d) HWY_ATTR {
    int64_t batch = begin / loop.channels, channel = begin % loop.channels;
    for (int64_t plane = begin; plane < end; ++plane) {
      const auto at = [&](const PlaneStrides& s) { return batch * s.batch + channel * s.channel; };
      const T* x = bindings.Input<T>(0) + at(plan.input);
      const int64_t first =
          vectors::FirstMaximumOfVectors<kVectors>(d, reinterpret_cast<const Bits*>(x), size);
      bindings.Output<T>(0)[at(plan.output)] = x[first];
      const Winner winner = {static_cast<uint32_t>(first), first};
      const auto plane_start = static_cast<uint64_t>(plane * size);
      if (plan.index_type == DataType::kUint64) {
        bindings.Output<uint64_t>(1)[at(plan.indices)] = IndexOf<uint64_t>(plane_start, winner);
      } else if (plan.index_type == DataType::kUint32) {
        bindings.Output<uint32_t>(1)[at(plan.indices)] = IndexOf<uint32_t>(plane_start, winner);
      }
      if (++channel == loop.channels) {
        channel = 0;
        ++batch;
      }
    }
  };
  vectors::WithPlaneVectors(hn::ScalableTag<Bits>(), size, run);
}

void OneWindow(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  const auto planes = static_cast<uint64_t>(plan.loop.PlaneCount());
  const auto elements = static_cast<uint64_t>(plan.loop.InputPlaneSize());
  const cpu::PlaneRuns runs(plan.loop, plan.input);
  DispatchType(TypeList<float, Float16>(), plan.data_type, [&]<typename T>() HWY_ATTR {
    executor.ParallelFor(
        planes, cpu::kElementsPerUnit / elements, [&](uint64_t begin, uint64_t end) HWY_ATTR {
          if (runs.count() == 1 && elements <= 64 &&
              vectors::IsSmallPlane<T>(plan.loop.InputPlaneSize())) {
            return RunSmallPlanes<T>(plan, bindings, static_cast<int64_t>(begin),
                                     static_cast<int64_t>(end));
          }
          for (uint64_t plane = begin; plane < end; ++plane) {
            const OutputRowOf<T> row(plan, bindings, static_cast<int64_t>(plane));
            const cpu::RunElement first = vectors::FirstMaximum(row.plane, runs);
            row.Put(0, {static_cast<uint32_t>(first.run * runs.length + first.position),
                        runs.Offset(first.run) + first.position});
          }
        });
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::window::maxima
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::window::maxima {
namespace {

HWY_EXPORT(OneWindow);

}  // namespace

Refusal AcceptsOneWindow(const Plan& plan) {
  if (!SetOf(TypeList<float, Float16>()).Contains(plan.data_type)) {
    return {"the data type is neither FLOAT32 nor FLOAT16"};
  }
  if (plan.input.spatial[WindowLoop::kWidth] != 1) {
    return {"the innermost stride of InputTensor is not 1"};
  }
  if (!cpu::SeesWholePlane(plan.loop)) return {"a plane has more than one window"};
  return kAccepted;
}

void RunOneWindow(const Plan& plan, const NoTables&, const Bindings& bindings,
                  const cpu::Executor& executor) {
  HWY_DYNAMIC_DISPATCH(OneWindow)(plan, bindings, executor);
}

}  // namespace anydml::window::maxima
#endif  // HWY_ONCE
