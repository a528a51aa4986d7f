// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What the interpreter takes for granted of every table: nobody checks a table
// at run time.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/checked_math.h"
#include "operators/registry.h"
#include "schema/interpreter.h"
#include "schema/operator_names.h"

namespace anydml::schema {
namespace {

class SchemaInvariants : public testing::TestWithParam<const Definition*> {
 protected:
  const OperatorSchema& schema() const { return *GetParam()->schema; }
  std::span<const Field> fields() const { return schema().fields; }
  bool IsTensor(size_t i) const { return i < fields().size() && fields()[i].is_tensor(); }

  std::vector<size_t> Members(FieldSet set) const {
    std::vector<size_t> members;
    for (size_t i = 0; i < 32; ++i) {
      if (set.Contains(i)) members.push_back(i);
    }
    return members;
  }
};

TEST(Registry, IsInTheOrderOfOperatorTypes) {
  ASSERT_FALSE(Registry().empty());
  for (size_t i = 1; i < Registry().size(); ++i) {
    EXPECT_LT(Registry()[i - 1]->schema->type, Registry()[i]->schema->type)
        << Registry()[i]->schema->name;
  }
}

TEST_P(SchemaInvariants, NameIsTheEnumerators) {
  EXPECT_EQ(schema().name, OperatorTypeName(schema().type));
  EXPECT_NE(schema().type, 0u);
}

TEST_P(SchemaInvariants, FieldNamesAreDistinct) {
  std::set<std::string_view> names;
  for (const Field& field : fields()) {
    EXPECT_FALSE(field.name.empty());
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
  }
  EXPECT_LE(fields().size(), 32u) << "a FieldSet holds 32";
}

// Pointers and the union, whose widest member is a UINT64, are 8 bytes.
size_t WidthOf(const Field& field) {
  const bool wide = field.is_tensor() || field.is_tensor_array() || field.is_array() ||
                    field.type == FieldType::kScaleBias || field.type == FieldType::kScalarUnion ||
                    field.type == FieldType::kOperatorDesc;
  return wide || field.type == FieldType::kSize2D ? 8 : 4;
}

// All are of their width but a size, which is two UINTs.
size_t AlignmentOf(const Field& field) {
  return field.type == FieldType::kSize2D ? 4 : WidthOf(field);
}

// Each field begins where the one before ends, up to alignment, and the last
// ends where the struct does: no member is left out and none lies outside.
TEST_P(SchemaInvariants, FieldsCoverTheStructInOrder) {
  uint64_t end = 0;
  for (const Field& field : fields()) {
    EXPECT_EQ(field.offset, CheckedRoundUp(end, AlignmentOf(field))) << field.name;
    end = field.offset + WidthOf(field);
  }
  EXPECT_EQ(CheckedRoundUp(end, 8), schema().struct_size);
}

TEST_P(SchemaInvariants, OnlyPointersAreOptional) {
  for (const Field& field : fields()) {
    const bool scale_bias = field.type == FieldType::kScaleBias;
    EXPECT_TRUE(field.optional || !scale_bias) << field.name << " is always optional";
    const bool fused = field.type == FieldType::kOperatorDesc;
    EXPECT_TRUE(!field.optional || field.is_tensor() || scale_bias || fused) << field.name;
  }
}

// Attributes are read in order, so a count precedes what it counts.
TEST_P(SchemaInvariants, CountsAndTypesPrecedeTheFieldsThatReferToThem) {
  for (size_t i = 0; i < fields().size(); ++i) {
    const Field& field = fields()[i];
    if (!field.is_array() && field.type != FieldType::kScalarUnion) continue;
    ASSERT_LT(field.count_field, i) << field.name;
    const FieldType counted_by = fields()[field.count_field].type;
    const FieldType wanted = field.is_array() ? FieldType::kDimensionCount : FieldType::kDataType;
    const bool axes = field.type == FieldType::kUintArray && counted_by == FieldType::kAxisCount;
    const bool channels = field.is_array() && counted_by == FieldType::kChannelCount;
    EXPECT_TRUE(axes || channels || counted_by == wanted) << field.name;
  }
}

TEST_P(SchemaInvariants, CountsAndTypesReferToRequiredTensors) {
  for (const Field& field : fields()) {
    if (field.type != FieldType::kDimensionCount && field.type != FieldType::kChannelCount &&
        field.type != FieldType::kDataType) {
      continue;
    }
    ASSERT_TRUE(IsTensor(field.tensor)) << field.name;
    EXPECT_FALSE(fields()[field.tensor].optional) << field.name;
  }
}

TEST_P(SchemaInvariants, EnumerationsHaveEnumerators) {
  for (const Field& field : fields()) {
    EXPECT_EQ(field.type == FieldType::kEnum, field.enumeration != nullptr) << field.name;
    if (field.enumeration == nullptr) continue;
    EXPECT_FALSE(field.enumeration->enumerators.empty()) << field.name;
    EXPECT_TRUE(field.enumeration->prefix.starts_with("DML_")) << field.name;
    EXPECT_TRUE(field.enumeration->prefix.ends_with("_")) << field.name;
  }
}

// What has no input is made of numbers.
TEST_P(SchemaInvariants, HasTensorsToReadAndToWrite) {
  const bool reads = std::ranges::any_of(fields(), &Field::is_input);
  const bool has_numbers = std::ranges::any_of(fields(), [](const Field& field) {
    return field.type == FieldType::kScalarUnion || field.type == FieldType::kFloat;
  });
  EXPECT_TRUE(reads || has_numbers);
  EXPECT_TRUE(std::ranges::any_of(fields(), &Field::is_output));
}

TEST_P(SchemaInvariants, InPlaceNamesInputs) {
  for (size_t i : Members(schema().in_place)) {
    ASSERT_LT(i, fields().size());
    EXPECT_EQ(fields()[i].type, FieldType::kInputTensor) << fields()[i].name;
  }
}

bool Suits(Constraint::Kind kind, const Field& field) {
  switch (kind) {
    case Constraint::Kind::kSameDataType:
    case Constraint::Kind::kSameDimensionCount:
    case Constraint::Kind::kSameSizes:
      return field.is_tensor() || field.is_tensor_array();
    case Constraint::Kind::kAtLeastOne:
      return field.type == FieldType::kUintArray || field.type == FieldType::kSize2D ||
             field.type == FieldType::kUint;
    case Constraint::Kind::kNotZero:
      return field.type == FieldType::kIntArray || field.type == FieldType::kUintArray;
    default:
      return field.type == FieldType::kFloatArray || field.type == FieldType::kFloat;
  }
}

TEST_P(SchemaInvariants, ConstraintsNameFieldsThatTheySuit) {
  for (const Constraint& constraint : schema().constraints) {
    const std::vector<size_t> members = Members(constraint.fields);
    ASSERT_FALSE(members.empty());
    ASSERT_LT(members.back(), fields().size());
    for (size_t i : members) EXPECT_TRUE(Suits(constraint.kind, fields()[i])) << fields()[i].name;
    EXPECT_TRUE(members.size() >= 2 || !fields()[members[0]].is_tensor()) << "nothing to compare";
  }
}

TEST_P(SchemaInvariants, SupportRowsAreWellFormed) {
  for (const TensorSupport& row : schema().support) {
    SCOPED_TRACE(FeatureLevelName(row.level));
    EXPECT_NE(std::ranges::find(kFeatureLevels, row.level), kFeatureLevels.end());
    EXPECT_GE(row.level, schema().level) << "the operator does not exist yet";
    EXPECT_LE(1u, row.dimension_counts.least);
    EXPECT_LE(row.dimension_counts.least, row.dimension_counts.most);
    EXPECT_LE(row.dimension_counts.most, 8u);
    EXPECT_NE(row.data_types, DataTypeSet());
    EXPECT_FALSE(row.data_types.Contains(DataType::kUnknown));
    for (size_t i : Members(row.tensors)) EXPECT_TRUE(IsTensor(i)) << i;
  }
}

// T4: tensors of 6 to 8 dimensions came with 3_0.
TEST_P(SchemaInvariants, TakesAtMostFiveDimensionsBelow3_0) {
  for (const TensorSupport& row : schema().support) {
    const uint32_t most = row.level < FeatureLevel::k3_0 ? 5 : 8;
    EXPECT_LE(row.dimension_counts.most, most) << FeatureLevelName(row.level);
  }
}

TEST_P(SchemaInvariants, EveryTensorHasASupportRowFromTheFirstLevelOn) {
  EXPECT_NE(std::ranges::find(kFeatureLevels, schema().level), kFeatureLevels.end());
  for (size_t i = 0; i < fields().size(); ++i) {
    if (!IsTensor(i)) continue;
    EXPECT_NE(FindSupport(schema(), i, schema().level), nullptr) << fields()[i].name;
  }
}

// Each level is a superset of those before it.
TEST_P(SchemaInvariants, SupportNeverShrinksWithTheLevel) {
  for (size_t i = 0; i < fields().size(); ++i) {
    if (!IsTensor(i)) continue;
    const TensorSupport* before = nullptr;
    for (FeatureLevel level : kFeatureLevels) {
      const TensorSupport* row = FindSupport(schema(), i, level);
      if (before != nullptr) {
        SCOPED_TRACE(std::string(fields()[i].name) + " " + FeatureLevelName(level));
        EXPECT_EQ(row->data_types | before->data_types, row->data_types);
        EXPECT_LE(row->dimension_counts.least, before->dimension_counts.least);
        EXPECT_GE(row->dimension_counts.most, before->dimension_counts.most);
      }
      before = row;
    }
  }
}

// FindSupport takes one row per level; a second one would never be seen.
TEST_P(SchemaInvariants, NoTwoSupportRowsApplyToOneTensorAtOneLevel) {
  for (size_t i = 0; i < fields().size(); ++i) {
    if (!IsTensor(i)) continue;
    std::set<FeatureLevel> levels;
    for (const TensorSupport& row : schema().support) {
      if (!row.tensors.empty() && !row.tensors.Contains(i)) continue;
      EXPECT_TRUE(levels.insert(row.level).second)
          << fields()[i].name << " " << FeatureLevelName(row.level);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, SchemaInvariants, testing::ValuesIn(Registry()),
                         [](const auto& info) { return std::string(info.param->schema->name); });

}  // namespace
}  // namespace anydml::schema
