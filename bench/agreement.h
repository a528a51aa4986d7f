// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Whether a peer computes what we compute: the same values where elements are only
// selected or moved, within B13's bound where they are summed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/memory.h"
#include "bench/peer.h"
#include "operators/operator.h"

namespace anydml::bench {

// Output 0 of the bindings holds our own, checked result, and does again at the
// end.
class Agreement {
 public:
  Agreement(const CpuProgram& program, const Bindings& bindings, const cpu::Executor& executor);
  ~Agreement();
  Agreement(const Agreement&) = delete;
  Agreement& operator=(const Agreement&) = delete;

  // Runs the contestant once and says what differs.
  std::optional<std::string> FindDifference(const PeerContestant& contestant);

 private:
  void ComputeMagnitudes();

  const CpuProgram& program_;
  const Bindings bindings_;
  const cpu::Executor& executor_;
  const TensorDesc& tensor_;
  std::vector<uint8_t> expected_;
  // Sum of |terms| per element: our operator on the absolute values of what it
  // adds, which is its last input. Empty where nothing is added.
  std::vector<uint8_t> magnitudes_;
};

}  // namespace anydml::bench
