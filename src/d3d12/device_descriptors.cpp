// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Descriptor heaps and views of the device.
#include <optional>

#include "base/checked_math.h"
#include "base/raw_value.h"
#include "d3d12/buffer.h"
#include "d3d12/descriptor_heap.h"
#include "d3d12/device.h"
#include "d3d12/view_format.h"

namespace anydml::d3d12 {
namespace {

// The elements of a buffer view: typed, structured (a stride) or raw.
struct Elements {
  DXGI_FORMAT format;
  uint64_t first;
  uint64_t count;
  uint64_t stride;
  bool raw;
};

Result<Descriptor> ViewOf(Descriptor::Kind kind, const Buffer& buffer, const Elements& elements) {
  const uint64_t element_size = elements.raw           ? 4
                                : elements.stride != 0 ? elements.stride
                                                       : ViewFormatOf(elements.format).bytes();
  if (element_size == 0) {
    return InvalidArgument(
        fmt::format("Format = {} is no format of buffer views here", RawValue(elements.format)));
  }
  if (elements.raw && elements.format != DXGI_FORMAT_R32_TYPELESS) {
    return InvalidArgument("a RAW view must have the format R32_TYPELESS");
  }
  if (elements.stride != 0 && (elements.raw || elements.format != DXGI_FORMAT_UNKNOWN)) {
    return InvalidArgument("a structured view must have the format UNKNOWN and not be RAW");
  }
  const std::optional<uint64_t> offset = CheckedMultiply(elements.first, element_size);
  const std::optional<uint64_t> size = CheckedMultiply(elements.count, element_size);
  const std::optional<uint64_t> end = CheckedAdd(offset, size);
  if (!end || *end > buffer.size()) {
    return InvalidArgument(fmt::format(
        "FirstElement = {} and NumElements = {} of {} bytes must lie inside the buffer of {} bytes",
        elements.first, elements.count, element_size, buffer.size()));
  }
  Descriptor view;
  view.kind = kind;
  view.format = elements.format;
  view.address = reinterpret_cast<uint64_t>(buffer.data()) + *offset;
  view.size = *size;
  view.element_size = static_cast<uint32_t>(element_size);
  return view;
}

// Limits of Direct3D 12, which has none for heaps that shaders do not see.
Status CheckHeapSize(const D3D12_DESCRIPTOR_HEAP_DESC& desc) {
  if ((RawValue(desc.Flags) & UINT{D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE}) == 0) return {};
  const bool samplers = Holds(desc.Type, D3D12_DESCRIPTOR_HEAP_TYPE_SAMPLER);
  const UINT most = samplers ? D3D12_MAX_SHADER_VISIBLE_SAMPLER_HEAP_SIZE
                             : D3D12_MAX_SHADER_VISIBLE_DESCRIPTOR_HEAP_SIZE_TIER_2;
  if (desc.NumDescriptors <= most) return {};
  return InvalidArgument(
      fmt::format("NumDescriptors = {} must be at most {} in a shader-visible heap of {}",
                  desc.NumDescriptors, most, samplers ? "SAMPLER" : "CBV_SRV_UAV"));
}

// The range of one side of CopyDescriptors.
struct RangeWalker {
  UINT ranges;
  const D3D12_CPU_DESCRIPTOR_HANDLE* starts;
  const UINT* sizes;  // null: one each
  UINT range = 0;
  UINT index = 0;

  std::optional<SIZE_T> Next() {
    while (range < ranges && index >= (sizes == nullptr ? 1 : sizes[range])) {
      ++range;
      index = 0;
    }
    if (range >= ranges) return std::nullopt;
    return starts[range].ptr + sizeof(Descriptor) * index++;
  }
};

}  // namespace

HRESULT Device::CreateDescriptorHeap(const D3D12_DESCRIPTOR_HEAP_DESC* desc, REFIID riid,
                                     void** heap) {
  return Make("CreateDescriptorHeap", heap, [&]() -> HRESULT {
    constexpr const char* kMethod = "CreateDescriptorHeap";
    if (desc == nullptr) return Fail(kMethod, InvalidArgument("pDesc must not be null"));
    if (!Holds(desc->Type, D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV) &&
        !Holds(desc->Type, D3D12_DESCRIPTOR_HEAP_TYPE_SAMPLER)) {
      return Fail(kMethod, Unsupported(fmt::format("Type = {} is not CBV_SRV_UAV or SAMPLER; there "
                                                   "is nothing to render to",
                                                   RawValue(desc->Type))));
    }
    if (desc->NumDescriptors == 0 || desc->NodeMask > 1 ||
        (RawValue(desc->Flags) & ~UINT{D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE}) != 0) {
      return Fail(kMethod, InvalidArgument(fmt::format(
                               "NumDescriptors = {} must be at least 1, NodeMask = {} must be 0 or "
                               "1, Flags = {} must be known",
                               desc->NumDescriptors, desc->NodeMask, RawValue(desc->Flags))));
    }
    const Status size = CheckHeapSize(*desc);
    if (!size.ok()) return Fail(kMethod, size.error());
    if (heap == nullptr) return CouldProvide<DescriptorHeap>(riid);
    return CreateObject<DescriptorHeap>(riid, heap, *this, *desc);
  });
}

UINT Device::GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE) {
  return sizeof(Descriptor);
}

void Device::WriteDescriptor(const char* method, D3D12_CPU_DESCRIPTOR_HANDLE handle,
                             const Descriptor& descriptor) {
  Descriptor* target = FindDescriptor(handle.ptr);
  if (target == nullptr) {
    Fail(method, InvalidArgument("DestDescriptor must be a handle of a heap of this device"));
    return;
  }
  *target = descriptor;
}

void Device::CreateConstantBufferView(const D3D12_CONSTANT_BUFFER_VIEW_DESC* desc,
                                      D3D12_CPU_DESCRIPTOR_HANDLE handle) {
  Call("CreateConstantBufferView", [&] {
    Descriptor view;
    view.kind = Descriptor::Kind::kConstantBuffer;
    if (desc != nullptr) {
      view.address = desc->BufferLocation;
      view.size = desc->SizeInBytes;
    }
    WriteDescriptor("CreateConstantBufferView", handle, view);
    return S_OK;
  });
}

void Device::CreateShaderResourceView(ID3D12Resource* resource,
                                      const D3D12_SHADER_RESOURCE_VIEW_DESC* desc,
                                      D3D12_CPU_DESCRIPTOR_HANDLE handle) {
  Call("CreateShaderResourceView", [&]() -> HRESULT {
    constexpr const char* kMethod = "CreateShaderResourceView";
    Descriptor view;
    view.kind = Descriptor::Kind::kShaderResource;
    const ComPtr<Buffer> buffer = As<Buffer>(resource);
    if (resource != nullptr) {
      if (buffer == nullptr || desc == nullptr ||
          !Holds(desc->ViewDimension, D3D12_SRV_DIMENSION_BUFFER)) {
        return Fail(kMethod, InvalidArgument("pResource must be a buffer of this library and pDesc "
                                             "must describe a buffer"));
      }
      const Elements elements = {
          desc->Format, desc->Buffer.FirstElement, desc->Buffer.NumElements,
          desc->Buffer.StructureByteStride,
          (RawValue(desc->Buffer.Flags) & UINT{D3D12_BUFFER_SRV_FLAG_RAW}) != 0};
      const Result<Descriptor> made = ViewOf(view.kind, *buffer.Get(), elements);
      if (!made.ok()) return Fail(kMethod, made.error());
      view = made.value();
    }
    WriteDescriptor(kMethod, handle, view);
    return S_OK;
  });
}

void Device::CreateUnorderedAccessView(ID3D12Resource* resource, ID3D12Resource* counter,
                                       const D3D12_UNORDERED_ACCESS_VIEW_DESC* desc,
                                       D3D12_CPU_DESCRIPTOR_HANDLE handle) {
  Call("CreateUnorderedAccessView", [&]() -> HRESULT {
    constexpr const char* kMethod = "CreateUnorderedAccessView";
    Descriptor view;
    view.kind = Descriptor::Kind::kUnorderedAccess;
    const ComPtr<Buffer> buffer = As<Buffer>(resource);
    if (resource != nullptr) {
      if (buffer == nullptr || counter != nullptr || desc == nullptr ||
          !Holds(desc->ViewDimension, D3D12_UAV_DIMENSION_BUFFER)) {
        return Fail(kMethod, InvalidArgument("pResource must be a buffer of this library, pDesc "
                                             "must describe a buffer, and there are no counters"));
      }
      if ((buffer->GetDesc().Flags & D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS) == 0) {
        return Fail(kMethod, InvalidArgument("pResource must allow unordered access"));
      }
      const Elements elements = {
          desc->Format, desc->Buffer.FirstElement, desc->Buffer.NumElements,
          desc->Buffer.StructureByteStride,
          (RawValue(desc->Buffer.Flags) & UINT{D3D12_BUFFER_UAV_FLAG_RAW}) != 0};
      const Result<Descriptor> made = ViewOf(view.kind, *buffer.Get(), elements);
      if (!made.ok()) return Fail(kMethod, made.error());
      view = made.value();
    }
    WriteDescriptor(kMethod, handle, view);
    return S_OK;
  });
}

void Device::CopyDescriptors(UINT target_ranges, const D3D12_CPU_DESCRIPTOR_HANDLE* target_starts,
                             const UINT* target_sizes, UINT source_ranges,
                             const D3D12_CPU_DESCRIPTOR_HANDLE* source_starts,
                             const UINT* source_sizes, D3D12_DESCRIPTOR_HEAP_TYPE) {
  Call("CopyDescriptors", [&]() -> HRESULT {
    if ((target_ranges != 0 && target_starts == nullptr) ||
        (source_ranges != 0 && source_starts == nullptr)) {
      return Fail("CopyDescriptors", InvalidArgument("the starts of the ranges must not be null"));
    }
    RangeWalker targets = {target_ranges, target_starts, target_sizes};
    RangeWalker sources = {source_ranges, source_starts, source_sizes};
    for (;;) {
      const std::optional<SIZE_T> target = targets.Next();
      const std::optional<SIZE_T> source = sources.Next();
      if (!target && !source) return S_OK;
      Descriptor* to = target ? FindDescriptor(*target) : nullptr;
      const Descriptor* from = source ? FindDescriptor(*source) : nullptr;
      if (to == nullptr || from == nullptr) {
        return Fail("CopyDescriptors", InvalidArgument("both sides must have the same number of "
                                                       "descriptors, all in heaps of this device"));
      }
      *to = *from;
    }
  });
}

void Device::CopyDescriptorsSimple(UINT count, D3D12_CPU_DESCRIPTOR_HANDLE target,
                                   D3D12_CPU_DESCRIPTOR_HANDLE source, D3D12_DESCRIPTOR_HEAP_TYPE) {
  CopyDescriptors(1, &target, &count, 1, &source, &count, {});
}

}  // namespace anydml::d3d12
