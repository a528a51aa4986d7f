// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "d3d12/works.h"

#include <cstring>

#include "d3d12/clock.h"

namespace anydml::d3d12 {
namespace {

constexpr uint64_t kLine = 64;
// Below half a megabyte one core copies faster than a second one wakes up.
constexpr uint64_t kLinesPerPiece = (uint64_t{512} << 10) / kLine;

// Calls body(begin, end) with byte offsets that are multiples of 64 inside.
template <typename Body>
void ForEachPiece(const cpu::Executor& executor, uint64_t size, const Body& body) {
  const uint64_t lines = size / kLine;
  executor.ParallelFor(lines, kLinesPerPiece, [&](uint64_t begin, uint64_t end) {
    body(begin * kLine, end == lines ? size : end * kLine);
  });
}

bool Overlap(const BufferRange& a, const BufferRange& b) {
  return a.data < b.data + b.size && b.data < a.data + a.size;
}

// The stream's copies do not promise anything for ranges that overlap.
Status CopyOnStream(const BufferRange& target, const BufferRange& source, cuda::Stream stream) {
  if (!Overlap(target, source)) return cuda::Copy(target.data, source.data, target.size, stream);
  Result<void*> between = cuda::AllocateOnStream(target.size, stream);
  if (!between.ok()) return between.error();
  Status status = cuda::Copy(between.value(), source.data, target.size, stream);
  if (status.ok()) status = cuda::Copy(target.data, between.value(), target.size, stream);
  Status freed = cuda::FreeOnStream(between.value(), stream);
  return status.ok() ? freed : status;
}

}  // namespace

Status CopyWork::Run(const RunContext& context) const {
  if (context.cuda) return CopyOnStream(target_, source_, context.stream);
  if (Overlap(target_, source_)) {
    std::memmove(target_.data, source_.data, target_.size);
    return {};
  }
  ForEachPiece(context.executor, target_.size, [&](uint64_t begin, uint64_t end) {
    std::memcpy(target_.data + begin, source_.data + begin, end - begin);
  });
  return {};
}

FillWork::FillWork(BufferRange target, const FillPattern& pattern) : target_(std::move(target)) {
  for (uint32_t i = 0; i < pattern_.size(); ++i) pattern_[i] = pattern.bytes[i % pattern.length];
}

Status FillWork::Run(const RunContext& context) const {
  if (context.cuda) {
    return cuda::FillPattern(target_.data, pattern_, target_.size, context.stream);
  }
  ForEachPiece(context.executor, target_.size, [&](uint64_t begin, uint64_t end) {
    uint64_t i = begin;
    for (; i + pattern_.size() <= end; i += pattern_.size()) {
      std::memcpy(target_.data + i, pattern_.data(), pattern_.size());
    }
    std::memcpy(target_.data + i, pattern_.data(), end - i);
  });
  return {};
}

Status TimestampWork::Run(const RunContext& context) const {
  if (context.cuda) return cuda::PutTime(timestamps_->data() + index_, context.stream);
  timestamps_->At(index_).store(Ticks(), std::memory_order_relaxed);
  return {};
}

Status ResolveWork::Run(const RunContext& context) const {
  if (context.cuda) {
    return cuda::Copy(target_.data, timestamps_->data() + start_, target_.size, context.stream);
  }
  for (uint64_t i = 0; i < target_.size / sizeof(uint64_t); ++i) {
    const uint64_t ticks = timestamps_->At(start_ + i).load(std::memory_order_relaxed);
    std::memcpy(target_.data + i * sizeof ticks, &ticks, sizeof ticks);
  }
  return {};
}

}  // namespace anydml::d3d12
