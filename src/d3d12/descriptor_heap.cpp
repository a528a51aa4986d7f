// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "d3d12/descriptor_heap.h"

#include "d3d12/device.h"

namespace anydml::d3d12 {

DescriptorHeap::DescriptorHeap(Device& device, const D3D12_DESCRIPTOR_HEAP_DESC& desc)
    : DeviceChild(device),
      desc_(desc),
      descriptors_(static_cast<Descriptor*>(std::calloc(desc.NumDescriptors, sizeof(Descriptor)))) {
  if (descriptors_ == nullptr) throw std::bad_alloc();
  device.descriptor_heaps().Add(this);
}

DescriptorHeap::~DescriptorHeap() { device().descriptor_heaps().Drop(this); }

Descriptor* DescriptorHeap::Find(SIZE_T handle) {
  const SIZE_T offset = handle - start();
  if (handle < start() || offset % sizeof(Descriptor) != 0) return nullptr;
  const SIZE_T index = offset / sizeof(Descriptor);
  return index < desc_.NumDescriptors ? &descriptors_[index] : nullptr;
}

}  // namespace anydml::d3d12
