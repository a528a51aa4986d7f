// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Any text is a model or has problems, each of them one line.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "model/every_field.h"
#include "model/model.h"
#include "model/print.h"
#include "schema/problems.h"

namespace {

using namespace anydml;

void Require(bool condition) {
  if (!condition) std::abort();
}

void RequireSentences(const std::vector<Error>& problems) {
  for (const Error& problem : problems) {
    Require(problem.code != ErrorCode::kInternal);
    Require(!problem.message.empty() && problem.message.size() < 2000);
    Require(problem.message.find('\n') == std::string::npos);
  }
}

void RequireInside(const model::Model& model, const std::vector<model::Binding>& bindings) {
  for (const model::Binding& binding : bindings) {
    Require(binding.source.resource < model.resources.size());
    Require(binding.source.offset_in_bytes() <=
            model.resources[binding.source.resource].bytes.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<Error> problems;
  const model::Model model = model::ReadModel(text,
                                              {.input_path = "/nonexistent",
                                               .find_schema = test::FindTestSchema,
                                               .max_resource_bytes = 1 << 16},
                                              problems);
  RequireSentences(problems);
  for (const model::Dispatchable& dispatchable : model.dispatchables) {
    RequireSentences(schema::FindProblems(dispatchable.arguments, kNewestFeatureLevel));
  }
  if (!problems.empty()) return 0;
  for (const model::Resource& resource : model.resources) {
    model::PrintResource(resource.name, resource.data_type, resource.bytes, size % 2 == 0);
  }
  for (const model::Dispatchable& dispatchable : model.dispatchables) {
    RequireInside(model, dispatchable.initialization_bindings);
  }
  for (const model::Command& command : model.commands) {
    if (const auto* dispatch = std::get_if<model::Dispatch>(&command)) {
      Require(dispatch->dispatchable < model.dispatchables.size());
      RequireInside(model, dispatch->bindings);
    }
  }
  return 0;
}
