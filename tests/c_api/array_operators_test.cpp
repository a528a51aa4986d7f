// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Operators with arrays of tensors behind the C interface: binding order, the cache, the
// listing.
#include "support/array_operators.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "c_api/device.h"
#include "c_api/listing.h"
#include "c_api/operator.h"
#include "c_api/operator_cache.h"

namespace anydml::c_api {
namespace {

BoundOperator Bind(const Definition& definition, const schema::Arguments& arguments) {
  OperatorCache cache(8, 1000000);
  auto program = cache.Get(definition, arguments, {});
  EXPECT_TRUE(program.ok());
  return {OpenDevice("cpu", nullptr).value(), program.value()};
}

Status Execute(const BoundOperator& op, const std::vector<const void*>& inputs,
               const std::vector<void*>& outputs) {
  Result<Bindings> bindings = CheckPointers(op, inputs.data(), outputs.data());
  if (!bindings.ok()) return bindings.error();
  return RunNow(*op.program, op.device->temporaries, bindings.value(), op.device->executor);
}

TEST(ArrayOperators, TakeAPointerPerEntry) {
  const std::vector<float> a = {1, 2, 3, 4}, b = {5, 6}, whole = {1, 2, 3, 4, 5, 6};
  std::vector<float> joined(6), first(4), second(2);
  const BoundOperator join = Bind(test::kJoin, test::DescribeJoin({2, 1}));
  ASSERT_TRUE(Execute(join, {a.data(), b.data()}, {joined.data()}).ok());
  EXPECT_EQ(joined, whole);
  const BoundOperator split = Bind(test::kSplit, test::DescribeSplit({2, 1}));
  ASSERT_TRUE(Execute(split, {whole.data()}, {first.data(), second.data()}).ok());
  EXPECT_EQ(first, a);
  EXPECT_EQ(second, b);
}

TEST(ArrayOperators, NameTheEntryWhosePointerIsWrong) {
  const std::vector<float> a(4);
  std::vector<float> joined(6), parts(6);
  const BoundOperator join = Bind(test::kJoin, test::DescribeJoin({2, 1}));
  EXPECT_EQ(Execute(join, {a.data(), nullptr}, {joined.data()}).error().message,
            "JOIN: InputTensors[1] must not be null");
  EXPECT_EQ(Execute(join, {a.data(), joined.data() + 2}, {joined.data()}).error().message,
            "JOIN: OutputTensor overlaps InputTensors[1], and this operator does not run in place "
            "on it");
  const BoundOperator split = Bind(test::kSplit, test::DescribeSplit({2, 1}));
  EXPECT_EQ(Execute(split, {joined.data()}, {parts.data(), parts.data() + 3}).error().message,
            "SPLIT: OutputTensors[1] overlaps OutputTensors[0], and both are written");
}

TEST(ArrayOperators, HaveASlotForEveryEntryThatADescriptionMayHave) {
  std::vector<float> data(2 * schema::kMaxArrayTensors), joined(data.size());
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>(i);
  schema::Arguments arguments = test::DescribeJoin({1});
  auto& parts = arguments.at(test::kJoinInputTensors).tensors;
  parts.resize(schema::kMaxArrayTensors, parts[0]);
  arguments.at(test::kJoinInputCount).words[0] = schema::kMaxArrayTensors;
  const uint32_t sizes[] = {schema::kMaxArrayTensors, 2};
  arguments.at(test::kJoinOutputTensor).tensor = PackedTensor(DataType::kFloat32, sizes);
  std::vector<const void*> inputs;
  for (size_t i = 0; i < parts.size(); ++i) inputs.push_back(data.data() + 2 * i);
  ASSERT_TRUE(Execute(Bind(test::kJoin, arguments), inputs, {joined.data()}).ok());
  EXPECT_EQ(joined, data);
}

TEST(ArrayOperators, AreToldApartByTheCache) {
  OperatorCache cache(8, 1000000);
  const auto get = [&](std::initializer_list<uint32_t> rows) {
    return cache.Get(test::kJoin, test::DescribeJoin(rows), {}).value();
  };
  const auto first = get({1, 2});
  EXPECT_EQ(get({1, 2}), first);
  EXPECT_NE(get({2, 1}), first);
  EXPECT_NE(get({1, 1, 1}), first);
}

// What front ends read.
TEST(ArrayOperators, AreListedWithTheirCountsAndFusedOperators) {
  const Definition add1 = {&test::kAdd1Schema, nullptr, test::kJoin.kernel, {}};
  const Definition* const listed[] = {&test::kJoin, &test::kSplit, &add1};
  const auto json = nlohmann::json::parse(ListOperators(listed));
  EXPECT_EQ(json[0]["fields"][0]["type"], "UINT");
  EXPECT_EQ(json[0]["fields"][0]["equals"]["length_of"], "InputTensors");
  EXPECT_EQ(json[0]["fields"][1]["type"], "INPUT_TENSOR_ARRAY");
  EXPECT_EQ(json[0]["fields"][1]["count"], "InputCount");
  EXPECT_EQ(json[0]["tensors"][0]["count"], "InputCount");
  EXPECT_EQ(json[0]["tensors"][1]["inferred"], true);
  EXPECT_EQ(json[0]["support"][0]["tensors"][0], "InputTensors");
  EXPECT_EQ(json[1]["tensors"][1]["inferred"], false);
  EXPECT_EQ(json[1]["fields"][2]["type"], "OUTPUT_TENSOR_ARRAY");
  EXPECT_EQ(json[2]["fields"][3]["type"], "OPERATOR_DESC");
  EXPECT_EQ(json[2]["fields"][3]["operators"],
            (nlohmann::json{"ACTIVATION_RELU", "ACTIVATION_ELU"}));
}

}  // namespace
}  // namespace anydml::c_api
