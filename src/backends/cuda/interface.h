// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The border between libanydml.so and libanydml_cuda.so. Only plain structs,
// pointers to functions and pointers to memory cross it: no standard types, no
// exceptions, no allocation that the other side frees. libanydml_cuda.so exports
// one function, which returns an Interface; both libraries must come from one
// build, which Header says.
#pragma once

#include <cstdint>
#include <iterator>
#include <string_view>
#include <type_traits>

struct CUstream_st;
struct CUevent_st;
struct CUgraphExec_st;

namespace anydml::cuda {

using Stream = CUstream_st*;  // what cudaStream_t is; null is the default stream

// Characters that live as long as the library that holds them; not terminated.
struct Text {
  const char* data = nullptr;
  uint64_t size = 0;

  constexpr Text() = default;
  constexpr Text(std::string_view text) : data(text.data()), size(text.size()) {}  // NOLINT
  constexpr Text(const char* text) : Text(std::string_view(text)) {}               // NOLINT
  constexpr std::string_view view() const { return {data, size}; }
  constexpr bool empty() const { return size == 0; }
};

// An array that the other side owns.
template <typename T>
struct Span {
  const T* data = nullptr;
  uint64_t size = 0;

  constexpr Span() = default;
  template <typename Array>
  constexpr Span(const Array& array) : data(std::data(array)), size(std::size(array)) {}  // NOLINT
  constexpr const T* begin() const { return data; }
  constexpr const T* end() const { return data + size; }
};

// Why a function returned false. Filled then, and only then.
struct Failure {
  enum Kind : uint32_t { kDeviceLost, kOutOfMemory };
  Kind kind;
  char text[252];  // terminated
};

struct DeviceDescription {
  uint64_t memory_bytes;
  char text[256];  // "NVIDIA H200, compute capability 9.0", terminated
};

// backends/cuda/runtime.h says what they do; those without a Failure cannot fail,
// or have nobody to tell.
struct RuntimeFunctions {
  bool (*count_devices)(int* count, Failure* failure);
  // False for a device that no kernel was compiled for.
  bool (*describe_device)(int ordinal, DeviceDescription* description);
  int (*current_device)();
  void (*set_device)(int ordinal);

  bool (*allocate)(uint64_t bytes, bool on_host, void** memory, Failure* failure);
  void (*free)(void* memory, bool on_host);
  bool (*allocate_on_stream)(uint64_t bytes, Stream stream, void** memory, Failure* failure);
  bool (*free_on_stream)(void* memory, Stream stream, Failure* failure);
  bool (*query_memory)(uint64_t* free_bytes, uint64_t* total_bytes, Failure* failure);
  bool (*is_reachable)(const void* address, int ordinal);
  uint64_t (*device_bytes_from)(const void* address, int ordinal);
  bool (*owner_of)(const void* address, int* ordinal);  // false: no device's

  bool (*copy)(void* to, const void* from, uint64_t bytes, Stream stream, Failure* failure);
  bool (*fill)(void* to, uint8_t value, uint64_t bytes, Stream stream, Failure* failure);
  // `pattern` has 16 bytes.
  bool (*fill_pattern)(void* to, const void* pattern, uint64_t bytes, Stream stream,
                       Failure* failure);
  bool (*put_time)(uint64_t* to, Stream stream, Failure* failure);
  bool (*synchronize)(Stream stream, Failure* failure);
  bool (*launch_status)(Failure* failure);

  bool (*create_stream)(Stream* stream, Failure* failure);
  void (*destroy_stream)(Stream stream);
  bool (*is_capturing)(Stream stream);  // or nobody can tell
  bool (*begin_capture)(Stream stream, Failure* failure);
  // Ends the capture in any case; the graph is made where `graph` is not null.
  bool (*end_capture)(Stream stream, CUgraphExec_st** graph, Failure* failure);
  void (*destroy_graph)(CUgraphExec_st* graph);
  bool (*replay)(CUgraphExec_st* graph, Stream stream, Failure* failure);

  bool (*create_event)(bool timed, CUevent_st** event, Failure* failure);
  void (*destroy_event)(CUevent_st* event);
  bool (*record)(CUevent_st* event, Stream stream, Failure* failure);
  bool (*wait)(CUevent_st* event, Failure* failure);
  bool (*milliseconds_between)(CUevent_st* first, CUevent_st* second, float* milliseconds,
                               Failure* failure);
};

// First in every version, so that any two versions can compare theirs.
struct Header {
  uint64_t magic;
  uint32_t version;
  uint32_t bytes;  // of the Interface
  char build[64];  // terminated; the same in both libraries of a build
};

struct Interface {
  Header header;
  RuntimeFunctions runtime;
  const void* kernels;  // a CudaKernelTable of kernels/cuda_kernel.h
};
static_assert(std::is_trivially_copyable_v<Interface> && std::is_standard_layout_v<Interface>);

inline constexpr uint64_t kMagic = 0x616475432D4C4D44;  // "DML-Cuda"
inline constexpr uint32_t kVersion = 1;
inline constexpr char kFileName[] = "libanydml_cuda.so";

// extern "C" const Interface* anydml_cuda_interface();
using GetInterface = const Interface* (*)();
inline constexpr char kFunctionName[] = "anydml_cuda_interface";

}  // namespace anydml::cuda
