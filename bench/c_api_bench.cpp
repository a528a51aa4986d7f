// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What a call of the C interface costs beside its arithmetic: executing a
// compiled operator on 1,000 elements, creating an operator that the cache
// knows, and creating one that it does not; and what it costs to differentiate a
// graph and to compile it with its gradients.
#include <benchmark/benchmark.h>
#include <directml.h>

#include <anydml/graph.hpp>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

// A packed RELU_GRAD on n elements, with the structs that describe it.
struct ReluGradDesc {
  explicit ReluGradDesc(UINT n) : size(n) {
    buffer.DataType = DML_TENSOR_DATA_TYPE_FLOAT32;
    buffer.DimensionCount = 1;
    buffer.Sizes = &size;
    buffer.TotalTensorSizeInBytes = uint64_t{n} * sizeof(float);
  }
  ReluGradDesc(const ReluGradDesc&) = delete;
  ReluGradDesc& operator=(const ReluGradDesc&) = delete;

  UINT size;
  DML_BUFFER_TENSOR_DESC buffer = {};
  DML_TENSOR_DESC tensor = {DML_TENSOR_TYPE_BUFFER, &buffer};
  DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC relu_grad = {&tensor, &tensor, &tensor};
  DML_OPERATOR_DESC desc = {DML_OPERATOR_ACTIVATION_RELU_GRAD, &relu_grad};
};

std::vector<float> RandomValues(size_t count) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) value = normal(random);
  return values;
}

void Execute(benchmark::State& state) {
  const auto count = static_cast<UINT>(state.range(0));
  const anydml::Operator op = anydml::Device("cpu").CreateOperator(ReluGradDesc(count).desc);
  const std::vector<float> x = RandomValues(count), dy = RandomValues(count);
  std::vector<float> dx(count);
  const void* inputs[] = {x.data(), dy.data()};
  void* outputs[] = {dx.data()};
  for (auto _ : state) {
    if (anydml_execute(op.get(), inputs, outputs) != ANYDML_OK) {
      state.SkipWithError(anydml_last_error());
      return;
    }
  }
  state.SetBytesProcessed(state.iterations() * count * 3 * sizeof(float));
}
BENCHMARK(Execute)->Arg(1)->Arg(1000)->Arg(100000)->UseRealTime();

void CreateAgain(benchmark::State& state) {
  const anydml::Device device("cpu");
  const ReluGradDesc desc(1000);
  for (auto _ : state) benchmark::DoNotOptimize(device.CreateOperator(desc.desc));
}
BENCHMARK(CreateAgain);

// More sizes than the cache keeps.
void CreateAnew(benchmark::State& state) {
  const anydml::Device device("cpu");
  UINT size = 0;
  for (auto _ : state) {
    size = size % 100000 + 1;
    benchmark::DoNotOptimize(device.CreateOperator(ReluGradDesc(size).desc));
  }
}
BENCHMARK(CreateAnew);

// Layers of four operators, of which half have weights: GEMM, ADD, RELU, MULTIPLY.
struct Layers {
  explicit Layers(int64_t operators) {
    value = graph.Input("x", {16, 16});
    for (int64_t i = 0; i < operators / 4; ++i) {
      const std::string number = std::to_string(i);
      for (const char* name : {"w", "b"}) {
        weights.push_back(graph.Input((name + number).c_str(), {16, 16}));
      }
      value = anydml::Relu(anydml::Gemm(value, weights[weights.size() - 2]) + weights.back());
      value = value * value;
    }
    loss = anydml::Average(value);
  }

  anydml::Graph graph;
  anydml::Value value, loss;
  std::vector<anydml::Value> weights;
};

void Differentiate(benchmark::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    auto layers = std::make_unique<Layers>(state.range(0));
    state.ResumeTiming();
    benchmark::DoNotOptimize(layers->graph.Gradients(layers->loss, layers->weights));
    state.PauseTiming();
    layers.reset();
    state.ResumeTiming();
  }
}
BENCHMARK(Differentiate)->Arg(100)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);

void CompileWithGradients(benchmark::State& state) {
  const anydml::Device device("cpu");
  Layers layers(state.range(0));
  std::vector<anydml::Value> outputs = layers.graph.Gradients(layers.loss, layers.weights);
  outputs.push_back(layers.loss);
  for (auto _ : state) benchmark::DoNotOptimize(device.Compile(layers.graph, outputs));
}
BENCHMARK(CompileWithGradients)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
