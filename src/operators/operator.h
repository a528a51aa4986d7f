// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The contract of an operator, and the three steps that every description goes
// through: CreateOperator (validate and copy), Compile (plan, tables, choice of
// strategy), Run (compute on bound memory).
//
// A folder under src/operators/ implements the contract with its own types
// (Desc, Plan, Tables) and hands them over behind `const void*` by the helpers
// at the end of this file, so that nothing outside the folder names its types.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "kernels/strategy.h"
#include "operators/case.h"
#include "operators/gradient.h"
#include "schema/arguments.h"
#include "schema/schema.h"

struct DML_OPERATOR_DESC;

namespace anydml {

// What a device imposes on the operators created on it.
struct DeviceOptions {
  FeatureLevel feature_level = kNewestFeatureLevel;
  // Pixel offsets of gradients belong to the tensor that their name says,
  // instead of meaning what they mean in the forward operator (ruling B10).
  bool exchange_pixel_offsets = false;
  // That execute on the CPU, as far as what an operator prepares depends on them; 0: one per core.
  int threads = 0;
};

// What all versions of an operator share: one per folder.
struct Kernel {
  std::string_view name;   // the folder, or the row of a table
  DataTypeSet data_types;  // those that the strategies dispatch
  // Sums are compared with NaN equal to NaN; operators that only select or move
  // elements must preserve the bits of a NaN too.
  bool preserves_nan_bits;
  std::shared_ptr<const void> (*make_plan)(const void* desc);
  std::string (*explain)(const void* plan);  // for people, one fact per line
  Result<std::shared_ptr<const void>> (*make_tables)(const void* plan);
  uint64_t (*table_bytes)(const void* tables) = nullptr;  // where tables may be large
  // What CUDA kernels upload of the tables; null where they need none.
  TableSpans (*table_spans)(const void* tables) = nullptr;
  void (*reference)(const void* desc, const Bindings&);
  std::span<const CpuStrategy> cpu_strategies;  // best first; the last accepts everything
  // The CudaKernel that takes the same plans; empty: the one of this name.
  std::string_view cuda_name = {};
};

// The same for NVIDIA devices, in libanydml_cuda.so: kernels/cuda_kernel.h.
struct CudaKernel;

// One per DML_OPERATOR_*.
struct Definition {
  const schema::OperatorSchema* schema;
  std::shared_ptr<const void> (*make_desc)(const schema::Arguments&, const DeviceOptions&);
  const Kernel* kernel;
  std::span<const Case> cases;
  std::span<const BenchCase> bench_cases = {};  // of the newest version of each operator
  GradientRule gradient = nullptr;              // null: the operator has none
};

// A validated description. Immutable; holds no pointer of the caller's.
struct Operator {
  const Definition* definition = nullptr;
  std::shared_ptr<const schema::Arguments> arguments;
  std::shared_ptr<const void> desc;
  // Its FusedActivation as an operator of its own: from the first output to itself, in
  // place, when the output has been rounded to its type (B126). Null without one.
  std::shared_ptr<const Operator> activation;
};

// The definition that a description asks for; an operator that is unknown, or
// known and not implemented, is refused by name.
Result<const Definition*> FindDefinition(const DML_OPERATOR_DESC* dml_desc);

Result<Operator> CreateOperator(const DML_OPERATOR_DESC* dml_desc, const DeviceOptions& options);
Result<Operator> CreateOperator(const Definition& definition, schema::Arguments arguments,
                                const DeviceOptions& options);
// The same from arguments that were validated for the device.
Result<Operator> CreateValidated(const Definition& definition, schema::Arguments arguments,
                                 const DeviceOptions& options);

// The oracle: the kernel's reference, and that of the activation after it.
void RunReference(const Operator& op, const Bindings& bindings);

// What a fused activation is bound to: the first output, twice.
Bindings ActivationBindings(const Bindings& bindings);

// An operator ready to run on the CPU.
struct CpuProgram {
  Operator op;
  std::shared_ptr<const void> plan;
  std::shared_ptr<const void> tables;
  const CpuStrategy* strategy = nullptr;
  uint64_t temporary_bytes = 0;  // of both, who use the same memory one after the other
  uint64_t table_bytes = 0;      // that the tables hold on to
  std::shared_ptr<const CpuProgram> activation;  // runs afterwards; null without one
};

// Takes the first strategy that accepts, or `forced`, whose refusal is then an
// error.
Result<CpuProgram> Compile(const Operator& op, const CpuStrategy* forced = nullptr);
Status Run(const CpuProgram& program, const Bindings& bindings, const cpu::Executor& executor);

// Whether RunRow takes the program, which then does what the strategy's run_row does.
bool HasRows(const CpuProgram& program);
void RunRow(const CpuProgram& program, const Bindings& bindings, uint64_t count);

// ---- Helpers for the folders: typed functions behind the contract's pointers.

template <typename Desc, Desc (*kMakeDesc)(const schema::Arguments&, const DeviceOptions&)>
std::shared_ptr<const void> EraseDesc(const schema::Arguments& arguments,
                                      const DeviceOptions& options) {
  return std::make_shared<const Desc>(kMakeDesc(arguments, options));
}

template <typename Desc, typename Plan, Plan (*kMakePlan)(const Desc&)>
std::shared_ptr<const void> ErasePlan(const void* desc) {
  return std::make_shared<const Plan>(kMakePlan(*static_cast<const Desc*>(desc)));
}

template <typename Plan, std::string (*kExplain)(const Plan&)>
std::string EraseExplain(const void* plan) {
  return kExplain(*static_cast<const Plan*>(plan));
}

template <typename Plan, typename Tables, Result<Tables> (*kMakeTables)(const Plan&)>
Result<std::shared_ptr<const void>> EraseTables(const void* plan) {
  Result<Tables> tables = kMakeTables(*static_cast<const Plan*>(plan));
  if (!tables.ok()) return tables.error();
  return std::shared_ptr<const void>(std::make_shared<const Tables>(std::move(tables).value()));
}

template <typename Tables>
uint64_t EraseTableBytes(const void* tables) {
  return static_cast<const Tables*>(tables)->Bytes();
}

template <typename Tables, TableSpans (*kSpans)(const Tables&)>
TableSpans EraseTableSpans(const void* tables) {
  return kSpans(*static_cast<const Tables*>(tables));
}

inline Result<std::shared_ptr<const void>> WithoutTables(const void*) {
  return std::shared_ptr<const void>(std::make_shared<const NoTables>());
}

template <typename Desc, void (*kReference)(const Desc&, const Bindings&)>
void EraseReference(const void* desc, const Bindings& bindings) {
  kReference(*static_cast<const Desc*>(desc), bindings);
}

}  // namespace anydml
