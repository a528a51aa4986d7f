// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// ID3D12DescriptorHeap: an array of views. A handle is the address of one, so the
// increment is their size.
#pragma once

#include <cstdlib>
#include <memory>

#include "d3d12/object.h"

namespace anydml::d3d12 {

// A view is plain data and owns nothing, as in Direct3D 12.
struct Descriptor {
  enum class Kind : uint32_t { kNone, kConstantBuffer, kShaderResource, kUnorderedAccess };
  Kind kind = Kind::kNone;
  DXGI_FORMAT format = DXGI_FORMAT_UNKNOWN;
  D3D12_GPU_VIRTUAL_ADDRESS address = 0;
  uint64_t size = 0;
  uint32_t element_size = 0;
};

class DescriptorHeap final
    : public DeviceChild<DescriptorHeap,
                         Serves<ID3D12DescriptorHeap, ID3D12Object, ID3D12DeviceChild,
                                ID3D12Pageable, ID3D12DescriptorHeap>> {
 public:
  static constexpr GUID kClassId = ClassId(0x05);

  DescriptorHeap(Device& device, const D3D12_DESCRIPTOR_HEAP_DESC& desc);

  D3D12_DESCRIPTOR_HEAP_DESC STDMETHODCALLTYPE GetDesc() override { return desc_; }
  D3D12_CPU_DESCRIPTOR_HANDLE STDMETHODCALLTYPE GetCPUDescriptorHandleForHeapStart() override {
    return {start()};
  }
  // 0 unless the heap is shader-visible.
  D3D12_GPU_DESCRIPTOR_HANDLE STDMETHODCALLTYPE GetGPUDescriptorHandleForHeapStart() override {
    return {shader_visible() ? start() : 0};
  }

  bool shader_visible() const {
    return (desc_.Flags & D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE) != 0;
  }
  D3D12_DESCRIPTOR_HEAP_TYPE type() const { return desc_.Type; }
  // Null when the handle is not of this heap.
  Descriptor* Find(SIZE_T handle);

 private:
  ~DescriptorHeap() override;
  SIZE_T start() const { return reinterpret_cast<SIZE_T>(descriptors_.get()); }

  const D3D12_DESCRIPTOR_HEAP_DESC desc_;
  // Zeros from calloc are empty descriptors, which nobody has to touch.
  struct Free {
    void operator()(Descriptor* descriptors) const { std::free(descriptors); }
  };
  const std::unique_ptr<Descriptor[], Free> descriptors_;
};

}  // namespace anydml::d3d12
