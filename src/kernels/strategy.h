// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The contract of a CPU strategy: one kernel that can be chosen for a plan. Each
// kernel family lists its strategies, best first; the last accepts everything.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "backends/bindings.h"
#include "backends/cpu/executor.h"

namespace anydml {

// Why a strategy does not take a plan; empty means that it does.
struct Refusal {
  std::string_view reason;
  bool accepted() const { return reason.empty(); }
};
inline constexpr Refusal kAccepted = {};

// For operators that need no memory beyond their plan.
struct NoTables {};

// The same tables as arrays of plain elements, for the libraries of other devices.
struct TableSpan {
  const void* data = nullptr;
  uint64_t bytes = 0;
};
using TableSpans = std::array<TableSpan, 10>;

struct CpuStrategy {
  std::string_view name;  // what the data looks like
  Refusal (*accepts)(const void* plan);
  uint64_t (*temporary_bytes)(const void* plan);
  void (*run)(const void* plan, const void* tables, const Bindings&, const cpu::Executor&);
  // For a strategy whose output elements depend on nothing but the inputs at the
  // same place: computes `count` elements that lie packed at the bound addresses,
  // on the calling thread. A graph runs chains of such operators block by block,
  // so that what is between them stays in the cache. Null: not such a strategy.
  void (*run_row)(const void* plan, const void* tables, const Bindings&, uint64_t count) = nullptr;
};

// All of a strategy but how its device runs it.
template <typename Strategy, typename Plan, auto kAccepts, auto kTemporaryBytes>
constexpr Strategy NamedStrategy(std::string_view name) {
  Strategy strategy = {};
  strategy.name = name;
  strategy.accepts = [](const void* plan) { return kAccepts(*static_cast<const Plan*>(plan)); };
  strategy.temporary_bytes = [](const void* plan) -> uint64_t {
    if constexpr (kTemporaryBytes == nullptr) {
      return 0;
    } else {
      return kTemporaryBytes(*static_cast<const Plan*>(plan));
    }
  };
  return strategy;
}

template <typename Plan, typename Tables>
struct StrategyOf {
  using Accepts = Refusal (*)(const Plan&);
  using TemporaryBytes = uint64_t (*)(const Plan&);
  using Run = void (*)(const Plan&, const Tables&, const Bindings&, const cpu::Executor&);

  template <Accepts kAccepts, Run kRun, TemporaryBytes kTemporaryBytes = nullptr>
  static constexpr CpuStrategy Named(std::string_view name) {
    auto strategy = NamedStrategy<CpuStrategy, Plan, kAccepts, kTemporaryBytes>(name);
    strategy.run = [](const void* plan, const void* tables, const Bindings& bindings,
                      const cpu::Executor& executor) {
      kRun(*static_cast<const Plan*>(plan), *static_cast<const Tables*>(tables), bindings,
           executor);
    };
    return strategy;
  }
};

template <typename Plan>
Refusal AcceptsAll(const Plan&) {
  return kAccepted;
}

}  // namespace anydml
