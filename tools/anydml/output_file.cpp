// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "output_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/partial_file.h"
#include "model/npy.h"
#include "model/paths.h"
#include "model/place.h"

namespace anydml::tool {
namespace {

namespace fs = std::filesystem;

Error Failed(const fs::path& path, std::string_view action) {
  return InvalidArgument(fmt::format("'{}' could not be {}: {}", model::Escaped(path.string()),
                                     action, std::strerror(errno)));
}

// What is there and neither a file nor a link to one: a device, a pipe.
bool IsSpecial(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

// Nothing may lie at no address, which fwrite does not take.
bool Append(std::span<const std::byte> bytes, std::FILE* file) {
  return bytes.empty() || std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
}

// A file under another name in the same folder, renamed at the end; unless what
// is there is written into.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& path, bool is_written_into = false) : target_(path) {
    if (!is_written_into) part_.emplace(path.string() + fmt::format(".{}.part", getpid()));
  }
  ~TemporaryFile() {
    if (file_ != nullptr) std::fclose(file_);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  Status Write(std::string_view header, std::span<const uint8_t> data) {
    file_ = part_ ? part_->Create() : std::fopen(target_.c_str(), "wb");
    if (file_ == nullptr) return Failed(target_, "created");
    if (!Append(std::as_bytes(std::span(header)), file_) || !Append(std::as_bytes(data), file_))
      return Failed(target_, "written");
    FILE* file = file_;
    file_ = nullptr;
    if (std::fclose(file) != 0) return Failed(target_, "written");
    if (!part_) return {};
    if (std::rename(part_->name().c_str(), target_.c_str()) != 0) return Failed(target_, "created");
    part_->Keep();
    return {};
  }

 private:
  const fs::path target_;
  std::optional<PartialFile> part_;
  std::FILE* file_ = nullptr;
};

}  // namespace

Status WriteResource(const model::Resource& resource, const std::vector<uint64_t>& dimensions,
                     const fs::path& path) {
  if (IsSpecial(path)) {
    return InvalidArgument(fmt::format("'{}' is there and no file: a model writes files alone",
                                       model::Escaped(path.string())));
  }
  TemporaryFile file(path);
  if (model::LowerExtension(path.string()) != ".npy") return file.Write("", resource.bytes);
  uint64_t bytes = ElementSize(resource.data_type);
  for (uint64_t size : dimensions) bytes *= size;  // inside the resource: ReadCommand checked
  return file.Write(model::NpyHeader(resource.data_type, dimensions),
                    std::span(resource.bytes).first(bytes));
}

Status WriteText(std::string_view text, const fs::path& path) {
  // The person who names a device means it; a file renamed over it would replace it.
  return TemporaryFile(path, IsSpecial(path)).Write(text, {});
}

}  // namespace anydml::tool
