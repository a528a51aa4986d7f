// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// REDUCE, ARGMIN and ARGMAX by the pages.
#include <algorithm>

#include "operators/reduce/reduction.h"
#include "operators/reference_sets.h"

namespace anydml::reduce {
namespace {

using reference::Coordinate;

float ReduceFloats(Function function, std::vector<float> v) {
  const auto count = static_cast<float>(v.size());
  const auto each = [&](auto f) {
    std::ranges::transform(v, v.begin(), f);
    return v;
  };
  const auto negated = [](float x) { return -x; };
  switch (function) {
    case Function::kSum:
      return reference::Sum(v);
    case Function::kAverage:
      return reference::Sum(v) / count;
    case Function::kL1:
      return reference::Sum(each([](float x) { return std::fabs(x); }));
    case Function::kSumSquare:
      return reference::Sum(each([](float x) { return x * x; }));
    case Function::kL2:
      return std::sqrt(reference::Sum(each([](float x) { return x * x; })));
    case Function::kLogSum:
      return reference::Log(reference::Sum(v));
    case Function::kMultiply:
      return reference::Blocked(v, 1.0f, [](float a, float b) { return a * b; });
    case Function::kMin: {
      float m = -v[0];
      for (float x : each(negated)) m = reference::Maximum(m, x);
      return -m;
    }
    default:
      break;
  }
  float m = v[0];
  for (float x : v) m = reference::Maximum(m, x);
  if (function == Function::kMax) return m;
  if (!std::isfinite(m)) m = 0;
  return m +
         reference::Log(reference::Sum(each([&](float x) { return reference::Exp(x - m); })));
}

// Modulo 2^64, of which the output takes the low bits.
template <typename T>
uint64_t ReduceIntegers(Function function, const std::vector<T>& v) {
  uint64_t sum = 0, product = 1, absolutes = 0, squares = 0;
  for (T x : v) {
    const auto wide = static_cast<uint64_t>(x);
    sum += wide;
    product *= wide;
    absolutes += x < 0 ? 0 - wide : wide;
    squares += wide * wide;
  }
  switch (function) {
    case Function::kSum:
      return sum;
    case Function::kMultiply:
      return product;
    case Function::kL1:
      return absolutes;
    case Function::kSumSquare:
      return squares;
    case Function::kMin:
      return static_cast<uint64_t>(*std::ranges::min_element(v));
    default:
      return static_cast<uint64_t>(*std::ranges::max_element(v));
  }
}

// A NaN beats every number; the first NaN, or the last with `last`.
template <typename T>
uint64_t ArgOf(const std::vector<T>& v, bool greatest, bool last) {
  const auto is_nan = [](T x) { return x != x; };
  size_t best = 0;
  for (size_t i = 1; i < v.size(); ++i) {
    const bool equal = is_nan(v[i]) ? is_nan(v[best]) : v[i] == v[best];
    const bool better =
        is_nan(v[i]) || (!is_nan(v[best]) && (greatest ? v[i] > v[best] : v[i] < v[best]));
    if (equal ? last : better) best = i;
  }
  return best;
}

template <typename T>
auto ValuesOf(const TensorDesc& tensor, const void* data, const std::vector<Coordinate>& set) {
  using V = decltype(reference::Value(T()));
  std::vector<V> values;
  for (const Coordinate& c : set) {
    values.push_back(reference::Value(reference::Get<T>(tensor, data, c)));
  }
  return values;
}

void PutInteger(const TensorDesc& tensor, void* data, const Coordinate& c, uint64_t value) {
  DispatchWidth(ElementSize(tensor.data_type),
                [&]<typename T>() { reference::Put<T>(tensor, data, c, static_cast<T>(value)); });
}

template <typename T>
void Reduce(const Reduction& desc, const Bindings& bindings) {
  const bool finds_index = desc.function == Function::kArgMax || desc.function == Function::kArgMin;
  reference::ForEachSet(desc.input, desc.reduced, [&](const Coordinate& k, const auto& set) {
    const auto values = ValuesOf<T>(desc.input, bindings.inputs[0], set);
    void* const y = bindings.outputs[0];
    if (finds_index) {
      PutInteger(desc.output, y, k, ArgOf(values, desc.function == Function::kArgMax, desc.last));
    } else if constexpr (std::is_integral_v<T>) {
      PutInteger(desc.output, y, k, ReduceIntegers(desc.function, values));
    } else {
      reference::PutFloat(desc.output, y, k, ReduceFloats(desc.function, values));
    }
  });
}

}  // namespace

void ReferenceReduction(const Reduction& desc, const Bindings& bindings) {
  DispatchType(reference::AllTypes(), desc.input.data_type, [&]<typename T>() {
    if constexpr (!std::is_same_v<T, double>) Reduce<T>(desc, bindings);
  });
}

}  // namespace anydml::reduce
