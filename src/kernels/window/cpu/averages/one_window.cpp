// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// One window that sees the whole plane, whose elements lie side by side.
#include <algorithm>

#include "backends/cpu/rows.h"
#include "kernels/window/cpu/averages/averages.h"
#include "kernels/window/cpu/averages/row_functions.h"

namespace anydml::window::average {
namespace {

// Planes at a time whose chains do not wait for one another.
constexpr int64_t kPlanes = 8;

// The blocked sum of elements that lie side by side.
template <typename T, typename Add>
float SumOf(const T* x, int64_t count, const Add& add) {
  BlockedSum carried(static_cast<TapCount>(count));
  for (int64_t first = 0; first < count; first += kBlockTerms) {
    alignas(64) float slots[kSlots] = {};
    add(x + first, std::min<int64_t>(kBlockTerms, count - first), slots);
    const float sum = SumOfSlots(slots);
    if (count <= kBlockTerms) return sum;
    carried.AddBlock(static_cast<TapCount>(first / kBlockTerms), sum);
  }
  return carried.Finish();
}

template <typename T>
auto AddTo(const RowFunctions& functions) {
  if constexpr (sizeof(T) == 2)
    return functions.add_halves;
  else
    return functions.add_floats;
}
template <typename T>
auto PowersOf(const RowFunctions& functions) {
  if constexpr (sizeof(T) == 2)
    return functions.power_halves;
  else
    return functions.power_floats;
}

float Number(float x) { return x; }
float Number(Float16 x) { return ToFloat(x); }
void Put(float value, float* to) { *to = value; }
void Put(float value, Float16* to) { *to = ToFloat16(value); }

template <typename T>
void Chains(const T* const* planes, int64_t count, int64_t taps, float* sums) {
  float chains[kPlanes] = {};
  for (int64_t i = 0; i < taps; ++i) {
    for (int64_t p = 0; p < kPlanes; ++p) chains[p] += Number(planes[p][i]);
  }
  std::copy_n(chains, count, sums);
}

template <typename T, typename Power>
void ChainsOfPowers(const T* const* planes, int64_t count, int64_t taps, uint32_t p, Power power,
                    float* sums) {
  alignas(64) float powers[kPlanes][static_cast<size_t>(kMaxChain)];
  const float* rows[kPlanes];
  for (int64_t i = 0; i < kPlanes; ++i) {
    power(planes[i], taps, p, powers[i]);
    rows[i] = powers[i];
  }
  Chains(rows, count, taps, sums);
}

}  // namespace

Refusal AcceptsOneWindow(const Plan& plan) {
  if (plan.p >= 1u << 24) return {"P has more than 24 bits"};
  int64_t expected = 1;
  for (int a = 3; a-- > 0;) {
    const WindowAxis& axis = plan.loop.axes[a];
    if (axis.output_size != 1 || axis.window_size != axis.input_size || axis.start_padding != 0 ||
        (axis.dilation != 1 && axis.window_size != 1)) {
      return {"a window does not see its whole plane"};
    }
    if (axis.input_size != 1 && plan.wide.spatial[a] != expected) {
      return {"the elements of a plane do not lie side by side"};
    }
    expected *= axis.input_size;
  }
  return kAccepted;
}

void RunOneWindow(const Plan& plan, const NoTables&, const Bindings& bindings,
                  const cpu::Executor& executor) {
  const WindowLoop& loop = plan.loop;
  const int64_t taps = loop.InputPlaneSize(), planes = loop.PlaneCount();
  const RowFunctions& functions = ChooseRowFunctions();
  const float divisor = Divisor(plan, taps);
  DispatchType(TypeList<float, Float16>(), plan.data_type, [&]<typename T>() {
    const auto plane_at = [&](int64_t plane) {
      return bindings.Input<T>(0) + plan.wide.PlaneOffset(loop, plane);
    };
    const auto add = AddTo<T>(functions);
    const auto power = PowersOf<T>(functions);
    const auto add_powers = [&](const T* x, int64_t count, float* slots) {
      alignas(64) float powers[kBlockTerms];
      power(x, count, plan.p, powers);
      functions.add_floats(powers, count, slots);
    };
    const auto grain =
        std::max<uint64_t>(kPlanes, cpu::kElementsPerUnit / static_cast<uint64_t>(taps));
    executor.ParallelFor(static_cast<uint64_t>(planes), grain, [&](uint64_t begin, uint64_t end) {
      for (auto plane = static_cast<int64_t>(begin); plane < static_cast<int64_t>(end);) {
        const int64_t count = std::min(kPlanes, static_cast<int64_t>(end) - plane);
        float sums[kPlanes];
        const T* from[kPlanes];
        for (int64_t p = 0; p < kPlanes; ++p) from[p] = plane_at(plane + std::min(p, count - 1));
        if (taps <= static_cast<int64_t>(kMaxChain)) {
          if (plan.p == 0) {
            Chains(from, count, taps, sums);
          } else {
            ChainsOfPowers(from, count, taps, plan.p, power, sums);
          }
        } else {
          for (int64_t p = 0; p < count; ++p) {
            sums[p] = plan.p == 0 ? SumOf(from[p], taps, add) : SumOf(from[p], taps, add_powers);
          }
        }
        for (int64_t p = 0; p < count; ++p, ++plane) {
          const float y = plan.p == 0 ? sums[p] / divisor : RootOf(sums[p], plan.p);
          Put(y, bindings.Output<T>(0) + plan.narrow.PlaneOffset(loop, plane));
        }
      }
    });
  });
}

// All elements of a plane have the one share of its window.
void RunOneWindowGradient(const Plan& plan, const NoTables&, const Bindings& bindings,
                          const cpu::Executor& executor) {
  const WindowLoop& loop = plan.loop;
  const int64_t taps = loop.InputPlaneSize();
  const float divisor = Divisor(plan, taps);
  DispatchType(TypeList<float, Float16>(), plan.data_type, [&]<typename T>() {
    const uint64_t grain =
        std::max<uint64_t>(1, cpu::kElementsPerUnit / static_cast<uint64_t>(taps));
    executor.ParallelFor(
        static_cast<uint64_t>(loop.PlaneCount()), grain, [&](uint64_t begin, uint64_t end) {
          for (auto plane = static_cast<int64_t>(begin); plane < static_cast<int64_t>(end);
               ++plane) {
            const float y = Number(bindings.Input<T>(0)[plan.narrow.PlaneOffset(loop, plane)]);
            T share;
            Put(0.0f + y / divisor, &share);
            std::fill_n(bindings.Output<T>(0) + plan.wide.PlaneOffset(loop, plane), taps, share);
          }
        });
  });
}

}  // namespace anydml::window::average
