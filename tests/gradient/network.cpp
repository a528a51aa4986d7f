// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "gradient/network.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/float16.h"
#include "graph/program.h"
#include "support/tensor_data.h"

namespace anydml::gradient {
namespace {

// Elements as bytes of the type, one after the other.
std::vector<uint8_t> ToBytes(DataType type, const Numbers& numbers) {
  const size_t size = ElementSize(type);
  std::vector<uint8_t> bytes(numbers.size() * size);
  for (size_t i = 0; i < numbers.size(); ++i) {
    const uint64_t bits = schema::ScalarBits(type, numbers[i]);
    std::memcpy(&bytes[i * size], &bits, size);
  }
  return bytes;
}

Numbers ToNumbers(DataType type, const std::vector<uint8_t>& bytes) {
  Numbers numbers;
  for (size_t at = 0; at < bytes.size(); at += ElementSize(type)) {
    if (type == DataType::kFloat16) {
      Float16 half;
      std::memcpy(&half, &bytes[at], sizeof half);
      numbers.push_back(ToFloat(half));
    } else {
      EXPECT_EQ(type, DataType::kFloat32);
      float number;
      std::memcpy(&number, &bytes[at], sizeof number);
      numbers.push_back(number);
    }
  }
  return numbers;
}

TensorDesc WithStrides(const Sizes& sizes, const Sizes& strides) {
  TensorDesc tensor = PackedTensor(DataType::kFloat32, sizes);
  tensor.has_strides = true;
  std::ranges::copy(strides, tensor.strides.begin());
  tensor.total_bytes = *MinimumTotalBytes(tensor.data_type, sizes, strides);
  return tensor;
}

Sizes PackedStridesOf(const Sizes& sizes) {
  const Dimensions strides = PackedStrides(sizes);
  return {strides.begin(), strides.begin() + static_cast<std::ptrdiff_t>(sizes.size())};
}

size_t CountOf(const Sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), size_t{1}, std::multiplies<>());
}

}  // namespace

Numbers RandomIntegers(std::mt19937& random, size_t count) {
  std::uniform_int_distribution<int> distribution(-4, 4);
  Numbers numbers(count);
  for (double& number : numbers) number = distribution(random);
  return numbers;
}

double Dot(const Numbers& a, const Numbers& b) {
  EXPECT_EQ(a.size(), b.size());
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

GraphValue Network::Input(const TensorDesc& tensor, const Numbers& elements) {
  EXPECT_EQ(tensor.ElementCount(), elements.size());
  Result<GraphValue> value = values.Input("x" + std::to_string(elements_.size()), tensor);
  EXPECT_TRUE(value.ok()) << value.error().message;
  elements_.push_back(elements);
  return value.value();
}

GraphValue Network::Random(const Sizes& sizes, double low, double high) {
  std::uniform_int_distribution<int> distribution(static_cast<int>(low * 8),
                                                  static_cast<int>(high * 8) - 1);
  Numbers numbers(CountOf(sizes));
  for (double& number : numbers) number = (2 * distribution(random_) + 1) / 16.0;
  return Floats(sizes, numbers);
}

GraphValue Network::Distinct(const Sizes& sizes) {
  Numbers numbers(CountOf(sizes));
  std::iota(numbers.begin(), numbers.end(), -static_cast<double>(numbers.size() / 2));
  for (double& number : numbers) number = (2 * number + 1) / 16;
  std::ranges::shuffle(numbers, random_);
  return Floats(sizes, numbers);
}

GraphValue Network::Integers(const Sizes& sizes) {
  return Floats(sizes, RandomIntegers(random_, CountOf(sizes)));
}

GraphValue Network::IntegersInAnyLayout(const Sizes& sizes) {
  const size_t rank = sizes.size();
  const uint32_t kind = Between(0, 6);
  if (kind == 0) return Integers(sizes);
  Sizes order(rank), permuted(rank);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::shuffle(order, random_);
  for (size_t i = 0; i < rank; ++i) permuted[i] = sizes[order[i]];
  const auto restore = [&](const Sizes& strides) {
    Sizes restored(rank);
    for (size_t i = 0; i < rank; ++i) restored[order[i]] = strides[i];
    return restored;
  };
  if (kind == 1) {  // an input with its axes in another order
    const TensorDesc tensor = WithStrides(sizes, restore(PackedStridesOf(permuted)));
    return Input(tensor, RandomIntegers(random_, CountOf(sizes)));
  }
  if (kind == 2) {  // an input with gaps
    Sizes wider = permuted;
    for (uint32_t& size : wider) size += Between(0, 1);
    wider.back() *= 2;
    Sizes strides = PackedStridesOf(wider);
    strides.back() = 2;
    return Input(WithStrides(sizes, restore(strides)), RandomIntegers(random_, CountOf(sizes)));
  }
  Sizes base = permuted, of_base;
  Sizes factors(rank, 1);
  if (kind == 4) {  // a part
    for (uint32_t& size : base) size += Between(0, 2);
  } else if (kind == 5) {  // every second element of an axis
    const uint32_t axis = Between(0, static_cast<uint32_t>(rank) - 1);
    base[axis] *= 2;
    factors[axis] = 2;
  } else if (kind == 6) {  // repeated along an axis
    const uint32_t axis = Between(0, static_cast<uint32_t>(rank) - 1);
    base[axis] = 1;
    factors[axis] = 0;
  }
  Sizes strides = PackedStridesOf(base);
  for (size_t i = 0; i < rank; ++i) strides[i] *= factors[i];
  return write.View(Integers(base), sizes, restore(strides));
}

GraphValue Network::Output(const schema::Settings& settings, std::vector<GraphValue> inputs) {
  const GraphValue output = write.Outputs(settings, inputs)[0];
  EXPECT_TRUE(write.ok()) << write.Finish({}).error().message;
  return output;
}

GraphValue Network::Loss(const GraphValue& y, const GraphValue& weights) {
  Sizes axes(y.tensor.dimension_count);
  std::iota(axes.begin(), axes.end(), 0u);
  const GraphValue loss = write.Sum(write.Multiply(y, weights), axes);
  EXPECT_TRUE(write.ok()) << write.Finish({}).error().message;
  return loss;
}

std::vector<GraphValue> Network::Differentiate(const GraphValue& loss,
                                               const std::vector<GraphValue>& of) {
  Result<std::vector<GraphValue>> gradients = gradient::Differentiate(values, loss, of);
  EXPECT_TRUE(gradients.ok()) << gradients.error().message;
  return gradients.ok() ? gradients.value() : std::vector<GraphValue>();
}

std::vector<Numbers> Network::Run(const std::vector<GraphValue>& outputs) const {
  std::vector<Numbers> results;
  Result<graph::Graph> graph = values.Build(outputs, {});
  EXPECT_TRUE(graph.ok()) << graph.error().message;
  if (!graph.ok()) return {};
  const auto program = graph::Compile(graph.value());
  EXPECT_TRUE(program.ok()) << program.error().message;
  if (!program.ok()) return {};
  std::vector<test::TensorMemory> inputs, written;
  std::vector<const void*> from;
  std::vector<void*> to;
  for (const GraphValue& input : values.inputs()) {
    inputs.emplace_back(input.tensor, uint8_t{0xFF});
    inputs.back().SetElements(BytesOf(input));
  }
  for (const GraphValue& output : outputs) {
    written.emplace_back(values.OutputTensor(output));
  }
  for (auto& memory : inputs) from.push_back(memory.data());
  for (auto& memory : written) to.push_back(memory.data());
  std::vector<uint8_t> temporary(program.value()->temporary_bytes + graph::kTemporaryAlignment);
  const auto address = reinterpret_cast<uintptr_t>(temporary.data());
  void* aligned = reinterpret_cast<void*>((address + 255) / 256 * 256);
  static const cpu::Executor executor(2);
  const Status status = graph::Run(*program.value(), {from, to, aligned}, executor);
  EXPECT_TRUE(status.ok());
  for (size_t i = 0; i < outputs.size(); ++i) {
    results.push_back(ToNumbers(outputs[i].tensor.data_type, written[i].Elements()));
  }
  return results;
}

std::vector<uint8_t> Network::BytesOf(const GraphValue& input) const {
  return ToBytes(input.tensor.data_type, elements_[values.OriginOf(input).index]);
}

bool Network::HasOperator(std::string_view name) const {
  return std::ranges::any_of(values.nodes(), [&](const graph::Values::Node& node) {
    return node.definition->schema->name == name;
  });
}

}  // namespace anydml::gradient
