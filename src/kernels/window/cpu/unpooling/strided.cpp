// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A thread writes a part of the output: zeros, and then, in ascending order, the elements whose
// index lies there, so that the last one wins. Every thread reads all indices.
#include <algorithm>

#include "backends/cpu/rows.h"
#include "kernels/window/cpu/unpooling/strategies.h"

namespace anydml::window::unpooling {
namespace {

using IndexTypes = TypeList<uint32_t, uint64_t>;

// Calls body(offset in the input, offset in the indices) in logical order.
template <typename Body>
void ForEachInput(const Plan& plan, const Body& body) {
  const auto& s = plan.input_sizes;
  const auto &x = plan.strides[0], &i = plan.strides[1];
  for (int64_t a = 0; a < s[0]; ++a) {
    for (int64_t b = 0; b < s[1]; ++b) {
      for (int64_t c = 0; c < s[2]; ++c) {
        const int64_t from = a * x[0] + b * x[1] + c * x[2];
        const int64_t index = a * i[0] + b * i[1] + c * i[2];
        for (int64_t d = 0; d < s[3]; ++d) body(from + d * x[3], index + d * i[3]);
      }
    }
  }
}

bool IsPacked(const std::array<int64_t, 4>& sizes, const std::array<int64_t, 4>& strides) {
  int64_t expected = 1;
  for (size_t i = 4; i-- > 0; expected *= sizes[i]) {
    if (sizes[i] != 1 && strides[i] != expected) return false;
  }
  return true;
}

void Run(const Plan& plan, const NoTables&, const Bindings& bindings,
         const cpu::Executor& executor) {
  const auto count = static_cast<uint64_t>(plan.OutputCount());
  const bool is_packed = IsPacked(plan.output_sizes, plan.strides[2]);
  const auto offset_of = [&](uint64_t number) {
    return is_packed
               ? static_cast<int64_t>(number)
               : Plan::OffsetAt(plan.output_sizes, plan.strides[2], static_cast<int64_t>(number));
  };
  const uint64_t threads = static_cast<uint64_t>(executor.threads());
  const uint64_t parts = std::clamp<uint64_t>(count / cpu::kElementsPerUnit, 1, threads);
  DispatchWidth(ElementSize(plan.type), [&]<typename T>() {
    DispatchType(IndexTypes(), plan.index_type, [&]<typename I>() {
      const T* const x = bindings.Input<T>(0);
      const I* const indices = bindings.Input<I>(1);
      T* const y = bindings.Output<T>(0);
      executor.ParallelFor(parts, 1, [&](uint64_t begin, uint64_t end) {
        const uint64_t first = count * begin / parts, last = count * end / parts;
        if (is_packed) {
          std::fill(y + first, y + last, T{});
        } else {
          for (uint64_t i = first; i < last; ++i) y[offset_of(i)] = T{};
        }
        ForEachInput(plan, [&](int64_t from, int64_t at) {
          const uint64_t index = indices[at];
          if (index >= first && index < last) y[offset_of(index)] = x[from];
        });
      });
    });
  });
}

}  // namespace

constinit const std::array<CpuStrategy, 1> kStrategies = {
    StrategyOf<Plan, NoTables>::Named<AcceptsAll<Plan>, Run>("strided")};

}  // namespace anydml::window::unpooling
