// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The exported functions of directml.h.
#include <algorithm>

#include "base/raw_value.h"
#include "directml/device.h"
#include "operators/pixel_offsets.h"

namespace anydml::directml {
namespace {

Status CheckMinimumLevel(uint32_t value) {
  if (value > static_cast<uint32_t>(kNewestFeatureLevel)) {
    return Unsupported(fmt::format("minimumFeatureLevel = {:#x} is above the newest, {}", value,
                                   FeatureLevelName(kNewestFeatureLevel)));
  }
  const bool exists = std::ranges::any_of(
      kFeatureLevels, [&](FeatureLevel level) { return static_cast<uint32_t>(level) == value; });
  if (exists) return {};
  return InvalidArgument(
      fmt::format("minimumFeatureLevel = {:#x} must be a DML_FEATURE_LEVEL", value));
}

// The numbers of two enumerations, which may be no enumerators.
Result<HRESULT> CreateDevice(ID3D12Device* parent, uint32_t flags, uint32_t minimum, REFIID riid,
                             void** result) {
  if (parent == nullptr) return InvalidArgument("the ID3D12Device must not be null");
  if ((flags & ~uint32_t{DML_CREATE_DEVICE_FLAG_DEBUG}) != 0) {
    return InvalidArgument(fmt::format("flags = {:#x} must be DML_CREATE_DEVICE_FLAGS", flags));
  }
  ComPtr<IAnydmlDevice> messages;
  if (FAILED(parent->QueryInterface(__uuidof(IAnydmlDevice), &messages))) {
    return InvalidArgument("the ID3D12Device must be one of this library");
  }
  if (parent->GetDeviceRemovedReason() != S_OK) return DXGI_ERROR_DEVICE_REMOVED;
  Status status = CheckMinimumLevel(minimum);
  if (!status.ok()) return status.error();
  DeviceOptions options;
  Result<bool> exchange = ExchangePixelOffsetsFromEnvironment();
  if (!exchange.ok()) return exchange.error();
  options.exchange_pixel_offsets = exchange.value();
  options.threads = messages->Executor().threads();
  const bool debug = (flags & DML_CREATE_DEVICE_FLAG_DEBUG) != 0;
  if (debug) messages->EnableMessages();
  return Create<Device>(riid, result, ComPtr<ID3D12Device>(parent), std::move(messages), options,
                        debug);
}

// The last error, and the debug output of a parent that is ours.
HRESULT Explain(ID3D12Device* parent, HRESULT code, std::string_view function,
                std::string_view reason) {
  d3d12::SetError(code, function, reason);
  ComPtr<IAnydmlDevice> messages;
  const std::string sentence(LastErrorOfThread());  // a foreign QueryInterface may change it
  if (parent != nullptr && SUCCEEDED(parent->QueryInterface(__uuidof(IAnydmlDevice), &messages))) {
    messages->Report(D3D12_MESSAGE_SEVERITY_ERROR, sentence);
  }
  SetLastError(sentence);
  return code;
}

HRESULT CreateOrExplain(std::string_view function, ID3D12Device* parent, uint32_t flags,
                        uint32_t minimum, REFIID riid, void** result) {
  if (result != nullptr) *result = nullptr;
  return d3d12::Guard(function, [&]() -> HRESULT {
    Result<HRESULT> created = CreateDevice(parent, flags, minimum, riid, result);
    if (!created.ok()) {
      const HRESULT code = d3d12::ToHresult(created.error().code);
      return Explain(parent, code, function, created.error().message);
    }
    switch (created.value()) {
      case E_NOINTERFACE:
        return Explain(parent, E_NOINTERFACE, function, d3d12::kNoInterface);
      case DXGI_ERROR_DEVICE_REMOVED:
        return Explain(parent, DXGI_ERROR_DEVICE_REMOVED, function, "the ID3D12Device was removed");
      default:
        return created.value();
    }
  });
}

}  // namespace
}  // namespace anydml::directml

using anydml::RawValue;

extern "C" HRESULT DMLCreateDevice1(ID3D12Device* parent, DML_CREATE_DEVICE_FLAGS flags,
                                    DML_FEATURE_LEVEL minimum, REFIID riid, void** result) {
  return anydml::directml::CreateOrExplain("DMLCreateDevice1", parent, RawValue(flags),
                                           RawValue(minimum), riid, result);
}

extern "C" HRESULT DMLCreateDevice(ID3D12Device* parent, DML_CREATE_DEVICE_FLAGS flags, REFIID riid,
                                   void** result) {
  return anydml::directml::CreateOrExplain("DMLCreateDevice", parent, RawValue(flags),
                                           DML_FEATURE_LEVEL_1_0, riid, result);
}
