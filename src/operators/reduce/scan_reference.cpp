// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CUMULATIVE_SUMMATION and CUMULATIVE_PRODUCT by the pages, in the order of B33: chains of 32, and
// the same over their totals.
#include <algorithm>

#include "operators/reference_sets.h"
#include "operators/reduce/scan.h"

namespace anydml::reduce {
namespace {

template <typename A>
std::vector<A> Running(const std::vector<A>& x, bool product) {
  const auto join = [&](A a, A b) { return product ? a * b : a + b; };
  std::vector<A> y, totals;
  for (size_t i = 0; i < x.size(); ++i) {
    const A before = i % 32 == 0 ? A(product ? 1 : 0) : y.back();
    y.push_back(join(before, x[i]));
    if (i % 32 == 31 || i + 1 == x.size()) totals.push_back(y.back());
  }
  if (totals.size() == 1) return y;
  const std::vector<A> prefixes = Running(totals, product);
  for (size_t i = 32; i < y.size(); ++i) y[i] = join(prefixes[i / 32 - 1], y[i]);
  return y;
}

// `read` and `write` take a tensor, its data, a coordinate, and write a value.
template <typename A, typename Read, typename Write>
void Lines(const Scan& desc, const Bindings& bindings, const Read& read, const Write& write) {
  std::array<bool, kMaxDimensions> line = {};
  line[desc.axis] = true;
  reference::ForEachSet(desc.input, line, [&](const auto&, auto set) {
    if (desc.downwards) std::ranges::reverse(set);
    std::vector<A> x;
    for (const auto& c : set) x.push_back(read(desc.input, bindings.inputs[0], c));
    std::vector<A> y = Running(x, desc.product);
    if (desc.exclusive) {
      y.insert(y.begin(), A(desc.product ? 1 : 0));
      y.pop_back();
    }
    for (size_t i = 0; i < set.size(); ++i) {
      write(desc.output, bindings.outputs[0], set[i], y[i]);
    }
  });
}

}  // namespace

void ReferenceScan(const Scan& desc, const Bindings& bindings) {
  if (SetOf(TypeList<float, Float16>()).Contains(desc.input.data_type)) {
    return Lines<float>(desc, bindings, reference::GetFloat, reference::PutFloat);
  }
  DispatchWidth(ElementSize(desc.input.data_type), [&]<typename T>() {
    if constexpr (sizeof(T) >= 4) {
      Lines<T>(desc, bindings, reference::Get<T>, reference::Put<T>);
    }
  });
}

}  // namespace anydml::reduce
