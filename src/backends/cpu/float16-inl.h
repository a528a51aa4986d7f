// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Vectors of float from FLOAT32 or FLOAT16 memory and back, for the operators
// that add. Included once per instruction set. Highway's own conversions below
// AVX2 truncate and turn infinity into 65536; these are exact on every target.

#if defined(ANYDML_BACKENDS_CPU_FLOAT16_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_BACKENDS_CPU_FLOAT16_INL_H_
#undef ANYDML_BACKENDS_CPU_FLOAT16_INL_H_
#else
#define ANYDML_BACKENDS_CPU_FLOAT16_INL_H_
#endif

#include <hwy/highway.h>

#include "base/float16.h"
#include "base/float16_order.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// F16C belongs to the AVX2 target and everything better (lower bits are better).
#define ANYDML_NATIVE_FLOAT16 (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2)

template <class DF>
HWY_INLINE hn::Vec<DF> LoadFloats(DF df, const float* from) {
  return hn::LoadU(df, from);
}

template <class DF>
HWY_INLINE void StoreFloats(DF df, hn::Vec<DF> values, float* to) {
  hn::StoreU(values, df, to);
}

template <class DF>
HWY_INLINE hn::Vec<DF> LoadFloats(DF df, const Float16* from) {
#if ANYDML_NATIVE_FLOAT16
  const hn::Rebind<hwy::float16_t, DF> d16;
  return hn::PromoteTo(df, hn::LoadU(d16, reinterpret_cast<const hwy::float16_t*>(from)));
#else
  const hn::RebindToUnsigned<DF> du;
  const hn::RebindToSigned<DF> di;
  const hn::Rebind<uint16_t, DF> d16;
  const auto bits = hn::PromoteTo(du, hn::LoadU(d16, reinterpret_cast<const uint16_t*>(from)));
  const auto sign = hn::ShiftLeft<16>(hn::And(bits, hn::Set(du, 0x8000u)));
  const auto magnitude = hn::And(bits, hn::Set(du, 0x7FFFu));
  // The exponent bias grows by 112; infinity and NaN need it twice.
  const auto bias = hn::Set(du, 112u << 23);
  const auto normal = hn::Add(hn::ShiftLeft<13>(magnitude), bias);
  const auto special = hn::Add(normal, bias);
  const auto subnormal = hn::BitCast(
      du, hn::Mul(hn::ConvertTo(df, hn::BitCast(di, magnitude)), hn::Set(df, 0x1p-24f)));
  auto value = hn::IfThenElse(hn::Gt(magnitude, hn::Set(du, 0x7BFFu)), special, normal);
  value = hn::IfThenElse(hn::Lt(magnitude, hn::Set(du, 0x0400u)), subnormal, value);
  return hn::BitCast(df, hn::Or(value, sign));
#endif
}

// The bits of the nearest halves.
template <class DF>
HWY_INLINE hn::Vec<hn::Rebind<uint16_t, DF>> HalfBits(DF df, hn::Vec<DF> values) {
#if ANYDML_NATIVE_FLOAT16
  const hn::Rebind<hwy::float16_t, DF> d16;
  (void)df;
  return hn::BitCast(hn::Rebind<uint16_t, DF>(), hn::DemoteTo(d16, values));
#else
  const hn::RebindToUnsigned<DF> du;
  const hn::RebindToSigned<DF> di;
  const hn::Rebind<uint16_t, DF> d16;
  const auto bits = hn::BitCast(du, values);
  const auto sign = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 0x8000u));
  const auto magnitude = hn::And(bits, hn::Set(du, 0x7FFFFFFFu));
  // The three ranges of base/float16.h, side by side.
  const auto odd = hn::And(hn::ShiftRight<13>(magnitude), hn::Set(du, 1u));
  const auto rounded = hn::Add(hn::Add(magnitude, odd), hn::Set(du, 0x0FFFu - (112u << 23)));
  auto half = hn::ShiftRight<13>(rounded);
  const auto shifted = hn::Add(hn::BitCast(df, magnitude), hn::Set(df, 0.5f));
  const auto subnormal = hn::Sub(hn::BitCast(du, shifted), hn::Set(du, 0x3F000000u));
  half = hn::IfThenElse(hn::Lt(magnitude, hn::Set(du, 0x38800000u)), subnormal, half);
  half = hn::IfThenElse(hn::Gt(magnitude, hn::Set(du, 0x477FEFFFu)), hn::Set(du, 0x7C00u), half);
  const auto payload = hn::And(hn::ShiftRight<13>(magnitude), hn::Set(du, 0x3FFu));
  const auto nan = hn::Or(payload, hn::Set(du, 0x7E00u));
  half = hn::IfThenElse(hn::Gt(magnitude, hn::Set(du, 0x7F800000u)), nan, half);
  return hn::DemoteTo(d16, hn::BitCast(di, hn::Or(half, sign)));
#endif
}

template <class DF>
HWY_INLINE void StoreFloats(DF df, hn::Vec<DF> values, Float16* to) {
  const hn::Rebind<uint16_t, DF> d16;
  hn::StoreU(HalfBits(df, values), d16, reinterpret_cast<uint16_t*>(to));
}

#undef ANYDML_NATIVE_FLOAT16

// HalfKey() of every half, given its bits.
template <class D16>
HWY_INLINE hn::Vec<D16> HalfKeys(D16 d, hn::Vec<D16> bits) {
  return hn::Xor(bits, hn::And(hn::BroadcastSignBit(bits), hn::Set(d, 0x7FFF)));
}

template <class D16>
HWY_INLINE hn::Mask<D16> IsIn(D16 d, hn::Vec<D16> keys, HalfKeyRange range) {
  return hn::And(hn::Gt(keys, hn::Set(d, range.after)), hn::Lt(keys, hn::Set(d, range.before)));
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
