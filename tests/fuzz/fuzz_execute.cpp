// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A description that is valid by construction is accepted, and every strategy
// that takes it gives the reference's bits, with every instruction set of the
// build, and touches nothing outside of the tensors: each lies against a page
// that nobody may touch.
#include <fmt/format.h>

#include <deque>

#include "backends/cpu/instruction_set.h"
#include "backends/cpu/streaming.h"
#include "fuzz/guarded_tensor.h"
#include "fuzz/usual_description.h"
#include "fuzz/valid_description.h"
#include "schema/tensor_bytes.h"
#include "support/descriptions.h"

namespace {

using namespace anydml;
using namespace anydml::test;

const cpu::Executor& ExecutorWith(bool several) {
  static const cpu::Executor one(1);
  static const cpu::Executor three(3, cpu::Cut::kEverywhere);
  return several ? three : one;
}

// All tensors of one description; the inputs are random.
class Arena {
 public:
  Arena(const schema::Arguments& arguments, uint32_t seed, uint8_t flush_bits) {
    std::mt19937 random(seed);
    const auto flush = [&] {
      flush_bits = static_cast<uint8_t>(flush_bits << 1 | flush_bits >> 7);
      return (flush_bits & 1) != 0 ? GuardPages::Flush::kWithTheStart
                                   : GuardPages::Flush::kWithTheEnd;
    };
    for (size_t field : arguments.inputs()) {
      inputs.emplace_back(arguments.tensor(field), flush());
      TensorMemory& memory = inputs.back().memory;
      seed % 2 == 0 ? memory.FillRandom(random) : memory.FillOrdinary(random);
    }
    for (size_t field : arguments.outputs()) {
      outputs.emplace_back(arguments.tensor(field), flush());
    }
  }

  // With `in_place_on`, output 0 lies over that input.
  template <typename F>
  void Run(F&& run, std::optional<size_t> in_place_on = {}) {
    Bindings bindings;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].memory.desc().present()) bindings.inputs[i] = inputs[i].Enter();
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
      outputs[i].memory.Clear();
      if (outputs[i].memory.desc().present()) bindings.outputs[i] = outputs[i].Enter();
    }
    if (in_place_on) bindings.outputs[0] = const_cast<void*>(bindings.inputs[*in_place_on]);
    run(bindings);
    for (GuardedTensor& output : outputs) output.Leave();
    if (in_place_on) inputs[*in_place_on].Leave();
  }

  std::deque<GuardedTensor> inputs;
  std::deque<GuardedTensor> outputs;
};

using Results = std::vector<std::vector<uint8_t>>;

struct Choices {
  uint32_t seed;
  uint8_t flush_bits;
  bool several_threads;
  bool streaming;
  bool in_place;
};

class Checker {
 public:
  Checker(const Operator& op, const Choices& choices) : op_(op), choices_(choices) {
    Arena arena(*op.arguments, choices.seed, choices.flush_bits);
    arena.Run([&](const Bindings& bindings) { RunReference(op, bindings); });
    for (const GuardedTensor& output : arena.outputs) {
      expected_.push_back(output.memory.Elements());
      Check(output.memory.FindForeignWrite(), "reference");
    }
  }

  void CheckStrategies() {
    const auto plan = op_.definition->kernel->make_plan(op_.desc.get());
    for (const CpuStrategy& strategy : op_.definition->kernel->cpu_strategies) {
      if (strategy.accepts(plan.get()).accepted()) CheckStrategy(strategy);
    }
  }

 private:
  void CheckStrategy(const CpuStrategy& strategy) {
    const Result<CpuProgram> program = Compile(op_, &strategy);
    Require(program.ok(), program.ok() ? "" : program.error().message);
    for (const cpu::InstructionSet& set : cpu::AvailableInstructionSets()) {
      const cpu::ScopedInstructionSet scope(set);
      const std::string who = fmt::format("{} {}", strategy.name, set.name);
      RunAndCompare(program.value(), who, std::nullopt);
      if (!choices_.in_place) continue;
      for (size_t input : InputsForInPlace()) RunAndCompare(program.value(), who, input);
    }
  }

  void RunAndCompare(const CpuProgram& program, const std::string& who,
                     std::optional<size_t> in_place_on) {
    Arena arena(*op_.arguments, choices_.seed, choices_.flush_bits);
    const cpu::ScopedStreaming streaming(choices_.streaming ? 0 : cpu::kStreamedBytes);
    // The temporary memory is aligned to 64 bytes, so its end may be off the page.
    const uint64_t temporary_bytes = (program.temporary_bytes + 63) / 64 * 64;
    const GuardPages temporary(temporary_bytes);
    std::memset(temporary.data(), 0xA5, temporary_bytes);
    arena.Run(
        [&](Bindings& bindings) {
          bindings.temporary = temporary.data();
          Require(Run(program, bindings, ExecutorWith(choices_.several_threads)).ok(), who);
        },
        in_place_on);
    for (size_t i = 0; i < arena.outputs.size(); ++i) {
      const TensorMemory& output =
          in_place_on && i == 0 ? arena.inputs[*in_place_on].memory : arena.outputs[i].memory;
      if (!output.desc().present()) continue;
      // In place the memory is that of an input, which may have another type of the same size.
      Check(FindDifference(arena.outputs[i].memory.desc(), expected_[i], output.Elements(),
                           !op_.definition->kernel->preserves_nan_bits),
            who);
      if (!in_place_on) Check(output.FindForeignWrite(), who);
    }
  }

  std::vector<size_t> InputsForInPlace() const {
    const schema::Arguments& arguments = *op_.arguments;
    const std::vector<size_t> numbers = arguments.inputs();
    const TensorDesc& output = arguments.tensor(arguments.outputs()[0]);
    std::vector<size_t> inputs;
    for (size_t i = 0; i < numbers.size(); ++i) {
      const bool same = arguments.tensor(numbers[i]).strides == output.strides;
      if (same && anydml::MayBeOverwritten(arguments, numbers[i])) inputs.push_back(i);
    }
    return inputs;
  }

  void Check(const std::optional<std::string>& problem, const std::string& who) const {
    Require(!problem,
            fmt::format("{} {}: {}", op_.definition->schema->name, who, problem.value_or("")));
  }

  const Operator& op_;
  const Choices choices_;
  Results expected_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes bytes(data, size);
  const Definition& definition = ChooseDefinition(bytes);
  const Choices choices = {.seed = bytes.Byte(),
                           .flush_bits = bytes.Byte(),
                           .several_threads = bytes.Rarely(),
                           .streaming = bytes.Rarely(),
                           .in_place = bytes.Flip()};
  const DeviceOptions options = {.feature_level = kNewestFeatureLevel,
                                 .exchange_pixel_offsets = bytes.Flip()};
  const bool usual = bytes.Flip();
  schema::Arguments arguments = MakeValidDescription(definition, bytes);
  if (usual) MakeUsual(arguments, bytes);
  const Result<Operator> op = CreateOperator(definition, std::move(arguments), options);
  Require(op.ok(), op.ok() ? "" : op.error().message);
  Checker(op.value(), choices).CheckStrategies();
  return 0;
}
