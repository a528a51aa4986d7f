// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Random numbers and checksums of trainings. The expected ones that are no published vectors
// are those of training_numbers.py.
#include "train/numbers.h"

#include <gtest/gtest.h>

#include <bit>

#include "base/sha256.h"
#include "models.h"

namespace anydml::train {
namespace {

std::string Sum(std::string_view text) {
  return Sha256().Add(std::as_bytes(std::span(text))).Text();
}

template <typename T>
std::string SumOf(const std::vector<T>& values) {
  return Sha256().Add(std::as_bytes(std::span(values))).Text();
}

TEST(Philox, GivesTheVectorsOfRandom123) {
  EXPECT_EQ(Philox({}, {}), (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(Philox({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(Philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Numbers, KeysAreFnvOfSeedAndName) {
  EXPECT_EQ(KeyOf(1, "conv1"), (PhiloxKey{0x52dea19, 0x624ae429}));
  EXPECT_EQ(KeyOf((uint64_t{1} << 63) + 5, ""), (PhiloxKey{0xf16ea0a0, 0xde29504}));
}

TEST(Numbers, UnitFloatsHaveTheUpper24Bits) {
  EXPECT_EQ(UnitFloat(0xFF), 0.0f);
  EXPECT_EQ(UnitFloat(0x100), 0x1p-24f);
  EXPECT_EQ(UnitFloat(~0u), 1 - 0x1p-24f);
}

TEST(Numbers, UniformValuesFollowFromSeedAndName) {
  std::vector<float> values(6);
  FillUniform(1, "conv1", 0.5f, values);
  EXPECT_EQ(Bits(values), (std::vector<uint32_t>{0xbef93296, 0xbe67cfcc, 0x3e1fa8d0, 0x3dc3c490,
                                                 0xbdd73420, 0x3ee55f8a}));
  values.resize(100000);
  FillUniform(7, "fc", HeBound(400), values);
  EXPECT_EQ(SumOf(values), "64bab9aa9488d56eed140ec5db619cfd0fd43125aeed8af5e792344b1d7f936c");
}

TEST(Numbers, BoundsAreRootsOfSixOverTheFanIn) {
  EXPECT_EQ(HeBound(6), 1.0f);
  EXPECT_EQ(Bits({HeBound(25), HeBound(150), HeBound(84), HeBound(400)}),
            (std::vector<uint32_t>{0x3efad3e7, 0x3e4ccccd, 0x3e88d677, 0x3dfad3e7}));
}

TEST(Numbers, OrdersArePermutationsOfTheEpoch) {
  EXPECT_EQ(ShuffledOrder(2, 0, 10), (std::vector<uint32_t>{0, 9, 4, 5, 6, 7, 3, 8, 2, 1}));
  EXPECT_EQ(ShuffledOrder(2, 1, 10), (std::vector<uint32_t>{3, 4, 1, 2, 9, 5, 7, 0, 6, 8}));
  EXPECT_EQ(SumOf(ShuffledOrder(3, (uint64_t{1} << 32) + 1, 60000)),
            "da8e153c69a76290771d170fd7bdf10c87c72645ea41ca264b18f98947bb3bda");
  EXPECT_EQ(ShuffledOrder(2, 0, 1), std::vector<uint32_t>{0});
  EXPECT_TRUE(ShuffledOrder(2, 0, 0).empty());
}

// Of NIST's examples for SHA-256, and of `printf '' | sha256sum`.
TEST(Sha256, GivesTheVectorsOfNist) {
  EXPECT_EQ(Sum(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sum("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sum("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(Sum(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnThePieces) {
  const std::string text(200, 'x');
  for (size_t cut = 0; cut <= text.size(); cut += 7) {
    Sha256 sum;
    sum.Add(std::as_bytes(std::span(text).first(cut)));
    sum.Add(std::as_bytes(std::span(text).subspan(cut)));
    EXPECT_EQ(sum.Text(), Sum(text));
  }
}

}  // namespace
}  // namespace anydml::train
