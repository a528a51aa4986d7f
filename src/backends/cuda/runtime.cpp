// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The functions of libanydml_cuda.so as the rest of the library calls them.
#include "backends/cuda/runtime.h"

#include <fmt/format.h>

#include <vector>

#include "backends/cuda/library.h"

namespace anydml::cuda {
namespace {

// Null without the library. There is no device then, so nothing that needs one is
// ever called; it answers all the same.
const RuntimeFunctions* Functions() {
  const Interface* library = Library();
  return library == nullptr ? nullptr : &library->runtime;
}

template <auto kFunction, typename... Arguments>
Status Call(Arguments... arguments) {
  const RuntimeFunctions* functions = Functions();
  if (functions == nullptr) return Unsupported(WhyNoLibrary());
  Failure failure;
  if ((functions->*kFunction)(arguments..., &failure)) return {};
  return ErrorOf(failure);
}

// The same for a function that makes something.
template <auto kFunction, typename Made, typename... Arguments>
Result<Made> Make(Arguments... arguments) {
  Made made = {};
  Status status = Call<kFunction>(arguments..., &made);
  if (!status.ok()) return status.error();
  return made;
}

struct Found {
  std::vector<DeviceInfo> devices;
  std::string why_none;
};

Found Find() {
  Found found;
  Result<int> count = Make<&RuntimeFunctions::count_devices, int>();
  if (!count.ok()) {
    found.why_none = count.error().message;
    return found;
  }
  for (int i = 0; i < count.value(); ++i) {
    DeviceDescription device;
    if (!Functions()->describe_device(i, &device)) continue;
    // Named by the driver's number, as everybody else in the process names it.
    found.devices.push_back({i, fmt::format("cuda:{}", i), device.text, device.memory_bytes});
  }
  if (found.devices.empty()) found.why_none = "no device says what it is";
  return found;
}

const Found& FoundOnce() {
  static const Found found = Find();
  return found;
}

}  // namespace

Error ErrorOf(const Failure& failure) {
  return {failure.kind == Failure::kOutOfMemory ? ErrorCode::kOutOfMemory : ErrorCode::kDeviceLost,
          failure.text};
}

std::span<const DeviceInfo> Devices() { return FoundOnce().devices; }
std::string WhyNoDevices() { return FoundOnce().why_none; }

ScopedDevice::ScopedDevice(int ordinal) : previous_(ordinal), current_(ordinal) {
  const RuntimeFunctions* functions = Functions();
  if (functions == nullptr) return;
  previous_ = functions->current_device();
  if (previous_ != current_) functions->set_device(current_);
}

ScopedDevice::~ScopedDevice() {
  if (previous_ != current_) Functions()->set_device(previous_);
}

void FreeMemory::operator()(void* memory) const {
  Functions()->free(memory, place == Place::kPinnedHost);
}

Result<Memory> Allocate(uint64_t bytes, Place place) {
  Result<void*> memory =
      Make<&RuntimeFunctions::allocate, void*>(bytes, place == Place::kPinnedHost);
  if (!memory.ok()) return memory.error();
  return Memory(memory.value(), FreeMemory{place});
}

Result<void*> AllocateOnStream(uint64_t bytes, Stream stream) {
  return Make<&RuntimeFunctions::allocate_on_stream, void*>(bytes, stream);
}

Status FreeOnStream(void* memory, Stream stream) {
  return Call<&RuntimeFunctions::free_on_stream>(memory, stream);
}

Result<MemoryUse> QueryMemory() {
  MemoryUse use;
  Status status = Call<&RuntimeFunctions::query_memory>(&use.free_bytes, &use.total_bytes);
  if (!status.ok()) return status.error();
  return use;
}

bool IsReachable(const void* address, int ordinal) {
  return Functions() != nullptr && Functions()->is_reachable(address, ordinal);
}

uint64_t DeviceBytesFrom(const void* address, int ordinal) {
  return Functions() == nullptr ? 0 : Functions()->device_bytes_from(address, ordinal);
}

const DeviceInfo* OwnerOf(const void* address) {
  int ordinal = 0;
  if (Devices().empty() || !Functions()->owner_of(address, &ordinal)) return nullptr;
  for (const DeviceInfo& device : Devices()) {
    if (device.ordinal == ordinal) return &device;
  }
  return nullptr;
}

Status Copy(void* to, const void* from, uint64_t bytes, Stream stream) {
  return Call<&RuntimeFunctions::copy>(to, from, bytes, stream);
}

Status Fill(void* to, uint8_t value, uint64_t bytes, Stream stream) {
  return Call<&RuntimeFunctions::fill>(to, value, bytes, stream);
}

Status FillPattern(void* to, const Pattern& pattern, uint64_t bytes, Stream stream) {
  return Call<&RuntimeFunctions::fill_pattern>(to, pattern.data(), bytes, stream);
}

Status PutTime(uint64_t* to, Stream stream) {
  return Call<&RuntimeFunctions::put_time>(to, stream);
}

Status Synchronize(Stream stream) { return Call<&RuntimeFunctions::synchronize>(stream); }

Status LaunchStatus() { return Call<&RuntimeFunctions::launch_status>(); }

void DestroyStream::operator()(Stream stream) const { Functions()->destroy_stream(stream); }

Result<OwnedStream> CreateStream() {
  Result<Stream> stream = Make<&RuntimeFunctions::create_stream, Stream>();
  if (!stream.ok()) return stream.error();
  return OwnedStream(stream.value());
}

void DestroyGraph::operator()(CUgraphExec_st* graph) const { Functions()->destroy_graph(graph); }

bool IsCapturing(Stream stream) {
  return Functions() == nullptr || Functions()->is_capturing(stream);
}

Result<Graph> Capture(Stream stream, const std::function<Status()>& record) {
  Status status = Call<&RuntimeFunctions::begin_capture>(stream);
  if (!status.ok()) return status.error();
  const Status recorded = record();
  CUgraphExec_st* graph = nullptr;
  status = Call<&RuntimeFunctions::end_capture>(stream, recorded.ok() ? &graph : nullptr);
  if (!recorded.ok()) status = recorded;
  if (!status.ok()) return status.error();
  return Graph(graph);
}

Status Replay(CUgraphExec_st* graph, Stream stream) {
  return Call<&RuntimeFunctions::replay>(graph, stream);
}

void DestroyEvent::operator()(CUevent_st* event) const { Functions()->destroy_event(event); }

Result<Event> CreateEvent(EventKind kind) {
  Result<CUevent_st*> event =
      Make<&RuntimeFunctions::create_event, CUevent_st*>(kind == EventKind::kTimed);
  if (!event.ok()) return event.error();
  return Event(event.value());
}

Status Record(CUevent_st* event, Stream stream) {
  return Call<&RuntimeFunctions::record>(event, stream);
}

Status Wait(CUevent_st* event) { return Call<&RuntimeFunctions::wait>(event); }

Result<float> MillisecondsBetween(CUevent_st* first, CUevent_st* second) {
  return Make<&RuntimeFunctions::milliseconds_between, float>(first, second);
}

}  // namespace anydml::cuda
