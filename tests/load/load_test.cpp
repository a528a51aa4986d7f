// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Many threads create, compile and execute operators of all kinds on one device:
//
//   load_test                     a few seconds: right results, nothing left behind
//   load_test --full              64 threads x 10,000 rounds, and the throughput of
//                                 as many threads as there are cores beside it
//   load_test --rounds 1000       the same with fewer rounds
//   load_test --minutes 30        64 threads for so long
//
// Exit code 1 when a result is wrong, memory grows, or many threads are slower than
// few.
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <span>
#include <thread>

#include "anydml/anydml.h"
#include "load/load_pool.h"
#include "operators/registry.h"

namespace anydml::load {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kMebibyte = 1 << 20;

double ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  uint64_t total = 0, resident = 0;
  file >> total >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// What is allocated and not given back, by all threads; nobody else may run. Memory that the
// allocator holds free does not count.
size_t LiveBytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

double Seconds(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

// What all threads share.
struct Shared {
  const std::deque<Entry>& pool;
  anydml_device* device;
  std::atomic<uint64_t> rounds{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::string problem;  // the first

  void Fail(const std::string& sentence) {
    const std::lock_guard lock(mutex);
    if (problem.empty()) problem = sentence;
    stop = true;
  }
};

// How a round executes: most wait at once, some start and wait later, some open a
// device of their own.
enum class Way { kExecute, kStart, kOwnDevice };
Way RandomWay(std::mt19937& random) {
  const uint32_t number = random() % 64;
  if (number == 0) return Way::kOwnDevice;
  return number < 8 ? Way::kStart : Way::kExecute;
}

anydml_status Execute(anydml_operator* op, const void* const* inputs, void* const* outputs,
                      Way way) {
  if (way != Way::kStart) return anydml_execute(op, inputs, outputs);
  anydml_execution execution = {};
  execution.struct_size = sizeof execution;
  execution.inputs = inputs;
  execution.outputs = outputs;
  anydml_event* event = nullptr;
  anydml_status status = anydml_start(op, &execution, &event);
  if (status == ANYDML_OK) status = anydml_wait(event);
  anydml_release_event(event);
  return status;
}

anydml_status CreateAndExecute(const Entry& entry, anydml_device* device, Way way,
                               std::span<test::TensorMemory> outputs) {
  void* pointers[8] = {};
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].desc().present()) pointers[i] = outputs[i].data();
  }
  const DML_OPERATOR_DESC desc = entry.desc();
  anydml_operator* op = nullptr;
  anydml_status status = anydml_create_operator(device, &desc, &op);
  if (status == ANYDML_OK) status = Execute(op, entry.inputs(), pointers, way);
  anydml_release_operator(op);
  return status;
}

void RunRound(Shared& shared, std::mt19937& random, KeptOutputs& kept) {
  const Entry& entry = shared.pool[random() % shared.pool.size()];
  const Way way = RandomWay(random);
  const std::span<test::TensorMemory> outputs = kept.For(entry);
  anydml_device* own = nullptr;
  anydml_status status = ANYDML_OK;
  if (way == Way::kOwnDevice) status = anydml_open_device("cpu", nullptr, &own);
  if (status == ANYDML_OK) {
    status = CreateAndExecute(entry, own != nullptr ? own : shared.device, way, outputs);
  }
  anydml_close_device(own);
  if (status != ANYDML_OK) return shared.Fail(entry.name() + ": " + anydml_last_error());
  const std::string difference = entry.FindDifference(outputs);
  if (!difference.empty()) return shared.Fail(difference);
  ++shared.rounds;
}

// The most that the process held, in the first and in the second half of a run.
struct Memory {
  double first_half = 0, second_half = 0;
};

struct Work {
  uint32_t threads = 8;
  uint64_t rounds = 2000;  // of each thread; 0: until the time is over
  double seconds = 0;
};

struct Outcome {
  double seconds = 0;
  uint64_t rounds = 0;
  Memory memory;
  std::string problem;
  double per_second() const { return static_cast<double>(rounds) / seconds; }
};

void RunThread(Shared& shared, uint32_t seed, const Work& work) {
  std::mt19937 random(seed);
  KeptOutputs outputs(shared.pool);
  for (uint64_t i = 0; (work.rounds == 0 || i < work.rounds) && !shared.stop; ++i) {
    RunRound(shared, random, outputs);
  }
}

// How far a run is, 0 to 1.
double Progress(const Shared& shared, const Work& work, double seconds) {
  if (work.rounds == 0) return seconds / work.seconds;
  return static_cast<double>(shared.rounds) / static_cast<double>(work.rounds * work.threads);
}

void Watch(Shared& shared, const Work& work, Outcome& outcome, Clock::time_point begin) {
  double progress = 0;
  double told = 60;
  while (progress < 1 && !shared.stop) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const double seconds = Seconds(Clock::now() - begin);
    progress = Progress(shared, work, seconds);
    double& most = progress < 0.5 ? outcome.memory.first_half : outcome.memory.second_half;
    most = std::max(most, ResidentBytes());
    if (seconds < told) continue;
    fmt::print("  {:.0f} s, {} rounds, {:.1f} MiB\n", seconds, shared.rounds.load(),
               ResidentBytes() / kMebibyte);
    std::fflush(stdout);
    told += 60;
  }
  if (work.rounds == 0) shared.stop = true;
}

Outcome Run(const std::deque<Entry>& pool, const Work& work) {
  Outcome outcome;
  anydml_device* device = nullptr;
  if (anydml_open_device("cpu", nullptr, &device) != ANYDML_OK) {
    outcome.problem = anydml_last_error();
    return outcome;
  }
  Shared shared{.pool = pool, .device = device, .mutex = {}, .problem = {}};
  const Clock::time_point begin = Clock::now();
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < work.threads; ++i) {
    threads.emplace_back([&shared, &work, i] { RunThread(shared, 1000 + i, work); });
  }
  Watch(shared, work, outcome, begin);
  for (std::thread& thread : threads) thread.join();
  outcome.seconds = Seconds(Clock::now() - begin);
  outcome.rounds = shared.rounds;
  outcome.problem = shared.problem;
  anydml_close_device(device);
  return outcome;
}

void Print(const Work& work, const Outcome& outcome) {
  fmt::print(
      "{} threads: {} rounds in {:.1f} s, {:.0f} rounds/s; resident {:.1f} MiB at most in "
      "the first half, {:.1f} MiB in the second\n",
      work.threads, outcome.rounds, outcome.seconds, outcome.per_second(),
      outcome.memory.first_half / kMebibyte, outcome.memory.second_half / kMebibyte);
  std::fflush(stdout);
}

bool Complain(const std::string& sentence) {
  fmt::print("load_test: {}\n", sentence);
  return false;
}

// Allocators hold on to some of what they get back, so a little is allowed.
bool IsFlat(const Memory& memory) {
  constexpr double kMax = 1.05;
  if (memory.second_half <= memory.first_half * kMax) return true;
  return Complain("memory grows");
}

// After a run that has filled what fills once, another must leave nothing behind. What
// one lost allocation in each round would be is twice as much as is allowed.
bool LosesNothing(size_t before, uint64_t rounds) {
  const size_t after = LiveBytes();
  fmt::print("{} bytes more in use after {} rounds\n", after > before ? after - before : 0, rounds);
  return after <= before + 16 * rounds || Complain("memory is lost");
}

// The same work twice.
bool RunSmall(const std::deque<Entry>& pool) {
  const Work work;
  Outcome outcome = Run(pool, work);  // fills what fills once
  if (!outcome.problem.empty()) return Complain(outcome.problem);
  const size_t before = LiveBytes();
  outcome = Run(pool, work);
  if (!outcome.problem.empty()) return Complain(outcome.problem);
  fmt::print("{} operators, {} threads, ", pool.size(), work.threads);
  return LosesNothing(before, outcome.rounds);
}

bool RunFull(const std::deque<Entry>& pool, uint64_t rounds) {
  const uint32_t cores = std::max(1u, std::thread::hardware_concurrency());
  const Work few = {cores, 64 * rounds / cores, 0}, many = {64, rounds, 0};
  const Outcome of_few = Run(pool, few);
  Print(few, of_few);
  if (!of_few.problem.empty()) return Complain(of_few.problem);
  const size_t before = LiveBytes();
  const Outcome of_many = Run(pool, many);
  Print(many, of_many);
  if (!of_many.problem.empty()) return Complain(of_many.problem);
  fmt::print("throughput at 64 threads / at {}: {:.3f}\n", cores,
             of_many.per_second() / of_few.per_second());
  // A tenth is the noise of a busy machine.
  if (of_many.per_second() < 0.9 * of_few.per_second()) return Complain("threads stand in line");
  return IsFlat(of_many.memory) && LosesNothing(before, of_many.rounds);
}

bool RunSoak(const std::deque<Entry>& pool, double minutes) {
  const Work first = {64, 200, 0}, work = {64, 0, minutes * 60};
  Outcome outcome = Run(pool, first);
  if (!outcome.problem.empty()) return Complain(outcome.problem);
  const size_t before = LiveBytes();
  outcome = Run(pool, work);
  Print(work, outcome);
  if (!outcome.problem.empty()) return Complain(outcome.problem);
  return IsFlat(outcome.memory) && LosesNothing(before, outcome.rounds);
}

// The reference data is there, and every operator of the registry has its part.
bool IsComplete(const std::deque<Entry>& pool) {
  if (pool.size() < 1000) return Complain("the reference data is missing");
  for (const Definition* definition : Registry()) {
    const std::string name(definition->schema->name);
    if (std::ranges::find(pool, name, &Entry::name) == pool.end()) {
      return Complain(name + " is not among the operators that are run");
    }
  }
  return true;
}

bool RunAsAsked(int argc, char** argv) {
  const std::deque<Entry> pool = MakePool(ANYDML_REFERENCE_DATA_FOLDER);
  if (!IsComplete(pool)) return false;
  if (argc == 1) return RunSmall(pool);
  if (argc == 2 && std::strcmp(argv[1], "--full") == 0) return RunFull(pool, 10000);
  if (argc == 3 && std::strcmp(argv[1], "--rounds") == 0) {
    return RunFull(pool, std::strtoull(argv[2], nullptr, 10));
  }
  if (argc == 3 && std::strcmp(argv[1], "--minutes") == 0) {
    return RunSoak(pool, std::strtod(argv[2], nullptr));
  }
  return Complain("usage: load_test [--full | --rounds N | --minutes N]");
}

}  // namespace
}  // namespace anydml::load

int main(int argc, char** argv) { return anydml::load::RunAsAsked(argc, argv) ? 0 : 1; }
