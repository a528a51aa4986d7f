// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Who judges the judge: every reference, and every strategy beside it, gives
// the results that another program gave to the descriptions of this folder
// (make_reference_data.py tells how they were made).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "operators/registry.h"
#include "support/descriptions.h"
#include "support/json_arguments.h"
#include "support/tensor_data.h"

namespace anydml::test {
namespace {

using nlohmann::json;

std::vector<std::filesystem::path> JsonFiles() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(ANYDML_REFERENCE_DATA_FOLDER)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

// The tensors of one entry: inputs as recorded, outputs to be written.
struct Memories {
  Memories(const schema::Arguments& arguments, const json& data) {
    for (size_t field : arguments.inputs()) {
      inputs.emplace_back(arguments.tensor(field));
      if (arguments.tensor(field).present()) {
        inputs.back().SetElements(Recorded(arguments.schema(), field, data));
        bindings.inputs[inputs.size() - 1] = inputs.back().data();
      }
    }
    for (size_t field : arguments.outputs()) {
      outputs.emplace_back(arguments.tensor(field));
      if (arguments.tensor(field).present()) {
        bindings.outputs[outputs.size() - 1] = outputs.back().data();
      }
    }
  }

  static std::vector<uint8_t> Recorded(const schema::OperatorSchema& schema, size_t field,
                                       const json& data) {
    return BytesFromHex(data.at(std::string(schema.fields[field].name)).get<std::string>());
  }

  std::vector<TensorMemory> inputs;
  std::vector<TensorMemory> outputs;
  Bindings bindings;
};

// The recorded bytes must be as many as the sizes say, or SetElements would read
// past them and a comparison could be of nothing.
bool IsComplete(const schema::Arguments& arguments, const json& data) {
  size_t tensors = 0;
  for (size_t i = 0; i < arguments.schema().fields.size(); ++i) {
    if (!arguments.schema().fields[i].is_tensor() || !arguments.tensor(i).present()) continue;
    ++tensors;
    const TensorDesc& tensor = arguments.tensor(i);
    const size_t bytes = tensor.ElementCount() * ElementSize(tensor.data_type);
    const auto found = data.find(std::string(arguments.schema().fields[i].name));
    if (found == data.end() || found->get<std::string>().size() != 2 * bytes) return false;
  }
  return tensors == data.size();
}

void Compare(const Operator& op, const Memories& memories, const json& data) {
  const schema::OperatorSchema& schema = *op.definition->schema;
  const std::vector<size_t> fields = op.arguments->outputs();
  for (size_t i = 0; i < fields.size(); ++i) {
    if (!op.arguments->tensor(fields[i]).present()) continue;
    EXPECT_EQ(
        FindDifference(op.arguments->tensor(fields[i]), Memories::Recorded(schema, fields[i], data),
                       memories.outputs[i].Elements(), !op.definition->kernel->preserves_nan_bits),
        std::nullopt)
        << schema.fields[fields[i]].name;
    EXPECT_EQ(memories.outputs[i].FindForeignWrite(), std::nullopt);
  }
}

void CheckReference(const Operator& op, const json& data) {
  SCOPED_TRACE("reference");
  Memories memories(*op.arguments, data);
  RunReference(op, memories.bindings);
  Compare(op, memories, data);
}

void CheckStrategies(const Operator& op, const json& data) {
  static const cpu::Executor executor(3);
  const Kernel& kernel = *op.definition->kernel;
  const std::shared_ptr<const void> plan = kernel.make_plan(op.desc.get());
  for (const CpuStrategy& strategy : kernel.cpu_strategies) {
    if (!strategy.accepts(plan.get()).accepted()) continue;
    SCOPED_TRACE(strategy.name);
    Result<CpuProgram> program = Compile(op, &strategy);
    ASSERT_TRUE(program.ok()) << program.error().message;
    Memories memories(*op.arguments, data);
    TemporaryMemory temporary(program.value().temporary_bytes);
    memories.bindings.temporary = temporary.data();
    const Status status = Run(program.value(), memories.bindings, executor);
    ASSERT_TRUE(status.ok()) << status.error().message;
    Compare(op, memories, data);
  }
}

void CheckEntry(const json& entry) {
  const auto name = entry.at("operator").get<std::string>();
  const Definition* definition = FindOperator(name);
  ASSERT_NE(definition, nullptr)
      << name << " has reference data and is not in the registry (src/operators/registry.cpp)";
  Result<schema::Arguments> arguments = ArgumentsFromJson(*definition->schema, entry.at("fields"));
  ASSERT_TRUE(arguments.ok()) << arguments.error().message;
  const json& data = entry.at("data");
  ASSERT_TRUE(IsComplete(arguments.value(), data)) << "data does not match the tensors";
  Result<Operator> op = CreateOperator(*definition, std::move(arguments).value(), {});
  ASSERT_TRUE(op.ok()) << op.error().message;
  CheckReference(op.value(), data);
  CheckStrategies(op.value(), data);
}

class ReferenceData : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(ReferenceData, ReferenceAndStrategiesGiveTheRecordedBits) {
  std::ifstream file(GetParam());
  const json entries = json::parse(file);
  ASSERT_FALSE(entries.empty());
  for (const json& entry : entries) {
    SCOPED_TRACE(entry.at("name").get<std::string>());
    CheckEntry(entry);
    if (HasFatalFailure()) return;  // one sentence is enough for a missing operator
  }
}

INSTANTIATE_TEST_SUITE_P(Files, ReferenceData, testing::ValuesIn(JsonFiles()),
                         [](const auto& info) { return info.param.stem().string(); });

// An empty folder would pass without a word.
TEST(ReferenceDataFolder, IsFound) { EXPECT_FALSE(JsonFiles().empty()); }

}  // namespace
}  // namespace anydml::test
