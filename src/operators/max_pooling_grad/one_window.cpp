// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// One window that sees the whole plane (global pooling) over columns side by
// side: the vector is a piece of the plane, and the plane has one winner.
#include <cstring>

#include "operators/max_pooling_grad/formula.h"
#include "operators/max_pooling_grad/plan.h"
#include "operators/max_pooling_grad/strategies.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "operators/max_pooling_grad/one_window.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/maximum_runs-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::max_pooling_grad {
namespace HWY_NAMESPACE {
namespace vectors = anydml::cpu::HWY_NAMESPACE;

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

void OneWindow(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  const auto planes = static_cast<uint64_t>(plan.loop.PlaneCount());
  const auto elements = static_cast<uint64_t>(plan.loop.InputPlaneSize());
  DispatchType(Types(), plan.data_type, [&]<typename T>() HWY_ATTR {
    executor.ParallelFor(
        planes, cpu::kElementsPerUnit / elements, [&](uint64_t begin, uint64_t end) HWY_ATTR {
          RunPlanes<T>(plan, bindings, static_cast<int64_t>(begin), static_cast<int64_t>(end));
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
