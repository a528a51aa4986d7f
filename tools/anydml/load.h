// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// From a file name to a model, and the sentences about what is wrong with it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"
#include "schema/feature_level.h"

namespace anydml::tool {

struct LoadedModel {
  model::Model model;
  std::vector<Error> problems;                // of reading; none means that the model is whole
  std::vector<std::filesystem::path> inputs;  // the files of its resources; the model's comes last
};

// `path` "-": standard input; "*.onnx": an ONNX model. `input_path` empty: the model's own folder,
// which is the current one for standard input. `output`: the file that the command is to write,
// which must be none of the inputs; empty: none. Warns of what is valid and likely not meant:
// tensors bound to resources of another data type.
LoadedModel LoadModel(const std::string& path, const std::string& input_path,
                      const std::string& output = {});

// What each dispatchable's schema has to say at a level.
std::vector<Error> FindProblems(const model::Model& model, FeatureLevel level);

// The model's name in sentences.
std::string_view NameOf(const std::string& path);

// "anydml: model.json: <sentence>", one line each, on standard error.
void PrintProblems(const std::string& path, const std::vector<Error>& problems);

// The error with the place of the command that met it before it.
Error InCommand(size_t index, const Error& error);

// The level of an option: the newest when it is empty.
FeatureLevel LevelOf(const std::string& option);

}  // namespace anydml::tool
