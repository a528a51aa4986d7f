// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "bench/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace anydml::bench {
namespace {

constexpr double kStridedLayoutRatio = 1.3;  // NHWC and padded rows against packed
constexpr double kPermutedLayoutRatio = 4;
// Of what the machine's threads gain for arithmetic in registers (two undisturbed
// cores: 1.8 of 2), where a thread has anything to do and the memory can still give
// more.
constexpr double kThreadEfficiency = 0.9;
constexpr uint64_t kWorthThreads = 1 << 20;
constexpr double kFillsTheMemory = 1.15;
constexpr double kCudaMicroseconds = 10;  // from the call to the result, small tensors

const RowResult* FindPacked(const RowResult& result, std::span<const RowResult> all) {
  if (result.row.layout == BenchLayout::kPacked) return nullptr;
  for (const RowResult& other : all) {
    if (other.row.definition == result.row.definition && other.row.c == result.row.c &&
        other.row.type == result.row.type && other.row.layout == BenchLayout::kPacked) {
      return &other;
    }
  }
  return nullptr;
}

double FloorTarget(const RowResult& result) {
  // The others are held against the packed row.
  const bool has_own =
      result.row.layout != BenchLayout::kPaddedRows && result.row.layout != BenchLayout::kPermuted;
  if (!has_own) return 0;
  const BenchTarget& target = result.row.c->target;
  const bool is_float32 = result.row.type == DataType::kFloat32;
  if (result.device != "cpu") {
    return is_float32 ? target.cuda_float32_floors : target.cuda_float16_floors;
  }
  return is_float32 ? target.float32_floors : target.other_floors;
}

// How many times as fast as one thread all have to be.
double LeastGain(const RowResult& result) {
  return kThreadEfficiency * std::min<double>(result.threads, result.machine_gain);
}

bool IsWorthThreads(const RowResult& result) {
  if (result.one_thread_ms == 0) return false;  // on a card
  const double reached = result.one_thread_ms / LeastGain(result);
  return result.threads > 1 && result.bytes >= kWorthThreads &&
         reached > kFillsTheMemory * std::min(result.moved_ms, result.floor_ms);
}

void Expect(Verdict& verdict, std::string target, bool reached) {
  if (!reached) verdict.missed.push_back(target);
  verdict.targets.push_back(std::move(target));
}

// Four digits that count.
std::string Ms(double ms) {
  return ms < 0.1  ? fmt::format("{:.5f}", ms)
         : ms < 10 ? fmt::format("{:.3f}", ms)
                   : fmt::format("{:.2f}", ms);
}

std::string PeerText(const RowResult& result) {
  std::string text;
  for (const PeerTime& peer : result.peers) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", peer.name, Ms(peer.ms));
  }
  for (const std::string& note : result.notes) text += (text.empty() ? "" : "; ") + note;
  return text;
}

std::string ThreadsText(const RowResult& result) {
  return result.one_thread_ms == 0 || result.threads == 1
             ? ""
             : fmt::format("{:.2f}/{:.2f}", result.one_thread_ms / result.ours_ms,
                           result.machine_gain);
}

// Sizes, in the order of the struct, so that others can run the same shapes.
nlohmann::ordered_json Tensors(const Row& row) {
  const schema::Arguments arguments = Describe(row);
  nlohmann::ordered_json tensors = nlohmann::ordered_json::object();
  for (size_t i = 0; i < arguments.tensor_numbers(); ++i) {
    const TensorDesc& tensor = arguments.tensor(i);
    if (tensor.present()) tensors[arguments.TensorName(i)] = tensor.Sizes();
  }
  return tensors;
}

nlohmann::ordered_json Settings(const Row& row) {
  nlohmann::ordered_json settings = nlohmann::ordered_json::object();
  for (const CaseSetting& setting : row.c->shape.settings) {
    if (setting.count == 0) continue;
    settings[setting.field] = std::span(setting.values.data(), setting.count);
  }
  return settings;
}

std::string VerdictText(const Verdict& verdict) {
  if (verdict.targets.empty()) return "-";
  if (verdict.missed.empty()) return "met: " + fmt::format("{}", fmt::join(verdict.targets, ", "));
  return fmt::format("MISSED: {}", fmt::join(verdict.missed, ", "));
}

}  // namespace

Verdict Judge(const RowResult& result, std::span<const RowResult> all) {
  Verdict verdict;
  const BenchTarget& target = result.row.c->target;
  if (const double floors = FloorTarget(result); floors != 0) {
    Expect(verdict, fmt::format("floor {}x", floors), result.floors() <= floors);
  }
  if (const double best = result.best_peer_ms(); best != 0) {
    Expect(verdict, fmt::format("peer {}x", target.peer_ratio),
           best >= target.peer_ratio * result.ours_ms);
  }
  if (target.most_microseconds != 0) {
    const double most = result.device == "cpu" ? target.most_microseconds : kCudaMicroseconds;
    Expect(verdict, fmt::format("{} us", most), result.ours_ms * 1e3 <= most);
  }
  if (IsWorthThreads(result)) {
    Expect(verdict, fmt::format("threads {:g}%", 100 * kThreadEfficiency),
           result.one_thread_ms >= LeastGain(result) * result.ours_ms);
  }
  if (const RowResult* packed = FindPacked(result, all)) {
    const double most =
        result.row.layout == BenchLayout::kPermuted ? kPermutedLayoutRatio : kStridedLayoutRatio;
    Expect(verdict, fmt::format("packed {}x", most), result.floors() <= most * packed->floors());
  }
  return verdict;
}

std::string TableHeading() {
  return fmt::format("{:<24} {:<38} {:<8} {:<12} {:<28} {:>9} {:>9} {:>6} {:>6} {:>9}  {:<44} {}\n",
                     "operator", "case", "type", "layout", "strategy", "ours ms", "floor ms",
                     "/floor", "peer/", "threads", "target", "peers, ms");
}

std::string TableLine(const RowResult& result, std::span<const RowResult> all) {
  const Verdict verdict = Judge(result, all);
  const double best = result.best_peer_ms();
  return fmt::format(
      "{:<24} {:<38} {:<8} {:<12} {:<28} {:>9} {:>9} {:>6.2f} {:>6} {:>9}  {:<44} {}\n",
      result.row.operator_name(), result.row.case_name(), DataTypeName(result.row.type),
      LayoutName(result.row), result.strategy, Ms(result.ours_ms), Ms(result.floor_ms),
      result.floors(), best == 0 ? "" : fmt::format("{:.2f}", best / result.ours_ms),
      ThreadsText(result), VerdictText(verdict), PeerText(result));
}

std::string Summary(std::span<const RowResult> results) {
  size_t met = 0, missed = 0;
  for (const RowResult& result : results) {
    const Verdict verdict = Judge(result, results);
    missed += !verdict.missed.empty();
    met += verdict.missed.empty() && !verdict.targets.empty();
  }
  return fmt::format("{} rows: {} meet their targets, {} miss one, {} have none\n", results.size(),
                     met, missed, results.size() - met - missed);
}

std::string SummaryByOperator(std::span<const RowResult> results) {
  std::string text;
  for (size_t begin = 0, end = 0; begin < results.size(); begin = end) {
    const std::string_view name = results[begin].row.operator_name();
    std::vector<double> floors;
    for (; end < results.size() && results[end].row.operator_name() == name; ++end) {
      floors.push_back(results[end].floors());
    }
    std::ranges::sort(floors);
    text += fmt::format("{}: {} rows, median {:.2f} copies, worst {:.2f}\n", name, floors.size(),
                        floors[(floors.size() - 1) / 2], floors.back());
  }
  return text;
}

std::string ToJson(std::span<const RowResult> results) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const RowResult& result : results) {
    nlohmann::ordered_json peers = nlohmann::ordered_json::object();
    nlohmann::ordered_json raced = nlohmann::ordered_json::array();
    for (const PeerTime& peer : result.peers) {
      peers[peer.name] = peer.ms;
      if (peer.raced) raced.push_back(peer.name);
    }
    const Verdict verdict = Judge(result, results);
    rows.push_back({{"operator", result.row.operator_name()},
                    {"case", result.row.case_name()},
                    {"type", DataTypeName(result.row.type)},
                    {"layout", LayoutName(result.row)},
                    {"device", result.device},
                    {"batch", result.row.batch},
                    {"tensors", Tensors(result.row)},
                    {"settings", Settings(result.row)},
                    {"threads", result.threads},
                    {"strategy", result.strategy},
                    {"ours_ms", result.ours_ms},
                    {"one_thread_ms", result.one_thread_ms},
                    {"floor_ms", result.floor_ms},
                    {"memcpy_ms", result.memcpy_ms},
                    {"fastest_copy_ms", result.fastest_copy_ms},
                    {"moved_ms", result.moved_ms},
                    {"machine_gain", result.machine_gain},
                    {"peers", peers},
                    {"raced", raced},
                    {"bytes", result.bytes},
                    {"targets", verdict.targets},
                    {"missed", verdict.missed},
                    {"notes", result.notes}});
  }
  return rows.dump(1) + "\n";
}

}  // namespace anydml::bench
