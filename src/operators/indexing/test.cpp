// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about the operators of this folder: the examples and sentences of their
// pages, and the rulings on what the pages leave open.
#include <gtest/gtest.h>

#include <numeric>

#include "operators/indexing/desc.h"
#include "support/run.h"

namespace anydml::indexing {
namespace {

using test::In;
using test::Tensor;

constexpr DML_TENSOR_DATA_TYPE kFloat = DML_TENSOR_DATA_TYPE_FLOAT32;
constexpr DML_TENSOR_DATA_TYPE kUint = DML_TENSOR_DATA_TYPE_UINT32;
using Floats = std::vector<float>;
using Sizes = std::vector<UINT>;
template <typename I>
using List = std::vector<I>;

template <typename I>
constexpr auto kTypeOf = static_cast<DML_TENSOR_DATA_TYPE>(kDataTypeOf<I>);

// ---- Gathers.

template <typename I = uint32_t>
Floats GatherElements(const Floats& x, const Sizes& x_sizes, const List<I>& indices,
                      const Sizes& sizes, UINT axis) {
  const Tensor input(kFloat, x_sizes), index(kTypeOf<I>, sizes), output(kFloat, sizes);
  const DML_GATHER_ELEMENTS_OPERATOR_DESC desc = {input, index, output, axis};
  return test::RunOn<float>(DML_OPERATOR_GATHER_ELEMENTS, &desc, {In(x), In(indices)},
                            test::Count(sizes));
}

struct Counts {
  UINT input;
  UINT indices;
  UINT batch = 0;
};

// By GATHER_ND1, and without a batch by GATHER_ND.
template <typename I = uint32_t>
Floats GatherNd(const Floats& x, const Sizes& x_sizes, const List<I>& indices,
                const Sizes& index_sizes, const Sizes& y_sizes, Counts counts) {
  const Tensor input(kFloat, x_sizes), index(kTypeOf<I>, index_sizes), output(kFloat, y_sizes);
  const DML_GATHER_ND1_OPERATOR_DESC desc = {input,        index,          output,
                                             counts.input, counts.indices, counts.batch};
  const size_t count = test::Count(y_sizes);
  const Floats y = test::RunOn<float>(DML_OPERATOR_GATHER_ND1, &desc, {In(x), In(indices)}, count);
  if (counts.batch == 0) {
    const DML_GATHER_ND_OPERATOR_DESC first = {input, index, output, counts.input, counts.indices};
    EXPECT_EQ(test::RunOn<float>(DML_OPERATOR_GATHER_ND, &first, {In(x), In(indices)}, count), y);
  }
  return y;
}

Floats Counted(size_t count) {
  Floats values(count);
  std::iota(values.begin(), values.end(), 0.0f);
  return values;
}

TEST(GatherElements, GivesTheDocumentedExample) {
  EXPECT_EQ(GatherElements({1, 2, 3, 4, 5, 6, 7, 8, 9}, {3, 3}, {1, 2, 0, 2, 0, 0}, {2, 3}, 0),
            (Floats{4, 8, 3, 7, 2, 3}));
}

// B76
TEST(GatherElements, ClampsIndicesAndCountsFromTheEnd) {
  EXPECT_EQ(GatherElements<int64_t>({1, 2, 3}, {3}, {-1, -3, -9, 7, int64_t{1} << 40}, {5}, 0),
            (Floats{3, 1, 1, 3, 3}));
  EXPECT_EQ(GatherElements<uint64_t>({1, 2, 3}, {3}, {~uint64_t{0}, 1}, {2}, 0), (Floats{3, 2}));
}

TEST(GatherNd, GivesTheDocumentedExamples) {
  EXPECT_EQ(GatherNd({0, 1, 2, 3}, {2, 2}, {1, 0}, {2, 1}, {2, 2}, {2, 2}), (Floats{2, 3, 0, 1}));
  EXPECT_EQ(GatherNd(Counted(8), {1, 2, 2, 2}, {0, 1, 1, 0}, {1, 1, 2, 2}, {1, 1, 2, 2}, {3, 2}),
            (Floats{2, 3, 4, 5}));
  // Sizes {6, 7} of {3, 4, 5, 6, 7} are left behind tuples of 3 (B85).
  EXPECT_EQ(GatherNd(Counted(3 * 4 * 5 * 6 * 7), {3, 4, 5, 6, 7}, {2, 3, 4}, {1, 1, 1, 1, 3},
                     {1, 1, 1, 6, 7}, {5, 1})
                .front(),
            3 * 4 * 5 * 6 * 7 - 42);
}

TEST(GatherNd1, TakesBatches) {
  EXPECT_EQ(GatherNd(Counted(12), {1, 3, 2, 2}, {0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 0}, {1, 3, 2, 2},
                     {1, 1, 3, 2}, {3, 3, 1}),
            (Floats{0, 3, 7, 4, 9, 10}));
}

// B76, for every index of a tuple.
TEST(GatherNd, ClampsIndicesAndCountsFromTheEnd) {
  EXPECT_EQ(
      GatherNd<int32_t>(Counted(6), {2, 3}, {-1, -1, -9, 9, 5, -3, 0, -4}, {4, 2}, {1, 4}, {2, 2}),
      (Floats{5, 2, 3, 0}));
}

// ---- Scatters.

template <typename I = uint32_t>
Floats Scatter(const Floats& x, const Sizes& x_sizes, const List<I>& indices, const Floats& updates,
               const Sizes& sizes, UINT axis) {
  const Tensor input(kFloat, x_sizes), index(kTypeOf<I>, sizes), update(kFloat, sizes),
      output(kFloat, x_sizes);
  const DML_SCATTER_OPERATOR_DESC desc = {input, index, update, output, axis};
  return test::RunOn<float>(DML_OPERATOR_SCATTER, &desc, {In(x), In(indices), In(updates)},
                            x.size());
}

template <typename I = uint32_t>
Floats ScatterNd(const Floats& x, const Sizes& x_sizes, const List<I>& indices,
                 const Sizes& index_sizes, const Floats& updates, const Sizes& update_sizes,
                 Counts counts) {
  const Tensor input(kFloat, x_sizes), index(kTypeOf<I>, index_sizes), update(kFloat, update_sizes),
      output(kFloat, x_sizes);
  const DML_SCATTER_ND_OPERATOR_DESC desc = {input,  index,        update,
                                             output, counts.input, counts.indices};
  return test::RunOn<float>(DML_OPERATOR_SCATTER_ND, &desc, {In(x), In(indices), In(updates)},
                            x.size());
}

TEST(Scatter, GivesTheDocumentedExamples) {
  EXPECT_EQ(Scatter({0, 1, 2, 3, 4}, {5}, {3, 1, 3, 0}, {5, 6, 7, 8}, {4}, 0),
            (Floats{8, 6, 2, 7, 4}));
  EXPECT_EQ(Scatter(Floats(9), {3, 3}, {1, 0, 2, 0, 2, 1}, {10, 11, 12, 20, 21, 22}, {2, 3}, 0),
            (Floats{20, 11, 0, 10, 0, 22, 0, 21, 12}));
}

// B77: an index outside writes nothing.
TEST(Scatter, DropsWhatIsOutside) {
  EXPECT_EQ(Scatter<int32_t>({0, 1, 2}, {3}, {-1, 3, -4}, {9, 8, 7}, {3}, 0), (Floats{0, 1, 9}));
  EXPECT_EQ(Scatter<uint64_t>({0, 1, 2}, {3}, {~uint64_t{0}, 1}, {9, 8}, {2}, 0),
            (Floats{0, 8, 2}));
  EXPECT_EQ(ScatterNd<int64_t>({0, 1, 2, 3}, {2, 2}, {-1, -1, 0, 2, -3, 0, 0, -2}, {4, 2},
                               {9, 8, 7, 6}, {1, 4}, {2, 2}),
            (Floats{6, 1, 2, 9}));
}

// B77: of updates with one target the last one stays.
TEST(Scatter, LeavesTheLastUpdate) {
  constexpr UINT kCount = 65536;
  const List<uint32_t> zeros(kCount, 0);
  EXPECT_EQ(Scatter({-1}, {1}, zeros, Counted(kCount), {kCount}, 0), Floats{kCount - 1});
  EXPECT_EQ(ScatterNd({-1}, {1, 1}, zeros, {kCount, 1}, Counted(kCount), {1, kCount}, {1, 2}),
            Floats{kCount - 1});
}

TEST(ScatterNd, GivesTheDocumentedExample) {
  EXPECT_EQ(ScatterNd({1, 2, 3, 4, 5, 6, 7, 8}, {1, 8}, {4, 3, 1, 7}, {4, 1}, {9, 10, 11, 12},
                      {1, 4}, {1, 2}),
            (Floats{1, 11, 3, 10, 9, 6, 7, 12}));
}

// B83
TEST(Scatter, RunsInPlaceOnItsInput) {
  const Tensor x(kFloat, {2, 3}), index(kUint, {2, 1}), update(kFloat, {2, 3});
  const DML_SCATTER_ND_OPERATOR_DESC desc = {x, index, update, x, 2, 2};
  const List<uint32_t> rows = {1, 1};
  for (const auto& bytes :
       test::RunEachStrategy(DML_OPERATOR_SCATTER_ND, &desc,
                             {In(Counted(6)), In(rows), In(Floats{9, 8, 7, 6, 5, 4})}, 0)) {
    EXPECT_EQ(bytes, test::BytesOf(Floats{0, 1, 2, 6, 5, 4}));
  }
}

// ---- Refusals.

TEST(GatherElements, RefusesSizesThatDoNotFit) {
  const Tensor x(kFloat, {2, 3}), y(kFloat, {2, 4}), tall(kFloat, {3, 4});
  const Tensor four(kUint, {2, 4}), three(kUint, {3, 4});
  const auto refuse = [&](const Tensor& indices, const Tensor& output, UINT axis) {
    const DML_GATHER_ELEMENTS_OPERATOR_DESC desc = {x, indices, output, axis};
    return test::Refuse(DML_OPERATOR_GATHER_ELEMENTS, &desc);
  };
  EXPECT_EQ(refuse(four, y, 1), "");
  EXPECT_EQ(refuse(four, y, 2), "GATHER_ELEMENTS: Axis = 2 must be less than DimensionCount = 2");
  EXPECT_EQ(refuse(three, tall, 1),
            "GATHER_ELEMENTS: IndicesTensor.Sizes[0] = 3 must equal InputTensor.Sizes[0] = 2");
}

TEST(GatherNd1, RefusesSizesThatDoNotFit) {
  const Tensor x(kFloat, {2, 3, 4}), y(kFloat, {1, 2, 5}), z(kFloat, {1, 2, 4});
  const Tensor index(kUint, {2, 5, 2}), deep(kUint, {2, 5, 3}), tall(kUint, {3, 5, 2});
  const auto refuse = [&](const Tensor& indices, const Tensor& output, Counts counts) {
    const DML_GATHER_ND1_OPERATOR_DESC desc = {
        x, indices, output, counts.input, counts.indices, counts.batch};
    return test::Refuse(DML_OPERATOR_GATHER_ND1, &desc);
  };
  EXPECT_EQ(refuse(index, y, {3, 3, 1}), "");
  EXPECT_EQ(refuse(index, z, {3, 3, 1}),
            "GATHER_ND1: OutputTensor.Sizes = {1, 2, 4} must be "
            "{1, 2, 5}");
  EXPECT_EQ(
      refuse(index, y, {4, 3, 1}),
      "GATHER_ND1: InputDimensionCount = 4 must be at least 1 and at most DimensionCount = 3");
  EXPECT_EQ(refuse(index, y, {3, 0, 0}),
            "GATHER_ND1: IndicesDimensionCount = 0 must be at least 1 and at most DimensionCount "
            "= 3");
  EXPECT_EQ(refuse(index, y, {2, 3, 1}),
            "GATHER_ND1: InputTensor.Sizes[0] = 2 must be 1, since InputDimensionCount = 2");
  EXPECT_EQ(refuse(index, y, {3, 2, 1}),
            "GATHER_ND1: IndicesTensor.Sizes[0] = 2 must be 1, since IndicesDimensionCount = 2");
  EXPECT_EQ(refuse(index, y, {3, 3, 3}),
            "GATHER_ND1: BatchDimensionCount = 3 must be less than InputDimensionCount = 3");
  EXPECT_EQ(refuse(tall, y, {3, 3, 1}),
            "GATHER_ND1: IndicesTensor.Sizes[0] = 3 must equal InputTensor.Sizes[0] = 2");
  EXPECT_EQ(refuse(deep, y, {3, 3, 1}),
            "GATHER_ND1: IndicesTensor.Sizes[2] = 3 must be at most InputDimensionCount - "
            "BatchDimensionCount = 2");
  const Tensor pair(kUint, {2, 5, 1});
  EXPECT_EQ(refuse(pair, y, {3, 3, 0}),
            "GATHER_ND1: the result's sizes {2, 5, 3, 4} are more than DimensionCount = 3");
}

TEST(Scatter, RefusesSizesThatDoNotFit) {
  const Tensor x(kFloat, {2, 3}), update(kFloat, {2, 4}), index(kUint, {2, 4}), row(kUint, {4, 1}),
      rows(kFloat, {4, 3});
  const DML_SCATTER_OPERATOR_DESC desc = {x, index, update, x, 0};
  EXPECT_EQ(test::Refuse(DML_OPERATOR_SCATTER, &desc),
            "SCATTER_ELEMENTS: IndicesTensor.Sizes[1] = 4 must equal InputTensor.Sizes[1] = 3");
  const DML_SCATTER_ND_OPERATOR_DESC nd = {x, row, update, x, 2, 2};
  EXPECT_EQ(test::Refuse(DML_OPERATOR_SCATTER_ND, &nd),
            "SCATTER_ND: UpdatesTensor.Sizes = {2, 4} must be {4, 3}");
  const DML_SCATTER_ND_OPERATOR_DESC fits = {x, row, rows, x, 2, 2};
  EXPECT_EQ(test::Refuse(DML_OPERATOR_SCATTER_ND, &fits), "");
}

}  // namespace
}  // namespace anydml::indexing
