// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// An ID3D12Device that is not the library's: of another Direct3D 12 in the same
// process, or a program's own wrapper. Counts the calls that nobody may make
// before it is known for what it is.
#pragma once

#include "d3d12/internal.h"

namespace anydml::directml {

class ForeignDevice final : public ID3D12Device {
 public:
  virtual ~ForeignDevice() = default;
  int unexpected_calls() const { return unexpected_calls_; }
  ULONG references() const { return references_; }

  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID riid, void** object) override {
    const bool known = riid == __uuidof(IUnknown) || riid == __uuidof(ID3D12Device);
    *object = known ? this : nullptr;
    if (known) AddRef();
    return known ? S_OK : E_NOINTERFACE;
  }
  ULONG STDMETHODCALLTYPE AddRef() override { return ++references_; }
  ULONG STDMETHODCALLTYPE Release() override { return --references_; }

  HRESULT STDMETHODCALLTYPE GetPrivateData(REFGUID, UINT*, void*) override { return Unexpected(); }
  HRESULT STDMETHODCALLTYPE SetPrivateData(REFGUID, UINT, const void*) override {
    return Unexpected();
  }
  HRESULT STDMETHODCALLTYPE SetPrivateDataInterface(REFGUID, const IUnknown*) override {
    return Unexpected();
  }
  HRESULT STDMETHODCALLTYPE SetName(LPCWSTR) override { return Unexpected(); }
  UINT STDMETHODCALLTYPE GetNodeCount() override { return Unexpected(), 0; }
  HRESULT STDMETHODCALLTYPE CreateCommandQueue(const D3D12_COMMAND_QUEUE_DESC*, REFIID,
                                               void**) override {
    return Unexpected();
  }
  HRESULT STDMETHODCALLTYPE CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE, REFIID,
                                                   void**) override {
    return Unexpected();
  }
  HRESULT STDMETHODCALLTYPE CreateGraphicsPipelineState(const D3D12_GRAPHICS_PIPELINE_STATE_DESC*,
                                                        REFIID, void**) override {
    return Unexpected();
  }
  HRESULT STDMETHODCALLTYPE CreateComputePipelineState(const D3D12_COMPUTE_PIPELINE_STATE_DESC*,
                                                       REFIID, void**) override {
    return Unexpected();
  }
  HRESULT STDMETHODCALLTYPE CreateCommandList(UINT, D3D12_COMMAND_LIST_TYPE,
                                              ID3D12CommandAllocator*, ID3D12PipelineState*, REFIID,
                                              void**) override {
    return Unexpected();
  }
  HRESULT STDMETHODCALLTYPE CheckFeatureSupport(D3D12_FEATURE, void*, UINT) override {
    return Unexpected();
  }
  HRESULT STDMETHODCALLTYPE CreateDescriptorHeap(const D3D12_DESCRIPTOR_HEAP_DESC*, REFIID,
                                                 void**) override {
    return Unexpected();
  }
  UINT STDMETHODCALLTYPE GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE) override {
    return Unexpected(), 0;
  }
  HRESULT STDMETHODCALLTYPE CreateRootSignature(UINT, const void*, SIZE_T, REFIID,
                                                void**) override {
    return Unexpected();
  }
  void STDMETHODCALLTYPE CreateConstantBufferView(const D3D12_CONSTANT_BUFFER_VIEW_DESC*,
                                                  D3D12_CPU_DESCRIPTOR_HANDLE) override {
    Unexpected();
  }
  void STDMETHODCALLTYPE CreateShaderResourceView(ID3D12Resource*,
                                                  const D3D12_SHADER_RESOURCE_VIEW_DESC*,
                                                  D3D12_CPU_DESCRIPTOR_HANDLE) override {
    Unexpected();
  }
  void STDMETHODCALLTYPE CreateUnorderedAccessView(ID3D12Resource*, ID3D12Resource*,
                                                   const D3D12_UNORDERED_ACCESS_VIEW_DESC*,
                                                   D3D12_CPU_DESCRIPTOR_HANDLE) override {
    Unexpected();
  }
  void STDMETHODCALLTYPE CreateRenderTargetView(ID3D12Resource*,
                                                const D3D12_RENDER_TARGET_VIEW_DESC*,
                                                D3D12_CPU_DESCRIPTOR_HANDLE) override {
    Unexpected();
  }
  void STDMETHODCALLTYPE CreateDepthStencilView(ID3D12Resource*,
                                                const D3D12_DEPTH_STENCIL_VIEW_DESC*,
                                                D3D12_CPU_DESCRIPTOR_HANDLE) override {
    Unexpected();
  }
  void STDMETHODCALLTYPE CreateSampler(const D3D12_SAMPLER_DESC*,
                                       D3D12_CPU_DESCRIPTOR_HANDLE) override {
    Unexpected();
  }
  void STDMETHODCALLTYPE CopyDescriptors(UINT, const D3D12_CPU_DESCRIPTOR_HANDLE*, const UINT*,
                                         UINT, const D3D12_CPU_DESCRIPTOR_HANDLE*, const UINT*,
                                         D3D12_DESCRIPTOR_HEAP_TYPE) override {
    Unexpected();
  }
  void STDMETHODCALLTYPE CopyDescriptorsSimple(UINT, D3D12_CPU_DESCRIPTOR_HANDLE,
                                               D3D12_CPU_DESCRIPTOR_HANDLE,
                                               D3D12_DESCRIPTOR_HEAP_TYPE) override {
    Unexpected();
  }
  D3D12_RESOURCE_ALLOCATION_INFO STDMETHODCALLTYPE
  GetResourceAllocationInfo(UINT, UINT, const D3D12_RESOURCE_DESC*) override {
    return Unexpected(), D3D12_RESOURCE_ALLOCATION_INFO{};
  }
  D3D12_HEAP_PROPERTIES STDMETHODCALLTYPE GetCustomHeapProperties(UINT, D3D12_HEAP_TYPE) override {
    return Unexpected(), D3D12_HEAP_PROPERTIES{};
  }
  HRESULT STDMETHODCALLTYPE CreateCommittedResource(const D3D12_HEAP_PROPERTIES*, D3D12_HEAP_FLAGS,
                                                    const D3D12_RESOURCE_DESC*,
                                                    D3D12_RESOURCE_STATES, const D3D12_CLEAR_VALUE*,
                                                    REFIID, void**) override {
    return Unexpected();
  }
  HRESULT STDMETHODCALLTYPE CreateHeap(const D3D12_HEAP_DESC*, REFIID, void**) override {
    return Unexpected();
  }
  HRESULT STDMETHODCALLTYPE CreatePlacedResource(ID3D12Heap*, UINT64, const D3D12_RESOURCE_DESC*,
                                                 D3D12_RESOURCE_STATES, const D3D12_CLEAR_VALUE*,
                                                 REFIID, void**) override {
    return Unexpected();
  }
  HRESULT STDMETHODCALLTYPE CreateReservedResource(const D3D12_RESOURCE_DESC*,
                                                   D3D12_RESOURCE_STATES, const D3D12_CLEAR_VALUE*,
                                                   REFIID, void**) override {
    return Unexpected();
  }
  HRESULT STDMETHODCALLTYPE CreateSharedHandle(ID3D12DeviceChild*, const SECURITY_ATTRIBUTES*,
                                               DWORD, LPCWSTR, HANDLE*) override {
    return Unexpected();
  }
  HRESULT STDMETHODCALLTYPE OpenSharedHandle(HANDLE, REFIID, void**) override {
    return Unexpected();
  }
  HRESULT STDMETHODCALLTYPE OpenSharedHandleByName(LPCWSTR, DWORD,
                                                   /* [annotation][out] */ HANDLE*) override {
    return Unexpected();
  }
  HRESULT STDMETHODCALLTYPE MakeResident(UINT, ID3D12Pageable* const*) override {
    return Unexpected();
  }
  HRESULT STDMETHODCALLTYPE Evict(UINT, ID3D12Pageable* const*) override { return Unexpected(); }
  HRESULT STDMETHODCALLTYPE CreateFence(UINT64, D3D12_FENCE_FLAGS, REFIID, void**) override {
    return Unexpected();
  }
  HRESULT STDMETHODCALLTYPE GetDeviceRemovedReason() override { return Unexpected(); }
  void STDMETHODCALLTYPE GetCopyableFootprints(const D3D12_RESOURCE_DESC*, UINT, UINT, UINT64,
                                               D3D12_PLACED_SUBRESOURCE_FOOTPRINT*, UINT*, UINT64*,
                                               UINT64*) override {
    Unexpected();
  }
  HRESULT STDMETHODCALLTYPE CreateQueryHeap(const D3D12_QUERY_HEAP_DESC*, REFIID, void**) override {
    return Unexpected();
  }
  HRESULT STDMETHODCALLTYPE SetStablePowerState(BOOL) override { return Unexpected(); }
  HRESULT STDMETHODCALLTYPE CreateCommandSignature(const D3D12_COMMAND_SIGNATURE_DESC*,
                                                   ID3D12RootSignature*, REFIID, void**) override {
    return Unexpected();
  }
  void STDMETHODCALLTYPE GetResourceTiling(ID3D12Resource*, UINT*, D3D12_PACKED_MIP_INFO*,
                                           D3D12_TILE_SHAPE*, UINT*, UINT,
                                           D3D12_SUBRESOURCE_TILING*) override {
    Unexpected();
  }
  LUID STDMETHODCALLTYPE GetAdapterLuid() override { return Unexpected(), LUID{}; }

 private:
  HRESULT Unexpected() {
    ++unexpected_calls_;
    return E_FAIL;
  }

  int unexpected_calls_ = 0;
  ULONG references_ = 1;
};

}  // namespace anydml::directml
