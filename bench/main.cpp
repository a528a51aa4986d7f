// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The benchmark with the peers that were found when it was built.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>

#include "base/escaped.h"
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

}  // namespace

int main(int argc, char** argv) {
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
  CLI11_PARSE(app, argc, argv);
  if (!without_peers) StartAgainWithSettings(options.measure.threads, argv);
  const Console console = {[](std::string_view text) {
                             std::fwrite(text.data(), 1, text.size(), stdout);
                             std::fflush(stdout);
                           },
                           [](std::string_view sentence) {
                             std::fprintf(stderr, "anydml_bench: %s\n",
                                          anydml::Escaped(sentence).c_str());
                           }};
  return RunBench(options, without_peers ? std::span<const Peer>() : Peers(), console);
}
