// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Structs that have grown: programs of all versions against libraries of all versions.
#include "c_api/sized_struct.h"

#include <gtest/gtest.h>

namespace anydml::c_api {
namespace {

// A struct of the test's own in its third version; the first ends with padding.
struct Grown {
  size_t struct_size;
  uint32_t first;
  // since the second version
  uint64_t second;
  // since the third
  uint64_t third;
  uint32_t also_third;
};
// The same as libraries and programs of the first version know it.
struct First {
  size_t struct_size;
  uint32_t first;
};

}  // namespace

template <>
struct Versions<Grown> {
  static constexpr size_t kSizes[] = {16, 24, 40};
  static constexpr size_t kFirstEnd = 12;
};
template <>
struct Versions<First> {
  static constexpr size_t kSizes[] = {16};
  static constexpr size_t kFirstEnd = 12;
};

namespace {

constexpr Grown kDefaults = {sizeof(Grown), 100, 200, 300, 400};

Grown OfSize(size_t size) { return {size, 1, 2, 3, 4}; }

bool operator==(const Grown& a, const Grown& b) {
  return a.struct_size == b.struct_size && a.first == b.first && a.second == b.second &&
         a.third == b.third && a.also_third == b.also_third;
}

TEST(SizedStruct, OfAnOlderProgramLeavesTheDefaultsOfWhatItDoesNotKnow) {
  Grown own = kDefaults;
  const Grown first = OfSize(16);
  ASSERT_TRUE(CopyIn(&first, "Grown", own).ok());
  EXPECT_EQ(own, (Grown{sizeof(Grown), 1, 200, 300, 400}));
  const Grown second = OfSize(24);
  ASSERT_TRUE(CopyIn(&second, "Grown", own).ok());
  EXPECT_EQ(own, (Grown{sizeof(Grown), 1, 2, 300, 400}));
  const Grown third = OfSize(40);
  ASSERT_TRUE(CopyIn(&third, "Grown", own).ok());
  EXPECT_EQ(own, (Grown{sizeof(Grown), 1, 2, 3, 4}));
}

// What lies behind the struct of an older program is not the struct's.
TEST(SizedStruct, OfAnOlderProgramIsFilledToItsEndAndNotBeyond) {
  const Grown filled = {0, 10, 20, 30, 40};
  Grown first = OfSize(16);
  ASSERT_TRUE(CopyOut(filled, "Grown", &first).ok());
  EXPECT_EQ(first, (Grown{16, 10, 2, 3, 4}));
  Grown second = OfSize(24);
  ASSERT_TRUE(CopyOut(filled, "Grown", &second).ok());
  EXPECT_EQ(second, (Grown{24, 10, 20, 3, 4}));
  Grown third = OfSize(40);
  ASSERT_TRUE(CopyOut(filled, "Grown", &third).ok());
  EXPECT_EQ(third, (Grown{40, 10, 20, 30, 40}));
}

TEST(SizedStruct, OfANewerProgramIsReadAndFilledAsFarAsTheLibraryKnowsIt) {
  struct Newer {
    First known;
    uint64_t future;
  } newer = {{sizeof(Newer), 1}, 77};
  First own = {sizeof(First), 100};
  ASSERT_TRUE(CopyIn(&newer.known, "First", own).ok());
  EXPECT_EQ(own.struct_size, sizeof(First));
  EXPECT_EQ(own.first, 1u);
  ASSERT_TRUE(CopyOut(First{0, 10}, "First", &newer.known).ok());
  EXPECT_EQ(newer.known.struct_size, sizeof(Newer));
  EXPECT_EQ(newer.known.first, 10u);
  EXPECT_EQ(newer.future, 77u);
}

// Sizes that no version has had are read as the version before.
TEST(SizedStruct, IsNeverExchangedWithHalfAMember) {
  for (size_t size = 16; size < 64; ++size) {
    const bool knows_second = size >= 24, knows_third = size >= 40;
    Grown own = kDefaults;
    const Grown given = OfSize(size);
    ASSERT_TRUE(CopyIn(&given, "Grown", own).ok()) << size;
    EXPECT_EQ(own, (Grown{sizeof(Grown), 1, knows_second ? 2u : 200u, knows_third ? 3u : 300u,
                          knows_third ? 4u : 400u}))
        << size;
    Grown out = OfSize(size);
    ASSERT_TRUE(CopyOut({0, 10, 20, 30, 40}, "Grown", &out).ok()) << size;
    EXPECT_EQ(out, (Grown{size, 10, knows_second ? 20u : 2u, knows_third ? 30u : 3u,
                          knows_third ? 40u : 4u}))
        << size;
  }
}

TEST(SizedStruct, SmallerThanItsFirstVersionIsRefusedInBothDirections) {
  for (size_t size : {0, 4, 8, 12, 15}) {
    const std::string sentence =
        fmt::format("Grown.struct_size = {} must be sizeof(Grown), at least 16", size);
    Grown own = kDefaults;
    Grown given = OfSize(size);
    const Status in = CopyIn(&given, "Grown", own);
    ASSERT_FALSE(in.ok()) << size;
    EXPECT_EQ(in.error().message, sentence);
    EXPECT_EQ(own, kDefaults);
    const Status out = CopyOut(kDefaults, "Grown", &given);
    ASSERT_FALSE(out.ok()) << size;
    EXPECT_EQ(out.error().message, sentence);
    EXPECT_EQ(given, OfSize(size));
  }
  const Grown* none = nullptr;
  Grown own = kDefaults;
  EXPECT_EQ(CopyIn(none, "Grown", own).error().message, "Grown must not be null");
}

}  // namespace
}  // namespace anydml::c_api
