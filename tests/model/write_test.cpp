// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What WriteModel writes is read as the same model.
#include "model/write.h"

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
  Model model = ReadModel(text, {.input_path = folder, .find_schema = anydml::FindSchema}, problems);
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

}  // namespace
}  // namespace anydml::model
