// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "train/model_hash.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "base/sha256.h"
#include "train/model.h"
#include "train/optimizer.h"

namespace anydml::train {
namespace {

std::string TextOf(const Optimizer& optimizer) {
  if (optimizer.kind == Optimizer::Kind::kSgd) return fmt::format("SGD {:a}\n", optimizer.momentum);
  return fmt::format("Adam {:a} {:a} {:a}\n", optimizer.beta1, optimizer.beta2, optimizer.epsilon);
}

class Hasher {
 public:
  explicit Hasher(const graph::Values& graph) : graph_(graph) {}

  void Add(const std::string& text) { hash_.Add(std::as_bytes(std::span(text))); }
  void Add(std::string_view what, const GraphValue& value) {
    Add(std::string(what));
    if (!value.present()) return Add("-");
    const auto [number, is_new] = numbers_.try_emplace(value.id, numbers_.size());
    const TensorDesc& tensor = value.tensor;
    Add(fmt::format("{}:{}[{}]({})", number->second, DataTypeName(tensor.data_type),
                    fmt::join(tensor.Sizes(), ","), fmt::join(tensor.Strides(), ",")));
    if (is_new) AddOrigin(graph_.OriginOf(value));
  }
  void Add(const graph::Values::Node& node) {
    const schema::Arguments& arguments = *node.arguments;
    Add(std::string(arguments.schema().name));
    for (size_t i = 0; i < arguments.schema().fields.size(); ++i) {
      if (!arguments.IsPresent(i)) continue;
      Add(fmt::format(" {}={:x}", arguments.schema().fields[i].name,
                      fmt::join(arguments.Uints(i), ",")));
    }
    for (const GraphValue& input : node.inputs) Add(" <", input);
    for (const GraphValue& output : node.outputs) Add(" >", output);
    Add("\n");
  }
  std::string Text() { return hash_.Text(); }

 private:
  void AddOrigin(const graph::Values::Origin& origin) {
    using Kind = graph::Values::Origin::Kind;
    if (origin.kind == Kind::kInput) Add(" input " + graph_.input_names()[origin.index]);
    if (origin.kind == Kind::kConstant) hash_.Add(graph_.ConstantBytes(origin.index));
  }

  const graph::Values& graph_;
  Sha256 hash_;
  std::map<uint32_t, size_t> numbers_;  // of values, in the order of their first use
};

}  // namespace

std::string HashOf(const Model& model, const Optimizer& optimizer) {
  std::vector<GraphValue> outputs = {model.loss};
  for (const Statistic& statistic : model.statistics) outputs.push_back(statistic.next);
  const std::vector<bool> is_live = model.graph.LiveNodes(outputs);
  Hasher hasher(model.graph);
  for (size_t i = 0; i < is_live.size(); ++i) {
    if (is_live[i]) hasher.Add(model.graph.nodes()[i]);
  }
  hasher.Add("loss ", model.loss);
  for (const Parameter& parameter : model.parameters) hasher.Add("\nparameter ", parameter.value);
  for (const Statistic& statistic : model.statistics) {
    hasher.Add("\nstatistic ", statistic.value);
    hasher.Add(" ", statistic.next);
  }
  hasher.Add("\n" + TextOf(optimizer));
  return hasher.Text();
}

}  // namespace anydml::train
