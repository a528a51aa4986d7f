// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "graph/values.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/escaped.h"
#include "operators/registry.h"
#include "schema/interpreter.h"
#include "schema/output_tensors.h"
#include "schema/settings.h"

namespace anydml::graph {
namespace {

// Of how many bytes the first `total_bytes` are a tensor's; T2 to T9 without an operator.
Status CheckTensor(const TensorDesc& tensor, std::string_view what) {
  const bool is_type = tensor.data_type != DataType::kUnknown && ElementSize(tensor.data_type) != 0;
  const bool has_count = tensor.dimension_count >= 1 && tensor.dimension_count <= kMaxDimensions;
  if (!is_type || !has_count) {
    return InvalidArgument(fmt::format(
        "{}: a tensor has a data type and 1 to {} dimensions, not type {} and {} dimensions", what,
        kMaxDimensions, static_cast<uint32_t>(tensor.data_type), tensor.dimension_count));
  }
  const auto elements = LogicalElementCount(tensor.Sizes());
  const auto bytes = MinimumTotalBytes(tensor.data_type, tensor.Sizes(), tensor.Strides());
  if (std::ranges::count(tensor.Sizes(), 0u) != 0 || !elements || *elements > kMaxElements ||
      !bytes) {
    return InvalidArgument(
        fmt::format("{}: Sizes = {{{}}} must be 1 or more and at most {} elements together", what,
                    fmt::join(tensor.Sizes(), ", "), kMaxElements));
  }
  return {};
}

bool HasFused(const schema::Arguments& arguments, size_t field) {
  return arguments.at(field).description != nullptr;
}

// The field of the fused activation; as many as there are fields without one.
size_t FusedField(const schema::Arguments& arguments) {
  size_t field = 0;
  while (field < arguments.schema().fields.size() && !HasFused(arguments, field)) ++field;
  return field;
}

}  // namespace

GraphValue Values::NewValue(Origin origin) {
  origins_.push_back(std::move(origin));
  return {static_cast<uint32_t>(origins_.size() - 1), origins_.back().tensor};
}

Result<GraphValue> Values::Input(std::string name, const TensorDesc& tensor) {
  if (name.empty()) return InvalidArgument("graph: an input needs a name");
  if (std::ranges::find(input_names_, name) != input_names_.end()) {
    return InvalidArgument(fmt::format("graph: there is an input '{}' already", Escaped(name)));
  }
  Status status = CheckTensor(tensor, fmt::format("graph: input '{}'", Escaped(name)));
  if (!status.ok()) return status.error();
  if (MayOverlap(tensor.Sizes(), tensor.Strides())) {
    return InvalidArgument(
        fmt::format("graph: input '{}' has Strides {{{}}} by which elements overlap; make it "
                    "without and take a view",
                    Escaped(name), fmt::join(tensor.Strides(), ", ")));
  }
  input_names_.push_back(std::move(name));
  inputs_.push_back(
      NewValue({Origin::Kind::kInput, static_cast<uint32_t>(inputs_.size()), 0, tensor}));
  return inputs_.back();
}

Result<GraphValue> Values::Constant(std::span<const std::byte> bytes, const TensorDesc& tensor) {
  Status status = CheckTensor(tensor, "graph: a constant");
  if (!status.ok()) return status.error();
  if (bytes.size() != tensor.total_bytes) {
    return InvalidArgument(fmt::format("graph: a constant has {} bytes and its tensor {}",
                                       bytes.size(), tensor.total_bytes));
  }
  constants_.emplace_back(bytes.begin(), bytes.end());
  return NewValue(
      {Origin::Kind::kConstant, static_cast<uint32_t>(constants_.size() - 1), 0, tensor});
}

Result<GraphValue> Values::View(const GraphValue& value, std::span<const uint32_t> sizes,
                                std::span<const uint32_t> strides) {
  if (!Has(value)) return InvalidArgument("graph: the value is not one of this graph");
  if (sizes.size() != strides.size() || sizes.empty() || sizes.size() > kMaxDimensions) {
    return InvalidArgument(
        fmt::format("graph: a view has 1 to {} sizes and as many strides, not "
                    "{} and {}",
                    kMaxDimensions, sizes.size(), strides.size()));
  }
  GraphValue view = value;
  view.tensor.has_strides = true;
  view.tensor.dimension_count = static_cast<uint32_t>(sizes.size());
  view.tensor.sizes = {};
  view.tensor.strides = {};
  std::ranges::copy(sizes, view.tensor.sizes.begin());
  std::ranges::copy(strides, view.tensor.strides.begin());
  Status status = CheckTensor(view.tensor, "graph: a view");
  if (!status.ok()) return status.error();
  view.tensor.total_bytes = *MinimumTotalBytes(view.tensor.data_type, sizes, strides);
  const uint64_t bytes = OriginOf(value).tensor.total_bytes;
  if (view.tensor.total_bytes > bytes) {
    return InvalidArgument(
        fmt::format("graph: a view of {} has Sizes {{{}}} and Strides {{{}}}, which take {} "
                    "bytes; it must stay within {}",
                    Describe(value), fmt::join(sizes, ", "), fmt::join(strides, ", "),
                    view.tensor.total_bytes, bytes));
  }
  return view;
}

Result<std::vector<GraphValue>> Values::Add(schema::Arguments arguments,
                                            std::span<const GraphValue> inputs) {
  const Definition* definition = FindOperator(arguments.schema().type);
  if (definition == nullptr) {
    return Unsupported(
        fmt::format("{}: this operator is not implemented", arguments.schema().name));
  }
  const size_t fused = FusedField(arguments);
  if (fused == arguments.schema().fields.size()) {
    return AddPlain(*definition, std::move(arguments), inputs);
  }
  schema::Arguments activation = *arguments.at(fused).description;
  arguments.at(fused) = {};
  Result<std::vector<GraphValue>> outputs = AddPlain(*definition, std::move(arguments), inputs);
  if (!outputs.ok()) return outputs;
  activation.tensor(activation.outputs()[0]) = outputs.value()[0].tensor;
  Result<std::vector<GraphValue>> activated = Add(std::move(activation), {&outputs.value()[0], 1});
  if (!activated.ok()) return activated;
  outputs.value()[0] = activated.value()[0];
  return outputs;
}

Result<std::vector<GraphValue>> Values::AddPlain(const Definition& definition,
                                                 schema::Arguments arguments,
                                                 std::span<const GraphValue> inputs) {
  std::vector<TensorDesc> tensors;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].present() && !Has(inputs[i])) {
      return arguments.Fail(fmt::format("input {} is not a value of this graph", i));
    }
    tensors.push_back(inputs[i].tensor);
  }
  Status status = schema::PutInputs(tensors, arguments);
  if (!status.ok()) return status.error();
  Node node = {&definition, nullptr, {inputs.begin(), inputs.end()}, {}};
  node.inputs.resize(arguments.inputs().size());
  schema::FillFallbacks(arguments);
  schema::Problems problems = schema::CompleteOutputs(arguments, kNewestFeatureLevel);
  if (!problems.empty()) return problems.front();
  status = schema::Validate(arguments, kNewestFeatureLevel);
  if (!status.ok()) return status.error();
  const auto index = static_cast<uint32_t>(nodes_.size());
  uint32_t output = 0;
  for (size_t number : arguments.outputs()) {
    const TensorDesc& tensor = arguments.tensor(number);
    node.outputs.push_back(tensor.present() ? NewValue({Origin::Kind::kNode, index, output, tensor})
                                            : GraphValue());
    ++output;
  }
  node.arguments = std::make_shared<const schema::Arguments>(std::move(arguments));
  nodes_.push_back(std::move(node));
  return nodes_.back().outputs;
}

std::string Values::Describe(const GraphValue& value) const {
  const Origin& origin = OriginOf(value);
  switch (origin.kind) {
    case Origin::Kind::kInput:
      return fmt::format("input '{}'", Escaped(input_names_[origin.index]));
    case Origin::Kind::kConstant:
      return fmt::format("constant {}", origin.index);
    default:
      break;
  }
  const std::string what = fmt::format("the output of {} (node {})",
                                       nodes_[origin.index].arguments->schema().name, origin.index);
  const auto named = names_.find(value.id);
  return named == names_.end() ? what : fmt::format("'{}', {}", Escaped(named->second), what);
}

}  // namespace anydml::graph
