// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The rules of buffers and heaps, as sentences. Descriptions of newer interfaces
// are the older ones with fields at the end; here everything is the newer one.
#pragma once

#include "base/result.h"
#include "d3d12/internal.h"

namespace anydml::d3d12 {

D3D12_RESOURCE_DESC1 Widen(const D3D12_RESOURCE_DESC& desc);
D3D12_RESOURCE_DESC Narrow(const D3D12_RESOURCE_DESC1& desc);

// A buffer that can be made.
Status CheckBuffer(const D3D12_RESOURCE_DESC1& desc);
// `unified`: the device's memory is the host's.
Status CheckHeapProperties(const D3D12_HEAP_PROPERTIES& properties, bool unified);
Status CheckHeapFlags(const D3D12_HEAP_FLAGS& flags);
// What an UPLOAD or READBACK heap asks of its buffers.
Status CheckBufferOnHeap(const D3D12_RESOURCE_DESC1& desc, const D3D12_HEAP_PROPERTIES& properties,
                         const D3D12_RESOURCE_STATES& state);

// As GetDesc and GetHeapProperties return them: defaults filled in.
D3D12_RESOURCE_DESC1 Completed(D3D12_RESOURCE_DESC1 desc);
D3D12_HEAP_PROPERTIES Completed(D3D12_HEAP_PROPERTIES properties);

// Whether the program may map buffers of such a heap.
bool IsMappable(const D3D12_HEAP_PROPERTIES& properties);

}  // namespace anydml::d3d12
