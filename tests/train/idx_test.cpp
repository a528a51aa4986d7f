// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "train/idx.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace anydml::train {
namespace {

class Idx : public ::testing::Test {
 protected:
  ~Idx() override { std::filesystem::remove(path_); }

  Result<IdxFile> Read(std::string_view bytes) {
    std::ofstream(path_, std::ios::binary) << bytes;
    return ReadIdx(path_);
  }
  // What the sentence says of the file.
  std::string Refusal(std::string_view bytes) {
    Result<IdxFile> file = Read(bytes);
    if (file.ok()) return "accepted";
    EXPECT_TRUE(file.error().message.starts_with(path_ + " "));
    return file.error().message.substr(path_.size() + 1);
  }

  const std::string path_ = ::testing::TempDir() + "anydml_idx_test." + std::to_string(getpid());
};

using namespace std::string_view_literals;

TEST_F(Idx, ReadsSizesAndElements) {
  Result<IdxFile> file = Read(
      "\0\0\x08\x02\0\0\0\x02\0\0\0\x03"
      "abcdef"sv);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file.value().sizes, (std::vector<uint32_t>{2, 3}));
  EXPECT_EQ(std::string(file.value().data().begin(), file.value().data().end()), "abcdef");
}

TEST_F(Idx, RefusesWhatIsNoSuchFile) {
  EXPECT_EQ(Refusal(""), "has 0 bytes, which is no IDX file");
  EXPECT_EQ(Refusal("ab\x08\x01"), "is no IDX file: it does not begin with two zeros");
  EXPECT_EQ(Refusal("PK\x03\x04"), "is an archive (.npz or .zip): save one array as .npy");
  EXPECT_EQ(Refusal("\x1f\x8b\x08\0"sv), "is packed; unpack it with gunzip");
  EXPECT_EQ(Refusal("\0\0\x0d\x01\0\0\0\0"sv),
            "has elements of type 0x0d; they must be unsigned bytes, 0x08");
  EXPECT_EQ(Refusal("\0\0\x08\x09"sv), "has 9 dimensions; they must be 1 to 8");
}

TEST_F(Idx, RefusesAFileThatWasCutOrIsTooLong) {
  EXPECT_EQ(Refusal("\0\0\x08\x02\0\0\0\x02\0\0"sv), "ends within its sizes");
  EXPECT_EQ(Refusal("\0\0\x08\x02\0\0\0\x02\0\0\0\x03"
                    "abcde"sv),
            "has 5 bytes after its sizes 2 x 3, which need 6");
  EXPECT_EQ(Refusal("\0\0\x08\x01\0\0\0\x01"
                    "ab"sv),
            "has 2 bytes after its sizes 1, which need 1");
}

TEST_F(Idx, NamesAFileThatIsMissing) {
  Result<IdxFile> file = ReadIdx("/nowhere/train");
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().message, "/nowhere/train does not exist");
}

}  // namespace
}  // namespace anydml::train
