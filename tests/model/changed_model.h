// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A whole model, to be read as it is or with one change.
#pragma once

#include <nlohmann/json.hpp>

#include "model/json_text.h"
#include "model/model.h"
#include "model/reading.h"

namespace anydml::test {

inline constexpr std::string_view kModel = R"({
  "$schema": "./_schema.json", // ignored, as every unknown member of the root
  "resources": {
    "x": { "initialValuesDataType": "FLOAT32", "initialValues": [-1, 2, 3] },
    "dy": { "initialValuesDataType": "FLOAT32",
            "initialValues": { "valueCount": 5, "valueStart": 1, "valueDelta": 1 } },
    "dx": { "initialValuesDataType": "FLOAT32", "initialValues": { "valueCount": 3, "value": 0 } },
  },
  "dispatchables": {
    "relu": {
      "type": "DML_OPERATOR_ACTIVATION_RELU_GRAD",
      "desc": {
        "InputTensor": { "DataType": "FLOAT32", "Sizes": [3], "Flags": "OWNED_BY_DML" },
        "InputGradientTensor": { "DataType": "FLOAT32", "Sizes": [3] },
        "OutputGradientTensor": { "DataType": "FLOAT32", "Sizes": [3] },
      },
      "executionFlags": ["DML_EXECUTION_FLAG_DESCRIPTORS_VOLATILE", "DISABLE_META_COMMANDS"],
      "dmlCompileType": "DmlCompileOp",
      "bindings": { "InputTensor": "x" },
    }
  },
  "commands": [
    { "type": "Dispatch", "dispatchable": "relu", "bindings": {
        "InputGradientTensor": { "name": "dy", "elementOffset": 2 },
        "OutputGradientTensor": ["dx"] } },
    { "type": "print", "resource": "dx", "verbose": true },
    { "type": "writeFile", "resource": "dy", "targetPath": "out/dy.npy" },
    { "type": "writeFile", "resource": "dy", "targetPath": "dy.npy", "dimensions": [1, 5] },
    { "type": "WRITEFILE", "resource": "dx", "targetPath": "dx.dat" },
  ]
} // the end)";

inline model::Model ReadText(std::string_view text, Sentences& sentences) {
  std::vector<Error> problems;
  model::Model read = model::ReadModel(text, {.find_schema = FindTestSchema}, problems);
  sentences = MessagesOf(problems);
  return read;
}

inline model::Json ModelJson() { return model::ParseJson(kModel).value(); }

// The sentences after one change of the model.
inline Sentences Problem(std::string_view pointer, const model::Json& value) {
  model::Json json = ModelJson();
  json[model::Json::json_pointer(std::string(pointer))] = value;
  Sentences sentences;
  ReadText(json.dump(), sentences);
  return sentences;
}

inline Sentences ProblemWithout(std::string_view pointer, std::string_view member) {
  model::Json json = ModelJson();
  json[model::Json::json_pointer(std::string(pointer))].erase(std::string(member));
  Sentences sentences;
  ReadText(json.dump(), sentences);
  return sentences;
}

}  // namespace anydml::test
