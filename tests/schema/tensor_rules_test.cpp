// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The rules that hold for every tensor of every operator, T1 to T11, each with
// its sentence, through the structs of directml.h. T12 and T13 concern arrays
// and enumerations: attribute_rules_test.cpp.
#include <gtest/gtest.h>

#include <cstring>

#include "support/run.h"

namespace anydml {
namespace {

using test::Tensor;

constexpr DML_TENSOR_DATA_TYPE kFloat32 = DML_TENSOR_DATA_TYPE_FLOAT32;
constexpr DML_TENSOR_DATA_TYPE kFloat16 = DML_TENSOR_DATA_TYPE_FLOAT16;

std::string Refuse(const DML_TENSOR_DESC* x, const DML_TENSOR_DESC* dy, const DML_TENSOR_DESC* dx,
                   const DeviceOptions& options = {}) {
  const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC desc = {x, dy, dx};
  return test::Refuse(DML_OPERATOR_ACTIVATION_RELU_GRAD, &desc, options);
}

// The sentence for a tensor in the place of the first input, less the operator's
// name, which is checked here.
std::string RefuseInput(const DML_TENSOR_DESC* input) {
  const std::string sentence = Refuse(input, input, input);
  constexpr std::string_view kOperator = "ACTIVATION_RELU_GRAD: ";
  if (sentence.empty()) return "";
  EXPECT_TRUE(sentence.starts_with(kOperator)) << sentence;
  return sentence.substr(kOperator.size());
}

// A value that is no enumerator, as a careless caller's memory would hold it.
template <typename Enum>
void SetRaw(Enum& member, uint32_t value) {
  static_assert(sizeof member == sizeof value);
  std::memcpy(&member, &value, sizeof value);
}

TEST(TensorRules, T1_RefusesANullDescription) {
  EXPECT_EQ(test::Refuse(DML_OPERATOR_ACTIVATION_RELU_GRAD, nullptr),
            "ACTIVATION_RELU_GRAD: the description must not be null");
}

TEST(TensorRules, T1_RefusesANullTensorByItsName) {
  const Tensor good(kFloat32, {4});
  EXPECT_EQ(Refuse(nullptr, good, good), "ACTIVATION_RELU_GRAD: InputTensor must not be null");
  EXPECT_EQ(Refuse(good, nullptr, good),
            "ACTIVATION_RELU_GRAD: InputGradientTensor must not be null");
  EXPECT_EQ(Refuse(good, good, nullptr),
            "ACTIVATION_RELU_GRAD: OutputGradientTensor must not be null");
}

TEST(TensorRules, T1_RefusesATypeOtherThanBuffer) {
  Tensor tensor(kFloat32, {4});
  for (uint32_t type : {0u, 2u, 0xFFFFFFFFu}) {
    SetRaw(tensor.desc().Type, type);
    EXPECT_EQ(RefuseInput(tensor),
              "InputTensor.Type = " + std::to_string(type) + " must be DML_TENSOR_TYPE_BUFFER (1)");
  }
}

TEST(TensorRules, T1_RefusesANullDesc) {
  Tensor tensor(kFloat32, {4});
  tensor.desc().Desc = nullptr;
  EXPECT_EQ(RefuseInput(tensor), "InputTensor.Desc must not be null");
}

TEST(TensorRules, T2_RefusesADataTypeThatIsNotDefined) {
  Tensor tensor(kFloat32, {4});
  for (uint32_t type : {14u, 32u, 0xFFFFFFFFu}) {
    SetRaw(tensor.buffer().DataType, type);
    EXPECT_EQ(RefuseInput(tensor),
              "InputTensor.DataType = " + std::to_string(type) + " is not a DML_TENSOR_DATA_TYPE");
  }
}

// UNKNOWN, and the 4-bit types, which are defined and which no table lists.
TEST(TensorRules, T2_T3_RefusesADataTypeOutsideTheTable) {
  for (auto [type, name] : {std::pair{DML_TENSOR_DATA_TYPE_UNKNOWN, "UNKNOWN"},
                            {DML_TENSOR_DATA_TYPE_UINT4, "UINT4"},
                            {DML_TENSOR_DATA_TYPE_INT4, "INT4"},
                            {DML_TENSOR_DATA_TYPE_UINT64, "UINT64"}}) {
    const Tensor tensor(type, {4});
    EXPECT_EQ(RefuseInput(tensor), std::string("InputTensor.DataType = ") + name +
                                       " must be FLOAT32, FLOAT16, INT32, INT16 or INT8");
  }
}

TEST(TensorRules, T3_NamesTheLevelWhoseTableHasTheDataType) {
  const Tensor tensor(DML_TENSOR_DATA_TYPE_INT8, {4});
  EXPECT_EQ(Refuse(tensor, tensor, tensor, {.feature_level = FeatureLevel::k3_0}),
            "ACTIVATION_RELU_GRAD: InputTensor.DataType = INT8 needs feature level 5_1 or above; "
            "this device has 3_0");
}

TEST(TensorRules, T4_RefusesDimensionCountsBelowOneAndAboveEight) {
  Tensor tensor(kFloat32, {1, 1, 1, 1, 1, 1, 1, 1});
  EXPECT_EQ(RefuseInput(tensor), "");
  for (uint32_t count : {0u, 9u, 0xFFFFFFFFu}) {
    tensor.buffer().DimensionCount = count;
    EXPECT_EQ(RefuseInput(tensor),
              "InputTensor.DimensionCount = " + std::to_string(count) + " must be 1 to 8");
  }
}

TEST(TensorRules, T5_RefusesNullSizes) {
  Tensor tensor(kFloat32, {4});
  tensor.buffer().Sizes = nullptr;
  EXPECT_EQ(RefuseInput(tensor), "InputTensor.Sizes must not be null");
}

// B17. The product of the sizes is 0 or would wrap; the zero is told first.
TEST(TensorRules, T5_RefusesASizeOfZero) {
  const Tensor inner(kFloat32, {2, 0, 3}), only(kFloat32, {0});
  const Tensor beside_large(kFloat32, {0, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF});
  EXPECT_EQ(RefuseInput(inner),
            "InputTensor.Sizes = {2, 0, 3} must be at least 1 in every dimension");
  EXPECT_EQ(RefuseInput(only), "InputTensor.Sizes = {0} must be at least 1 in every dimension");
  EXPECT_EQ(RefuseInput(beside_large),
            "InputTensor.Sizes = {0, 4294967295, 4294967295, 4294967295} must be at least 1 in "
            "every dimension");
}

TEST(TensorRules, T6_AcceptsAnyStridesOnInputs) {
  const Tensor packed(kFloat32, {2, 3});
  for (const std::vector<UINT>& strides :
       std::vector<std::vector<UINT>>{{0, 0}, {0, 1}, {1, 1}, {1, 2}, {2, 1}, {100, 7}}) {
    const Tensor input(kFloat32, {2, 3}, strides);
    EXPECT_EQ(Refuse(input, input, packed), "");
  }
}

// DV-05
TEST(TensorRules, T7_RefusesMoreElementsThan32BitsCount) {
  const Tensor square(kFloat32, {65536, 65536});
  EXPECT_EQ(RefuseInput(square),
            "InputTensor.Sizes = {65536, 65536} must hold at most 4294967295 elements");
}

// 2^64 elements wrap to 0 in 64 bits, 2^64 + 4 to 4.
TEST(TensorRules, T7_RefusesProductsThatWrap) {
  const Tensor zero(kFloat32, {65536, 65536, 65536, 65536});
  EXPECT_EQ(RefuseInput(zero),
            "InputTensor.Sizes = {65536, 65536, 65536, 65536} must hold at most 4294967295 "
            "elements");
  const Tensor four(kFloat32, {3340214413, 2761311370, 2}, {0, 0, 0});
  EXPECT_EQ(RefuseInput(four),
            "InputTensor.Sizes = {3340214413, 2761311370, 2} must hold at most 4294967295 "
            "elements");
}

// DV-05
TEST(TensorRules, T7_RefusesStridesThatSpanMoreThan32BitsCount) {
  const Tensor wide(kFloat32, {2, 2}, {0x80000000, 0x80000000});
  EXPECT_EQ(RefuseInput(wide),
            "InputTensor.Strides = {2147483648, 2147483648} with Sizes = {2, 2} must span at most "
            "4294967295 elements");
}

TEST(TensorRules, T7_AcceptsTheLargestExtentAndRefusesOneMore) {
  const Tensor packed(kFloat16, {2});
  const Tensor largest(kFloat16, {2}, {0xFFFFFFFE});
  const Tensor beyond(kFloat16, {2}, {0xFFFFFFFF});
  EXPECT_EQ(Refuse(largest, packed, packed), "");
  EXPECT_EQ(Refuse(packed, packed, beyond),
            "ACTIVATION_RELU_GRAD: OutputGradientTensor.Strides = {4294967295} with Sizes = {2} "
            "must span at most 4294967295 elements");
}

// DV-05: the largest packed tensor of two equal sides, less a row.
TEST(TensorRules, T8_ComputesTheTotalOfLargeTensorsWithoutWrap) {
  Tensor tensor(kFloat32, {65536, 65535});
  for (uint64_t total : {uint64_t{0xFFFC0000}, uint64_t{17179607036}}) {
    tensor.buffer().TotalTensorSizeInBytes = total;
    EXPECT_EQ(RefuseInput(tensor), "InputTensor.TotalTensorSizeInBytes = " + std::to_string(total) +
                                       " must be at least 17179607040");
  }
  tensor.buffer().TotalTensorSizeInBytes = 17179607040;
  EXPECT_EQ(RefuseInput(tensor), "");
}

// DV-03
TEST(TensorRules, T8_WantsTheTotalRoundedUpToFourBytes) {
  Tensor tensor(kFloat16, {3});
  tensor.buffer().TotalTensorSizeInBytes = 6;
  EXPECT_EQ(RefuseInput(tensor), "InputTensor.TotalTensorSizeInBytes = 6 must be at least 8");
  tensor.buffer().TotalTensorSizeInBytes = 8;
  EXPECT_EQ(RefuseInput(tensor), "");
  tensor.buffer().TotalTensorSizeInBytes = 9;
  EXPECT_EQ(RefuseInput(tensor), "InputTensor.TotalTensorSizeInBytes = 9 must be a multiple of 4");
  tensor.buffer().TotalTensorSizeInBytes = 12;
  EXPECT_EQ(RefuseInput(tensor), "");
}

TEST(TensorRules, T8_CountsTheExtentOfStridesAndNotTheElements) {
  Tensor padded(kFloat32, {2, 3}, {5, 1});
  EXPECT_EQ(RefuseInput(padded), "");
  padded.buffer().TotalTensorSizeInBytes = 28;
  EXPECT_EQ(RefuseInput(padded), "InputTensor.TotalTensorSizeInBytes = 28 must be at least 32");
  Tensor broadcast(kFloat32, {1000, 3}, {0, 1});
  broadcast.buffer().TotalTensorSizeInBytes = 12;
  const Tensor packed(kFloat32, {1000, 3});
  EXPECT_EQ(Refuse(broadcast, packed, packed), "");
}

std::string RefuseOutput(std::vector<UINT> sizes, std::vector<UINT> strides) {
  const Tensor input(kFloat32, sizes), output(kFloat32, sizes, std::move(strides));
  return Refuse(input, input, output);
}

TEST(TensorRules, T9_RefusesOutputsThatMapTwoElementsToOneAddress) {
  const std::string start = "ACTIVATION_RELU_GRAD: OutputGradientTensor.Strides = ";
  const std::string end = " must not map two elements to one address";
  EXPECT_EQ(RefuseOutput({2, 3}, {0, 1}), start + "{0, 1} with Sizes = {2, 3}" + end);
  EXPECT_EQ(RefuseOutput({2, 3}, {2, 1}), start + "{2, 1} with Sizes = {2, 3}" + end);
  EXPECT_EQ(RefuseOutput({2, 2, 2}, {4, 2, 2}), start + "{4, 2, 2} with Sizes = {2, 2, 2}" + end);
}

// B21: no two elements collide here, and the test is conservative.
TEST(TensorRules, T9_RefusesInterleavedOutputs) {
  EXPECT_EQ(RefuseOutput({3, 2}, {2, 3}),
            "ACTIVATION_RELU_GRAD: OutputGradientTensor.Strides = {2, 3} with Sizes = {3, 2} must "
            "not map two elements to one address");
}

TEST(TensorRules, T9_AcceptsPermutedAndPaddedOutputsAndAnyStrideOfSizeOne) {
  EXPECT_EQ(RefuseOutput({2, 3}, {1, 2}), "");
  EXPECT_EQ(RefuseOutput({2, 3}, {4, 1}), "");
  EXPECT_EQ(RefuseOutput({1, 3, 4, 5}, {60, 1, 15, 3}), "");
  EXPECT_EQ(RefuseOutput({1, 3}, {0, 1}), "");
  EXPECT_EQ(RefuseOutput({1, 1}, {0, 0}), "");
}

TEST(TensorRules, T10_AcceptsOwnedInputsAndRefusesOwnedOutputs) {
  const Tensor plain(kFloat32, {4});
  Tensor owned(kFloat32, {4});
  owned.buffer().Flags = DML_TENSOR_FLAG_OWNED_BY_DML;
  EXPECT_EQ(Refuse(owned, owned, plain), "");
  EXPECT_EQ(Refuse(plain, plain, owned),
            "ACTIVATION_RELU_GRAD: OutputGradientTensor.Flags = OWNED_BY_DML must be NONE: only "
            "inputs can be owned");
}

TEST(TensorRules, T10_RefusesFlagsThatAreNotDefined) {
  Tensor tensor(kFloat32, {4});
  SetRaw(tensor.buffer().Flags, 2);
  EXPECT_EQ(RefuseInput(tensor),
            "InputTensor.Flags = 0x2 has bits that no DML_TENSOR_FLAG defines");
  SetRaw(tensor.buffer().Flags, 3);
  EXPECT_EQ(RefuseInput(tensor),
            "InputTensor.Flags = 0x3 has bits that no DML_TENSOR_FLAG defines");
  SetRaw(tensor.buffer().Flags, 0x80000000);
  EXPECT_EQ(RefuseInput(tensor),
            "InputTensor.Flags = 0x80000000 has bits that no DML_TENSOR_FLAG defines");
}

// DV-04, the half that concerns creation.
TEST(TensorRules, T11_WantsAlignmentsThatArePowersOfTwoOfAtLeastAnElement) {
  Tensor tensor(kFloat32, {4});
  for (UINT alignment : {2u, 3u, 6u, 0xFFFFFFFFu}) {
    tensor.buffer().GuaranteedBaseOffsetAlignment = alignment;
    EXPECT_EQ(RefuseInput(tensor),
              "InputTensor.GuaranteedBaseOffsetAlignment = " + std::to_string(alignment) +
                  " must be 0 or a power of two of at least 4");
  }
  for (UINT alignment : {0u, 4u, 64u, 0x80000000u}) {
    tensor.buffer().GuaranteedBaseOffsetAlignment = alignment;
    EXPECT_EQ(RefuseInput(tensor), "") << alignment;
  }
  Tensor bytes(DML_TENSOR_DATA_TYPE_INT8, {4});
  bytes.buffer().GuaranteedBaseOffsetAlignment = 1;
  EXPECT_EQ(RefuseInput(bytes), "");
}

// Each tensor is checked, and the sentence names the one at fault.
TEST(TensorRules, AreToldOfTheTensorAtFault) {
  const Tensor good(kFloat32, {4});
  Tensor bad(kFloat32, {4});
  bad.buffer().TotalTensorSizeInBytes = 18;
  EXPECT_EQ(Refuse(good, bad, good),
            "ACTIVATION_RELU_GRAD: InputGradientTensor.TotalTensorSizeInBytes = 18 must be a "
            "multiple of 4");
  EXPECT_EQ(Refuse(good, good, bad),
            "ACTIVATION_RELU_GRAD: OutputGradientTensor.TotalTensorSizeInBytes = 18 must be a "
            "multiple of 4");
}

}  // namespace
}  // namespace anydml
