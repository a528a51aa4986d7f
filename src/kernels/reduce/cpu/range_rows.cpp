// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Rows of floats quantized by one scale and one zero point.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/reduce/cpu/range_rows.cpp"
#include "kernels/reduce/cpu/range_rows.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/float16-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::reduce {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace vectors = anydml::cpu::HWY_NAMESPACE;

// As elementwise::Quantize: halves to even, a NaN counts as 0.
template <typename T, typename Out, class D>
HWY_INLINE void QuantizeVector(D d, const T* x, float scale, int zero, Out* y) {
  const hn::RebindToSigned<D> d32;
  const hn::Rebind<Out, D> out;
  const auto to_integer = hn::Set(d, 0x1.8p23f);  // to add it leaves no fraction
  const auto beyond = hn::Set(d, 1024.0f);        // any zero point
  const auto quotient = hn::Div(vectors::LoadFloats(d, x), hn::Set(d, scale));
  const auto number = hn::IfThenElseZero(hn::Eq(quotient, quotient), quotient);
  const auto bounded = hn::Max(hn::Min(number, beyond), hn::Neg(beyond));
  const auto whole = hn::Sub(hn::Add(bounded, to_integer), to_integer);
  const auto sum = hn::Add(hn::ConvertTo(d32, whole), hn::Set(d32, zero));
  hn::StoreU(hn::DemoteTo(out, sum), out, y);
}

template <typename T, typename Out>
void QuantizeElements(const void* from, uint64_t count, float scale, int zero, void* to) {
  const auto* const x = static_cast<const T*>(from);
  auto* const y = static_cast<Out*>(to);
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> d1;
  uint64_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    QuantizeVector(d, x + i, scale, zero, y + i);
  }
  for (; i < count; ++i) QuantizeVector(d1, x + i, scale, zero, y + i);
}

QuantizeRow Find(DataType from, DataType to) {
  if (from == DataType::kFloat16) {
    return to == DataType::kInt8 ? QuantizeElements<Float16, int8_t>
                                 : QuantizeElements<Float16, uint8_t>;
  }
  return to == DataType::kInt8 ? QuantizeElements<float, int8_t> : QuantizeElements<float, uint8_t>;
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::reduce
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::reduce {

HWY_EXPORT(Find);

QuantizeRow FindQuantizeRow(DataType from, DataType to) {
  return HWY_DYNAMIC_DISPATCH(Find)(from, to);
}

}  // namespace anydml::reduce
#endif  // HWY_ONCE
