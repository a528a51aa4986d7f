// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The gradients of the operators of this folder: each is linear in its input.
#include <directml.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "operators/gradient_writer.h"
#include "operators/rearrangement/desc.h"
#include "operators/rearrangement/schema.h"

namespace anydml::rearrangement {
namespace {

using Gradients = Result<std::vector<GraphValue>>;
using Sizes = std::vector<uint32_t>;

Sizes SizesOf(const GraphValue& value) {
  return {value.tensor.Sizes().begin(), value.tensor.Sizes().end()};
}

// `count` elements from `first` on along an axis, downwards from there where the step is -1.
GraphValue PartOf(GradientWriter& write, const GraphValue& d, uint32_t axis, uint32_t first,
                  uint32_t count, int32_t step) {
  Sizes offsets(d.tensor.dimension_count, 0), sizes = SizesOf(d);
  std::vector<int32_t> steps(d.tensor.dimension_count, 1);
  offsets[axis] = first;
  sizes[axis] = count;
  steps[axis] = step;
  schema::Settings settings = GradientWriter::Call("SLICE1");
  settings.Uints("InputWindowOffsets", offsets).Uints("InputWindowSizes", sizes);
  return write.Output(settings.Ints("InputWindowStrides", steps), {d});
}

// The part at `first` of `size` elements along the axis; all else is zero.
GraphValue PutAt(GradientWriter& write, const GraphValue& part, uint32_t axis, uint32_t first,
                 uint32_t size) {
  Sizes offsets(part.tensor.dimension_count, 0), whole = SizesOf(part);
  offsets[axis] = first;
  whole[axis] = size;
  schema::Settings settings = GradientWriter::Call("SLICE_GRAD");
  settings.Uints("InputWindowOffsets", offsets).Uints("InputWindowSizes", SizesOf(part));
  settings.Ints("InputWindowStrides", std::vector<int32_t>(offsets.size(), 1));
  settings.Tensor("OutputGradientTensor", PackedTensor(part.tensor.data_type, whole));
  return write.Output(settings, {part});
}

// Along one axis: what was read where it lies, and each run of the padding added to the elements
// that it is a copy of.
GraphValue WithoutPadding(GradientWriter& write, const GraphValue& d, uint32_t axis,
                          const move::MappedAxis& map) {
  constexpr int kMaxRuns = 1000;  // a graph of several operators each
  GraphValue sum = PartOf(write, d, axis, map.start, map.count, 1);
  int runs = 0;
  for (uint32_t o = 0; o < map.size && write.ok();) {
    const move::AxisRun run = move::RunAt(map, o);
    const auto count = static_cast<uint32_t>(run.count);
    if (o != map.start && run.element >= 0) {
      if (++runs > kMaxRuns) {
        return write.Refuse(Unsupported(
            fmt::format("a padding of dimension {} that repeats the input more than {} times has "
                        "no gradient",
                        axis, kMaxRuns)));
      }
      const auto element = static_cast<uint32_t>(run.element);
      GraphValue part = PartOf(write, d, axis, o, count, run.step == -1 ? -1 : 1);
      if (run.step == 0 && count > 1) part = write.Sum(part, std::array{axis});
      const uint32_t first = run.step == -1 ? element + 1 - count : element;
      sum = write.Add(sum, PutAt(write, part, axis, first, map.count));
    }
    o += count;
  }
  return sum;
}

// Of edges: nearest samples, each of which is one element; those outside are the nearest inside.
GraphValue ResampledEdges(GradientWriter& write, const GraphValue& d, const TensorDesc& x,
                          std::span<const uint32_t> start) {
  const auto word = [](float number) { return std::bit_cast<uint32_t>(number); };
  Sizes offsets;
  for (uint32_t padding : start) offsets.push_back(word(static_cast<float>(padding)));
  schema::Settings settings = GradientWriter::Call("RESAMPLE_GRAD1");
  settings.Uint("InterpolationMode", DML_INTERPOLATION_MODE_NEAREST_NEIGHBOR);
  settings.Uint("RoundingDirection", DML_AXIS_DIRECTION_DECREASING);
  settings.Uints("Scales", Sizes(start.size(), word(1)));
  settings.Uints("InputPixelOffsets", Sizes(start.size(), word(0)));
  settings.Uints("OutputPixelOffsets", offsets);
  settings.Tensor("OutputGradientTensor", PackedTensor(x.data_type, x.Sizes()));
  return write.Output(settings, {d});
}

// Whether coordinates are exact floats, and the operator has so many dimensions.
bool CanResample(const TensorDesc& y) {
  if (y.dimension_count > 4) return false;
  return std::ranges::all_of(y.Sizes(), [](uint32_t size) { return size < 1u << 23; });
}

}  // namespace

Gradients PaddingGradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  const TensorDesc &x = node.inputs[0].tensor, &y = node.outputs[0].tensor;
  const uint32_t mode = node.arguments.Uint(padding::kPaddingMode);
  const auto start = node.arguments.Uints(node.arguments.schema().fields.size() - 2);
  GraphValue d = node.output_gradients[0];
  if (mode == DML_PADDING_MODE_CONSTANT) {
    schema::Settings settings = GradientWriter::Call("SLICE1");
    settings.Uints("InputWindowOffsets", start).Uints("InputWindowSizes", x.Sizes());
    settings.Ints("InputWindowStrides", std::vector<int32_t>(start.size(), 1));
    return write.Finish({write.Output(settings, {d})});
  }
  if (mode == DML_PADDING_MODE_EDGE && CanResample(y)) {
    return write.Finish({ResampledEdges(write, d, x, start)});
  }
  for (uint32_t i = 0; i < x.dimension_count; ++i) {
    if (x.sizes[i] == y.sizes[i]) continue;
    d = WithoutPadding(write, d, i, PaddedAxis(mode, y.sizes[i], start[i], x.sizes[i]));
  }
  return write.Finish({d});
}

// Sums over the repeats. A view has eight dimensions at most: three repeated axes at a time, and
// what lies before and behind them.
Gradients TileGradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  const TensorDesc &x = node.inputs[0].tensor, &y = node.outputs[0].tensor;
  const auto repeats = node.arguments.Uints(tile::kRepeats);
  GraphValue d = node.output_gradients[0];
  uint32_t before = 1;
  for (uint32_t axis = 0; axis < x.dimension_count;) {
    Sizes view = {before}, axes;
    for (; axis < x.dimension_count && (axes.size() < 3 || repeats[axis] == 1); ++axis) {
      if (repeats[axis] != 1) {
        axes.push_back(static_cast<uint32_t>(view.size()));
        view.push_back(repeats[axis]);
        view.push_back(1);
      }
      view.back() *= x.sizes[axis];
      before *= x.sizes[axis];
    }
    view.push_back(1);
    for (uint32_t i = axis; i < x.dimension_count; ++i) view.back() *= y.sizes[i];
    if (!axes.empty()) d = write.Sum(write.Reshape(d, view), axes);
  }
  return write.Finish({write.Reshape(d, x.Sizes())});
}

// Each is the inverse of the other.
Gradients BlocksGradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  constexpr std::array<std::string_view, 2> kPairs[] = {{"SPACE_TO_DEPTH", "DEPTH_TO_SPACE"},
                                                        {"SPACE_TO_DEPTH1", "DEPTH_TO_SPACE1"}};
  const bool has_order = node.arguments.schema().fields.size() > blocks::kOrder;
  const auto& pair = kPairs[has_order ? 1 : 0];
  const bool to_depth = node.arguments.schema().name == pair[0];
  schema::Settings settings = GradientWriter::Call(pair[to_depth ? 1 : 0]);
  settings.Copy(node.arguments, {"BlockSize", "Order"});
  return write.Finish({write.Output(settings, {node.output_gradients[0]})});
}

// Turned around twice is as before.
Gradients ReverseGradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  schema::Settings settings = GradientWriter::Call("REVERSE_SUBSEQUENCES");
  settings.Copy(node.arguments, {"Axis"});
  const GraphValue& lengths = node.inputs[reverse::kSequenceLengthsTensor];
  return write.Finish({write.Output(settings, {node.output_gradients[0], lengths}), GraphValue()});
}

}  // namespace anydml::rearrangement
