// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// No memory while a model is read.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "faults/every_failure.h"
#include "model/model.h"
#include "operators/registry.h"

namespace anydml::faults {
namespace {

std::string ReadText(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Answer Read(const std::string& text) {
  // What ReadModel may throw is memory that is missing for the list of problems.
  try {
    std::vector<Error> problems;
    model::ReadOptions options;
    options.find_schema = FindSchema;
    const model::Model model = model::ReadModel(text, options, problems);
    if (problems.empty())
      return model.commands.empty() ? Answer::Of(Verdict::kOther, "") : Answer();
    const Error& first = problems.front();
    const bool memory = first.code == ErrorCode::kOutOfMemory;
    return Answer::Of(memory ? Verdict::kOutOfMemory : Verdict::kOther, first.message);
  } catch (const std::bad_alloc&) {
    return Answer::Of(Verdict::kOutOfMemory, "std::bad_alloc");
  }
}

TEST(ModelFaults, TellsThatThereIsNoMemory) {
  for (const auto& entry : std::filesystem::directory_iterator(ANYDML_MODELS)) {
    if (entry.path().extension() != ".json") continue;
    const std::string text = ReadText(entry.path());
    FailEverywhere(entry.path().filename(), [&] { return Read(text); }, {.every_one_up_to = 150});
  }
}

}  // namespace
}  // namespace anydml::faults
