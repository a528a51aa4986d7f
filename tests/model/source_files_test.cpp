// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "model/npy.h"
#include "model/reading_resource.h"
#include "model/values.h"

namespace anydml::model {
namespace {

using test::As;
using test::ReadGood;
using test::Refusal;

TEST(Values, ReadsFiles) {
  const test::TemporaryFolder folder;
  const uint64_t shape[] = {2};
  folder.Write("a.NPY", NpyHeader(DataType::kInt16, shape) + std::string("\1\0\2\0", 4));
  folder.Write("a.dat", std::string("\1\0\2\0\3\0", 6));
  const Resource npy = ReadGood(R"({ "initialValues": { "sourcePath": "a.NPY" } })", folder.path());
  EXPECT_EQ(npy.data_type, DataType::kInt16);
  EXPECT_EQ(As<int16_t>(npy.bytes), (std::vector<int16_t>{1, 2}));
  const Resource raw = ReadGood(
      R"({ "initialValuesDataType": "INT16", "initialValues": { "sourcePath": "a.dat" } })",
      folder.path());
  EXPECT_EQ(As<int16_t>(raw.bytes), (std::vector<int16_t>{1, 2, 3, 0}));
  EXPECT_EQ(raw.value_bytes, 6u);
}

TEST(Values, RefusesFilesThatDoNotServe) {
  const test::TemporaryFolder folder;
  folder.Write("raw.dat", "12345");
  folder.Write("raw.npy", "12345");
  folder.Write("empty.dat", "");
  folder.Write("large.dat", std::string(test::kMaxResourceBytes + 1, 'x'));
  const uint64_t shape[] = {2};
  folder.Write("int8.npy", NpyHeader(DataType::kInt8, shape) + "12");
  folder.Write("int8.dat", NpyHeader(DataType::kInt8, shape) + "12");
  folder.Write("zip.dat", "PK\x03\x04");
  std::filesystem::create_directory(folder.path() / "folder.dat");
  const auto refuse = [&](std::string_view path) {
    const std::string text = fmt::format(
        R"({{ "initialValuesDataType": "FLOAT32", "initialValues": {{ "sourcePath": "{}" }} }})",
        path);
    const std::string prefix = fmt::format("A.initialValues.sourcePath = \"{}\" ", path);
    const std::string sentence = Refusal(text, folder.path());
    EXPECT_EQ(sentence.substr(0, prefix.size()), prefix);
    return sentence.substr(std::min(prefix.size(), sentence.size()));
  };
  EXPECT_EQ(refuse("absent.dat"), "does not exist");
  EXPECT_EQ(refuse("folder.dat"), "is no regular file");
  EXPECT_EQ(refuse("large.dat"), "has 1048577 bytes and may have at most 1048576");
  EXPECT_EQ(refuse("raw.dat"), "has 5 bytes and must have a multiple of 4, the size of FLOAT32");
  EXPECT_EQ(refuse("raw.npy"), "is no NumPy file: it must begin with \\x93NUMPY");
  EXPECT_EQ(refuse("int8.npy"), "holds INT8 and must hold initialValuesDataType = FLOAT32");
  EXPECT_EQ(refuse("int8.dat"), "is a NumPy file: its name must end with .npy");
  EXPECT_EQ(refuse("zip.dat"), "is an archive (.npz or .zip): save one array as .npy");
  EXPECT_EQ(refuse("picture.PNG"), "is not supported: images are not read");
  EXPECT_EQ(refuse("picture.jpeg"), "is not supported: images are not read");
  EXPECT_EQ(refuse("../raw.dat"), "must stay inside the folder: models may not reach other files");
  EXPECT_EQ(refuse("/etc/passwd"), "must be relative: models may not reach other files");
  EXPECT_EQ(Refusal(R"({ "initialValues": { "sourcePath": "raw.dat" } })", folder.path()),
            "A: initialValuesDataType is required");
  EXPECT_EQ(Refusal(R"({ "initialValues": { "sourcePath": 1 } })", folder.path()),
            "A.initialValues.sourcePath = 1 must be a string");
  EXPECT_EQ(Refusal(R"({ "initialValuesDataType": "FLOAT32",
                         "initialValues": { "sourcePath": "empty.dat" } })",
                    folder.path()),
            "A.initialValues: must hold at least one value");
}

}  // namespace
}  // namespace anydml::model
