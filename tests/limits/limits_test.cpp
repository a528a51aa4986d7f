// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The edges of what a description can say, for every operator: strides up to
// 2^32 - 1 elements, as many dimensions as the tables admit, windows as large as
// their input, axes of millions of samples; and memory that stays in proportion to
// the tensors.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <numeric>

#include "limits/sparse_tensor.h"
#include "operators/registry.h"
#include "support/descriptions.h"
#include "support/tensor_data.h"

namespace anydml::test {
namespace {

Operator Create(const Definition& definition, const schema::Arguments& arguments) {
  // Two threads, as the executor has: temporary memory is per thread of the device.
  Result<Operator> op = CreateOperator(definition, arguments, {.threads = 2});
  EXPECT_TRUE(op.ok()) << op.error().message;
  return op.value();
}

// What the reference makes of random inputs, packed.
struct Expected {
  explicit Expected(const Operator& op) {
    std::mt19937 random(20260101);
    Bindings bindings;
    std::deque<TensorMemory> in, out;
    for (size_t field : op.arguments->inputs()) {
      in.emplace_back(op.arguments->tensor(field)).FillRandom(random);
      bindings.inputs[in.size() - 1] = in.back().desc().present() ? in.back().data() : nullptr;
      inputs.push_back(in.back().Elements());
    }
    for (size_t field : op.arguments->outputs()) {
      out.emplace_back(op.arguments->tensor(field));
      bindings.outputs[out.size() - 1] = out.back().desc().present() ? out.back().data() : nullptr;
    }
    RunReference(op, bindings);
    for (const TensorMemory& output : out) outputs.push_back(output.Elements());
  }

  std::vector<std::vector<uint8_t>> inputs, outputs;  // elements
};

// The same operator on tensors that lie anywhere, by every strategy that accepts.
void CheckSpread(const Operator& op, const Expected& expected) {
  static const cpu::Executor executor(2);
  for (const CpuStrategy& strategy : op.definition->kernel->cpu_strategies) {
    const Result<CpuProgram> program = Compile(op, &strategy);
    if (!program.ok()) continue;
    SCOPED_TRACE(strategy.name);
    Bindings bindings;
    std::deque<SparseTensor> in, out;
    for (size_t field : op.arguments->inputs()) {
      in.emplace_back(op.arguments->tensor(field));
      if (!in.back().ok()) GTEST_SKIP() << "not enough address space";
      in.back().SetElements(expected.inputs[in.size() - 1]);
      bindings.inputs[in.size() - 1] = in.back().data();
    }
    for (size_t field : op.arguments->outputs()) {
      out.emplace_back(op.arguments->tensor(field));
      if (!out.back().ok()) GTEST_SKIP() << "not enough address space";
      // As the reference found it: an operator may leave elements alone.
      const size_t bytes = expected.outputs[out.size() - 1].size();
      out.back().SetElements(std::vector<uint8_t>(bytes, 0xC5));
      bindings.outputs[out.size() - 1] = out.back().data();
    }
    TemporaryMemory temporary(program.value().temporary_bytes);
    bindings.temporary = temporary.data();
    ASSERT_TRUE(Run(program.value(), bindings, executor).ok());
    for (size_t i = 0; i < out.size(); ++i) {
      if (!out[i].desc().present()) continue;
      EXPECT_EQ(FindDifference(out[i].desc(), expected.outputs[i], out[i].Elements(),
                               !op.definition->kernel->preserves_nan_bits),
                std::nullopt);
    }
  }
}

// Strides that spread the first dimension of more than one element as far as a
// tensor may reach; the others stay packed.
Dimensions WidestStrides(const TensorDesc& tensor) {
  Dimensions strides = PackedStrides(tensor.Sizes());
  uint32_t wide = 0;
  while (wide < tensor.dimension_count && tensor.sizes[wide] < 2) ++wide;
  if (wide == tensor.dimension_count) return strides;
  const uint64_t inner = strides[wide];  // elements of what follows, packed
  const uint64_t stride = (uint64_t{4294967295u} - inner) / (tensor.sizes[wide] - 1);
  strides[wide] = static_cast<uint32_t>(stride);
  return strides;
}

class Limits : public testing::TestWithParam<const Definition*> {
 protected:
  template <typename Body>
  void ForEachCase(const Body& body) {
    const Definition& definition = *GetParam();
    for (const Case& c : definition.cases) {
      const auto types = AdmittedTypes(*definition.schema).front();
      const auto arguments = Describe(*definition.schema, c, types);
      if (!arguments) continue;
      SCOPED_TRACE(c.name);
      body(*arguments);
    }
  }
};

TEST_P(Limits, StridesReachTheEdgeOf32Bits) {
  size_t spread = 0;
  ForEachCase([&](const schema::Arguments& packed) {
    schema::Arguments wide = packed;
    for (size_t i = 0; i < wide.schema().fields.size(); ++i) {
      if (!wide.schema().fields[i].is_tensor() || !wide.tensor(i).present()) continue;
      TensorDesc& tensor = wide.at(i).tensor;
      SetStrides(tensor, WidestStrides(tensor));
      spread += tensor.total_bytes > (uint64_t{1} << 31) ? 1 : 0;
    }
    CheckSpread(Create(*GetParam(), wide), Expected(Create(*GetParam(), packed)));
  });
  EXPECT_GT(spread, 0u);
}

// Tables and temporary memory, of the named shapes and of the large ones of the
// benchmark: nothing runs.
TEST_P(Limits, MemoryIsInProportionToTheTensors) {
  constexpr uint64_t kFree = uint64_t{1} << 16;
  const Definition& definition = *GetParam();
  std::vector<const Case*> cases;
  for (const Case& c : definition.cases) cases.push_back(&c);
  for (const BenchCase& c : definition.bench_cases) cases.push_back(&c.shape);
  double most = 0;
  for (const Case* c : cases) {
    // Tables are per element, whatever its type.
    const auto arguments =
        Describe(*definition.schema, *c, AdmittedTypes(*definition.schema).front());
    if (!arguments) continue;
    uint64_t elements = 0;
    for (size_t i = 0; i < definition.schema->fields.size(); ++i) {
      if (!definition.schema->fields[i].is_tensor()) continue;
      const TensorDesc& tensor = arguments->tensor(i);
      if (tensor.present()) elements += tensor.total_bytes / ElementSize(tensor.data_type);
    }
    const Operator op = Create(definition, *arguments);
    for (const CpuStrategy& strategy : definition.kernel->cpu_strategies) {
      const Result<CpuProgram> program = Compile(op, &strategy);
      if (!program.ok()) continue;
      const uint64_t own = program.value().table_bytes + program.value().temporary_bytes;
      // A few hundred bytes for a few elements are no matter.
      if (own > kFree)
        most = std::max(most, static_cast<double>(own) / static_cast<double>(elements));
      EXPECT_LE(own, 64 * elements + kFree) << c->name << " " << strategy.name;
    }
  }
  fmt::print("at most {:.2f} bytes of tables and temporary memory for each element\n", most);
}

INSTANTIATE_TEST_SUITE_P(EveryOperator, Limits,
                         testing::ValuesIn(Registry().begin(), Registry().end()),
                         [](const auto& info) { return std::string(info.param->schema->name); });

// Every operator has a named case of as many dimensions as its tables admit, which
// the conformance test runs.
TEST(LimitsOfDimensions, EveryOperatorHasACaseOfTheMost) {
  for (const Definition* definition : Registry()) {
    uint32_t admitted = 0, tried = 0;
    for (const schema::TensorSupport& row : definition->schema->support) {
      admitted = std::max<uint32_t>(admitted, row.dimension_counts.most);
    }
    for (const Case& c : definition->cases) {
      if (!Describe(*definition->schema, c, AdmittedTypes(*definition->schema).front())) continue;
      tried = std::max(tried, c.sizes[0].count);
    }
    EXPECT_EQ(tried, admitted) << definition->schema->name;
  }
}

// Every operator that has tables for its axes is also tried without them.
TEST(LimitsOfTables, EveryResamplingHasCasesOfLongAxes) {
  for (const Definition* definition : Registry()) {
    const auto count = std::ranges::count(definition->cases, true, &Case::as_long_axes);
    const std::string_view name = definition->schema->name;
    const bool resamples = name.starts_with("RESAMPLE") || name == "UPSAMPLE_2D";
    EXPECT_EQ(count > 0, resamples) << definition->schema->name;
  }
}

// ---- Named operators at their own edges.

schema::Arguments DescribeAs(std::string_view name, const Case& c, DataType type) {
  const Definition& definition = *FindOperator(name);
  for (const TypeAssignment& types : AdmittedTypes(*definition.schema)) {
    if (types[0] == type) return *Describe(*definition.schema, c, types);
  }
  ADD_FAILURE() << name << " does not take this type";
  return *Describe(*definition.schema, c, AdmittedTypes(*definition.schema).front());
}

void RunChosen(const Operator& op, const Bindings& given) {
  static const cpu::Executor executor(2);
  const Result<CpuProgram> program = Compile(op);
  ASSERT_TRUE(program.ok()) << program.error().message;
  TemporaryMemory temporary(program.value().temporary_bytes);
  Bindings bindings = given;
  bindings.temporary = temporary.data();
  ASSERT_TRUE(Run(program.value(), bindings, executor).ok());
}

// One output that sums as many samples as there are: ones, whose sum is exact.
TEST(LimitsOfResampling, AnAxisOfMillionsOfTapsIsSummed) {
  for (const uint32_t count : {1u << 20, 3u << 20}) {
    const Case c = {"taps", {{{count}, {1}}}, {{{"Scales", {static_cast<double>(count)}}}}};
    const auto arguments = DescribeAs("RESAMPLE_GRAD1", c, DataType::kFloat32);
    const std::vector<float> ones(count, 1.0f);
    float sum = 0;
    Bindings bindings;
    bindings.inputs[0] = ones.data();
    bindings.outputs[0] = &sum;
    RunChosen(Create(*FindOperator("RESAMPLE_GRAD1"), arguments), bindings);
    EXPECT_EQ(sum, static_cast<float>(count));
  }
}

// The window covers the input: one output, whose element is the largest one, and
// all of the gradient goes there.
TEST(LimitsOfPooling, WindowsAreAsLargeAsTheInput) {
  constexpr uint32_t kRows = 1024, kColumns = 3000;
  const Case c = {"window",
                  {{{1, 1, kRows, kColumns}, {1, 1, 1, 1}, {1, 1, kRows, kColumns}}},
                  {{{"WindowSize", {kRows, kColumns}}}}};
  std::vector<float> x(kRows * kColumns), dx(x.size());
  std::iota(x.begin(), x.end(), -1000.0f);
  std::swap(x[x.size() - 1], x[12345]);
  const float dy = 7;
  Bindings bindings;
  bindings.inputs[0] = x.data();
  bindings.inputs[1] = &dy;
  bindings.outputs[0] = dx.data();
  RunChosen(Create(*FindOperator("MAX_POOLING_GRAD"),
                   DescribeAs("MAX_POOLING_GRAD", c, DataType::kFloat32)),
            bindings);
  std::vector<float> expected(x.size());
  expected[12345] = 7;
  EXPECT_EQ(dx, expected);

  const Case forward = {
      "window", {{{1, 1, kRows, kColumns}, {1, 1, 1, 1}}}, {{{"WindowSize", {kRows, kColumns}}}}};
  float y = 0;
  bindings = {};
  bindings.inputs[0] = x.data();
  bindings.outputs[0] = &y;
  RunChosen(Create(*FindOperator("MAX_POOLING1"),
                   DescribeAs("MAX_POOLING1", forward, DataType::kFloat32)),
            bindings);
  EXPECT_EQ(y, x[12345]);
}

}  // namespace
}  // namespace anydml::test
