// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "fuzz/random_values.h"

#include <algorithm>
#include <numeric>

#include "fuzz/valid_description.h"
#include "gradient/rule_checks.h"
#include "operators/describe.h"

namespace anydml::test {
namespace {

using gradient::Check;
using gradient::Numbers;
using gradient::Sizes;

uint64_t Count(std::span<const uint32_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), uint64_t{1}, std::multiplies<>());
}

class Maker {
 public:
  Maker(gradient::Network& network, Bytes& bytes) : network_(network), bytes_(bytes) {}

  std::vector<GraphValue> Make() {
    network_.source = [this](const Sizes& sizes) {
      return Produced(network_.type, sizes, /*of_any_type=*/false);
    };
    const uint32_t count = 1 + bytes_.Below(6);
    for (uint32_t i = 0; i < count && network_.write.ok(); ++i) {
      const uint32_t kind = bytes_.Below(8);
      if (kind < 4) {
        AddCheck();
      } else if (kind < 7) {
        AddOperator();
      } else {
        AddView();
      }
    }
    if (!network_.write.ok()) RequireSentence(network_.write.Finish({}).error().message);
    network_.source = nullptr;
    return std::move(values_);
  }

 private:
  void Take(const Result<GraphValue>& value) {
    if (!value.ok()) return RequireSentence(value.error().message);
    // A view may repeat an element 2^32 times.
    const bool is_small = value.value().tensor.ElementCount() <= 2 * kMaxFuzzElements;
    if (value.value().present() && is_small) values_.push_back(value.value());
  }

  // What a rule is checked on, which fits however its inputs are made.
  void AddCheck() {
    static const std::vector<Check> checks = [] {
      std::vector<Check> all;
      for (const auto& [name, check] : gradient::AllChecks()) all.push_back(check);
      return all;
    }();
    Take(checks[bytes_.Below(static_cast<uint32_t>(checks.size()))](network_).y);
  }

  // Of any settings.
  void AddOperator() {
    const Definition& definition = ChooseDefinition(bytes_);
    const GraphValue* like = values_.empty() ? nullptr : &Any();
    schema::Arguments arguments =
        MakeValidDescription(definition, bytes_, like == nullptr ? nullptr : &like->tensor);
    std::vector<GraphValue> inputs;
    for (size_t number : arguments.inputs()) {
      const TensorDesc tensor = arguments.tensor(number);
      inputs.push_back(tensor.present() ? Value(tensor) : GraphValue());
    }
    for (size_t number : arguments.outputs()) {
      if (bytes_.Rarely()) arguments.tensor(number) = {};  // what follows from the inputs
    }
    const auto outputs = network_.values.Add(std::move(arguments), inputs);
    if (!outputs.ok()) return RequireSentence(outputs.error().message);
    for (const GraphValue& output : outputs.value()) Take(output);
  }

  const GraphValue& Any() { return values_[bytes_.Below(static_cast<uint32_t>(values_.size()))]; }

  // A value of these sizes and this type: what was made before, a constant or a new input.
  GraphValue Value(const TensorDesc& tensor) {
    const Sizes sizes(tensor.Sizes().begin(), tensor.Sizes().end());
    const GraphValue made = Produced(tensor.data_type, sizes, bytes_.Rarely());
    if (made.present()) return made;
    if (bytes_.Rarely()) {
      const std::vector<std::byte> elements(tensor.total_bytes, std::byte{0x3F});
      const Result<GraphValue> constant = network_.values.Constant(elements, tensor);
      if (constant.ok()) return constant.value();
    }
    TensorDesc whole = tensor;
    if (MayOverlap(tensor.Sizes(), tensor.Strides())) whole = PackedTensor(tensor.data_type, sizes);
    return network_.Input(whole, Numbers(Count(sizes)));
  }

  // A view of something that was made before; none where nothing is large enough.
  GraphValue Produced(DataType type, const Sizes& sizes, bool of_any_type) {
    if (values_.empty() || bytes_.Byte() % 4 == 3) return {};
    const GraphValue& from = Any();
    if (from.tensor.data_type != type && !of_any_type) return {};
    if (from.tensor.data_type == type && std::ranges::equal(from.tensor.Sizes(), sizes)) {
      return from;
    }
    const Result<GraphValue> view = network_.values.View(from, sizes, StridesFor(sizes));
    if (!view.ok()) RequireSentence(view.error().message);
    return view.ok() ? view.value() : GraphValue();
  }

  // Packed, repeated along an axis, in another order of the axes, combed, or anything.
  Sizes StridesFor(const Sizes& sizes) {
    Sizes strides(sizes.size());
    uint32_t stride = 1;
    const auto kind = bytes_.Below(6);
    for (size_t k = 0; k < sizes.size(); ++k) {
      const size_t i = kind == 1 ? k : sizes.size() - 1 - k;
      if (kind == 2 && bytes_.Flip()) continue;
      if (kind == 3 && bytes_.Flip()) stride *= 2;
      strides[i] = stride;
      stride *= sizes[i];
    }
    if (kind == 4) strides[bytes_.Below(static_cast<uint32_t>(sizes.size()))] = bytes_.Below(8);
    if (kind == 5 && bytes_.Rarely()) strides[0] = EdgeWord(bytes_);
    return strides;
  }

  void AddView() {
    if (values_.empty()) return;
    Sizes sizes(1 + bytes_.Below(4));
    for (uint32_t& size : sizes) size = 1 + bytes_.Below(5);
    if (bytes_.Rarely()) sizes[0] = EdgeWord(bytes_);
    const GraphValue from = Any();
    Take(network_.values.View(from, sizes, StridesFor(sizes)));
  }

  gradient::Network& network_;
  Bytes& bytes_;
  std::vector<GraphValue> values_;
};

}  // namespace

std::vector<GraphValue> AddRandomValues(gradient::Network& network, Bytes& bytes) {
  return Maker(network, bytes).Make();
}

}  // namespace anydml::test
