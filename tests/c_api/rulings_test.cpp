// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Rulings of docs/rulings.md that show at the border of anydml.h.
#include <directml.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <string>
#include <vector>

#include "anydml/anydml.hpp"

namespace {

using Floats = std::vector<float>;

// LINEAR 2 -> 4 at scale 2, gradients 1, 2, 4, 8.
Floats ResampleGrad(int32_t exchange_pixel_offsets) {
  const UINT four = 4, two = 2;
  const DML_BUFFER_TENSOR_DESC dy = {DML_TENSOR_DATA_TYPE_FLOAT32, {}, 1, &four, nullptr, 16, 0};
  const DML_BUFFER_TENSOR_DESC dx = {DML_TENSOR_DATA_TYPE_FLOAT32, {}, 1, &two, nullptr, 8, 0};
  const DML_TENSOR_DESC from = {DML_TENSOR_TYPE_BUFFER, &dy}, to = {DML_TENSOR_TYPE_BUFFER, &dx};
  const float scale = 2, in = 0.5f, out = -0.5f;
  const DML_RESAMPLE_GRAD_OPERATOR_DESC desc = {
      &from, &to, DML_INTERPOLATION_MODE_LINEAR, 1, &scale, &in, &out};
  anydml_device_options options = {};
  options.struct_size = sizeof options;
  options.exchange_pixel_offsets = exchange_pixel_offsets;
  const Floats values = {1, 2, 4, 8};
  Floats result(2);
  const anydml::Device device("cpu", &options);
  device.CreateOperator({DML_OPERATOR_RESAMPLE_GRAD, &desc})
      .Execute({values.data()}, {result.data()});
  return result;
}

// B10. The option decides, -1 leaves it to the environment.
TEST(CApiRulings, PixelOffsetsAreReadAsTheOptionOrTheEnvironmentSays) {
  const Floats documented = {3.5f, 11.5f}, exchanged = {1.25f, 13.75f};
  unsetenv("ANYDML_PIXEL_OFFSETS");
  EXPECT_EQ(ResampleGrad(-1), documented);
  EXPECT_EQ(ResampleGrad(1), exchanged);
  setenv("ANYDML_PIXEL_OFFSETS", "exchanged", 1);
  EXPECT_EQ(ResampleGrad(-1), exchanged);
  EXPECT_EQ(ResampleGrad(0), documented);
  setenv("ANYDML_PIXEL_OFFSETS", "documented", 1);
  EXPECT_EQ(ResampleGrad(-1), documented);
  setenv("ANYDML_PIXEL_OFFSETS", "sideways", 1);
  EXPECT_THROW(ResampleGrad(-1), anydml::Exception);
  EXPECT_STREQ(anydml_last_error(),
               "ANYDML_PIXEL_OFFSETS = 'sideways' must be 'documented' or 'exchanged'");
  unsetenv("ANYDML_PIXEL_OFFSETS");
}

// B11. What TensorFlow's ResizeBilinear with aligned corners sends for an axis of one pixel.
TEST(CApiRulings, AnInfiniteScaleIsReadFromText) {
  const anydml::Operator op = anydml::Device("cpu").CreateOperator(
      R"({"type": "RESAMPLE1", "desc": {"InputTensor": {"DataType": "FLOAT32", "Sizes": [1, 2]},
          "OutputTensor": {"DataType": "FLOAT32", "Sizes": [3, 3]}, "InterpolationMode": "LINEAR",
          "DimensionCount": 2, "Scales": ["inf", 2], "InputPixelOffsets": [0, 0],
          "OutputPixelOffsets": [0, 0]}})");
  const Floats x = {1, 3};
  Floats y(9);
  op.Execute({x.data()}, {y.data()});
  EXPECT_EQ(y, (Floats{1, 2, 3, 1, 2, 3, 1, 2, 3}));
}

// A RELU on 2 x 2 FLOAT32 elements; null strides are packed.
anydml::Operator Relu(const UINT* input_strides, DML_TENSOR_FLAGS input_flags) {
  const UINT sizes[] = {2, 2};
  const DML_BUFFER_TENSOR_DESC input = {
      DML_TENSOR_DATA_TYPE_FLOAT32, input_flags, 2, sizes, input_strides, 16, 0};
  const DML_BUFFER_TENSOR_DESC output = {
      DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, 2, sizes, nullptr, 16, 0};
  const DML_TENSOR_DESC x = {DML_TENSOR_TYPE_BUFFER, &input};
  const DML_TENSOR_DESC y = {DML_TENSOR_TYPE_BUFFER, &output};
  const DML_ACTIVATION_RELU_OPERATOR_DESC desc = {&x, &y};
  return anydml::Device("cpu").CreateOperator({DML_OPERATOR_ACTIVATION_RELU, &desc});
}

// B22. There is no initialisation that could take an owned input, so it comes at
// execution like any other.
TEST(CApiRulings, OwnedInputsAreTakenAtExecution) {
  const anydml::Operator op = Relu(nullptr, DML_TENSOR_FLAG_OWNED_BY_DML);
  const Floats x = {-1, 2, 0, 3};
  Floats y(4);
  op.Execute({x.data()}, {y.data()});
  EXPECT_EQ(y, (Floats{0, 2, 0, 3}));
  EXPECT_THROW(op.Execute({nullptr}, {y.data()}), anydml::Exception);
}

// B23. The same address is the same elements only with the same strides.
TEST(CApiRulings, AnotherLayoutDoesNotRunInPlace) {
  const UINT columns[] = {1, 2}, rows[] = {2, 1};
  Floats memory = {-1, 2, 0, 3};
  EXPECT_THROW(Relu(columns, DML_TENSOR_FLAG_NONE).Execute({memory.data()}, {memory.data()}),
               anydml::Exception);
  EXPECT_STREQ(anydml_last_error(),
               "ACTIVATION_RELU: OutputTensor overlaps InputTensor and must then have the same "
               "address and the same strides");
  Relu(rows, DML_TENSOR_FLAG_NONE).Execute({memory.data()}, {memory.data()});
  EXPECT_EQ(memory, (Floats{0, 2, 0, 3}));
}

// B127. Another type may have the memory, another size may not.
TEST(CApiRulings, ElementsOfOneSizeRunInPlace) {
  const auto cast_to = [](const char* type) {
    const std::string json =
        std::string(R"({"type": "CAST", "InputTensor": {"DataType": "FLOAT32", "Sizes": [2]},)") +
        R"( "OutputTensor": {"Sizes": [2], "DataType": ")" + type + R"("}})";
    return anydml::Device("cpu").CreateOperator(json.c_str());
  };
  Floats memory = {-1.5f, 2};
  EXPECT_EQ(cast_to("INT32").input(0).may_be_overwritten, 1u);
  EXPECT_EQ(cast_to("INT16").input(0).may_be_overwritten, 0u);
  EXPECT_THROW(cast_to("INT16").Execute({memory.data()}, {memory.data()}), anydml::Exception);
  EXPECT_STREQ(anydml_last_error(),
               "CAST: OutputTensor overlaps InputTensor, and this operator does not run in place "
               "on it");
  cast_to("INT32").Execute({memory.data()}, {memory.data()});
  EXPECT_EQ(std::bit_cast<int32_t>(memory[0]), -1);
  EXPECT_EQ(std::bit_cast<int32_t>(memory[1]), 2);
}

// Overlapping ranges of different elements are no overlap.
TEST(CApiRulings, InterleavedElementsAreNotInPlace) {
  const UINT sizes[] = {3}, strides[] = {2};
  const DML_BUFFER_TENSOR_DESC buffer = {
      DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, 1, sizes, strides, 20, 0};
  const DML_TENSOR_DESC tensor = {DML_TENSOR_TYPE_BUFFER, &buffer};
  const DML_ACTIVATION_RELU_OPERATOR_DESC desc = {&tensor, &tensor};
  const anydml::Operator op =
      anydml::Device("cpu").CreateOperator({DML_OPERATOR_ACTIVATION_RELU, &desc});
  Floats memory = {-1, 9, 2, 9, -3, 9};
  op.Execute({memory.data()}, {memory.data() + 1});
  EXPECT_EQ(memory, (Floats{-1, 0, 2, 2, -3, 0}));
  EXPECT_THROW(op.Execute({memory.data()}, {memory.data() + 2}), anydml::Exception);
}

// D8, by the pointers of values and indices.
TEST(CApiRulings, TwoOutputsDoNotOverlap) {
  const UINT sizes[] = {1, 1, 2, 2}, ones[] = {1, 1}, zeros[] = {0, 0};
  const DML_BUFFER_TENSOR_DESC values = {
      DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, 4, sizes, nullptr, 16, 0};
  DML_BUFFER_TENSOR_DESC indices = values;
  indices.DataType = DML_TENSOR_DATA_TYPE_UINT32;
  const DML_TENSOR_DESC x = {DML_TENSOR_TYPE_BUFFER, &values};
  const DML_TENSOR_DESC where = {DML_TENSOR_TYPE_BUFFER, &indices};
  const DML_MAX_POOLING2_OPERATOR_DESC desc = {&x, &x, &where, 2, ones, ones, zeros, zeros, ones};
  const anydml::Operator op =
      anydml::Device("cpu").CreateOperator({DML_OPERATOR_MAX_POOLING2, &desc});
  const Floats input = {1, 2, 3, 4};
  Floats memory(8);
  EXPECT_THROW(op.Execute({input.data()}, {memory.data(), memory.data() + 3}), anydml::Exception);
  EXPECT_STREQ(anydml_last_error(),
               "MAX_POOLING2: OutputIndicesTensor overlaps OutputTensor, and both are written");
  op.Execute({input.data()}, {memory.data(), memory.data() + 4});
  EXPECT_EQ(Floats(memory.begin(), memory.begin() + 4), input);
}

}  // namespace
