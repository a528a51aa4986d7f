// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What a call of the C interface costs beside its arithmetic: executing a
// compiled operator on 1,000 elements, creating an operator that the cache
// knows, and creating one that it does not; what it costs to differentiate a
// graph and to compile it with its gradients; and a chain of element-wise operators, which is
// one pass over memory, beside each of them alone, on every device.
#include <benchmark/benchmark.h>
#include <directml.h>

#include <anydml/graph.hpp>
#include <memory>
#include <optional>
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

// A chain of so many operators, or number `alone` of it: each with a row or a column that
// repeats. 2^26 elements.
struct Chain {
  static constexpr uint32_t kRows = 8192, kColumns = 8192;
  static constexpr uint64_t kBytes = uint64_t{kRows} * kColumns * sizeof(float);

  Chain(const anydml::Device& device, int operators, int alone) {
    const anydml::Value x = graph.Input("x", {kRows, kColumns});
    anydml::Value y = x;
    for (int i = 0; i < operators; ++i) {
      if (alone >= 0 && i != alone) continue;
      const std::string name = "operand" + std::to_string(i);
      const bool column = i == 3;
      const anydml::Value operand =
          graph.Input(name.c_str(), column ? anydml::Sizes{kRows, 1} : anydml::Sizes{1, kColumns});
      y = i == 0 ? y - operand : i == 2 || i == 4 ? y + operand : y * operand;
      ++operands;
    }
    op.emplace(device.Compile(graph, {y}));
  }

  anydml::Graph graph;
  std::optional<anydml::Operator> op;
  size_t operands = 0;
};

void RunChain(benchmark::State& state, const std::string& name, int operators, int alone) {
  const anydml::Device device(name.c_str());
  const Chain chain(device, operators, alone);
  const std::vector<float> values = RandomValues(Chain::kBytes / sizeof(float));
  void* const x = device.Allocate(Chain::kBytes);
  void* const y = device.Allocate(Chain::kBytes);
  device.Copy(x, values.data(), Chain::kBytes);
  device.Copy(y, values.data(), Chain::kBytes);            // so that no page is new
  std::vector<const void*> inputs(1 + chain.operands, x);  // rows and columns of x
  for (auto _ : state) {
    if (anydml_execute(chain.op->get(), inputs.data(), &y) != ANYDML_OK) {
      state.SkipWithError(anydml_last_error());
      break;
    }
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(2 * Chain::kBytes));
  device.Free(x);
  device.Free(y);
}

const bool kChainsAreRegistered = [] {
  constexpr int kOperators = 5;
  constexpr const char* kNames[] = {"subtract_row", "multiply_row", "add_row", "multiply_column",
                                    "add_row_again"};
  for (size_t i = 0; i < anydml_device_count(); ++i) {
    anydml_device_info info = {};
    info.struct_size = sizeof info;
    if (anydml_get_device_info(i, &info) != ANYDML_OK) continue;
    const std::string device = info.name;
    const auto add = [&](const std::string& what, int operators, int alone) {
      benchmark::RegisterBenchmark(("Chain/" + device + "/" + what).c_str(), RunChain, device,
                                   operators, alone)
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
    };
    add("five_fused", kOperators, -1);
    for (int alone = 0; alone < kOperators; ++alone) add(kNames[alone], kOperators, alone);
  }
  return true;
}();

}  // namespace

BENCHMARK_MAIN();
