// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Every case of every operator, written as the struct of directml.h and read
// back: the offsets and kinds of the schema's fields are those of the struct.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "operators/registry.h"
#include "schema/interpreter.h"
#include "support/descriptions.h"
#include "support/struct_builder.h"

namespace anydml::test {
namespace {

void ExpectEqual(const TensorDesc& read, const TensorDesc& given) {
  EXPECT_EQ(read.data_type, given.data_type);
  EXPECT_EQ(read.flags, given.flags);
  ASSERT_EQ(read.dimension_count, given.dimension_count);
  EXPECT_EQ(read.has_strides, given.has_strides);
  EXPECT_TRUE(std::ranges::equal(read.Sizes(), given.Sizes()));
  EXPECT_TRUE(std::ranges::equal(read.Strides(), given.Strides()));
  EXPECT_EQ(read.total_bytes, given.total_bytes);
  EXPECT_EQ(read.base_offset_alignment, given.base_offset_alignment);
}

void ExpectRoundTrip(const schema::Arguments& given) {
  const StructBuilder builder(given);
  const Result<schema::Arguments> read =
      schema::ReadDescription(given.schema(), builder.desc(), kNewestFeatureLevel);
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_EQ(read.value().tensor_numbers(), given.tensor_numbers());
  for (size_t i = 0; i < given.tensor_numbers(); ++i) {
    SCOPED_TRACE(given.TensorName(i));
    ExpectEqual(read.value().tensor(i), given.tensor(i));
  }
  for (size_t i = 0; i < given.schema().fields.size(); ++i) {
    SCOPED_TRACE(given.schema().fields[i].name);
    EXPECT_TRUE(std::ranges::equal(read.value().Uints(i), given.Uints(i)));
  }
}

// Flags and alignments, which no case sets.
schema::Arguments WithFlagsAndAlignments(schema::Arguments arguments) {
  for (size_t number : arguments.inputs()) {
    if (arguments.tensor(number).present()) arguments.tensor(number).flags = 1;
  }
  for (size_t number : arguments.outputs()) {
    TensorDesc& tensor = arguments.tensor(number);
    tensor.base_offset_alignment = tensor.present() ? 256 : 0;
  }
  return arguments;
}

class RoundTrip : public testing::TestWithParam<const Definition*> {};

TEST_P(RoundTrip, EveryCaseComesBackFromItsStruct) {
  size_t described = 0;
  for (const Case& c : GetParam()->cases) {
    for (const TypeAssignment& types : AdmittedTypes(*GetParam()->schema)) {
      const auto packed = Describe(*GetParam()->schema, c, types);
      if (!packed) continue;
      ++described;
      SCOPED_TRACE(fmt::format("{} {}", c.name, TypeName(*GetParam()->schema, types)));
      ExpectRoundTrip(WithFlagsAndAlignments(*packed));
      for (Layout layout : kLayouts) ExpectRoundTrip(WithLayout(*packed, layout));
    }
  }
  EXPECT_GT(described, 0u);
}

INSTANTIATE_TEST_SUITE_P(Registry, RoundTrip, testing::ValuesIn(Registry()),
                         [](const auto& info) { return std::string(info.param->schema->name); });

}  // namespace
}  // namespace anydml::test
