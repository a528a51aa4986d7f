// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/values.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "model/numbers.h"
#include "model/reading_resource.h"

namespace anydml::model {
namespace {

using test::As;
using test::ReadGood;
using test::Refusal;

std::string RefuseList(std::string_view type, std::string_view list) {
  return Refusal(
      fmt::format(R"({{ "initialValuesDataType": "{}", "initialValues": {} }})", type, list));
}

Resource List(std::string_view type, std::string_view list) {
  return ReadGood(
      fmt::format(R"({{ "initialValuesDataType": "{}", "initialValues": {} }})", type, list));
}

TEST(Values, ReadsListsOfEveryType) {
  EXPECT_EQ(As<float>(List("DML_TENSOR_DATA_TYPE_FLOAT32", "[1, -2.5, 1e-40]").bytes),
            (std::vector<float>{1, -2.5f, 1e-40f}));
  EXPECT_EQ(As<double>(List("FLOAT64", "[0.1]").bytes), (std::vector<double>{0.1}));
  EXPECT_EQ(As<uint16_t>(List("FLOAT16", "[1, 0.1, -65504]").bytes),
            (std::vector<uint16_t>{0x3C00, 0x2E66, 0xFBFF, 0}));
  EXPECT_EQ(As<uint64_t>(List("UINT64", "[18446744073709551615]").bytes),
            (std::vector<uint64_t>{std::numeric_limits<uint64_t>::max()}));
  EXPECT_EQ(As<int64_t>(List("INT64", "[-9223372036854775808]").bytes),
            (std::vector<int64_t>{std::numeric_limits<int64_t>::min()}));
  EXPECT_EQ(As<uint32_t>(List("UINT32", "[4294967295, 3.0]").bytes),
            (std::vector<uint32_t>{4294967295, 3}));
  EXPECT_EQ(As<int32_t>(List("INT32", "[-2147483648]").bytes),
            (std::vector<int32_t>{std::numeric_limits<int32_t>::min()}));
  EXPECT_EQ(As<uint16_t>(List("UINT16", "[65535, 1]").bytes), (std::vector<uint16_t>{65535, 1}));
  EXPECT_EQ(As<int16_t>(List("INT16", "[-32768, 1]").bytes), (std::vector<int16_t>{-32768, 1}));
  EXPECT_EQ(As<uint8_t>(List("UINT8", "[255, 1, 2, 3]").bytes),
            (std::vector<uint8_t>{255, 1, 2, 3}));
  EXPECT_EQ(As<int8_t>(List("INT8", "[-128, 127, 0, 1]").bytes),
            (std::vector<int8_t>{-128, 127, 0, 1}));
}

TEST(Values, ReadsNanAndInfinityInAnyCase) {
  const auto values = As<float>(List("FLOAT32", R"(["NaN", "inf", "-INF"])").bytes);
  EXPECT_TRUE(std::isnan(values[0]));
  EXPECT_EQ(values[1], std::numeric_limits<float>::infinity());
  EXPECT_EQ(values[2], -std::numeric_limits<float>::infinity());
  EXPECT_EQ(RefuseList("INT32", R"(["inf"])"),
            "A.initialValues[0] = \"inf\" must be an integer from -2147483648 to 2147483647");
}

TEST(Values, RoundsOnceToFloat32AndFloat16) {
  EXPECT_EQ(As<float>(List("FLOAT32", "[9007200328482817]").bytes)[0], 9007200328482816.0f);
  // 1 + 2^-11 + 2^-26: by way of float a tie, which would go to 1.
  EXPECT_EQ(ToFloat16(1 + 0x1p-11 + 0x1p-26).bits, 0x3C01);
  EXPECT_EQ(ToFloat16(-(1 + 0x1p-11 + 0x1p-26)).bits, 0xBC01);
  EXPECT_EQ(ToFloat16(1 + 0x1p-11).bits, 0x3C00);
  EXPECT_EQ(ToFloat16(0x1p-25 + 0x1p-60).bits, 0x0001);
  EXPECT_EQ(ToFloat16(0x1p-25).bits, 0x0000);
}

uint32_t Float32Bits(std::string_view number) {
  return As<uint32_t>(List("FLOAT32", fmt::format("[{}]", number)).bytes)[0];
}

uint16_t Float16Bits(std::string_view number) {
  return As<uint16_t>(List("FLOAT16", fmt::format("[{}]", number)).bytes)[0];
}

// The nearest double of each is halfway between two elements, and the number is not.
TEST(Values, RoundsTheTextAndNotItsDouble) {
  EXPECT_EQ(Float32Bits("16777217"), 0x4B800000u);
  EXPECT_EQ(Float32Bits("16777217.0000000001"), 0x4B800001u);
  EXPECT_EQ(Float32Bits("-167772170.000000001e-1"), 0xCB800001u);
  EXPECT_EQ(Float32Bits("16777218.9999999999"), 0x4B800001u);
  EXPECT_EQ(Float32Bits("16777219"), 0x4B800002u);
  EXPECT_EQ(Float32Bits("9007199791611904.5"), 0x5A000001u);
  // Below halfway by 0.7, where the next double is the one halfway.
  EXPECT_EQ(Float32Bits("4503599895805951.3"), 0x59800000u);
  EXPECT_EQ(Float32Bits("4503599895805952.3"), 0x59800001u);
  EXPECT_EQ(Float32Bits("1" + std::string(400, '0') + ".1e-400"), 0x3F800000u);
  EXPECT_EQ(Float16Bits("2049"), 0x6800u);
  EXPECT_EQ(Float16Bits("2049.0000000000000001"), 0x6801u);
  EXPECT_EQ(Float16Bits("0.00000002980232238769531250001"), 0x0001u);
  EXPECT_EQ(Float16Bits("0.00000002980232238769531250000"), 0x0000u);
  EXPECT_EQ(Float16Bits("0.00000002980232238769531249999"), 0x0000u);
  EXPECT_EQ(Float16Bits("65519.9999999999999999"), 0x7BFFu);
  EXPECT_EQ(RefuseList("FLOAT16", "[65520.0000000000000001]"),
            "A.initialValues[0] = 65520.0000000000000001 must be from -65504 to 65504, \"inf\" or "
            "\"-inf\"");
  EXPECT_EQ(As<double>(List("FLOAT64", "[16777217.0000000001, 1e-999]").bytes),
            (std::vector<double>{16777217, 0}));
}

TEST(Values, KeepsTheSignOfZero) {
  EXPECT_EQ(Float32Bits("-0"), 0x80000000u);
  EXPECT_EQ(Float32Bits("-0.0"), 0x80000000u);
  EXPECT_EQ(Float32Bits("-1e-999"), 0x80000000u);
  EXPECT_EQ(Float16Bits("-0"), 0x8000u);
  EXPECT_EQ(As<int32_t>(List("INT32", "[-0]").bytes), (std::vector<int32_t>{0}));
}

// 2^53 is a double, and the nearest one of the next integer.
TEST(Values, TakesNoOtherIntegerThanTheText) {
  EXPECT_EQ(As<int64_t>(List("INT64", "[9007199254740992.0, 9007199254740993, 3.00]").bytes),
            (std::vector<int64_t>{9007199254740992, 9007199254740993, 3}));
  for (std::string_view number :
       {"9007199254740993.0", "-9007199254740993.0", "3.00000000000000000000001",
        "900719925474099.3e1", "4503599627370497.2", "1e-999"}) {
    EXPECT_EQ(RefuseList("INT64", fmt::format("[{}]", number)),
              fmt::format("A.initialValues[0] = {} must be an integer from -9223372036854775808 to "
                          "9223372036854775807",
                          number));
  }
}

TEST(Values, RefusesFractionsAndValuesOutOfRange) {
  EXPECT_EQ(RefuseList("UINT8", "[1, 256]"),
            "A.initialValues[1] = 256 must be an integer from 0 to 255");
  EXPECT_EQ(RefuseList("INT8", "[-129]"),
            "A.initialValues[0] = -129 must be an integer from -128 to 127");
  EXPECT_EQ(RefuseList("UINT64", "[18446744073709551616]"),
            "A.initialValues[0] = 1.8446744073709552e+19 must be an integer from 0 to "
            "18446744073709551615");
  EXPECT_EQ(RefuseList("INT64", "[9223372036854775808]"),
            "A.initialValues[0] = 9223372036854775808 must be an integer from "
            "-9223372036854775808 to 9223372036854775807");
  EXPECT_EQ(RefuseList("INT32", "[0.5]"),
            "A.initialValues[0] = 0.5 must be an integer from -2147483648 to 2147483647");
  EXPECT_EQ(RefuseList("FLOAT16", "[65520]"),
            "A.initialValues[0] = 65520 must be from -65504 to 65504, \"inf\" or \"-inf\"");
  EXPECT_EQ(RefuseList("FLOAT32", "[-3.5e38]"),
            "A.initialValues[0] = -3.5e+38 must be from -3.4028235e+38 to 3.4028235e+38, \"inf\" "
            "or \"-inf\"");
  EXPECT_EQ(RefuseList("FLOAT32", "[true]"),
            "A.initialValues[0] = true must be a number, \"nan\", \"inf\" or \"-inf\"");
  EXPECT_EQ(RefuseList("FLOAT32", "[]"), "A.initialValues: must hold at least one value");
}

TEST(Values, ReadsTypedLists) {
  const Resource resource = ReadGood(R"({ "initialValuesDataType": "UNKNOWN", "sizeInBytes": 16,
      "initialValues": [ { "name": "n", "type": "UINT16", "value": 6 },
                         { "type": "DML_TENSOR_DATA_TYPE_FLOAT32", "value": 1 } ] })");
  EXPECT_EQ(resource.data_type, DataType::kUnknown);
  EXPECT_EQ(resource.value_bytes, 6u);
  EXPECT_EQ(resource.bytes,
            (std::vector<uint8_t>{6, 0, 0, 0, 0x80, 0x3F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(Refusal(R"({ "initialValues": [ { "type": "UINT16" } ] })"),
            "A.initialValues[0]: value is required");
  EXPECT_EQ(Refusal(R"({ "initialValues": [ { "type": "UINT16", "value": 70000 } ] })"),
            "A.initialValues[0].value = 70000 must be an integer from 0 to 65535");
  EXPECT_EQ(Refusal(R"({ "initialValues": [ { "type": "UINT4", "value": 1 } ] })"),
            "A.initialValues[0].type = \"UINT4\" must be a type with whole bytes");
  EXPECT_EQ(Refusal(R"({ "initialValues": [ { "type": "INT8", "value": 1 }, 2 ] })"),
            "A.initialValues[1] = 2 must be an object");
  EXPECT_EQ(Refusal(R"({ "initialValues": [1, 2] })"), "A: initialValuesDataType is required");
  EXPECT_EQ(RefuseList("FLOAT32", R"([ { "type": "INT8", "value": 1 } ])"),
            "A.initialValues[0] = an object must be a number, \"nan\", \"inf\" or \"-inf\"");
}

TEST(Values, FillsAndCounts) {
  EXPECT_EQ(As<int16_t>(List("INT16", R"({ "valueCount": 4, "value": -7 })").bytes),
            (std::vector<int16_t>{-7, -7, -7, -7}));
  EXPECT_EQ(
      As<int32_t>(List("INT32", R"({ "valueCount": 4, "valueStart": 5, "valueDelta": -2 })").bytes),
      (std::vector<int32_t>{5, 3, 1, -1}));
}

// Repeated addition, each sum rounded to the element type.
TEST(Values, AddsInTheElementType) {
  const auto floats = As<float>(
      List("FLOAT32", R"({ "valueCount": 11, "valueStart": 0, "valueDelta": 0.1 })").bytes);
  float sum = 0;
  for (int i = 0; i < 10; ++i) sum += 0.1f;
  EXPECT_EQ(floats[10], sum);
  EXPECT_NE(floats[10], 1.0f);
  // 2048 + 1 is a tie in FLOAT16 and goes back to 2048.
  EXPECT_EQ(
      As<uint16_t>(
          List("FLOAT16", R"({ "valueCount": 4, "valueStart": 2047, "valueDelta": 1 })").bytes),
      (std::vector<uint16_t>{0x67FF, 0x6800, 0x6800, 0x6800}));
  EXPECT_EQ(As<uint8_t>(
                List("UINT8", R"({ "valueCount": 4, "valueStart": 254, "valueDelta": 1 })").bytes),
            (std::vector<uint8_t>{254, 255, 0, 1}));
  EXPECT_EQ(As<int64_t>(List("INT64", R"({ "valueCount": 2, "valueStart": 9223372036854775807,
                                     "valueDelta": 1 })")
                            .bytes)[1],
            std::numeric_limits<int64_t>::min());
}

TEST(Values, RefusesWrongFillsAndSequences) {
  EXPECT_EQ(RefuseList("FLOAT32", R"({ "valueCount": 3 })"), "A.initialValues: value is required");
  EXPECT_EQ(RefuseList("FLOAT32", R"({ "value": 3 })"), "A.initialValues: valueCount is required");
  EXPECT_EQ(RefuseList("FLOAT32", R"({ "valueCount": 3, "valueStart": 1 })"),
            "A.initialValues: valueDelta is required");
  EXPECT_EQ(RefuseList("FLOAT32", R"({ "valueCount": 3, "value": 1, "valueDelta": 1,
                                       "valueStart": 1 })"),
            "A.initialValues.value: unknown member of a sequence; valid names are valueCount, "
            "valueStart, valueDelta");
  EXPECT_EQ(RefuseList("FLOAT32", R"({ "valueCount": 3, "value": 1, "valeuCount": 2 })"),
            "A.initialValues.valeuCount: unknown member of initialValues; did you mean "
            "valueCount?");
  EXPECT_EQ(RefuseList("FLOAT32", R"({ "valueCount": -3, "value": 1 })"),
            "A.initialValues.valueCount = -3 must be an integer from 0 to 18446744073709551615");
  EXPECT_EQ(RefuseList("UINT8", R"({ "valueCount": 3, "value": 256 })"),
            "A.initialValues.value = 256 must be an integer from 0 to 255");
  EXPECT_EQ(RefuseList("FLOAT32", R"({ "valueCount": 0, "value": 1 })"),
            "A.initialValues: must hold at least one value");
  EXPECT_EQ(Refusal(R"({ "initialValues": { "valueCount": 3, "value": 1 } })"),
            "A: initialValuesDataType is required");
}

TEST(Values, RefusesMoreThanMayBeTaken) {
  EXPECT_EQ(RefuseList("UINT8", R"({ "valueCount": 1048577, "value": 1 })"),
            "A.initialValues.valueCount: needs 1048577 bytes, and the model's resources may take "
            "1048576 more");
  EXPECT_EQ(RefuseList("FLOAT64", R"({ "valueCount": 18446744073709551615, "value": 1 })"),
            "A.initialValues.valueCount: needs 18446744073709551615 bytes, and the model's "
            "resources may take 1048576 more");
  EXPECT_EQ(Refusal(R"({ "initialValuesDataType": "FLOAT32", "initialValues": [1],
                         "sizeInBytes": 18446744073709551615 })"),
            "A.sizeInBytes: needs 18446744073709551611 bytes, and the model's resources may take "
            "1048572 more");
}

TEST(Values, ChecksSizeAndOffset) {
  const Resource odd = List("UINT8", "[1, 2, 3, 4, 5]");
  EXPECT_EQ(odd.bytes, (std::vector<uint8_t>{1, 2, 3, 4, 5, 0, 0, 0}));
  EXPECT_EQ(odd.value_bytes, 5u);
  EXPECT_EQ(odd.element_count(), 5u);
  constexpr std::string_view kFormat =
      R"({{ "initialValuesDataType": "UINT8", "initialValues": [1, 2], {} }})";
  const auto with = [&](std::string_view more) { return fmt::format(fmt::runtime(kFormat), more); };
  EXPECT_EQ(ReadGood(with("\"sizeInBytes\": 2")).bytes, (std::vector<uint8_t>{1, 2}));
  // As in DxDispatch: the offset is checked, and the values stand at 0.
  EXPECT_EQ(ReadGood(with("\"sizeInBytes\": 4, \"initialValuesOffsetInBytes\": 2")).bytes,
            (std::vector<uint8_t>{1, 2, 0, 0}));
  EXPECT_EQ(Refusal(with("\"sizeInBytes\": 1")),
            "A: sizeInBytes = 1 must hold the 2 bytes of initialValues");
  EXPECT_EQ(Refusal(with("\"initialValuesOffsetInBytes\": 3")),
            "A: sizeInBytes = 4 must hold the 2 bytes of initialValues at offset 3");
  EXPECT_EQ(Refusal(with("\"initialValuesOffsetInBytes\": 18446744073709551615")),
            "A: sizeInBytes = 4 must hold the 2 bytes of initialValues at offset "
            "18446744073709551615");
  EXPECT_EQ(Refusal(with("\"sizeInBytes\": -1")),
            "A.sizeInBytes = -1 must be an integer from 0 to 18446744073709551615");
  EXPECT_EQ(Refusal(with("\"sizeInByte\": 2")),
            "A.sizeInByte: unknown member of a resource; did you mean sizeInBytes?");
}

TEST(Values, RefusesOtherForms) {
  EXPECT_EQ(Refusal("{}"), "A: initialValues is required");
  EXPECT_EQ(Refusal("[]"), "A = an array must be an object");
  EXPECT_EQ(Refusal(R"({ "initialValues": "deferred" })"),
            "A.initialValues = \"deferred\" is not supported: it belongs to onnx dispatchables");
  EXPECT_EQ(Refusal(R"({ "initialValues": "later" })"),
            "A.initialValues = \"later\" must be an array or an object");
  EXPECT_EQ(RefuseList("FLOAT33", "[1]"),
            "A.initialValuesDataType = \"FLOAT33\" is no DML_TENSOR_DATA_TYPE; did you mean "
            "FLOAT32?");
  EXPECT_EQ(RefuseList("INT4", "[1]"),
            "A.initialValuesDataType = \"INT4\" is not supported: no operator takes it");
}

}  // namespace
}  // namespace anydml::model
