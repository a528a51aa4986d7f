// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A compiled operator, whatever device it is for.
#pragma once

#include <optional>
#include <string_view>
#include <variant>

#include "operators/cuda_operator.h"
#include "operators/operator.h"

namespace anydml {

// The number of a CUDA device; empty for the CPU.
using CudaOrdinal = std::optional<int>;

inline std::string_view NameOf(const CpuStrategy& strategy) { return strategy.name; }
inline std::string_view NameOf(const CudaStrategy& strategy) { return strategy.name.view(); }

class DeviceProgram {
 public:
  DeviceProgram() = default;  // runs nothing
  static Result<DeviceProgram> Compile(const Operator& op, CudaOrdinal cuda) {
    return cuda ? From(CompileForCuda(op, *cuda)) : From(anydml::Compile(op));
  }

  const Operator& op() const {
    return std::visit([](const auto& p) -> const Operator& { return p.op; }, compiled_);
  }
  const schema::Arguments& arguments() const { return *op().arguments; }
  uint64_t temporary_bytes() const {
    return std::visit([](const auto& p) { return p.temporary_bytes; }, compiled_);
  }
  uint64_t table_bytes() const {
    return std::visit([](const auto& p) { return p.table_bytes; }, compiled_);
  }
  std::string_view strategy() const {
    return std::visit([](const auto& p) { return NameOf(*p.strategy); }, compiled_);
  }
  // One of the two is not null.
  const CpuProgram* cpu() const { return std::get_if<CpuProgram>(&compiled_); }
  const CudaProgram* cuda() const { return std::get_if<CudaProgram>(&compiled_); }

 private:
  using Compiled = std::variant<CpuProgram, CudaProgram>;

  explicit DeviceProgram(Compiled compiled) : compiled_(std::move(compiled)) {}

  template <typename T>
  static Result<DeviceProgram> From(Result<T> compiled) {
    if (!compiled.ok()) return compiled.error();
    return DeviceProgram(std::move(compiled).value());
  }

  Compiled compiled_;
};

}  // namespace anydml
