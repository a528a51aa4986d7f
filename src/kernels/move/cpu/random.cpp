// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Random words, every one from its index alone.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/move/cpu/random.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/rows.h"
#include "kernels/move/cpu/strategies.h"
#include "kernels/move/random_plan.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::move {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The words of counters from `first` on, as many as are whole vectors; their number. A counter
// per lane of 64 bits, a word in the lower half of each, so that products need no shuffles.
uint64_t PutBlocks(PhiloxCounter first, PhiloxKey key, uint64_t count, uint32_t* to) {
  const hn::ScalableTag<uint64_t> d;
  const hn::Repartition<uint32_t, decltype(d)> d32;
  const uint64_t lanes = hn::Lanes(d), low = first[0] | uint64_t{first[1]} << 32;
  if (low + count < low) return 0;  // a carry
  const auto product = [&](auto a, auto b) HWY_ATTR {
    return hn::MulEven(hn::BitCast(d32, a), hn::BitCast(d32, b));
  };
  const auto m0 = hn::Set(d, 0xD2511F53), m1 = hn::Set(d, 0xCD9E8D57);
  uint64_t done = 0;
  for (; done + lanes <= count; done += lanes) {
    auto c0 = hn::Iota(d, low + done), c1 = hn::ShiftRight<32>(c0);
    auto c2 = hn::Set(d, first[2]), c3 = hn::Set(d, first[3]);
    for (uint32_t round = 0; round < 10; ++round) {
      const auto a = product(c0, m0), b = product(c2, m1);
      const auto k0 = hn::Set(d, key[0] + round * 0x9E3779B9);
      const auto k1 = hn::Set(d, key[1] + round * 0xBB67AE85);
      c0 = hn::Xor(hn::ShiftRight<32>(b), hn::Xor(c1, k0));
      c2 = hn::Xor(hn::ShiftRight<32>(a), hn::Xor(c3, k1));
      c1 = b;
      c3 = a;
    }
    const auto lower = hn::Set(d, 0xFFFFFFFF);
    hn::StoreInterleaved2(hn::Or(hn::And(c0, lower), hn::ShiftLeft<32>(c1)),
                          hn::Or(hn::And(c2, lower), hn::ShiftLeft<32>(c3)), d,
                          reinterpret_cast<uint64_t*>(to + 4 * done));
  }
  return done;
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::move
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::move {
namespace {

HWY_EXPORT(PutBlocks);

Refusal AcceptsPackedRows(const RandomWords& plan) {
  if (plan.loop.inner_stride(0) != 1 || plan.loop.inner_stride(1) != 1) {
    return {"the output's innermost stride is not 1"};
  }
  return kAccepted;
}

// `count` words from an index on.
void PutRow(const RandomState& state, uint64_t index, uint32_t* to, uint64_t count) {
  const auto put_single = [&](uint64_t number) {
    for (; number > 0; --number, --count, ++index) *to++ = state.Words(index / 4)[index % 4];
  };
  put_single(std::min((4 - index % 4) % 4, count));
  const uint64_t words = 4 * HWY_DYNAMIC_DISPATCH(PutBlocks)(Advanced(state.counter, index / 4),
                                                             state.key, count / 4, to);
  to += words;
  index += words;
  count -= words;
  put_single(count);
}

template <bool kPacked>
void RunRandom(const RandomWords& plan, const NoTables&, const Bindings& bindings,
               const cpu::Executor& executor) {
  const RandomState state(bindings.Input<uint32_t>(0), plan.input_step);
  const StridedLoop<2>& loop = plan.loop;
  cpu::ForEachRowPiece(loop, executor, [&](const auto& at, uint64_t count) {
    uint32_t* to = bindings.Output<uint32_t>(0) + at[1];
    if (kPacked) return PutRow(state, static_cast<uint64_t>(at[0]), to, count);
    for (int64_t i = 0; i < static_cast<int64_t>(count); ++i) {
      const auto index = static_cast<uint64_t>(at[0] + i * loop.inner_stride(0));
      to[i * loop.inner_stride(1)] = state.Words(index / 4)[index % 4];
    }
  });
  if (plan.output_step == 0) return;
  state.PutAdvanced(loop.ElementCount(), bindings.Output<uint32_t>(1), plan.output_step);
}

using Strategy = StrategyOf<RandomWords, NoTables>;

}  // namespace

constinit const std::array<CpuStrategy, 2> kRandomStrategies = {
    Strategy::Named<AcceptsPackedRows, RunRandom<true>>("packed_rows"),
    Strategy::Named<AcceptsAll<RandomWords>, RunRandom<false>>("strided"),
};

}  // namespace anydml::move
#endif  // HWY_ONCE
