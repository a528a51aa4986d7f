// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/print.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "model/place.h"

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

// Marks and controls of direction show a text in another order than it is, the two
// separators on another line; an accent, a Hebrew letter and a joined emoji stay.
TEST(Print, KeepsControlsOfDirectionFromTheTerminal) {
  for (const uint32_t value : {0x061Cu, 0x200Eu, 0x200Fu, 0x2028u, 0x2029u, 0x202Au, 0x202Bu,
                               0x202Cu, 0x202Du, 0x202Eu, 0x2066u, 0x2067u, 0x2068u, 0x2069u}) {
    const std::string utf8 = value < 0x800
                                 ? std::string{static_cast<char>(0xC0 | value >> 6),
                                               static_cast<char>(0x80 | (value & 0x3F))}
                                 : std::string{static_cast<char>(0xE0 | value >> 12),
                                               static_cast<char>(0x80 | (value >> 6 & 0x3F)),
                                               static_cast<char>(0x80 | (value & 0x3F))};
    EXPECT_EQ(Escaped("a" + utf8 + "b"), fmt::format("a\\u{:04x}b", value));
  }
  for (uint32_t value = 0x80; value < 0xA0; ++value) {
    const std::string utf8 = {'\xC2', static_cast<char>(value)};
    EXPECT_EQ(Escaped("a" + utf8 + "b"), fmt::format("a\\x{:02x}b", value));
  }
  constexpr std::string_view kHarmless =
      "\xC3\xA4 \xD7\xA9 \xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x92\xBB";
  EXPECT_EQ(Escaped(kHarmless), kHarmless);
}

// Cut short, continued by nothing, overlong, a surrogate, beyond the last character.
TEST(Print, ShowsBytesThatAreNoTextAsNumbers) {
  EXPECT_EQ(Escaped("\xE2\x80"), "\\xe2\\x80");
  EXPECT_EQ(Escaped("\x9B[2J"), "\\x9b[2J");
  EXPECT_EQ(Escaped("\xC1\x9B"), "\\xc1\\x9b");
  EXPECT_EQ(Escaped("\xE0\x82\x9B"), "\\xe0\\x82\\x9b");
  EXPECT_EQ(Escaped("\xED\xA0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(Escaped("\xF4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(Escaped("\xFF"), "\\xff");
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
