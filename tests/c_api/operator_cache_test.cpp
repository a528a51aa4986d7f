// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "c_api/operator_cache.h"

#include <gtest/gtest.h>

#include "operators/registry.h"
#include "support/descriptions.h"

namespace anydml::c_api {
namespace {

constexpr uint64_t kPlenty = 1000000;

schema::Arguments Describe(uint32_t n) {
  const Definition* definition = FindOperator("ACTIVATION_RELU_GRAD");
  const Case c = {"any", {{{n}, {n}, {n}}}, {}};
  return *test::Describe(
      *definition->schema, c,
      test::TypeAssignment(definition->schema->fields.size(), DataType::kFloat32));
}

std::shared_ptr<const DeviceProgram> Get(OperatorCache& cache, uint32_t n,
                                         const DeviceOptions& options = {}) {
  Result<std::shared_ptr<const DeviceProgram>> program =
      cache.Get(*FindOperator("ACTIVATION_RELU_GRAD"), Describe(n), options);
  EXPECT_TRUE(program.ok());
  return program.value();
}

TEST(OperatorCache, GivesTheSameProgramForAnEqualDescription) {
  OperatorCache cache(8, kPlenty);
  const auto first = Get(cache, 5);
  EXPECT_EQ(Get(cache, 5), first);
  EXPECT_NE(Get(cache, 6), first);
  EXPECT_EQ(cache.size(), 2u);
}

TEST(OperatorCache, TellsOptionsApartThatChangeTheResult) {
  OperatorCache cache(8, kPlenty);
  EXPECT_NE(Get(cache, 5), Get(cache, 5, {.exchange_pixel_offsets = true}));
}

TEST(OperatorCache, ForgetsTheLeastRecentlyUsedWhenFull) {
  OperatorCache cache(2, kPlenty);
  const auto first = Get(cache, 1);
  const auto second = Get(cache, 2);
  EXPECT_EQ(Get(cache, 1), first);
  Get(cache, 3);
  EXPECT_EQ(cache.size(), 2u);
  EXPECT_EQ(Get(cache, 1), first);
  EXPECT_NE(Get(cache, 2), second);
}

// A resampling of n to 2n elements, whose taps take 3 * 4 bytes per element and more.
std::shared_ptr<const DeviceProgram> GetResample(OperatorCache& cache, uint32_t n) {
  const Definition* definition = FindOperator("RESAMPLE_GRAD1");
  const Case c = {"any", {{{2 * n}, {n}}}, {{{"Scales", {2}}, {"InterpolationMode", {1}}}}};
  const test::TypeAssignment types(definition->schema->fields.size(), DataType::kFloat32);
  Result<std::shared_ptr<const DeviceProgram>> program =
      cache.Get(*definition, *test::Describe(*definition->schema, c, types), {});
  EXPECT_TRUE(program.ok());
  return program.value();
}

TEST(OperatorCache, HoldsNoMoreTablesThanItMay) {
  OperatorCache cache(100, 50000);
  const auto first = GetResample(cache, 1000);
  ASSERT_GT(first->table_bytes(), 20000u);
  GetResample(cache, 1001);
  GetResample(cache, 1002);
  EXPECT_EQ(cache.size(), 50000 / first->table_bytes());
  EXPECT_NE(GetResample(cache, 1000), first);
  GetResample(cache, 100000);  // larger than all that may be kept
  EXPECT_EQ(cache.size(), 0u);
}

int rule_calls = 0;
Status CountedRule(const schema::Arguments&) {
  ++rule_calls;
  return {};
}

// The rule of an operator is the last part of a validation, so its calls count them.
TEST(OperatorCache, ValidatesOnceWhetherItFindsTheOperatorOrNot) {
  const Definition& relu_grad = *FindOperator("ACTIVATION_RELU_GRAD");
  schema::OperatorSchema schema = *relu_grad.schema;
  schema.rule = CountedRule;
  Definition counted = relu_grad;
  counted.schema = &schema;
  schema::Arguments arguments(schema);
  for (size_t i = 0; i < schema.fields.size(); ++i) arguments.at(i) = Describe(5).at(i);
  OperatorCache cache(8, kPlenty);
  for (int calls : {1, 2}) {
    EXPECT_TRUE(cache.Get(counted, arguments, {}).ok());
    EXPECT_EQ(rule_calls, calls);
  }
  EXPECT_TRUE(cache.GetValidated(counted, arguments, {}).ok());
  EXPECT_EQ(rule_calls, 2);
}

TEST(OperatorCache, ValidatesForTheDeviceThatAsks) {
  OperatorCache cache(8, kPlenty);
  Get(cache, 5);
  Result<std::shared_ptr<const DeviceProgram>> program = cache.Get(
      *FindOperator("ACTIVATION_RELU_GRAD"), Describe(5), {.feature_level = FeatureLevel::k2_1});
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.error().message,
            "ACTIVATION_RELU_GRAD: this operator needs feature level 3_0 or above; this device has "
            "2_1");
}

}  // namespace
}  // namespace anydml::c_api
