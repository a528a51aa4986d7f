// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about TOP_K, TOP_K1 and NONZERO_COORDINATES.
#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "operators/indexing/desc.h"
#include "support/run.h"

namespace anydml::indexing {
namespace {

using test::In;
using test::Tensor;

constexpr DML_TENSOR_DATA_TYPE kFloat = DML_TENSOR_DATA_TYPE_FLOAT32;
constexpr DML_TENSOR_DATA_TYPE kUint = DML_TENSOR_DATA_TYPE_UINT32;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
using Floats = std::vector<float>;
using Uints = std::vector<uint32_t>;
using Sizes = std::vector<UINT>;

// The values of TOP_K1, and of TOP_K where it says the same, and their indices.
struct Found {
  Floats values;
  Uints indices;
};
Found TopK(const Floats& x, const Sizes& sizes, UINT axis, UINT k, DML_AXIS_DIRECTION direction) {
  Sizes y_sizes = sizes;
  y_sizes[axis] = k;
  const Tensor input(kFloat, sizes), values(kFloat, y_sizes), indices(kUint, y_sizes);
  const DML_TOP_K1_OPERATOR_DESC desc = {input, values, indices, axis, k, direction};
  const size_t count = test::Count(y_sizes);
  const Found found = {test::RunOn<float>(DML_OPERATOR_TOP_K1, &desc, {In(x)}, count, 0),
                       test::RunOn<uint32_t>(DML_OPERATOR_TOP_K1, &desc, {In(x)}, count, 1)};
  if (direction == DML_AXIS_DIRECTION_DECREASING) {
    const DML_TOP_K_OPERATOR_DESC first = {input, values, indices, axis, k};
    EXPECT_EQ(test::RunOn<uint32_t>(DML_OPERATOR_TOP_K, &first, {In(x)}, count, 1), found.indices);
  }
  return found;
}

TEST(TopK, GivesTheDocumentedExamples) {
  const Floats x = {1, 2, 2, 3, 3, 4, 5, 5, 6, 6, 6, 6};
  const Found greatest = TopK(x, {3, 4}, 1, 3, DML_AXIS_DIRECTION_DECREASING);
  EXPECT_EQ(greatest.values, (Floats{3, 2, 2, 5, 5, 4, 6, 6, 6}));
  EXPECT_EQ(greatest.indices, (Uints{3, 1, 2, 2, 3, 1, 0, 1, 2}));
  const Found least = TopK(x, {3, 4}, 1, 3, DML_AXIS_DIRECTION_INCREASING);
  EXPECT_EQ(least.values, (Floats{1, 2, 2, 3, 4, 5, 6, 6, 6}));
  EXPECT_EQ(least.indices, (Uints{0, 1, 2, 0, 1, 2, 0, 1, 2}));
}

// B79: NaNs are equal and above every number, zeros are equal, K may be all.
TEST(TopK, HasNansAboveAllNumbers) {
  EXPECT_EQ(TopK({1, kNan, 3}, {3}, 0, 3, DML_AXIS_DIRECTION_DECREASING).indices, (Uints{1, 2, 0}));
  const Floats x = {-0.0f,
                    kNan,
                    0.0f,
                    -1,
                    std::bit_cast<float>(0xFFC00001u),
                    std::numeric_limits<float>::infinity()};
  EXPECT_EQ(TopK(x, {6}, 0, 6, DML_AXIS_DIRECTION_INCREASING).indices, (Uints{3, 0, 2, 5, 1, 4}));
  EXPECT_EQ(TopK(x, {6}, 0, 6, DML_AXIS_DIRECTION_DECREASING).indices, (Uints{1, 4, 5, 0, 2, 3}));
}

// Ties across the bound: those that come first, among many of the extreme value too.
TEST(TopK, TakesTheFirstOfEqualOnes) {
  Floats x(1000, 7);
  x[40] = x[900] = 8;
  const Found found = TopK(x, {1000}, 0, 5, DML_AXIS_DIRECTION_DECREASING);
  EXPECT_EQ(found.indices, (Uints{40, 900, 0, 1, 2}));
  EXPECT_EQ(TopK(x, {1000}, 0, 4, DML_AXIS_DIRECTION_INCREASING).indices, (Uints{0, 1, 2, 3}));
}

TEST(TopK, OrdersTheExtremesOfIntegers) {
  const Tensor x(DML_TENSOR_DATA_TYPE_UINT64, {4}), y(DML_TENSOR_DATA_TYPE_UINT64, {4});
  const std::vector<uint64_t> values = {5, ~uint64_t{0}, 0, uint64_t{1} << 63};
  const DML_TOP_K1_OPERATOR_DESC desc = {x, y, y, 0, 4, DML_AXIS_DIRECTION_INCREASING};
  EXPECT_EQ(test::RunOn<uint64_t>(DML_OPERATOR_TOP_K1, &desc, {In(values)}, 4, 1),
            (std::vector<uint64_t>{2, 0, 3, 1}));
}

TEST(TopK, RefusesWhatDoesNotFit) {
  const Tensor x(kFloat, {3, 4}), values(kFloat, {3, 2}), indices(kUint, {3, 2});
  const auto refuse = [&](UINT axis, UINT k) {
    const DML_TOP_K_OPERATOR_DESC desc = {x, values, indices, axis, k};
    return test::Refuse(DML_OPERATOR_TOP_K, &desc);
  };
  EXPECT_EQ(refuse(1, 2), "");
  EXPECT_EQ(refuse(2, 2), "TOP_K: Axis = 2 must be less than DimensionCount = 2");
  EXPECT_EQ(refuse(1, 5), "TOP_K: K = 5 must be at least 1 and at most InputTensor.Sizes[1] = 4");
  EXPECT_EQ(refuse(1, 0), "TOP_K: K = 0 must be at least 1 and at most InputTensor.Sizes[1] = 4");
  EXPECT_EQ(refuse(1, 3), "TOP_K: OutputValueTensor.Sizes = {3, 2} must be {3, 3}");
}

// ---- NONZERO_COORDINATES

// The count, then all rows; those that are not written hold 0xC5C5C5C5.
Uints Nonzero(const Floats& x, const Sizes& sizes, const Sizes& y_sizes) {
  const Tensor input(kFloat, sizes), count(kUint, {1}), coordinates(kUint, y_sizes);
  const DML_NONZERO_COORDINATES_OPERATOR_DESC desc = {input, count, coordinates};
  Uints all = test::RunOn<uint32_t>(DML_OPERATOR_NONZERO_COORDINATES, &desc, {In(x)}, 1, 0);
  const Uints rows = test::RunOn<uint32_t>(DML_OPERATOR_NONZERO_COORDINATES, &desc, {In(x)},
                                           test::Count(y_sizes), 1);
  all.insert(all.end(), rows.begin(), rows.end());
  return all;
}
constexpr uint32_t kUntouched = 0xC5C5C5C5;

TEST(NonzeroCoordinates, GivesTheDocumentedExample) {
  const Uints all = Nonzero({1, 0, 0, 2, -0.0f, 3.5f, 0, -5.2f}, {1, 2, 4}, {8, 3});
  EXPECT_EQ(Uints(all.begin(), all.begin() + 13), (Uints{4, 0, 0, 0, 0, 0, 3, 0, 1, 1, 0, 1, 3}));
  // B82: rows beyond the count stay as they are.
  EXPECT_EQ(Uints(all.begin() + 13, all.end()), Uints(12, kUntouched));
}

// B82: leading dimensions of size 1 need no column.
TEST(NonzeroCoordinates, WritesTheLastCoordinates) {
  EXPECT_EQ(Nonzero({0, kNan, 4}, {1, 1, 3}, {3, 1}), (Uints{2, 1, 2, kUntouched}));
  EXPECT_EQ(Nonzero({3}, {1, 1}, {1, 1}), (Uints{1, 0}));
}

TEST(NonzeroCoordinates, RefusesSizesThatDoNotFit) {
  const Tensor x(kFloat, {1, 2, 4}), one(kUint, {1, 1});
  const auto refuse = [&](const Tensor& count, const Sizes& sizes) {
    const Tensor coordinates(kUint, sizes);
    const DML_NONZERO_COORDINATES_OPERATOR_DESC desc = {x, count, coordinates};
    return test::Refuse(DML_OPERATOR_NONZERO_COORDINATES, &desc);
  };
  EXPECT_EQ(refuse(one, {1, 8, 2}), "");
  const Tensor two(kUint, {1, 2});
  EXPECT_EQ(refuse(two, {8, 3}),
            "NONZERO_COORDINATES: OutputCountTensor.Sizes = {1, 2} must be 1 in every entry");
  EXPECT_EQ(refuse(one, {7, 3}),
            "NONZERO_COORDINATES: OutputCoordinatesTensor.Sizes[0] = 7 must be 8");
  EXPECT_EQ(refuse(one, {2, 8, 3}),
            "NONZERO_COORDINATES: OutputCoordinatesTensor.Sizes[0] = 2 must be 1");
  EXPECT_EQ(refuse(one, {8, 1}),
            "NONZERO_COORDINATES: OutputCoordinatesTensor.Sizes[1] = 1 must be at least 2 and at "
            "most InputTensor.DimensionCount = 3");
}

}  // namespace
}  // namespace anydml::indexing
