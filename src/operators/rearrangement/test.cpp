// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about the operators of this folder: the examples and sentences of their
// pages, and the rulings on what the pages leave open.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <numeric>

#include "operators/rearrangement/desc.h"
#include "support/run.h"
#include "support/scalar_union.h"

namespace anydml::rearrangement {
namespace {

using test::In;
using test::Tensor;

constexpr DML_TENSOR_DATA_TYPE kFloat = DML_TENSOR_DATA_TYPE_FLOAT32;
using Floats = std::vector<float>;
using Sizes = std::vector<UINT>;
template <typename T>
using List = std::vector<T>;

Floats CountFrom(float first, size_t count) {
  Floats values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

// ---- PADDING and PADDING1.

struct Pads {
  DML_PADDING_MODE mode;
  Sizes start;
  Sizes end;
};

Sizes PaddedSizes(const Sizes& sizes, const Pads& pads) {
  Sizes padded = sizes;
  for (size_t i = 0; i < sizes.size(); ++i) padded[i] += pads.start[i] + pads.end[i];
  return padded;
}

// By PADDING1, and by PADDING of a value that is the same number.
Floats Pad(const Floats& x, const Sizes& sizes, const Pads& pads, float value = 9) {
  const Sizes padded = PaddedSizes(sizes, pads);
  const Tensor input(kFloat, sizes), output(kFloat, padded);
  const auto rank = static_cast<UINT>(sizes.size());
  const DML_PADDING1_OPERATOR_DESC desc = {
      input,          output, pads.mode, kFloat, test::Bound(value), rank, pads.start.data(),
      pads.end.data()};
  const DML_PADDING_OPERATOR_DESC first = {
      input, output, pads.mode, value, rank, pads.start.data(), pads.end.data()};
  const size_t count = test::Count(padded);
  const Floats y = test::RunOn<float>(DML_OPERATOR_PADDING1, &desc, {In(x)}, count);
  EXPECT_EQ(test::RunOn<float>(DML_OPERATOR_PADDING, &first, {In(x)}, count), y);
  return y;
}

std::string RefusePad(const Tensor& input, const Tensor& output, const Pads& pads,
                      const DeviceOptions& options = {}) {
  const DML_PADDING_OPERATOR_DESC desc = {
      input,          output, pads.mode, 0, static_cast<UINT>(pads.start.size()), pads.start.data(),
      pads.end.data()};
  return test::Refuse(DML_OPERATOR_PADDING, &desc, options);
}

// The rows of the page's examples, of which the second is that of the input's first row.
TEST(Padding, GivesTheDocumentedExamples) {
  const Floats x = {1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8};
  const auto row = [&](DML_PADDING_MODE mode, size_t number) {
    const Floats y = Pad(x, {4, 4}, {mode, {1, 2}, {3, 4}});
    return Floats(y.begin() + static_cast<ptrdiff_t>(10 * number),
                  y.begin() + static_cast<ptrdiff_t>(10 * number + 10));
  };
  EXPECT_EQ(row(DML_PADDING_MODE_CONSTANT, 0), Floats(10, 9));
  EXPECT_EQ(row(DML_PADDING_MODE_CONSTANT, 1), (Floats{9, 9, 1, 2, 3, 4, 9, 9, 9, 9}));
  EXPECT_EQ(row(DML_PADDING_MODE_EDGE, 0), (Floats{1, 1, 1, 2, 3, 4, 4, 4, 4, 4}));
  EXPECT_EQ(row(DML_PADDING_MODE_REFLECTION, 0), (Floats{7, 6, 5, 6, 7, 8, 7, 6, 5, 6}));
  EXPECT_EQ(row(DML_PADDING_MODE_SYMMETRIC, 0), (Floats{2, 1, 1, 2, 3, 4, 4, 3, 2, 1}));
}

// B80: any length, also beyond the other end and back.
TEST(Padding, TakesPaddingsOfAnyLength) {
  EXPECT_EQ(Pad({1, 2, 3}, {3}, {DML_PADDING_MODE_WRAP, {4}, {2}}),
            (Floats{3, 1, 2, 3, 1, 2, 3, 1, 2}));
  EXPECT_EQ(Pad({1, 2, 3}, {3}, {DML_PADDING_MODE_REFLECTION, {5}, {0}}),
            (Floats{2, 1, 2, 3, 2, 1, 2, 3}));
  EXPECT_EQ(Pad({1, 2, 3}, {3}, {DML_PADDING_MODE_SYMMETRIC, {7}, {0}}),
            (Floats{1, 1, 2, 3, 3, 2, 1, 1, 2, 3}));
  EXPECT_EQ(Pad({1, 2}, {2}, {DML_PADDING_MODE_REFLECTION, {1}, {4}}),
            (Floats{2, 1, 2, 1, 2, 1, 2}));
}

// B80
TEST(Padding, RepeatsASingleElement) {
  for (const auto mode : {DML_PADDING_MODE_EDGE, DML_PADDING_MODE_REFLECTION,
                          DML_PADDING_MODE_SYMMETRIC, DML_PADDING_MODE_WRAP}) {
    EXPECT_EQ(Pad({5}, {1}, {mode, {2}, {1}}), Floats(4, 5));
  }
  EXPECT_EQ(Pad({5}, {1}, {DML_PADDING_MODE_CONSTANT, {2}, {1}}), (Floats{9, 9, 5, 9}));
}

// B26: integers truncate and saturate, a NaN becomes 0, halves round to nearest even.
TEST(Padding, ConvertsItsValue) {
  const auto padded = []<typename T>(T, DML_TENSOR_DATA_TYPE type, float value) {
    const Tensor input(type, {1, 1, 1, 1}), output(type, {1, 1, 1, 2});
    const UINT start[] = {0, 0, 0, 1}, end[] = {0, 0, 0, 0};
    const DML_PADDING_OPERATOR_DESC desc = {input, output, DML_PADDING_MODE_CONSTANT, value, 4,
                                            start, end};
    return test::RunOn<T>(DML_OPERATOR_PADDING, &desc, {In(List<T>(4, T{1}))}, 2)[0];
  };
  EXPECT_EQ(padded(int8_t{}, DML_TENSOR_DATA_TYPE_INT8, 300.7f), 127);
  EXPECT_EQ(padded(uint8_t{}, DML_TENSOR_DATA_TYPE_UINT8, -1), 0);
  EXPECT_EQ(padded(uint8_t{}, DML_TENSOR_DATA_TYPE_UINT8, NAN), 0);
  EXPECT_EQ(padded(int32_t{}, DML_TENSOR_DATA_TYPE_INT32, -2.9f), -2);
  EXPECT_EQ(padded(uint16_t{}, DML_TENSOR_DATA_TYPE_FLOAT16, 1 + 0x1p-11f), 0x3C00);
  EXPECT_EQ(padded(double{}, DML_TENSOR_DATA_TYPE_FLOAT64, 0.1f), static_cast<double>(0.1f));
}

// The bits of a union's member: of FLOAT16 those in UInt16.
TEST(Padding1, TakesItsValueBitForBit) {
  const Tensor input(DML_TENSOR_DATA_TYPE_FLOAT16, {1}), output(DML_TENSOR_DATA_TYPE_FLOAT16, {3});
  const UINT one = 1;
  DML_PADDING1_OPERATOR_DESC desc = {input,
                                     output,
                                     DML_PADDING_MODE_CONSTANT,
                                     DML_TENSOR_DATA_TYPE_FLOAT16,
                                     test::Bound(uint16_t{0xFE55}),
                                     1,
                                     &one,
                                     &one};
  EXPECT_EQ(test::RunOn<uint16_t>(DML_OPERATOR_PADDING1, &desc, {In(List<uint16_t>{0x8001, 0})}, 3),
            (List<uint16_t>{0xFE55, 0x8001, 0xFE55}));
  desc.PaddingMode = DML_PADDING_MODE_EDGE;  // the type counts in every mode
  desc.PaddingValueDataType = kFloat;
  EXPECT_EQ(test::Refuse(DML_OPERATOR_PADDING1, &desc),
            "PADDING1: PaddingValueDataType = FLOAT32 must equal OutputTensor.DataType = FLOAT16");
}

TEST(Padding, RefusesWhatDoesNotFit) {
  const Tensor x(kFloat, {1, 1, 1, 4}), y(kFloat, {1, 1, 1, 7}), z(kFloat, {1, 1, 2, 7});
  const Sizes start = {0, 0, 0, 1}, end = {0, 0, 0, 2};
  const auto mode = DML_PADDING_MODE_CONSTANT;
  EXPECT_EQ(RefusePad(x, y, {mode, start, end}), "");
  EXPECT_EQ(RefusePad(x, z, {mode, start, end}),
            "PADDING: OutputTensor.Sizes = {1, 1, 2, 7} must be {1, 1, 1, 7}");
  EXPECT_EQ(RefusePad(x, y, {mode, {0, 0, 1}, {0, 0, 2}}),
            "PADDING: DimensionCount = 3 must equal InputTensor.DimensionCount = 4");
  EXPECT_EQ(
      RefusePad(x, y, {static_cast<DML_PADDING_MODE>(5), start, end}),
      "PADDING: PaddingMode = 5 must be CONSTANT (0), EDGE (1), REFLECTION (2), SYMMETRIC (3) or "
      "WRAP (4)");
  EXPECT_EQ(RefusePad(x, y, {mode, start, {0, 0, 0, 0xFFFFFFFF}}),
            "PADDING: OutputTensor.Sizes[3] = 4294967300 must be at most 4294967295");
}

// B80: modes came with levels.
TEST(Padding, NeedsALevelForSomeModes) {
  const Tensor x(kFloat, {1, 1, 1, 4}), y(kFloat, {1, 1, 1, 7}), flat(kFloat, {4});
  const auto refuse = [&](DML_PADDING_MODE mode, FeatureLevel level) {
    return RefusePad(x, y, {mode, {0, 0, 0, 1}, {0, 0, 0, 2}}, {.feature_level = level});
  };
  EXPECT_EQ(refuse(DML_PADDING_MODE_REFLECTION, FeatureLevel::k1_0), "");
  EXPECT_EQ(refuse(DML_PADDING_MODE_SYMMETRIC, FeatureLevel::k3_0), "");
  EXPECT_EQ(refuse(DML_PADDING_MODE_SYMMETRIC, FeatureLevel::k2_1),
            "PADDING: PaddingMode = SYMMETRIC needs feature level 3_0 or above; this device has "
            "2_1");
  EXPECT_EQ(refuse(DML_PADDING_MODE_WRAP, FeatureLevel::k6_4), "");
  EXPECT_EQ(refuse(DML_PADDING_MODE_WRAP, FeatureLevel::k6_3),
            "PADDING: PaddingMode = WRAP needs feature level 6_4 or above; this device has 6_3");
}

// ---- TILE.

Floats Tile(const Floats& x, const Sizes& sizes, const Sizes& repeats) {
  Sizes tiled = sizes;
  for (size_t i = 0; i < sizes.size(); ++i) tiled[i] *= repeats[i];
  const Tensor input(kFloat, sizes), output(kFloat, tiled);
  const DML_TILE_OPERATOR_DESC desc = {input, output, static_cast<UINT>(repeats.size()),
                                       repeats.data()};
  return test::RunOn<float>(DML_OPERATOR_TILE, &desc, {In(x)}, test::Count(tiled));
}

TEST(Tile, GivesTheDocumentedExample) {
  EXPECT_EQ(Tile({1, 2, 3, 4}, {2, 2}, {1, 2}), (Floats{1, 2, 1, 2, 3, 4, 3, 4}));
  EXPECT_EQ(Tile({1, 2, 3, 4}, {2, 2}, {2, 1}), (Floats{1, 2, 3, 4, 1, 2, 3, 4}));
}

TEST(Tile, RefusesWhatDoesNotFit) {
  const auto refuse = [](const Tensor& input, const Tensor& output, const Sizes& repeats) {
    const DML_TILE_OPERATOR_DESC desc = {input, output, static_cast<UINT>(repeats.size()),
                                         repeats.data()};
    return test::Refuse(DML_OPERATOR_TILE, &desc);
  };
  const Tensor x(kFloat, {2, 3}), y(kFloat, {4, 3}), doubles(DML_TENSOR_DATA_TYPE_FLOAT64, {2, 3});
  EXPECT_EQ(refuse(x, y, {2, 1}), "");
  EXPECT_EQ(refuse(x, y, {2, 2}), "TILE: OutputTensor.Sizes = {4, 3} must be {4, 6}");
  EXPECT_EQ(refuse(x, y, {2, 0}), "TILE: Repeats = {2, 0} must be at least 1 in every entry");
  EXPECT_EQ(refuse(x, y, {2}), "TILE: RepeatsCount = 1 must equal InputTensor.DimensionCount = 2");
  EXPECT_EQ(refuse(x, y, {0x80000000, 1}),
            "TILE: OutputTensor.Sizes[0] = 4294967296 must be at most 4294967295");
  EXPECT_EQ(refuse(doubles, doubles, {1, 1}),
            "TILE: InputTensor.DataType = FLOAT64 must be FLOAT32, FLOAT16, UINT32, UINT16, UINT8, "
            "INT32, INT16, INT8, UINT64 or INT64");
}

// ---- DEPTH_TO_SPACE and SPACE_TO_DEPTH.

// By the version, and by the first one where its order is asked for.
template <class Desc, class First>
Floats Arrange(DML_OPERATOR_TYPE type, DML_OPERATOR_TYPE first_type, const Floats& x,
               const Sizes& from, const Sizes& to, UINT block, DML_DEPTH_SPACE_ORDER order) {
  const Tensor input(kFloat, from), output(kFloat, to);
  const Desc desc = {input, output, block, order};
  const Floats y = test::RunOn<float>(type, &desc, {In(x)}, x.size());
  if (order == DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW) {
    const First first = {input, output, block};
    EXPECT_EQ(test::RunOn<float>(first_type, &first, {In(x)}, x.size()), y);
  }
  return y;
}

Floats DepthToSpace(const Floats& x, const Sizes& from, const Sizes& to, UINT block,
                    DML_DEPTH_SPACE_ORDER order) {
  return Arrange<DML_DEPTH_TO_SPACE1_OPERATOR_DESC, DML_DEPTH_TO_SPACE_OPERATOR_DESC>(
      DML_OPERATOR_DEPTH_TO_SPACE1, DML_OPERATOR_DEPTH_TO_SPACE, x, from, to, block, order);
}
Floats SpaceToDepth(const Floats& x, const Sizes& from, const Sizes& to, UINT block,
                    DML_DEPTH_SPACE_ORDER order) {
  return Arrange<DML_SPACE_TO_DEPTH1_OPERATOR_DESC, DML_SPACE_TO_DEPTH_OPERATOR_DESC>(
      DML_OPERATOR_SPACE_TO_DEPTH1, DML_OPERATOR_SPACE_TO_DEPTH, x, from, to, block, order);
}

// Of the page's example with eight channels of two rows and three columns, numbered
// 9 * channel + 3 * row + column: the first row, and row 1 of channel 1.
TEST(DepthToSpace, GivesTheDocumentedExamples) {
  Floats x;
  for (int i = 0; i < 8 * 6; ++i)
    x.push_back(static_cast<float>(i / 6 * 9 + i % 6 / 3 * 3 + i % 3));
  const Sizes depth = {1, 8, 2, 3}, space = {1, 2, 4, 6};
  const Floats dcr = DepthToSpace(x, depth, space, 2, DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW);
  const Floats crd = DepthToSpace(x, depth, space, 2, DML_DEPTH_SPACE_ORDER_COLUMN_ROW_DEPTH);
  EXPECT_EQ(Floats(&dcr[0], &dcr[6]), (Floats{0, 18, 1, 19, 2, 20}));
  EXPECT_EQ(Floats(&crd[30], &crd[36]), (Floats{54, 63, 55, 64, 56, 65}));
  EXPECT_EQ(SpaceToDepth(dcr, space, depth, 2, DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW), x);
  EXPECT_EQ(SpaceToDepth(crd, space, depth, 2, DML_DEPTH_SPACE_ORDER_COLUMN_ROW_DEPTH), x);
}

TEST(DepthToSpace, RefusesBlocksThatDoNotDivide) {
  const auto refuse = [](const Tensor& input, const Tensor& output, UINT block) {
    const DML_DEPTH_TO_SPACE_OPERATOR_DESC desc = {input, output, block};
    return test::Refuse(DML_OPERATOR_DEPTH_TO_SPACE, &desc);
  };
  const Tensor x(kFloat, {1, 8, 2, 3}), y(kFloat, {1, 2, 4, 6}), flat(kFloat, {8});
  EXPECT_EQ(refuse(x, y, 2), "");
  EXPECT_EQ(refuse(x, y, 3),
            "DEPTH_TO_SPACE: InputTensor.Sizes[1] = 8 must be a multiple of BlockSize * BlockSize "
            "= 9");
  EXPECT_EQ(refuse(x, y, 1),
            "DEPTH_TO_SPACE: OutputTensor.Sizes = {1, 2, 4, 6} must be {1, 8, 2, 3}");
  EXPECT_EQ(refuse(x, y, 0), "DEPTH_TO_SPACE: BlockSize = 0 must be at least 1");
  EXPECT_EQ(refuse(x, y, 0xFFFFFFFF),
            "DEPTH_TO_SPACE: InputTensor.Sizes[1] = 8 must be a multiple of BlockSize * BlockSize "
            "= 18446744065119617025");
  EXPECT_EQ(refuse(flat, flat, 1), "DEPTH_TO_SPACE: InputTensor.DimensionCount = 1 must be 4");
}

// B85: the output of SPACE_TO_DEPTH is as its formula says; its page prints the sizes of
// DEPTH_TO_SPACE.
TEST(SpaceToDepth, RefusesBlocksThatDoNotDivide) {
  const auto refuse = [](const Tensor& input, const Tensor& output, UINT block) {
    const DML_SPACE_TO_DEPTH1_OPERATOR_DESC desc = {input, output, block,
                                                    DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW};
    return test::Refuse(DML_OPERATOR_SPACE_TO_DEPTH1, &desc);
  };
  const Tensor x(kFloat, {1, 2, 4, 6}), y(kFloat, {1, 8, 2, 3}), odd(kFloat, {1, 2, 4, 5});
  EXPECT_EQ(refuse(x, y, 2), "");
  EXPECT_EQ(refuse(odd, y, 2),
            "SPACE_TO_DEPTH1: InputTensor.Sizes[3] = 5 must be a multiple of BlockSize = 2");
  EXPECT_EQ(refuse(x, y, 4),
            "SPACE_TO_DEPTH1: InputTensor.Sizes[3] = 6 must be a multiple of BlockSize = 4");
  EXPECT_EQ(refuse(x, x, 2),
            "SPACE_TO_DEPTH1: OutputTensor.Sizes = {1, 2, 4, 6} must be {1, 8, 2, 3}");
}

// ---- REVERSE_SUBSEQUENCES.

template <typename I = uint32_t>
Floats Reverse(const Floats& x, const Sizes& sizes, const List<I>& lengths, UINT axis) {
  Sizes of_lengths = sizes;
  of_lengths[axis] = 1;
  const Tensor input(kFloat, sizes), output(kFloat, sizes),
      length(static_cast<DML_TENSOR_DATA_TYPE>(kDataTypeOf<I>), of_lengths);
  const DML_REVERSE_SUBSEQUENCES_OPERATOR_DESC desc = {input, length, output, axis};
  return test::RunOn<float>(DML_OPERATOR_REVERSE_SUBSEQUENCES, &desc, {In(x), In(lengths)},
                            x.size());
}

TEST(ReverseSubsequences, TurnsTheBeginningsAround) {
  const Floats x = CountFrom(1, 12);
  EXPECT_EQ(Reverse({x}, {3, 4}, {2, 4, 3}, 1), (Floats{2, 1, 3, 4, 8, 7, 6, 5, 11, 10, 9, 12}));
  EXPECT_EQ(Reverse({x}, {3, 4}, {2, 3, 1, 9}, 0), (Floats{5, 10, 3, 12, 1, 6, 7, 8, 9, 2, 11, 4}));
}

// B87: a length of 0 changes nothing, and one beyond the axis means all of it.
TEST(ReverseSubsequences, BoundsLengthsByTheAxis) {
  EXPECT_EQ(Reverse<uint64_t>({1, 2, 3}, {3}, {uint64_t{1} << 63}, 0), (Floats{3, 2, 1}));
  EXPECT_EQ(Reverse<uint64_t>({1, 2, 3}, {3}, {(uint64_t{1} << 32) + 2}, 0), (Floats{3, 2, 1}));
  EXPECT_EQ(Reverse({1, 2, 3}, {3}, {0}, 0), (Floats{1, 2, 3}));
}

TEST(ReverseSubsequences, RefusesWhatDoesNotFit) {
  const auto refuse = [](const Tensor& input, const Tensor& lengths, UINT axis,
                         const DeviceOptions& options = {}) {
    const DML_REVERSE_SUBSEQUENCES_OPERATOR_DESC desc = {input, lengths, input, axis};
    return test::Refuse(DML_OPERATOR_REVERSE_SUBSEQUENCES, &desc, options);
  };
  const Tensor x(kFloat, {1, 1, 3, 4}), one(DML_TENSOR_DATA_TYPE_UINT32, {1, 1, 3, 1}),
      whole(DML_TENSOR_DATA_TYPE_UINT32, {1, 1, 3, 4}),
      wide(DML_TENSOR_DATA_TYPE_UINT64, {1, 1, 3, 1});
  EXPECT_EQ(refuse(x, one, 3), "");
  EXPECT_EQ(refuse(x, one, 4),
            "REVERSE_SUBSEQUENCES: Axis = 4 must be less than DimensionCount = 4");
  EXPECT_EQ(
      refuse(x, whole, 3),
      "REVERSE_SUBSEQUENCES: SequenceLengthsTensor.Sizes = {1, 1, 3, 4} must be {1, 1, 3, 1}");
  EXPECT_EQ(refuse(x, wide, 3, {.feature_level = FeatureLevel::k4_1}),
            "REVERSE_SUBSEQUENCES: SequenceLengthsTensor.DataType = UINT64 needs feature level 5_0 "
            "or above; this device has 4_1");
}

}  // namespace
}  // namespace anydml::rearrangement
