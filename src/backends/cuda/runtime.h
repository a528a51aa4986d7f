// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// NVIDIA devices without NVIDIA's headers: which there are, their memory, copies
// and streams. Behind it is libanydml_cuda.so; without that library there are no
// devices, and nobody else asks whether it is there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "backends/cuda/interface.h"
#include "base/result.h"

namespace anydml::cuda {

// What a function of libanydml_cuda.so tells.
Error ErrorOf(const Failure& failure);

struct DeviceInfo {
  int ordinal = 0;          // the driver's number
  std::string name;         // "cuda:0"
  std::string description;  // "NVIDIA H200, compute capability 9.0"
  uint64_t memory_bytes = 0;
};

// Empty without libanydml_cuda.so, without a driver and without a device. Looked
// up once; devices do not come later.
std::span<const DeviceInfo> Devices();

// Why Devices() is empty, in words.
std::string WhyNoDevices();

// Makes a device the calling thread's current one for the time of its life.
class ScopedDevice {
 public:
  explicit ScopedDevice(int ordinal);
  ~ScopedDevice();
  ScopedDevice(const ScopedDevice&) = delete;
  ScopedDevice& operator=(const ScopedDevice&) = delete;

 private:
  int previous_ = 0;
  int current_ = 0;
};

// Memory of the current device, or of the host where the devices can reach it;
// aligned to 256 bytes at least.
enum class Place : uint8_t { kDevice, kPinnedHost };
struct FreeMemory {
  Place place = Place::kDevice;
  void operator()(void* memory) const;
};
using Memory = std::unique_ptr<void, FreeMemory>;
Result<Memory> Allocate(uint64_t bytes, Place place = Place::kDevice);

// Memory for work on a stream: there when the work before it is done, and gone
// after the work that was put there before it is freed. From a pool that keeps
// what it has.
Result<void*> AllocateOnStream(uint64_t bytes, Stream stream);
Status FreeOnStream(void* memory, Stream stream);

struct MemoryUse {
  uint64_t free_bytes = 0;
  uint64_t total_bytes = 0;
};
Result<MemoryUse> QueryMemory();  // of the current device

// Can kernels of this device reach the address? Memory of the device, of the
// host once pinned or managed, and, where the system shares page tables, all.
bool IsReachable(const void* address, int ordinal);
// The bytes from an address to the end of its allocation on the device; 0 for an
// address that is not on it.
uint64_t DeviceBytesFrom(const void* address, int ordinal);

// The device whose memory an address is in; null for all other memory.
const DeviceInfo* OwnerOf(const void* address);

// All on the current device. Copies find out by the addresses where they go.
Status Copy(void* to, const void* from, uint64_t bytes, Stream stream);
Status Fill(void* to, uint8_t value, uint64_t bytes, Stream stream);
// Repeats 16 bytes, from `to` on.
using Pattern = std::array<std::byte, 16>;
Status FillPattern(void* to, const Pattern& pattern, uint64_t bytes, Stream stream);
// The device's clock in nanoseconds when the work before it is done; `to` is an
// address that the device can reach.
Status PutTime(uint64_t* to, Stream stream);
Status Synchronize(Stream stream);

// What went wrong with the kernels that were just launched.
Status LaunchStatus();

struct DestroyStream {
  void operator()(Stream stream) const;
};
using OwnedStream = std::unique_ptr<CUstream_st, DestroyStream>;
Result<OwnedStream> CreateStream();

// Work that was put on a stream once, to be put there again as one piece.
struct DestroyGraph {
  void operator()(CUgraphExec_st* graph) const;
};
using Graph = std::unique_ptr<CUgraphExec_st, DestroyGraph>;
// Whether somebody records the work of the stream, also where that cannot be known.
bool IsCapturing(Stream stream);
// What `record` puts on the stream is taken down and not run. Fails where it does
// something that cannot be taken down.
Result<Graph> Capture(Stream stream, const std::function<Status()>& record);
Status Replay(CUgraphExec_st* graph, Stream stream);

struct DestroyEvent {
  void operator()(CUevent_st* event) const;
};
using Event = std::unique_ptr<CUevent_st, DestroyEvent>;
enum class EventKind : uint8_t { kWaitOnly, kTimed };
Result<Event> CreateEvent(EventKind kind);
Status Record(CUevent_st* event, Stream stream);
Status Wait(CUevent_st* event);
Result<float> MillisecondsBetween(CUevent_st* first, CUevent_st* second);

}  // namespace anydml::cuda
