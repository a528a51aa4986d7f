// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/tensor.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "model/reading.h"

namespace anydml::model {
namespace {

using test::Sentences;

std::optional<TensorDesc> Read(std::string_view text, Sentences& sentences) {
  Problems problems;
  ProblemList list{problems};
  auto tensor = ReadTensor(ParseJson(text).value(), Place(list, "T"));
  sentences = test::MessagesOf(problems);
  EXPECT_EQ(tensor.has_value(), sentences.empty());
  return tensor;
}

TensorDesc Tensor(std::string_view text) {
  Sentences sentences;
  const auto tensor = Read(text, sentences);
  EXPECT_EQ(sentences, Sentences());
  return tensor.value_or(TensorDesc());
}

Sentences Problem(std::string_view text) {
  Sentences sentences;
  Read(text, sentences);
  return sentences;
}

TEST(ModelTensor, ReadsTheShortForm) {
  const TensorDesc tensor = Tensor(R"({ "DataType": "FLOAT16", "Sizes": [3, 5] })");
  EXPECT_EQ(tensor.data_type, DataType::kFloat16);
  EXPECT_EQ(tensor.dimension_count, 2u);
  EXPECT_EQ(tensor.sizes, (Dimensions{3, 5}));
  EXPECT_FALSE(tensor.has_strides);
  EXPECT_EQ(tensor.strides, (Dimensions{5, 1}));
  EXPECT_EQ(tensor.total_bytes, 32u);  // 30, rounded up to 4
  EXPECT_EQ(tensor.flags, 0u);
  EXPECT_EQ(tensor.base_offset_alignment, 0u);
}

TEST(ModelTensor, ReadsTheLongForm) {
  const TensorDesc tensor = Tensor(R"({ "Type": "DML_TENSOR_TYPE_BUFFER", "Desc": {
      "DataType": "DML_TENSOR_DATA_TYPE_UINT8", "Flags": ["DML_TENSOR_FLAG_OWNED_BY_DML", "NONE"],
      "DimensionCount": 2, "Sizes": [3, 5], "Strides": [8, 0], "TotalTensorSizeInBytes": 64,
      "GuaranteedBaseOffsetAlignment": 256 } })");
  EXPECT_EQ(tensor.flags, 1u);
  EXPECT_TRUE(tensor.has_strides);
  EXPECT_EQ(tensor.strides, (Dimensions{8, 0}));
  EXPECT_EQ(tensor.total_bytes, 64u);
  EXPECT_EQ(tensor.base_offset_alignment, 256u);
}

TEST(ModelTensor, ComputesTheSizeFromTheStrides) {
  EXPECT_EQ(Tensor(R"({ "DataType": "UINT8", "Sizes": [2, 3], "Strides": [10, 1] })").total_bytes,
            16u);  // 1 + 10 + 2, rounded up to 4
  EXPECT_EQ(
      Tensor(R"({ "DataType": "UINT8", "Sizes": [2], "TotalTensorSizeInBytes": 0 })").total_bytes,
      4u);
}

// What a size beyond 64 bits would be is never computed modulo 2^64; T7 refuses
// the sizes.
TEST(ModelTensor, DoesNotWrap) {
  const TensorDesc tensor = Tensor(R"({ "DataType": "FLOAT64", "Flags": "OWNED_BY_DML",
      "Sizes": [4294967295, 4294967295, 4294967295], "Strides": [4294967295, 4294967295, 1] })");
  EXPECT_EQ(tensor.total_bytes, 0u);
}

TEST(ModelTensor, RefusesWhatIsNoTensor) {
  EXPECT_EQ(Problem("[1]"), Sentences{"T = an array must be an object"});
  EXPECT_EQ(Problem("null"), Sentences{"T = null must be an object"});
  EXPECT_EQ(Problem("{}"), (Sentences{"T: DataType is required", "T: Sizes is required"}));
  EXPECT_EQ(Problem(R"({ "DataType": "FLOAT32", "Size": [1] })"),
            (Sentences{"T.Size: unknown member of a tensor; did you mean Sizes?",
                       "T: Sizes is required"}));
  EXPECT_EQ(Problem(R"({ "Type": "INVALID", "Desc": {} })"),
            Sentences{"T.Type = \"INVALID\" must be BUFFER"});
  EXPECT_EQ(Problem(R"({ "Type": "BUFER", "Desc": {} })"),
            Sentences{"T.Type = \"BUFER\" is no DML_TENSOR_TYPE; did you mean BUFFER?"});
  EXPECT_EQ(Problem(R"({ "Type": "BUFFER", "Desc": 1 })"),
            Sentences{"T.Desc = 1 must be an object"});
  EXPECT_EQ(Problem(R"({ "Sizes": [1], "Desc": { "DataType": "FLOAT32", "Sizes": [1] } })"),
            Sentences{"T.Sizes: unknown member of a tensor with Desc; valid names are Type, Desc"});
}

TEST(ModelTensor, RefusesWrongMembers) {
  EXPECT_EQ(Problem(R"({ "DataType": "FLOAT32", "Sizes": [] })"),
            Sentences{"T.Sizes: has 0 entries and must have 1 to 8"});
  EXPECT_EQ(Problem(R"({ "DataType": "FLOAT32", "Sizes": [1,1,1,1,1,1,1,1,1] })"),
            Sentences{"T.Sizes: has 9 entries and must have 1 to 8"});
  EXPECT_EQ(Problem(R"({ "DataType": "FLOAT32", "Sizes": [1, 4294967296] })"),
            Sentences{"T.Sizes[1] = 4294967296 must be an integer from 0 to 4294967295"});
  EXPECT_EQ(Problem(R"({ "DataType": "FLOAT32", "Sizes": 4 })"),
            Sentences{"T.Sizes = 4 must be an array"});
  EXPECT_EQ(Problem(R"({ "DataType": "FLOAT32", "Sizes": [1], "DimensionCount": 4 })"),
            Sentences{"T.DimensionCount = 4 must equal the number of Sizes, which is 1"});
  EXPECT_EQ(Problem(R"({ "DataType": "FLOAT32", "Sizes": [1, 2], "Strides": [1] })"),
            Sentences{"T.Strides: has 1 entries and must have as many as Sizes, which has 2"});
  EXPECT_EQ(Problem(R"({ "DataType": "FLOAT", "Sizes": [1], "Flags": "OWNED" })"),
            (Sentences{"T.DataType = \"FLOAT\" is no DML_TENSOR_DATA_TYPE; did you mean FLOAT32?",
                       "T.Flags = \"OWNED\" is no DML_TENSOR_FLAG; did you mean OWNED_BY_DML?"}));
  EXPECT_EQ(Problem(R"({ "DataType": "FLOAT32", "Sizes": [1], "Flags": ["NONE", 1] })"),
            Sentences{"T.Flags[1] = 1 must be a string"});
  EXPECT_EQ(
      Problem(R"({ "DataType": "FLOAT32", "Sizes": [1], "TotalTensorSizeInBytes": -4,
                         "GuaranteedBaseOffsetAlignment": "256" })"),
      (Sentences{"T.TotalTensorSizeInBytes = -4 must be an integer from 0 to 18446744073709551615",
                 "T.GuaranteedBaseOffsetAlignment = \"256\" must be an integer from 0 to "
                 "4294967295"}));
}

}  // namespace
}  // namespace anydml::model
