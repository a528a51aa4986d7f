// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "d3d12/memory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>

#include "base/checked_math.h"

namespace anydml::d3d12 {
namespace {

std::atomic<uint64_t> bytes_in_use{0};

#if defined(__SANITIZE_ADDRESS__)
#define ANYDML_CHECKED_HEAP 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ANYDML_CHECKED_HEAP 1
#endif
#endif

#if defined(ANYDML_CHECKED_HEAP)
// From the heap, so that AddressSanitizer sees accesses beyond the last byte.
std::byte* Reserve(uint64_t size) {
  if (size > uint64_t{1} << 38) return nullptr;  // where it would stop the program
  void* data = ::operator new(size, std::align_val_t(kPlacementAlignment), std::nothrow);
  if (data != nullptr) std::memset(data, 0, size);
  return static_cast<std::byte*>(data);
}

void Return(std::byte* data, uint64_t) {
  ::operator delete(data, std::align_val_t(kPlacementAlignment));
}
#else
constexpr uint64_t kPage = 4096;
constexpr uint64_t kHugePage = uint64_t{2} << 20;

// Fresh mappings are zero without being touched. Large ones are aligned to huge
// pages, which save most of the page faults of a first pass.
std::byte* Reserve(uint64_t size) {
  const uint64_t alignment = size >= kHugePage ? kHugePage : kPlacementAlignment;
  const std::optional<uint64_t> rounded = CheckedRoundUp(size, kPage);
  const std::optional<uint64_t> total = CheckedAdd(rounded, alignment - kPage);
  if (!total) return nullptr;
  void* start = mmap(nullptr, *total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) return nullptr;
  const uint64_t address = reinterpret_cast<uint64_t>(start);
  const uint64_t aligned = (address + alignment - 1) & ~(alignment - 1);
  const uint64_t end = address + *total;
  if (aligned != address) munmap(start, aligned - address);
  std::byte* data = reinterpret_cast<std::byte*>(aligned);
  if (end != aligned + *rounded) munmap(data + *rounded, end - aligned - *rounded);
  if (size >= kHugePage) madvise(data, *rounded, MADV_HUGEPAGE);
  return data;
}

void Return(std::byte* data, uint64_t size) { munmap(data, *CheckedRoundUp(size, kPage)); }
#endif

// The lines of a file of /proc, without any memory.
class LinesOfFile {
 public:
  explicit LinesOfFile(const char* path) : descriptor_(open(path, O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ >= 0) return;
    const bool is_missing = errno != EMFILE && errno != ENFILE && errno != ENOMEM;
    Error error = OutOfMemoryNow(path, " cannot be opened: ", std::strerror(errno));
    if (is_missing) error.code = ErrorCode::kUnsupported;
    status_ = std::move(error);
  }
  ~LinesOfFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  LinesOfFile(const LinesOfFile&) = delete;
  LinesOfFile& operator=(const LinesOfFile&) = delete;

  const Status& status() const { return status_; }

  // The beginning of the next line, where what we look for is; null after the last.
  const char* Next() {
    size_t length = 0;
    for (;;) {
      if (next_ == end_ && !Refill()) return nullptr;
      const char byte = bytes_[next_++];
      if (byte == '\n') break;
      if (length + 1 < sizeof line_) line_[length++] = byte;
    }
    line_[length] = '\0';
    return line_;
  }

 private:
  bool Refill() {
    const ssize_t count = descriptor_ < 0 ? 0 : read(descriptor_, bytes_, sizeof bytes_);
    next_ = 0;
    end_ = count > 0 ? static_cast<size_t>(count) : 0;
    return end_ != 0;
  }

  const int descriptor_;
  Status status_;
  char bytes_[4096] = {};
  char line_[128] = {};
  size_t next_ = 0;
  size_t end_ = 0;
};

}  // namespace

Result<std::shared_ptr<Memory>> Memory::Allocate(uint64_t size) {
  std::byte* data = Reserve(size);
  if (data == nullptr) return OutOfMemory(fmt::format("no memory for {} bytes", size));
  bytes_in_use += size;
  Memory* memory = new (std::nothrow) Memory(data, size, true);
  if (memory == nullptr) {
    Return(data, size);
    bytes_in_use -= size;
    return OutOfMemoryNow("not enough memory");
  }
  return std::shared_ptr<Memory>(memory);
}

Result<std::shared_ptr<Memory>> Memory::AllocateForCuda(uint64_t size, int ordinal,
                                                        cuda::Place place) {
  const std::optional<uint64_t> total = CheckedAdd(size, kPlacementAlignment);
  if (!total) return OutOfMemory(fmt::format("no memory for {} bytes", size));
  const cuda::ScopedDevice device(ordinal);
  Result<cuda::Memory> memory = cuda::Allocate(*total, place);
  if (!memory.ok()) return memory.error();
  const auto address = reinterpret_cast<uint64_t>(memory.value().get());
  auto* data = reinterpret_cast<std::byte*>((address + kPlacementAlignment - 1) &
                                            ~(kPlacementAlignment - 1));
  Status status = cuda::Fill(data, 0, size, nullptr);
  if (status.ok()) status = cuda::Synchronize(nullptr);
  if (!status.ok()) return status.error();
  return std::shared_ptr<Memory>(new Memory(std::move(memory).value(), data, size));
}

std::shared_ptr<Memory> Memory::Borrow(void* address, uint64_t size) {
  return std::shared_ptr<Memory>(new Memory(static_cast<std::byte*>(address), size, false));
}

Memory::~Memory() {
  if (!owned_) return;
  Return(data_, size_);
  bytes_in_use -= size_;
}

uint64_t Memory::BytesInUse() { return bytes_in_use; }

Result<uint64_t> AccessibleBytesFrom(const void* address) {
  const uint64_t wanted = reinterpret_cast<uint64_t>(address);
  LinesOfFile maps("/proc/self/maps");
  if (!maps.status().ok()) return maps.status().error();
  uint64_t end_of_run = 0;  // neighbouring mappings count as one
  while (const char* line = maps.Next()) {
    unsigned long long begin = 0;
    unsigned long long end = 0;
    char access[5] = {};
    if (std::sscanf(line, "%llx-%llx %4s", &begin, &end, access) != 3) continue;
    const bool accessible = access[0] == 'r' && access[1] == 'w';
    if (end_of_run == 0) {
      if (accessible && begin <= wanted && wanted < end) end_of_run = end;
    } else if (accessible && begin == end_of_run) {
      end_of_run = end;
    } else {
      break;
    }
  }
  return end_of_run == 0 ? 0 : end_of_run - wanted;
}

// Free memory alone would leave out the page cache, which is most of the memory
// of a machine that has run for a while; it is what is told where there is no /proc.
Result<uint64_t> AvailableBytes() {
  LinesOfFile info("/proc/meminfo");
  if (!info.status().ok()) {
    if (info.status().error().code != ErrorCode::kUnsupported) return info.status().error();
    struct sysinfo all = {};
    return sysinfo(&all) == 0 ? uint64_t{all.freeram} * all.mem_unit : 0;
  }
  unsigned long long kibibytes = 0;
  while (const char* line = info.Next()) {
    if (std::sscanf(line, "MemAvailable: %llu kB", &kibibytes) == 1) break;
  }
  return uint64_t{kibibytes} << 10;
}

}  // namespace anydml::d3d12
