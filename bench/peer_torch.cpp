// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// libtorch: its operators on our memory, through the variants that write to a
// given result, so that nothing is allocated while the clock runs.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include "bench/peer_task.h"
#include "bench/peers.h"

namespace anydml::bench {
namespace {

using at::Tensor;

at::ScalarType TypeOf(DataType type) {
  switch (type) {
    case DataType::kFloat32:
      return at::kFloat;
    case DataType::kFloat16:
      return at::kHalf;
    case DataType::kFloat64:
      return at::kDouble;
    case DataType::kInt64:
      return at::kLong;
    case DataType::kInt32:
      return at::kInt;
    case DataType::kInt16:
      return at::kShort;
    case DataType::kInt8:
      return at::kChar;
    case DataType::kUint8:
      return at::kByte;
    default:
      return at::ScalarType::Undefined;
  }
}

Tensor TensorOf(const BoundTensor& tensor) {
  return at::from_blob(tensor.data, SizesOf(tensor.desc), StridesOf(tensor.desc),
                       at::TensorOptions().dtype(TypeOf(tensor.desc.data_type)));
}

template <typename F>
PeerContestant Contestant(const char* name, F run, bool raced = true) {
  return {name, raced, [run]() mutable {
            const c10::InferenceMode no_gradients;
            run();
          }};
}

// ---- Element by element

std::vector<PeerContestant> Relu(const PeerTask& task) {
  const Tensor x = TensorOf(Input(task, 0));
  Tensor y = TensorOf(Output(task, 0));
  return {Contestant("torch", [=]() mutable { at::clamp_min_out(y, x, 0); })};
}

std::vector<PeerContestant> ReluGradient(const PeerTask& task) {
  const Tensor x = TensorOf(Input(task, 0)), dy = TensorOf(Input(task, 1));
  Tensor dx = TensorOf(Output(task, 0));
  return {Contestant("torch", [=]() mutable { at::threshold_backward_out(dx, dy, x, 0); })};
}

std::vector<PeerContestant> Clip(const PeerTask& task) {
  const Tensor x = TensorOf(Input(task, 0));
  Tensor y = TensorOf(Output(task, 0));
  const double min = Scalar(task, "Min"), max = Scalar(task, "Max");
  return {Contestant("torch", [=]() mutable {
    at::clamp_out(y, x, c10::optional<at::Scalar>(min), c10::optional<at::Scalar>(max));
  })};
}

// hardtanh's gradient has the same open interval; clamp's includes the bounds.
std::vector<PeerContestant> ClipGradient(const PeerTask& task) {
  const Tensor x = TensorOf(Input(task, 0)), dy = TensorOf(Input(task, 1));
  Tensor dx = TensorOf(Output(task, 0));
  const double min = Scalar(task, "Min"), max = Scalar(task, "Max");
  return {Contestant("torch", [=]() mutable { at::hardtanh_backward_out(dx, dy, x, min, max); })};
}

// ---- Pooling

void Pool(const Window& w, const Tensor& x, Tensor& y, Tensor& indices) {
  if (x.dim() == 4) {
    at::max_pool2d_with_indices_out(y, indices, x, w.size, w.strides, w.start_padding, w.dilations);
  } else {
    at::max_pool3d_with_indices_out(y, indices, x, w.size, w.strides, w.start_padding, w.dilations);
  }
}

void PoolBackward(const Window& w, const Tensor& x, const Tensor& dy, const Tensor& indices,
                  Tensor& dx) {
  if (x.dim() == 4) {
    at::max_pool2d_with_indices_backward_out(dx, dy, x, w.size, w.strides, w.start_padding,
                                             w.dilations, false, indices);
  } else {
    at::max_pool3d_with_indices_backward_out(dx, dy, x, w.size, w.strides, w.start_padding,
                                             w.dilations, false, indices);
  }
}

std::vector<PeerContestant> MaxPooling(const PeerTask& task) {
  const Tensor x = TensorOf(Input(task, 0));
  Tensor y = TensorOf(Output(task, 0));
  Tensor indices = at::empty_like(y, at::kLong);
  return {Contestant("torch", [=, w = WindowOf(task)]() mutable { Pool(w, x, y, indices); })};
}

std::vector<PeerContestant> MaxPoolingGradient(const PeerTask& task) {
  const Window w = WindowOf(task);
  const Tensor x = TensorOf(Input(task, 0)), dy = TensorOf(Input(task, 1));
  Tensor dx = TensorOf(Output(task, 0));
  Tensor y = at::empty_like(dy), indices = at::empty_like(dy, at::kLong);
  Pool(w, x, y, indices);  // for the backward pass alone
  return {
      Contestant("torch forward + backward",
                 [=]() mutable {
                   Pool(w, x, y, indices);
                   PoolBackward(w, x, dy, indices, dx);
                 }),
      Contestant(
          "torch backward only", [=]() mutable { PoolBackward(w, x, dy, indices, dx); }, false)};
}

// ---- Resampling

// As torch counts: a batch, channels, and the axes that change, which have to be
// the last ones. Empty where it has no such operator.
Tensor WithSpatialAxes(Tensor tensor, const std::vector<size_t>& axes) {
  const size_t first = static_cast<size_t>(tensor.dim()) - axes.size();
  if (axes.empty() || axes.size() > 3 || axes[0] != first) return {};
  while (tensor.dim() < static_cast<int64_t>(axes.size()) + 2) tensor = tensor.unsqueeze(0);
  return tensor;
}

void ResizeLinear(const Tensor& x, Tensor& y) {
  const at::IntArrayRef size = y.sizes().slice(2);
  if (size.size() == 1) at::upsample_linear1d_out(y, x, size, false);
  if (size.size() == 2) at::upsample_bilinear2d_out(y, x, size, false);
  if (size.size() == 3) at::upsample_trilinear3d_out(y, x, size, false);
}

void ResizeNearest(const Tensor& x, Tensor& y) {
  const at::IntArrayRef size = y.sizes().slice(2);
  if (size.size() == 1) at::_upsample_nearest_exact1d_out(y, x, size);
  if (size.size() == 2) at::_upsample_nearest_exact2d_out(y, x, size);
  if (size.size() == 3) at::_upsample_nearest_exact3d_out(y, x, size);
}

void ResizeLinearBackward(const Tensor& dy, Tensor& dx) {
  const at::IntArrayRef size = dy.sizes().slice(2);
  if (size.size() == 1) at::upsample_linear1d_backward_out(dx, dy, size, dx.sizes(), false);
  if (size.size() == 2) at::upsample_bilinear2d_backward_out(dx, dy, size, dx.sizes(), false);
  if (size.size() == 3) at::upsample_trilinear3d_backward_out(dx, dy, size, dx.sizes(), false);
}

void ResizeNearestBackward(const Tensor& dy, Tensor& dx) {
  const at::IntArrayRef size = dy.sizes().slice(2);
  if (size.size() == 1) at::_upsample_nearest_exact1d_backward_out(dx, dy, size, dx.sizes());
  if (size.size() == 2) at::_upsample_nearest_exact2d_backward_out(dx, dy, size, dx.sizes());
  if (size.size() == 3) at::_upsample_nearest_exact3d_backward_out(dx, dy, size, dx.sizes());
}

std::vector<PeerContestant> Resize(const PeerTask& task,
                                   void (*resize)(const Tensor& from, Tensor& to)) {
  const BoundTensor input = Input(task, 0), output = Output(task, 0);
  const std::vector<size_t> axes = ChangedAxes(input.desc, output.desc);
  const Tensor from = WithSpatialAxes(TensorOf(input), axes);
  Tensor to = WithSpatialAxes(TensorOf(output), axes);
  if (!from.defined()) return {};
  return {Contestant("torch", [=]() mutable { resize(from, to); })};
}

std::vector<PeerContestant> Resample(const PeerTask& task) {
  return Resize(task, IsLinear(task) ? ResizeLinear : ResizeNearest);
}

std::vector<PeerContestant> ResampleGradient(const PeerTask& task) {
  return Resize(task, IsLinear(task) ? ResizeLinearBackward : ResizeNearestBackward);
}

// ---- Slices. torch has no negative steps; what runs backwards is flipped.

struct View {
  Tensor tensor;               // of the elements that a slice takes, in ascending order
  std::vector<int64_t> flips;  // axes that run backwards
};

View ViewOf(const PeerTask& task, Tensor whole, const TensorDesc& part) {
  const std::vector<int64_t> offsets = Integers(task, "InputWindowOffsets");
  const std::vector<int64_t> sizes = Integers(task, "InputWindowSizes");
  const std::vector<int64_t> strides = Integers(task, "InputWindowStrides");
  View view = {std::move(whole), {}};
  for (size_t i = 0; i < offsets.size(); ++i) {
    const int64_t step = std::abs(strides[i]), extent = (part.sizes[i] - 1) * step + 1;
    const int64_t start = strides[i] > 0 ? offsets[i] : offsets[i] + sizes[i] - extent;
    const auto axis = static_cast<int64_t>(i);
    view.tensor = view.tensor.slice(axis, start, start + extent, step);
    if (strides[i] < 0) view.flips.push_back(axis);
  }
  return view;
}

std::vector<PeerContestant> Slice(const PeerTask& task) {
  const BoundTensor output = Output(task, 0);
  const View view = ViewOf(task, TensorOf(Input(task, 0)), output.desc);
  Tensor y = TensorOf(output);
  return {Contestant("torch", [=]() mutable {
    if (view.flips.empty()) {
      y.copy_(view.tensor);
    } else {
      at::flip_out(y, view.tensor, view.flips);
    }
  })};
}

std::vector<PeerContestant> SliceGradient(const PeerTask& task) {
  const BoundTensor input = Input(task, 0);
  const Tensor dy = TensorOf(input);
  Tensor dx = TensorOf(Output(task, 0));
  const View view = ViewOf(task, dx, input.desc);
  return {Contestant("torch", [=]() mutable {
    dx.zero_();
    view.tensor.copy_(view.flips.empty() ? dy : dy.flip(view.flips));
  })};
}

constexpr PeerOperator kOperators[] = {
    {"ACTIVATION_RELU", Relu},
    {"ACTIVATION_RELU_GRAD", ReluGradient},
    {"ELEMENT_WISE_CLIP1", Clip},
    {"ELEMENT_WISE_CLIP_GRAD1", ClipGradient},
    {"MAX_POOLING2", MaxPooling},
    {"MAX_POOLING_GRAD", MaxPoolingGradient},
    {"RESAMPLE2", Resample},
    {"RESAMPLE_GRAD1", ResampleGradient},
    {"SLICE1", Slice},
    {"SLICE_GRAD", SliceGradient},
};

}  // namespace

std::vector<PeerContestant> EnterTorch(const PeerTask& task) {
  if (TypeOf(task.row.type) == at::ScalarType::Undefined) return {};
  at::set_num_threads(task.threads);
  const c10::InferenceMode no_gradients;
  return EnterByName(kOperators, task);
}

}  // namespace anydml::bench
