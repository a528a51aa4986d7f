// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The steps that a command list records by itself. DirectML adds its own.
#pragma once

#include <array>
#include <memory>

#include "d3d12/buffer.h"
#include "d3d12/query_heap.h"

namespace anydml::d3d12 {

// Ranges of the same size; they may overlap.
class CopyWork final : public Work {
 public:
  CopyWork(BufferRange target, BufferRange source)
      : target_(std::move(target)), source_(std::move(source)) {}
  Status Run(const RunContext& context) const override;

 private:
  BufferRange target_;
  BufferRange source_;
};

// Repeats the first `length` bytes of a pattern; length is 1, 2, 4, 8 or 16.
struct FillPattern {
  std::array<std::byte, 16> bytes;
  uint32_t length;
};

class FillWork final : public Work {
 public:
  FillWork(BufferRange target, const FillPattern& pattern);
  Status Run(const RunContext& context) const override;

 private:
  BufferRange target_;
  std::array<std::byte, 16> pattern_;  // repeated to its full length
};

class TimestampWork final : public Work {
 public:
  TimestampWork(std::shared_ptr<Timestamps> timestamps, UINT index)
      : timestamps_(std::move(timestamps)), index_(index) {}
  Status Run(const RunContext& context) const override;

 private:
  std::shared_ptr<Timestamps> timestamps_;
  UINT index_;
};

class ResolveWork final : public Work {
 public:
  ResolveWork(std::shared_ptr<Timestamps> timestamps, UINT start, BufferRange target)
      : timestamps_(std::move(timestamps)), start_(start), target_(std::move(target)) {}
  Status Run(const RunContext& context) const override;

 private:
  std::shared_ptr<Timestamps> timestamps_;
  UINT start_;
  BufferRange target_;  // of 8 bytes for each query
};

}  // namespace anydml::d3d12
