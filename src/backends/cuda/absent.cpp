// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What backends/cuda offers to others, in a build without CUDA. There is no
// device, so nothing that needs one is ever called; it answers all the same.
#include "backends/cuda/runtime.h"

namespace anydml::cuda {
namespace {

Error Absent() { return Unsupported(WhyNoDevices()); }

}  // namespace

std::span<const DeviceInfo> Devices() { return {}; }
std::string WhyNoDevices() { return "this library was built without CUDA"; }

ScopedDevice::ScopedDevice(int) {}
ScopedDevice::~ScopedDevice() = default;

void FreeMemory::operator()(void*) const {}
Result<Memory> Allocate(uint64_t, Place) { return Absent(); }
Result<void*> AllocateOnStream(uint64_t, Stream) { return Absent(); }
Status FreeOnStream(void*, Stream) { return Absent(); }
Result<MemoryUse> QueryMemory() { return Absent(); }
bool IsReachable(const void*, int) { return false; }
const DeviceInfo* OwnerOf(const void*) { return nullptr; }
uint64_t DeviceBytesFrom(const void*, int) { return 0; }
Status Copy(void*, const void*, uint64_t, Stream) { return Absent(); }
Status Fill(void*, uint8_t, uint64_t, Stream) { return Absent(); }
Status FillPattern(void*, const Pattern&, uint64_t, Stream) { return Absent(); }
Status PutTime(uint64_t*, Stream) { return Absent(); }
Status Synchronize(Stream) { return Absent(); }
Status LaunchStatus() { return Absent(); }
void DestroyStream::operator()(Stream) const {}
Result<OwnedStream> CreateStream() { return Absent(); }
void DestroyGraph::operator()(CUgraphExec_st*) const {}
Result<Graph> Capture(Stream, const std::function<Status()>&) { return Absent(); }
Status Replay(CUgraphExec_st*, Stream) { return Absent(); }
void DestroyEvent::operator()(CUevent_st*) const {}
Result<Event> CreateEvent(EventKind) { return Absent(); }
Status Record(CUevent_st*, Stream) { return Absent(); }
Status Wait(CUevent_st*) { return Absent(); }
Result<float> MillisecondsBetween(CUevent_st*, CUevent_st*) { return Absent(); }

}  // namespace anydml::cuda
