// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// ID3D12Resource, which is always a buffer: a range of memory. Its GPU address is
// its host address.
#pragma once

#include "d3d12/memory.h"
#include "d3d12/object.h"

namespace anydml::d3d12 {

struct BufferDesc {
  D3D12_RESOURCE_DESC1 desc;
  D3D12_HEAP_PROPERTIES heap_properties;
  D3D12_HEAP_FLAGS heap_flags;
};

// Bytes of a buffer, kept alive for work that was recorded.
struct BufferRange {
  std::shared_ptr<Memory> memory;
  std::byte* data;
  uint64_t size;
};

class Buffer final
    : public DeviceChild<Buffer,
                         Serves<ID3D12Resource2, ID3D12Object, ID3D12DeviceChild, ID3D12Pageable,
                                ID3D12Resource, ID3D12Resource1, ID3D12Resource2>> {
 public:
  static constexpr GUID kClassId = ClassId(0x03);

  Buffer(Device& device, const BufferDesc& desc, std::shared_ptr<Memory> memory, uint64_t offset)
      : DeviceChild(device), desc_(desc), memory_(std::move(memory)), offset_(offset) {}

  // Nested calls count; the address stays the same.
  HRESULT STDMETHODCALLTYPE Map(UINT subresource, const D3D12_RANGE* read, void** data) override;
  void STDMETHODCALLTYPE Unmap(UINT subresource, const D3D12_RANGE* written) override;
  D3D12_RESOURCE_DESC STDMETHODCALLTYPE GetDesc() override;
  D3D12_RESOURCE_DESC1 STDMETHODCALLTYPE GetDesc1() override { return desc_.desc; }
  D3D12_GPU_VIRTUAL_ADDRESS STDMETHODCALLTYPE GetGPUVirtualAddress() override {
    return reinterpret_cast<D3D12_GPU_VIRTUAL_ADDRESS>(data());
  }
  HRESULT STDMETHODCALLTYPE WriteToSubresource(UINT, const D3D12_BOX*, const void*, UINT,
                                               UINT) override;
  HRESULT STDMETHODCALLTYPE ReadFromSubresource(void*, UINT, UINT, UINT, const D3D12_BOX*) override;
  HRESULT STDMETHODCALLTYPE GetHeapProperties(D3D12_HEAP_PROPERTIES* properties,
                                              D3D12_HEAP_FLAGS* flags) override;
  HRESULT STDMETHODCALLTYPE GetProtectedResourceSession(REFIID, void** session) override;

  std::byte* data() const { return memory_->data() + offset_; }
  uint64_t size() const { return desc_.desc.Width; }
  D3D12_HEAP_TYPE heap_type() const { return desc_.heap_properties.Type; }
  // offset + size must lie inside.
  BufferRange Range(uint64_t offset, uint64_t size) const {
    return {memory_, data() + offset, size};
  }

 private:
  ~Buffer() override = default;
  HRESULT CheckMapping(const char* method, UINT subresource, const D3D12_RANGE* range) const;

  const BufferDesc desc_;
  const std::shared_ptr<Memory> memory_;
  const uint64_t offset_;
  std::atomic<int> mappings_{0};
};

}  // namespace anydml::d3d12
