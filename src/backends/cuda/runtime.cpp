// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "backends/cuda/runtime.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <map>
#include <mutex>
#include <vector>

namespace anydml::cuda {
namespace {

Error ErrorOf(cudaError_t code, std::string_view doing) {
  const std::string message =
      fmt::format("CUDA: {}: {} ({})", doing, cudaGetErrorString(code), cudaGetErrorName(code));
  if (code == cudaErrorMemoryAllocation) return OutOfMemory(message);
  return {ErrorCode::kDeviceLost, message};
}

// Errors that stay with the context come back at every call; the others must
// not be found by the next one who looks.
Status StatusOf(cudaError_t code, std::string_view doing) {
  if (code == cudaSuccess) return {};
  cudaGetLastError();
  return ErrorOf(code, doing);
}

struct Found {
  std::vector<DeviceInfo> devices;
  std::string why_none;
};

Found Find() {
  Found found;
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess) {
    cudaGetLastError();
    // What the runtime also says where there is no driver at all.
    found.why_none = code == cudaErrorInsufficientDriver
                         ? fmt::format("no NVIDIA driver for CUDA {}.{} or later",
                                       CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10)
                         : cudaGetErrorString(code);
    return found;
  }
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties;
    if (cudaGetDeviceProperties(&properties, i) != cudaSuccess) continue;
    if (10 * properties.major + properties.minor < ANYDML_LEAST_CAPABILITY) continue;
    // Named by the driver's number, as everybody else in the process names it.
    found.devices.push_back({i, fmt::format("cuda:{}", i),
                             fmt::format("{}, compute capability {}.{}", properties.name,
                                         properties.major, properties.minor),
                             properties.totalGlobalMem});
  }
  if (found.devices.empty()) {
    found.why_none = fmt::format(
        "no device of compute capability {}.{} or later, which the library is built for",
        ANYDML_LEAST_CAPABILITY / 10, ANYDML_LEAST_CAPABILITY % 10);
  }
  return found;
}

const Found& FoundOnce() {
  static const Found found = Find();
  return found;
}

// One pool per device, made when first asked for and kept until the process ends.
Result<cudaMemPool_t> PoolOf(int ordinal) {
  static std::mutex mutex;
  static std::map<int, cudaMemPool_t>& pools = *new std::map<int, cudaMemPool_t>();
  const std::lock_guard lock(mutex);
  if (const auto found = pools.find(ordinal); found != pools.end()) return found->second;
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, ordinal};
  cudaMemPool_t pool = nullptr;
  Status status = StatusOf(cudaMemPoolCreate(&pool, &properties), "making a pool of memory");
  if (!status.ok()) return status.error();
  uint64_t keep = UINT64_MAX;  // or every wait would give the memory back to the system
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep);
  pools.emplace(ordinal, pool);
  return pool;
}

}  // namespace

std::span<const DeviceInfo> Devices() { return FoundOnce().devices; }
std::string WhyNoDevices() { return FoundOnce().why_none; }

ScopedDevice::ScopedDevice(int ordinal) {
  cudaGetDevice(&previous_);
  if (previous_ != ordinal) cudaSetDevice(ordinal);
  current_ = ordinal;
}

ScopedDevice::~ScopedDevice() {
  if (previous_ != current_) cudaSetDevice(previous_);
}

void FreeMemory::operator()(void* memory) const {
  if (place == Place::kDevice) {
    cudaFree(memory);
  } else {
    cudaFreeHost(memory);
  }
}

Result<Memory> Allocate(uint64_t bytes, Place place) {
  void* memory = nullptr;
  const cudaError_t code = place == Place::kDevice
                               ? cudaMalloc(&memory, bytes)
                               : cudaHostAlloc(&memory, bytes, cudaHostAllocPortable);
  Status status = StatusOf(code, fmt::format("allocating {} bytes", bytes));
  if (!status.ok()) return status.error();
  return Memory(memory, FreeMemory{place});
}

Result<void*> AllocateOnStream(uint64_t bytes, Stream stream) {
  int ordinal = 0;
  cudaGetDevice(&ordinal);
  Result<cudaMemPool_t> pool = PoolOf(ordinal);
  if (!pool.ok()) return pool.error();
  void* memory = nullptr;
  Status status = StatusOf(cudaMallocFromPoolAsync(&memory, bytes, pool.value(), stream),
                           fmt::format("allocating {} bytes", bytes));
  if (!status.ok()) return status.error();
  return memory;
}

Status FreeOnStream(void* memory, Stream stream) {
  return StatusOf(cudaFreeAsync(memory, stream), "freeing memory");
}

Result<MemoryUse> QueryMemory() {
  size_t free_bytes = 0, total_bytes = 0;
  Status status = StatusOf(cudaMemGetInfo(&free_bytes, &total_bytes), "asking for free memory");
  if (!status.ok()) return status.error();
  return MemoryUse{free_bytes, total_bytes};
}

bool IsReachable(const void* address, int ordinal) {
  cudaPointerAttributes attributes;
  if (cudaPointerGetAttributes(&attributes, address) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  switch (attributes.type) {
    case cudaMemoryTypeDevice:
      return attributes.device == ordinal;
    case cudaMemoryTypeUnregistered: {
      int shares_page_tables = 0;
      cudaDeviceGetAttribute(&shares_page_tables, cudaDevAttrPageableMemoryAccess, ordinal);
      return shares_page_tables != 0;
    }
    default:
      return true;
  }
}

const DeviceInfo* OwnerOf(const void* address) {
  if (Devices().empty()) return nullptr;
  cudaPointerAttributes attributes;
  if (cudaPointerGetAttributes(&attributes, address) != cudaSuccess) {
    cudaGetLastError();
    return nullptr;
  }
  if (attributes.type != cudaMemoryTypeDevice && attributes.type != cudaMemoryTypeManaged) {
    return nullptr;
  }
  for (const DeviceInfo& device : Devices()) {
    if (device.ordinal == attributes.device) return &device;
  }
  return nullptr;
}

uint64_t DeviceBytesFrom(const void* address, int ordinal) {
  cudaPointerAttributes attributes;
  if (cudaPointerGetAttributes(&attributes, address) != cudaSuccess ||
      attributes.type != cudaMemoryTypeDevice || attributes.device != ordinal) {
    cudaGetLastError();
    return 0;
  }
  // The driver knows, the runtime does not tell.
  using GetAddressRange = int (*)(uint64_t * base, size_t * size, uint64_t address);
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found;
  if (cudaGetDriverEntryPointByVersion("cuMemGetAddressRange", &function, 12000, cudaEnableDefault,
                                       &found) != cudaSuccess ||
      function == nullptr) {
    cudaGetLastError();
    return 0;
  }
  uint64_t base = 0;
  size_t size = 0;
  const auto wanted = reinterpret_cast<uint64_t>(address);
  if (reinterpret_cast<GetAddressRange>(function)(&base, &size, wanted) != 0) return 0;
  return base + size - wanted;
}

Status Copy(void* to, const void* from, uint64_t bytes, Stream stream) {
  return StatusOf(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream), "copying");
}

Status Fill(void* to, uint8_t value, uint64_t bytes, Stream stream) {
  return StatusOf(cudaMemsetAsync(to, value, bytes, stream), "filling memory");
}

Status Synchronize(Stream stream) {
  return StatusOf(cudaStreamSynchronize(stream), "waiting for a stream");
}

Status LaunchStatus() { return StatusOf(cudaGetLastError(), "launching a kernel"); }

void DestroyStream::operator()(Stream stream) const { cudaStreamDestroy(stream); }

Result<OwnedStream> CreateStream() {
  cudaStream_t stream = nullptr;
  Status status =
      StatusOf(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
  if (!status.ok()) return status.error();
  return OwnedStream(stream);
}

void DestroyGraph::operator()(CUgraphExec_st* graph) const { cudaGraphExecDestroy(graph); }

Result<Graph> Capture(Stream stream, const std::function<Status()>& record) {
  constexpr std::string_view kDoing = "taking down the work of a command list";
  Status status =
      StatusOf(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), kDoing);
  if (!status.ok()) return status.error();
  const Status recorded = record();
  cudaGraph_t graph = nullptr;
  status = StatusOf(cudaStreamEndCapture(stream, &graph), kDoing);
  if (!recorded.ok()) status = recorded;
  cudaGraphExec_t executable = nullptr;
  if (status.ok()) status = StatusOf(cudaGraphInstantiate(&executable, graph, 0), kDoing);
  if (graph != nullptr) cudaGraphDestroy(graph);
  if (!status.ok()) return status.error();
  return Graph(executable);
}

Status Replay(CUgraphExec_st* graph, Stream stream) {
  return StatusOf(cudaGraphLaunch(graph, stream), "launching a graph");
}

void DestroyEvent::operator()(CUevent_st* event) const { cudaEventDestroy(event); }

Result<Event> CreateEvent(EventKind kind) {
  cudaEvent_t event = nullptr;
  const unsigned flags = kind == EventKind::kTimed ? cudaEventDefault : cudaEventDisableTiming;
  Status status = StatusOf(cudaEventCreateWithFlags(&event, flags), "creating an event");
  if (!status.ok()) return status.error();
  return Event(event);
}

Status Record(CUevent_st* event, Stream stream) {
  return StatusOf(cudaEventRecord(event, stream), "recording an event");
}

Status Wait(CUevent_st* event) {
  return StatusOf(cudaEventSynchronize(event), "waiting for an event");
}

Result<float> MillisecondsBetween(CUevent_st* first, CUevent_st* second) {
  float milliseconds = 0;
  Status status =
      StatusOf(cudaEventElapsedTime(&milliseconds, first, second), "reading timestamps");
  if (!status.ok()) return status.error();
  return milliseconds;
}

}  // namespace anydml::cuda
