// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Linear operators, exactly: with small integers all products and sums are exact in float32, so
// <L x, w> = <x, L' w> holds to the last bit, for L' w that Differentiate finds. Inputs have any
// layout, and are views; gradients arrive through views.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "gradient/network.h"

namespace anydml::gradient {
namespace {

// The inputs of the graph that a view sees.
GraphValue BaseOf(const Network& network, const GraphValue& value) {
  return network.values.Whole(value);
}

// y is linear in the values of each group together.
struct Linear {
  GraphValue y;
  std::vector<std::vector<GraphValue>> groups;
};

GraphValue Transposed(Network& network, const GraphValue& y) {
  Sizes order(y.tensor.dimension_count);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::shuffle(order, network.random());
  return network.write.Permute(y, order);
}

void CheckExactly(Network& network, const Linear& linear) {
  if (::testing::Test::HasFailure()) return;
  const GraphValue y = network.Between(0, 1) != 0 ? Transposed(network, linear.y) : linear.y;
  const GraphValue weights =
      network.Integers(Sizes(y.tensor.Sizes().begin(), y.tensor.Sizes().end()));
  std::vector<GraphValue> of;
  for (const auto& group : linear.groups) {
    for (const GraphValue& value : group) of.push_back(BaseOf(network, value));
  }
  const GraphValue loss = network.Loss(y, weights);
  std::vector<GraphValue> outputs = network.Differentiate(loss, of);
  if (outputs.empty()) return;
  outputs.push_back(y);
  const std::vector<Numbers> found = network.Run(outputs);
  const double expected = Dot(found.back(), network.elements(weights));
  size_t next = 0;
  for (const auto& group : linear.groups) {
    double sum = 0;
    for (size_t i = 0; i < group.size(); ++i, ++next) {
      sum += Dot(found[next], network.elements(of[next]));
    }
    ASSERT_EQ(sum, expected);
  }
}

// Runs a test with many seeds.
template <class Build>
void ForSeeds(uint32_t count, Build build) {
  for (uint32_t seed = 1; seed <= count && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Network network(seed);
    CheckExactly(network, build(network));
  }
}

Sizes RandomSizes(Network& network, uint32_t rank, uint32_t most) {
  Sizes sizes(rank);
  for (uint32_t& size : sizes) size = network.Between(1, most);
  return sizes;
}

// ---- Convolutions.

struct Convolved {
  Sizes strides, dilations, start, end, output_padding;
  uint32_t groups;
};

// Sizes of an image whose windows exist: a few more than they need.
Linear RandomConvolution(Network& network, uint32_t axes, bool is_backward) {
  Convolved of;
  of.groups = network.Between(1, 3);
  const uint32_t in = of.groups * network.Between(1, 2), out = of.groups * network.Between(1, 2);
  const uint32_t items = network.Between(1, 2);
  Sizes input = {items, in};
  Sizes filter = is_backward ? Sizes{in, out / of.groups} : Sizes{out, in / of.groups};
  Sizes output = {items, out};
  for (uint32_t i = 0; i < axes; ++i) {
    of.strides.push_back(network.Between(1, 3));
    of.dilations.push_back(network.Between(1, 2));
    of.start.push_back(network.Between(0, 2));
    of.end.push_back(network.Between(0, 2));
    of.output_padding.push_back(network.Between(0, 3) == 0 ? 1 : 0);
    const uint32_t window = network.Between(1, 3), map = network.Between(1, 3);
    const uint32_t reached = (window - 1) * of.dilations[i] + 1 + (map - 1) * of.strides[i];
    const uint32_t padding = of.start[i] + of.end[i];
    const uint32_t rest = network.Between(0, of.strides[i]);  // one too many is a smaller map
    const uint32_t image = std::max(reached + rest, padding + of.start[i] + 1) - padding;
    filter.push_back(window);
    input.push_back(is_backward ? map : image);
    output.push_back((is_backward ? image : map) + of.output_padding[i]);
  }
  schema::Settings settings = network.Call("CONVOLUTION");
  settings.Uint("Mode", network.Between(0, 1)).Uint("Direction", is_backward ? 1 : 0);
  settings.Uints("Strides", of.strides).Uints("Dilations", of.dilations);
  settings.Uints("StartPadding", of.start).Uints("EndPadding", of.end);
  settings.Uints("OutputPadding", of.output_padding).Uint("GroupCount", of.groups);
  settings.Tensor("OutputTensor", PackedTensor(DataType::kFloat32, output));
  const GraphValue x = network.IntegersInAnyLayout(input);
  const GraphValue w = network.IntegersInAnyLayout(filter);
  Sizes of_bias(2 + axes, 1);
  of_bias[1] = out;
  const GraphValue b = network.IntegersInAnyLayout(of_bias);
  return {network.Output(settings, {x, w, b}), {{x, b}, {w, b}}};
}

TEST(LinearRules, ConvolutionForward) {
  ForSeeds(300, [](Network& network) { return RandomConvolution(network, 2, false); });
}
TEST(LinearRules, ConvolutionBackward) {
  ForSeeds(300, [](Network& network) { return RandomConvolution(network, 2, true); });
}
TEST(LinearRules, ConvolutionOfOneAndThreeAxes) {
  ForSeeds(100, [](Network& network) { return RandomConvolution(network, 1, false); });
  ForSeeds(100, [](Network& network) { return RandomConvolution(network, 1, true); });
  ForSeeds(100, [](Network& network) { return RandomConvolution(network, 3, false); });
  ForSeeds(100, [](Network& network) { return RandomConvolution(network, 3, true); });
}

TEST(LinearRules, Gemm) {
  ForSeeds(300, [](Network& network) {
    const uint32_t m = network.Between(1, 4), k = network.Between(1, 4), n = network.Between(1, 4);
    const Sizes leading = RandomSizes(network, network.Between(0, 2), 3);
    const auto matrix = [&](uint32_t rows, uint32_t columns, bool is_transposed) {
      Sizes sizes = leading;
      sizes.push_back(is_transposed ? columns : rows);
      sizes.push_back(is_transposed ? rows : columns);
      return network.IntegersInAnyLayout(sizes);
    };
    const uint32_t trans_a = network.Between(0, 1), trans_b = network.Between(0, 1);
    schema::Settings settings = network.Call("GEMM");
    settings.Uint("TransA", trans_a).Uint("TransB", trans_b);
    settings.Float("Alpha", 2).Float("Beta", -3);
    const GraphValue a = matrix(m, k, trans_a != 0), b = matrix(k, n, trans_b != 0);
    const GraphValue c = matrix(m, n, false);
    return Linear{network.Output(settings, {a, b, c}), {{a, c}, {b, c}}};
  });
}

// ---- Windows, samples, parts.

// Windows of two elements: the divisors are powers of two.
TEST(LinearRules, AveragePooling) {
  ForSeeds(200, [](Network& network) {
    const uint32_t axes = network.Between(2, 3);
    const bool is_second = network.Between(0, 1) != 0;
    Sizes sizes = RandomSizes(network, 2, 3), strides, start, end, dilations;
    for (uint32_t i = 0; i < axes; ++i) {
      sizes.push_back(network.Between(3, 6));
      strides.push_back(network.Between(1, 3));
      dilations.push_back(is_second ? network.Between(1, 2) : 1);
      start.push_back(network.Between(0, 1));
      end.push_back(network.Between(0, 1));
    }
    schema::Settings settings = network.Call(is_second ? "AVERAGE_POOLING1" : "AVERAGE_POOLING");
    settings.Uints("Strides", strides).Uints("WindowSize", Sizes(axes, 2));
    settings.Uints("StartPadding", start).Uints("EndPadding", end);
    settings.Uints("Dilations", dilations).Uint("IncludePadding", network.Between(0, 1));
    const GraphValue x = network.IntegersInAnyLayout(sizes);
    return Linear{network.Output(settings, {x}), {{x}}};
  });
}

TEST(LinearRules, Slices) {
  ForSeeds(200, [](Network& network) {
    const uint32_t rank = network.Between(1, 4);
    const bool is_second = network.Between(0, 1) != 0;
    Sizes sizes, offsets, window, strides;
    std::vector<int32_t> steps;
    for (uint32_t i = 0; i < rank; ++i) {
      offsets.push_back(network.Between(0, 2));
      strides.push_back(network.Between(1, 3));
      window.push_back(network.Between(1, 4));
      const uint32_t extent = is_second ? window[i] : 1 + (window[i] - 1) * strides[i];
      sizes.push_back(offsets[i] + extent + network.Between(0, 2));
      steps.push_back(static_cast<int32_t>(strides[i]) * (network.Between(0, 1) != 0 ? 1 : -1));
    }
    schema::Settings settings = network.Call(is_second ? "SLICE1" : "SLICE");
    settings.Uints("Offsets", offsets).Uints("Sizes", window).Uints("Strides", strides);
    settings.Uints("InputWindowOffsets", offsets).Uints("InputWindowSizes", window);
    settings.Ints("InputWindowStrides", steps);
    const GraphValue x = network.IntegersInAnyLayout(sizes);
    return Linear{network.Output(settings, {x}), {{x}}};
  });
}

TEST(LinearRules, JoinAndSplit) {
  ForSeeds(100, [](Network& network) {
    const Sizes sizes = RandomSizes(network, network.Between(1, 4), 3);
    const uint32_t axis = network.Between(0, static_cast<uint32_t>(sizes.size()) - 1);
    std::vector<GraphValue> inputs;
    std::vector<TensorDesc> parts;
    for (uint32_t i = 0; i < 3; ++i) {
      Sizes part = sizes;
      part[axis] = network.Between(1, 3);
      inputs.push_back(network.IntegersInAnyLayout(part));
      parts.push_back(PackedTensor(DataType::kFloat32, part));
    }
    const GraphValue joined = network.Output(network.Call("JOIN").Uint("Axis", axis), inputs);
    std::ranges::reverse(parts);
    const std::vector<GraphValue> split = network.write.Outputs(
        network.Call("SPLIT").Uint("Axis", axis).Tensors("OutputTensors", parts), {&joined, 1});
    // The part in the middle is not used.
    return Linear{network.Output(network.Call("JOIN").Uint("Axis", axis), {split[2], split[0]}),
                  {inputs}};
  });
}

TEST(LinearRules, ReduceAndCumulativeSums) {
  ForSeeds(100, [](Network& network) {
    const GraphValue x =
        network.IntegersInAnyLayout(RandomSizes(network, network.Between(1, 5), 4));
    Sizes axes;
    for (uint32_t i = 0; i < x.tensor.dimension_count; ++i) {
      if (network.Between(0, 1) != 0) axes.push_back(i);
    }
    return Linear{network.write.Sum(x, axes), {{x}}};
  });
  ForSeeds(100, [](Network& network) {
    const GraphValue x =
        network.IntegersInAnyLayout(RandomSizes(network, network.Between(1, 4), 4));
    schema::Settings settings = network.Call("CUMULATIVE_SUMMATION");
    settings.Uint("Axis", network.Between(0, x.tensor.dimension_count - 1));
    settings.Uint("AxisDirection", network.Between(0, 1));
    settings.Uint("HasExclusiveSum", network.Between(0, 1));
    return Linear{network.Output(settings, {x}), {{x}}};
  });
}

TEST(LinearRules, NearestResampling) {
  ForSeeds(100, [](Network& network) {
    const GraphValue x =
        network.IntegersInAnyLayout(RandomSizes(network, network.Between(1, 4), 4));
    Sizes scales;
    for (uint32_t i = 0; i < x.tensor.dimension_count; ++i) {
      const float scale = static_cast<float>(network.Between(1, 5)) / 2;
      scales.push_back(std::bit_cast<uint32_t>(scale));
    }
    const std::array names = {"RESAMPLE", "RESAMPLE1", "RESAMPLE2", "RESAMPLE3"};
    schema::Settings settings = network.Call(names[network.Between(0, 3)]);
    settings.Uint("InterpolationMode", 0).Uint("RoundingDirection", network.Between(0, 1));
    settings.Uints("Scales", scales);
    return Linear{network.Output(settings, {x}), {{x}}};
  });
}

TEST(LinearRules, NearestUpsampling) {
  ForSeeds(100, [](Network& network) {
    const GraphValue x =
        network.IntegersInAnyLayout(RandomSizes(network, network.Between(4, 5), 4));
    schema::Settings settings = network.Call("UPSAMPLE_2D");
    settings.Uint("InterpolationMode", 0);
    const uint32_t width = network.Between(1, 4), height = network.Between(1, 4);
    settings.Uints("ScaleSize", Sizes{width, height});
    return Linear{network.Output(settings, {x}), {{x}}};
  });
}

TEST(LinearRules, Paddings) {
  ForSeeds(200, [](Network& network) {
    const GraphValue x =
        network.IntegersInAnyLayout(RandomSizes(network, network.Between(1, 5), 4));
    Sizes start, end;
    for (uint32_t i = 0; i < x.tensor.dimension_count; ++i) {
      start.push_back(network.Between(0, 1) * network.Between(0, 9));
      end.push_back(network.Between(0, 1) * network.Between(0, 9));
    }
    schema::Settings settings = network.Call("PADDING1");
    settings.Uint("PaddingMode", network.Between(0, 4)).Scalar("PaddingValue", network.type, 0);
    settings.Uints("StartPadding", start).Uints("EndPadding", end);
    return Linear{network.Output(settings, {x}), {{x}}};
  });
}

TEST(LinearRules, Tiles) {
  ForSeeds(100, [](Network& network) {
    const GraphValue x =
        network.IntegersInAnyLayout(RandomSizes(network, network.Between(1, 8), 3));
    Sizes repeats;
    for (uint32_t i = 0; i < x.tensor.dimension_count; ++i)
      repeats.push_back(network.Between(1, 2));
    return Linear{network.Output(network.Call("TILE").Uints("Repeats", repeats), {x}), {{x}}};
  });
}

TEST(LinearRules, BlocksAndSequences) {
  ForSeeds(100, [](Network& network) {
    const bool to_depth = network.Between(0, 1) != 0;
    const uint32_t block = network.Between(1, 3), area = block * block;
    Sizes sizes = RandomSizes(network, 4, 3);
    if (to_depth) {
      sizes[2] *= block;
      sizes[3] *= block;
    } else {
      sizes[1] *= area;
    }
    const GraphValue x = network.IntegersInAnyLayout(sizes);
    schema::Settings settings = network.Call(to_depth ? "SPACE_TO_DEPTH1" : "DEPTH_TO_SPACE1");
    settings.Uint("BlockSize", block).Uint("Order", network.Between(0, 1));
    return Linear{network.Output(settings, {x}), {{x}}};
  });
  ForSeeds(100, [](Network& network) {
    Sizes sizes = RandomSizes(network, network.Between(1, 4), 4);
    const GraphValue x = network.IntegersInAnyLayout(sizes);
    const uint32_t axis = network.Between(0, static_cast<uint32_t>(sizes.size()) - 1);
    sizes[axis] = 1;
    const TensorDesc tensor = PackedTensor(DataType::kUint32, sizes);
    Numbers lengths(tensor.ElementCount());
    for (double& length : lengths) length = network.Between(0, 5);
    return Linear{network.Output(network.Call("REVERSE_SUBSEQUENCES").Uint("Axis", axis),
                                 {x, network.Input(tensor, lengths)}),
                  {{x}}};
  });
}

// Indices from -6 to 6, or from 0 on.
GraphValue RandomIndices(Network& network, const Sizes& sizes) {
  const bool is_signed = network.Between(0, 1) != 0;
  const TensorDesc tensor = PackedTensor(is_signed ? DataType::kInt64 : DataType::kUint32, sizes);
  Numbers indices(tensor.ElementCount());
  for (double& index : indices) {
    index = is_signed ? static_cast<int>(network.Between(0, 12)) - 6
                      : static_cast<int>(network.Between(0, 6));
  }
  return network.Input(tensor, indices);
}

TEST(LinearRules, Gather) {
  ForSeeds(200, [](Network& network) {
    const uint32_t rank = network.Between(2, 4), used = network.Between(0, 2);
    Sizes sizes = RandomSizes(network, rank, 4);
    sizes[0] = 1;  // for one more dimension of the indices
    const uint32_t axis = network.Between(1, rank - 1);
    Sizes of_indices(rank, 1);
    for (uint32_t i = rank - used; i < rank; ++i) of_indices[i] = network.Between(1, 3);
    schema::Settings settings = network.Call("GATHER");
    settings.Uint("Axis", axis).Uint("IndexDimensions", used);
    const GraphValue x = network.IntegersInAnyLayout(sizes);
    return Linear{network.Output(settings, {x, RandomIndices(network, of_indices)}), {{x}}};
  });
}

// Updates with one target too, of which the last one counts.
TEST(LinearRules, GatherAndScatterElements) {
  ForSeeds(200, [](Network& network) {
    const uint32_t rank = network.Between(1, 4), axis = network.Between(0, rank - 1);
    const Sizes sizes = RandomSizes(network, rank, 4);
    Sizes of_indices = sizes;
    of_indices[axis] = network.Between(1, 5);
    const GraphValue x = network.IntegersInAnyLayout(sizes);
    const GraphValue index = RandomIndices(network, of_indices);
    if (network.Between(0, 1) != 0) {
      return Linear{network.Output(network.Call("GATHER_ELEMENTS").Uint("Axis", axis), {x, index}),
                    {{x}}};
    }
    const GraphValue updates = network.IntegersInAnyLayout(of_indices);
    return Linear{
        network.Output(network.Call("SCATTER_ELEMENTS").Uint("Axis", axis), {x, index, updates}),
        {{x, updates}}};
  });
}

TEST(LinearRules, GatherAndScatterNd) {
  ForSeeds(200, [](Network& network) {
    const uint32_t kind = network.Between(0, 2), rank = network.Between(2, 4);
    const uint32_t batch = kind == 1 ? network.Between(0, 1) : 0;
    const uint32_t tuple = network.Between(1, rank - batch);
    const uint32_t outer = network.Between(batch, std::min(tuple + batch, rank - 1));
    const Sizes sizes = RandomSizes(network, rank, 4);
    Sizes of_indices(rank, 1), chosen(sizes.begin() + batch + tuple, sizes.end());
    for (uint32_t k = outer; k-- > 0;) {
      const uint32_t size = k < batch ? sizes[k] : network.Between(1, 4);
      of_indices[rank - 1 - outer + k] = size;
      chosen.insert(chosen.begin(), size);
    }
    chosen.insert(chosen.begin(), rank - chosen.size(), 1);
    of_indices.back() = tuple;
    constexpr const char* kNames[] = {"GATHER_ND", "GATHER_ND1", "SCATTER_ND"};
    schema::Settings settings = network.Call(kNames[kind]);
    settings.Uint("InputDimensionCount", rank).Uint("IndicesDimensionCount", outer + 1);
    if (kind == 1) settings.Uint("BatchDimensionCount", batch);
    const GraphValue x = network.IntegersInAnyLayout(sizes);
    const GraphValue index = RandomIndices(network, of_indices);
    if (kind != 2) return Linear{network.Output(settings, {x, index}), {{x}}};
    const GraphValue updates = network.IntegersInAnyLayout(chosen);
    return Linear{network.Output(settings, {x, index, updates}), {{x, updates}}};
  });
}

TEST(LinearRules, DiagonalsOfZero) {
  ForSeeds(100, [](Network& network) {
    const GraphValue x =
        network.IntegersInAnyLayout(RandomSizes(network, network.Between(2, 4), 5));
    schema::Settings settings = network.Call("DIAGONAL_MATRIX1");
    settings.Scalar("Value", DataType::kFloat32, 0);
    for (const char* field : {"DiagonalFillBegin", "DiagonalFillEnd"}) {
      settings.Ints(field, std::array{static_cast<int32_t>(network.Between(0, 10)) - 5});
    }
    return Linear{network.Output(settings, {x}), {{x}}};
  });
}

TEST(LinearRules, ScaledChannels) {
  ForSeeds(50, [](Network& network) {
    Sizes sizes = RandomSizes(network, 4, 4);
    sizes[1] = 2 * network.Between(0, 1) + 1;
    schema::Settings settings = network.Call("VALUE_SCALE_2D");
    settings.Float("Scale", static_cast<float>(network.Between(1, 5)));
    settings.Uints("Bias", Sizes(sizes[1], 0));
    const GraphValue x = network.IntegersInAnyLayout(sizes);
    return Linear{network.Output(settings, {x}), {{x}}};
  });
}

// Views of views, and a value with gaps that is read through its bytes.
TEST(LinearRules, Views) {
  ForSeeds(500, [](Network& network) {
    const GraphValue x =
        network.IntegersInAnyLayout(RandomSizes(network, network.Between(1, 5), 4));
    return Linear{network.Apply("ELEMENT_WISE_IDENTITY", {Transposed(network, x)}), {{x}}};
  });
}

TEST(LinearRules, Reshapes) {
  ForSeeds(100, [](Network& network) {
    const GraphValue x = network.IntegersInAnyLayout({2, 6, 4});
    const GraphValue y = network.Apply("ELEMENT_WISE_IDENTITY", {x});
    const GraphValue other = network.write.Reshape(y, Sizes{3, 2, 8});
    return Linear{network.Apply("ELEMENT_WISE_IDENTITY", {Transposed(network, other)}), {{x}}};
  });
}

}  // namespace
}  // namespace anydml::gradient
