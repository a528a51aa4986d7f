// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "gradient/differentiate.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <new>

#include "gradient/view.h"
#include "operators/operator.h"

namespace anydml::gradient {
namespace {

using Origin = graph::Values::Origin;

bool IsFloat(const TensorDesc& tensor) { return HasGradient(tensor.data_type); }

class Differentiator {
 public:
  Differentiator(graph::Values& graph, const GraphValue& loss, std::span<const GraphValue> of)
      : graph_(graph), write_(graph), loss_(loss), of_(of), node_count_(graph.nodes().size()) {}

  Result<std::vector<GraphValue>> Run() {
    Status status = Check();
    if (!status.ok()) return status.error();
    FindDependents();
    for (const GraphValue& value : of_) {
      if (!needed_by_loss_[value.id]) {
        return InvalidArgument(fmt::format("graph: {} does not depend on {}",
                                           graph_.Describe(loss_), graph_.Describe(value)));
      }
    }
    gradients_[loss_.id] = write_.Fill(graph_.Whole(loss_), 1);
    for (size_t node = node_count_; node-- > 0 && write_.ok();) {
      status = GoThrough(node);
      if (!status.ok()) return status.error();
    }
    return Collect();
  }

 private:
  Status Check() const {
    if (!graph_.Has(loss_)) {
      return InvalidArgument("graph: the value to differentiate is not one of this graph");
    }
    const TensorDesc& whole = graph_.OriginOf(loss_).tensor;
    // A view may repeat the element.
    const TensorDesc& tensor = whole.ElementCount() == 1 ? loss_.tensor : whole;
    if (tensor.ElementCount() != 1 || !IsFloat(tensor)) {
      return InvalidArgument(fmt::format(
          "graph: {} has Sizes {{{}}} and the type {}; what is differentiated must "
          "have one element, of a floating-point type",
          graph_.Describe(loss_), fmt::join(tensor.Sizes(), ", "), DataTypeName(tensor.data_type)));
    }
    for (const GraphValue& value : of_) {
      if (!graph_.Has(value)) {
        return InvalidArgument(
            "graph: a value that a gradient is asked for is not one of this graph");
      }
      const TensorDesc& whole = graph_.OriginOf(value).tensor;
      if (!IsFloat(whole)) {
        return InvalidArgument(fmt::format("graph: {} has the type {}, which has no gradient",
                                           graph_.Describe(value), DataTypeName(whole.data_type)));
      }
      if (value.tensor.dimension_count != whole.dimension_count ||
          !HaveSameLayout(value.tensor, whole)) {
        return InvalidArgument(
            fmt::format("graph: a gradient is asked for a view of {}; ask for that itself",
                        graph_.Describe(value)));
      }
    }
    return {};
  }

  // Values on a way from what is wanted to the loss.
  void FindDependents() {
    const size_t values = CountValues();
    gradients_.resize(values);
    depends_.resize(values);
    needed_by_loss_.resize(values);
    for (const GraphValue& value : of_) depends_[value.id] = true;
    for (size_t n = 0; n < node_count_; ++n) {
      const graph::Values::Node& node = graph_.nodes()[n];
      bool any = false;
      for (const GraphValue& input : node.inputs) any = any || DependsOnWanted(input);
      for (const GraphValue& output : node.outputs) {
        if (any && output.present() && IsFloat(output.tensor)) depends_[output.id] = true;
      }
    }
    needed_by_loss_[loss_.id] = true;
    for (size_t n = node_count_; n-- > 0;) {
      const graph::Values::Node& node = graph_.nodes()[n];
      bool any = false;
      for (const GraphValue& output : node.outputs) {
        any = any || (output.present() && needed_by_loss_[output.id]);
      }
      for (const GraphValue& input : node.inputs) {
        if (any && input.present()) needed_by_loss_[input.id] = true;
      }
    }
  }

  size_t CountValues() const {
    size_t count = 0;
    const auto see = [&](const GraphValue& value) {
      if (value.present()) count = std::max<size_t>(count, value.id + 1);
    };
    for (const GraphValue& value : graph_.inputs()) see(value);
    for (const graph::Values::Node& node : graph_.nodes()) {
      for (const GraphValue& value : node.inputs) see(value);
      for (const GraphValue& value : node.outputs) see(value);
    }
    see(loss_);
    for (const GraphValue& value : of_) see(value);
    return count;
  }

  bool DependsOnWanted(const GraphValue& value) const {
    return value.present() && depends_[value.id] &&
           (IsFloat(value.tensor) || IsReinterpreted(value));
  }

  // Read as another type than it was written.
  bool IsReinterpreted(const GraphValue& value) const {
    return value.tensor.data_type != graph_.OriginOf(value).tensor.data_type;
  }

  Status GoThrough(size_t index) {
    // A copy: the rule adds nodes.
    const graph::Values::Node node = graph_.nodes()[index];
    bool reached = false;
    std::vector<GraphValue> of_outputs;
    for (const GraphValue& output : node.outputs) {
      of_outputs.push_back(output.present() ? gradients_[output.id] : GraphValue());
      reached = reached || of_outputs.back().present();
    }
    bool any_wanted = false;
    const std::unique_ptr<bool[]> is_wanted(new bool[node.inputs.size()]());
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      is_wanted[i] = DependsOnWanted(node.inputs[i]);
      any_wanted = any_wanted || is_wanted[i];
    }
    if (!reached || !any_wanted) return {};
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (!is_wanted[i] || !IsReinterpreted(node.inputs[i])) continue;
      return Unsupported(fmt::format(
          "graph: {} (node {}) reads {} of the type {} as {}: bits that are reinterpreted have no "
          "gradient",
          node.arguments->schema().name, index, graph_.Describe(node.inputs[i]),
          DataTypeName(graph_.OriginOf(node.inputs[i]).tensor.data_type),
          DataTypeName(node.inputs[i].tensor.data_type)));
    }
    const GradientRule rule = node.definition->gradient;
    if (rule == nullptr) return HasNoGradient(node, index, is_wanted.get());
    Result<std::vector<GraphValue>> of_inputs = rule({*node.arguments,
                                                      node.inputs,
                                                      node.outputs,
                                                      of_outputs,
                                                      {is_wanted.get(), node.inputs.size()}},
                                                     graph_);
    if (!of_inputs.ok()) return InTheGradientOf(node, index, of_inputs.error());
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (is_wanted[i] && of_inputs.value()[i].present()) {
        Accumulate(node.inputs[i], of_inputs.value()[i]);
      }
    }
    return {};
  }

  // What is refused may be another operator, which the rule is written in.
  static Error InTheGradientOf(const graph::Values::Node& node, size_t index, const Error& error) {
    return {error.code, fmt::format("the gradient of {} (node {}): {}",
                                    node.arguments->schema().name, index, error.message)};
  }

  Status HasNoGradient(const graph::Values::Node& node, size_t index, const bool* is_wanted) const {
    size_t input = 0;
    while (!is_wanted[input]) ++input;
    return Unsupported(
        fmt::format("graph: {} (node {}) has no gradient, and it lies between {} "
                    "and {}",
                    node.arguments->schema().name, index,
                    graph_.Describe(SourceOf(node.inputs[input])), graph_.Describe(loss_)));
  }

  // A wanted value that this one depends on.
  GraphValue SourceOf(GraphValue value) const {
    for (;;) {
      for (const GraphValue& wanted : of_) {
        if (wanted.id == value.id) return wanted;
      }
      const Origin& origin = graph_.OriginOf(value);
      if (origin.kind != Origin::Kind::kNode) return value;
      for (const GraphValue& input : graph_.nodes()[origin.index].inputs) {
        if (!DependsOnWanted(input)) continue;
        value = input;
        break;
      }
    }
  }

  void Accumulate(const GraphValue& view, const GraphValue& gradient) {
    const TensorDesc whole = graph_.OriginOf(view).tensor;  // a copy: nodes are added
    const GraphValue part = GradientOfView(write_, gradient, view.tensor, whole);
    GraphValue& sum = gradients_[view.id];
    sum = sum.present() ? write_.Add(sum, part) : part;
  }

  Result<std::vector<GraphValue>> Collect() {
    std::vector<GraphValue> collected;
    for (const GraphValue& value : of_) {
      GraphValue gradient = gradients_[value.id];
      if (!gradient.present()) gradient = write_.Zeros(value);
      collected.push_back(IsPart(gradient) ? write_.Apply("IDENTITY", {gradient})
                                           : write_.Packed(gradient));
    }
    return write_.Finish(std::move(collected));
  }

  // A view of less than the bytes that are written.
  bool IsPart(const GraphValue& value) const {
    return graph_.Has(value) &&
           value.tensor.total_bytes != graph_.OriginOf(value).tensor.total_bytes;
  }

  graph::Values& graph_;
  GradientWriter write_;
  const GraphValue loss_;
  const std::span<const GraphValue> of_;
  const size_t node_count_;            // without those that are added
  std::vector<GraphValue> gradients_;  // by value, with its sizes; none: none yet
  std::vector<bool> depends_;          // on something wanted
  std::vector<bool> needed_by_loss_;
};

}  // namespace

Result<std::vector<GraphValue>> Differentiate(graph::Values& graph, const GraphValue& loss,
                                              std::span<const GraphValue> of) {
  try {
    return Differentiator(graph, loss, of).Run();
  } catch (const std::bad_alloc&) {
    return OutOfMemoryNow("graph: not enough memory to differentiate it");
  }
}

}  // namespace anydml::gradient
