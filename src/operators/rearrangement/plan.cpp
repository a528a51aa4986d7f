// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// From descriptions to the plans of the kernels, and the kernels.
#include "kernels/move/plan.h"

#include <directml.h>

#include "kernels/move/cpu/strategies.h"
#include "kernels/move/indexed_plan.h"
#include "operators/plain_kernel.h"
#include "operators/rearrangement/desc.h"
#include "operators/rearrangement/schema.h"
#include "tensor/explain.h"

namespace anydml::rearrangement {
namespace {

using move::Mapped;
using move::MappedAxis;
using move::Outside;

// ---- Maps of coordinates.

constexpr Outside kOutside[] = {Outside::kValue, Outside::kNearest, Outside::kFolded,
                                Outside::kMirrored, Outside::kWrapped};
static_assert(DML_PADDING_MODE_EDGE == 1 && DML_PADDING_MODE_REFLECTION == 2 &&
              DML_PADDING_MODE_SYMMETRIC == 3 && DML_PADDING_MODE_WRAP == 4);

// Two axes are one where the inner one is whole and without gaps, and what lies outside along the
// outer one is in the order of the input.
bool CanMerge(const MappedAxis& outer, const MappedAxis& inner) {
  const bool in_order = outer.IsWhole() || outer.count == 1 || outer.outside == Outside::kValue ||
                        outer.outside == Outside::kWrapped;
  return in_order && inner.IsWhole() &&
         outer.output_stride == inner.output_stride * int64_t{inner.size} &&
         (outer.count == 1 || outer.input_stride == inner.input_stride * int64_t{inner.size});
}

MappedAxis Merge(const MappedAxis& outer, const MappedAxis& inner) {
  const bool is_value = outer.outside == Outside::kValue;
  return {.size = outer.size * inner.size,
          .start = outer.start * inner.size,
          .count = outer.count * inner.size,
          .outside = is_value ? Outside::kValue : Outside::kWrapped,
          .output_stride = inner.output_stride,
          .input_stride = inner.input_stride};
}

// Axes of size 1 are dropped, the others sorted by the output's strides and merged.
void AddAxes(const PaddingDesc& desc, Mapped& plan) {
  std::array<MappedAxis, kMaxDimensions> sorted;
  uint32_t count = 0;
  for (uint32_t i = 0; i < desc.output.dimension_count; ++i) {
    if (desc.output.sizes[i] == 1) continue;
    MappedAxis axis =
        PaddedAxis(desc.mode, desc.output.sizes[i], desc.start[i], desc.input.sizes[i]);
    axis.output_stride = desc.output.strides[i];
    axis.input_stride = axis.count == 1 ? 0 : desc.input.strides[i];
    uint32_t k = count++;
    for (; k > 0 && sorted[k - 1].output_stride < axis.output_stride; --k) {
      sorted[k] = sorted[k - 1];
    }
    sorted[k] = axis;
  }
  uint32_t first = kMaxDimensions;  // of those merged, which are filled in from the last one on
  for (uint32_t i = count; i-- > 0;) {
    if (first < kMaxDimensions && CanMerge(sorted[i], plan.axes[first])) {
      plan.axes[first] = Merge(sorted[i], plan.axes[first]);
    } else {
      plan.axes[--first] = sorted[i];
    }
  }
  plan.rank = kMaxDimensions - first;
  for (uint32_t i = 0; i < plan.rank; ++i) plan.axes[i] = plan.axes[first + i];
}

// A whole last axis becomes what lies side by side, where the one outside of it continues it.
void TakeInner(Mapped& plan) {
  plan.inner = 1;
  if (plan.rank < 2) return;
  const MappedAxis& last = plan.axes[plan.rank - 1];
  const MappedAxis& outer = plan.axes[plan.rank - 2];
  if (!last.IsWhole() || last.output_stride != 1 || last.input_stride != 1) return;
  if (outer.output_stride != last.size || outer.input_stride != last.size) return;
  plan.inner = last.size;
  --plan.rank;
}

Mapped PlanPadding(const PaddingDesc& desc) {
  Mapped plan = {};
  plan.element_size = ElementSize(desc.input.data_type);
  plan.value = desc.value;
  plan.input_elements = desc.input.ElementCount();
  plan.dense_elements = IsDense(desc.input) ? plan.input_elements : 0;
  plan.is_packed = IsDense(desc.output);
  AddAxes(desc, plan);
  TakeInner(plan);
  if (plan.rank == 0) {  // a single element: a packed row of one
    plan.rank = 1;
    plan.axes[0] = {.size = 1,
                    .start = 0,
                    .count = 1,
                    .outside = Outside::kValue,
                    .output_stride = 1,
                    .input_stride = 1};
  }
  return plan;
}

std::string ExplainPadding(const Mapped& plan) {
  constexpr std::string_view kWords[] = {"the value", "the nearest element",
                                         "the input backwards, without its border",
                                         "the input backwards", "the input again"};
  std::string text = fmt::format("{} merged axes, each output element written once", plan.rank);
  for (uint32_t i = 0; i < plan.rank; ++i) {
    const MappedAxis& axis = plan.axes[i];
    text += fmt::format("\naxis {}: {} of the input from {} on, of {}", i, axis.count, axis.start,
                        axis.size);
    if (i + 1 == plan.rank && plan.inner > 1) text += fmt::format(", of {} elements", plan.inner);
    if (!axis.IsWhole()) {
      text += fmt::format("; outside {}", kWords[static_cast<size_t>(axis.outside)]);
    }
  }
  return text;
}

// ---- Blocks: one part between two layouts, of as many dimensions as a batch, a channel, and the
// parts of a row and of a column need.

move::Parts PlanBlocks(const BlocksDesc& desc) {
  const TensorDesc& depth = desc.to_depth ? desc.output : desc.input;
  const TensorDesc& space = desc.to_depth ? desc.input : desc.output;
  const uint32_t block = desc.block, channels = space.sizes[1];
  // The batch, the channel, the row of blocks and of the block, the column likewise.
  const Dimensions sizes = {depth.sizes[0], channels, depth.sizes[2], block, depth.sizes[3], block};
  // A channel of the depth side has three parts, whose order the description says.
  const uint32_t of_channel = desc.block_is_outer ? 1 : block * block;
  const uint32_t of_column = desc.block_is_outer ? channels : 1;
  const auto channel = [&](uint32_t times) { return times * depth.strides[1]; };
  const Dimensions in_depth = {depth.strides[0],           channel(of_channel), depth.strides[2],
                               channel(of_column * block), depth.strides[3],    channel(of_column)};
  const Dimensions in_space = {space.strides[0], space.strides[1],         space.strides[2] * block,
                               space.strides[2], space.strides[3] * block, space.strides[3]};
  TensorDesc whole = desc.output;
  whole.dimension_count = 6;
  whole.sizes = sizes;
  whole.strides = desc.to_depth ? in_depth : in_space;
  move::Parts plan = {.element_size = ElementSize(whole.data_type),
                      .join = true,
                      .axis = 0,
                      .count = 1,
                      .whole = whole,
                      .sizes = {sizes[0]},
                      .strides = {desc.to_depth ? in_space : in_depth},
                      .rows = 0,
                      .inner = 0};
  move::FindCommonRows(plan);
  return plan;
}

std::string ExplainBlocks(const move::Parts& plan) {
  return anydml::Explain(move::PartOf(plan, 0).loop, {"the input", "the output"});
}

// ---- Sequences.

move::Reversed PlanReverse(const ReverseDesc& desc) {
  StridedLoop<4> loop;
  loop.rank = desc.output.dimension_count;
  for (uint32_t i = 0; i < loop.rank; ++i) {
    const bool on_axis = i == desc.axis;
    loop.sizes[i] = desc.output.sizes[i];
    loop.strides[0][i] = on_axis ? 0 : desc.lengths.strides[i];
    loop.strides[1][i] = on_axis ? 1 : 0;
    loop.strides[2][i] = on_axis ? 0 : desc.input.strides[i];
    loop.strides[3][i] = desc.output.strides[i];
  }
  return {ElementSize(desc.input.data_type), desc.lengths.data_type, desc.input.sizes[desc.axis],
          desc.input.strides[desc.axis], Coalesce(loop)};
}

std::string ExplainReverse(const move::Reversed& plan) {
  return anydml::Explain(plan.loop, {"the lengths", "the coordinate", "the input", "the output"});
}

template <class Desc, class Plan, Plan (*kPlan)(const Desc&), std::string (*kExplain)(const Plan&),
          void (*kReference)(const Desc&, const Bindings&)>
constexpr Kernel Named(std::string_view name, DataTypeSet types,
                       std::span<const CpuStrategy> strategies, std::string_view cuda_name) {
  Kernel kernel = PlainKernel<Desc, Plan, kPlan, kExplain, kReference>(name, types, strategies);
  kernel.cuda_name = cuda_name;
  return kernel;
}

}  // namespace

// A single element is repeated, in every mode but CONSTANT (B80).
MappedAxis PaddedAxis(uint32_t mode, uint32_t size, uint32_t start, uint32_t count) {
  const Outside outside = kOutside[mode];
  const bool is_repeated = count == 1 && outside != Outside::kValue;
  return {size, start, count, is_repeated ? Outside::kNearest : outside, 0, 0};
}

constinit const Kernel kPaddingKernel =
    Named<PaddingDesc, Mapped, PlanPadding, ExplainPadding, PaddingReference>(
        "padding", kElevenTypes, move::kMappedStrategies, "mapped");
constinit const Kernel kTileKernel =
    Named<PaddingDesc, Mapped, PlanPadding, ExplainPadding, TileReference>(
        "tile", kTenTypes, move::kMappedStrategies, "mapped");
constinit const Kernel kBlocksKernel =
    Named<BlocksDesc, move::Parts, PlanBlocks, ExplainBlocks, BlocksReference>(
        "blocks", kElevenTypes, move::kRearrangedStrategies, "parts");
constinit const Kernel kReverseKernel =
    Named<ReverseDesc, move::Reversed, PlanReverse, ExplainReverse, ReverseReference>(
        "reversed", kElevenTypes, move::kReversedStrategies, "reversed");

}  // namespace anydml::rearrangement
