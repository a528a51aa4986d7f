// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// B25: full IEEE behaviour whatever the application has set. A game that
// flushes subnormals and rounds upwards gets the same bits, and its settings
// back.
#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <cfenv>
#include <thread>
#include <vector>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "backends/cpu/executor.h"
#include "backends/cpu/instruction_set.h"
#include "operators/registry.h"
#include "support/descriptions.h"

namespace anydml {
namespace {

#if defined(__x86_64__)
constexpr unsigned kHostile = 0x1F80 | 0x8000 | 0x0040 | 0x4000;  // FTZ, DAZ, round up
#endif

// The settings of such a game, until the destructor.
class HostileFloatEnvironment {
 public:
  HostileFloatEnvironment() {
    std::fegetenv(&saved_);
#if defined(__x86_64__)
    _mm_setcsr(kHostile);
#else
    std::fesetround(FE_UPWARD);
#endif
  }
  ~HostileFloatEnvironment() { std::fesetenv(&saved_); }

  // Whether the calling thread still has them, less the flags that arithmetic
  // raises.
  bool IsUntouched() const {
#if defined(__x86_64__)
    return (_mm_getcsr() & ~0x3Fu) == kHostile;
#else
    return std::fegetround() == FE_UPWARD;
#endif
  }

 private:
  std::fenv_t saved_;
};

// By arithmetic and not by reading a register. A half unit in the last place is
// a tie, which nearest even drops and rounding upwards does not.
bool RoundsToNearest() {
  volatile float one = 1.0f, half_unit = 0x1p-24f;
  volatile float sum = one + half_unit;
  return sum == 1.0f;
}

bool KeepsSubnormals() {
  volatile float subnormal = 0x1p-140f, min_normal = 0x1p-126f, half = 0.5f;
  volatile float product = min_normal * half;  // flushed to zero by FTZ
  const bool compares = subnormal > 0;         // read as zero by DAZ
  return compares && product != 0;
}

TEST(FloatEnvironment, OfThisTestIsHostileIndeed) {
  const HostileFloatEnvironment hostile;
  const bool nearest = RoundsToNearest();
#if defined(__x86_64__)
  const bool keeps = KeepsSubnormals();
#else
  const bool keeps = false;
#endif
  EXPECT_FALSE(nearest);
  EXPECT_FALSE(keeps);
}

class FloatEnvironment : public testing::TestWithParam<int> {};

// The executor is made under the hostile settings, so that its threads inherit
// them.
TEST_P(FloatEnvironment, IsTheDefaultInEveryPieceAndTheCallersAfterwards) {
  const HostileFloatEnvironment hostile;
  const cpu::Executor executor(GetParam());
  std::atomic<int> wrong = 0;
  for (uint64_t units : {1u, 1000u}) {  // one piece on the caller, many pieces
    executor.ParallelFor(units, 1, [&](uint64_t, uint64_t) {
      if (!RoundsToNearest() || !KeepsSubnormals()) ++wrong;
    });
    EXPECT_TRUE(hostile.IsUntouched());
  }
  EXPECT_EQ(wrong.load(), 0);
}

TEST_P(FloatEnvironment, IsTheDefaultForCallersOnOtherThreads) {
  const cpu::Executor executor(GetParam());
  std::atomic<int> wrong = 0;
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      const HostileFloatEnvironment hostile;
      executor.ParallelFor(1000, 1, [&](uint64_t, uint64_t) {
        if (!RoundsToNearest() || !KeepsSubnormals()) ++wrong;
      });
      if (!hostile.IsUntouched()) ++wrong;
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong.load(), 0);
}

// Enough elements for several pieces.
constexpr uint32_t kElements = 100000;

schema::Arguments ReluGradArguments(const Definition& definition, bool packed) {
  schema::Arguments arguments(*definition.schema);
  for (size_t i = 0; i < 3; ++i) {
    TensorDesc& tensor = arguments.at(i).tensor;
    tensor.data_type = DataType::kFloat32;
    tensor.dimension_count = 1;
    tensor.sizes = {kElements};
    test::SetStrides(tensor, packed ? std::nullopt : std::optional(Dimensions{2}));
  }
  return arguments;
}

// Subnormal inputs count as positive and subnormal gradients pass, with every
// strategy and instruction set.
void CheckSubnormals(const Operator& op, const CpuStrategy& strategy, size_t stride,
                     const cpu::Executor& executor) {
  const std::vector<float> x(kElements * stride, std::bit_cast<float>(1u));
  const std::vector<float> dy(kElements * stride, std::bit_cast<float>(0x80000003u));
  std::vector<float> dx(kElements * stride, 5.0f);
  const Result<CpuProgram> program = Compile(op, &strategy);
  ASSERT_TRUE(program.ok()) << program.error().message;
  Bindings bindings;
  bindings.inputs = {x.data(), dy.data()};
  bindings.outputs = {dx.data()};
  bool untouched = false;
  {
    const HostileFloatEnvironment hostile;
    (void)Run(program.value(), bindings, executor);
    untouched = hostile.IsUntouched();
  }
  EXPECT_TRUE(untouched);
  size_t wrong = 0;
  for (size_t i = 0; i < dx.size(); i += stride) {
    wrong += std::bit_cast<uint32_t>(dx[i]) != 0x80000003u;
  }
  EXPECT_EQ(wrong, 0u) << strategy.name;
}

TEST_P(FloatEnvironment, DoesNotChangeAnOperatorsResult) {
  const cpu::Executor executor(GetParam());
  const Definition* definition = FindOperator("ACTIVATION_RELU_GRAD");
  ASSERT_NE(definition, nullptr);
  for (bool packed : {true, false}) {
    const Result<Operator> op =
        CreateOperator(*definition, ReluGradArguments(*definition, packed), {});
    ASSERT_TRUE(op.ok()) << op.error().message;
    const auto plan = definition->kernel->make_plan(op.value().desc.get());
    for (const CpuStrategy& strategy : definition->kernel->cpu_strategies) {
      if (!strategy.accepts(plan.get()).accepted()) continue;
      for (const cpu::InstructionSet& set : cpu::AvailableInstructionSets()) {
        SCOPED_TRACE(set.name);
        const cpu::ScopedInstructionSet scope(set);
        CheckSubnormals(op.value(), strategy, packed ? 1 : 2, executor);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, FloatEnvironment, testing::Values(1, 2, 4),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace anydml
