// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// DXCoreCreateAdapterFactory, IDXCoreAdapterFactory and IDXCoreAdapterList.
#include <algorithm>
#include <mutex>
#include <set>
#include <vector>

#include "d3d12/dxcore_adapter.h"

namespace anydml::d3d12 {
namespace {

class DxcoreAdapterList final : public ComObject<Serves<IDXCoreAdapterList, IDXCoreAdapterList>> {
 public:
  explicit DxcoreAdapterList(std::vector<ComPtr<DxcoreAdapter>> adapters)
      : adapters_(std::move(adapters)) {}

  HRESULT STDMETHODCALLTYPE GetAdapter(uint32_t index, REFIID riid, void** adapter) override {
    constexpr std::string_view kMethod = "GetAdapter";
    if (adapter == nullptr) return Complain(E_POINTER, kMethod, kNullResult);
    *adapter = nullptr;
    if (index < adapters_.size()) return adapters_[index]->Provide(kMethod, riid, adapter);
    return Complain(E_INVALIDARG, kMethod, "index must be less than GetAdapterCount");
  }
  uint32_t STDMETHODCALLTYPE GetAdapterCount() override {
    return static_cast<uint32_t>(adapters_.size());
  }
  bool STDMETHODCALLTYPE IsStale() override { return false; }
  HRESULT STDMETHODCALLTYPE GetFactory(REFIID riid, void** factory) override {
    return DXCoreCreateAdapterFactory(riid, factory);
  }
  HRESULT STDMETHODCALLTYPE Sort(uint32_t count,
                                 const DXCoreAdapterPreference* preferences) override;
  bool STDMETHODCALLTYPE IsAdapterPreferenceSupported(DXCoreAdapterPreference preference) override {
    return preference <= DXCoreAdapterPreference::HighPerformance;
  }

 private:
  ~DxcoreAdapterList() override = default;

  std::vector<ComPtr<DxcoreAdapter>> adapters_;
};

// The smaller, the better.
int Rank(const AdapterInfo& adapter, DXCoreAdapterPreference preference) {
  switch (preference) {
    case DXCoreAdapterPreference::Hardware:
      return adapter.is_hardware ? 0 : 1;
    case DXCoreAdapterPreference::MinimumPower:
      return adapter.performance_rank;
    case DXCoreAdapterPreference::HighPerformance:
      return -adapter.performance_rank;
  }
  return 0;
}

HRESULT DxcoreAdapterList::Sort(uint32_t count, const DXCoreAdapterPreference* preferences) {
  constexpr std::string_view kMethod = "Sort";
  if (count == 0) return Complain(E_INVALIDARG, kMethod, "numPreferences must not be 0");
  if (preferences == nullptr) return Complain(E_POINTER, kMethod, "preferences must not be null");
  for (uint32_t i = 0; i < count; ++i) {
    if (IsAdapterPreferenceSupported(preferences[i])) continue;
    return Complain(DXGI_ERROR_UNSUPPORTED, kMethod, "a preference is no known one");
  }
  return Call(kMethod, [&] {
    // The last preference first: a stable sort keeps it as the tie-breaker.
    for (uint32_t i = count; i-- > 0;) {
      std::stable_sort(adapters_.begin(), adapters_.end(), [&](const auto& a, const auto& b) {
        return Rank(*a->info(), preferences[i]) < Rank(*b->info(), preferences[i]);
      });
    }
    return S_OK;
  });
}

// A singleton: everybody shares one factory and its adapters.
class DxcoreFactory final : public ComObject<Serves<IDXCoreAdapterFactory, IDXCoreAdapterFactory>> {
 public:
  DxcoreFactory() {
    for (const auto& info : EnumerateAdapters()) {
      ComPtr<DxcoreAdapter> adapter;
      adapter.Attach(new DxcoreAdapter(info));
      adapters_.push_back(std::move(adapter));
    }
  }

  HRESULT STDMETHODCALLTYPE CreateAdapterList(uint32_t count, const GUID* attributes, REFIID riid,
                                              void** list) override;
  HRESULT STDMETHODCALLTYPE GetAdapterByLuid(const LUID& luid, REFIID riid,
                                             void** adapter) override;
  // The adapters of a CPU never change: every notification can be asked for, and
  // none comes.
  bool STDMETHODCALLTYPE IsNotificationTypeSupported(DXCoreNotificationType type) override {
    return type <= DXCoreNotificationType::AdapterBudgetChange;
  }
  HRESULT STDMETHODCALLTYPE RegisterEventNotification(IUnknown* object, DXCoreNotificationType type,
                                                      PFN_DXCORE_NOTIFICATION_CALLBACK callback,
                                                      void*, uint32_t* cookie) override;
  HRESULT STDMETHODCALLTYPE UnregisterEventNotification(uint32_t cookie) override;

 private:
  std::vector<ComPtr<DxcoreAdapter>> adapters_;
  std::mutex mutex_;
  uint32_t last_cookie_ = 0;
  std::set<uint32_t> cookies_;
};

HRESULT DxcoreFactory::CreateAdapterList(uint32_t count, const GUID* attributes, REFIID riid,
                                         void** list) {
  constexpr std::string_view kMethod = "CreateAdapterList";
  if (list == nullptr) return Complain(E_POINTER, kMethod, kNullResult);
  *list = nullptr;
  if (count == 0) return Complain(E_INVALIDARG, kMethod, "numAttributes must not be 0");
  if (attributes == nullptr) {
    return Complain(E_POINTER, kMethod, "filterAttributes must not be null");
  }
  return Call(kMethod, [&] {
    std::vector<ComPtr<DxcoreAdapter>> matching;
    for (const ComPtr<DxcoreAdapter>& adapter : adapters_) {
      const bool matches = std::all_of(attributes, attributes + count, [&](const GUID& attribute) {
        return adapter->IsAttributeSupported(attribute);
      });
      if (matches) matching.push_back(adapter);
    }
    const HRESULT created = CreateObject<DxcoreAdapterList>(riid, list, std::move(matching));
    return FAILED(created) ? Complain(created, kMethod, kNoInterface) : created;
  });
}

HRESULT DxcoreFactory::GetAdapterByLuid(const LUID& luid, REFIID riid, void** adapter) {
  constexpr std::string_view kMethod = "GetAdapterByLuid";
  if (adapter == nullptr) return Complain(E_POINTER, kMethod, kNullResult);
  *adapter = nullptr;
  for (const ComPtr<DxcoreAdapter>& candidate : adapters_) {
    const LUID& known = candidate->info()->luid;
    if (known.LowPart == luid.LowPart && known.HighPart == luid.HighPart) {
      return candidate->Provide(kMethod, riid, adapter);
    }
  }
  return Complain(E_INVALIDARG, kMethod, "no adapter has this identifier");
}

HRESULT DxcoreFactory::RegisterEventNotification(IUnknown* object, DXCoreNotificationType type,
                                                 PFN_DXCORE_NOTIFICATION_CALLBACK callback, void*,
                                                 uint32_t* cookie) {
  constexpr std::string_view kMethod = "RegisterEventNotification";
  if (object == nullptr || callback == nullptr || cookie == nullptr) {
    return Complain(E_POINTER, kMethod, "the object, the callback and the cookie must be given");
  }
  if (!IsNotificationTypeSupported(type)) {
    return Complain(DXGI_ERROR_UNSUPPORTED, kMethod, "the notification is no known one");
  }
  return Call(kMethod, [&] {
    const std::lock_guard lock(mutex_);
    cookies_.insert(last_cookie_ + 1);
    *cookie = ++last_cookie_;
    return S_OK;
  });
}

HRESULT DxcoreFactory::UnregisterEventNotification(uint32_t cookie) {
  constexpr std::string_view kMethod = "UnregisterEventNotification";
  return Call(kMethod, [&] {
    const std::lock_guard lock(mutex_);
    if (cookies_.erase(cookie) == 1) return S_OK;
    return Complain(E_INVALIDARG, kMethod, "the cookie is no registered one");
  });
}

}  // namespace
}  // namespace anydml::d3d12

HRESULT DXCoreCreateAdapterFactory(REFIID riid, void** factory) {
  using namespace anydml::d3d12;  // NOLINT: this function is its public face
  constexpr std::string_view kFunction = "DXCoreCreateAdapterFactory";
  if (factory == nullptr) return SetError(E_POINTER, kFunction, kNullResult);
  *factory = nullptr;
  return Guard(kFunction, [&] {
    // The first reference is the library's own.
    static DxcoreFactory* const shared = new DxcoreFactory;
    return shared->Provide(kFunction, riid, factory);
  });
}
