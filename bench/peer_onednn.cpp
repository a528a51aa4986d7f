// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// oneDNN. It takes the layouts that have a name there, NCHW and NHWC; the blocked
// layout that it likes best is shown and not raced, because nobody's tensors lie
// so unless oneDNN has put them there.
#include <dnnl.hpp>
#include <memory>
#include <utility>

#include "bench/peer_task.h"
#include "bench/peers.h"

namespace anydml::bench {
namespace {

using dnnl::algorithm;
using dnnl::memory;
using Arguments = std::unordered_map<int, memory>;

dnnl::engine& Engine() {
  static dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

dnnl::stream& Stream() {
  static dnnl::stream stream(Engine());
  return stream;
}

memory::data_type TypeOf(const PeerTask& task) {
  return task.row.type == DataType::kFloat16 ? memory::data_type::f16 : memory::data_type::f32;
}

memory::desc DescOf(const PeerTask& task, const TensorDesc& tensor) {
  return {SizesOf(tensor), TypeOf(task), StridesOf(tensor)};
}

memory MemoryOf(const PeerTask& task, const BoundTensor& tensor) {
  return {DescOf(task, tensor.desc), Engine(), tensor.data};
}

// Primitives that run one after the other.
struct Step {
  dnnl::primitive primitive;
  Arguments arguments;
};

std::function<void()> RunAll(std::vector<Step> steps) {
  return [steps = std::move(steps)] {
    for (const Step& step : steps) step.primitive.execute(Stream(), step.arguments);
    Stream().wait();
  };
}

// In the blocked layout, a copy of what is bound.
memory Blocked(const PeerTask& task, const BoundTensor& tensor) {
  const auto tag =
      tensor.desc.dimension_count == 5 ? memory::format_tag::nCdhw16c : memory::format_tag::nChw16c;
  memory plain = MemoryOf(task, tensor);
  memory blocked({SizesOf(tensor.desc), TypeOf(task), tag}, Engine());
  dnnl::reorder(plain, blocked).execute(Stream(), plain, blocked);
  Stream().wait();
  return blocked;
}

std::function<void()> PublishFrom(const PeerTask& task, const memory& blocked) {
  memory plain = MemoryOf(task, Output(task, 0));
  return [plain, from = memory(blocked)]() mutable {
    dnnl::reorder(from, plain).execute(Stream(), from, plain);
    Stream().wait();
  };
}

bool HasBlockedLayout(const PeerTask& task) {
  const TensorDesc& tensor = task.arguments.tensor(0);
  const bool packed = task.row.layout == BenchLayout::kPacked;
  return packed && tensor.dimension_count >= 4 && task.row.type == DataType::kFloat32;
}

// ---- Element by element

algorithm ClipAlgorithm() { return algorithm::eltwise_clip_v2; }

std::vector<PeerContestant> ElementWise(const PeerTask& task, algorithm kind, float alpha,
                                        float beta) {
  const memory::desc desc = DescOf(task, task.arguments.tensor(0));
  const dnnl::eltwise_forward::primitive_desc forward(
      {dnnl::prop_kind::forward_inference, kind, desc, alpha, beta}, Engine());
  return {{"oneDNN", true,
           RunAll({{dnnl::eltwise_forward(forward),
                    {{DNNL_ARG_SRC, MemoryOf(task, Input(task, 0))},
                     {DNNL_ARG_DST, MemoryOf(task, Output(task, 0))}}}})}};
}

std::vector<PeerContestant> ElementWiseGradient(const PeerTask& task, algorithm kind, float alpha,
                                                float beta) {
  const memory::desc desc = DescOf(task, task.arguments.tensor(0));
  const dnnl::eltwise_forward::primitive_desc hint(
      {dnnl::prop_kind::forward_training, kind, desc, alpha, beta}, Engine());
  const dnnl::eltwise_backward::primitive_desc backward({kind, desc, desc, alpha, beta}, Engine(),
                                                        hint);
  return {{"oneDNN", true,
           RunAll({{dnnl::eltwise_backward(backward),
                    {{DNNL_ARG_SRC, MemoryOf(task, Input(task, 0))},
                     {DNNL_ARG_DIFF_DST, MemoryOf(task, Input(task, 1))},
                     {DNNL_ARG_DIFF_SRC, MemoryOf(task, Output(task, 0))}}}})}};
}

std::vector<PeerContestant> Relu(const PeerTask& task) {
  return ElementWise(task, algorithm::eltwise_relu, 0, 0);
}
std::vector<PeerContestant> ReluGradient(const PeerTask& task) {
  return ElementWiseGradient(task, algorithm::eltwise_relu, 0, 0);
}
std::vector<PeerContestant> Clip(const PeerTask& task) {
  return ElementWise(task, ClipAlgorithm(), static_cast<float>(Scalar(task, "Min")),
                     static_cast<float>(Scalar(task, "Max")));
}
std::vector<PeerContestant> ClipGradient(const PeerTask& task) {
  return ElementWiseGradient(task, ClipAlgorithm(), static_cast<float>(Scalar(task, "Min")),
                             static_cast<float>(Scalar(task, "Max")));
}

// ---- Pooling

dnnl::pooling_v2_forward::primitive_desc PoolingForward(const PeerTask& task, dnnl::prop_kind kind,
                                                        const memory::desc& source,
                                                        const memory::desc& target) {
  const Window window = WindowOf(task);
  memory::dims dilations;  // 0 means dense there
  for (int64_t dilation : window.dilations) dilations.push_back(dilation - 1);
  return {{kind, algorithm::pooling_max, source, target, window.strides, window.size, dilations,
           window.start_padding, window.end_padding},
          Engine()};
}

std::vector<PeerContestant> MaxPooling(const PeerTask& task) {
  const memory source = MemoryOf(task, Input(task, 0)), target = MemoryOf(task, Output(task, 0));
  const auto forward = PoolingForward(task, dnnl::prop_kind::forward_inference, source.get_desc(),
                                      target.get_desc());
  return {{"oneDNN", true,
           RunAll({{dnnl::pooling_v2_forward(forward),
                    {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, target}}}})}};
}

// Forward (for the indices, which it keeps in a workspace), then backward.
std::vector<Step> PoolingSteps(const PeerTask& task, const memory& source, const memory& gradient,
                               const memory& result) {
  const Window window = WindowOf(task);
  memory::dims dilations;
  for (int64_t dilation : window.dilations) dilations.push_back(dilation - 1);
  const auto forward = PoolingForward(task, dnnl::prop_kind::forward_training, source.get_desc(),
                                      gradient.get_desc());
  const dnnl::pooling_v2_backward::primitive_desc backward(
      {algorithm::pooling_max, result.get_desc(), gradient.get_desc(), window.strides, window.size,
       dilations, window.start_padding, window.end_padding},
      Engine(), forward);
  const memory workspace(forward.workspace_desc(), Engine());
  const memory maxima(gradient.get_desc(), Engine());
  return {{dnnl::pooling_v2_forward(forward),
           {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, maxima}, {DNNL_ARG_WORKSPACE, workspace}}},
          {dnnl::pooling_v2_backward(backward),
           {{DNNL_ARG_DIFF_DST, gradient},
            {DNNL_ARG_DIFF_SRC, result},
            {DNNL_ARG_WORKSPACE, workspace}}}};
}

std::vector<PeerContestant> MaxPoolingGradient(const PeerTask& task) {
  const std::vector<Step> steps =
      PoolingSteps(task, MemoryOf(task, Input(task, 0)), MemoryOf(task, Input(task, 1)),
                   MemoryOf(task, Output(task, 0)));
  RunAll({steps[0]})();  // the indices for the backward pass alone
  std::vector<PeerContestant> all = {{"oneDNN forward + backward", true, RunAll(steps)},
                                     {"oneDNN backward only", false, RunAll({steps[1]})}};
  if (HasBlockedLayout(task)) {
    const memory result = Blocked(task, Output(task, 0));
    all.push_back({"oneDNN blocked forward + backward", false,
                   RunAll(PoolingSteps(task, Blocked(task, Input(task, 0)),
                                       Blocked(task, Input(task, 1)), result)),
                   PublishFrom(task, result)});
  }
  return all;
}

// ---- Resampling. It resizes the dimensions after the second.

bool ResizesSpatially(const PeerTask& task) {
  const TensorDesc &a = Input(task, 0).desc, &b = Output(task, 0).desc;
  const std::vector<size_t> axes = ChangedAxes(a, b);
  return a.dimension_count >= 3 && !axes.empty() && axes[0] >= 2;
}

algorithm ResamplingAlgorithm(const PeerTask& task) {
  return IsLinear(task) ? algorithm::resampling_linear : algorithm::resampling_nearest;
}

std::vector<PeerContestant> Resample(const PeerTask& task) {
  if (!ResizesSpatially(task)) return {};
  const memory source = MemoryOf(task, Input(task, 0)), target = MemoryOf(task, Output(task, 0));
  const dnnl::resampling_forward::primitive_desc forward(
      {dnnl::prop_kind::forward_inference, ResamplingAlgorithm(task), source.get_desc(),
       target.get_desc()},
      Engine());
  return {{"oneDNN", true,
           RunAll({{dnnl::resampling_forward(forward),
                    {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, target}}}})}};
}

std::function<void()> ResamplingBackward(const PeerTask& task, const memory& gradient,
                                         const memory& result) {
  const algorithm kind = ResamplingAlgorithm(task);
  const dnnl::resampling_forward::primitive_desc hint(
      {dnnl::prop_kind::forward_training, kind, result.get_desc(), gradient.get_desc()}, Engine());
  const dnnl::resampling_backward::primitive_desc backward(
      {kind, result.get_desc(), gradient.get_desc()}, Engine(), hint);
  return RunAll({{dnnl::resampling_backward(backward),
                  {{DNNL_ARG_DIFF_DST, gradient}, {DNNL_ARG_DIFF_SRC, result}}}});
}

std::vector<PeerContestant> ResampleGradient(const PeerTask& task) {
  if (!ResizesSpatially(task)) return {};
  std::vector<PeerContestant> all = {
      {"oneDNN", true,
       ResamplingBackward(task, MemoryOf(task, Input(task, 0)), MemoryOf(task, Output(task, 0)))}};
  if (HasBlockedLayout(task)) {
    const memory result = Blocked(task, Output(task, 0));
    all.push_back({"oneDNN blocked", false,
                   ResamplingBackward(task, Blocked(task, Input(task, 0)), result),
                   PublishFrom(task, result)});
  }
  return all;
}

// ---- Sums of products

std::vector<PeerContestant> Gemm(const PeerTask& task) {
  if (task.row.type != DataType::kFloat32) return {};
  const Matrices m = MatricesOf(task);
  return {{"oneDNN", true, [m] {
             dnnl_sgemm(m.trans_a ? 'T' : 'N', m.trans_b ? 'T' : 'N', m.m, m.n, m.k, 1, m.a, m.lda,
                        m.b, m.ldb, 0, m.output, m.ldo);
           }}};
}

// Image, filter and map of one direction, in layouts of our choice or, empty, of oneDNN's.
struct Convolution {
  memory::dims image, filter, map, strides, dilations, start, end;
  bool backward;

  explicit Convolution(const PeerTask& task)
      : image(SizesOf(Input(task, 0).desc)),
        filter(SizesOf(Input(task, 1).desc)),
        map(SizesOf(Output(task, 0).desc)),
        strides(Integers(task, "Strides")),
        start(Integers(task, "StartPadding")),
        end(Integers(task, "EndPadding")),
        backward(Number(task, "Direction") == 1) {
    if (backward) std::swap(image, map);
    for (int64_t dilation : Integers(task, "Dilations")) dilations.push_back(dilation - 1);
    const int64_t groups = Number(task, "GroupCount");
    if (groups == 1) return;
    filter[0] /= groups;
    filter.insert(filter.begin(), groups);
  }

  // The primitive, with the filter brought to its layout each time: a step of a training has
  // another one.
  std::vector<Step> Steps(const PeerTask& task, const memory& input, const memory& output) const {
    const memory::desc any(filter, TypeOf(task), memory::format_tag::any);
    const auto &from = input.get_desc(), &to = output.get_desc();
    const dnnl::convolution_forward::primitive_desc forward(
        {backward ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference,
         algorithm::convolution_direct, backward ? to : from, any, backward ? from : to, strides,
         dilations, start, end},
        Engine());
    if (!backward) {
      return WithFilter(task, forward.weights_desc(), dnnl::convolution_forward(forward),
                        {{DNNL_ARG_SRC, input}, {DNNL_ARG_DST, output}});
    }
    const dnnl::convolution_backward_data::primitive_desc data(
        {algorithm::convolution_direct, to, any, from, strides, dilations, start, end}, Engine(),
        forward);
    return WithFilter(task, data.weights_desc(), dnnl::convolution_backward_data(data),
                      {{DNNL_ARG_DIFF_DST, input}, {DNNL_ARG_DIFF_SRC, output}});
  }

  std::vector<Step> WithFilter(const PeerTask& task, const memory::desc& wanted,
                               const dnnl::primitive& primitive, Arguments arguments) const {
    memory::dims steps = StridesOf(Input(task, 1).desc);
    if (filter.size() != steps.size()) steps.insert(steps.begin(), steps[0] * filter[1]);
    const memory plain({filter, TypeOf(task), steps}, Engine(), Input(task, 1).data);
    const memory reordered(wanted, Engine());
    arguments[DNNL_ARG_WEIGHTS] = reordered;
    return {{dnnl::reorder(plain, reordered), {{DNNL_ARG_FROM, plain}, {DNNL_ARG_TO, reordered}}},
            {primitive, arguments}};
  }
};

std::vector<PeerContestant> Convolve(const PeerTask& task) {
  const Convolution convolution(task);
  // Weight gradients have windows as large as images: another primitive, and other layouts.
  if (task.row.type != DataType::kFloat32 || convolution.filter.back() > 16) return {};
  std::vector<PeerContestant> all = {{"oneDNN", true,
                                      RunAll(convolution.Steps(task, MemoryOf(task, Input(task, 0)),
                                                               MemoryOf(task, Output(task, 0))))}};
  if (HasBlockedLayout(task) && convolution.image[1] % 16 == 0) {
    const memory result = Blocked(task, Output(task, 0));
    all.push_back({"oneDNN blocked", false,
                   RunAll(convolution.Steps(task, Blocked(task, Input(task, 0)), result)),
                   PublishFrom(task, result)});
  }
  return all;
}

constexpr PeerOperator kOperators[] = {
    {"GEMM", Gemm},
    {"CONVOLUTION", Convolve},
    {"ACTIVATION_RELU", Relu},
    {"ACTIVATION_RELU_GRAD", ReluGradient},
    {"ELEMENT_WISE_CLIP1", Clip},
    {"ELEMENT_WISE_CLIP_GRAD1", ClipGradient},
    {"MAX_POOLING2", MaxPooling},
    {"MAX_POOLING_GRAD", MaxPoolingGradient},
    {"RESAMPLE2", Resample},
    {"RESAMPLE_GRAD1", ResampleGradient},
};

}  // namespace

std::vector<PeerContestant> EnterOneDnn(const PeerTask& task) {
  const bool is_float = task.row.type == DataType::kFloat32 || task.row.type == DataType::kFloat16;
  const bool named_layout =
      task.row.layout == BenchLayout::kPacked || task.row.layout == BenchLayout::kChannelsLast;
  if (!is_float || !named_layout) return {};
  return EnterByName(kOperators, task);
}

}  // namespace anydml::bench
