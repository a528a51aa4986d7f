// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// One window that sees the whole plane (global pooling) over columns side by
// side: the vector is a piece of the plane, and the plane has one winner.
#include "operators/max_pooling/rows.h"
#include "operators/max_pooling/strategies.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "operators/max_pooling/one_window.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/maximum_runs-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::max_pooling {
namespace HWY_NAMESPACE {
namespace vectors = anydml::cpu::HWY_NAMESPACE;

void OneWindow(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  const auto planes = static_cast<uint64_t>(plan.loop.PlaneCount());
  const auto elements = static_cast<uint64_t>(plan.loop.InputPlaneSize());
  const cpu::PlaneRuns runs(plan.loop, plan.input);
  DispatchType(TypeList<float, Float16>(), plan.data_type, [&]<typename T>() HWY_ATTR {
    executor.ParallelFor(
        planes, cpu::kElementsPerUnit / elements, [&](uint64_t begin, uint64_t end) HWY_ATTR {
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
}  // namespace anydml::max_pooling
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::max_pooling {
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

}  // namespace anydml::max_pooling
#endif  // HWY_ONCE
