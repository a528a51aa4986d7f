// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// `anydml explain`: what the library makes of a description.
#include <fmt/format.h>

#include "base/text.h"
#include "commands.h"
#include "console.h"
#include "load.h"
#include "model/place.h"
#include "operators/device_program.h"
#include "operators/registry.h"
#include "schema/arguments.h"

namespace anydml::tool {
namespace {

using schema::Arguments;

std::string TensorText(const TensorDesc& tensor) {
  if (!tensor.present()) return "absent";
  const bool packed = tensor.strides == PackedStrides(tensor.Sizes());
  return fmt::format("{} {}, {}{}, {} bytes", DataTypeName(tensor.data_type),
                     BracedList(tensor.Sizes()),
                     packed ? std::string("packed") : "strides " + BracedList(tensor.Strides()),
                     tensor.flags != 0 ? ", owned" : "", tensor.total_bytes);
}

void PrintDescription(const Arguments& arguments) {
  const auto fields = arguments.schema().fields;
  for (size_t i = 0; i < fields.size(); ++i) {
    const auto print = [](std::string_view name, const std::string& text) {
      Print("  {:<22} {}\n", name, text);
    };
    for (size_t k = 0; k < arguments.at(i).tensors.size(); ++k) {
      const size_t number = arguments.EntryNumber(i, k);
      print(arguments.TensorName(number), TensorText(arguments.tensor(number)));
    }
    if (fields[i].is_tensor_array()) continue;
    print(fields[i].name, fields[i].is_tensor() ? TensorText(arguments.tensor(i))
                                                : schema::ValueText(arguments, i));
  }
}

template <typename Strategies>
void PrintStrategies(std::string_view device, const Strategies& strategies, const void* plan) {
  bool chosen = false;
  for (const auto& strategy : strategies) {
    const std::string_view name = NameOf(strategy);
    const Refusal refusal = strategy.accepts(plan);
    if (!refusal.accepted()) {
      Print("  {:<4} {}: refused, {}\n", device, name, refusal.reason);
    } else if (!chosen) {
      chosen = true;
      Print("  {:<4} {}: chosen, {} temporary bytes\n", device, name,
            strategy.temporary_bytes(plan));
    } else {
      Print("  {:<4} {}: not needed\n", device, name);
    }
  }
}

// On the CPU, and on CUDA devices where libanydml_cuda.so is there.
void PrintStrategies(const Operator& op, const void* plan) {
  const Kernel& kernel = *op.definition->kernel;
  PrintStrategies("cpu", kernel.cpu_strategies, plan);
  if (const CudaKernel* cuda = FindCudaKernel(kernel)) {
    PrintStrategies("cuda", cuda->strategies, plan);
  }
}

// Every line of a plan indented.
std::string Indented(const std::string& text) {
  std::string out = "  ";
  for (char c : text) {
    out += c;
    if (c == '\n') out += "  ";
  }
  return out;
}

int Explain(const model::Dispatchable& dispatchable, const std::string& path, FeatureLevel level) {
  const Definition* definition = FindOperator(dispatchable.arguments.schema().name);
  Result<Operator> op =
      CreateOperator(*definition, dispatchable.arguments, {.feature_level = level});
  if (!op.ok()) {
    PrintProblems(path, {op.error()});
    return kFailure;
  }
  const schema::OperatorSchema& schema = *definition->schema;
  Print("{}: {} (value {}, since feature level {})\n", model::Escaped(dispatchable.name),
        schema.name, schema.type, FeatureLevelName(schema.level));
  PrintDescription(dispatchable.arguments);
  const std::shared_ptr<const void> plan = definition->kernel->make_plan(op.value().desc.get());
  Print("plan\n{}\nstrategies\n", Indented(definition->kernel->explain(plan.get())));
  PrintStrategies(op.value(), plan.get());
  if (const Operator* activation = op.value().activation.get()) {
    Print("then {}, in place\n", activation->definition->schema->name);
    const Kernel& kernel = *activation->definition->kernel;
    PrintStrategies(*activation, kernel.make_plan(activation->desc.get()).get());
  }
  return kSuccess;
}

}  // namespace

int ExplainModel(const ExplainOptions& options) {
  LoadedModel loaded = LoadModel(options.model, options.input_path);
  PrintProblems(options.model, loaded.problems);
  int result = loaded.problems.empty() ? kSuccess : kFailure;
  const FeatureLevel level = LevelOf(options.feature_level);
  for (const model::Dispatchable& dispatchable : loaded.model.dispatchables) {
    result |= Explain(dispatchable, options.model, level);
  }
  return result;
}

}  // namespace anydml::tool
