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

void Device::Report(D3D12_MESSAGE_SEVERITY severity, std::string_view sentence) {
  if (severity <= D3D12_MESSAGE_SEVERITY_ERROR) SetLastError(sentence);
  const bool prints = PrintsToStandardError() && !info_queue_.muted();
  const bool stores = StoresMessages();
  if (!stores && !prints) return;
  Guard([&] {
    const std::string text(sentence);
    if (prints) std::fprintf(stderr, "anydml: %s\n", text.c_str());
    if (!stores) return S_OK;
    return info_queue_.Add({D3D12_MESSAGE_CATEGORY_EXECUTION, severity, D3D12_MESSAGE_ID_UNKNOWN},
                           text.c_str());
  });
}

HRESULT Device::Fail(HRESULT code, const std::string& sentence) {
  Report(D3D12_MESSAGE_SEVERITY_ERROR, sentence);
  return code;
}

HRESULT Device::Fail(const char* method, const Error& error) {
  return Fail(ToHresult(error.code), fmt::format("{}: {}", method, error.message));
}

void Device::Remove(HRESULT reason, std::string_view sentence) {
  HRESULT alive = S_OK;
  if (SUCCEEDED(reason)) reason = DXGI_ERROR_DEVICE_REMOVED;
  if (!removed_reason_.compare_exchange_strong(alive, reason)) return;
  Report(D3D12_MESSAGE_SEVERITY_ERROR, sentence);
  fences_.ForEach([](Fence& fence) { fence.WakeAll(); });
}

void Device::RemoveDevice() {
  Remove(DXGI_ERROR_DEVICE_REMOVED, "RemoveDevice: the program removed the device");
}

void Device::ReportUnsupported(const char* method) {
  Guard([&] {
    return Fail(E_NOTIMPL,
                fmt::format("{}: this device computes on buffers; shaders, textures, tiles and "
                            "sharing are not here",
                            method));
  });
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
  const std::optional<Event> event = Event::From(handle);
  if (!event) return E_HANDLE;
  event->Signal();
  return S_OK;
}

HRESULT Device::ShaderCacheControl(D3D12_SHADER_CACHE_KIND_FLAGS,
                                   D3D12_SHADER_CACHE_CONTROL_FLAGS) {
  return S_OK;
}

HRESULT Device::SetResidencyPriority(UINT count, ID3D12Pageable* const* objects,
                                     const D3D12_RESIDENCY_PRIORITY*) {
  return MakeResident(count, objects);
}

HRESULT Device::MakeResident(UINT count, ID3D12Pageable* const* objects) {
  if (removed()) return DXGI_ERROR_DEVICE_REMOVED;
  return count != 0 && objects == nullptr ? E_INVALIDARG : S_OK;
}

HRESULT Device::Evict(UINT count, ID3D12Pageable* const* objects) {
  return MakeResident(count, objects);
}

HRESULT Device::EnqueueMakeResident(D3D12_RESIDENCY_FLAGS, UINT count,
                                    ID3D12Pageable* const* objects, ID3D12Fence* fence,
                                    UINT64 value) {
  const HRESULT result = MakeResident(count, objects);
  if (FAILED(result)) return result;
  return fence == nullptr ? E_INVALIDARG : fence->Signal(value);
}

}  // namespace anydml::d3d12
