// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What WriteModel writes is read as the same model.
#include "model/write.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/whole_file.h"
#include "model/paths.h"
#include "operators/registry.h"
#include "schema/problems.h"

namespace anydml::model {
namespace {

Model Read(std::string_view text, const std::filesystem::path& folder) {
  std::vector<Error> problems;
  Model model =
      ReadModel(text, {.input_path = folder, .find_schema = anydml::FindSchema}, problems);
  for (const Error& problem : problems) ADD_FAILURE() << problem.message;
  return model;
}

// Every operator has a model.
TEST(WriteModelTest, WritesWhatItReads) {
  size_t count = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(ANYDML_MODELS)) {
    if (file.path().extension() != ".json") continue;
    SCOPED_TRACE(file.path());
    const Result<std::vector<uint8_t>> bytes = ReadFile(file.path(), 1 << 24);
    ASSERT_TRUE(bytes.ok());
    const Model model =
        Read({reinterpret_cast<const char*>(bytes.value().data()), bytes.value().size()},
             file.path().parent_path());
    const std::string text = WriteModel(model);
    const Model again = Read(text, file.path().parent_path());
    EXPECT_EQ(WriteModel(again), text);
    ASSERT_EQ(again.resources.size(), model.resources.size());
    for (size_t i = 0; i < model.resources.size(); ++i) {
      EXPECT_EQ(again.resources[i].name, model.resources[i].name);
      EXPECT_EQ(again.resources[i].bytes, model.resources[i].bytes);
    }
    ASSERT_EQ(again.dispatchables.size(), model.dispatchables.size());
    for (size_t i = 0; i < model.dispatchables.size(); ++i) {
      const schema::Arguments& a = model.dispatchables[i].arguments;
      const schema::Arguments& b = again.dispatchables[i].arguments;
      ASSERT_EQ(a.schema().name, b.schema().name);
      for (size_t f = 0; f < a.schema().fields.size(); ++f) {
        EXPECT_EQ(ValueText(a, f), ValueText(b, f)) << a.schema().fields[f].name;
        EXPECT_TRUE(HaveSameLayout(a.at(f).tensor, b.at(f).tensor));
      }
    }
    EXPECT_EQ(again.commands.size(), model.commands.size());
    ++count;
  }
  EXPECT_GT(count, 60u);
}

// DxDispatch, which reads these models too, has its own ways with two things.
Model Clip(std::string_view type, std::string_view min) {
  return Read(fmt::format(R"({{"resources": {{}}, "commands": [], "dispatchables": {{"clip": {{
    "type": "ELEMENT_WISE_CLIP1", "InputTensor": {{"DataType": "{0}", "Sizes": [1]}},
    "OutputTensor": {{"DataType": "{0}", "Sizes": [1]}}, "MinMaxDataType": "{0}",
    "Min": {1}, "Max": 2}}}}}})",
                          type, min),
              "");
}

TEST(WriteModelTest, WritesInfiniteScalarsAsMembersOfTheUnion) {
  const auto contains = [](const Model& model, std::string_view part) {
    return WriteModel(model).find(part) != std::string::npos;
  };
  EXPECT_TRUE(contains(Clip("FLOAT32", "\"-inf\""), R"("Min": { "Float32": "-inf" })"));
  EXPECT_TRUE(contains(Clip("FLOAT64", "\"nan\""), R"("Min": { "Float64": "nan" })"));
  EXPECT_TRUE(contains(Clip("FLOAT16", "\"-inf\""), R"("Min": { "UInt16": 64512 })"));
  EXPECT_TRUE(contains(Clip("FLOAT32", "1.5"), R"("Min": 1.5)"));
}

TEST(WriteModelTest, WritesTheFirstNameOfAnOperator) {
  const std::filesystem::path path = std::filesystem::path(ANYDML_MODELS) / "scatter_elements.json";
  const Result<std::vector<uint8_t>> bytes = ReadFile(path, 1 << 24);
  ASSERT_TRUE(bytes.ok());
  const Model model =
      Read({reinterpret_cast<const char*>(bytes.value().data()), bytes.value().size()}, "");
  EXPECT_EQ(model.dispatchables[0].arguments.schema().name, "SCATTER_ELEMENTS");
  EXPECT_NE(WriteModel(model).find(R"("type": "SCATTER",)"), std::string::npos);
}

}  // namespace
}  // namespace anydml::model
