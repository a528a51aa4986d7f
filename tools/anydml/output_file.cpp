// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "output_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "model/npy.h"
#include "model/paths.h"

namespace anydml::tool {
namespace {

namespace fs = std::filesystem;

Error Failed(const fs::path& path, std::string_view action) {
  return InvalidArgument(
      fmt::format("'{}' could not be {}: {}", path.string(), action, std::strerror(errno)));
}

// What is there and neither a file nor a link to one: a device, a pipe.
bool IsSpecial(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

// A file under another name in the same folder, renamed at the end; removed
// when anything goes wrong on the way.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& path)
      : TemporaryFile(path, path.string() + fmt::format(".{}.part", getpid())) {}
  // Under this name from the beginning.
  TemporaryFile(const fs::path& path, std::string name) : target_(path), name_(std::move(name)) {}
  ~TemporaryFile() {
    if (file_ != nullptr) std::fclose(file_);
    if (created_) std::remove(name_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  Status Write(std::string_view header, std::span<const uint8_t> data) {
    file_ = std::fopen(name_.c_str(), "wb");
    if (file_ == nullptr) return Failed(target_, "created");
    created_ = name_ != target_;
    const bool written = std::fwrite(header.data(), 1, header.size(), file_) == header.size() &&
                         std::fwrite(data.data(), 1, data.size(), file_) == data.size();
    if (!written) return Failed(target_, "written");
    FILE* file = file_;
    file_ = nullptr;
    if (std::fclose(file) != 0) return Failed(target_, "written");
    if (created_ && std::rename(name_.c_str(), target_.c_str()) != 0) {
      return Failed(target_, "created");
    }
    created_ = false;
    return {};
  }

 private:
  const fs::path target_;
  const std::string name_;
  std::FILE* file_ = nullptr;
  bool created_ = false;
};

}  // namespace

Status WriteResource(const model::Resource& resource, const std::vector<uint64_t>& dimensions,
                     const fs::path& path) {
  TemporaryFile file(path);
  if (model::LowerExtension(path.string()) != ".npy") return file.Write("", resource.bytes);
  uint64_t bytes = ElementSize(resource.data_type);
  for (uint64_t size : dimensions) bytes *= size;  // inside the resource: ReadCommand checked
  return file.Write(model::NpyHeader(resource.data_type, dimensions),
                    std::span(resource.bytes).first(bytes));
}

Status WriteText(std::string_view text, const fs::path& path) {
  // The person who names a device means it; a file renamed over it would replace it.
  return (IsSpecial(path) ? TemporaryFile(path, path.string()) : TemporaryFile(path))
      .Write(text, {});
}

}  // namespace anydml::tool
