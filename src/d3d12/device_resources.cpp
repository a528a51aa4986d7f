// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Heaps and buffers of the device.
#include <algorithm>

#include "base/checked_math.h"
#include "base/raw_value.h"
#include "d3d12/buffer.h"
#include "d3d12/device.h"
#include "d3d12/heap.h"
#include "d3d12/memory.h"
#include "d3d12/resource_desc.h"

namespace anydml::d3d12 {
namespace {

constexpr D3D12_RESOURCE_ALLOCATION_INFO kInvalidAllocation = {UINT64_MAX, kPlacementAlignment};

// A program's memory needs DirectML's alignment of tensors, no more. Page-aligned
// memory, which Windows asks for, has it.
constexpr uint64_t kExistingHeapAlignment = 16;

// One after the other, each at the next multiple of 64 KiB.
Result<D3D12_RESOURCE_ALLOCATION_INFO> Arrange(UINT count, const D3D12_RESOURCE_DESC1* descs,
                                               D3D12_RESOURCE_ALLOCATION_INFO1* infos) {
  if (count == 0 || descs == nullptr) return InvalidArgument("descriptions are missing");
  std::optional<uint64_t> offset = 0;
  for (UINT i = 0; i < count; ++i) {
    const Status status = CheckBuffer(descs[i]);
    if (!status.ok()) return status.error();
    const std::optional<uint64_t> size = CheckedRoundUp(descs[i].Width, kPlacementAlignment);
    const std::optional<uint64_t> end = CheckedAdd(offset, size);
    if (!end) return InvalidArgument("the buffers must not exceed 2^64 bytes");
    if (infos != nullptr) infos[i] = {*offset, kPlacementAlignment, *size};
    offset = end;
  }
  return D3D12_RESOURCE_ALLOCATION_INFO{*offset, kPlacementAlignment};
}

// On a CUDA device, heaps that the program maps are pinned memory of the host.
Result<std::shared_ptr<Memory>> AllocateFor(Device& device, uint64_t size,
                                            const D3D12_HEAP_PROPERTIES& properties) {
  const std::optional<int> cuda = device.CudaOrdinal();
  if (!cuda) return Memory::Allocate(size);
  return Memory::AllocateForCuda(
      size, *cuda, IsMappable(properties) ? cuda::Place::kPinnedHost : cuda::Place::kDevice);
}

// The bytes that a program's heap has from its address on, for the device.
Result<uint64_t> ExistingBytesFrom(Device& device, const void* address) {
  const std::optional<int> cuda = device.CudaOrdinal();
  if (!cuda) return AccessibleBytesFrom(address);
  if (const uint64_t bytes = cuda::DeviceBytesFrom(address, *cuda)) return bytes;
  return cuda::IsReachable(address, *cuda) ? AccessibleBytesFrom(address) : Result<uint64_t>(0);
}

// Null where nothing is given.
const D3D12_RESOURCE_DESC1* WidenInto(D3D12_RESOURCE_DESC1& room, const D3D12_RESOURCE_DESC* desc) {
  return desc == nullptr ? nullptr : &(room = Widen(*desc));
}

template <typename T>
void Fill(T* values, UINT count, const T& value) {
  if (values != nullptr) std::fill(values, values + count, value);
}

}  // namespace

D3D12_RESOURCE_ALLOCATION_INFO Device::GetResourceAllocationInfo(UINT visible_mask, UINT count,
                                                                 const D3D12_RESOURCE_DESC* descs) {
  return GetResourceAllocationInfo1(visible_mask, count, descs, nullptr);
}

D3D12_RESOURCE_ALLOCATION_INFO Device::GetResourceAllocationInfo1(
    UINT visible_mask, UINT count, const D3D12_RESOURCE_DESC* descs,
    D3D12_RESOURCE_ALLOCATION_INFO1* infos) {
  D3D12_RESOURCE_ALLOCATION_INFO total = kInvalidAllocation;
  Call("GetResourceAllocationInfo", [&] {
    std::vector<D3D12_RESOURCE_DESC1> wide;
    for (UINT i = 0; descs != nullptr && i < count; ++i) wide.push_back(Widen(descs[i]));
    total = GetResourceAllocationInfo2(visible_mask, static_cast<UINT>(wide.size()), wide.data(),
                                       infos);
    return S_OK;
  });
  return total;
}

D3D12_RESOURCE_ALLOCATION_INFO Device::GetResourceAllocationInfo2(
    UINT, UINT count, const D3D12_RESOURCE_DESC1* descs, D3D12_RESOURCE_ALLOCATION_INFO1* infos) {
  D3D12_RESOURCE_ALLOCATION_INFO total = kInvalidAllocation;
  Call("GetResourceAllocationInfo", [&]() -> HRESULT {
    const Result<D3D12_RESOURCE_ALLOCATION_INFO> arranged = Arrange(count, descs, infos);
    if (!arranged.ok()) return Fail("GetResourceAllocationInfo", arranged.error());
    total = arranged.value();
    return S_OK;
  });
  return total;
}

D3D12_HEAP_PROPERTIES Device::GetCustomHeapProperties(UINT, D3D12_HEAP_TYPE type) {
  D3D12_HEAP_PROPERTIES properties = {};
  properties.Type = D3D12_HEAP_TYPE_CUSTOM;
  const bool is_default = Holds(type, D3D12_HEAP_TYPE_DEFAULT);
  properties.CPUPageProperty =
      is_default ? D3D12_CPU_PAGE_PROPERTY_NOT_AVAILABLE : D3D12_CPU_PAGE_PROPERTY_WRITE_BACK;
  const bool own = adapter_->cuda && is_default;
  properties.MemoryPoolPreference = own ? D3D12_MEMORY_POOL_L1 : D3D12_MEMORY_POOL_L0;
  return Completed(properties);
}

void Device::GetCopyableFootprints(const D3D12_RESOURCE_DESC* desc, UINT first, UINT count,
                                   UINT64 base_offset, D3D12_PLACED_SUBRESOURCE_FOOTPRINT* layouts,
                                   UINT* rows, UINT64* row_sizes, UINT64* total) {
  D3D12_RESOURCE_DESC1 wide = {};  // Dimension UNKNOWN: refused
  if (desc != nullptr) wide = Widen(*desc);
  GetCopyableFootprints1(&wide, first, count, base_offset, layouts, rows, row_sizes, total);
}

void Device::GetCopyableFootprints1(const D3D12_RESOURCE_DESC1* desc, UINT first, UINT count,
                                    UINT64 base_offset, D3D12_PLACED_SUBRESOURCE_FOOTPRINT* layouts,
                                    UINT* rows, UINT64* row_sizes, UINT64* total) {
  // A footprint counts in 32 bits. Without one, only the size is asked for.
  constexpr uint64_t kWidest = UINT32_MAX - (D3D12_TEXTURE_DATA_PITCH_ALIGNMENT - 1);
  constexpr std::string_view kMethod = "GetCopyableFootprints";
  const HRESULT checked = Call(kMethod, [&] {
    if (desc == nullptr || !CheckBuffer(*desc).ok() || first != 0 || count != 1) {
      return Complain(E_INVALIDARG, kMethod, "the description must be that of one buffer");
    }
    if (layouts == nullptr || desc->Width <= kWidest) return S_OK;
    return Complain(E_INVALIDARG, kMethod, "pLayouts must be null for a buffer of 4 GiB and more");
  });
  if (FAILED(checked)) {
    Fill(layouts, count,
         {UINT64_MAX, {DXGI_FORMAT_UNKNOWN, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}});
    Fill(rows, count, UINT32_MAX);
    Fill(row_sizes, count, UINT64_MAX);
    Fill(total, 1, UINT64_MAX);
    return;
  }
  const UINT width = static_cast<UINT>(desc->Width);
  const UINT pitch = (width + D3D12_TEXTURE_DATA_PITCH_ALIGNMENT - 1) &
                     ~(UINT{D3D12_TEXTURE_DATA_PITCH_ALIGNMENT} - 1);
  Fill(layouts, 1, {base_offset, {DXGI_FORMAT_UNKNOWN, width, 1, 1, pitch}});
  Fill(rows, 1, UINT{1});
  Fill(row_sizes, 1, desc->Width);
  Fill(total, 1, desc->Width);
}

HRESULT Device::CreateCommittedResource(const D3D12_HEAP_PROPERTIES* properties,
                                        D3D12_HEAP_FLAGS flags, const D3D12_RESOURCE_DESC* desc,
                                        D3D12_RESOURCE_STATES state, const D3D12_CLEAR_VALUE* clear,
                                        REFIID riid, void** resource) {
  D3D12_RESOURCE_DESC1 wide;
  return Commit(properties, flags, WidenInto(wide, desc), state, clear, nullptr, riid, resource);
}

HRESULT Device::CreateCommittedResource1(const D3D12_HEAP_PROPERTIES* properties,
                                         D3D12_HEAP_FLAGS flags, const D3D12_RESOURCE_DESC* desc,
                                         D3D12_RESOURCE_STATES state,
                                         const D3D12_CLEAR_VALUE* clear,
                                         ID3D12ProtectedResourceSession* session, REFIID riid,
                                         void** resource) {
  D3D12_RESOURCE_DESC1 wide;
  return Commit(properties, flags, WidenInto(wide, desc), state, clear, session, riid, resource);
}

HRESULT Device::CreateCommittedResource2(const D3D12_HEAP_PROPERTIES* properties,
                                         D3D12_HEAP_FLAGS flags, const D3D12_RESOURCE_DESC1* desc,
                                         D3D12_RESOURCE_STATES state,
                                         const D3D12_CLEAR_VALUE* clear,
                                         ID3D12ProtectedResourceSession* session, REFIID riid,
                                         void** resource) {
  return Commit(properties, flags, desc, state, clear, session, riid, resource);
}

HRESULT Device::Commit(const D3D12_HEAP_PROPERTIES* properties, const D3D12_HEAP_FLAGS& flags,
                       const D3D12_RESOURCE_DESC1* desc, const D3D12_RESOURCE_STATES& state,
                       const D3D12_CLEAR_VALUE* clear, ID3D12ProtectedResourceSession* session,
                       REFIID riid, void** resource) {
  return Make("CreateCommittedResource", resource, [&]() -> HRESULT {
    constexpr const char* kMethod = "CreateCommittedResource";
    if (properties == nullptr || desc == nullptr) {
      return Fail(kMethod, InvalidArgument("pHeapProperties and pDesc must not be null"));
    }
    if (clear != nullptr || session != nullptr) {
      return Fail(kMethod, InvalidArgument("a buffer has no clear value and no protected session"));
    }
    Status status = CheckHeapProperties(*properties, !adapter_->cuda);
    if (status.ok()) status = CheckHeapFlags(flags);
    if (status.ok()) status = CheckBuffer(*desc);
    if (status.ok()) status = CheckBufferOnHeap(*desc, *properties, state);
    if (!status.ok()) return Fail(kMethod, status.error());
    if (resource == nullptr) return CouldProvide<Buffer>(riid);
    Result<std::shared_ptr<Memory>> memory = AllocateFor(*this, desc->Width, *properties);
    if (!memory.ok()) return Fail(kMethod, memory.error());
    const BufferDesc buffer = {Completed(*desc), Completed(*properties), flags};
    return CreateObject<Buffer>(riid, resource, *this, buffer, std::move(memory).value(), 0u);
  });
}

HRESULT Device::CreateHeap(const D3D12_HEAP_DESC* desc, REFIID riid, void** heap) {
  return CreateHeap1(desc, nullptr, riid, heap);
}

HRESULT Device::CreateHeap1(const D3D12_HEAP_DESC* desc, ID3D12ProtectedResourceSession* session,
                            REFIID riid, void** heap) {
  return Make("CreateHeap", heap, [&]() -> HRESULT {
    if (desc == nullptr || session != nullptr) {
      return Fail("CreateHeap", InvalidArgument("pDesc must be given, and no protected session"));
    }
    Status status = CheckHeapProperties(desc->Properties, !adapter_->cuda);
    if (status.ok()) status = CheckHeapFlags(desc->Flags);
    const bool aligned = desc->Alignment == 0 || desc->Alignment == kPlacementAlignment ||
                         desc->Alignment == D3D12_DEFAULT_MSAA_RESOURCE_PLACEMENT_ALIGNMENT;
    if (status.ok() && (desc->SizeInBytes == 0 || !aligned)) {
      status = InvalidArgument(fmt::format(
          "SizeInBytes = {} must not be 0 and Alignment = {} must be 0, 65536 or 4194304",
          desc->SizeInBytes, desc->Alignment));
    }
    if (!status.ok()) return Fail("CreateHeap", status.error());
    if (heap == nullptr) return CouldProvide<Heap>(riid);
    Result<std::shared_ptr<Memory>> memory =
        AllocateFor(*this, desc->SizeInBytes, desc->Properties);
    if (!memory.ok()) return Fail("CreateHeap", memory.error());
    D3D12_HEAP_DESC completed = *desc;
    completed.Properties = Completed(desc->Properties);
    if (completed.Alignment == 0) completed.Alignment = kPlacementAlignment;
    return CreateObject<Heap>(riid, heap, *this, completed, std::move(memory).value());
  });
}

HRESULT Device::CreatePlacedResource(ID3D12Heap* heap, UINT64 offset,
                                     const D3D12_RESOURCE_DESC* desc, D3D12_RESOURCE_STATES state,
                                     const D3D12_CLEAR_VALUE* clear, REFIID riid, void** resource) {
  D3D12_RESOURCE_DESC1 wide;
  return Place(heap, offset, WidenInto(wide, desc), state, clear, riid, resource);
}

HRESULT Device::CreatePlacedResource1(ID3D12Heap* heap, UINT64 offset,
                                      const D3D12_RESOURCE_DESC1* desc, D3D12_RESOURCE_STATES state,
                                      const D3D12_CLEAR_VALUE* clear, REFIID riid,
                                      void** resource) {
  return Place(heap, offset, desc, state, clear, riid, resource);
}

HRESULT Device::Place(ID3D12Heap* heap, UINT64 offset, const D3D12_RESOURCE_DESC1* desc,
                      const D3D12_RESOURCE_STATES& state, const D3D12_CLEAR_VALUE* clear,
                      REFIID riid, void** resource) {
  return Make("CreatePlacedResource", resource, [&]() -> HRESULT {
    constexpr const char* kMethod = "CreatePlacedResource";
    const ComPtr<Heap> ours = As<Heap>(heap);
    if (ours == nullptr || &ours->device() != this || desc == nullptr || clear != nullptr) {
      return Fail(kMethod, InvalidArgument("pHeap must be a heap of this device, pDesc must be "
                                           "given, and a buffer has no clear value"));
    }
    Status status = CheckBuffer(*desc);
    if (status.ok()) status = CheckBufferOnHeap(*desc, ours->desc().Properties, state);
    const std::optional<uint64_t> end = CheckedAdd(offset, desc->Width);
    if (status.ok() &&
        (offset % kPlacementAlignment != 0 || !end || *end > ours->memory()->size())) {
      status = InvalidArgument(fmt::format(
          "HeapOffset = {} must be a multiple of 65536, and {} bytes from there must lie "
          "inside the heap of {} bytes",
          offset, desc->Width, ours->memory()->size()));
    }
    if (!status.ok()) return Fail(kMethod, status.error());
    if (resource == nullptr) return CouldProvide<Buffer>(riid);
    const BufferDesc buffer = {Completed(*desc), ours->desc().Properties, ours->desc().Flags};
    return CreateObject<Buffer>(riid, resource, *this, buffer, ours->memory(), offset);
  });
}

HRESULT Device::OpenExistingHeapFromAddress(const void* address, REFIID riid, void** heap) {
  return Make("OpenExistingHeapFromAddress", heap, [&]() -> HRESULT {
    if (address == nullptr || reinterpret_cast<uint64_t>(address) % kExistingHeapAlignment != 0) {
      return Fail("OpenExistingHeapFromAddress",
                  InvalidArgument("pAddress must be a multiple of 16 and not null"));
    }
    const Result<uint64_t> size = ExistingBytesFrom(*this, address);
    if (!size.ok()) return Fail("OpenExistingHeapFromAddress", size.error());
    if (size.value() == 0) {
      return Fail("OpenExistingHeapFromAddress",
                  InvalidArgument(
                      CudaOrdinal() ? "pAddress must lie in memory of this card, or of the host "
                                      "where the card reaches it (cudaHostRegister)"
                                    : "pAddress must lie in memory that is readable and writable"));
    }
    D3D12_HEAP_DESC desc = {};
    desc.SizeInBytes = size.value();
    desc.Properties = GetCustomHeapProperties(1, D3D12_HEAP_TYPE_READBACK);
    desc.Alignment = kPlacementAlignment;
    desc.Flags = D3D12_HEAP_FLAG_SHARED | D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS;
    return CreateObject<Heap>(riid, heap, *this, desc,
                              Memory::Borrow(const_cast<void*>(address), size.value()));
  });
}

}  // namespace anydml::d3d12
