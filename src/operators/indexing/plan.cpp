// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// From descriptions to the plans of the kernels, and the kernels.
#include "kernels/move/cpu/strategies.h"
#include "kernels/move/indexed_plan.h"
#include "operators/axis_sets.h"
#include "operators/indexing/desc.h"
#include "operators/indexing/schema.h"
#include "operators/plain_kernel.h"
#include "tensor/explain.h"

namespace anydml::indexing {
namespace {

// Where the elements of the chosen tensor find their indices and, at index 0, the element that
// these choose of a tensor with the input's sizes.
struct Places {
  Dimensions indices = {};
  Dimensions elements = {};
  move::IndexedAxes axes = {};
  AxisSet ordered = {};  // dimensions in which they may choose the same
};

void AddAxis(Places& places, const TensorDesc& of, uint32_t dimension) {
  places.axes.sizes[places.axes.count] = of.sizes[dimension];
  places.axes.strides[places.axes.count++] = of.strides[dimension];
}

Places FindPlaces(const IndexedDesc& desc, const TensorDesc& of) {
  Places places;
  places.axes.index_type = desc.indices.data_type;
  const uint32_t rank = of.dimension_count;
  if (!desc.has_tuples) {
    places.indices = desc.indices.strides;
    places.elements = of.strides;
    places.elements[desc.axis] = 0;
    places.ordered[desc.axis] = true;
    AddAxis(places, of, desc.axis);
    return places;
  }
  const uint32_t size = desc.TupleSize(), outer = desc.index_dimensions - 1;
  const uint32_t inner = desc.input_dimensions - desc.batch_dimensions - size;
  for (uint32_t k = 0; k < outer; ++k) {
    const uint32_t i = rank - outer - inner + k;
    places.indices[i] = desc.indices.strides[rank - 1 - outer + k];
    places.ordered[i] = k >= desc.batch_dimensions;
    if (k < desc.batch_dimensions)
      places.elements[i] = of.strides[rank - desc.input_dimensions + k];
  }
  for (uint32_t i = rank - inner; i < rank; ++i) places.elements[i] = of.strides[i];
  places.axes.index_step = desc.indices.strides[rank - 1];
  for (uint32_t t = 0; t < size; ++t) AddAxis(places, of, rank - inner - size + t);
  return places;
}

TensorDesc WithStrides(TensorDesc tensor, const Dimensions& strides) {
  tensor.strides = strides;
  return tensor;
}

move::Gathered PlanGather(const IndexedDesc& desc) {
  const Places places = FindPlaces(desc, desc.input);
  const TensorDesc indices = WithStrides(desc.output, places.indices);
  const TensorDesc elements = WithStrides(desc.output, places.elements);
  return {ElementSize(desc.input.data_type), places.axes,
          ElementwiseLoop<3>({&indices, &elements, &desc.output})};
}

std::string ExplainGather(const move::Gathered& plan) {
  return fmt::format("{} indices per element\n{}", plan.axes.count,
                     anydml::Explain(plan.loop, {"the indices", "the input", "the output"}));
}

move::Scattered PlanScatter(const IndexedDesc& desc) {
  const Places places = FindPlaces(desc, desc.output);
  move::Scattered plan = {.element_size = ElementSize(desc.input.data_type),
                          .axes = places.axes,
                          .copy = ElementwiseLoop<2>({&desc.input, &desc.output}),
                          .apart = {},
                          .ordered = {},
                          .slot_strides = {},
                          .slots = 1};
  for (uint32_t t = plan.axes.count; t-- > 0;) {
    plan.slot_strides[t] = static_cast<int64_t>(plan.slots);
    plan.slots *= static_cast<uint64_t>(plan.axes.sizes[t]);
  }
  Dimensions slots = {}, numbers = {};
  uint32_t number = 1;
  for (uint32_t i = desc.updates.dimension_count; i-- > 0;) {
    const uint32_t size = desc.updates.sizes[i];
    if (places.ordered[i]) {
      numbers[i] = number;
      number *= size;
    } else if (places.indices[i] != 0 && size != 1) {
      slots[i] = static_cast<uint32_t>(plan.slots);
      plan.slots *= size;
    }
  }
  const TensorDesc indices = WithStrides(desc.updates, places.indices),
                   elements = WithStrides(desc.updates, places.elements),
                   slot = WithStrides(desc.updates, slots),
                   numbered = WithStrides(desc.updates, numbers);
  const auto sets =
      reduce::MakeSets<5>({&indices, &elements, &desc.updates, &slot, &numbered}, places.ordered);
  plan.apart = sets.kept;
  plan.ordered = sets.reduced;
  return plan;
}

std::string ExplainScatter(const move::Scattered& plan) {
  const auto names = {std::string_view("the indices"), std::string_view("the output"),
                      std::string_view("the updates"), std::string_view("the slots"),
                      std::string_view("the numbers")};
  return fmt::format("{} indices per element\nnever the same: {}\nin order: {}", plan.axes.count,
                     anydml::Explain(plan.apart, names), anydml::Explain(plan.ordered, names));
}

constexpr Kernel GatherKernel() {
  Kernel kernel =
      PlainKernel<IndexedDesc, move::Gathered, PlanGather, ExplainGather, GatherReference>(
          "indexed", kElevenTypes, move::kGatheredStrategies);
  kernel.cuda_name = "gather";
  return kernel;
}

}  // namespace

constinit const Kernel kGatherKernel = GatherKernel();
constinit const Kernel kScatterKernel =
    PlainKernel<IndexedDesc, move::Scattered, PlanScatter, ExplainScatter, ScatterReference>(
        "scatter", kElevenTypes, move::kScatteredStrategies);

}  // namespace anydml::indexing
