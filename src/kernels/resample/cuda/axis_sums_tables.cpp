// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <new>

#include "backends/cuda/cudart.h"
#include "kernels/resample/cuda/axis_sums_stage.h"
#include "kernels/resample/cuda/strategies.h"
#include "kernels/resample/table_spans.h"

namespace anydml::cuda {
namespace {

// Arrays one behind the other, each at a multiple of 256 bytes.
class Arrays {
 public:
  template <typename T>
  uint64_t Append(const std::vector<T>& values) {
    const uint64_t at = bytes_.size();
    const uint64_t count = values.size() * sizeof(T);
    bytes_.resize((at + count + 255) / 256 * 256);
    std::copy_n(reinterpret_cast<const char*>(values.data()), count, bytes_.data() + at);
    return at;
  }

  const std::vector<char>& bytes() const { return bytes_; }

 private:
  std::vector<char> bytes_;
};

std::vector<SourceRange> RangesOf(const TermTable& table) {
  std::vector<SourceRange> ranges;
  ranges.reserve(table.begin.size());
  uint32_t end = 0;
  for (size_t i = 0; i + 1 < table.begin.size(); ++i) {
    uint32_t begin = end;
    if (table.begin[i] < table.begin[i + 1]) {
      begin = table.terms[table.begin[i]].source;
      end = table.terms[table.begin[i + 1] - 1].source + 1;
    }
    ranges.push_back({begin, end});
  }
  return ranges;
}

// The taps that the terms were made of. Every sample has one or two.
std::vector<SampleTaps> SamplesOf(const TermTable& table, bool transposed) {
  std::vector<SampleTaps> samples;
  const auto targets = static_cast<uint32_t>(table.begin.size() - 1);
  for (uint32_t target = 0; target < targets; ++target) {
    for (uint32_t k = table.begin[target]; k < table.begin[target + 1]; ++k) {
      const uint32_t sample = transposed ? table.terms[k].source : target;
      const uint32_t pixel = transposed ? target : table.terms[k].source;
      if (sample < samples.size()) {
        samples[sample].next_weight = table.terms[k].weight;
      } else {
        samples.push_back({pixel, table.terms[k].weight, 0, 0});
      }
    }
  }
  samples.push_back({});
  return samples;
}

std::vector<uint32_t> FirstsOf(const std::vector<SourceRange>& ranges) {
  std::vector<uint32_t> firsts;
  firsts.reserve(ranges.size());
  for (const SourceRange& range : ranges) firsts.push_back(range.begin);
  return firsts;
}

std::vector<FewTerms> FewTermsOf(const TermTable& table, const std::vector<SourceRange>& ranges) {
  std::vector<FewTerms> few(table.max_terms <= kMaxFewTerms ? ranges.size() : 0);
  for (size_t i = 0; i < few.size(); ++i) {
    few[i] = {ranges[i].begin, table.begin[i + 1] - table.begin[i], {}};
    for (uint32_t k = 0; k < few[i].count; ++k) {
      few[i].weights[k] = table.terms[table.begin[i] + k].weight;
    }
  }
  return few;
}

struct Offsets {
  uint64_t begin, terms, samples, ranges, firsts, few;
};

// False, with the failure, where the device has no memory for them.
bool Upload(const AxisSums& sums, const AxisSumsTables& tables, AxisSumsOnDevice& result,
            Failure* failure) {
  result.stages = std::make_shared<const SumStages>(MakeStages(sums));
  Arrays arrays;
  std::array<Offsets, kMaxSumAxes> offsets = {};
  for (uint32_t i = 0; i < kMaxSumAxes; ++i) {
    const TermTable& axis = tables.axes[i];
    if (!axis.present() && sums.changes[i] && MayHavePattern(sums.axes[i])) {
      result.patterns[i] = FindPattern(sums.axes[i], sums.transposed);
    }
    if (!axis.present()) continue;
    result.ranges[i] = RangesOf(axis);
    result.max_terms[i] = axis.max_terms;
    result.patterns[i] = FindPattern(axis, sums.source_sizes[i]);
    offsets[i] = {arrays.Append(axis.begin),
                  arrays.Append(axis.terms),
                  arrays.Append(SamplesOf(axis, sums.transposed)),
                  arrays.Append(result.ranges[i]),
                  arrays.Append(FirstsOf(result.ranges[i])),
                  arrays.Append(FewTermsOf(axis, result.ranges[i]))};
  }
  const std::vector<char>& bytes = arrays.bytes();
  if (bytes.empty()) return true;
  result.memory =
      std::shared_ptr<void>(Send(bytes.data(), bytes.size(), failure), FreeDeviceMemory);
  if (result.memory == nullptr) return false;
  const auto* base = static_cast<const char*>(result.memory.get());
  for (uint32_t i = 0; i < kMaxSumAxes; ++i) {
    if (!tables.axes[i].present()) continue;
    result.axes[i] = {reinterpret_cast<const uint32_t*>(base + offsets[i].begin),
                      reinterpret_cast<const Term*>(base + offsets[i].terms),
                      reinterpret_cast<const SampleTaps*>(base + offsets[i].samples),
                      reinterpret_cast<const SourceRange*>(base + offsets[i].ranges),
                      reinterpret_cast<const uint32_t*>(base + offsets[i].firsts),
                      reinterpret_cast<const FewTerms*>(base + offsets[i].few)};
  }
  return true;
}

}  // namespace
}  // namespace anydml::cuda

namespace anydml::resample {
namespace {

using Strategy = CudaStrategyOf<AxisSums, cuda::AxisSumsOnDevice>;

}  // namespace

constinit const CudaStrategy kCudaStrategies[2] = {
    Strategy::Named<cuda::AcceptsSumAxesOfRows, cuda::SumAxesOfRows,
                    cuda::SumAxesOfRowsTemporaryBytes>("contiguous_rows"),
    Strategy::Named<AcceptsAll<AxisSums>, cuda::SumAxesStrided>("strided"),
};

const void* UploadTables(const void* plan, cuda::Span<TableSpan> spans, cuda::Failure* failure) {
  try {
    auto tables = std::make_unique<cuda::AxisSumsOnDevice>();
    const AxisSums& sums = *static_cast<const AxisSums*>(plan);
    if (!cuda::Upload(sums, TablesOf(spans.data), *tables, failure)) return nullptr;
    return tables.release();
  } catch (const std::bad_alloc&) {
    cuda::TellOutOfMemory(failure);
    return nullptr;
  }
}

void FreeTables(const void* tables) { delete static_cast<const cuda::AxisSumsOnDevice*>(tables); }

}  // namespace anydml::resample
