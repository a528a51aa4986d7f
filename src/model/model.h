// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A model in DxDispatch's JSON format: buffers, operators, and the commands
// that run them. This layer reads and checks; it runs nothing and writes no
// file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "model/description.h"
#include "model/resource.h"
#include "schema/arguments.h"

namespace anydml::model {

// Where a tensor's memory starts: element_offset elements into a resource.
struct BufferSource {
  size_t resource = 0;  // index in Model::resources
  uint64_t element_offset = 0;
  uint64_t element_count = 0;
  uint64_t element_size_in_bytes = 0;

  // Inside the resource, as far as models were read without problems.
  uint64_t offset_in_bytes() const { return element_offset * element_size_in_bytes; }
};

struct Binding {
  size_t tensor = 0;  // its number (schema/arguments.h)
  BufferSource source;
};

struct Dispatchable {
  std::string name;
  schema::Arguments arguments;
  uint32_t execution_flags = 0;  // DML_EXECUTION_FLAGS
  // Of the inputs whose Flags are OWNED_BY_DML, and of no others.
  std::vector<Binding> initialization_bindings;
};

struct Dispatch {
  size_t dispatchable = 0;        // index in Model::dispatchables
  std::vector<Binding> bindings;  // of every other tensor that is present
};
struct Print {
  size_t resource = 0;
  bool verbose = false;
};
// The values to a .npy file of these dimensions (one when the model gives none), or
// the whole buffer as it is to any other file.
struct WriteFile {
  size_t resource = 0;
  std::string target_path;  // relative; to be resolved by ResolveInside
  std::vector<uint64_t> dimensions;
};
using Command = std::variant<Dispatch, Print, WriteFile>;

struct Model {
  std::vector<Resource> resources;
  std::vector<Dispatchable> dispatchables;
  std::vector<Command> commands;
  std::vector<std::filesystem::path> files;  // of the resources, resolved
};

struct ReadOptions {
  std::filesystem::path input_path = {};  // the folder that sourcePath starts from
  FindSchema find_schema = nullptr;
  uint64_t max_resource_bytes = uint64_t{1} << 34;  // all resources together
};

// Tells every problem that can be told, each in one sentence that begins with
// its place ("commands[0].bindings: ..."; "line 3, column 14: ..." for text that
// is no JSON). With problems, the model holds the dispatchables that could be
// read, for further checks, and nothing else. The descriptions are yet to be
// validated for a feature level (schema/problems.h).
Model ReadModel(std::string_view text, const ReadOptions& options, std::vector<Error>& problems);

}  // namespace anydml::model
