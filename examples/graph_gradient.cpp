// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A graph of values, its gradients, and a step of gradient descent as one operator: a line
// through four points. The program of docs/gradients.md.
#include <anydml/graph.hpp>
#include <cmath>
#include <cstdio>

int main() {
  using namespace anydml;
  Device device("cpu");  // or "cuda:0": the same bits
  Graph g;
  Value x = g.Input("x", {4, 1}), t = g.Input("t", {4, 1});
  Value w = g.Input("w", {1, 1}), b = g.Input("b", {1});
  Value error = Gemm(x, w) + b - t;  // b is broadcast
  Value loss = Average(error * error);
  std::vector<Value> d = g.Gradients(loss, {w, b});

  // Outputs 1 and 2 are written over inputs 2 and 3, after their last readers.
  Operator step = device.Compile(g, {loss, w - 0.1f * d[0], b - 0.1f * d[1]}, {{1, 2}, {2, 3}});
  const float xs[] = {0, 1, 2, 3}, ts[] = {1, 3, 5, 7};
  float ws = 0, bs = 0, l = 0;
  for (int i = 0; i <= 200; ++i) {
    step.Execute({xs, ts, &ws, &bs}, {&l, &ws, &bs});
    if (i % 100 == 0) std::printf("%3d  loss %-10.4g t = %.3f x + %.3f\n", i, l, ws, bs);
  }
  return std::abs(ws - 2) < 1e-2 && std::abs(bs - 1) < 1e-2 ? 0 : 1;
}
