// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// ONNX models, which the Python package turns into models in JSON.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace anydml::tool {

// A model of AnyDML with its files, in a folder of its own that goes with this object.
class ConvertedModel {
 public:
  ConvertedModel() = default;
  ~ConvertedModel();
  ConvertedModel(const ConvertedModel&) = delete;
  ConvertedModel& operator=(const ConvertedModel&) = delete;

  // What the Python package has to say about the model goes to standard error.
  Status Convert(const std::string& onnx);
  std::filesystem::path path() const { return folder_ / "model.json"; }

 private:
  std::filesystem::path folder_;
};

// By the name's end.
bool IsOnnx(const std::string& path);

}  // namespace anydml::tool
