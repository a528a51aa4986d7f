// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/print.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace anydml::model {
namespace {

template <typename T>
std::string Printed(const std::vector<T>& values, bool verbose = false,
                    DataType type = kDataTypeOf<T>) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
  return PrintResource("out", type, {bytes, values.size() * sizeof(T)}, verbose);
}

// clients.md section 4: the lines of DxDispatch's own tests.
TEST(Print, WritesWhatDxDispatchWrites) {
  EXPECT_EQ(Printed<float>({6, 15, 24}), "Resource 'out': 6, 15, 24");
  EXPECT_EQ(Printed<float>({3.2f, 4.7f, 6.2f, 7.7f, 9.2f}),
            "Resource 'out': 3.2, 4.7, 6.2, 7.7, 9.2");
  EXPECT_EQ(Printed<float>({6, 10, -0.43233236f}), "Resource 'out': 6, 10, -0.432332");
}

// ESC, and CSI as one character of UTF-8: both begin what a terminal obeys.
TEST(Print, KeepsControlCharactersOfNamesFromTheTerminal) {
  EXPECT_EQ(PrintResource("a\n\x1B[2J\xC2\x9B\x32J\xC3\x9B", DataType::kUint8, {}, false),
            "Resource 'a\\x0a\\x1b[2J\\x9b2J\xC3\x9B':");
}

TEST(Print, WritesSixSignificantDigits) {
  EXPECT_EQ(Printed<float>({1e-5f, 123456, 1234567, 0.1f, -0.0f, 3e38f}),
            "Resource 'out': 1e-05, 123456, 1.23457e+06, 0.1, -0, 3e+38");
  EXPECT_EQ(Printed<double>({1.0 / 3, 1e300}), "Resource 'out': 0.333333, 1e+300");
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(Printed<float>({std::numeric_limits<float>::quiet_NaN(), infinity, -infinity}),
            "Resource 'out': nan, inf, -inf");
}

TEST(Print, WritesEveryType) {
  EXPECT_EQ(Printed<uint16_t>({0x3C00, 0x2E66, 0xFBFF}, false, DataType::kFloat16),
            "Resource 'out': 1, 0.0999756, -65504");
  EXPECT_EQ(Printed<int8_t>({-128, 65}), "Resource 'out': -128, 65");
  EXPECT_EQ(Printed<uint8_t>({0, 255}), "Resource 'out': 0, 255");
  EXPECT_EQ(Printed<int16_t>({-32768}), "Resource 'out': -32768");
  EXPECT_EQ(Printed<uint16_t>({65535}), "Resource 'out': 65535");
  EXPECT_EQ(Printed<int32_t>({-2147483647 - 1}), "Resource 'out': -2147483648");
  EXPECT_EQ(Printed<uint32_t>({4294967295}), "Resource 'out': 4294967295");
  EXPECT_EQ(Printed<int64_t>({std::numeric_limits<int64_t>::min()}),
            "Resource 'out': -9223372036854775808");
  EXPECT_EQ(Printed<uint64_t>({std::numeric_limits<uint64_t>::max()}),
            "Resource 'out': 18446744073709551615");
  EXPECT_EQ(Printed<uint8_t>({1}, false, DataType::kUnknown), "Resource 'out':");
}

TEST(Print, WritesOneElement) {
  const uint16_t half = 0x3E00;
  const auto* element = reinterpret_cast<const uint8_t*>(&half);
  EXPECT_EQ(ElementText(DataType::kFloat16, element), "1.5");
  EXPECT_EQ(ElementText(DataType::kUint16, element), "15872");
  EXPECT_EQ(ElementText(DataType::kUnknown, element), "");
}

TEST(Print, WritesIndexValueAndBitsWhenVerbose) {
  EXPECT_EQ(Printed<float>({1.5f, 0}, true),
            "Resource 'out':\n[0] 1.5 (0x3FC00000)\n[1] 0 (0x00000000)");
  EXPECT_EQ(Printed<int8_t>({-1}, true), "Resource 'out':\n[0] -1 (0xFF)");
  const std::string text =
      Printed<uint16_t>(std::vector<uint16_t>(10, 0x3C00), true, DataType::kFloat16);
  EXPECT_EQ(text.substr(15, 18), "\n[ 0] 1 (0x3C00)\n[");
}

}  // namespace
}  // namespace anydml::model
