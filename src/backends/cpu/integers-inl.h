// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Vectors of float from INT8 or UINT8 memory and back, for kernels that are
// written once for all types. Included once per instruction set.

#if defined(ANYDML_BACKENDS_CPU_INTEGERS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_BACKENDS_CPU_INTEGERS_INL_H_
#undef ANYDML_BACKENDS_CPU_INTEGERS_INL_H_
#else
#define ANYDML_BACKENDS_CPU_INTEGERS_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class DF, typename T>
HWY_INLINE hn::Vec<DF> LoadFloatsOfIntegers(DF df, const T* from) {
  const hn::RebindToSigned<DF> di;
  const hn::Rebind<T, DF> d8;
  return hn::ConvertTo(df, hn::PromoteTo(di, hn::LoadU(d8, from)));
}

// To nearest even, saturated (B26). No value is a NaN: integers times finite
// weights. Adding 1.5 * 2^23 rounds in the last place of the sum, which is 1;
// the rounding of the portable target's NearestInt is off next to a half.
template <class DF, typename T>
HWY_INLINE void StoreIntegersOfFloats(DF df, hn::Vec<DF> values, T* to) {
  const hn::Rebind<T, DF> d8;
  const hn::RebindToSigned<DF> di;
  const auto least = hn::Set(df, static_cast<float>(std::numeric_limits<T>::min()));
  const auto most = hn::Set(df, static_cast<float>(std::numeric_limits<T>::max()));
  const auto rounder = hn::Set(df, 0x1.8p23f);
  const auto inside = hn::Min(hn::Max(values, least), most);
  const auto whole = hn::Sub(hn::Add(inside, rounder), rounder);
  hn::StoreU(hn::DemoteTo(d8, hn::ConvertTo(di, whole)), d8, to);
}

template <class DF>
HWY_INLINE hn::Vec<DF> LoadFloats(DF df, const int8_t* from) {
  return LoadFloatsOfIntegers(df, from);
}
template <class DF>
HWY_INLINE hn::Vec<DF> LoadFloats(DF df, const uint8_t* from) {
  return LoadFloatsOfIntegers(df, from);
}
template <class DF>
HWY_INLINE void StoreFloats(DF df, hn::Vec<DF> values, int8_t* to) {
  StoreIntegersOfFloats(df, values, to);
}
template <class DF>
HWY_INLINE void StoreFloats(DF df, hn::Vec<DF> values, uint8_t* to) {
  StoreIntegersOfFloats(df, values, to);
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
