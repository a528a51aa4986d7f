// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/json_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace anydml::model {
namespace {

std::string Parsed(std::string_view text) {
  const Result<Json> json = ParseJson(text);
  return json.ok() ? json.value().dump() : json.error().message;
}

TEST(JsonText, SkipsCommentsOfBothKinds) {
  EXPECT_EQ(Parsed("// a\n{ \"a\": /* [ \" */ 1, // ] }\n \"b\": \"// no /* comment */\" }"),
            R"({"a":1,"b":"// no /* comment */"})");
  EXPECT_EQ(Parsed("{ \"a\": 1 /* not closed"),
            "line 1, column 23: syntax error while parsing object - invalid comment; missing "
            "closing '*/'");
  EXPECT_EQ(Parsed("[1 / 2]"),
            "line 1, column 5: syntax error while parsing array - invalid comment; expecting '/' "
            "or '*' after '/'");
}

TEST(JsonText, AllowsOneTrailingComma) {
  EXPECT_EQ(Parsed("{ \"a\": [1, 2, ], \"b\": { \"c\": 3, /* last */ }, }"),
            R"({"a":[1,2],"b":{"c":3}})");
  EXPECT_EQ(Parsed("[1,,]"),
            "line 1, column 4: syntax error while parsing value - unexpected ','; expected '[', "
            "'{', or a literal");
  EXPECT_EQ(Parsed("[,]"),
            "line 1, column 2: syntax error while parsing value - unexpected ','; expected '[', "
            "'{', or a literal");
  EXPECT_EQ(Parsed("[\",]\"]"), R"([",]"])");
}

TEST(JsonText, RefusesWhatFollowsTheRoot) {
  const std::string rule = "only white space and comments may follow the root value";
  EXPECT_EQ(Parsed("{} and then /* some \" text"), "line 1, column 4: " + rule);
  EXPECT_EQ(Parsed("{\"a\": 1}x"), "line 1, column 9: " + rule);
  EXPECT_EQ(Parsed("{\n}}"), "line 2, column 2: " + rule);
  EXPECT_EQ(Parsed("{}\n{}"), "line 2, column 1: " + rule);
  EXPECT_EQ(Parsed("[1], // one\n,"), "line 1, column 4: " + rule);
  EXPECT_EQ(Parsed("[1] // one\n /* two */ \"x\""), "line 2, column 12: " + rule);
  EXPECT_EQ(Parsed("{} /* not closed"), "line 1, column 4: " + rule);
  EXPECT_EQ(Parsed("{} /"), "line 1, column 4: " + rule);
  EXPECT_EQ(Parsed(std::string_view("[1]\0\xFF", 5)), "line 1, column 4: " + rule);
  EXPECT_EQ(Parsed("1 2"),
            "line 1, column 3: syntax error while parsing value - unexpected number literal; "
            "expected end of input");
}

TEST(JsonText, TakesWhiteSpaceAndCommentsAfterTheRoot) {
  EXPECT_EQ(Parsed("{} \t\r\n"), "{}");
  EXPECT_EQ(Parsed("[1] // one\n/* two\n*/ // no more lines"), "[1]");
  EXPECT_EQ(Parsed("1 // one"), "1");
}

// A problem of the root comes first.
TEST(JsonText, TellsTheFirstProblem) {
  EXPECT_EQ(Parsed("[NaN] x"),
            "line 1, column 2: syntax error while parsing value - invalid literal");
}

// Each would be looked for to the end of the text.
TEST(JsonText, ReadsManyCommentsWithoutEnd) {
  std::string text = "[";
  for (int i = 0; i < 5'000'000; ++i) text += "/*";
  EXPECT_FALSE(ParseJson(text).ok());
}

TEST(JsonText, SaysThatOtherEncodingsAreNotUtf8) {
  const auto wide = [](std::string_view text, size_t zeros, bool big) {
    std::string out;
    for (char c : text) {
      if (big) out.append(zeros, '\0');
      out += c;
      if (!big) out.append(zeros, '\0');
    }
    return out;
  };
  const std::string utf16 = "line 1, column 1: the text is in UTF-16 and must be in UTF-8";
  const std::string utf32 = "line 1, column 1: the text is in UTF-32 and must be in UTF-8";
  for (bool big : {false, true}) {
    for (std::string_view text : {"{}", "{ \"a\": 1 }\n"}) {
      EXPECT_EQ(Parsed(wide(text, 1, big)), utf16);
      EXPECT_EQ(Parsed((big ? "\xFE\xFF" : "\xFF\xFE") + wide(text, 1, big)), utf16);
      EXPECT_EQ(Parsed(wide(text, 3, big)), utf32);
    }
  }
  EXPECT_EQ(Parsed(std::string("\xFF\xFE\0\0{\0\0\0", 8)), utf32);
  EXPECT_EQ(Parsed(std::string("\0\0\xFE\xFF\0\0\0{", 8)), utf32);
  EXPECT_EQ(Parsed("\xEF\xBB\xBF{}"), "{}");  // the mark of UTF-8
}

TEST(JsonText, TellsLineAndColumnInCharacters) {
  EXPECT_EQ(Parsed("{\n  \"a\": 1\n  \"b\": 2\n}"),
            "line 3, column 5: syntax error while parsing object - unexpected string literal; "
            "expected '}'");
  EXPECT_EQ(Parsed("[\"\xC3\xA4\xC3\xB6\", nul]"),
            "line 1, column 11: syntax error while parsing value - invalid literal");
  EXPECT_EQ(Parsed(""),
            "line 1, column 1: syntax error while parsing value - unexpected end of input; "
            "expected '[', '{', or a literal");
}

TEST(JsonText, RefusesAMemberGivenTwice) {
  EXPECT_EQ(Parsed("{\n\"a\": 1, \"b\": {\"a\": 2}, \"a\": 3}"),
            "line 2, column 26: the member \"a\" is given twice");
}

TEST(JsonText, KeepsMembersInTheirOrder) {
  EXPECT_EQ(Parsed(R"({"z": 1, "a": 2, "m": 3})"), R"({"z":1,"a":2,"m":3})");
}

TEST(JsonText, BoundsNesting) {
  const auto nested = [](size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(ParseJson(nested(kMaxJsonDepth)).ok());
  EXPECT_EQ(Parsed(nested(kMaxJsonDepth + 1)),
            "line 1, column 65: values must nest at most 64 deep");
  EXPECT_EQ(Parsed(std::string(10'000'000, '[')),
            "line 1, column 65: values must nest at most 64 deep");
}

// A reader that takes the rest for the comment must not be the one that counts.
TEST(JsonText, BoundsNestingBehindACommentThatEndsInOtherWays) {
  const std::string deep(10'000'000, '[');
  for (std::string_view end : {std::string_view("\r"), std::string_view("\0", 1)}) {
    EXPECT_EQ(Parsed("//" + std::string(end) + deep),
              "line 1, column 68: values must nest at most 64 deep");
  }
  EXPECT_EQ(Parsed("[1, // one\r]"), "[1]");
}

TEST(JsonText, KeepsIntegersOf64BitsExact) {
  const Json numbers =
      ParseJson("[18446744073709551615, -9223372036854775808, 9007199254740993]").value();
  EXPECT_EQ(numbers[0].get<uint64_t>(), std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(numbers[1].get<int64_t>(), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(numbers[2].get<uint64_t>(), 9007199254740993u);
  EXPECT_EQ(ParseJson("18446744073709551616").value().get<double>(), 0x1p64);
}

TEST(JsonText, RefusesNumbersBeyondDouble) {
  EXPECT_EQ(Parsed("[1,\n 1e999]"), "line 2, column 6: a number is beyond the range of FLOAT64");
  EXPECT_TRUE(std::signbit(ParseJson("-0.0").value().get<double>()));
}

TEST(JsonText, RefusesBadText) {
  EXPECT_EQ(Parsed("[\"\xFF\"]"),
            "line 1, column 3: syntax error while parsing value - invalid string: ill-formed UTF-8 "
            "byte");
  EXPECT_EQ(Parsed(std::string_view("[1,\0 2]", 7)),
            "line 1, column 4: syntax error while parsing value - unexpected end of input; "
            "expected '[', '{', or a literal");
  EXPECT_EQ(Parsed("]"),
            "line 1, column 1: syntax error while parsing value - unexpected ']'; expected '[', "
            "'{', or a literal");
  EXPECT_EQ(Parsed("{]"),
            "line 1, column 2: syntax error while parsing object key - unexpected ']'; expected "
            "string literal");
  EXPECT_EQ(Parsed("[NaN]"),
            "line 1, column 2: syntax error while parsing value - invalid literal");
  EXPECT_EQ(Parsed("\"\\"),
            "line 1, column 3: syntax error while parsing value - invalid string: "
            "forbidden character after backslash");
}

}  // namespace
}  // namespace anydml::model
