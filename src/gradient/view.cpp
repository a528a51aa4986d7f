// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "gradient/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace anydml::gradient {
namespace {

// An axis of the view with more than one element.
struct Axis {
  uint32_t number;
  uint32_t size;
  uint32_t stride;  // in the value's bytes
};

// All axes but those that repeat, slowest first.
std::vector<Axis> DistinctAxes(const TensorDesc& view) {
  std::vector<Axis> axes;
  for (uint32_t i = 0; i < view.dimension_count; ++i) {
    if (view.sizes[i] > 1 && view.strides[i] != 0)
      axes.push_back({i, view.sizes[i], view.strides[i]});
  }
  std::ranges::stable_sort(axes, std::ranges::greater(), &Axis::stride);
  return axes;
}

GraphValue SumRepeated(GradientWriter& write, const GraphValue& gradient, const TensorDesc& view) {
  std::vector<uint32_t> repeated;
  for (uint32_t i = 0; i < view.dimension_count; ++i) {
    if (view.sizes[i] > 1 && view.strides[i] == 0) repeated.push_back(i);
  }
  return repeated.empty() ? gradient : write.Sum(gradient, repeated);
}

// The gradient seen in the order of the value's memory: one size per distinct axis.
GraphValue InMemoryOrder(GradientWriter& write, const GraphValue& gradient,
                         const std::vector<Axis>& axes) {
  if (!write.ok()) return {};
  std::vector<uint32_t> sizes;
  std::vector<uint32_t> strides;
  for (const Axis& axis : axes) {
    sizes.push_back(axis.size);
    strides.push_back(gradient.tensor.strides[axis.number]);
  }
  if (axes.empty()) {
    sizes.push_back(1);
    strides.push_back(1);
  }
  return write.View(gradient, sizes, strides);
}

bool Overlaps(const std::vector<Axis>& axes) {
  uint64_t span = 1;
  for (size_t i = axes.size(); i-- > 0;) {
    if (axes[i].stride < span) return true;
    span += uint64_t{axes[i].size - 1} * axes[i].stride;
  }
  return false;
}

// What the gradient is of: sizes that SLICE_GRAD places the part into, at offset 0; together
// at least `elements`. Empty when the strides are not those of a slice.
std::vector<uint32_t> SlicedSizes(const std::vector<Axis>& axes, uint64_t elements) {
  std::vector<uint32_t> sizes;
  uint64_t block = elements;
  if (!axes.empty()) block += (axes[0].stride - block % axes[0].stride) % axes[0].stride;
  for (const Axis& axis : axes) {
    if (block % axis.stride != 0 || block / axis.stride < axis.size) return {};
    sizes.push_back(static_cast<uint32_t>(block / axis.stride));
    block = axis.stride;
  }
  if (block > 1 || sizes.empty()) sizes.push_back(static_cast<uint32_t>(block));
  return sizes;
}

GraphValue PlacePart(GradientWriter& write, const GraphValue& part, const std::vector<Axis>& axes,
                     uint64_t elements, const TensorDesc& view) {
  const std::vector<uint32_t> sizes = SlicedSizes(axes, elements);
  if (sizes.size() > kMaxDimensions) {
    return write.Refuse(Unsupported(fmt::format(
        "graph: a view with Sizes {{{}}} and Strides {{{}}} of {} elements has no "
        "gradient, since a slice of them takes more than {} dimensions",
        fmt::join(view.Sizes(), ", "), fmt::join(view.Strides(), ", "), elements, kMaxDimensions)));
  }
  if (sizes.empty()) {
    return write.Refuse(Unsupported(
        fmt::format("graph: a view with Sizes {{{}}} and Strides {{{}}} of {} elements has no "
                    "gradient, since it is neither a rearrangement nor a slice of them",
                    fmt::join(view.Sizes(), ", "), fmt::join(view.Strides(), ", "), elements)));
  }
  std::vector<uint32_t> window;
  for (const Axis& axis : axes) window.push_back(axis.size);
  window.resize(sizes.size(), 1);
  const std::vector<uint32_t> zeros(sizes.size(), 0);
  const std::vector<uint32_t> ones(sizes.size(), 1);
  schema::Settings settings = GradientWriter::Call("SLICE_GRAD");
  settings.Tensor("OutputGradientTensor", PackedTensor(part.tensor.data_type, sizes));
  settings.Uints("InputWindowOffsets", zeros);
  settings.Uints("InputWindowSizes", window);
  settings.Uints("InputWindowStrides", ones);
  return write.Output(settings, {write.Reshape(part, window)});
}

// The elements of the value in order of their places in memory, as a value of its sizes.
GraphValue Unravel(GradientWriter& write, const GraphValue& ordered, const TensorDesc& whole) {
  if (!write.ok()) return {};
  // The whole's own axes, slowest first: ordered has one element after the other.
  const GraphValue packed = write.Packed(ordered);
  return write.View(packed, whole.Sizes(), whole.Strides());
}

// Whether the strides say where each element of `whole` is in the gradient: every axis of the
// whole is one of the view's, or has one element.
bool HasSameAxes(const std::vector<Axis>& axes, const TensorDesc& whole) {
  const std::vector<Axis> own = DistinctAxes(whole);
  return std::ranges::equal(own, axes, [](const Axis& a, const Axis& b) {
    return a.size == b.size && a.stride == b.stride;
  });
}

GraphValue Rearrange(GradientWriter& write, const GraphValue& gradient,
                     const std::vector<Axis>& axes, const TensorDesc& whole) {
  if (!HasSameAxes(axes, whole)) {
    return Unravel(write, InMemoryOrder(write, gradient, axes), whole);
  }
  const std::vector<Axis> own = DistinctAxes(whole);
  std::vector<uint32_t> strides(whole.dimension_count, 1);
  for (size_t i = 0; i < own.size() && write.ok(); ++i) {
    strides[own[i].number] = gradient.tensor.strides[axes[i].number];
  }
  return write.View(gradient, whole.Sizes(), strides);
}

}  // namespace

GraphValue GradientOfView(GradientWriter& write, const GraphValue& gradient, const TensorDesc& view,
                          const TensorDesc& whole) {
  if (HaveSameLayout(view, whole) && view.dimension_count == whole.dimension_count) {
    return gradient;
  }
  const std::vector<Axis> axes = DistinctAxes(view);
  if (Overlaps(axes)) {
    return write.Refuse(Unsupported(
        fmt::format("graph: a view with Sizes {{{}}} and Strides {{{}}} has no gradient, since "
                    "elements overlap or axes interleave",
                    fmt::join(view.Sizes(), ", "), fmt::join(view.Strides(), ", "))));
  }
  const GraphValue distinct = SumRepeated(write, gradient, view);
  uint64_t elements = 1;
  for (const Axis& axis : axes) elements *= axis.size;
  if (elements == whole.ElementCount() && IsDense(whole)) {
    return Rearrange(write, distinct, axes, whole);
  }
  // The bytes from the first to the last element, gaps included; those of a gap get 0.
  const uint64_t span = *Extent(whole.Sizes(), whole.Strides());
  const GraphValue placed =
      PlacePart(write, InMemoryOrder(write, distinct, axes), axes, span, view);
  return write.View(placed, whole.Sizes(), whole.Strides());
}

}  // namespace anydml::gradient
