// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Graphs on every CUDA device that is here give the bits of the CPU.
#include <cstring>
#include <optional>

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

// ---- Runs with the same memory become one CUDA graph.

// Gates in a row, each of which is a step, because its result leaves the graph.
constexpr size_t kGates = 4;
Graph Steps() {
  Graph graph = Chain(kGates, {1000});
  for (uint32_t i = 0; i + 1 < kGates; ++i) graph.output_edges.push_back({i, 0, i + 1});
  graph.output_count = kGates;
  return graph;
}

std::vector<Bytes> RandomInputs(uint32_t seed) {
  std::vector<Bytes> inputs;
  for (size_t i = 0; i <= kGates; ++i) {
    const std::vector<float> values = Values(1000, static_cast<int>(seed + i));
    inputs.emplace_back(values.size() * sizeof(float));
    std::memcpy(inputs.back().data(), values.data(), inputs.back().size());
  }
  return inputs;
}

// The memory of a graph on the current device.
class Placed {
 public:
  explicit Placed(const Program& program)
      : program_(program),
        inputs_(Send(RandomInputs(1))),
        outputs_(Send(std::vector<Bytes>(kGates, Bytes(4000)))),
        temporary_(Send({Bytes(program.temporary_bytes)})) {
    for (const cuda::Memory& memory : inputs_) reads_.push_back(memory.get());
    for (const cuda::Memory& memory : outputs_) writes_.push_back(memory.get());
  }
  void Feed(const std::vector<Bytes>& inputs, cuda::Stream stream) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      EXPECT_TRUE(cuda::Copy(inputs_[i].get(), inputs[i].data(), inputs[i].size(), stream).ok());
    }
  }
  Status Start(cuda::Stream stream) {
    return Launch(program_, {reads_, writes_, temporary_[0].get()}, stream);
  }
  std::vector<Bytes> Read(cuda::Stream stream) {
    std::vector<Bytes> read(kGates, Bytes(4000));
    for (size_t i = 0; i < kGates; ++i) {
      EXPECT_TRUE(cuda::Copy(read[i].data(), writes_[i], read[i].size(), stream).ok());
    }
    EXPECT_TRUE(cuda::Synchronize(stream).ok());
    return read;
  }
  void ExpectRun(uint32_t seed, cuda::Stream stream) {
    const std::vector<Bytes> inputs = RandomInputs(seed);
    Feed(inputs, stream);
    const Status status = Start(stream);
    ASSERT_TRUE(status.ok()) << status.error().message;
    EXPECT_EQ(Read(stream), RunOnCpu(Steps(), inputs)) << "seed " << seed;
  }

 private:
  const Program& program_;
  std::vector<cuda::Memory> inputs_, outputs_, temporary_;
  std::vector<const void*> reads_;
  std::vector<void*> writes_;
};

class CudaReplays : public CudaGraph {
 protected:
  void SetUp() override {
    CudaGraph::SetUp();
    if (IsSkipped()) return;
    scope_.emplace(cuda::Devices()[0].ordinal);
    Result<std::shared_ptr<const Program>> program = Compile(Steps(), cuda::Devices()[0].ordinal);
    ASSERT_TRUE(program.ok()) << program.error().message;
    program_ = program.value();
    ASSERT_EQ(program_->steps.size(), kGates);
    Result<cuda::OwnedStream> stream = cuda::CreateStream();
    ASSERT_TRUE(stream.ok());
    stream_ = std::move(stream).value();
  }

  std::optional<cuda::ScopedDevice> scope_;
  std::shared_ptr<const Program> program_;
  cuda::OwnedStream stream_;
};

TEST_F(CudaReplays, FeedTheSameBuffersAnew) {
  Placed placed(*program_);
  for (uint32_t run = 0; run < 6; ++run) {
    placed.ExpectRun(run, stream_.get());
    EXPECT_EQ(program_->replays.replayed(), run < 2 ? 0 : run - 1);
  }
}

TEST_F(CudaReplays, TakeAnyStream) {
  Placed placed(*program_);
  for (uint32_t run = 0; run < 6; ++run) {
    placed.ExpectRun(run, run % 2 == 0 ? nullptr : stream_.get());
  }
  EXPECT_EQ(program_->replays.replayed(), 4u);
}

// More of it than are kept: those that come again are captured again.
TEST_F(CudaReplays, KnowOtherMemory) {
  std::vector<std::unique_ptr<Placed>> placed;
  for (int i = 0; i < 6; ++i) placed.push_back(std::make_unique<Placed>(*program_));
  for (uint32_t run = 0; run < 8; ++run) placed[run % 2]->ExpectRun(run, stream_.get());
  EXPECT_EQ(program_->replays.replayed(), 4u);
  for (uint32_t run = 0; run < 24; ++run) placed[run % 6]->ExpectRun(run, stream_.get());
  for (uint32_t run = 0; run < 4; ++run) placed[5]->ExpectRun(run, stream_.get());
}

TEST_F(CudaReplays, LeaveACallersCaptureAlone) {
  Placed placed(*program_);
  for (uint32_t run = 0; run < 3; ++run) placed.ExpectRun(run, stream_.get());
  ASSERT_EQ(program_->replays.replayed(), 1u);
  Result<cuda::Graph> graph =
      cuda::Capture(stream_.get(), [&] { return placed.Start(stream_.get()); });
  ASSERT_TRUE(graph.ok()) << graph.error().message;
  EXPECT_EQ(program_->replays.replayed(), 1u);
  const std::vector<Bytes> inputs = RandomInputs(40);
  placed.Feed(inputs, stream_.get());
  ASSERT_TRUE(cuda::Replay(graph.value().get(), stream_.get()).ok());
  EXPECT_EQ(placed.Read(stream_.get()), RunOnCpu(Steps(), inputs));
}

TEST_F(CudaReplays, EndWithTheirProgram) {
  const auto run = [&](int programs) {
    for (int i = 0; i < programs; ++i) {
      const auto program = Compile(Steps(), cuda::Devices()[0].ordinal).value();
      Placed placed(*program);
      for (uint32_t k = 0; k < 3; ++k) placed.ExpectRun(k, stream_.get());
      ASSERT_EQ(program->replays.replayed(), 1u);
      ASSERT_TRUE(placed.Start(stream_.get()).ok());  // and may still run when they do
    }
  };
  run(10);
  ASSERT_TRUE(cuda::Synchronize(stream_.get()).ok());
  const uint64_t before = cuda::QueryMemory().value().free_bytes;
  run(100);
  ASSERT_TRUE(cuda::Synchronize(stream_.get()).ok());
  EXPECT_LT(before - std::min(before, cuda::QueryMemory().value().free_bytes), 16u << 20);
}

// ---- Without a device there is nothing to capture, and the launches are made each time.

TEST(Replays, LaunchWhatCannotBeCaptured) {
  if (!cuda::Devices().empty()) GTEST_SKIP() << "a CUDA device is here, which can capture";
  Replays replays;
  int launches = 0;
  for (int run = 0; run < 5; ++run) {
    EXPECT_TRUE(replays
                    .Run({&launches}, nullptr,
                         [&](cuda::Stream) {
                           ++launches;
                           return Status();
                         })
                    .ok());
  }
  EXPECT_EQ(launches, 5);
  EXPECT_EQ(replays.replayed(), 0u);
}

TEST(Replays, TellWhatALaunchTells) {
  if (!cuda::Devices().empty()) GTEST_SKIP() << "a CUDA device is here, which can capture";
  Replays replays;
  const Status status =
      replays.Run({}, nullptr, [](cuda::Stream) -> Status { return OutOfMemory("no memory"); });
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message, "no memory");
}

}  // namespace
}  // namespace anydml::graph
