// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "backends/cuda/cudart.h"

#include <cuda_runtime_api.h>

#include <array>
#include <cinttypes>
#include <cstdio>
#include <mutex>

namespace anydml::cuda {
namespace {

// Errors that stay with the context come back at every call; the others must
// not be found by the next one who looks.
bool Succeeded(cudaError_t code, const char* doing, Failure* failure) {
  if (code == cudaSuccess) return true;
  cudaGetLastError();
  failure->kind = code == cudaErrorMemoryAllocation ? Failure::kOutOfMemory : Failure::kDeviceLost;
  std::snprintf(failure->text, sizeof failure->text, "CUDA: %s: %s (%s)", doing,
                cudaGetErrorString(code), cudaGetErrorName(code));
  return false;
}

bool Allocated(cudaError_t code, uint64_t bytes, Failure* failure) {
  char doing[64];
  std::snprintf(doing, sizeof doing, "allocating %" PRIu64 " bytes", bytes);
  return Succeeded(code, doing, failure);
}

bool HasKernelsFor(int ordinal) {
  int major = 0, minor = 0;
  return cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, ordinal) ==
             cudaSuccess &&
         cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, ordinal) ==
             cudaSuccess &&
         10 * major + minor >= ANYDML_LEAST_CAPABILITY;
}

bool CountDevices(int* count, Failure* failure) {
  failure->kind = Failure::kDeviceLost;
  const cudaError_t code = cudaGetDeviceCount(count);
  if (code == cudaErrorInsufficientDriver) {  // also where there is no driver at all
    cudaGetLastError();
    std::snprintf(failure->text, sizeof failure->text, "no NVIDIA driver for CUDA %d.%d or later",
                  CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    return false;
  }
  if (code != cudaSuccess) {
    cudaGetLastError();
    std::snprintf(failure->text, sizeof failure->text, "%s", cudaGetErrorString(code));
    return false;
  }
  for (int i = 0; i < *count; ++i) {
    if (HasKernelsFor(i)) return true;
  }
  std::snprintf(failure->text, sizeof failure->text,
                "no device of compute capability %d.%d or later, which the library is built for",
                ANYDML_LEAST_CAPABILITY / 10, ANYDML_LEAST_CAPABILITY % 10);
  return false;
}

bool DescribeDevice(int ordinal, DeviceDescription* description) {
  cudaDeviceProp properties;
  if (!HasKernelsFor(ordinal) || cudaGetDeviceProperties(&properties, ordinal) != cudaSuccess) {
    return false;
  }
  description->memory_bytes = properties.totalGlobalMem;
  std::snprintf(description->text, sizeof description->text, "%.200s, compute capability %d.%d",
                properties.name, properties.major, properties.minor);
  return true;
}

int CurrentDevice() {
  int ordinal = 0;
  cudaGetDevice(&ordinal);
  return ordinal;
}

void SetDevice(int ordinal) { cudaSetDevice(ordinal); }

bool Allocate(uint64_t bytes, bool on_host, void** memory, Failure* failure) {
  return Allocated(
      on_host ? cudaHostAlloc(memory, bytes, cudaHostAllocPortable) : cudaMalloc(memory, bytes),
      bytes, failure);
}

void Free(void* memory, bool on_host) {
  if (on_host) {
    cudaFreeHost(memory);
  } else {
    cudaFree(memory);
  }
}

// One pool per device, made when first asked for and kept until the process ends.
constexpr int kMaxPools = 64;

bool MakePool(int ordinal, cudaMemPool_t* pool, Failure* failure) {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, ordinal};
  if (!Succeeded(cudaMemPoolCreate(pool, &properties), "making a pool of memory", failure)) {
    return false;
  }
  uint64_t keep = UINT64_MAX;  // or every wait would give the memory back to the system
  cudaMemPoolSetAttribute(*pool, cudaMemPoolAttrReleaseThreshold, &keep);
  return true;
}

bool PoolOf(int ordinal, cudaMemPool_t* pool, Failure* failure) {
  static std::mutex mutex;
  static std::array<cudaMemPool_t, kMaxPools> pools = {};
  if (ordinal >= kMaxPools) {
    return Succeeded(cudaDeviceGetDefaultMemPool(pool, ordinal), "asking for a pool", failure);
  }
  const std::lock_guard lock(mutex);
  cudaMemPool_t& own = pools[static_cast<size_t>(ordinal)];
  if (own == nullptr && !MakePool(ordinal, &own, failure)) return false;
  *pool = own;
  return true;
}

bool AllocateOnStream(uint64_t bytes, Stream stream, void** memory, Failure* failure) {
  cudaMemPool_t pool = nullptr;
  if (!PoolOf(CurrentDevice(), &pool, failure)) return false;
  return Allocated(cudaMallocFromPoolAsync(memory, bytes, pool, stream), bytes, failure);
}

bool FreeOnStream(void* memory, Stream stream, Failure* failure) {
  return Succeeded(cudaFreeAsync(memory, stream), "freeing memory", failure);
}

bool QueryMemory(uint64_t* free_bytes, uint64_t* total_bytes, Failure* failure) {
  size_t free = 0, total = 0;
  const bool known = Succeeded(cudaMemGetInfo(&free, &total), "asking for free memory", failure);
  *free_bytes = free;
  *total_bytes = total;
  return known;
}

bool GetAttributes(const void* address, cudaPointerAttributes* attributes) {
  if (cudaPointerGetAttributes(attributes, address) == cudaSuccess) return true;
  cudaGetLastError();
  return false;
}

bool IsReachable(const void* address, int ordinal) {
  cudaPointerAttributes attributes;
  if (!GetAttributes(address, &attributes)) return false;
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

bool OwnerOf(const void* address, int* ordinal) {
  cudaPointerAttributes attributes;
  if (!GetAttributes(address, &attributes)) return false;
  *ordinal = attributes.device;
  return attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
}

uint64_t DeviceBytesFrom(const void* address, int ordinal) {
  cudaPointerAttributes attributes;
  if (!GetAttributes(address, &attributes) || attributes.type != cudaMemoryTypeDevice ||
      attributes.device != ordinal) {
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

bool Copy(void* to, const void* from, uint64_t bytes, Stream stream, Failure* failure) {
  return Succeeded(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream), "copying", failure);
}

bool Fill(void* to, uint8_t value, uint64_t bytes, Stream stream, Failure* failure) {
  return Succeeded(cudaMemsetAsync(to, value, bytes, stream), "filling memory", failure);
}

bool Synchronize(Stream stream, Failure* failure) {
  return Succeeded(cudaStreamSynchronize(stream), "waiting for a stream", failure);
}

bool CreateStream(Stream* stream, Failure* failure) {
  return Succeeded(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking), "creating a stream",
                   failure);
}

void DestroyStream(Stream stream) { cudaStreamDestroy(stream); }

constexpr char kCapturing[] = "capturing launches";

bool IsCapturing(Stream stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  if (cudaStreamIsCapturing(stream, &status) != cudaSuccess) {
    cudaGetLastError();
    return true;
  }
  return status != cudaStreamCaptureStatusNone;
}

bool BeginCapture(Stream stream, Failure* failure) {
  return Succeeded(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), kCapturing,
                   failure);
}

bool EndCapture(Stream stream, CUgraphExec_st** graph, Failure* failure) {
  cudaGraph_t captured = nullptr;
  bool done = Succeeded(cudaStreamEndCapture(stream, &captured), kCapturing, failure);
  if (done && graph != nullptr) {
    done = Succeeded(cudaGraphInstantiate(graph, captured, 0), kCapturing, failure);
  }
  if (captured != nullptr) cudaGraphDestroy(captured);
  return done;
}

void DestroyGraph(CUgraphExec_st* graph) { cudaGraphExecDestroy(graph); }

bool Replay(CUgraphExec_st* graph, Stream stream, Failure* failure) {
  return Succeeded(cudaGraphLaunch(graph, stream), "launching a graph", failure);
}

bool CreateEvent(bool timed, CUevent_st** event, Failure* failure) {
  const unsigned flags = timed ? cudaEventDefault : cudaEventDisableTiming;
  return Succeeded(cudaEventCreateWithFlags(event, flags), "creating an event", failure);
}

void DestroyEvent(CUevent_st* event) { cudaEventDestroy(event); }

bool Record(CUevent_st* event, Stream stream, Failure* failure) {
  return Succeeded(cudaEventRecord(event, stream), "recording an event", failure);
}

bool Wait(CUevent_st* event, Failure* failure) {
  return Succeeded(cudaEventSynchronize(event), "waiting for an event", failure);
}

bool MillisecondsBetween(CUevent_st* first, CUevent_st* second, float* milliseconds,
                         Failure* failure) {
  return Succeeded(cudaEventElapsedTime(milliseconds, first, second), "reading timestamps",
                   failure);
}

}  // namespace

bool LaunchStatus(Failure* failure) {
  return Succeeded(cudaGetLastError(), "launching a kernel", failure);
}

void* Send(const void* from, uint64_t bytes, Failure* failure) {
  void* memory = nullptr;
  if (!Allocate(bytes == 0 ? 1 : bytes, /*on_host=*/false, &memory, failure)) return nullptr;
  if (bytes == 0 ||
      (Copy(memory, from, bytes, nullptr, failure) && Synchronize(nullptr, failure))) {
    return memory;
  }
  cudaFree(memory);
  return nullptr;
}

void FreeDeviceMemory(void* memory) { cudaFree(memory); }

void TellOutOfMemory(Failure* failure) {
  failure->kind = Failure::kOutOfMemory;
  std::snprintf(failure->text, sizeof failure->text, "not enough memory on the host");
}

constinit const RuntimeFunctions kRuntimeFunctions = {
    .count_devices = CountDevices,
    .describe_device = DescribeDevice,
    .current_device = CurrentDevice,
    .set_device = SetDevice,
    .allocate = Allocate,
    .free = Free,
    .allocate_on_stream = AllocateOnStream,
    .free_on_stream = FreeOnStream,
    .query_memory = QueryMemory,
    .is_reachable = IsReachable,
    .device_bytes_from = DeviceBytesFrom,
    .owner_of = OwnerOf,
    .copy = Copy,
    .fill = Fill,
    .fill_pattern = FillPattern,
    .put_time = PutTime,
    .synchronize = Synchronize,
    .launch_status = LaunchStatus,
    .create_stream = CreateStream,
    .destroy_stream = DestroyStream,
    .is_capturing = IsCapturing,
    .begin_capture = BeginCapture,
    .end_capture = EndCapture,
    .destroy_graph = DestroyGraph,
    .replay = Replay,
    .create_event = CreateEvent,
    .destroy_event = DestroyEvent,
    .record = Record,
    .wait = Wait,
    .milliseconds_between = MillisecondsBetween,
};

}  // namespace anydml::cuda
