// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Prints AllChecks() as JSON: for each a model that ends with the loss and its gradients, as
// `anydml grad` writes them, and what the library finds. rules_test.py evaluates the models in
// float64.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>

#include "c_api/graph_model.h"
#include "gradient/rule_checks.h"
#include "model/write.h"

namespace anydml::gradient {
namespace {

std::string Text(const std::vector<Numbers>& found) {
  std::vector<std::string> lists;
  for (const Numbers& numbers : found)
    lists.push_back(fmt::format("[{}]", fmt::join(numbers, ", ")));
  return fmt::format("[{}]", fmt::join(lists, ", "));
}

// One object; empty where something is refused, which fails other tests.
std::string Written(const std::string& name, const Check& check, uint32_t seed) {
  Network network(seed);
  const Checked checked = check(network);
  const std::span<const uint32_t> sizes = checked.y.tensor.Sizes();
  const GraphValue weights = network.Random(Sizes(sizes.begin(), sizes.end()), 0.25, 2);
  const GraphValue loss = network.Loss(checked.y, weights);
  std::vector<GraphValue> outputs = network.Differentiate(loss, checked.of);
  outputs.insert(outputs.begin(), loss);
  const std::vector<Numbers> found = network.Run(outputs);

  c_api::NamedGraph graph;
  for (const GraphValue& input : network.values.inputs()) {
    const std::vector<uint8_t> bytes = network.BytesOf(input);
    const auto* const begin = reinterpret_cast<const std::byte*>(bytes.data());
    graph.contents[input.id] = {begin, begin + bytes.size()};
  }
  std::vector<std::string> names;
  for (const GraphValue& value : checked.of) {
    names.push_back(network.values.input_names()[network.values.OriginOf(value).index]);
  }
  graph.values = std::move(network.values);
  std::vector<anydml_value> handles;
  for (size_t i = 0; i < outputs.size(); ++i) {
    handles.push_back(graph.NewHandle(outputs[i]));
    const Status status = graph.SetName(handles[i], i == 0 ? "loss" : "d." + names[i - 1]);
    if (!status.ok()) return {};
  }
  const Result<model::Model> model = c_api::ModelOf(graph, handles, {});
  if (!model.ok()) return {};
  return fmt::format("{{\"operator\": \"{}\", \"of\": [\"{}\"], \"found\": {},\n\"model\": {}}}",
                     name, fmt::join(names, "\", \""), Text(found),
                     model::WriteModel(model.value()));
}

}  // namespace
}  // namespace anydml::gradient

int main() {
  uint32_t seed = 1;
  std::puts("[");
  for (const auto& [name, check] : anydml::gradient::AllChecks()) {
    const std::string text = anydml::gradient::Written(name, check, seed);
    if (text.empty()) return 1;
    std::printf("%s%s\n", seed++ == 1 ? "" : ",", text.c_str());
  }
  std::puts("]");
  return 0;
}
