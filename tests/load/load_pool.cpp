// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "load/load_pool.h"

#include <algorithm>
#include <fstream>

#include "operators/registry.h"
#include "support/descriptions.h"
#include "support/json_arguments.h"

namespace anydml::load {
namespace {

using nlohmann::json;
using test::Layout;

// Those in which every element has a place of its own.
constexpr Layout kRandomLayouts[] = {Layout::kPacked, Layout::kPermuted, Layout::kPaddedRows,
                                     Layout::kGaps};

void AddRecorded(const json& recorded, std::mt19937& random, std::deque<Entry>& pool) {
  const Definition* definition = FindOperator(recorded.at("operator").get<std::string>());
  if (definition == nullptr) return;
  Result<schema::Arguments> arguments =
      test::ArgumentsFromJson(*definition->schema, recorded.at("fields"));
  if (!arguments.ok()) return;
  std::vector<std::vector<uint8_t>> elements(definition->schema->fields.size());
  for (size_t i = 0; i < elements.size(); ++i) {
    const std::string name(definition->schema->fields[i].name);
    if (!definition->schema->fields[i].is_tensor() || !recorded.at("data").contains(name)) continue;
    elements[i] = test::BytesFromHex(recorded.at("data").at(name).get<std::string>());
  }
  const Layout layout = kRandomLayouts[random() % std::size(kRandomLayouts)];
  for (Layout each : {Layout::kPacked, layout}) {
    Result<Operator> op =
        CreateOperator(*definition, test::WithLayout(arguments.value(), each), {});
    if (op.ok()) pool.emplace_back(op.value(), elements);
  }
}

void AddCases(const Definition& definition, std::mt19937& random, std::deque<Entry>& pool) {
  const std::vector<test::TypeAssignment> types = test::AdmittedTypes(*definition.schema);
  for (const Case& c : definition.cases) {
    const std::optional<schema::Arguments> arguments =
        test::Describe(*definition.schema, c, types[random() % types.size()]);
    if (!arguments) continue;
    Result<Operator> op = CreateOperator(definition, *arguments, {});
    if (op.ok()) pool.emplace_back(op.value(), random);
  }
}

}  // namespace

Entry::Entry(const Operator& op, std::mt19937& random) : op_(op), builder_(*op.arguments) {
  Bindings bindings;
  for (size_t field : op.arguments->inputs()) {
    test::TensorMemory& input = input_memory_.emplace_back(op.arguments->tensor(field));
    input.FillRandom(random);
    inputs_.push_back(input.desc().present() ? input.data() : nullptr);
    bindings.inputs[inputs_.size() - 1] = inputs_.back();
  }
  for (size_t field : op.arguments->outputs()) {
    outputs_.emplace_back(op.arguments->tensor(field));
  }
  std::vector<test::TensorMemory> results = outputs_;
  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i].desc().present()) bindings.outputs[i] = results[i].data();
  }
  RunReference(op, bindings);
  for (const test::TensorMemory& result : results) {
    expected_.push_back(result.desc().present() ? result.Elements() : std::vector<uint8_t>());
  }
}

Entry::Entry(const Operator& op, const std::vector<std::vector<uint8_t>>& elements)
    : op_(op), builder_(*op.arguments) {
  for (size_t field : op.arguments->inputs()) {
    test::TensorMemory& input = input_memory_.emplace_back(op.arguments->tensor(field));
    if (input.desc().present()) input.SetElements(elements[field]);
    inputs_.push_back(input.desc().present() ? input.data() : nullptr);
  }
  for (size_t field : op.arguments->outputs()) {
    outputs_.emplace_back(op.arguments->tensor(field));
    expected_.push_back(elements[field]);
  }
}

DML_OPERATOR_DESC Entry::desc() const {
  return {static_cast<DML_OPERATOR_TYPE>(op_.definition->schema->type), builder_.desc()};
}

std::string Entry::FindDifference(std::span<const test::TensorMemory> outputs) const {
  const bool nan_is_nan = !op_.definition->kernel->preserves_nan_bits;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].desc().present()) continue;
    const std::optional<std::string> difference =
        test::FindDifference(outputs[i].desc(), expected_[i], outputs[i].Elements(), nan_is_nan);
    if (difference) return name() + ": " + *difference;
    const std::optional<std::string> foreign = outputs[i].FindForeignWrite();
    if (foreign) return name() + ": " + *foreign;
  }
  return "";
}

KeptOutputs::KeptOutputs(const std::deque<Entry>& pool) {
  for (const Entry& entry : pool) {
    for (size_t i = 0; i < entry.outputs().size(); ++i) {
      const test::TensorMemory& output = entry.outputs()[i];
      if (i == outputs_.size()) outputs_.push_back(output);
      if (outputs_[i].desc().total_bytes < output.desc().total_bytes) outputs_[i] = output;
    }
  }
}

// A copy needs no memory where there is enough.
std::span<test::TensorMemory> KeptOutputs::For(const Entry& entry) {
  std::ranges::copy(entry.outputs(), outputs_.begin());
  return std::span(outputs_).first(entry.outputs().size());
}

std::deque<Entry> MakePool(const std::filesystem::path& reference_data) {
  std::mt19937 random(20260101);
  std::deque<Entry> pool;
  for (const auto& entry : std::filesystem::directory_iterator(reference_data)) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream file(entry.path());
    for (const json& recorded : json::parse(file)) AddRecorded(recorded, random, pool);
  }
  if (pool.empty()) return pool;
  for (const Definition* definition : Registry()) AddCases(*definition, random, pool);
  return pool;
}

}  // namespace anydml::load
