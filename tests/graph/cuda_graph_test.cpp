// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Graphs on every CUDA device that is here give the bits of the CPU.
#include "backends/cuda/runtime.h"
#include "graph/gates.h"

namespace anydml::graph {
namespace {

using Bytes = std::vector<uint8_t>;

std::vector<cuda::Memory> Send(const std::vector<Bytes>& from) {
  std::vector<cuda::Memory> memories;
  for (const Bytes& bytes : from) {
    Result<cuda::Memory> memory = cuda::Allocate(bytes.size() + 1);
    EXPECT_TRUE(memory.ok());
    EXPECT_TRUE(cuda::Copy(memory.value().get(), bytes.data(), bytes.size(), nullptr).ok());
    memories.push_back(std::move(memory).value());
  }
  return memories;
}

std::vector<Bytes> RunOnCpu(const Graph& graph, const std::vector<Bytes>& inputs) {
  const auto program = MustCompile(graph);
  std::vector<Bytes> outputs;
  std::vector<const void*> reads;
  std::vector<void*> writes;
  for (const Bytes& input : inputs) reads.push_back(input.data());
  for (const Slot& slot : program->outputs) outputs.emplace_back(slot.bytes, 0xC5);
  for (Bytes& output : outputs) writes.push_back(output.data());
  MustRun(*program, reads, writes);
  return outputs;
}

std::vector<Bytes> RunOnCuda(const Program& program, const std::vector<Bytes>& inputs) {
  std::vector<Bytes> outputs;
  for (const Slot& slot : program.outputs) outputs.emplace_back(slot.bytes, 0xC5);
  const std::vector<cuda::Memory> sent = Send(inputs), made = Send(outputs);
  const std::vector<cuda::Memory> temporary = Send({Bytes(program.temporary_bytes + 1, 0xA5)});
  std::vector<const void*> reads;
  std::vector<void*> writes;
  for (const cuda::Memory& memory : sent) reads.push_back(memory.get());
  for (const cuda::Memory& memory : made) writes.push_back(memory.get());
  const Status status = Launch(program, {reads, writes, temporary[0].get()}, nullptr);
  EXPECT_TRUE(status.ok()) << status.error().message;
  for (size_t i = 0; i < outputs.size(); ++i) {
    EXPECT_TRUE(cuda::Copy(outputs[i].data(), made[i].get(), outputs[i].size(), nullptr).ok());
  }
  EXPECT_TRUE(cuda::Synchronize(nullptr).ok());
  return outputs;
}

// Random data for every input, and the same result on all devices.
void ExpectSameBits(const Graph& graph, DataType type, size_t elements, size_t steps) {
  TensorDesc desc;
  desc.data_type = type;
  desc.dimension_count = 1;
  desc.sizes[0] = static_cast<uint32_t>(elements);
  desc.strides[0] = 1;
  desc.total_bytes = (elements * ElementSize(type) + 3) / 4 * 4;
  std::mt19937 random(5);
  std::vector<Bytes> inputs;
  for (uint32_t i = 0; i < graph.input_count; ++i) {
    test::TensorMemory memory(desc);
    memory.FillRandom(random);
    inputs.emplace_back(memory.data(), memory.data() + desc.total_bytes);
  }
  for (const cuda::DeviceInfo& device : cuda::Devices()) {
    const cuda::ScopedDevice scope(device.ordinal);
    Result<std::shared_ptr<const Program>> program = Compile(graph, device.ordinal);
    ASSERT_TRUE(program.ok()) << program.error().message;
    EXPECT_EQ(program.value()->steps.size(), steps);
    EXPECT_EQ(RunOnCuda(*program.value(), inputs), RunOnCpu(graph, inputs)) << device.name;
  }
}

class CudaGraph : public testing::Test {
 protected:
  void SetUp() override {
    if (cuda::Devices().empty()) GTEST_SKIP() << "no CUDA device: " << cuda::WhyNoDevices();
  }
};

TEST_F(CudaGraph, RunsAChainOfGatesInOneStep) {
  for (const auto& [dml_type, type] : {std::pair(DML_TENSOR_DATA_TYPE_FLOAT32, DataType::kFloat32),
                                       std::pair(DML_TENSOR_DATA_TYPE_FLOAT16, DataType::kFloat16),
                                       std::pair(DML_TENSOR_DATA_TYPE_INT32, DataType::kInt32),
                                       std::pair(DML_TENSOR_DATA_TYPE_INT16, DataType::kInt16),
                                       std::pair(DML_TENSOR_DATA_TYPE_INT8, DataType::kInt8)}) {
    for (UINT length : {1u, 7u, 4096u, 100003u}) {
      SCOPED_TRACE(testing::Message() << "type " << dml_type << " length " << length);
      ExpectSameBits(Chain(5, {length}, {.type = dml_type}), type, length, 1);
    }
  }
}

TEST_F(CudaGraph, CopiesConstantsAndOutputsThatShareATensor) {
  const std::vector<float> constant = {1, -1, 2, -2, 0};
  Graph graph;
  graph.input_count = 1;
  graph.output_count = 2;
  graph.nodes = {ConstantNode(constant), Gate({5})};
  graph.intermediate_edges = {{0, 0, 1, 0}};
  graph.input_edges = {{0, 1, 1}};
  graph.output_edges = {{1, 0, 0}, {1, 0, 1}};
  ExpectSameBits(graph, DataType::kFloat32, 5, 1);
}

// The first gate's result feeds a graph output, so it cannot stay in a register.
TEST_F(CudaGraph, PutsWhatOthersReadIntoMemory) {
  Graph graph = Chain(3, {1000});
  graph.output_count = 2;
  graph.output_edges.push_back({0, 0, 1});
  ExpectSameBits(graph, DataType::kFloat32, 1000, 2);
}

}  // namespace
}  // namespace anydml::graph
