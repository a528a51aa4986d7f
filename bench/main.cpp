// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The benchmark with the peers that were found when it was built.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include "base/escaped.h"
#include "base/standard_streams.h"
#include "bench/peers.h"
#include "bench/program.h"

namespace {

// The peers' thread pools read their settings when they are loaded, so the
// program starts again with them: as many threads as ours, which do not spin
// between their turns, for they would take the cores from the next contestant.
void StartAgainWithSettings(int threads, char** argv) {
  if (std::getenv("ANYDML_BENCH_STARTED") != nullptr) return;
  setenv("ANYDML_BENCH_STARTED", "1", 1);
  setenv("OMP_NUM_THREADS", std::to_string(threads).c_str(), 1);
  setenv("OMP_WAIT_POLICY", "passive", 1);
  setenv("KMP_BLOCKTIME", "0", 1);
  execv("/proc/self/exe", argv);  // returns only if it fails; then it is slower
}

anydml::StandardOutput output;

void Complain(std::string_view sentence) {
  std::fprintf(stderr, "anydml_bench: %s\n", anydml::Escaped(sentence).c_str());
}

// Empty where there is work to do; otherwise help or a mistake has been told, and this
// is the exit code.
std::optional<int> Parse(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    std::ostringstream help, mistake;
    const int result = app.exit(error, help, mistake);
    output.Write(help.str());
    std::fputs(mistake.str().c_str(), stderr);
    return result;
  }
}

int Run(int argc, char** argv) {
  using namespace anydml::bench;
  CLI::App app{"Every operator beside its peers and a copy of the same bytes.", "anydml_bench"};
  Options options;
  bool without_peers = false;
  AddOptions(app, options);
  app.add_flag("--no-peers", without_peers, "Ours and the copy alone");
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return "anydml_bench: " + anydml::Escaped(error.what()) +
           "\nRun 'anydml_bench --help' for its options.\n";
  });
  if (const auto result = Parse(app, argc, argv)) return *result;
  if (!without_peers) StartAgainWithSettings(options.measure.threads, argv);
  const Console console = {[](std::string_view text) {
                             output.Write(text);
                             output.Flush();
                           },
                           Complain};
  return RunBench(options, without_peers ? std::span<const Peer>() : Peers(), console);
}

}  // namespace

int main(int argc, char** argv) {
  // A file that grows too large is then a failed write, told in a sentence.
  std::signal(SIGXFSZ, SIG_IGN);
  anydml::ReserveStandardStreams();
  int result = 1;
  try {
    result = Run(argc, argv);
  } catch (const std::exception& error) {
    Complain(error.what());
  }
  const int failure = output.Finish();
  if (failure == 0) return result;
  Complain(std::string("standard output could not be written: ") + std::strerror(failure));
  return 1;
}
