// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The five gradient operators of DirectML's documentation, recorded into one
// command list, executed by one call and waited for once. hello.cpp explains
// the steps one by one.
#include "session.h"

int main() {
  Session session;

  // ReLU: the gradient passes where the input was positive.
  const Tensor four({4});
  const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC relu = {&four.desc, &four.desc, &four.desc};
  const auto relu_x = session.MakeBuffer({-1, 0, 1, 2}), relu_dy = session.MakeBuffer({1, 2, 3, 4});
  const auto relu_dx = session.MakeBuffer(std::vector<float>(4));
  session.Record(session.Compile(DML_OPERATOR_ACTIVATION_RELU_GRAD, &relu).Get(),
                 {relu_x.Get(), relu_dy.Get()}, {relu_dx.Get()});

  // Clip: it passes strictly between the bounds.
  const Tensor five({5});
  DML_SCALAR_UNION min = {}, max = {};
  min.Float32 = -1;
  max.Float32 = 1;
  const DML_ELEMENT_WISE_CLIP_GRAD1_OPERATOR_DESC clip = {
      &five.desc, &five.desc, &five.desc, DML_TENSOR_DATA_TYPE_FLOAT32, min, max};
  const auto clip_x = session.MakeBuffer({-2, -1, 0, 1, 2});
  const auto clip_dy = session.MakeBuffer({1, 2, 3, 4, 5});
  const auto clip_dx = session.MakeBuffer(std::vector<float>(5));
  session.Record(session.Compile(DML_OPERATOR_ELEMENT_WISE_CLIP_GRAD1, &clip).Get(),
                 {clip_x.Get(), clip_dy.Get()}, {clip_dx.Get()});

  // Slice: it goes back to where the slice was taken, every second row and
  // column of a 4 x 4 matrix; the rest is zero.
  const Tensor small({2, 2}), large({4, 4});
  const UINT offsets[] = {0, 0}, window[] = {4, 4};
  const INT steps[] = {2, 2};
  const DML_SLICE_GRAD_OPERATOR_DESC slice = {&small.desc, &large.desc, 2, offsets, window, steps};
  const auto slice_dy = session.MakeBuffer({1, 3, 9, 11});
  const auto slice_dx = session.MakeBuffer(std::vector<float>(16));
  session.Record(session.Compile(DML_OPERATOR_SLICE_GRAD, &slice).Get(), {slice_dy.Get()},
                 {slice_dx.Get()});

  // Max pooling: every window gives its gradient to its largest element, 2 x 2
  // windows over a 3 x 3 image here. The documentation's example.
  const Tensor image({1, 1, 3, 3}), pooled({1, 1, 2, 2});
  const UINT two[] = {2, 2}, one[] = {1, 1}, zero[] = {0, 0};
  const DML_MAX_POOLING_GRAD_OPERATOR_DESC pooling = {
      &image.desc, &pooled.desc, &image.desc, 2, one, two, zero, zero, one};
  const auto pooling_x = session.MakeBuffer({1, 2, 3, 2, 4, 2, 5, 6, 7});
  const auto pooling_dy = session.MakeBuffer({1, 2, 4, 5});
  const auto pooling_dx = session.MakeBuffer(std::vector<float>(9));
  session.Record(session.Compile(DML_OPERATOR_MAX_POOLING_GRAD, &pooling).Get(),
                 {pooling_x.Get(), pooling_dy.Get()}, {pooling_dx.Get()});

  // Resample: every sample gives its gradient back to the pixel that it was
  // taken from. The documentation's example.
  const Tensor samples({1, 3}), pixels({2, 2});
  const float scales[] = {0.5f, 1.5f}, in[] = {0.5f, 0.5f}, out[] = {-0.5f, -0.5f};
  const DML_RESAMPLE_GRAD1_OPERATOR_DESC resample = {&samples.desc,
                                                     &pixels.desc,
                                                     DML_INTERPOLATION_MODE_NEAREST_NEIGHBOR,
                                                     DML_AXIS_DIRECTION_DECREASING,
                                                     2,
                                                     scales,
                                                     in,
                                                     out};
  const auto resample_dy = session.MakeBuffer({4, 5, 6});
  const auto resample_dx = session.MakeBuffer(std::vector<float>(4));
  session.Record(session.Compile(DML_OPERATOR_RESAMPLE_GRAD1, &resample).Get(), {resample_dy.Get()},
                 {resample_dx.Get()});

  session.Finish();  // nothing has run before this

  bool right = Show("RELU_GRAD", relu_dx.Get(), {0, 0, 3, 4});
  right &= Show("CLIP_GRAD1", clip_dx.Get(), {0, 0, 3, 0, 0});
  right &= Show("SLICE_GRAD", slice_dx.Get(), {1, 0, 3, 0, 0, 0, 0, 0, 9, 0, 11, 0, 0, 0, 0, 0});
  right &= Show("MAX_POOLING_GRAD", pooling_dx.Get(), {0, 0, 0, 0, 3, 0, 0, 4, 5});
  right &= Show("RESAMPLE_GRAD1", resample_dx.Get(), {9, 6, 0, 0});
  return right ? 0 : 1;
}
