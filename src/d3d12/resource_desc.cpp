// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "d3d12/resource_desc.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstring>

#include "base/raw_value.h"
#include "d3d12/memory.h"

namespace anydml::d3d12 {
namespace {

constexpr UINT kKnownHeapFlags = 0x1fff;

Status Must(bool holds, const char* field, uint64_t value, const char* rule) {
  if (holds) return {};
  return InvalidArgument(fmt::format("{} = {} must {}", field, value, rule));
}

Status CheckShape(const D3D12_RESOURCE_DESC1& desc) {
  Status status = Must(desc.Width != 0, "Width", desc.Width, "be at least 1");
  if (status.ok()) status = Must(desc.Height == 1, "Height", desc.Height, "be 1 for a buffer");
  if (status.ok()) {
    status = Must(desc.DepthOrArraySize == 1, "DepthOrArraySize", desc.DepthOrArraySize,
                  "be 1 for a buffer");
  }
  if (status.ok()) {
    status = Must(desc.MipLevels == 1, "MipLevels", desc.MipLevels, "be 1 for a buffer");
  }
  if (status.ok()) {
    status = Must(desc.SampleDesc.Count == 1, "SampleDesc.Count", desc.SampleDesc.Count,
                  "be 1 for a buffer");
  }
  if (status.ok()) {
    status = Must(desc.SampleDesc.Quality == 0, "SampleDesc.Quality", desc.SampleDesc.Quality,
                  "be 0 for a buffer");
  }
  return status;
}

}  // namespace

// As bytes: the enumerations are not checked yet.
D3D12_RESOURCE_DESC1 Widen(const D3D12_RESOURCE_DESC& desc) {
  static_assert(offsetof(D3D12_RESOURCE_DESC1, Flags) == offsetof(D3D12_RESOURCE_DESC, Flags));
  D3D12_RESOURCE_DESC1 wide = {};
  std::memcpy(&wide, &desc, offsetof(D3D12_RESOURCE_DESC, Flags) + sizeof desc.Flags);
  return wide;
}

D3D12_RESOURCE_DESC Narrow(const D3D12_RESOURCE_DESC1& desc) {
  return {desc.Dimension, desc.Alignment, desc.Width,      desc.Height, desc.DepthOrArraySize,
          desc.MipLevels, desc.Format,    desc.SampleDesc, desc.Layout, desc.Flags};
}

Status CheckBuffer(const D3D12_RESOURCE_DESC1& desc) {
  if (!Holds(desc.Dimension, D3D12_RESOURCE_DIMENSION_BUFFER)) {
    return Unsupported(
        fmt::format("Dimension = {} is not D3D12_RESOURCE_DIMENSION_BUFFER; this "
                    "device has no textures",
                    RawValue(desc.Dimension)));
  }
  Status status = CheckShape(desc);
  if (status.ok()) {
    status = Must(desc.Alignment == 0 || desc.Alignment == kPlacementAlignment, "Alignment",
                  desc.Alignment, "be 0 or 65536");
  }
  if (status.ok()) {
    status = Must(Holds(desc.Format, DXGI_FORMAT_UNKNOWN), "Format", RawValue(desc.Format),
                  "be DXGI_FORMAT_UNKNOWN for a buffer");
  }
  if (status.ok()) {
    status = Must(Holds(desc.Layout, D3D12_TEXTURE_LAYOUT_ROW_MAJOR), "Layout",
                  RawValue(desc.Layout), "be D3D12_TEXTURE_LAYOUT_ROW_MAJOR for a buffer");
  }
  constexpr UINT kBufferFlags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS |
                                D3D12_RESOURCE_FLAG_DENY_SHADER_RESOURCE |
                                D3D12_RESOURCE_FLAG_ALLOW_CROSS_ADAPTER;
  if (status.ok()) {
    status = Must((RawValue(desc.Flags) & ~kBufferFlags) == 0, "Flags", RawValue(desc.Flags),
                  "have only bits that buffers know");
  }
  return status;
}

// What a CUSTOM heap may say of its pool.
Status CheckPool(const D3D12_HEAP_PROPERTIES& properties, bool unified) {
  const UINT pool = RawValue(properties.MemoryPoolPreference);
  if (unified) {
    return Must(pool == D3D12_MEMORY_POOL_L0, "MemoryPoolPreference", pool,
                "be D3D12_MEMORY_POOL_L0 for a CUSTOM heap: the memory is unified");
  }
  Status status = Must(pool == D3D12_MEMORY_POOL_L0 || pool == D3D12_MEMORY_POOL_L1,
                       "MemoryPoolPreference", pool, "be given for a CUSTOM heap");
  if (!status.ok()) return status;
  return Must(pool == D3D12_MEMORY_POOL_L0 ||
                  Holds(properties.CPUPageProperty, D3D12_CPU_PAGE_PROPERTY_NOT_AVAILABLE),
              "CPUPageProperty", RawValue(properties.CPUPageProperty),
              "be NOT_AVAILABLE in the pool L1, which is the device's own");
}

Status CheckHeapProperties(const D3D12_HEAP_PROPERTIES& properties, bool unified) {
  const UINT type = RawValue(properties.Type);
  const UINT page = RawValue(properties.CPUPageProperty);
  const bool custom = type == D3D12_HEAP_TYPE_CUSTOM;
  Status status = Must(type >= D3D12_HEAP_TYPE_DEFAULT && type <= D3D12_HEAP_TYPE_CUSTOM, "Type",
                       type, "be DEFAULT, UPLOAD, READBACK or CUSTOM");
  if (!status.ok()) return status;
  if (custom) {
    status = Must(
        page >= D3D12_CPU_PAGE_PROPERTY_NOT_AVAILABLE && page <= D3D12_CPU_PAGE_PROPERTY_WRITE_BACK,
        "CPUPageProperty", page, "be given for a CUSTOM heap");
    if (status.ok()) status = CheckPool(properties, unified);
  } else {
    status = Must(page == D3D12_CPU_PAGE_PROPERTY_UNKNOWN, "CPUPageProperty", page,
                  "be UNKNOWN unless the heap is CUSTOM");
    if (status.ok()) {
      status = Must(Holds(properties.MemoryPoolPreference, D3D12_MEMORY_POOL_UNKNOWN),
                    "MemoryPoolPreference", RawValue(properties.MemoryPoolPreference),
                    "be UNKNOWN unless the heap is CUSTOM");
    }
  }
  if (status.ok()) {
    status = Must(properties.CreationNodeMask <= 1, "CreationNodeMask", properties.CreationNodeMask,
                  "be 0 or 1: there is one node");
  }
  if (status.ok()) {
    status = Must(properties.VisibleNodeMask <= 1, "VisibleNodeMask", properties.VisibleNodeMask,
                  "be 0 or 1: there is one node");
  }
  return status;
}

Status CheckHeapFlags(const D3D12_HEAP_FLAGS& flags) {
  const UINT bits = RawValue(flags);
  Status status = Must((bits & ~kKnownHeapFlags) == 0, "HeapFlags", bits, "have only known bits");
  if (!status.ok()) return status;
  if ((bits & D3D12_HEAP_FLAG_DENY_BUFFERS) != 0) {
    return Unsupported("HeapFlags deny buffers, and this device has nothing else");
  }
  if ((bits & (D3D12_HEAP_FLAG_ALLOW_DISPLAY | D3D12_HEAP_FLAG_HARDWARE_PROTECTED)) != 0) {
    return Unsupported("HeapFlags ask for a display or for protected memory, which are not here");
  }
  return {};
}

Status CheckBufferOnHeap(const D3D12_RESOURCE_DESC1& desc, const D3D12_HEAP_PROPERTIES& properties,
                         const D3D12_RESOURCE_STATES& state) {
  const bool upload = properties.Type == D3D12_HEAP_TYPE_UPLOAD;
  const bool readback = properties.Type == D3D12_HEAP_TYPE_READBACK;
  if (!upload && !readback) return {};
  const char* type = upload ? "UPLOAD" : "READBACK";
  if ((desc.Flags & D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS) != 0) {
    return InvalidArgument(
        fmt::format("Flags = {} must not allow unordered access on a heap of type {}",
                    RawValue(desc.Flags), type));
  }
  const D3D12_RESOURCE_STATES wanted =
      upload ? D3D12_RESOURCE_STATE_GENERIC_READ : D3D12_RESOURCE_STATE_COPY_DEST;
  if (Holds(state, wanted) || Holds(state, D3D12_RESOURCE_STATE_COMMON)) return {};
  return InvalidArgument(fmt::format("InitialResourceState = {:#x} must be {} on a heap of type {}",
                                     RawValue(state), upload ? "GENERIC_READ" : "COPY_DEST", type));
}

D3D12_RESOURCE_DESC1 Completed(D3D12_RESOURCE_DESC1 desc) {
  desc.Alignment = kPlacementAlignment;
  return desc;
}

D3D12_HEAP_PROPERTIES Completed(D3D12_HEAP_PROPERTIES properties) {
  properties.CreationNodeMask = 1;
  properties.VisibleNodeMask = 1;
  return properties;
}

bool IsMappable(const D3D12_HEAP_PROPERTIES& properties) {
  if (properties.Type == D3D12_HEAP_TYPE_CUSTOM) {
    return properties.CPUPageProperty != D3D12_CPU_PAGE_PROPERTY_NOT_AVAILABLE;
  }
  return properties.Type != D3D12_HEAP_TYPE_DEFAULT;
}

}  // namespace anydml::d3d12
