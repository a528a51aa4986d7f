// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Weighted sums along axes (tensor/axis_sums.h) on NVIDIA devices, with the same
// tables and the same order of sums as on the CPU.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "backends/bindings.h"
#include "backends/cuda/interface.h"
#include "kernels/strategy.h"
#include "tensor/axis_sums.h"
#include "tensor/term_pattern.h"

namespace anydml::cuda {

// The Taps of one sample, loaded at once.
struct alignas(16) SampleTaps {
  uint32_t pixel;
  float weight;
  float next_weight;  // 0: there is no second tap
  uint32_t unused;
};

// The sources [begin, end) that a target index needs. Neither bound ever
// decreases with the target, also where a target needs none.
struct SourceRange {
  uint32_t begin;
  uint32_t end;
};

// The terms of a target index that has at most so many, at once.
inline constexpr uint32_t kMaxFewTerms = 4;
struct alignas(32) FewTerms {
  uint32_t first;  // source; the others follow
  uint32_t count;
  float weights[kMaxFewTerms];
};

// Addresses on the device; null for an axis without a table.
struct DeviceTermTable {
  const uint32_t* begin = nullptr;
  const Term* terms = nullptr;
  const SampleTaps* samples = nullptr;  // one more than there are: loads may run ahead
  const SourceRange* ranges = nullptr;
  const uint32_t* first_sources = nullptr;  // the begin of each range
  const FewTerms* few_terms = nullptr;      // of an axis whose targets all have few
};

struct SumStages;  // axis_sums_stage.h

struct AxisSumsOnDevice {
  std::array<DeviceTermTable, kMaxSumAxes> axes;
  std::shared_ptr<void> memory;  // that they point into

  // On the host, for choosing tiles.
  std::array<std::vector<SourceRange>, kMaxSumAxes> ranges;
  std::array<uint32_t, kMaxSumAxes> max_terms = {};  // of one target
  std::array<RepeatedTerms, kMaxSumAxes> patterns;
  std::shared_ptr<const SumStages> stages;  // of SumAxesOfRows
};

// Any strides: nested sums per target element.
void SumAxesStrided(const AxisSums& sums, const AxisSumsOnDevice& tables, const Bindings& bindings,
                    Stream stream);

// One axis lies side by side in both tensors, whatever the strides of the others:
// the two last axes in one pass, the others one by one.
Refusal AcceptsSumAxesOfRows(const AxisSums& sums);
uint64_t SumAxesOfRowsTemporaryBytes(const AxisSums& sums);
void SumAxesOfRows(const AxisSums& sums, const AxisSumsOnDevice& tables, const Bindings& bindings,
                   Stream stream);

}  // namespace anydml::cuda
