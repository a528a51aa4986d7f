// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "bench/cuda_row.h"

#include <fmt/format.h>

#include <chrono>
#include <cstring>

#include "backends/cuda/send.h"
#include "bench/contest.h"
#include "bench/memory.h"
#include "operators/cuda_operator.h"

namespace anydml::bench {
namespace {

constexpr int kRounds = 31;
// Below this the call counts, from the host and back; above it the card's time.
constexpr uint64_t kSmallRow = 1 << 20;
// A card that had nothing to do runs at a low clock for some milliseconds.
constexpr int kWarmUps = 3;
constexpr int kSmallWarmUps = 500;

Result<int> OrdinalOf(std::string_view name) {
  for (const cuda::DeviceInfo& device : cuda::Devices()) {
    if (device.name == name) return device.ordinal;
  }
  const std::string why = cuda::WhyNoDevices();
  return Unsupported(
      fmt::format("there is no device '{}' here{}", name, why.empty() ? "" : " (" + why + ")"));
}

Result<const CudaStrategy*> FindCudaStrategy(const Kernel& kernel, std::string_view name) {
  if (name.empty()) return static_cast<const CudaStrategy*>(nullptr);
  const CudaKernel* cuda = FindCudaKernel(kernel);
  for (const CudaStrategy& strategy :
       cuda == nullptr ? cuda::Span<CudaStrategy>() : cuda->strategies) {
    if (strategy.name.view() == name) return &strategy;
  }
  return InvalidArgument(fmt::format("{} has no CUDA strategy '{}'", kernel.name, name));
}

template <typename Bits>
bool AreSame(Bits infinity, const std::vector<uint8_t>& a, const uint8_t* b) {
  constexpr Bits kSign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  const auto is_nan = [&](Bits bits) { return static_cast<Bits>(bits & ~kSign) > infinity; };
  for (size_t at = 0; at < a.size(); at += sizeof(Bits)) {
    Bits x, y;
    std::memcpy(&x, a.data() + at, sizeof(Bits));
    std::memcpy(&y, b + at, sizeof(Bits));
    if (x != y && !(is_nan(x) && is_nan(y))) return false;
  }
  return true;
}

// Bit for bit, but for what a NaN carries: random data has roots of negative numbers.
bool AreSame(DataType type, const std::vector<uint8_t>& a, const uint8_t* b) {
  if (type == DataType::kFloat32) return AreSame<uint32_t>(0x7F800000, a, b);
  if (type == DataType::kFloat16) return AreSame<uint16_t>(0x7C00, a, b);
  return std::memcmp(a.data(), b, a.size()) == 0;
}

class CudaContest {
 public:
  CudaContest(const Row& row, CudaProgram program, const MeasureOptions& options)
      : row_(row),
        device_name_(options.device),
        program_(std::move(program)),
        executor_(options.threads),
        arena_(*program_.op.arguments, options.seed, executor_) {}

  Result<RowResult> Hold() {
    const cuda::ScopedDevice device(program_.ordinal);
    RowResult result;
    result.row = row_;
    result.device = device_name_;
    result.strategy = program_.strategy->name.view();
    result.bytes = BytesOf(row_).moved();
    Status status = Prepare(result.bytes);
    if (status.ok()) status = Check();
    if (status.ok()) status = Time(result);
    if (!status.ok()) return status.error();
    return result;
  }

 private:
  Status Keep(Result<cuda::Memory> memory, void*& address) {
    if (!memory.ok()) return memory.error();
    address = memory.value().get();
    memories_.push_back(std::move(memory).value());
    return {};
  }

  // The tensors on the card, and as much memory again for the copy.
  Status Prepare(uint64_t bytes) {
    Status status;
    void* address = nullptr;
    for (size_t i = 0; i < arena_.inputs.size() && status.ok(); ++i) {
      status = Keep(cuda::Send(arena_.inputs[i].data(), arena_.inputs[i].bytes()), address);
      if (arena_.inputs[i].bytes() != 0) bindings_.inputs[i] = address;
    }
    for (size_t i = 0; i < arena_.outputs.size() && status.ok(); ++i) {
      status = Keep(cuda::Send(arena_.outputs[i].data(), arena_.outputs[i].bytes()), address);
      if (arena_.outputs[i].bytes() != 0) bindings_.outputs[i] = address;
    }
    if (status.ok())
      status = Keep(cuda::Allocate(program_.temporary_bytes + 1), bindings_.temporary);
    copied_bytes_ = bytes / 2;
    if (status.ok()) status = Keep(cuda::Allocate(copied_bytes_ + 1), copy_from_);
    if (status.ok()) status = Keep(cuda::Allocate(copied_bytes_ + 1), copy_to_);
    if (status.ok()) status = cuda::Fill(copy_from_, 0x5A, copied_bytes_, nullptr);
    return status;
  }

  // The same bits as on the CPU, whose kernels the conformance test and rows on the CPU hold
  // against the reference: of what fills a card it would take minutes.
  Status Check() {
    Status status = Launch(program_, bindings_, nullptr);
    std::vector<std::vector<uint8_t>> from_card;
    for (size_t i = 0; i < arena_.outputs.size() && status.ok(); ++i) {
      from_card.emplace_back(arena_.outputs[i].bytes());
      if (from_card[i].empty()) continue;
      status = cuda::Copy(from_card[i].data(), bindings_.outputs[i], from_card[i].size(), nullptr);
    }
    if (status.ok()) status = cuda::Synchronize(nullptr);
    if (!status.ok()) return status;
    Result<CpuProgram> cpu = Compile(program_.op);
    if (!cpu.ok()) return cpu.error();
    Buffer temporary(cpu.value().temporary_bytes);
    Bindings bindings = arena_.Bind();
    bindings.temporary = temporary.data();
    status = Run(cpu.value(), bindings, executor_);
    if (!status.ok()) return status;
    const std::vector<size_t> outputs = program_.op.arguments->outputs();
    for (size_t i = 0; i < from_card.size(); ++i) {
      const DataType type = program_.op.arguments->tensor(outputs[i]).data_type;
      if (!AreSame(type, from_card[i], arena_.outputs[i].data())) {
        return Error{ErrorCode::kInternal, "the device's result is not the CPU's"};
      }
    }
    return {};
  }

  Status CopyOnce() { return cuda::Copy(copy_to_, copy_from_, copied_bytes_, nullptr); }

  template <typename Body>
  Result<double> HostMilliseconds(const Body& body) {
    const auto start = std::chrono::steady_clock::now();
    Status status = body();
    if (status.ok()) status = cuda::Synchronize(nullptr);
    if (!status.ok()) return status.error();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
  }

  template <typename Body>
  Result<double> CardMilliseconds(const Body& body) {
    Status status = cuda::Record(begin_.get(), nullptr);
    if (status.ok()) status = body();
    if (status.ok()) status = cuda::Record(end_.get(), nullptr);
    if (status.ok()) status = cuda::Synchronize(nullptr);
    if (!status.ok()) return status.error();
    Result<float> elapsed = cuda::MillisecondsBetween(begin_.get(), end_.get());
    if (!elapsed.ok()) return elapsed.error();
    return double{elapsed.value()};
  }

  Status Time(RowResult& result) {
    for (cuda::Event* event : {&begin_, &end_}) {
      Result<cuda::Event> made = cuda::CreateEvent(cuda::EventKind::kTimed);
      if (!made.ok()) return made.error();
      *event = std::move(made).value();
    }
    const bool by_host = result.bytes < kSmallRow;
    const auto milliseconds = [&](const auto& body) {
      return by_host ? HostMilliseconds(body) : CardMilliseconds(body);
    };
    std::vector<double> ours, copies;
    for (int round = by_host ? -kSmallWarmUps : -kWarmUps; round < kRounds; ++round) {
      Result<double> own = milliseconds([&] { return Launch(program_, bindings_, nullptr); });
      if (!own.ok()) return own.error();
      Result<double> copy = milliseconds([&] { return CopyOnce(); });
      if (!copy.ok()) return copy.error();
      if (round < 0) continue;
      ours.push_back(own.value());
      copies.push_back(copy.value());
    }
    result.ours_ms = Median(std::move(ours));
    result.floor_ms = Median(std::move(copies));
    return {};
  }

  const Row row_;
  const std::string device_name_;
  const CudaProgram program_;
  const cpu::Executor executor_;
  Arena arena_;
  std::vector<cuda::Memory> memories_;
  Bindings bindings_;
  void* copy_from_ = nullptr;
  void* copy_to_ = nullptr;
  uint64_t copied_bytes_ = 0;
  cuda::Event begin_;
  cuda::Event end_;
};

}  // namespace

Status CheckDevice(std::string_view name) {
  if (name == "cpu") return {};
  const Result<int> ordinal = OrdinalOf(name);
  return ordinal.ok() ? Status() : ordinal.error();
}

Result<RowResult> MeasureRowOnCuda(const Row& row, const MeasureOptions& options) {
  Result<int> ordinal = OrdinalOf(options.device);
  if (!ordinal.ok()) return ordinal.error();
  Result<const CudaStrategy*> strategy =
      FindCudaStrategy(*row.definition->kernel, options.strategy);
  if (!strategy.ok()) return strategy.error();
  Result<Operator> op = CreateOperator(*row.definition, Describe(row), {});
  if (!op.ok()) return op.error();
  Result<CudaProgram> program = CompileForCuda(op.value(), ordinal.value(), strategy.value());
  if (!program.ok()) return program.error();
  return CudaContest(row, std::move(program).value(), options).Hold();
}

}  // namespace anydml::bench
