// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "train/model_hash.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/sha256.h"
#include "train/model.h"
#include "train/optimizer.h"

namespace anydml::train {
namespace {

std::string TextOf(const GraphValue& value) {
  if (!value.present()) return "-";
  const TensorDesc& tensor = value.tensor;
  return fmt::format("{}:{}[{}]({})", value.id, DataTypeName(tensor.data_type),
                     fmt::join(tensor.Sizes(), ","), fmt::join(tensor.Strides(), ","));
}

std::string TextOf(const graph::Values::Node& node) {
  const schema::Arguments& arguments = *node.arguments;
  std::string text(arguments.schema().name);
  for (size_t i = 0; i < arguments.schema().fields.size(); ++i) {
    if (!arguments.IsPresent(i)) continue;
    text += fmt::format(" {}={:x}", arguments.schema().fields[i].name,
                        fmt::join(arguments.Uints(i), ","));
  }
  for (const GraphValue& input : node.inputs) text += " <" + TextOf(input);
  for (const GraphValue& output : node.outputs) text += " >" + TextOf(output);
  return text + "\n";
}

std::string TextOf(const Optimizer& optimizer) {
  if (optimizer.kind == Optimizer::Kind::kSgd) return fmt::format("SGD {:a}\n", optimizer.momentum);
  return fmt::format("Adam {:a} {:a} {:a}\n", optimizer.beta1, optimizer.beta2, optimizer.epsilon);
}

}  // namespace

std::string HashOf(const Model& model, const Optimizer& optimizer) {
  Sha256 hash;
  const auto add = [&hash](const std::string& text) { hash.Add(std::as_bytes(std::span(text))); };
  for (size_t i = 0; i < model.graph.inputs().size(); ++i) {
    add(fmt::format("input {} {}\n", model.graph.input_names()[i],
                    TextOf(model.graph.inputs()[i])));
  }
  for (const graph::Values::Node& node : model.graph.nodes()) {
    add(TextOf(node));
    for (const GraphValue& input : node.inputs) {
      if (!input.present()) continue;
      const graph::Values::Origin& origin = model.graph.OriginOf(input);
      if (origin.kind != graph::Values::Origin::Kind::kConstant) continue;
      hash.Add(model.graph.ConstantBytes(origin.index));
    }
  }
  add("loss " + TextOf(model.loss) + "\n");
  for (const Parameter& parameter : model.parameters)
    add("parameter " + TextOf(parameter.value) + "\n");
  for (const Statistic& statistic : model.statistics) {
    add(fmt::format("statistic {} {}\n", TextOf(statistic.value), TextOf(statistic.next)));
  }
  add(TextOf(optimizer));
  return hash.Text();
}

}  // namespace anydml::train
