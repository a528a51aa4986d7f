// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "tensor/data_type.h"

#include <gtest/gtest.h>

namespace anydml {
namespace {

using AllTypes = TypeList<float, Float16, double, int64_t, int32_t, int16_t, int8_t, uint64_t,
                          uint32_t, uint16_t, uint8_t>;

TEST(DataTypes, HaveTheNamesOfTheEnumerators) {
  constexpr std::string_view kNames[] = {"UNKNOWN", "FLOAT32", "FLOAT16", "UINT32", "UINT16",
                                         "UINT8",   "INT32",   "INT16",   "INT8",   "FLOAT64",
                                         "UINT64",  "INT64",   "UINT4",   "INT4"};
  ASSERT_EQ(std::size(kNames), kDataTypeCount);
  for (uint32_t i = 0; i < kDataTypeCount; ++i) {
    EXPECT_EQ(DataTypeName(static_cast<DataType>(i)), kNames[i]);
  }
  EXPECT_EQ(DataTypeName(static_cast<DataType>(14)), "");
  EXPECT_EQ(DataTypeName(static_cast<DataType>(0xFFFFFFFF)), "");
}

TEST(DataTypes, DispatchToATypeOfTheirSize) {
  int dispatched = 0;
  for (uint32_t i = 0; i < kDataTypeCount; ++i) {
    const auto type = static_cast<DataType>(i);
    dispatched += DispatchType(AllTypes(), type, [&]<typename T>() {
      EXPECT_EQ(kDataTypeOf<T>, type);
      EXPECT_EQ(ElementSize(type), sizeof(T)) << DataTypeName(type);
    });
  }
  EXPECT_EQ(dispatched, 11);
}

TEST(DataTypes, WithoutElementsOfWholeBytesHaveNoSize) {
  for (uint32_t i : {0u, 12u, 13u, 14u, 0xFFFFFFFFu}) {
    EXPECT_EQ(ElementSize(static_cast<DataType>(i)), 0u) << i;
  }
}

TEST(DataTypes, OutsideTheListAreNotDispatched) {
  const auto never = []<typename T>() { FAIL(); };
  EXPECT_FALSE(DispatchType(TypeList<float, int8_t>(), DataType::kFloat16, never));
  EXPECT_FALSE(DispatchType(AllTypes(), DataType::kUnknown, never));
  EXPECT_FALSE(DispatchType(AllTypes(), static_cast<DataType>(14), never));
}

TEST(DataTypes, DispatchByWidth) {
  for (uint32_t width : {1u, 2u, 4u, 8u}) {
    EXPECT_TRUE(DispatchWidth(width, [&]<typename T>() { EXPECT_EQ(sizeof(T), width); }));
  }
  for (uint32_t width : {0u, 3u, 16u}) {
    EXPECT_FALSE(DispatchWidth(width, []<typename T>() { FAIL(); }));
  }
}

TEST(DataTypeSets, HoldWhatTheyWereGiven) {
  const DataTypeSet floats = {DataType::kFloat32, DataType::kFloat16};
  EXPECT_TRUE(floats.Contains(DataType::kFloat16));
  EXPECT_FALSE(floats.Contains(DataType::kInt8));
  EXPECT_FALSE(floats.Contains(static_cast<DataType>(33)));  // 1 << 33 would wrap to FLOAT32's bit
  EXPECT_EQ(floats | DataTypeSet{DataType::kInt8}, SetOf(TypeList<int8_t, Float16, float>()));
}

}  // namespace
}  // namespace anydml
