// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Normalizations and their gradients by the pages, arranged as B41 to B44 say.
#include "operators/normalization/normalization.h"
#include "operators/normalization/regional.h"
#include "operators/reference_sets.h"

namespace anydml::normalization {
namespace {

using reference::Coordinate;
using reference::MeanAndVariance;

// An element of a tensor that repeats where its size is 1.
float At(const TensorDesc& tensor, const void* data, const Coordinate& c) {
  return reference::GetFloat(tensor, data, reference::Repeated(tensor, c));
}

std::vector<float> ValuesOf(const TensorDesc& tensor, const void* data,
                            const std::vector<Coordinate>& set) {
  std::vector<float> values;
  for (const Coordinate& c : set) values.push_back(reference::GetFloat(tensor, data, c));
  return values;
}

MeanAndVariance StatisticsOf(const Normalization& desc, std::vector<float> x) {
  if (desc.use_mean) return reference::Statistics(x);
  for (float& value : x) value *= value;
  return {0, reference::Sum(x) / static_cast<float>(x.size())};
}

}  // namespace

void ReferenceNormalization(const Normalization& desc, const Bindings& bindings) {
  const auto bound = [&](const TensorDesc& tensor, int binding, const Coordinate& c) {
    return At(tensor, bindings.inputs[static_cast<size_t>(binding)], c);
  };
  reference::ForEachSet(desc.input, desc.reduced, [&](const Coordinate& kept, const auto& set) {
    MeanAndVariance found = {};
    if (desc.calculates) {
      found = StatisticsOf(desc, ValuesOf(desc.input, bindings.inputs[0], set));
      if (desc.output_mean.present()) {
        reference::PutFloat(desc.output_mean, bindings.outputs[1], kept, found.mean);
        reference::PutFloat(desc.output_variance, bindings.outputs[2], kept, found.variance);
      }
    }
    for (const Coordinate& c : set) {
      if (!desc.calculates) {
        found = {bound(desc.mean, desc.mean_binding, c),
                 bound(desc.variance, desc.variance_binding, c)};
      }
      float y = reference::GetFloat(desc.input, bindings.inputs[0], c);
      if (desc.use_mean) y = y - found.mean;
      const bool scales = desc.scale.present();
      const float scale = scales ? bound(desc.scale, desc.scale_binding, c) : 1.0f;
      if (desc.use_variance) {
        const float root = std::sqrt(found.variance + desc.epsilon);
        const float factor = scale / root;
        y = y * factor;
      } else if (scales) {
        y = y * scale;
      }
      if (desc.bias.present()) y = y + bound(desc.bias, desc.bias_binding, c);
      if (desc.add.present()) y = y + bound(desc.add, desc.add_binding, c);
      reference::PutFloat(desc.output, bindings.outputs[0], c, y);
    }
  });
}

void ReferenceGradient(const Gradient& desc, const Bindings& bindings) {
  const auto& in = bindings.inputs;
  reference::ForEachSet(desc.input, desc.reduced, [&](const Coordinate& kept, const auto& set) {
    const std::vector<float> x = ValuesOf(desc.input, in[0], set);
    const std::vector<float> dy = ValuesOf(desc.input_gradient, in[1], set);
    const float mean = At(desc.mean, in[2], kept);
    const float total = At(desc.variance, in[3], kept) + desc.epsilon;
    const float root = std::sqrt(total);
    const float s = At(desc.scale, in[4], kept) / root;
    std::vector<float> products;
    for (size_t i = 0; i < x.size(); ++i) {
      const float t = x[i] - mean;
      products.push_back(dy[i] * t);
    }
    const float sum = reference::Sum(dy), product = reference::Sum(products);
    const auto n = static_cast<float>(x.size());
    const float a = sum / n, average = product / n;
    const float k = average / total;
    for (size_t i = 0; i < x.size(); ++i) {
      const float t = x[i] - mean;
      const float g = dy[i] - a;
      const float tk = t * k;
      const float dx = desc.of_training ? (g - tk) * s : dy[i] * s;
      reference::PutFloat(desc.output, bindings.outputs[0], set[i], dx);
    }
    reference::PutFloat(desc.scale_gradient, bindings.outputs[1], kept, product / root);
    reference::PutFloat(desc.bias_gradient, bindings.outputs[2], kept, sum);
  });
}

// B38.
void ReferenceLp(const LpNormalization& desc, const Bindings& bindings) {
  std::array<bool, kMaxDimensions> line = {};
  line[desc.axis] = true;
  reference::ForEachSet(desc.input, line, [&](const auto&, const auto& set) {
    std::vector<float> x, terms;
    for (const auto& c : set) {
      x.push_back(reference::GetFloat(desc.input, bindings.inputs[0], c));
      terms.push_back(desc.p == 1 ? std::fabs(x.back()) : x.back() * x.back());
    }
    float norm = reference::Sum(terms);
    if (desc.p == 2) norm = std::sqrt(norm);
    if (norm < desc.epsilon) norm = desc.epsilon;
    for (size_t i = 0; i < set.size(); ++i) {
      reference::PutFloat(desc.output, bindings.outputs[0], set[i], x[i] / norm);
    }
  });
}

}  // namespace anydml::normalization
