// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// From descriptions to the plans of the kernels, and the kernels.
#include "kernels/move/plan.h"

#include <algorithm>

#include "kernels/move/cpu/strategies.h"
#include "kernels/move/indexed_plan.h"
#include "operators/movement/desc.h"
#include "operators/movement/schema.h"
#include "tensor/explain.h"

namespace anydml::movement {
namespace {

static_assert(move::kMaxParts == schema::kMaxArrayTensors);

move::Parts PlanParts(const PartsDesc& desc) {
  move::Parts plan = {.element_size = ElementSize(desc.whole.data_type),
                      .join = desc.join,
                      .axis = desc.axis,
                      .count = static_cast<uint32_t>(desc.parts.size()),
                      .whole = desc.whole,
                      .sizes = {},
                      .strides = {},
                      .rows = 0,
                      .inner = 0};
  for (size_t p = 0; p < desc.parts.size(); ++p) {
    plan.sizes[p] = desc.parts[p].sizes[desc.axis];
    plan.strides[p] = desc.parts[p].strides;
  }
  move::FindCommonRows(plan);
  return plan;
}

std::string ExplainParts(const move::Parts& plan) {
  const std::string parts = fmt::format("{} parts along dimension {}", plan.count, plan.axis);
  if (plan.rows == 0) return parts + "\neach of them is copied between the layouts";
  return fmt::format("{}\n{} rows of {} elements", parts, plan.rows, plan.RowElements());
}

template <int N>
StridedLoop<N> LoopOver(const TensorDesc& output) {
  StridedLoop<N> loop;
  loop.rank = output.dimension_count;
  for (uint32_t i = 0; i < loop.rank; ++i) {
    loop.sizes[i] = output.sizes[i];
    loop.strides[N - 1][i] = output.strides[i];
  }
  return loop;
}

move::Filled PlanConstant(const FillDesc& desc) {
  return {ElementSize(desc.output.data_type), ScalarFromUnion(desc.output.data_type, desc.value),
          Coalesce(LoopOver<1>(desc.output))};
}

std::string ExplainConstant(const move::Filled& plan) {
  return anydml::Explain(plan.loop, {"the output"});
}

move::Sequence PlanSequence(const FillDesc& desc) {
  StridedLoop<2> loop = LoopOver<2>(desc.output);
  const Dimensions logical = PackedStrides(desc.output.Sizes());
  for (uint32_t i = 0; i < loop.rank; ++i) loop.strides[0][i] = logical[i];
  return {desc.output.data_type, ScalarFromUnion(desc.output.data_type, desc.value),
          ScalarFromUnion(desc.output.data_type, desc.delta), Coalesce(loop)};
}

std::string ExplainSequence(const move::Sequence& plan) {
  return anydml::Explain(plan.loop, {"the logical index", "the output"});
}

// Dimensions are those of the output from the last one on: of the input behind the axis, of the
// indices, of the input before it. What is cropped has one element.
move::Gathered PlanGather(const GatherDesc& desc) {
  StridedLoop<3> loop = LoopOver<3>(desc.output);
  uint32_t at = loop.rank;
  const auto add = [&](int tensor, const TensorDesc& of, uint32_t first, uint32_t end) {
    for (uint32_t i = end; i-- > first && at > 0;) loop.strides[tensor][--at] = of.strides[i];
  };
  const uint32_t rank = desc.input.dimension_count;
  uint32_t first = 0;  // dimension of the input that is not cropped
  while (first < desc.axis && desc.input.sizes[first] == 1) ++first;
  const uint32_t room = rank - (rank - desc.axis - 1) - (desc.axis - first);
  add(1, desc.input, desc.axis + 1, rank);
  add(0, desc.indices, rank - std::min(desc.index_dimensions, room), rank);
  add(1, desc.input, 0, desc.axis);
  const move::IndexedAxes axis = {.index_type = desc.indices.data_type,
                                  .count = 1,
                                  .index_step = 0,
                                  .sizes = {desc.input.sizes[desc.axis]},
                                  .strides = {desc.input.strides[desc.axis]}};
  return {ElementSize(desc.input.data_type), axis, Coalesce(loop)};
}

std::string ExplainGather(const move::Gathered& plan) {
  return anydml::Explain(plan.loop, {"the indices", "the input", "the output"});
}

// Logical element 1 (B81).
int64_t SecondElement(const TensorDesc& values) {
  uint32_t i = values.dimension_count - 1;
  while (values.sizes[i] == 1) --i;
  return values.strides[i];
}

move::Chosen PlanOneHot(const OneHotDesc& desc) {
  StridedLoop<3> loop = LoopOver<3>(desc.output);
  for (uint32_t i = 0; i < loop.rank; ++i) {
    loop.strides[0][i] = i == desc.axis ? 0 : desc.indices.strides[i];
  }
  loop.strides[1][desc.axis] = 1;
  return {ElementSize(desc.output.data_type), desc.indices.data_type, desc.output.sizes[desc.axis],
          SecondElement(desc.values), Coalesce(loop)};
}

std::string ExplainOneHot(const move::Chosen& plan) {
  return anydml::Explain(plan.loop, {"the indices", "the coordinate", "the output"});
}

template <class Desc, class Plan, Plan (*kPlan)(const Desc&), std::string (*kExplain)(const Plan&),
          void (*kReference)(const Desc&, const Bindings&)>
constexpr Kernel KernelOf(std::string_view name, DataTypeSet types,
                          std::span<const CpuStrategy> strategies) {
  return {.name = name,
          .data_types = types,
          .preserves_nan_bits = true,
          .make_plan = ErasePlan<Desc, Plan, kPlan>,
          .explain = EraseExplain<Plan, kExplain>,
          .make_tables = WithoutTables,
          .reference = EraseReference<Desc, kReference>,
          .cpu_strategies = strategies};
}

}  // namespace

constinit const Kernel kPartsKernel =
    KernelOf<PartsDesc, move::Parts, PlanParts, ExplainParts, PartsReference>(
        "parts", kElevenTypes, move::kPartsStrategies);
constinit const Kernel kConstantKernel =
    KernelOf<FillDesc, move::Filled, PlanConstant, ExplainConstant, ConstantReference>(
        "fill_value_constant", kElevenTypes, move::kFilledStrategies);
constinit const Kernel kSequenceKernel =
    KernelOf<FillDesc, move::Sequence, PlanSequence, ExplainSequence, SequenceReference>(
        "fill_value_sequence", kTenTypes, move::kSequenceStrategies);
constinit const Kernel kGatherKernel =
    KernelOf<GatherDesc, move::Gathered, PlanGather, ExplainGather, GatherReference>(
        "gather", kElevenTypes, move::kGatheredStrategies);
constinit const Kernel kOneHotKernel =
    KernelOf<OneHotDesc, move::Chosen, PlanOneHot, ExplainOneHot, OneHotReference>(
        "one_hot", kIndexTypes, move::kChosenStrategies);

}  // namespace anydml::movement
