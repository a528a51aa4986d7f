// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A kernel per type interprets the chain: every thread takes the same way through the formulas,
// with its elements in registers. Elements of several packs share what that costs.
#include "backends/cuda/launch.cuh"
#include "kernels/elementwise/steps.h"

namespace anydml::cuda {
namespace {

using elementwise::Attributes;
using Kind = FusedOperand::Kind;

// Numbers as words: a kernel reads its parameters in those.
using Words = std::array<uint64_t, 4>;
Words WordsOf(const Attributes& attributes) { return std::bit_cast<Words>(attributes.values); }
__device__ Attributes AttributesOf(const Words& words) {
  return {std::bit_cast<std::array<Scalar, 4>>(words)};
}

struct Operand {
  Kind kind = Kind::kPrevious;
  uint8_t place = 0;  // register or spread
  const void* memory = nullptr;
};

struct Stage {
  elementwise::Formula formula;
  uint8_t inputs;
  bool scaled;
  uint8_t result;
  float scale;
  float bias;
  Words attributes;
  Operand operands[2] = {};
};

// The place of an operand's elements by their number in the output.
struct Spread {
  uint32_t rank = 0;
  Divider sizes[kMaxDimensions] = {};
  int64_t strides[kMaxDimensions] = {};

  __device__ int64_t OffsetOf(uint32_t number, uint32_t dimensions) const {
    int64_t offset = 0;
#pragma unroll 1
    for (uint32_t i = dimensions; i-- > 0;) {
      const uint32_t rest = sizes[i].Quotient(number);
      offset += int64_t{number - rest * sizes[i].divisor()} * strides[i];
      number = rest;
    }
    return offset;
  }
};

// What a kernel needs of a FusedChain, in its parameters.
struct Chain {
  uint32_t stage_count;
  int64_t elements;
  void* output;
  Stage stages[kMaxFusedStages] = {};
  Spread spreads[kMaxFusedSpreads] = {};
};
static_assert(sizeof(Chain) + sizeof(uint64_t) <= 4096);

Spread SpreadOf(const StridedLoop<2>& loop) {
  Spread spread = {.rank = loop.rank};
  for (uint32_t i = 0; i < loop.rank; ++i) {
    spread.sizes[i] = Divider(loop.sizes[i]);
    spread.strides[i] = loop.strides[0][i];
  }
  return spread;
}

Chain ChainOf(const FusedChain& fused) {
  Chain chain = {.stage_count = fused.stage_count,
                 .elements = static_cast<int64_t>(fused.elements),
                 .output = fused.output};
  uint8_t spreads = 0;
  for (uint32_t i = 0; i < fused.stage_count; ++i) {
    const auto& [step, operands, result] = fused.stages[i];
    Stage& stage = chain.stages[i];
    stage.formula = step.formula;
    stage.inputs = step.inputs;
    stage.scaled = step.scaled;
    stage.result = result;
    stage.scale = step.scale_bias.As<float>(0);
    stage.bias = step.scale_bias.As<float>(1);
    stage.attributes = WordsOf(step.attributes);
    for (int k = 0; k < step.inputs; ++k) {
      stage.operands[k] = {operands[k].kind, operands[k].place, operands[k].memory};
      if (operands[k].kind != Kind::kSpread) continue;
      stage.operands[k].place = spreads;
      chain.spreads[spreads++] = SpreadOf(*operands[k].loop);
    }
  }
  return chain;
}

// Elements from number `first` on, as far as they are below `count`.
template <typename P, typename T>
__device__ P LoadSpread(const Spread& spread, const T* memory, int64_t first, int64_t count) {
  P pack = {};
  if (first >= count) return pack;
  const uint32_t inner = spread.rank - 1;
  const int64_t inner_stride = spread.strides[inner], inner_size = spread.sizes[inner].divisor();
  if (first >= 0) {
    auto position = static_cast<uint32_t>(first);
    const uint32_t row = spread.sizes[inner].Split(position);
    if (position + P::kSize <= inner_size) {
      const T* const from = memory + spread.OffsetOf(row, inner);
      if (inner_stride == 1) return LoadPackPart<P>(from, int64_t{position}, inner_size);
      const T value = from[position * inner_stride];
      for (int i = 0; i < P::kSize; ++i) pack.values[i] = value;
      return pack;
    }
  }
  for (int i = 0; i < P::kSize; ++i) {
    if (first + i < 0 || first + i >= count) continue;
    pack.values[i] = memory[spread.OffsetOf(static_cast<uint32_t>(first + i), spread.rank)];
  }
  return pack;
}

// The elements of one thread: packs of neighbours, a block's threads apart.
template <typename T>
struct Elements {
  using P = Pack<T>;
  static constexpr int kPacks = sizeof(T) == 4 ? 2 : 1;
  static constexpr int kCount = kPacks * P::kSize;

  int64_t first[kPacks];

  __device__ void Load(const Chain& chain, const Operand& from, T (&to)[kCount]) const {
    const auto* const memory = static_cast<const T*>(from.memory);
    for (int k = 0; k < kPacks; ++k) {
      const P pack = from.kind == Kind::kMemory ? LoadPackPart<P>(memory, first[k], chain.elements)
                                                : LoadSpread<P>(chain.spreads[from.place], memory,
                                                                first[k], chain.elements);
      for (int i = 0; i < P::kSize; ++i) to[k * P::kSize + i] = pack.values[i];
    }
  }

  __device__ void Store(const Chain& chain, const T (&from)[kCount]) const {
    for (int k = 0; k < kPacks; ++k) {
      P pack;
      for (int i = 0; i < P::kSize; ++i) pack.values[i] = from[k * P::kSize + i];
      const bool whole = first[k] >= 0 && first[k] + P::kSize <= chain.elements;
      StorePackPart(pack, static_cast<T*>(chain.output), first[k], chain.elements, whole);
    }
  }
};

template <typename T, bool kCostly>
__global__ void RunChain(const __grid_constant__ Chain chain) {
  using Mine = Elements<T>;
  Mine mine;
  const uint64_t number = uint64_t{blockIdx.x} * (kThreadsPerBlock * Mine::kPacks) + threadIdx.x;
  const int64_t lead = Lead<typename Mine::P>(static_cast<T*>(chain.output));
  for (int k = 0; k < Mine::kPacks; ++k) {
    mine.first[k] = static_cast<int64_t>(number + k * kThreadsPerBlock) * Mine::P::kSize - lead;
  }
  if (mine.first[0] >= chain.elements) return;
  // Results that the next stage does not read. In local memory, since they are found by number; few
  // chains have any.
  T kept[kMaxRegisters][Mine::kCount];
  T x[Mine::kCount] = {};  // the result of the stage before
  const auto fetch = [&](const Operand& from, T(&to)[Mine::kCount]) {
    if (from.kind == Kind::kRegister) {
      for (int k = 0; k < Mine::kCount; ++k) to[k] = kept[from.place][k];
    } else if (from.kind != Kind::kPrevious) {
      mine.Load(chain, from, to);
    }
  };
  for (uint32_t i = 0; i < chain.stage_count; ++i) {
    const Stage& stage = chain.stages[i];
    T y[Mine::kCount];
    for (int k = 0; k < Mine::kCount; ++k) y[k] = x[k];
    if (stage.inputs == 2) fetch(stage.operands[1], y);
    fetch(stage.operands[0], x);
    if (stage.scaled) {
      elementwise::ScaleBias<T> g(stage.scale, stage.bias);
      for (int k = 0; k < Mine::kCount; ++k) x[k] = g(x[k]);
    }
    elementwise::ApplyStep<kCostly>(stage.formula, AttributesOf(stage.attributes), x, y);
    if (stage.result == FusedStage::kNoRegister) continue;
    for (int k = 0; k < Mine::kCount; ++k) kept[stage.result][k] = x[k];
  }
  mine.Store(chain, x);
}

template <typename T>
void Run(const FusedChain& fused, Stream stream) {
  bool costly = false;
  for (uint32_t i = 0; i < fused.stage_count; ++i) {
    costly = costly || elementwise::IsCostly<T>(fused.stages[i].step.formula);
  }
  constexpr uint64_t kPacks = Elements<T>::kPacks;
  const uint64_t packs = PacksPerRow(fused.elements, Pack<T>::kSize);
  auto* kernel = RunChain<T, false>;
  if constexpr (elementwise::kIsFloat<T>) {
    if (costly) kernel = RunChain<T, true>;
  }
  kernel<<<BlocksFor((packs + kPacks - 1) / kPacks), kThreadsPerBlock, 0, stream>>>(ChainOf(fused));
}

}  // namespace

void RunFused(const FusedChain& chain, Stream stream) {
  DispatchType(elementwise::StepTypes(), chain.stages[0].step.data_type,
               [&]<typename T>() { Run<T>(chain, stream); });
}

}  // namespace anydml::cuda
