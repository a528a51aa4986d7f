// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "d3d12/device.h"

#include <cstdio>
#include <cstdlib>
#include <map>

#include "d3d12/descriptor_heap.h"
#include "d3d12/fence.h"

namespace anydml::d3d12 {
namespace {

// The living device of each adapter. Guarded by its mutex; a device leaves it in
// its destructor.
struct LivingDevices {
  std::mutex mutex;
  std::map<const AdapterInfo*, Device*> of_adapter;
};

LivingDevices& Living() {
  // Never destroyed: a program may release its device after our statics are gone.
  static LivingDevices* const devices = new LivingDevices;
  return *devices;
}

bool PrintsToStandardError() {
  static const bool prints = [] {
    const char* value = std::getenv("ANYDML_DEBUG");
    return value != nullptr && std::string_view(value) == "1";
  }();
  return prints;
}

}  // namespace

ID3D12Device* InterfaceOf(Device& device) { return &device; }

HRESULT ProvideDevice(Device& device, std::string_view method, REFIID riid, void** result) {
  return device.Provide(method, riid, result);
}

HRESULT CheckAlive(Device& device, std::string_view method) noexcept {
  return device.removed() ? device.FailRemoved(method) : S_OK;
}

void ReportComplaint(Device& device, HRESULT code, std::string_view sentence) noexcept {
  device.ReportComplaint(code, sentence);
}

std::atomic<bool>& DebugLayerEnabled() {
  static std::atomic<bool> enabled{false};
  return enabled;
}

Device::Device(std::shared_ptr<const AdapterInfo> adapter)
    : adapter_(std::move(adapter)), info_queue_(*static_cast<ID3D12Device*>(this)) {}

Device::~Device() {
  LivingDevices& living = Living();
  const std::lock_guard lock(living.mutex);
  const auto found = living.of_adapter.find(adapter_.get());
  if (found != living.of_adapter.end() && found->second == this) living.of_adapter.erase(found);
}

ComPtr<Device> OpenDevice(const std::shared_ptr<const AdapterInfo>& adapter) {
  LivingDevices& living = Living();
  const std::lock_guard lock(living.mutex);
  Device*& known = living.of_adapter[adapter.get()];
  ComPtr<Device> device;
  if (known != nullptr && !known->removed() && known->TryAddRef()) {
    device.Attach(known);
  } else {
    device.Attach(new Device(adapter));
    known = device.Get();
  }
  return device;
}

bool Device::StoresMessages() const { return messages_enabled_ || DebugLayerEnabled(); }

void* Device::FindOther(REFIID riid) {
  const bool asks_info_queue =
      riid == __uuidof(ID3D12InfoQueue) || riid == __uuidof(ID3D12InfoQueue1);
  if (!asks_info_queue || !StoresMessages()) return nullptr;
  return static_cast<ID3D12InfoQueue1*>(&info_queue_);
}

void Device::Report(D3D12_MESSAGE_SEVERITY severity, std::string_view sentence) noexcept {
  if (severity <= D3D12_MESSAGE_SEVERITY_ERROR) SetLastError(sentence);
  if (cpu::IsLostInFork()) return;
  Print(sentence);
  if (!StoresMessages()) return;
  // The caller hears of its own failure, not of one to store the message of it, nor of
  // what a callback did.
  const LastErrorText told = last_error_of_thread;
  Guard("Report", [&] {
    const std::string text(sentence);
    return info_queue_.Add({D3D12_MESSAGE_CATEGORY_EXECUTION, severity, D3D12_MESSAGE_ID_UNKNOWN},
                           text.c_str());
  });
  last_error_of_thread = told;
}

void Device::Print(std::string_view sentence) noexcept {
  if (cpu::IsLostInFork() || !PrintsToStandardError() || info_queue_.muted()) return;
  std::fprintf(stderr, "anydml: %.*s\n", static_cast<int>(sentence.size()), sentence.data());
}

HRESULT Device::Fail(HRESULT code, const std::string& sentence) {
  Report(D3D12_MESSAGE_SEVERITY_ERROR, sentence);
  return code;
}

HRESULT Device::Fail(const char* method, const Error& error) {
  return Fail(ToHresult(error.code), fmt::format("{}: {}", method, error.message));
}

HRESULT Device::FailRemoved(std::string_view method) noexcept {
  Call(method, [&] {
    return Complain(DXGI_ERROR_DEVICE_REMOVED, method,
                    "the device was removed: " + RemovalSentence());
  });
  return DXGI_ERROR_DEVICE_REMOVED;
}

void Device::ReportComplaint(HRESULT code, std::string_view sentence) noexcept {
  const bool is_answer = code == E_NOINTERFACE || code == DXGI_ERROR_NOT_FOUND;
  Report(is_answer ? D3D12_MESSAGE_SEVERITY_INFO : D3D12_MESSAGE_SEVERITY_ERROR, sentence);
}

std::string Device::RemovalSentence() {
  const std::lock_guard lock(removal_mutex_);
  return removed_because_;
}

// What went wrong on a queue's thread is told to whoever asks for the reason.
HRESULT Device::GetDeviceRemovedReason() {
  if (cpu::IsLostInFork()) return SetLostInFork("GetDeviceRemovedReason");
  const HRESULT reason = removed_reason_;
  if (FAILED(reason)) {
    Guard("GetDeviceRemovedReason", [&] { return SetLastError(RemovalSentence()), S_OK; });
  }
  return reason;
}

void Device::Remove(HRESULT reason, std::string_view sentence) {
  if (cpu::IsLostInFork()) return;
  const cpu::InsideLibrary inside;
  const ComPtr<ID3D12Device> self(this);  // a callback may let go of it
  HRESULT alive = S_OK;
  if (SUCCEEDED(reason)) reason = DXGI_ERROR_DEVICE_REMOVED;
  {
    const std::lock_guard lock(removal_mutex_);
    if (!removed_reason_.compare_exchange_strong(alive, reason)) return;
    try {
      removed_because_ = sentence;
    } catch (const std::bad_alloc&) {
      removed_because_ = "out of memory";  // short enough to need none
    }
  }
  Report(D3D12_MESSAGE_SEVERITY_ERROR, sentence);
  fences_.ForEach([](Fence& fence) { fence.WakeAll(); });
}

void Device::RemoveDevice() {
  Remove(DXGI_ERROR_DEVICE_REMOVED, "RemoveDevice: the program removed the device");
}

void Device::ReportUnsupported(const char* method) {
  Complain(E_NOTIMPL, method,
           "this device computes on buffers; shaders, textures, tiles and sharing are not here");
}

Descriptor* Device::FindDescriptor(SIZE_T handle) {
  Descriptor* found = nullptr;
  descriptor_heaps_.ForEach([&](DescriptorHeap& heap) {
    if (Descriptor* descriptor = heap.Find(handle)) found = descriptor;
  });
  return found;
}

HRESULT Device::SetStablePowerState(BOOL) { return S_OK; }

HRESULT Device::SetBackgroundProcessingMode(D3D12_BACKGROUND_PROCESSING_MODE,
                                            D3D12_MEASUREMENTS_ACTION, HANDLE handle,
                                            BOOL* further_measurements) {
  if (further_measurements != nullptr) *further_measurements = FALSE;
  if (handle == nullptr) return S_OK;
  constexpr std::string_view kMethod = "SetBackgroundProcessingMode";
  return Call(kMethod, [&] {
    const Result<Event> event = Event::From(handle);
    if (!event.ok()) return Complain(CodeOfEvent(event.error()), kMethod, event.error().message);
    event.value().Signal();
    return S_OK;
  });
}

HRESULT Device::ShaderCacheControl(D3D12_SHADER_CACHE_KIND_FLAGS,
                                   D3D12_SHADER_CACHE_CONTROL_FLAGS) {
  return S_OK;
}

// Memory of the host is always resident: only the arguments are checked.
HRESULT Device::CheckPageables(const char* method, UINT count,
                               ID3D12Pageable* const* objects) noexcept {
  return CallAlive(method, [&]() -> HRESULT {
    if (count != 0 && objects == nullptr) {
      return Fail(method,
                  InvalidArgument(fmt::format("the array of {} objects must not be null", count)));
    }
    for (UINT i = 0; i < count; ++i) {
      if (objects[i] != nullptr) continue;
      return Fail(method, InvalidArgument(fmt::format("object {} must not be null", i)));
    }
    return S_OK;
  });
}

HRESULT Device::SetResidencyPriority(UINT count, ID3D12Pageable* const* objects,
                                     const D3D12_RESIDENCY_PRIORITY*) {
  return CheckPageables("SetResidencyPriority", count, objects);
}

HRESULT Device::MakeResident(UINT count, ID3D12Pageable* const* objects) {
  return CheckPageables("MakeResident", count, objects);
}

HRESULT Device::Evict(UINT count, ID3D12Pageable* const* objects) {
  return CheckPageables("Evict", count, objects);
}

HRESULT Device::EnqueueMakeResident(D3D12_RESIDENCY_FLAGS, UINT count,
                                    ID3D12Pageable* const* objects, ID3D12Fence* fence,
                                    UINT64 value) {
  constexpr const char* kMethod = "EnqueueMakeResident";
  const HRESULT result = CheckPageables(kMethod, count, objects);
  if (FAILED(result)) return result;
  return CallAlive(kMethod, [&]() -> HRESULT {
    const ComPtr<Fence> ours = As<Fence>(fence);
    if (ours != nullptr) return ours->Signal(value);
    return Fail(kMethod, InvalidArgument("pFenceToSignal must be a fence of this library"));
  });
}

}  // namespace anydml::d3d12
