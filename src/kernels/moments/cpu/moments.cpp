// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "backends/cpu/rows.h"
#include "backends/cpu/streaming.h"
#include "kernels/moments/cpu/strategies.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/moments/cpu/moments.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/float16-inl.h"

#ifndef ANYDML_KERNELS_MOMENTS_CPU_MOMENTS_ONCE_
#define ANYDML_KERNELS_MOMENTS_CPU_MOMENTS_ONCE_
namespace anydml::moments {

template <typename T>
struct Elements {
  const T* inputs[4];
  T* outputs[3];
};

inline float Number(float x) { return x; }
inline float Number(Float16 x) { return ToFloat(x); }
inline void Put(float value, float* to) { *to = value; }
inline void Put(float value, Float16* to) { *to = ToFloat16(value); }

// One element; `at` per tensor.
template <typename T>
void StepElement(const Factors& f, const Elements<T>& e, const std::array<int64_t, kTensors>& at) {
  const float x = Number(e.inputs[kParameters][at[kParameters]]);
  const float m = Number(e.inputs[kFirst][at[kFirst]]);
  const float v = Number(e.inputs[kSecond][at[kSecond]]);
  const float g = Number(e.inputs[kGradient][at[kGradient]]);
  const float new_m = f.beta1 * m + f.rest1 * g;
  const float new_v = f.beta2 * v + f.rest2 * g * g;
  const float step = f.rate * new_m / (std::sqrt(new_v) + f.epsilon);
  Put(x - step, e.outputs[0] + at[kNewParameters]);
  Put(new_m, e.outputs[1] + at[kNewFirst]);
  Put(new_v, e.outputs[2] + at[kNewSecond]);
}

}  // namespace anydml::moments
#endif

HWY_BEFORE_NAMESPACE();
namespace anydml::moments {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace vectors = anydml::cpu::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;

HWY_INLINE void Stream(D d, hn::Vec<D> values, float* to) { hn::Stream(values, d, to); }
HWY_INLINE void Stream(D d, hn::Vec<D> values, Float16* to) {
  const hn::Rebind<uint16_t, D> d16;
  auto* const at = reinterpret_cast<uint16_t*>(to);
  if constexpr (HWY_MAX_BYTES < 32) {
    hn::StoreU(vectors::HalfBits(d, values), d16, at);  // 8 bytes: no such non-temporal store
  } else {
    hn::Stream(vectors::HalfBits(d, values), d16, at);
  }
}

// A vector of every tensor is read before one is written: outputs may lie over inputs.
template <bool kStream, typename T>
HWY_INLINE void StepVector(const Factors& f, const Elements<T>& e, int64_t i) {
  const D d;
  const auto x = vectors::LoadFloats(d, e.inputs[kParameters] + i);
  const auto m = vectors::LoadFloats(d, e.inputs[kFirst] + i);
  const auto v = vectors::LoadFloats(d, e.inputs[kSecond] + i);
  const auto g = vectors::LoadFloats(d, e.inputs[kGradient] + i);
  const auto new_m = hn::Add(hn::Mul(hn::Set(d, f.beta1), m), hn::Mul(hn::Set(d, f.rest1), g));
  const auto new_v =
      hn::Add(hn::Mul(hn::Set(d, f.beta2), v), hn::Mul(hn::Mul(hn::Set(d, f.rest2), g), g));
  const auto root = hn::Add(hn::Sqrt(new_v), hn::Set(d, f.epsilon));
  const auto new_x = hn::Sub(x, hn::Div(hn::Mul(hn::Set(d, f.rate), new_m), root));
  const hn::Vec<D> results[] = {new_x, new_m, new_v};
  for (int k = 0; k < 3; ++k) {
    if constexpr (kStream) {
      Stream(d, results[k], e.outputs[k] + i);
    } else {
      vectors::StoreFloats(d, results[k], e.outputs[k] + i);
    }
  }
}

template <typename T>
void StepRow(const Factors& f, const Elements<T>& e, int64_t count, bool stream) {
  const D d;
  const auto N = static_cast<int64_t>(hn::Lanes(d));
  const auto one_by_one = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      StepElement(f, e, {i, i, i, i, i, i, i});
    }
  };
  int64_t i = 0;
  if (stream) {
    // All outputs are as far from their lines.
    constexpr int64_t kPerLine = 64 / sizeof(T);
    const auto past = static_cast<int64_t>(reinterpret_cast<uintptr_t>(e.outputs[0]) / sizeof(T));
    i = std::min(count, (kPerLine - past % kPerLine) % kPerLine);
    one_by_one(0, i);
    for (; i + kPerLine <= count; i += kPerLine) {
      for (int64_t k = 0; k < kPerLine; k += N) StepVector<true>(f, e, i + k);
    }
  }
  for (; i + N <= count; i += N) StepVector<false>(f, e, i);
  one_by_one(i, count);
}

void StepFloats(const Factors& f, const Elements<float>& e, int64_t count, bool stream) {
  StepRow(f, e, count, stream);
}
void StepHalves(const Factors& f, const Elements<Float16>& e, int64_t count, bool stream) {
  StepRow(f, e, count, stream);
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::moments
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::moments {
namespace {

HWY_EXPORT(StepFloats);
HWY_EXPORT(StepHalves);

void Step(const Factors& f, const Elements<float>& e, uint64_t count, bool stream) {
  HWY_DYNAMIC_DISPATCH(StepFloats)(f, e, static_cast<int64_t>(count), stream);
}
void Step(const Factors& f, const Elements<Float16>& e, uint64_t count, bool stream) {
  HWY_DYNAMIC_DISPATCH(StepHalves)(f, e, static_cast<int64_t>(count), stream);
}

template <typename T>
Elements<T> ElementsAt(const Bindings& bindings, const std::array<int64_t, kTensors>& at) {
  Elements<T> elements;
  for (int t = 0; t < 4; ++t) elements.inputs[t] = bindings.Input<T>(t) + at[t];
  for (int t = 0; t < 3; ++t) elements.outputs[t] = bindings.Output<T>(t) + at[4 + t];
  return elements;
}

// Outputs that no input shares, the lines of which begin at the same elements.
bool MayStream(const Plan& plan, const Bindings& bindings) {
  for (int out = 0; out < 3; ++out) {
    for (int in = 0; in < 4; ++in) {
      if (bindings.outputs[out] == bindings.inputs[in]) return false;
    }
    const auto first = reinterpret_cast<uintptr_t>(bindings.outputs[0]);
    if ((reinterpret_cast<uintptr_t>(bindings.outputs[out]) - first) % 64 != 0) return false;
  }
  return plan.loop.rank == 1 &&
         cpu::ShouldStream(plan.loop.ElementCount() * kTensors * ElementSize(plan.data_type));
}

Refusal AcceptsPackedRows(const Plan& plan) {
  if (!plan.loop.HasUnitInnerStrides()) return {"the innermost stride is not 1 in every tensor"};
  return kAccepted;
}

using Floats = TypeList<float, Float16>;

void RunPackedRows(const Plan& plan, const NoTables&, const Bindings& bindings,
                   const cpu::Executor& executor) {
  const Factors factors = FactorsOf(plan, bindings.Input<uint32_t>(4)[0]);
  const bool stream = MayStream(plan, bindings);
  DispatchType(Floats(), plan.data_type, [&]<typename T>() {
    cpu::ForEachRowPiece(
        plan.loop, executor,
        [&](const auto& at, uint64_t count) {
          Step(factors, ElementsAt<T>(bindings, at), count, stream);
        },
        cpu::kElementsPerUnit,
        [&] {
          if (stream) hwy::FlushStream();
        });
  });
}

void RunStrided(const Plan& plan, const NoTables&, const Bindings& bindings,
                const cpu::Executor& executor) {
  const Factors factors = FactorsOf(plan, bindings.Input<uint32_t>(4)[0]);
  DispatchType(Floats(), plan.data_type, [&]<typename T>() {
    cpu::ForEachRowPiece(plan.loop, executor, [&](const auto& at, uint64_t count) {
      const Elements<T> elements = ElementsAt<T>(bindings, at);
      std::array<int64_t, kTensors> place = {};
      for (uint64_t i = 0; i < count; ++i) {
        StepElement(factors, elements, place);
        for (int t = 0; t < kTensors; ++t) place[t] += plan.loop.inner_stride(t);
      }
    });
  });
}

using Strategy = StrategyOf<Plan, NoTables>;

}  // namespace

constinit const std::array<CpuStrategy, 2> kStrategies = {
    Strategy::Named<AcceptsPackedRows, RunPackedRows>("packed_rows"),
    Strategy::Named<AcceptsAll<Plan>, RunStrided>("strided"),
};

}  // namespace anydml::moments
#endif  // HWY_ONCE
