// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Arrays of tensors and operators that are fused: from the struct to Arguments, and what
// is refused of them.
#include <directml.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fuzz/raw_description.h"
#include "fuzz/valid_description.h"
#include "operators/describe.h"
#include "schema/interpreter.h"
#include "schema/output_tensors.h"
#include "support/array_operators.h"
#include "support/descriptions.h"
#include "support/struct_builder.h"

namespace anydml::test {
namespace {

using schema::Arguments;
using Numbers = std::vector<size_t>;

std::string Refusal(const Result<Arguments>& read) { return read.ok() ? "" : read.error().message; }

Result<Arguments> Read(const Arguments& given, FeatureLevel level = kNewestFeatureLevel) {
  StructBuilder builder(given);
  Result<Arguments> read = schema::ReadDescription(given.schema(), builder.desc(), level);
  builder.Overwrite();  // nothing of it is kept
  return read;
}

std::string RefuseJoin(const DML_JOIN_OPERATOR_DESC& desc) {
  return Refusal(schema::ReadDescription(*kJoin.schema, &desc, kNewestFeatureLevel));
}

TEST(TensorArrays, AreReadAndNumbered) {
  const Result<Arguments> read = Read(WithLayout(DescribeJoin({3, 1, 2}), Layout::kGaps));
  ASSERT_TRUE(read.ok()) << read.error().message;
  const Arguments& join = read.value();
  EXPECT_EQ(join.Uint(kJoinInputCount), 3u);
  EXPECT_EQ(join.inputs(), (Numbers{4, 5, 6}));
  EXPECT_EQ(join.outputs(), Numbers{kJoinOutputTensor});
  EXPECT_EQ(join.tensor_numbers(), 7u);
  EXPECT_EQ(join.tensor(5).sizes[0], 1u);
  EXPECT_TRUE(join.tensor(6).has_strides);
  EXPECT_EQ(join.FieldOf(6), size_t{kJoinInputTensors});
  EXPECT_EQ(join.TensorName(6), "InputTensors[2]");
  EXPECT_EQ(join.TensorName(kJoinOutputTensor), "OutputTensor");
  EXPECT_FALSE(join.tensor(kJoinAxis).present());
}

TEST(TensorArrays, AreOutputsToo) {
  const Result<Arguments> read = Read(DescribeSplit({3, 1}));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read.value().inputs(), Numbers{kSplitInputTensor});
  EXPECT_EQ(read.value().outputs(), (Numbers{4, 5}));
}

TEST(TensorArrays, AreRefusedWithTheEntryThatIsWrong) {
  UINT size = 4;
  DML_BUFFER_TENSOR_DESC buffer = {};
  buffer.DataType = DML_TENSOR_DATA_TYPE_FLOAT32;
  buffer.DimensionCount = 1;
  buffer.Sizes = &size;
  buffer.TotalTensorSizeInBytes = 16;
  const DML_TENSOR_DESC good = {DML_TENSOR_TYPE_BUFFER, &buffer};
  DML_TENSOR_DESC two[] = {good, good};
  EXPECT_EQ(RefuseJoin({0, two, &good, 0}), "JOIN: InputCount = 0 must be 1 to 64");
  EXPECT_EQ(RefuseJoin({65, two, &good, 0}), "JOIN: InputCount = 65 must be 1 to 64");
  EXPECT_EQ(RefuseJoin({2, nullptr, &good, 0}), "JOIN: InputTensors must not be null");
  EXPECT_EQ(RefuseJoin({2, two, nullptr, 0}), "JOIN: OutputTensor must not be null");
  two[1].Desc = nullptr;
  EXPECT_EQ(RefuseJoin({2, two, &good, 0}), "JOIN: InputTensors[1].Desc must not be null");
  DML_BUFFER_TENSOR_DESC other = buffer;
  two[1].Desc = &other;
  other.TotalTensorSizeInBytes = 12;
  EXPECT_EQ(RefuseJoin({2, two, &good, 0}),
            "JOIN: InputTensors[1].TotalTensorSizeInBytes = 12 must be at least 16");
  other.TotalTensorSizeInBytes = 16;
  other.DataType = DML_TENSOR_DATA_TYPE_UINT32;
  EXPECT_EQ(
      RefuseJoin({2, two, &good, 0}),
      "JOIN: InputTensors[1].DataType = UINT32 must equal InputTensors[0].DataType = FLOAT32");
  other.DataType = DML_TENSOR_DATA_TYPE_FLOAT32;
  EXPECT_EQ(RefuseJoin({2, two, &good, 0}), "");
}

TEST(TensorArrays, HaveAsManyEntriesAsTheirCountSays) {
  Arguments join = DescribeJoin({3, 1});
  join.at(kJoinInputCount).words[0] = 3;
  const Status status = schema::Validate(join, kNewestFeatureLevel);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message,
            "JOIN: InputTensors has 2 entries and must have InputCount = 3");
}

TEST(TensorArrays, MayBeInputsOfAnInferredOutput) {
  Arguments join = DescribeJoin({3, 1});
  const TensorDesc expected = join.tensor(kJoinOutputTensor);
  join.at(kJoinOutputTensor).tensor = {};
  EXPECT_TRUE(schema::CompleteOutputs(join, kNewestFeatureLevel).empty());
  EXPECT_EQ(join.tensor(kJoinOutputTensor).sizes, expected.sizes);
  Arguments split = DescribeSplit({3, 1});
  split.at(kSplitOutputTensors).tensors.clear();
  const schema::Problems problems = schema::CompleteOutputs(split, kNewestFeatureLevel);
  ASSERT_FALSE(problems.empty());
  EXPECT_EQ(problems.front().message,
            "SPLIT: OutputTensors is required, since its data type and sizes do not follow from "
            "the other fields");
}

TEST(TensorArrays, ComeFromCases) {
  const Case c = {"three", {{{3, 2}, {1, 2}, {2, 2}, {6, 2}}}, {{{"InputCount", {3}}}}};
  const auto join =
      Describe(*kJoin.schema, c, TypeAssignment(kJoin.schema->fields.size(), DataType::kUint32));
  ASSERT_TRUE(join);
  EXPECT_TRUE(schema::Validate(*join, kNewestFeatureLevel).ok());
  EXPECT_EQ(join->inputs().size(), 3u);
  EXPECT_EQ(join->tensor(join->inputs()[2]).sizes[0], 2u);
  EXPECT_EQ(AdmittedTypes(*kJoin.schema).size(), 2u);
}

TEST(FusedOperators, AreReadWithoutTheirTensors) {
  const float alpha = 0.5f;
  const Result<Arguments> read = Read(DescribeAdd1(&alpha));
  ASSERT_TRUE(read.ok()) << read.error().message;
  const Arguments* fused = read.value().at(kAdd1FusedActivation).description.get();
  ASSERT_NE(fused, nullptr);
  EXPECT_EQ(fused->schema().name, "ACTIVATION_ELU");
  EXPECT_EQ(fused->Float(2), 0.5f);
  EXPECT_EQ(schema::ValueText(read.value(), kAdd1FusedActivation), "ACTIVATION_ELU (Alpha 0.5)");
  const Result<Arguments> plain = Read(DescribeAdd1());
  ASSERT_TRUE(plain.ok()) << plain.error().message;
  EXPECT_EQ(plain.value().at(kAdd1FusedActivation).description, nullptr);
  EXPECT_EQ(schema::ValueText(plain.value(), kAdd1FusedActivation), "none");
}

TEST(FusedOperators, AreRefusedWithTheFieldThatHasThem) {
  StructBuilder builder(DescribeAdd1());
  auto desc = *static_cast<const DML_ELEMENT_WISE_ADD1_OPERATOR_DESC*>(builder.desc());
  DML_ACTIVATION_ELU_OPERATOR_DESC elu = {nullptr, nullptr, 1.0f};
  DML_OPERATOR_DESC fused = {DML_OPERATOR_ACTIVATION_ELU, &elu};
  desc.FusedActivation = &fused;
  const auto refuse = [&](FeatureLevel level = kNewestFeatureLevel) {
    return Refusal(schema::ReadDescription(kAdd1Schema, &desc, level));
  };
  EXPECT_EQ(refuse(), "");
  EXPECT_EQ(refuse(FeatureLevel::k2_1),
            "ELEMENT_WISE_ADD1: FusedActivation.Type = ACTIVATION_ELU needs feature level 3_0 or "
            "above; this device has 2_1");
  elu.InputTensor = desc.ATensor;
  EXPECT_EQ(refuse(),
            "ELEMENT_WISE_ADD1: FusedActivation: ACTIVATION_ELU: InputTensor must be null, since "
            "the operator is fused");
  fused.Desc = nullptr;
  EXPECT_EQ(refuse(), "ELEMENT_WISE_ADD1: FusedActivation.Desc must not be null");
  fused.Type = DML_OPERATOR_GEMM;
  EXPECT_EQ(refuse(),
            "ELEMENT_WISE_ADD1: FusedActivation.Type = GEMM must be ACTIVATION_RELU or "
            "ACTIVATION_ELU");
}

// The fuzz targets' builders make what the schema takes, and break it without harm.
TEST(FuzzBuilders, CopeWithArraysAndFusedOperators) {
  uint8_t data[200];
  std::set<size_t> counts;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    for (size_t i = 0; i < sizeof data; ++i)
      data[i] = static_cast<uint8_t>((seed * 31 + i) * 97 >> 3);
    for (const Definition& definition :
         {kJoin, kSplit, Definition{&kAdd1Schema, nullptr, nullptr, {}}}) {
      Bytes bytes(data, sizeof data);
      const Arguments valid = MakeValidDescription(definition, bytes);
      ASSERT_TRUE(schema::Validate(valid, kNewestFeatureLevel).ok());
      counts.insert(valid.tensor_numbers());
      RawDescription same(valid), broken(valid);
      EXPECT_EQ(Refusal(schema::ReadDescription(*definition.schema, same.Build()->Desc,
                                                kNewestFeatureLevel)),
                "");
      for (int i = 0; i < 3; ++i) broken.Break(bytes);
      (void)schema::ReadDescription(*definition.schema, broken.Build()->Desc, kNewestFeatureLevel);
    }
  }
  EXPECT_GT(counts.size(), 2u);
}

}  // namespace
}  // namespace anydml::test
