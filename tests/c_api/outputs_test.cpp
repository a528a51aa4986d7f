// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Output tensors that a program leaves to the library, by structs and by JSON.
#include <directml.h>
#include <gtest/gtest.h>

#include "anydml/anydml.hpp"

namespace {

constexpr const char* kPooling = R"({"type": "MAX_POOLING2", "desc": {
  "InputTensor": {"DataType": "FLOAT32", "Sizes": [1, 1, 4, 5]},
  "DimensionCount": 2, "Strides": [2, 2], "WindowSize": [2, 2], "StartPadding": [0, 0],
  "EndPadding": [0, 0], "Dilations": [1, 1]}})";

constexpr const char* kSliceGrad = R"({"type": "SLICE_GRAD", "desc": {
  "InputGradientTensor": {"DataType": "FLOAT32", "Sizes": [2]},
  "DimensionCount": 1, "InputWindowOffsets": [0], "InputWindowSizes": [2],
  "InputWindowStrides": [1]}})";

std::vector<uint32_t> SizesOf(const anydml_tensor_info& info) {
  return {info.sizes, info.sizes + info.dimension_count};
}

TEST(LeftOutOutputs, OfJsonArePackedAndComputed) {
  const anydml::Operator op = anydml::Device("cpu").CreateOperator(kPooling);
  const anydml_tensor_info output = op.output(0);
  EXPECT_EQ(SizesOf(output), (std::vector<uint32_t>{1, 1, 2, 2}));
  EXPECT_EQ(output.data_type, static_cast<uint32_t>(DML_TENSOR_DATA_TYPE_FLOAT32));
  EXPECT_EQ(output.strides[2], 2u);
  EXPECT_EQ(op.output(1).is_present, 0u);  // optional ones are not wanted
  std::vector<float> x(20), y(4);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  op.Execute({x.data()}, {y.data(), nullptr});
  EXPECT_EQ(y, (std::vector<float>{6, 8, 16, 18}));
}

TEST(LeftOutOutputs, OfAStructAreNull) {
  UINT sizes[] = {2, 3};
  DML_BUFFER_TENSOR_DESC buffer = {};
  buffer.DataType = DML_TENSOR_DATA_TYPE_FLOAT32;
  buffer.DimensionCount = 2;
  buffer.Sizes = sizes;
  buffer.TotalTensorSizeInBytes = 24;
  const DML_TENSOR_DESC tensor = {DML_TENSOR_TYPE_BUFFER, &buffer};
  const DML_ACTIVATION_RELU_OPERATOR_DESC relu = {&tensor, nullptr};
  const anydml::Device device("cpu");
  const anydml::Operator op = device.CreateOperator({DML_OPERATOR_ACTIVATION_RELU, &relu});
  EXPECT_EQ(SizesOf(op.output(0)), (std::vector<uint32_t>{2, 3}));
  const DML_ACTIVATION_RELU_OPERATOR_DESC none = {nullptr, &tensor};
  anydml_operator* refused = nullptr;
  const DML_OPERATOR_DESC desc = {DML_OPERATOR_ACTIVATION_RELU, &none};
  EXPECT_EQ(anydml_create_operator(device.get(), &desc, &refused), ANYDML_INVALID_ARGUMENT);
  EXPECT_STREQ(anydml_last_error(), "ACTIVATION_RELU: InputTensor must not be null");
}

TEST(LeftOutOutputs, AreRefusedWhereTheyCannotBeInferred) {
  anydml_operator* refused = nullptr;
  const anydml::Device device("cpu");
  EXPECT_EQ(anydml_create_operator_from_json(device.get(), kSliceGrad, &refused),
            ANYDML_INVALID_ARGUMENT);
  EXPECT_STREQ(anydml_last_error(),
               "desc: OutputGradientTensor is required, since its data type and sizes do not "
               "follow from the other fields");
}

TEST(LeftOutOutputs, AreDescribedBeforeThereIsAnOperator) {
  EXPECT_EQ(SizesOf(anydml::DescribeOutput(kPooling)), (std::vector<uint32_t>{1, 1, 2, 2}));
  const anydml_tensor_info indices = anydml::DescribeOutput(kPooling, 1);
  EXPECT_STREQ(indices.name, "OutputIndicesTensor");
  EXPECT_EQ(indices.data_type, static_cast<uint32_t>(DML_TENSOR_DATA_TYPE_UINT32));
  EXPECT_EQ(SizesOf(indices), (std::vector<uint32_t>{1, 1, 2, 2}));
  anydml_tensor_info info = {};
  info.struct_size = sizeof info;
  EXPECT_EQ(anydml_describe_output(kPooling, 2, &info), ANYDML_INVALID_ARGUMENT);
  EXPECT_STREQ(anydml_last_error(), "tensor 2 of 2 does not exist");
  EXPECT_EQ(anydml_describe_output(nullptr, 0, &info), ANYDML_INVALID_ARGUMENT);
  EXPECT_EQ(anydml_describe_output(kPooling, 0, nullptr), ANYDML_INVALID_ARGUMENT);
  EXPECT_EQ(anydml_describe_output(kSliceGrad, 0, &info), ANYDML_INVALID_ARGUMENT);
}

}  // namespace
