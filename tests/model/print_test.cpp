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

// The lines of DxDispatch's own tests.
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

std::string Utf8(uint32_t value) {
  const auto tail = [value](int shift) {
    return static_cast<char>(0x80 | (value >> shift & 0x3F));
  };
  if (value < 0x800) return {static_cast<char>(0xC0 | value >> 6), tail(0)};
  if (value < 0x10000) return {static_cast<char>(0xE0 | value >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xF0 | value >> 18), tail(12), tail(6), tail(0)};
}

// Marks and controls of direction show a text in another order than it is, the two
// separators on another line; an accent, a Hebrew letter and a joined emoji stay.
TEST(Print, KeepsControlsOfDirectionFromTheTerminal) {
  for (const uint32_t value : {0x061Cu, 0x200Eu, 0x200Fu, 0x2028u, 0x2029u, 0x202Au, 0x202Bu,
                               0x202Cu, 0x202Du, 0x202Eu, 0x2066u, 0x2067u, 0x2068u, 0x2069u}) {
    EXPECT_EQ(Escaped("a" + Utf8(value) + "b"), fmt::format("a\\u{:04x}b", value));
  }
  for (uint32_t value = 0x80; value < 0xA0; ++value) {
    EXPECT_EQ(Escaped("a" + Utf8(value) + "b"), fmt::format("a\\x{:02x}b", value));
  }
  constexpr std::string_view kHarmless =
      "\xC3\xA4 \xD7\xA9 \xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x92\xBB";
  EXPECT_EQ(Escaped(kHarmless), kHarmless);
}

// What no terminal shows makes two names look the same: a hyphen that waits for the end of
// a line, fillers, spaces of no width, operators and annotations, tags.
TEST(Print, ShowsWhatIsThereAndNotSeen) {
  EXPECT_EQ(Escaped("in" + Utf8(0xAD) + "put"), "in\\xadput");
  for (const uint32_t value : {0x034Fu, 0x1160u, 0x17B4u, 0x180Eu, 0x200Bu, 0x2060u, 0x2064u,
                               0x206Au, 0x206Fu, 0x3164u, 0xFEFFu, 0xFFA0u, 0xFFF9u, 0xFFFBu}) {
    EXPECT_EQ(Escaped(Utf8(0xE4) + Utf8(value) + "1"),
              fmt::format("{}\\u{:04x}1", Utf8(0xE4), value));
  }
  for (const uint32_t value : {0x1BCA0u, 0x1D173u, 0xE0001u, 0xE0041u, 0xE007Fu}) {
    EXPECT_EQ(Escaped("a" + Utf8(value) + "1"), fmt::format("a\\U{:08x}1", value));
  }
  for (const uint32_t value : {0x2010u, 0x2027u, 0x202Fu, 0x205Fu, 0xFFFDu, 0x1F1E9u, 0xE1000u}) {
    EXPECT_EQ(Escaped(Utf8(value)), Utf8(value));
  }
}

// Joiners and selectors of variants shape many scripts and emoji, and nothing of ASCII.
TEST(Print, ShowsJoinersWhereTheyJoinNothing) {
  EXPECT_EQ(Escaped("in" + Utf8(0x200D) + "put"), "in\\u200dput");
  EXPECT_EQ(Escaped(Utf8(0x200C) + "a" + Utf8(0xFE0F)), "\\u200ca\\ufe0f");
  EXPECT_EQ(Escaped("a" + Utf8(0x200D) + Utf8(0x200D)), "a\\u200d\\u200d");
  const std::string heart_on_fire = Utf8(0x2764) + Utf8(0xFE0F) + Utf8(0x200D) + Utf8(0x1F525);
  const std::string persian = Utf8(0x645) + Utf8(0x6CC) + Utf8(0x200C) + Utf8(0x62E);
  for (const std::string& text : {heart_on_fire, persian}) EXPECT_EQ(Escaped(text), text);
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
