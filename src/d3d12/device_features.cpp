// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CheckFeatureSupport: what programs ask before they start.
#include <algorithm>
#include <cstring>
#include <span>
#include <type_traits>

#include "base/raw_value.h"
#include "d3d12/device.h"

namespace anydml::d3d12 {
namespace {

// D3D_FEATURE_LEVEL_1_0_GENERIC is newer than the header.
constexpr UINT kLowestLevel = 0x100;
constexpr UINT kHighestLevel = D3D_FEATURE_LEVEL_12_2;
constexpr UINT kAddressBits = 47;  // of user space on x86-64

// Calls kFill on a copy of the program's struct, which must have the right size.
template <typename T, HRESULT (*kFill)(T&)>
HRESULT Answer(void* data, UINT size) {
  if (size != sizeof(T)) return E_INVALIDARG;
  T answer;
  std::memcpy(&answer, data, sizeof answer);
  const HRESULT result = kFill(answer);
  std::memcpy(data, &answer, sizeof answer);
  return result;
}

// Nothing of what the struct asks is supported.
template <typename T>
HRESULT None(T& answer) {
  answer = {};
  return S_OK;
}

HRESULT Options(D3D12_FEATURE_DATA_D3D12_OPTIONS& options) {
  options = {};
  options.DoublePrecisionFloatShaderOps = TRUE;
  options.MinPrecisionSupport = D3D12_SHADER_MIN_PRECISION_SUPPORT_16_BIT;
  options.TiledResourcesTier = D3D12_TILED_RESOURCES_TIER_NOT_SUPPORTED;
  options.ResourceBindingTier = D3D12_RESOURCE_BINDING_TIER_3;
  options.MaxGPUVirtualAddressBitsPerResource = kAddressBits;
  options.ResourceHeapTier = D3D12_RESOURCE_HEAP_TIER_2;
  return S_OK;
}

// 1_0_CORE is all that a device without graphics has. A program that asks for
// graphics only hears the highest that it knows, as D3D12CreateDevice takes it.
HRESULT FeatureLevels(D3D12_FEATURE_DATA_FEATURE_LEVELS& levels) {
  if (levels.NumFeatureLevels == 0 || levels.pFeatureLevelsRequested == nullptr) {
    return E_INVALIDARG;
  }
  UINT compute = 0;
  UINT graphics = 0;
  for (const D3D_FEATURE_LEVEL& level :
       std::span(levels.pFeatureLevelsRequested, levels.NumFeatureLevels)) {
    const UINT value = RawValue(level);
    if (value < kLowestLevel || value > kHighestLevel) continue;
    UINT& best = value <= D3D_FEATURE_LEVEL_1_0_CORE ? compute : graphics;
    best = std::max(best, value);
  }
  const UINT best = compute != 0 ? compute : graphics;
  if (best == 0) return E_INVALIDARG;
  levels.MaxSupportedFeatureLevel = static_cast<D3D_FEATURE_LEVEL>(best);
  return S_OK;
}

// A CUDA device has memory of its own. The first members of both structs are the
// same.
void SetDiscrete(uint32_t feature, void* data) {
  if (feature != D3D12_FEATURE_ARCHITECTURE && feature != D3D12_FEATURE_ARCHITECTURE1) return;
  auto* architecture = static_cast<D3D12_FEATURE_DATA_ARCHITECTURE*>(data);
  architecture->UMA = FALSE;
  architecture->CacheCoherentUMA = FALSE;
}

// The CPU's memory is the device's memory.
template <typename T>
HRESULT Architecture(T& architecture) {
  if (architecture.NodeIndex != 0) return E_INVALIDARG;
  architecture.TileBasedRenderer = FALSE;
  architecture.UMA = TRUE;
  architecture.CacheCoherentUMA = TRUE;
  if constexpr (std::is_same_v<T, D3D12_FEATURE_DATA_ARCHITECTURE1>) {
    architecture.IsolatedMMU = FALSE;
  }
  return S_OK;
}

HRESULT QueuePriority(D3D12_FEATURE_DATA_COMMAND_QUEUE_PRIORITY& priority) {
  priority.PriorityForTypeIsSupported =
      priority.Priority <= D3D12_COMMAND_QUEUE_PRIORITY_HIGH ? TRUE : FALSE;
  return S_OK;
}

HRESULT Options1(D3D12_FEATURE_DATA_D3D12_OPTIONS1& options) {
  options = {};
  options.Int64ShaderOps = TRUE;
  return S_OK;
}

HRESULT Options3(D3D12_FEATURE_DATA_D3D12_OPTIONS3& options) {
  options = {};
  options.CopyQueueTimestampQueriesSupported = TRUE;
  return S_OK;
}

// Programs ask for native 16-bit operations before they use FLOAT16 tensors.
HRESULT Options4(D3D12_FEATURE_DATA_D3D12_OPTIONS4& options) {
  options = {};
  options.Native16BitShaderOpsSupported = TRUE;
  return S_OK;
}

// The struct comes with the highest model or version that the program knows, which may be
// newer than any of the header.
template <typename Enum>
void Limit(Enum& highest, Enum ours) {
  if (RawValue(highest) > static_cast<uint32_t>(ours)) highest = ours;
}

HRESULT ShaderModel(D3D12_FEATURE_DATA_SHADER_MODEL& model) {
  Limit(model.HighestShaderModel, D3D_SHADER_MODEL_6_2);
  return S_OK;
}

HRESULT RootSignature(D3D12_FEATURE_DATA_ROOT_SIGNATURE& version) {
  Limit(version.HighestVersion, D3D_ROOT_SIGNATURE_VERSION_1_1);
  return S_OK;
}

HRESULT Addresses(D3D12_FEATURE_DATA_GPU_VIRTUAL_ADDRESS_SUPPORT& addresses) {
  addresses = {kAddressBits, kAddressBits};
  return S_OK;
}

HRESULT ExistingHeaps(D3D12_FEATURE_DATA_EXISTING_HEAPS& heaps) {
  heaps.Supported = TRUE;
  return S_OK;
}

struct Feature {
  D3D12_FEATURE feature;
  HRESULT (*answer)(void* data, UINT size);
};

template <typename T>
constexpr auto kNone = Answer<T, None<T>>;

constexpr Feature kFeatures[] = {
    {D3D12_FEATURE_D3D12_OPTIONS, Answer<D3D12_FEATURE_DATA_D3D12_OPTIONS, Options>},
    {D3D12_FEATURE_ARCHITECTURE,
     Answer<D3D12_FEATURE_DATA_ARCHITECTURE, Architecture<D3D12_FEATURE_DATA_ARCHITECTURE>>},
    {D3D12_FEATURE_FEATURE_LEVELS, Answer<D3D12_FEATURE_DATA_FEATURE_LEVELS, FeatureLevels>},
    {D3D12_FEATURE_GPU_VIRTUAL_ADDRESS_SUPPORT,
     Answer<D3D12_FEATURE_DATA_GPU_VIRTUAL_ADDRESS_SUPPORT, Addresses>},
    {D3D12_FEATURE_SHADER_MODEL, Answer<D3D12_FEATURE_DATA_SHADER_MODEL, ShaderModel>},
    {D3D12_FEATURE_D3D12_OPTIONS1, Answer<D3D12_FEATURE_DATA_D3D12_OPTIONS1, Options1>},
    {D3D12_FEATURE_PROTECTED_RESOURCE_SESSION_SUPPORT,
     kNone<D3D12_FEATURE_DATA_PROTECTED_RESOURCE_SESSION_SUPPORT>},
    {D3D12_FEATURE_ROOT_SIGNATURE, Answer<D3D12_FEATURE_DATA_ROOT_SIGNATURE, RootSignature>},
    {D3D12_FEATURE_ARCHITECTURE1,
     Answer<D3D12_FEATURE_DATA_ARCHITECTURE1, Architecture<D3D12_FEATURE_DATA_ARCHITECTURE1>>},
    {D3D12_FEATURE_D3D12_OPTIONS2, kNone<D3D12_FEATURE_DATA_D3D12_OPTIONS2>},
    {D3D12_FEATURE_SHADER_CACHE, kNone<D3D12_FEATURE_DATA_SHADER_CACHE>},
    {D3D12_FEATURE_COMMAND_QUEUE_PRIORITY,
     Answer<D3D12_FEATURE_DATA_COMMAND_QUEUE_PRIORITY, QueuePriority>},
    {D3D12_FEATURE_D3D12_OPTIONS3, Answer<D3D12_FEATURE_DATA_D3D12_OPTIONS3, Options3>},
    {D3D12_FEATURE_EXISTING_HEAPS, Answer<D3D12_FEATURE_DATA_EXISTING_HEAPS, ExistingHeaps>},
    {D3D12_FEATURE_D3D12_OPTIONS4, Answer<D3D12_FEATURE_DATA_D3D12_OPTIONS4, Options4>},
    {D3D12_FEATURE_SERIALIZATION, kNone<D3D12_FEATURE_DATA_SERIALIZATION>},
    {D3D12_FEATURE_CROSS_NODE, kNone<D3D12_FEATURE_DATA_CROSS_NODE>},
    {D3D12_FEATURE_D3D12_OPTIONS5, kNone<D3D12_FEATURE_DATA_D3D12_OPTIONS5>},
    {D3D12_FEATURE_DISPLAYABLE, kNone<D3D12_FEATURE_DATA_DISPLAYABLE>},
    {D3D12_FEATURE_D3D12_OPTIONS6, kNone<D3D12_FEATURE_DATA_D3D12_OPTIONS6>},
    {D3D12_FEATURE_D3D12_OPTIONS7, kNone<D3D12_FEATURE_DATA_D3D12_OPTIONS7>},
    {D3D12_FEATURE_D3D12_OPTIONS8, kNone<D3D12_FEATURE_DATA_D3D12_OPTIONS8>},
    {D3D12_FEATURE_D3D12_OPTIONS9, kNone<D3D12_FEATURE_DATA_D3D12_OPTIONS9>},
    {D3D12_FEATURE_D3D12_OPTIONS10, kNone<D3D12_FEATURE_DATA_D3D12_OPTIONS10>},
    {D3D12_FEATURE_D3D12_OPTIONS11, kNone<D3D12_FEATURE_DATA_D3D12_OPTIONS11>},
    {D3D12_FEATURE_D3D12_OPTIONS12, kNone<D3D12_FEATURE_DATA_D3D12_OPTIONS12>},
    {D3D12_FEATURE_D3D12_OPTIONS13, kNone<D3D12_FEATURE_DATA_D3D12_OPTIONS13>},
    {D3D12_FEATURE_D3D12_OPTIONS14, kNone<D3D12_FEATURE_DATA_D3D12_OPTIONS14>},
    {D3D12_FEATURE_D3D12_OPTIONS15, kNone<D3D12_FEATURE_DATA_D3D12_OPTIONS15>},
};

}  // namespace

HRESULT Device::CheckFeatureSupport(D3D12_FEATURE feature, void* data, UINT size) {
  return CallAlive("CheckFeatureSupport", [&]() -> HRESULT {
    if (data == nullptr) {
      return Fail(E_INVALIDARG, "CheckFeatureSupport: pFeatureSupportData must not be null");
    }
    // As a number: a program built with newer headers may ask for a feature that
    // the enumeration cannot hold.
    uint32_t number = 0;
    std::memcpy(&number, &feature, sizeof number);
    const Feature* known = std::find_if(
        std::begin(kFeatures), std::end(kFeatures),
        [number](const Feature& entry) { return static_cast<uint32_t>(entry.feature) == number; });
    const HRESULT result = known == std::end(kFeatures) ? E_INVALIDARG : known->answer(data, size);
    if (FAILED(result)) {
      return Fail(result,
                  fmt::format("CheckFeatureSupport: feature {} is unknown here, or refuses its "
                              "struct of {} bytes",
                              number, size));
    }
    if (adapter_->cuda) SetDiscrete(number, data);
    return result;
  });
}

HRESULT Device::EnumerateMetaCommands(UINT* count, D3D12_META_COMMAND_DESC*) {
  if (count == nullptr) {
    return Complain(E_INVALIDARG, "EnumerateMetaCommands", "pNumMetaCommands must not be null");
  }
  *count = 0;
  return S_OK;
}

}  // namespace anydml::d3d12
