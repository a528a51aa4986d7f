// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A graph with numbers for its inputs, which tests build, differentiate and run.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "gradient/differentiate.h"
#include "graph/values.h"
#include "operators/gradient_writer.h"

namespace anydml::gradient {

using Sizes = std::vector<uint32_t>;
using Numbers = std::vector<double>;

class Network {
 public:
  explicit Network(uint32_t seed = 1, DataType type = DataType::kFloat32)
      : type(type), random_(seed) {}

  const DataType type;  // of the inputs

  graph::Values values;
  GradientWriter write{values};

  // An input of any type; the elements are in logical order, gaps are NaN or 0xFF.
  GraphValue Input(const TensorDesc& tensor, const Numbers& elements);
  GraphValue Floats(const Sizes& sizes, const Numbers& elements) {
    const GraphValue given = source ? source(sizes) : GraphValue();
    return given.present() ? given : Input(Tensor(sizes), elements);
  }
  // What may stand in the place of an input of these sizes.
  std::function<GraphValue(const Sizes&)> source;
  TensorDesc Tensor(const Sizes& sizes) const { return PackedTensor(type, sizes); }
  // Odd multiples of 1/16 between the bounds: no sum or difference of two is 0, nor is any
  // near a multiple of 1/8, where functions have their kinks.
  GraphValue Random(const Sizes& sizes, double low = -1, double high = 1);
  // All different, with steps of 1/8, in random order.
  GraphValue Distinct(const Sizes& sizes);
  // Small integers.
  GraphValue Integers(const Sizes& sizes);
  // The same through a random layout: inputs with strides and gaps, and transposed, cropped,
  // combed and broadcast views of inputs.
  GraphValue IntegersInAnyLayout(const Sizes& sizes);

  schema::Settings Call(std::string_view name) { return GradientWriter::Call(name); }
  // The first output; an operator that is refused fails the test.
  GraphValue Output(const schema::Settings& settings, std::vector<GraphValue> inputs);
  GraphValue Apply(std::string_view name, std::vector<GraphValue> inputs) {
    return Output(Call(name), std::move(inputs));
  }

  // One number: the sum of the elements of y, each with a weight of its own: the elements of
  // the new input `weights`.
  GraphValue Loss(const GraphValue& y, const GraphValue& weights);

  std::vector<GraphValue> Differentiate(const GraphValue& loss, const std::vector<GraphValue>& of);

  // The elements of values in logical order.
  std::vector<Numbers> Run(const std::vector<GraphValue>& outputs) const;

  uint32_t Between(uint32_t least, uint32_t most) {
    return std::uniform_int_distribution<uint32_t>(least, most)(random_);
  }
  // The elements of an input, which may be changed between runs; of other values nobody's.
  Numbers& elements(const GraphValue& input) {
    const graph::Values::Origin& origin = values.OriginOf(input);
    if (origin.kind == graph::Values::Origin::Kind::kInput) return elements_[origin.index];
    return nowhere_ = Numbers(input.tensor.ElementCount());
  }
  // Packed.
  std::vector<uint8_t> BytesOf(const GraphValue& input) const;
  std::mt19937& random() { return random_; }
  bool HasOperator(std::string_view name) const;

 private:
  std::mt19937 random_;
  std::vector<Numbers> elements_;  // of the inputs
  Numbers nowhere_;
};

Numbers RandomIntegers(std::mt19937& random, size_t count);

double Dot(const Numbers& a, const Numbers& b);

}  // namespace anydml::gradient
