// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What every operator's kernel, strategies and cases promise: the contract of
// operators/operator.h, as far as it can be seen from outside the folders.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "backends/cuda/library.h"
#include "operators/cuda_operator.h"
#include "operators/registry.h"
#include "schema/interpreter.h"
#include "support/descriptions.h"

namespace anydml::test {
namespace {

// "one_element": words of small letters and digits, one underscore between them.
bool IsSnakeCase(std::string_view name) {
  char before = '_';  // a word must follow
  for (char c : name) {
    const bool of_word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (!of_word && (c != '_' || before == '_')) return false;
    before = c;
  }
  return before != '_';
}

TEST(SnakeCase, IsToldFromOtherNames) {
  for (const char* name : {"strided", "packed_rows", "window_2x2"}) EXPECT_TRUE(IsSnakeCase(name));
  for (const char* name : {"", "_", "a_", "_a", "a__b", "packedRows", "packed rows", "A"}) {
    EXPECT_FALSE(IsSnakeCase(name)) << name;
  }
}

// A condition, which chooses and is not computed on, has a type of its own.
bool SharesTypeWithTheFirstTensor(const schema::OperatorSchema& schema, size_t tensor) {
  size_t first = 0;
  while (!schema.fields[first].is_tensor() || schema.fields[first].name == "ConditionTensor")
    ++first;
  if (tensor == first) return true;
  for (const schema::Constraint& constraint : schema.constraints) {
    if (constraint.kind == schema::Constraint::Kind::kSameDataType &&
        constraint.fields.Contains(first) && constraint.fields.Contains(tensor)) {
      return true;
    }
  }
  return false;
}

// The types of the tensors that the operator computes on; index tensors have
// their own.
DataTypeSet ComputedTypes(const schema::OperatorSchema& schema) {
  DataTypeSet types;
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    if (!schema.fields[i].is_tensor() || !SharesTypeWithTheFirstTensor(schema, i)) continue;
    types = types | schema::FindSupport(schema, i, kNewestFeatureLevel)->data_types;
  }
  return types;
}

// A type that the tables admit and no strategy dispatches would be computed by
// nobody; one that no table admits would be dead code.
TEST(Kernels, DispatchExactlyTheTypesThatTheirVersionsAdmit) {
  std::map<const Kernel*, DataTypeSet> admitted;
  for (const Definition* definition : Registry()) {
    DataTypeSet& types = admitted[definition->kernel];
    types = types | ComputedTypes(*definition->schema);
  }
  for (const auto& [kernel, types] : admitted) EXPECT_EQ(kernel->data_types, types) << kernel->name;
}

TEST(Kernels, HaveDistinctNames) {
  std::map<std::string_view, const Kernel*> kernels;
  for (const Definition* definition : Registry()) {
    const Kernel* kernel = definition->kernel;
    EXPECT_TRUE(IsSnakeCase(kernel->name)) << kernel->name;
    EXPECT_EQ(kernels.emplace(kernel->name, kernel).first->second, kernel) << kernel->name;
  }
}

// An older version may lack a case's setting; then a newer one must have it, or
// the setting is misspelt and the case runs nowhere.
TEST(Cases, ApplyToSomeVersionOfTheirOperator) {
  std::map<const Case*, bool> applies;
  for (const Definition* definition : Registry()) {
    for (const TypeAssignment& types : AdmittedTypes(*definition->schema)) {
      for (const Case& c : definition->cases) {
        applies[&c] = applies[&c] || Describe(*definition->schema, c, types).has_value();
      }
    }
  }
  for (const auto& [c, does] : applies) EXPECT_TRUE(does) << c->name;
}

class DefinitionInvariants : public testing::TestWithParam<const Definition*> {
 protected:
  const Definition& definition() const { return *GetParam(); }
  std::span<const CpuStrategy> strategies() const { return definition().kernel->cpu_strategies; }
};

TEST_P(DefinitionInvariants, IsComplete) {
  const Kernel& kernel = *definition().kernel;
  EXPECT_NE(definition().make_desc, nullptr);
  EXPECT_NE(kernel.make_plan, nullptr);
  EXPECT_NE(kernel.make_tables, nullptr);
  EXPECT_NE(kernel.reference, nullptr);
  EXPECT_FALSE(definition().cases.empty());
}

TEST_P(DefinitionInvariants, StrategyNamesAreDistinctAndEndWithStrided) {
  ASSERT_FALSE(strategies().empty());
  std::set<std::string_view> names;
  for (const CpuStrategy& strategy : strategies()) {
    EXPECT_TRUE(IsSnakeCase(strategy.name)) << strategy.name;
    EXPECT_TRUE(names.insert(strategy.name).second) << strategy.name;
    EXPECT_NE(strategy.accepts, nullptr);
    EXPECT_NE(strategy.temporary_bytes, nullptr);
    EXPECT_NE(strategy.run, nullptr);
  }
  EXPECT_EQ(strategies().back().name, "strided");
}

TEST_P(DefinitionInvariants, StridedAcceptsEveryCaseInEveryTypeAndLayout) {
  for (const Case& c : definition().cases) {
    for (const TypeAssignment& types : AdmittedTypes(*definition().schema)) {
      const auto packed = Describe(*definition().schema, c, types);
      if (!packed) continue;
      for (Layout layout : kLayouts) {
        SCOPED_TRACE(fmt::format("{} {}", c.name, LayoutName(layout)));
        const Result<Operator> op = CreateOperator(definition(), WithLayout(*packed, layout), {});
        ASSERT_TRUE(op.ok()) << op.error().message;
        const auto plan = definition().kernel->make_plan(op.value().desc.get());
        EXPECT_EQ(strategies().back().accepts(plan.get()).reason, "");
      }
    }
  }
}

// Plans and refusals cross to libanydml_cuda.so and back; no card is needed.
TEST_P(DefinitionInvariants, CudaStrategiesEndWithOneThatAcceptsEveryCase) {
  if (cuda::Library() == nullptr) GTEST_SKIP() << cuda::WhyNoLibrary();
  const CudaKernel* cuda = FindCudaKernel(*definition().kernel);
  if (cuda == nullptr) GTEST_SKIP() << "the operator does not run on CUDA devices";
  std::set<std::string_view> names;
  for (const CudaStrategy& strategy : cuda->strategies) {
    EXPECT_TRUE(IsSnakeCase(strategy.name.view())) << strategy.name.view();
    EXPECT_TRUE(names.insert(strategy.name.view()).second) << strategy.name.view();
  }
  const CudaStrategy& last = cuda->strategies.data[cuda->strategies.size - 1];
  EXPECT_EQ(last.name.view(), "strided");
  std::set<std::string_view> chosen;
  for (const Case& c : definition().cases) {
    for (const TypeAssignment& types : AdmittedTypes(*definition().schema)) {
      const auto packed = Describe(*definition().schema, c, types);
      if (!packed) continue;
      const Result<Operator> op = CreateOperator(definition(), *packed, {});
      ASSERT_TRUE(op.ok()) << op.error().message;
      const auto plan = definition().kernel->make_plan(op.value().desc.get());
      EXPECT_EQ(last.accepts(plan.get()).reason, "") << c.name;
      for (const CudaStrategy& strategy : cuda->strategies) {
        if (strategy.accepts(plan.get()).accepted()) chosen.insert(strategy.name.view());
      }
    }
  }
  EXPECT_GE(chosen.size(), std::min<size_t>(2, cuda->strategies.size));
}

TEST_P(DefinitionInvariants, CaseNamesAreDistinctSnakeCase) {
  std::set<std::string_view> names;
  for (const Case& c : definition().cases) {
    EXPECT_TRUE(IsSnakeCase(c.name)) << c.name;
    EXPECT_TRUE(names.insert(c.name).second) << c.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, DefinitionInvariants, testing::ValuesIn(Registry()),
                         [](const auto& info) { return std::string(info.param->schema->name); });

}  // namespace
}  // namespace anydml::test
