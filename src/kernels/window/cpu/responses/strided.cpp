// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Pieces of rows, whose lanes are columns or channels. Every row of a region is widened to a buffer
// with zeros for what lies outside, which change no sum, since none is -0.
#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/window/cpu/responses/strided.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/float16-inl.h"
#include "kernels/math/vectors-inl.h"
#include "kernels/window/responses.h"

#ifndef ANYDML_KERNELS_WINDOW_CPU_RESPONSES_ONCE
#define ANYDML_KERNELS_WINDOW_CPU_RESPONSES_ONCE
namespace anydml::window::responses {

// On buffers, whose last vector may be calculated whole.
struct BufferFunctions {
  void (*widen)(const Float16* from, int64_t count, float* to);
  void (*narrow)(const float* from, int64_t count, Float16* to);
  // sums[i] += x[i + k] for k = 0 .. taps - 1, or its square
  void (*add)(const float* x, int64_t count, int64_t taps, bool squares, float* sums);
  void (*respond)(const Plan& plan, const float* sums, const float* x, int64_t count, float* y);
  // From dY in u to u; r.
  void (*begin_gradient)(const Plan& plan, const float* sums, const float* x, int64_t count,
                         float* u, float* r);
  // From u in dx to dX.
  void (*end_gradient)(const Plan& plan, const float* sums, const float* x, int64_t count,
                       float* dx);
};

}  // namespace anydml::window::responses
#endif

HWY_BEFORE_NAMESPACE();
namespace anydml::window::responses {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace powers = anydml::math::HWY_NAMESPACE;
namespace vectors = anydml::cpu::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

template <class Body>
HWY_INLINE void ForEachVector(int64_t count, const Body& body) {
  for (int64_t i = 0; i < count; i += static_cast<int64_t>(hn::Lanes(D()))) body(i);
}

// Bias + A * sum
HWY_INLINE V BaseOf(const Plan& plan, const float* sums) {
  const D d;
  return hn::Add(hn::Set(d, plan.bias), hn::Mul(hn::Set(d, plan.factor), hn::LoadU(d, sums)));
}
HWY_INLINE V PowerOf(const Plan& plan, V base) {
  const D d;
  return powers::RoundedOf<powers::PowOf>(d, base, hn::Set(d, plan.beta));
}

// The caller's elements: nothing behind them is read or written.
void Widen(const Float16* from, int64_t count, float* to) {
  const D d;
  const auto n = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + n <= count; i += n) hn::StoreU(vectors::LoadFloats(d, from + i), d, to + i);
  for (; i < count; ++i) to[i] = ToFloat(from[i]);
}
void Narrow(const float* from, int64_t count, Float16* to) {
  const D d;
  const auto n = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + n <= count; i += n) vectors::StoreFloats(d, hn::LoadU(d, from + i), to + i);
  for (; i < count; ++i) to[i] = ToFloat16(from[i]);
}

void Add(const float* x, int64_t count, int64_t taps, bool squares, float* sums) {
  const D d;
  ForEachVector(count, [&](int64_t i) HWY_ATTR {
    V sum = hn::LoadU(d, sums + i);
    for (int64_t k = 0; k < taps; ++k) {
      const V term = hn::LoadU(d, x + i + k);
      sum = hn::Add(sum, squares ? hn::Mul(term, term) : term);
    }
    hn::StoreU(sum, d, sums + i);
  });
}

void Respond(const Plan& plan, const float* sums, const float* x, int64_t count, float* y) {
  const D d;
  ForEachVector(count, [&](int64_t i) HWY_ATTR {
    hn::StoreU(hn::Div(hn::LoadU(d, x + i), PowerOf(plan, BaseOf(plan, sums + i))), d, y + i);
  });
}

void BeginGradient(const Plan& plan, const float* sums, const float* x, int64_t count, float* u,
                   float* r) {
  const D d;
  ForEachVector(count, [&](int64_t i) HWY_ATTR {
    const V base = BaseOf(plan, sums + i);
    const V of_dy = hn::Div(hn::LoadU(d, u + i), PowerOf(plan, base));
    hn::StoreU(of_dy, d, u + i);
    hn::StoreU(hn::Div(hn::Mul(of_dy, hn::LoadU(d, x + i)), base), d, r + i);
  });
}

void EndGradient(const Plan& plan, const float* sums, const float* x, int64_t count, float* dx) {
  const D d;
  const V factor = hn::Set(d, 2 * plan.beta * plan.factor);
  ForEachVector(count, [&](int64_t i) HWY_ATTR {
    const V part = hn::Mul(hn::Mul(factor, hn::LoadU(d, x + i)), hn::LoadU(d, sums + i));
    hn::StoreU(hn::Sub(hn::LoadU(d, dx + i), part), d, dx + i);
  });
}

const BufferFunctions* FindFunctions() {
  static constexpr BufferFunctions kFunctions = {Widen,   Narrow,        Add,
                                                 Respond, BeginGradient, EndGradient};
  return &kFunctions;
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::window::responses
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/window/cpu/pieces.h"
#include "kernels/window/cpu/responses/strategies.h"

namespace anydml::window::responses {
namespace {

HWY_EXPORT(FindFunctions);

constexpr int64_t kPiece = 1024;  // lanes, or taps along them, at a time
constexpr int64_t kSlack = 16;    // a vector
// An element costs as much as moving so many; so pieces have at most kPiece lanes.
constexpr uint64_t kCost = cpu::kElementsPerUnit / kPiece;

// Whole vectors are calculated: zeros follow what is loaded.
struct Buffers {
  alignas(64) float row[2 * kPiece + kSlack];
  alignas(64) float sums[kPiece + kSlack];
  alignas(64) float x[kPiece + kSlack];
  alignas(64) float y[kPiece + kSlack];
  alignas(64) float r[kPiece + kSlack];
};

// Lanes of a row, from `first` on.
template <typename T>
void Load(const BufferFunctions& functions, const T* row, int64_t stride, int64_t first,
          int64_t count, float* to) {
  const T* const from = row + first * stride;
  std::fill_n(to + count, kSlack, 0.0f);
  if (stride != 1) {
    for (int64_t i = 0; i < count; ++i) {
      if constexpr (sizeof(T) == 2)
        to[i] = ToFloat(from[i * stride]);
      else
        to[i] = from[i * stride];
    }
  } else if constexpr (sizeof(T) == 2) {
    functions.widen(from, count, to);
  } else {
    std::copy_n(from, count, to);
  }
}

template <typename T>
void Store(const BufferFunctions& functions, const float* from, int64_t count, T* to,
           int64_t stride) {
  if (stride != 1) {
    for (int64_t i = 0; i < count; ++i) {
      if constexpr (sizeof(T) == 2)
        to[i * stride] = ToFloat16(from[i]);
      else
        to[i * stride] = from[i];
    }
  } else if constexpr (sizeof(T) == 2) {
    functions.narrow(from, count, to);
  } else {
    std::copy_n(from, count, to);
  }
}

// The sums of `count` lanes from `first` on, of squares of x, or of r over reflected regions.
// row_at(outer coordinates) is a row of either.
template <typename RowAt>
void SumRegions(const Plan& plan, const BufferFunctions& functions,
                const std::array<int64_t, 3>& row, int64_t first, int64_t count, bool reflected,
                int64_t stride, const RowAt& row_at, Buffers& buffers) {
  const int64_t size = plan.sizes[3];
  // The least column that lane `first` has, and the taps from there on, those outside included.
  const int64_t down = !plan.has_region[3] ? 0 : reflected ? plan.after : plan.before;
  const int64_t taps = plan.has_region[3] ? plan.before + plan.after + 1 : 1;
  std::fill_n(buffers.sums, count + kSlack, 0.0f);
  Span spans[3];
  for (int a = 0; a < 3; ++a) spans[a] = plan.RegionOf(a, row[static_cast<size_t>(a)], reflected);
  for (int64_t i = spans[0].first; i < spans[0].end; ++i) {
    for (int64_t j = spans[1].first; j < spans[1].end; ++j) {
      for (int64_t k = spans[2].first; k < spans[2].end; ++k) {
        for (int64_t done = 0; done < taps; done += kPiece) {
          const int64_t some = std::min(kPiece, taps - done);
          const int64_t at = first - down + done, end = at + count + some - 1;
          const int64_t inside = std::clamp<int64_t>(at, 0, size);
          const int64_t inside_end = std::clamp<int64_t>(end, inside, size);
          float* const buffer = buffers.row;
          std::fill(buffer, buffer + (inside - at), 0.0f);
          Load(functions, row_at({i, j, k}), stride, inside, inside_end - inside,
               buffer + (inside - at));
          std::fill(buffer + (inside_end - at), buffer + (end - at) + kSlack, 0.0f);
          functions.add(buffer, count, some, !reflected, buffers.sums);
        }
      }
    }
  }
}

template <typename T>
struct Pieces {
  const Plan& plan;
  const Bindings& bindings;
  const BufferFunctions& functions = *HWY_DYNAMIC_DISPATCH(FindFunctions)();

  // Loads x, and sums the squares of its regions.
  void SumSquares(const std::array<int64_t, 3>& row, int64_t first, int64_t count,
                  Buffers& buffers) const {
    const T* const x = bindings.Input<T>(0);
    const auto row_at = [&](const std::array<int64_t, 3>& at) { return x + plan.OffsetOf(0, at); };
    SumRegions(plan, functions, row, first, count, false, plan.strides[0][3], row_at, buffers);
    Load(functions, row_at(row), plan.strides[0][3], first, count, buffers.x);
  }

  void Respond(int64_t number, int64_t first, int64_t count, Buffers& buffers) const {
    const auto row = plan.RowAt(number);
    SumSquares(row, first, count, buffers);
    functions.respond(plan, buffers.sums, buffers.x, count, buffers.y);
    const int64_t stride = plan.strides[1][3];
    Store(functions, buffers.y, count,
          bindings.Output<T>(0) + plan.OffsetOf(1, row) + first * stride, stride);
  }

  void BeginGradient(int64_t number, int64_t first, int64_t count, Buffers& buffers) const {
    const auto row = plan.RowAt(number);
    SumSquares(row, first, count, buffers);
    Load(functions, bindings.Input<T>(1) + plan.OffsetOf(1, row), plan.strides[1][3], first, count,
         buffers.y);
    functions.begin_gradient(plan, buffers.sums, buffers.x, count, buffers.y, buffers.r);
    float* const u = bindings.Temporary<float>() + number * plan.sizes[3] + first;
    std::copy_n(buffers.y, count, u);
    std::copy_n(buffers.r, count, u + plan.ElementCount());
  }

  void EndGradient(int64_t number, int64_t first, int64_t count, Buffers& buffers) const {
    const auto row = plan.RowAt(number);
    const float* const u = bindings.Temporary<float>();
    const auto row_at = [&](const std::array<int64_t, 3>& at) {
      const int64_t row_number = (at[0] * plan.sizes[1] + at[1]) * plan.sizes[2] + at[2];
      return u + plan.ElementCount() + row_number * plan.sizes[3];
    };
    SumRegions(plan, functions, row, first, count, true, 1, row_at, buffers);
    Load(functions, bindings.Input<T>(0) + plan.OffsetOf(0, row), plan.strides[0][3], first, count,
         buffers.x);
    Load(functions, u + number * plan.sizes[3], 1, first, count, buffers.y);
    functions.end_gradient(plan, buffers.sums, buffers.x, count, buffers.y);
    const int64_t stride = plan.strides[2][3];
    Store(functions, buffers.y, count,
          bindings.Output<T>(0) + plan.OffsetOf(2, row) + first * stride, stride);
  }
};

void Run(const Plan& plan, const NoTables&, const Bindings& bindings,
         const cpu::Executor& executor) {
  DispatchType(TypeList<float, Float16>(), plan.type, [&]<typename T>() {
    const Pieces<T> pieces = {plan, bindings};
    const auto run = [&](auto pass) {
      cpu::ForEachPiece(plan.RowCount(), plan.sizes[3], kCost, executor,
                        [&](int64_t row, int64_t first, int64_t count) {
                          Buffers buffers;
                          (pieces.*pass)(row, first, count, buffers);
                        });
    };
    if (!plan.is_gradient) return run(&Pieces<T>::Respond);
    run(&Pieces<T>::BeginGradient);
    run(&Pieces<T>::EndGradient);
  });
}

// A function of this file: with sanitizers g++ 12 does not compare the address of an inline one,
// which is external, with null while it compiles.
uint64_t BytesOf(const Plan& plan) { return TemporaryBytes(plan); }

}  // namespace

constinit const std::array<CpuStrategy, 1> kStrategies = {
    StrategyOf<Plan, NoTables>::Named<AcceptsAll<Plan>, Run, BytesOf>("strided")};

}  // namespace anydml::window::responses
#endif  // HWY_ONCE
