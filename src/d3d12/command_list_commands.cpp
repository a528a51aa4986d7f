// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The commands of a list: copies, clears, barriers, queries.
#include <cstring>

#include "base/checked_math.h"
#include "base/float16.h"
#include "base/raw_value.h"
#include "d3d12/command_list_record.h"
#include "d3d12/descriptor_heap.h"
#include "d3d12/view_format.h"
#include "d3d12/works.h"

namespace anydml::d3d12 {
namespace {

Status CheckInside(const char* field, uint64_t offset, uint64_t bytes, const Buffer& buffer) {
  const std::optional<uint64_t> end = CheckedAdd(offset, bytes);
  if (end && *end <= buffer.size()) return {};
  return InvalidArgument(
      fmt::format("{} = {} and {} bytes from there must lie inside the buffer of "
                  "{} bytes",
                  field, offset, bytes, buffer.size()));
}

// The states of buffers on these heaps never change: GENERIC_READ on UPLOAD, so
// nothing is copied there, and COPY_DEST on READBACK, so nothing is copied from it.
Status CheckTarget(const char* field, const Buffer& buffer) {
  if (buffer.heap_type() != D3D12_HEAP_TYPE_UPLOAD) return {};
  return InvalidArgument(fmt::format(
      "{} lies on an UPLOAD heap and stays in the state GENERIC_READ; it must be writable", field));
}

Status CheckSource(const char* field, const Buffer& buffer) {
  if (buffer.heap_type() != D3D12_HEAP_TYPE_READBACK) return {};
  return InvalidArgument(fmt::format(
      "{} lies on a READBACK heap and stays in the state COPY_DEST; it must be readable", field));
}

// The bytes of one element of a view, from the four values of a clear.
Result<FillPattern> PatternOf(const Descriptor& view, const UINT* values, bool values_are_float) {
  const ViewFormat format = ViewFormatOf(view.format);
  if (format.components == 0) {
    return InvalidArgument("the view must be raw or typed; a structured view cannot be cleared");
  }
  const bool raw = view.format == DXGI_FORMAT_R32_TYPELESS;
  if (values_are_float && !format.is_float && !raw) {
    return InvalidArgument("the view's format must be a float format, or raw");
  }
  FillPattern pattern = {};
  pattern.length = format.bytes();
  for (uint32_t i = 0; i < format.components; ++i) {
    uint32_t bits = values[i];  // a float value keeps its bits
    if (values_are_float && format.bytes_each == 2) {
      bits = ToFloat16(std::bit_cast<float>(bits)).bits;
    }
    // Little-endian: a narrow integer takes the low bytes.
    std::memcpy(pattern.bytes.data() + i * format.bytes_each, &bits, format.bytes_each);
  }
  return pattern;
}

}  // namespace

Result<ComPtr<Buffer>> CommandList::BufferFrom(const char* field, ID3D12Resource* resource) const {
  ComPtr<Buffer> buffer = As<Buffer>(resource);
  if (buffer == nullptr || &buffer->device() != &device()) {
    return InvalidArgument(fmt::format("{} must be a buffer of this device", field));
  }
  return buffer;
}

Status CommandList::Copy(ID3D12Resource* target, UINT64 target_offset, ID3D12Resource* source,
                         UINT64 source_offset, UINT64 bytes) {
  const Result<ComPtr<Buffer>> to = BufferFrom("pDstBuffer", target);
  if (!to.ok()) return to.error();
  const Result<ComPtr<Buffer>> from = BufferFrom("pSrcBuffer", source);
  if (!from.ok()) return from.error();
  Status status = CheckTarget("pDstBuffer", *to.value().Get());
  if (status.ok()) status = CheckSource("pSrcBuffer", *from.value().Get());
  if (status.ok()) status = CheckInside("DstOffset", target_offset, bytes, *to.value().Get());
  if (status.ok()) status = CheckInside("SrcOffset", source_offset, bytes, *from.value().Get());
  if (!status.ok() || bytes == 0) return status;
  Add<CopyWork>(to.value()->Range(target_offset, bytes), from.value()->Range(source_offset, bytes));
  return {};
}

void CommandList::CopyBufferRegion(ID3D12Resource* target, UINT64 target_offset,
                                   ID3D12Resource* source, UINT64 source_offset, UINT64 bytes) {
  Record("CopyBufferRegion",
         [&] { return Copy(target, target_offset, source, source_offset, bytes); });
}

void CommandList::AtomicCopyBufferUINT(ID3D12Resource* target, UINT64 target_offset,
                                       ID3D12Resource* source, UINT64 source_offset, UINT,
                                       ID3D12Resource* const*,
                                       const D3D12_SUBRESOURCE_RANGE_UINT64*) {
  Record("AtomicCopyBufferUINT",
         [&] { return Copy(target, target_offset, source, source_offset, sizeof(UINT)); });
}

void CommandList::AtomicCopyBufferUINT64(ID3D12Resource* target, UINT64 target_offset,
                                         ID3D12Resource* source, UINT64 source_offset, UINT,
                                         ID3D12Resource* const*,
                                         const D3D12_SUBRESOURCE_RANGE_UINT64*) {
  Record("AtomicCopyBufferUINT64",
         [&] { return Copy(target, target_offset, source, source_offset, sizeof(UINT64)); });
}

void CommandList::CopyResource(ID3D12Resource* target, ID3D12Resource* source) {
  Record("CopyResource", [&]() -> Status {
    const Result<ComPtr<Buffer>> to = BufferFrom("pDstResource", target);
    if (!to.ok()) return to.error();
    const Result<ComPtr<Buffer>> from = BufferFrom("pSrcResource", source);
    if (!from.ok()) return from.error();
    Status status = CheckTarget("pDstResource", *to.value().Get());
    if (status.ok()) status = CheckSource("pSrcResource", *from.value().Get());
    if (!status.ok()) return status;
    const uint64_t bytes = from.value()->size();
    if (to.value()->size() != bytes || to.value().Get() == from.value().Get()) {
      return InvalidArgument(
          fmt::format("the two buffers, of {} and {} bytes, must have the same size and be two",
                      to.value()->size(), bytes));
    }
    Add<CopyWork>(to.value()->Range(0, bytes), from.value()->Range(0, bytes));
    return {};
  });
}

Status CommandList::CheckBarrier(const D3D12_RESOURCE_BARRIER& barrier) const {
  // A null resource means all of them for UAV and aliasing barriers.
  const auto check = [this](const char* field, ID3D12Resource* resource) -> Status {
    if (resource == nullptr) return {};
    const Result<ComPtr<Buffer>> buffer = BufferFrom(field, resource);
    return buffer.ok() ? Status() : Status(buffer.error());
  };
  switch (RawValue(barrier.Type)) {
    case D3D12_RESOURCE_BARRIER_TYPE_TRANSITION: {
      const D3D12_RESOURCE_TRANSITION_BARRIER& transition = barrier.Transition;
      const Result<ComPtr<Buffer>> buffer =
          BufferFrom("Transition.pResource", transition.pResource);
      if (!buffer.ok()) return buffer.error();
      if (transition.Subresource == 0 ||
          transition.Subresource == D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES) {
        return {};
      }
      return InvalidArgument(fmt::format(
          "Transition.Subresource = {} must be 0 or all for a buffer", transition.Subresource));
    }
    case D3D12_RESOURCE_BARRIER_TYPE_ALIASING: {
      Status status = check("Aliasing.pResourceBefore", barrier.Aliasing.pResourceBefore);
      if (!status.ok()) return status;
      return check("Aliasing.pResourceAfter", barrier.Aliasing.pResourceAfter);
    }
    case D3D12_RESOURCE_BARRIER_TYPE_UAV:
      return check("UAV.pResource", barrier.UAV.pResource);
  }
  return InvalidArgument(fmt::format("Type = {} is no barrier", RawValue(barrier.Type)));
}

// A queue runs one work after the other, so a barrier has nothing to do.
void CommandList::ResourceBarrier(UINT count, const D3D12_RESOURCE_BARRIER* barriers) {
  Record("ResourceBarrier", [&]() -> Status {
    if (count == 0 || barriers == nullptr) return InvalidArgument("barriers are missing");
    for (UINT i = 0; i < count; ++i) {
      Status status = CheckBarrier(barriers[i]);
      if (!status.ok()) return status;
    }
    return {};
  });
}

void CommandList::SetDescriptorHeaps(UINT count, ID3D12DescriptorHeap* const* heaps) {
  Record("SetDescriptorHeaps", [&]() -> Status {
    if (count != 0 && heaps == nullptr) return InvalidArgument("ppDescriptorHeaps is null");
    uint32_t types = 0;
    for (UINT i = 0; i < count; ++i) {
      const ComPtr<DescriptorHeap> heap = As<DescriptorHeap>(heaps[i]);
      if (heap == nullptr || &heap->device() != &device() || !heap->shader_visible()) {
        return InvalidArgument(fmt::format(
            "ppDescriptorHeaps[{}] must be a shader-visible descriptor heap of this device", i));
      }
      const uint32_t type = uint32_t{1} << heap->type();
      if ((types & type) != 0) return InvalidArgument("two heaps have the same type");
      types |= type;
    }
    return {};
  });
}

Status CommandList::Clear(D3D12_GPU_DESCRIPTOR_HANDLE gpu_handle,
                          D3D12_CPU_DESCRIPTOR_HANDLE cpu_handle, ID3D12Resource* resource,
                          const UINT* values, bool values_are_float, UINT rect_count) {
  const Result<ComPtr<Buffer>> buffer = BufferFrom("pResource", resource);
  if (!buffer.ok()) return buffer.error();
  const Descriptor* view = device().FindDescriptor(cpu_handle.ptr);
  if (view == nullptr || view->kind != Descriptor::Kind::kUnorderedAccess ||
      device().FindDescriptor(gpu_handle.ptr) == nullptr) {
    return InvalidArgument("both handles must point to an unordered access view");
  }
  if (values == nullptr || rect_count != 0) {
    return InvalidArgument("Values must be given, and a buffer has no rectangles");
  }
  const uint64_t start = buffer.value()->GetGPUVirtualAddress();
  if (view->address < start || view->address + view->size > start + buffer.value()->size()) {
    return InvalidArgument("the view must be a view of pResource");
  }
  const Result<FillPattern> pattern = PatternOf(*view, values, values_are_float);
  if (!pattern.ok()) return pattern.error();
  Add<FillWork>(buffer.value()->Range(view->address - start, view->size), pattern.value());
  return {};
}

void CommandList::ClearUnorderedAccessViewUint(D3D12_GPU_DESCRIPTOR_HANDLE gpu_handle,
                                               D3D12_CPU_DESCRIPTOR_HANDLE cpu_handle,
                                               ID3D12Resource* resource, const UINT* values,
                                               UINT rect_count, const D3D12_RECT*) {
  Record("ClearUnorderedAccessViewUint",
         [&] { return Clear(gpu_handle, cpu_handle, resource, values, false, rect_count); });
}

void CommandList::ClearUnorderedAccessViewFloat(D3D12_GPU_DESCRIPTOR_HANDLE gpu_handle,
                                                D3D12_CPU_DESCRIPTOR_HANDLE cpu_handle,
                                                ID3D12Resource* resource, const FLOAT* values,
                                                UINT rect_count, const D3D12_RECT*) {
  Record("ClearUnorderedAccessViewFloat", [&] {
    UINT bits[4] = {};
    if (values != nullptr) std::memcpy(bits, values, sizeof bits);
    return Clear(gpu_handle, cpu_handle, resource, values == nullptr ? nullptr : bits, true,
                 rect_count);
  });
}

void CommandList::DiscardResource(ID3D12Resource* resource, const D3D12_DISCARD_REGION*) {
  Record("DiscardResource", [&]() -> Status {
    const Result<ComPtr<Buffer>> buffer = BufferFrom("pResource", resource);
    return buffer.ok() ? Status() : Status(buffer.error());
  });
}

void CommandList::EndQuery(ID3D12QueryHeap* heap, D3D12_QUERY_TYPE type, UINT index) {
  Record("EndQuery", [&]() -> Status {
    const ComPtr<QueryHeap> ours = As<QueryHeap>(heap);
    if (ours == nullptr || &ours->device() != &device() ||
        !Holds(type, D3D12_QUERY_TYPE_TIMESTAMP) || index >= ours->timestamps()->size()) {
      return InvalidArgument(
          fmt::format("query {} must be a timestamp of a query heap of this device", index));
    }
    Add<TimestampWork>(ours->timestamps(), index);
    return {};
  });
}

void CommandList::ResolveQueryData(ID3D12QueryHeap* heap, D3D12_QUERY_TYPE type, UINT start,
                                   UINT count, ID3D12Resource* target, UINT64 offset) {
  Record("ResolveQueryData", [&]() -> Status {
    const ComPtr<QueryHeap> ours = As<QueryHeap>(heap);
    if (ours == nullptr || &ours->device() != &device() ||
        !Holds(type, D3D12_QUERY_TYPE_TIMESTAMP) ||
        uint64_t{start} + count > ours->timestamps()->size()) {
      return InvalidArgument(
          fmt::format("queries {} to {} must be timestamps of a query heap of this device", start,
                      uint64_t{start} + count));
    }
    const Result<ComPtr<Buffer>> buffer = BufferFrom("pDestinationBuffer", target);
    if (!buffer.ok()) return buffer.error();
    const uint64_t bytes = uint64_t{count} * sizeof(uint64_t);
    Status status = CheckTarget("pDestinationBuffer", *buffer.value().Get());
    if (status.ok()) {
      status = CheckInside("AlignedDestinationBufferOffset", offset, bytes, *buffer.value().Get());
    }
    if (status.ok() && offset % sizeof(uint64_t) != 0) {
      status = InvalidArgument(
          fmt::format("AlignedDestinationBufferOffset = {} must be a multiple of 8", offset));
    }
    if (!status.ok()) return status;
    Add<ResolveWork>(ours->timestamps(), start, buffer.value()->Range(offset, bytes));
    return {};
  });
}

}  // namespace anydml::d3d12
