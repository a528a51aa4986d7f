// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The methods of ID3D12Device9 that are not compute on buffers: shaders, textures,
// tiles, rays, sharing between processes. They say so and return E_NOTIMPL, or
// nothing.
#pragma once

#include "d3d12/internal.h"

namespace anydml::d3d12 {

class UnsupportedDevice : public ID3D12Device9 {
 public:
  // ID3D12Device
  HRESULT STDMETHODCALLTYPE CreateGraphicsPipelineState(const D3D12_GRAPHICS_PIPELINE_STATE_DESC*,
                                                        REFIID, void** result) final {
    return Refuse("CreateGraphicsPipelineState", result);
  }
  HRESULT STDMETHODCALLTYPE CreateComputePipelineState(const D3D12_COMPUTE_PIPELINE_STATE_DESC*,
                                                       REFIID, void** result) final {
    return Refuse("CreateComputePipelineState", result);
  }
  HRESULT STDMETHODCALLTYPE CreateRootSignature(UINT, const void*, SIZE_T, REFIID,
                                                void** result) final {
    return Refuse("CreateRootSignature", result);
  }
  void STDMETHODCALLTYPE CreateRenderTargetView(ID3D12Resource*,
                                                const D3D12_RENDER_TARGET_VIEW_DESC*,
                                                D3D12_CPU_DESCRIPTOR_HANDLE) final {
    Refuse("CreateRenderTargetView");
  }
  void STDMETHODCALLTYPE CreateDepthStencilView(ID3D12Resource*,
                                                const D3D12_DEPTH_STENCIL_VIEW_DESC*,
                                                D3D12_CPU_DESCRIPTOR_HANDLE) final {
    Refuse("CreateDepthStencilView");
  }
  void STDMETHODCALLTYPE CreateSampler(const D3D12_SAMPLER_DESC*,
                                       D3D12_CPU_DESCRIPTOR_HANDLE) final {
    Refuse("CreateSampler");
  }
  HRESULT STDMETHODCALLTYPE CreateReservedResource(const D3D12_RESOURCE_DESC*,
                                                   D3D12_RESOURCE_STATES, const D3D12_CLEAR_VALUE*,
                                                   REFIID, void** result) final {
    return Refuse("CreateReservedResource", result);
  }
  HRESULT STDMETHODCALLTYPE CreateSharedHandle(ID3D12DeviceChild*, const SECURITY_ATTRIBUTES*,
                                               DWORD, LPCWSTR, HANDLE* result) final {
    return Refuse("CreateSharedHandle", result);
  }
  HRESULT STDMETHODCALLTYPE OpenSharedHandle(HANDLE, REFIID, void** result) final {
    return Refuse("OpenSharedHandle", result);
  }
  HRESULT STDMETHODCALLTYPE OpenSharedHandleByName(LPCWSTR, DWORD, HANDLE* result) final {
    return Refuse("OpenSharedHandleByName", result);
  }
  HRESULT STDMETHODCALLTYPE CreateCommandSignature(const D3D12_COMMAND_SIGNATURE_DESC*,
                                                   ID3D12RootSignature*, REFIID,
                                                   void** result) final {
    return Refuse("CreateCommandSignature", result);
  }
  void STDMETHODCALLTYPE GetResourceTiling(ID3D12Resource*, UINT* tiles,
                                           D3D12_PACKED_MIP_INFO* packed, D3D12_TILE_SHAPE* shape,
                                           UINT* tilings, UINT, D3D12_SUBRESOURCE_TILING*) final {
    Refuse("GetResourceTiling");
    if (tiles != nullptr) *tiles = 0;
    if (packed != nullptr) *packed = {};
    if (shape != nullptr) *shape = {};
    if (tilings != nullptr) *tilings = 0;
  }

  // ID3D12Device1
  HRESULT STDMETHODCALLTYPE CreatePipelineLibrary(const void*, SIZE_T, REFIID,
                                                  void** result) final {
    return Refuse("CreatePipelineLibrary", result);
  }

  // ID3D12Device2
  HRESULT STDMETHODCALLTYPE CreatePipelineState(const D3D12_PIPELINE_STATE_STREAM_DESC*, REFIID,
                                                void** result) final {
    return Refuse("CreatePipelineState", result);
  }

  // ID3D12Device3
  HRESULT STDMETHODCALLTYPE OpenExistingHeapFromFileMapping(HANDLE, REFIID, void** result) final {
    return Refuse("OpenExistingHeapFromFileMapping", result);
  }

  // ID3D12Device4
  HRESULT STDMETHODCALLTYPE CreateProtectedResourceSession(
      const D3D12_PROTECTED_RESOURCE_SESSION_DESC*, REFIID, void** result) final {
    return Refuse("CreateProtectedResourceSession", result);
  }
  HRESULT STDMETHODCALLTYPE CreateReservedResource1(const D3D12_RESOURCE_DESC*,
                                                    D3D12_RESOURCE_STATES, const D3D12_CLEAR_VALUE*,
                                                    ID3D12ProtectedResourceSession*, REFIID,
                                                    void** result) final {
    return Refuse("CreateReservedResource1", result);
  }

  // ID3D12Device5
  HRESULT STDMETHODCALLTYPE CreateLifetimeTracker(ID3D12LifetimeOwner*, REFIID,
                                                  void** result) final {
    return Refuse("CreateLifetimeTracker", result);
  }
  HRESULT STDMETHODCALLTYPE
  EnumerateMetaCommandParameters(REFGUID, D3D12_META_COMMAND_PARAMETER_STAGE, UINT*, UINT*,
                                 D3D12_META_COMMAND_PARAMETER_DESC*) final {
    return Refuse("EnumerateMetaCommandParameters");
  }
  HRESULT STDMETHODCALLTYPE CreateMetaCommand(REFGUID, UINT, const void*, SIZE_T, REFIID,
                                              void** result) final {
    return Refuse("CreateMetaCommand", result);
  }
  HRESULT STDMETHODCALLTYPE CreateStateObject(const D3D12_STATE_OBJECT_DESC*, REFIID,
                                              void** result) final {
    return Refuse("CreateStateObject", result);
  }
  void STDMETHODCALLTYPE GetRaytracingAccelerationStructurePrebuildInfo(
      const D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_INPUTS*,
      D3D12_RAYTRACING_ACCELERATION_STRUCTURE_PREBUILD_INFO* info) final {
    Refuse("GetRaytracingAccelerationStructurePrebuildInfo");
    if (info != nullptr) *info = {};
  }
  D3D12_DRIVER_MATCHING_IDENTIFIER_STATUS STDMETHODCALLTYPE CheckDriverMatchingIdentifier(
      D3D12_SERIALIZED_DATA_TYPE, const D3D12_SERIALIZED_DATA_DRIVER_MATCHING_IDENTIFIER*) final {
    Refuse("CheckDriverMatchingIdentifier");
    return D3D12_DRIVER_MATCHING_IDENTIFIER_UNSUPPORTED_TYPE;
  }

  // ID3D12Device7
  HRESULT STDMETHODCALLTYPE AddToStateObject(const D3D12_STATE_OBJECT_DESC*, ID3D12StateObject*,
                                             REFIID, void** result) final {
    return Refuse("AddToStateObject", result);
  }
  HRESULT STDMETHODCALLTYPE CreateProtectedResourceSession1(
      const D3D12_PROTECTED_RESOURCE_SESSION_DESC1*, REFIID, void** result) final {
    return Refuse("CreateProtectedResourceSession1", result);
  }

  // ID3D12Device8
  void STDMETHODCALLTYPE CreateSamplerFeedbackUnorderedAccessView(
      ID3D12Resource*, ID3D12Resource*, D3D12_CPU_DESCRIPTOR_HANDLE) final {
    Refuse("CreateSamplerFeedbackUnorderedAccessView");
  }

  // ID3D12Device9
  HRESULT STDMETHODCALLTYPE CreateShaderCacheSession(const D3D12_SHADER_CACHE_SESSION_DESC*, REFIID,
                                                     void** result) final {
    return Refuse("CreateShaderCacheSession", result);
  }

 protected:
  ~UnsupportedDevice() = default;
  // Reports that `method` is not here.
  virtual void ReportUnsupported(const char* method) = 0;

 private:
  HRESULT Refuse(const char* method, void** result = nullptr) {
    if (result != nullptr) *result = nullptr;
    ReportUnsupported(method);
    return E_NOTIMPL;
  }
};

}  // namespace anydml::d3d12
