// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Everything, one window at a time.
#include "kernels/window/cpu/maxima/rows.h"
#include "kernels/window/cpu/maxima/strategies.h"

namespace anydml::window::maxima {

void RunStrided(const Plan& plan, const NoTables&, const Bindings& bindings,
                const cpu::Executor& executor) {
  DispatchType(Types(), plan.data_type, [&]<typename T>() {
    ForEachOutputRow<T>(
        plan, bindings, executor,
        [](const OutputRowOf<T>& row, int64_t first, int64_t count) { row.PutEach(first, count); });
  });
}

}  // namespace anydml::window::maxima
