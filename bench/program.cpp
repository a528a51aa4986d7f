// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "bench/program.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstring>
#include <fstream>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>

#include "backends/cpu/instruction_set.h"
#include "base/whole_file.h"
#include "bench/cuda_row.h"
#include "bench/random_rows.h"
#include "bench/report.h"

namespace anydml::bench {
namespace {

std::string Text(const std::optional<WriteFailure>& failure) {
  return failure ? std::strerror(failure->error) : std::string();
}

// Empty, or why the file could not be written.
std::string WriteText(std::string_view text, const std::string& path) {
  if (IsSpecialFile(path)) return "it is there and no file";
  return Text(WriteWholeFile(BehindLinks(path), {std::as_bytes(std::span(text))}));
}

// The same before anything is measured; leaves what is there.
std::string TryToWrite(const std::string& path) {
  if (IsSpecialFile(path)) return "it is there and no file";
  return Text(TryWholeFile(BehindLinks(path)));
}

std::string ProcessorName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

class Program {
 public:
  Program(const Options& options, const Console& console) : options_(options), console_(console) {}

  int Run(const std::vector<Row>& rows) {
    if (!options_.json.empty() && !Saved(TryToWrite(options_.json))) return 1;
    console_.print(fmt::format(
        "{}, {} threads, {}; caches {}\n", ProcessorName(), options_.measure.threads,
        cpu::AvailableInstructionSets().front().name, options_.measure.warm ? "warm" : "cold"));
    bool complete = true;
    std::vector<std::vector<RowResult>> passes(rows.size());
    for (int pass = 1; pass <= options_.passes; ++pass) {
      const bool is_last = pass == options_.passes;
      console_.print(is_last ? TableHeading()
                             : fmt::format("pass {} of {}\n", pass, options_.passes));
      for (size_t i = 0; i < rows.size(); ++i) {
        complete = Measure(rows[i], passes[i]) && complete;
        if (is_last) Report(passes[i]);
      }
    }
    console_.print(options_.random > 0 ? SummaryByOperator(results_) : Summary(results_));
    if (!options_.json.empty()) {
      complete = Saved(WriteText(ToJson(results_), options_.json)) && complete;
    }
    return complete ? 0 : 1;
  }

 private:
  bool Measure(const Row& row, std::vector<RowResult>& passes) {
    Result<RowResult> result = MeasureRow(row, options_.measure);
    if (!result.ok()) {
      console_.complain(fmt::format("{}: {}", Name(row), result.error().message));
      return false;
    }
    passes.push_back(std::move(result).value());
    return true;
  }

  void Report(const std::vector<RowResult>& passes) {
    if (passes.empty()) return;  // told already
    results_.push_back(MiddleOf(passes));
    console_.print(TableLine(results_.back(), results_));
  }

  bool Saved(const std::string& failure) {
    if (failure.empty()) return true;
    console_.complain(fmt::format("{} could not be written: {}", options_.json, failure));
    return false;
  }

  const Options& options_;
  const Console& console_;
  std::vector<RowResult> results_;
};

std::string ValidateType(const std::string& text) {
  for (uint32_t i = 1; i < kDataTypeCount; ++i) {
    if (DataTypeName(static_cast<DataType>(i)) == text) return {};
  }
  return fmt::format("'{}' is not a data type; such as FLOAT32, FLOAT16, INT8", text);
}

// Not a range of CLI11's, which admits what compares with nothing.
std::string ValidateSeconds(const std::string& text) {
  constexpr double kMax = 1e6;
  double seconds = 0;
  if (CLI::detail::lexical_cast(text, seconds) && seconds > 0 && seconds <= kMax) return {};
  return fmt::format("'{}' must be a number above 0 and at most {}", text, kMax);
}

}  // namespace

void AddOptions(CLI::App& app, Options& options) {
  app.add_option("--filter", options.selection.filter,
                 "Words that OPERATOR/case/TYPE/LAYOUT must hold, separated by commas")
      ->type_name("WORDS");
  app.add_option("--threads", options.measure.threads, "CPU threads (default: 2)")
      ->check(CLI::Range(1, 1024).description(""))
      ->type_name("N");
  app.add_option("--device", options.measure.device,
                 "Device, as 'anydml devices' lists them (default: cpu)")
      ->type_name("NAME");
  app.add_option("--batch", options.selection.batch,
                 "Make the first dimension so many times as large; a large card wants 8")
      ->check(CLI::Range(1, 1024).description(""))
      ->type_name("N");
  app.add_option("--type", options.selection.type, "Only this data type, such as FLOAT16")
      ->check(CLI::Validator(ValidateType, ""))
      ->type_name("TYPE");
  app.add_option("--json", options.json, "Write the rows to this file")->type_name("FILE");
  app.add_flag("--all", options.all, "Every case, not only the core set");
  app.add_flag("--warm", options.measure.warm,
               "Leave the data in the caches between executions; otherwise it comes from memory");
  app.add_flag("--list", options.list, "Only list the rows");
  app.add_option("--strategy", options.measure.strategy,
                 "Force this strategy; rows that it refuses are left out")
      ->type_name("NAME");
  app.add_option("--seconds", options.measure.seconds,
                 "Time for a row (default: 1.5); there are 7 rounds at least")
      ->check(CLI::Validator(ValidateSeconds, ""))
      ->type_name("S");
  app.add_option("--random", options.random,
                 "Time so many random descriptions of each operator instead of the cases")
      ->check(CLI::Range(1, 100000).description(""))
      ->type_name("N");
  app.add_option("--seed", options.seed, "Which random descriptions (default: 1)")->type_name("S");
  app.add_option("--passes", options.passes,
                 "Go over all rows so many times, and take the middle pass of each (default: 1)")
      ->check(CLI::Range(1, 100).description(""))
      ->type_name("N");
}

namespace {

// Of the cases, or random ones.
RandomRows RowsFor(const Options& options) {
  if (options.random > 0) {
    return MakeRandomRows(options.selection, options.random, options.seed);
  }
  return {.names = {}, .cases = {}, .rows = SelectRows(options.selection)};
}

}  // namespace

int RunBench(Options options, std::span<const Peer> peers, const Console& console) {
  options.selection.core = !options.all;
  options.selection.for_cards = options.measure.device != "cpu";
  options.measure.peers = peers;
  options.measure.seed = std::random_device()();
  const RandomRows selected = RowsFor(options);
  const std::vector<Row>& rows = selected.rows;
  if (rows.empty()) {
    console.complain("no row matches; --list shows them, with --all every one");
    return 1;
  }
  if (options.list) {
    for (const Row& row : rows) console.print(Name(row) + "\n");
    return 0;
  }
  if (const Status device = CheckDevice(options.measure.device); !device.ok()) {
    console.complain(device.error().message);
    return 1;
  }
  return Program(options, console).Run(rows);
}

}  // namespace anydml::bench
