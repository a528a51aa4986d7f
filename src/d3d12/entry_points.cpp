// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// D3D12CreateDevice and D3D12GetDebugInterface; and those that programs link and that
// refuse here.
#include "base/raw_value.h"
#include "d3d12/device.h"

namespace anydml::d3d12 {
namespace {

// D3D_FEATURE_LEVEL_1_0_GENERIC, which is newer than the header, to 12_2. Levels
// speak of graphics; a device that computes accepts them all, because programs
// that only compute ask for 11_0.
bool IsKnownLevel(UINT level) { return level >= 0x100 && level <= D3D_FEATURE_LEVEL_12_2; }

// A null adapter is the default one. So is a foreign one: programs that bring
// their own stand-in for DXGI, which is not here, pass its adapters through.
std::shared_ptr<const AdapterInfo> ChooseAdapter(IUnknown* adapter) {
  std::shared_ptr<const AdapterInfo> ours = AdapterOf(adapter);
  return ours != nullptr ? ours : EnumerateAdapters().front();
}

class Debug final
    : public ComObject<
          Serves<ID3D12Debug6, ID3D12Debug, ID3D12Debug3, ID3D12Debug4, ID3D12Debug5, ID3D12Debug6>,
          Serves<ID3D12Debug1, ID3D12Debug1>, Serves<ID3D12Debug2, ID3D12Debug2>> {
 public:
  void STDMETHODCALLTYPE EnableDebugLayer() override { DebugLayerEnabled() = true; }
  void STDMETHODCALLTYPE DisableDebugLayer() override { DebugLayerEnabled() = false; }

  // There is no GPU to validate, and the rest is always on.
  void STDMETHODCALLTYPE SetEnableGPUBasedValidation(BOOL) override {}
  void STDMETHODCALLTYPE SetEnableSynchronizedCommandQueueValidation(BOOL) override {}
  void STDMETHODCALLTYPE SetGPUBasedValidationFlags(D3D12_GPU_BASED_VALIDATION_FLAGS) override {}
  void STDMETHODCALLTYPE SetEnableAutoName(BOOL) override {}
  void STDMETHODCALLTYPE SetForceLegacyBarrierValidation(BOOL) override {}

 private:
  ~Debug() override = default;
};

template <typename... Outputs>
HRESULT RefuseRootSignature(const char* function, Outputs**... outputs) {
  ((outputs != nullptr ? void(*outputs = nullptr) : void()), ...);
  return SetError(E_NOTIMPL, function, "root signatures belong to shaders, which are not here");
}

}  // namespace
}  // namespace anydml::d3d12

HRESULT D3D12CreateDevice(IUnknown* adapter, D3D_FEATURE_LEVEL minimum_level, REFIID riid,
                          void** device) {
  using namespace anydml::d3d12;  // NOLINT: this function is its public face
  if (device != nullptr) *device = nullptr;
  return Guard("D3D12CreateDevice", [&]() -> HRESULT {
    if (!IsKnownLevel(anydml::RawValue(minimum_level))) {
      return SetError(E_INVALIDARG, "D3D12CreateDevice",
                      fmt::format("MinimumFeatureLevel = {:#x} must be 1_0_GENERIC, 1_0_CORE or "
                                  "up to 12_2",
                                  anydml::RawValue(minimum_level)));
    }
    const ComPtr<Device> opened = OpenDevice(ChooseAdapter(adapter));
    void* found = nullptr;
    const HRESULT supported = opened->Provide("D3D12CreateDevice", riid, &found);
    if (FAILED(supported)) return supported;
    if (device != nullptr) {
      *device = found;
      return S_OK;
    }
    opened->Release();
    return S_FALSE;
  });
}

HRESULT D3D12GetDebugInterface(REFIID riid, void** debug) {
  using namespace anydml::d3d12;  // NOLINT: this function is its public face
  constexpr std::string_view kFunction = "D3D12GetDebugInterface";
  return Guard(kFunction, [&] {
    const HRESULT created = CreateObject<Debug>(riid, debug);
    return FAILED(created) ? SetError(created, kFunction, kNoInterface) : created;
  });
}

HRESULT D3D12SerializeVersionedRootSignature(const D3D12_VERSIONED_ROOT_SIGNATURE_DESC*,
                                             ID3DBlob** blob, ID3DBlob** error_blob) {
  return anydml::d3d12::RefuseRootSignature("D3D12SerializeVersionedRootSignature", blob,
                                            error_blob);
}

// What d3dx12.h calls for version 1.0.
HRESULT D3D12SerializeRootSignature(const D3D12_ROOT_SIGNATURE_DESC*, D3D_ROOT_SIGNATURE_VERSION,
                                    ID3DBlob** blob, ID3DBlob** error_blob) {
  return anydml::d3d12::RefuseRootSignature("D3D12SerializeRootSignature", blob, error_blob);
}

HRESULT D3D12CreateRootSignatureDeserializer(LPCVOID, SIZE_T, REFIID, void** deserializer) {
  return anydml::d3d12::RefuseRootSignature("D3D12CreateRootSignatureDeserializer", deserializer);
}

HRESULT D3D12CreateVersionedRootSignatureDeserializer(LPCVOID, SIZE_T, REFIID,
                                                      void** deserializer) {
  return anydml::d3d12::RefuseRootSignature("D3D12CreateVersionedRootSignatureDeserializer",
                                            deserializer);
}

HRESULT D3D12GetInterface(REFCLSID, REFIID, void** object) {
  if (object != nullptr) *object = nullptr;
  return anydml::d3d12::SetError(E_NOINTERFACE, "D3D12GetInterface",
                                 "rclsid is not a class of this library; there are "
                                 "D3D12CreateDevice and D3D12GetDebugInterface");
}

HRESULT D3D12EnableExperimentalFeatures(UINT, const IID*, void*, UINT*) {
  return anydml::d3d12::SetError(E_NOINTERFACE, "D3D12EnableExperimentalFeatures",
                                 "there are no experimental features here");
}
