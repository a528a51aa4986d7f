// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The methods of ID3D12GraphicsCommandList6 that are not copies and clears of
// buffers. What would have an effect makes Close fail; state that only those
// methods read is ignored.
#pragma once

#include "d3d12/internal.h"

namespace anydml::d3d12 {

class UnsupportedCommandList : public ID3D12GraphicsCommandList6 {
 public:
  // Work that cannot be done
  void STDMETHODCALLTYPE DrawInstanced(UINT, UINT, UINT, UINT) final { Refuse("DrawInstanced"); }
  void STDMETHODCALLTYPE DrawIndexedInstanced(UINT, UINT, UINT, INT, UINT) final {
    Refuse("DrawIndexedInstanced");
  }
  void STDMETHODCALLTYPE Dispatch(UINT, UINT, UINT) final { Refuse("Dispatch"); }
  void STDMETHODCALLTYPE CopyTextureRegion(const D3D12_TEXTURE_COPY_LOCATION*, UINT, UINT, UINT,
                                           const D3D12_TEXTURE_COPY_LOCATION*,
                                           const D3D12_BOX*) final {
    Refuse("CopyTextureRegion");
  }
  void STDMETHODCALLTYPE CopyTiles(ID3D12Resource*, const D3D12_TILED_RESOURCE_COORDINATE*,
                                   const D3D12_TILE_REGION_SIZE*, ID3D12Resource*, UINT64,
                                   D3D12_TILE_COPY_FLAGS) final {
    Refuse("CopyTiles");
  }
  void STDMETHODCALLTYPE ResolveSubresource(ID3D12Resource*, UINT, ID3D12Resource*, UINT,
                                            DXGI_FORMAT) final {
    Refuse("ResolveSubresource");
  }
  void STDMETHODCALLTYPE ExecuteBundle(ID3D12GraphicsCommandList*) final {
    Refuse("ExecuteBundle");
  }
  void STDMETHODCALLTYPE ClearDepthStencilView(D3D12_CPU_DESCRIPTOR_HANDLE, D3D12_CLEAR_FLAGS,
                                               FLOAT, UINT8, UINT, const D3D12_RECT*) final {
    Refuse("ClearDepthStencilView");
  }
  void STDMETHODCALLTYPE ClearRenderTargetView(D3D12_CPU_DESCRIPTOR_HANDLE, const FLOAT*, UINT,
                                               const D3D12_RECT*) final {
    Refuse("ClearRenderTargetView");
  }
  void STDMETHODCALLTYPE BeginQuery(ID3D12QueryHeap*, D3D12_QUERY_TYPE, UINT) final {
    Refuse("BeginQuery");
  }
  void STDMETHODCALLTYPE SetPredication(ID3D12Resource*, UINT64, D3D12_PREDICATION_OP) final {
    Refuse("SetPredication");
  }
  void STDMETHODCALLTYPE ExecuteIndirect(ID3D12CommandSignature*, UINT, ID3D12Resource*, UINT64,
                                         ID3D12Resource*, UINT64) final {
    Refuse("ExecuteIndirect");
  }
  void STDMETHODCALLTYPE ResolveSubresourceRegion(ID3D12Resource*, UINT, UINT, UINT,
                                                  ID3D12Resource*, UINT, D3D12_RECT*, DXGI_FORMAT,
                                                  D3D12_RESOLVE_MODE) final {
    Refuse("ResolveSubresourceRegion");
  }
  void STDMETHODCALLTYPE WriteBufferImmediate(UINT, const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER*,
                                              const D3D12_WRITEBUFFERIMMEDIATE_MODE*) final {
    Refuse("WriteBufferImmediate");
  }
  void STDMETHODCALLTYPE SetProtectedResourceSession(ID3D12ProtectedResourceSession*) final {
    Refuse("SetProtectedResourceSession");
  }
  void STDMETHODCALLTYPE BeginRenderPass(UINT, const D3D12_RENDER_PASS_RENDER_TARGET_DESC*,
                                         const D3D12_RENDER_PASS_DEPTH_STENCIL_DESC*,
                                         D3D12_RENDER_PASS_FLAGS) final {
    Refuse("BeginRenderPass");
  }
  void STDMETHODCALLTYPE EndRenderPass() final { Refuse("EndRenderPass"); }
  void STDMETHODCALLTYPE InitializeMetaCommand(ID3D12MetaCommand*, const void*, SIZE_T) final {
    Refuse("InitializeMetaCommand");
  }
  void STDMETHODCALLTYPE ExecuteMetaCommand(ID3D12MetaCommand*, const void*, SIZE_T) final {
    Refuse("ExecuteMetaCommand");
  }
  void STDMETHODCALLTYPE BuildRaytracingAccelerationStructure(
      const D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_DESC*, UINT,
      const D3D12_RAYTRACING_ACCELERATION_STRUCTURE_POSTBUILD_INFO_DESC*) final {
    Refuse("BuildRaytracingAccelerationStructure");
  }
  void STDMETHODCALLTYPE EmitRaytracingAccelerationStructurePostbuildInfo(
      const D3D12_RAYTRACING_ACCELERATION_STRUCTURE_POSTBUILD_INFO_DESC*, UINT,
      const D3D12_GPU_VIRTUAL_ADDRESS*) final {
    Refuse("EmitRaytracingAccelerationStructurePostbuildInfo");
  }
  void STDMETHODCALLTYPE
  CopyRaytracingAccelerationStructure(D3D12_GPU_VIRTUAL_ADDRESS, D3D12_GPU_VIRTUAL_ADDRESS,
                                      D3D12_RAYTRACING_ACCELERATION_STRUCTURE_COPY_MODE) final {
    Refuse("CopyRaytracingAccelerationStructure");
  }
  void STDMETHODCALLTYPE DispatchRays(const D3D12_DISPATCH_RAYS_DESC*) final {
    Refuse("DispatchRays");
  }
  void STDMETHODCALLTYPE DispatchMesh(UINT, UINT, UINT) final { Refuse("DispatchMesh"); }

  // State that nothing here reads
  void STDMETHODCALLTYPE IASetPrimitiveTopology(D3D12_PRIMITIVE_TOPOLOGY) final {
    Ignore("IASetPrimitiveTopology");
  }
  void STDMETHODCALLTYPE RSSetViewports(UINT, const D3D12_VIEWPORT*) final {
    Ignore("RSSetViewports");
  }
  void STDMETHODCALLTYPE RSSetScissorRects(UINT, const D3D12_RECT*) final {
    Ignore("RSSetScissorRects");
  }
  void STDMETHODCALLTYPE OMSetBlendFactor(const FLOAT*) final { Ignore("OMSetBlendFactor"); }
  void STDMETHODCALLTYPE OMSetStencilRef(UINT) final { Ignore("OMSetStencilRef"); }
  void STDMETHODCALLTYPE SetPipelineState(ID3D12PipelineState*) final {
    Ignore("SetPipelineState");
  }
  void STDMETHODCALLTYPE SetComputeRootSignature(ID3D12RootSignature*) final {
    Ignore("SetComputeRootSignature");
  }
  void STDMETHODCALLTYPE SetGraphicsRootSignature(ID3D12RootSignature*) final {
    Ignore("SetGraphicsRootSignature");
  }
  void STDMETHODCALLTYPE SetComputeRootDescriptorTable(UINT, D3D12_GPU_DESCRIPTOR_HANDLE) final {
    Ignore("SetComputeRootDescriptorTable");
  }
  void STDMETHODCALLTYPE SetGraphicsRootDescriptorTable(UINT, D3D12_GPU_DESCRIPTOR_HANDLE) final {
    Ignore("SetGraphicsRootDescriptorTable");
  }
  void STDMETHODCALLTYPE SetComputeRoot32BitConstant(UINT, UINT, UINT) final {
    Ignore("SetComputeRoot32BitConstant");
  }
  void STDMETHODCALLTYPE SetGraphicsRoot32BitConstant(UINT, UINT, UINT) final {
    Ignore("SetGraphicsRoot32BitConstant");
  }
  void STDMETHODCALLTYPE SetComputeRoot32BitConstants(UINT, UINT, const void*, UINT) final {
    Ignore("SetComputeRoot32BitConstants");
  }
  void STDMETHODCALLTYPE SetGraphicsRoot32BitConstants(UINT, UINT, const void*, UINT) final {
    Ignore("SetGraphicsRoot32BitConstants");
  }
  void STDMETHODCALLTYPE SetComputeRootConstantBufferView(UINT, D3D12_GPU_VIRTUAL_ADDRESS) final {
    Ignore("SetComputeRootConstantBufferView");
  }
  void STDMETHODCALLTYPE SetGraphicsRootConstantBufferView(UINT, D3D12_GPU_VIRTUAL_ADDRESS) final {
    Ignore("SetGraphicsRootConstantBufferView");
  }
  void STDMETHODCALLTYPE SetComputeRootShaderResourceView(UINT, D3D12_GPU_VIRTUAL_ADDRESS) final {
    Ignore("SetComputeRootShaderResourceView");
  }
  void STDMETHODCALLTYPE SetGraphicsRootShaderResourceView(UINT, D3D12_GPU_VIRTUAL_ADDRESS) final {
    Ignore("SetGraphicsRootShaderResourceView");
  }
  void STDMETHODCALLTYPE SetComputeRootUnorderedAccessView(UINT, D3D12_GPU_VIRTUAL_ADDRESS) final {
    Ignore("SetComputeRootUnorderedAccessView");
  }
  void STDMETHODCALLTYPE SetGraphicsRootUnorderedAccessView(UINT, D3D12_GPU_VIRTUAL_ADDRESS) final {
    Ignore("SetGraphicsRootUnorderedAccessView");
  }
  void STDMETHODCALLTYPE IASetIndexBuffer(const D3D12_INDEX_BUFFER_VIEW*) final {
    Ignore("IASetIndexBuffer");
  }
  void STDMETHODCALLTYPE IASetVertexBuffers(UINT, UINT, const D3D12_VERTEX_BUFFER_VIEW*) final {
    Ignore("IASetVertexBuffers");
  }
  void STDMETHODCALLTYPE SOSetTargets(UINT, UINT, const D3D12_STREAM_OUTPUT_BUFFER_VIEW*) final {
    Ignore("SOSetTargets");
  }
  void STDMETHODCALLTYPE OMSetRenderTargets(UINT, const D3D12_CPU_DESCRIPTOR_HANDLE*, BOOL,
                                            const D3D12_CPU_DESCRIPTOR_HANDLE*) final {
    Ignore("OMSetRenderTargets");
  }
  void STDMETHODCALLTYPE OMSetDepthBounds(FLOAT, FLOAT) final { Ignore("OMSetDepthBounds"); }
  void STDMETHODCALLTYPE SetSamplePositions(UINT, UINT, D3D12_SAMPLE_POSITION*) final {
    Ignore("SetSamplePositions");
  }
  void STDMETHODCALLTYPE SetViewInstanceMask(UINT) final { Ignore("SetViewInstanceMask"); }
  void STDMETHODCALLTYPE SetPipelineState1(ID3D12StateObject*) final {
    Ignore("SetPipelineState1");
  }
  void STDMETHODCALLTYPE RSSetShadingRate(D3D12_SHADING_RATE,
                                          const D3D12_SHADING_RATE_COMBINER*) final {
    Ignore("RSSetShadingRate");
  }
  void STDMETHODCALLTYPE RSSetShadingRateImage(ID3D12Resource*) final {
    Ignore("RSSetShadingRateImage");
  }

 protected:
  ~UnsupportedCommandList() = default;
  // Close will fail with E_NOTIMPL.
  virtual void Refuse(const char* method) = 0;
  virtual void Ignore(const char* method) = 0;
};

}  // namespace anydml::d3d12
