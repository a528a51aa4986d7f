// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What a training is fed: files of samples, in batches of an order that follows from a seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "train/trainer.h"

namespace anydml::tool {

struct FeedFile {
  std::string name;    // of the model's resource
  std::string path;    // IDX, or .npy; the first dimension counts samples
  std::string sha256;  // of the file's elements
};

class Feeds {
 public:
  // Bytes become UINT32 or FLOAT32 where the model takes these; other types are the model's.
  // Fills in the sums.
  static Result<Feeds> Read(std::vector<FeedFile>& files, const std::vector<train::Feed>& feeds,
                            uint64_t seed);

  // By number of the feed: the elements of batch `position`, counted over all epochs; null for
  // what comes from no file. Samples at the end of an epoch that fill no batch are left out.
  const std::vector<const void*>& Batch(uint64_t position);

  uint64_t batch() const { return batch_; }

 private:
  struct Column {
    size_t feed = 0;
    uint64_t sample_bytes = 0;
    std::vector<std::byte> samples;
    std::vector<std::byte> batch;
  };

  Status Add(FeedFile& file, const std::vector<train::Feed>& feeds);

  std::vector<Column> columns_;
  std::vector<const void*> addresses_;
  std::vector<uint32_t> order_;
  uint64_t seed_ = 0;
  uint64_t epoch_ = 0;
  uint64_t count_ = 0;  // of samples
  uint64_t batch_ = 0;
};

}  // namespace anydml::tool
