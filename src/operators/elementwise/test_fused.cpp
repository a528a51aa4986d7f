// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// FusedActivation (B126), by ELEMENT_WISE_ADD1: the activation takes the result of
// the operator, rounded to its type.
#include <gtest/gtest.h>

#include <random>

#include "operators/registry.h"
#include "support/run.h"
#include "support/tensor_data.h"

namespace anydml {
namespace {

using test::In;
using test::Tensor;

// A fused activation has no tensors.
const DML_ACTIVATION_RELU_OPERATOR_DESC kRelu = {nullptr, nullptr};
const DML_OPERATOR_DESC kFusedRelu = {DML_OPERATOR_ACTIVATION_RELU, &kRelu};

TEST(FusedActivation, AppliesToTheSum) {
  const Tensor t(DML_TENSOR_DATA_TYPE_FLOAT32, {4});
  const DML_ELEMENT_WISE_ADD1_OPERATOR_DESC desc = {t, t, t, &kFusedRelu};
  EXPECT_EQ(test::RunOn<float>(DML_OPERATOR_ELEMENT_WISE_ADD1, &desc,
                               {In<float>({1, -2, 3, -0.0f}), In<float>({-2, 3, 4, -0.0f})}, 4),
            (std::vector<float>{0, 1, 7, 0}));
}

TEST(FusedActivation, IsNothingWhereItIsNull) {
  const Tensor t(DML_TENSOR_DATA_TYPE_FLOAT32, {2});
  const DML_ELEMENT_WISE_ADD1_OPERATOR_DESC desc = {t, t, t, nullptr};
  EXPECT_EQ(test::RunOn<float>(DML_OPERATOR_ELEMENT_WISE_ADD1, &desc,
                               {In<float>({1, -2}), In<float>({2, -3})}, 2),
            (std::vector<float>{3, -5}));
}

// DirectML's example dml_element_wise_add1.
TEST(FusedActivation, GivesWhatTheExamplePrints) {
  const DML_ACTIVATION_ELU_OPERATOR_DESC elu = {nullptr, nullptr, 0.5f};
  const DML_OPERATOR_DESC fused = {DML_OPERATOR_ACTIVATION_ELU, &elu};
  const Tensor t(DML_TENSOR_DATA_TYPE_FLOAT32, {3});
  const DML_ELEMENT_WISE_ADD1_OPERATOR_DESC desc = {t, t, t, &fused};
  EXPECT_EQ(test::RunOn<float>(DML_OPERATOR_ELEMENT_WISE_ADD1, &desc,
                               {In<float>({1, 2, 3}), In<float>({5, 8, -5})}, 3),
            (std::vector<float>{6, 10, -0.432332367f}));
}

// 1 + 2^-11 rounds to 1 in FLOAT16, and the activation sees 1.
TEST(FusedActivation, TakesTheSumThatWasRounded) {
  const DML_ACTIVATION_LINEAR_OPERATOR_DESC linear = {nullptr, nullptr, 1024, -1024};
  const DML_OPERATOR_DESC fused = {DML_OPERATOR_ACTIVATION_LINEAR, &linear};
  const Tensor t(DML_TENSOR_DATA_TYPE_FLOAT16, {1});
  const DML_ELEMENT_WISE_ADD1_OPERATOR_DESC desc = {t, t, t, &fused};
  EXPECT_EQ(test::RunOn<uint16_t>(
                DML_OPERATOR_ELEMENT_WISE_ADD1, &desc,
                {In<uint16_t>({ToFloat16(1).bits}), In<uint16_t>({ToFloat16(0x1p-11f).bits})}, 1),
            std::vector<uint16_t>{0});
}

// B126: the two operators one after the other, in FLOAT16 too, where the sum is rounded in
// between; in any layout, also laid over an input.
TEST(FusedActivation, HasTheBitsOfTheTwoOperators) {
  for (DML_TENSOR_DATA_TYPE type : {DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_DATA_TYPE_FLOAT16}) {
    for (const std::vector<UINT>& strides :
         {std::vector<UINT>{210, 70, 10, 1}, std::vector<UINT>{210, 1, 30, 3}}) {
      const Tensor t(type, {2, 3, 7, 10}, strides);
      const DML_ELEMENT_WISE_ADD1_OPERATOR_DESC add = {t, t, t, nullptr};
      const DML_ELEMENT_WISE_ADD1_OPERATOR_DESC fused = {t, t, t, &kFusedRelu};
      const DML_ACTIVATION_RELU_OPERATOR_DESC relu = {t, t};
      const DML_OPERATOR_DESC add_desc = {DML_OPERATOR_ELEMENT_WISE_ADD1, &add};
      const Operator op = CreateOperator(&add_desc, {}).value();
      std::mt19937 random(3);
      test::TensorMemory a(op.arguments->tensor(0)), b(op.arguments->tensor(1));
      a.FillOrdinary(random);
      b.FillOrdinary(random);
      const test::Memory memory_a = {a.data(), a.desc().total_bytes};
      const test::Memory memory_b = {b.data(), b.desc().total_bytes};
      const auto sum =
          test::RunBytes(DML_OPERATOR_ELEMENT_WISE_ADD1, &add, std::vector{memory_a, memory_b});
      const auto expected = test::RunBytes(DML_OPERATOR_ACTIVATION_RELU, &relu,
                                           std::vector{test::Memory{sum.data(), sum.size()}});
      EXPECT_EQ(
          test::RunBytes(DML_OPERATOR_ELEMENT_WISE_ADD1, &fused, std::vector{memory_a, memory_b}),
          expected);
      test::TensorMemory elements(op.arguments->tensor(0));
      std::memcpy(elements.data(), expected.data(), expected.size());
      for (size_t input : {0, 1}) {
        for (const auto& result : test::RunEachStrategy(DML_OPERATOR_ELEMENT_WISE_ADD1, &fused,
                                                        {memory_a, memory_b}, input)) {
          EXPECT_EQ(result, elements.Elements());
        }
      }
    }
  }
}

// What cannot be fused is refused by its name, an operator of a newer version as well.
TEST(FusedActivation, RefusesOtherOperators) {
  const Tensor t(DML_TENSOR_DATA_TYPE_FLOAT32, {2});
  const DML_ELEMENT_WISE_CLIP_OPERATOR_DESC clip = {nullptr, nullptr, nullptr, 0, 1};
  const DML_OPERATOR_DESC fused = {DML_OPERATOR_ELEMENT_WISE_CLIP, &clip};
  const DML_ELEMENT_WISE_ADD1_OPERATOR_DESC desc = {t, t, t, &fused};
  EXPECT_EQ(
      test::Refuse(DML_OPERATOR_ELEMENT_WISE_ADD1, &desc)
          .find("ELEMENT_WISE_ADD1: FusedActivation.Type = ELEMENT_WISE_CLIP must be ACTIVATION_"),
      0u);
  const DML_ACTIVATION_RELU_OPERATOR_DESC with_tensors = {t, t};
  const DML_OPERATOR_DESC relu = {DML_OPERATOR_ACTIVATION_RELU, &with_tensors};
  const DML_ELEMENT_WISE_ADD1_OPERATOR_DESC not_null = {t, t, t, &relu};
  EXPECT_EQ(test::Refuse(DML_OPERATOR_ELEMENT_WISE_ADD1, &not_null),
            "ELEMENT_WISE_ADD1: FusedActivation: ACTIVATION_RELU: InputTensor must be null, since "
            "the operator is fused");
}

// "FLOAT types only": the operator itself takes no others.
TEST(FusedActivation, IsForFloats) {
  const Tensor t(DML_TENSOR_DATA_TYPE_INT32, {2});
  const DML_ELEMENT_WISE_ADD1_OPERATOR_DESC desc = {t, t, t, &kFusedRelu};
  EXPECT_EQ(test::Refuse(DML_OPERATOR_ELEMENT_WISE_ADD1, &desc),
            "ELEMENT_WISE_ADD1: ATensor.DataType = INT32 must be FLOAT32 or FLOAT16");
}

}  // namespace
}  // namespace anydml
