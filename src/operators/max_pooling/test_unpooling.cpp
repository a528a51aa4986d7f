// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about MAX_UNPOOLING: B55, and that it undoes a pooling.
#include <gtest/gtest.h>

#include "support/pooling.h"
#include "support/run.h"

namespace anydml::max_pooling {
namespace {

using test::In;
using test::Tensor;
using Floats = std::vector<float>;
using Sizes = std::vector<UINT>;

constexpr DML_TENSOR_DATA_TYPE kFloat = DML_TENSOR_DATA_TYPE_FLOAT32;
constexpr DML_TENSOR_DATA_TYPE kUint32 = DML_TENSOR_DATA_TYPE_UINT32;
constexpr DML_TENSOR_DATA_TYPE kUint64 = DML_TENSOR_DATA_TYPE_UINT64;

template <typename I>
Floats Unpool(const Floats& x, const std::vector<I>& indices, const Sizes& sizes,
              const Sizes& y_sizes) {
  const Tensor input(kFloat, sizes), places(sizeof(I) == 4 ? kUint32 : kUint64, sizes),
      output(kFloat, y_sizes);
  const DML_MAX_UNPOOLING_OPERATOR_DESC desc = {input, places, output};
  return test::RunOn<float>(DML_OPERATOR_MAX_UNPOOLING, &desc, {In(x), In(indices)},
                            test::Count(y_sizes));
}

TEST(MaxUnpooling, PutsElementsWhereTheirIndicesSay) {
  EXPECT_EQ(Unpool<uint32_t>({5, 6, 7, 8}, {5, 7, 13, 15}, {1, 1, 2, 2}, {1, 1, 4, 4}),
            (Floats{0, 0, 0, 0, 0, 5, 0, 6, 0, 0, 0, 0, 0, 7, 0, 8}));
}

// B55.
TEST(MaxUnpooling, KeepsTheLastOfSeveralAndDropsWhatIsOutside) {
  const Floats expected = {0, 2, 0, 0};
  EXPECT_EQ(Unpool<uint32_t>({1, 2, 3}, {1, 1, 9}, {1, 1, 1, 3}, {1, 1, 1, 4}), expected);
  EXPECT_EQ(Unpool<uint64_t>({1, 2, 3}, {1, 1, uint64_t{1} << 32}, {1, 1, 1, 3}, {1, 1, 1, 4}),
            expected);
}

template <typename T>
void UndoesPooling(DML_TENSOR_DATA_TYPE type, const std::vector<T>& x) {
  const Sizes large = {2, 3, 8, 8}, small = {2, 3, 4, 4};
  const Tensor wide(type, large), narrow(type, small), places(kUint32, small);
  const test::Window window = {.size = {2, 2}, .strides = {2, 2}};
  const auto pooling = test::MaxPooling2(wide, narrow, places, window);
  const auto pool = [&](const std::vector<T>& from) {
    return test::RunOn<T>(DML_OPERATOR_MAX_POOLING2, &pooling, {In(from)}, 96);
  };
  const auto values = pool(x);
  const auto indices = test::RunOn<uint32_t>(DML_OPERATOR_MAX_POOLING2, &pooling, {In(x)}, 96, 1);
  const DML_MAX_UNPOOLING_OPERATOR_DESC desc = {narrow, places, wide};
  const auto y = test::RunOn<T>(DML_OPERATOR_MAX_UNPOOLING, &desc, {In(values), In(indices)}, 384);
  EXPECT_EQ(test::BytesOf(pool(y)), test::BytesOf(values));
}

TEST(MaxUnpooling, UndoesAPooling) {
  std::vector<int8_t> bytes;
  std::vector<Float16> halves;
  for (int64_t i = 0; i < 384; ++i) {
    bytes.push_back(static_cast<int8_t>(test::Pattern(i, 101, 37) + 51));
    halves.push_back(ToFloat16(static_cast<float>(bytes.back())));
  }
  UndoesPooling(DML_TENSOR_DATA_TYPE_INT8, bytes);
  UndoesPooling(DML_TENSOR_DATA_TYPE_FLOAT16, halves);
}

TEST(MaxUnpooling, RefusesWhatItsPageDoesNotHave) {
  const Tensor x(kFloat, {1, 1, 1, 3}), y(kFloat, {1, 1, 1, 4}), places(kUint32, {1, 1, 1, 2}),
      longs(kUint64, {1, 1, 1, 3}), halves(DML_TENSOR_DATA_TYPE_FLOAT16, {1, 1, 1, 4});
  DML_MAX_UNPOOLING_OPERATOR_DESC desc = {x, places, y};
  const auto refuse = [&](FeatureLevel level = kNewestFeatureLevel) {
    return test::Refuse(DML_OPERATOR_MAX_UNPOOLING, &desc, {level});
  };
  EXPECT_EQ(refuse(),
            "MAX_UNPOOLING: IndicesTensor.Sizes = {1, 1, 1, 2} must equal InputTensor.Sizes = "
            "{1, 1, 1, 3}");
  desc.IndicesTensor = longs;
  EXPECT_EQ(refuse(), "");
  EXPECT_EQ(refuse(FeatureLevel::k4_1),
            "MAX_UNPOOLING: IndicesTensor.DataType = UINT64 needs feature level 5_0 or above; this "
            "device has 4_1");
  desc.OutputTensor = halves;
  EXPECT_EQ(refuse(),
            "MAX_UNPOOLING: OutputTensor.DataType = FLOAT16 must equal InputTensor.DataType = "
            "FLOAT32");
}

}  // namespace
}  // namespace anydml::max_pooling
