// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "feeds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <ranges>

#include "base/escaped.h"
#include "base/sha256.h"
#include "model/nearest.h"
#include "model/npy.h"
#include "model/paths.h"
#include "train/idx.h"
#include "train/numbers.h"

namespace anydml::tool {
namespace {

constexpr uint64_t kMostBytes = uint64_t{1} << 34;

struct Samples {
  DataType data_type = DataType::kUint8;
  std::vector<uint64_t> sizes;  // the first one counts them
  std::vector<std::byte> bytes;
};

Error Refuse(const FeedFile& file, std::string_view what) {
  return InvalidArgument(
      fmt::format("--feed {}: {} {}", Escaped(file.name), Escaped(file.path), what));
}

std::vector<std::byte> Copy(std::span<const uint8_t> data) {
  const auto bytes = std::as_bytes(data);
  return {bytes.begin(), bytes.end()};
}

Result<Samples> ReadSamples(const FeedFile& file) {
  Samples samples;
  if (model::LowerExtension(file.path) != ".npy") {
    Result<train::IdxFile> idx = train::ReadIdx(file.path);
    if (!idx.ok())
      return InvalidArgument("--feed " + Escaped(file.name) + ": " + idx.error().message);
    samples.sizes.assign(idx.value().sizes.begin(), idx.value().sizes.end());
    samples.bytes = Copy(idx.value().data());
    return samples;
  }
  Result<std::vector<uint8_t>> bytes = model::ReadFile(file.path, kMostBytes);
  if (!bytes.ok()) return Refuse(file, bytes.error().message);
  Result<model::NpyArray> array = model::ReadNpy(bytes.value());
  if (!array.ok()) return Refuse(file, array.error().message);
  if (array.value().shape.empty()) return Refuse(file, "is one element and must count samples");
  samples.data_type = array.value().data_type;
  samples.sizes.assign(array.value().shape.begin(), array.value().shape.end());
  samples.bytes = Copy(array.value().data);
  return samples;
}

template <typename T>
std::vector<std::byte> Widen(const std::vector<std::byte>& bytes) {
  std::vector<std::byte> wide(bytes.size() * sizeof(T));
  for (size_t i = 0; i < bytes.size(); ++i) {
    const T element = static_cast<T>(std::to_integer<uint8_t>(bytes[i]));
    std::memcpy(&wide[i * sizeof element], &element, sizeof element);
  }
  return wide;
}

Status ConvertTo(DataType type, const FeedFile& file, Samples& samples) {
  if (samples.data_type == type) return {};
  const bool is_bytes = samples.data_type == DataType::kUint8;
  if (is_bytes && type == DataType::kUint32) {
    samples.bytes = Widen<uint32_t>(samples.bytes);
  } else if (is_bytes && type == DataType::kFloat32) {
    samples.bytes = Widen<float>(samples.bytes);
  } else {
    return Refuse(file, fmt::format("has {} and the model takes {}",
                                    DataTypeName(samples.data_type), DataTypeName(type)));
  }
  samples.data_type = type;
  return {};
}

// How many samples fill the tensor, whose first size counts them; 0 if those of the file have
// other sizes. Sizes of 1 may stand anywhere.
uint64_t SamplesIn(const TensorDesc& tensor, const std::vector<uint64_t>& file_sizes) {
  std::vector<uint64_t> sample(file_sizes.begin() + 1, file_sizes.end());
  std::vector<uint64_t> sizes(tensor.Sizes().begin(), tensor.Sizes().end());
  std::erase(sample, 1);
  std::erase(sizes, 1);
  if (sizes == sample) return 1;
  const uint64_t batch = sizes.empty() ? 0 : sizes.front();
  return std::ranges::equal(std::span(sizes).subspan(sizes.empty() ? 0 : 1), sample) ? batch : 0;
}

}  // namespace

Result<Feeds> Feeds::Read(std::vector<FeedFile>& files, const std::vector<train::Feed>& feeds,
                          uint64_t seed) {
  Feeds read;
  read.seed_ = seed;
  read.addresses_.resize(feeds.size(), nullptr);
  for (FeedFile& file : files) {
    Status status = read.Add(file, feeds);
    if (!status.ok()) return status.error();
  }
  return read;
}

Status Feeds::Add(FeedFile& file, const std::vector<train::Feed>& feeds) {
  const auto feed = std::ranges::find(feeds, file.name, &train::Feed::name);
  if (feed == feeds.end()) {
    std::vector<std::string_view> names;
    names.reserve(feeds.size());
    for (const train::Feed& known : feeds) names.push_back(known.name);
    return InvalidArgument(fmt::format("--feed: '{}' is no resource that the model only reads{}",
                                       Escaped(file.name),
                                       Escaped(model::Suggest(file.name, names))));
  }
  Column column;
  column.feed = static_cast<size_t>(feed - feeds.begin());
  if (std::ranges::count(columns_, column.feed, &Column::feed) != 0) {
    return InvalidArgument(fmt::format("--feed: '{}' is fed twice", Escaped(file.name)));
  }
  Result<Samples> read = ReadSamples(file);
  if (!read.ok()) return read.error();
  Samples& samples = read.value();
  file.sha256 = Sha256().Add(samples.bytes).Text();
  Status status = ConvertTo(feed->tensor.data_type, file, samples);
  if (!status.ok()) return status;
  const uint64_t count = samples.sizes[0];
  const uint64_t batch = SamplesIn(feed->tensor, samples.sizes);
  if (batch == 0 || batch > count || count > UINT32_MAX) {
    return Refuse(
        file, fmt::format("has Sizes {{{}}}; the model takes batches of Sizes {{{}}}",
                          fmt::join(samples.sizes, ", "), fmt::join(feed->tensor.Sizes(), ", ")));
  }
  if (columns_.empty()) {
    count_ = count;
    batch_ = batch;
  } else if (count_ != count || batch_ != batch) {
    return Refuse(file, fmt::format("has {} samples for batches of {}; the first file has {} for "
                                    "batches of {}",
                                    count, batch, count_, batch_));
  }
  column.sample_bytes = samples.bytes.size() / count;
  column.samples = std::move(samples.bytes);
  column.batch.resize(feed->tensor.total_bytes);
  columns_.push_back(std::move(column));
  addresses_[columns_.back().feed] = columns_.back().batch.data();
  return {};
}

const std::vector<const void*>& Feeds::Batch(uint64_t position) {
  if (columns_.empty()) return addresses_;
  const uint64_t per_epoch = count_ / batch_;
  const uint64_t epoch = position / per_epoch;
  const uint64_t first = position % per_epoch * batch_;
  if (order_.empty() || epoch != epoch_) {
    order_ = train::ShuffledOrder(seed_, epoch, static_cast<uint32_t>(count_));
    epoch_ = epoch;
  }
  for (Column& column : columns_) {
    for (uint64_t i = 0; i < batch_; ++i) {
      std::memcpy(&column.batch[i * column.sample_bytes],
                  &column.samples[order_[first + i] * column.sample_bytes], column.sample_bytes);
    }
  }
  return addresses_;
}

}  // namespace anydml::tool
