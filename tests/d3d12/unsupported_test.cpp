// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is not compute on buffers: no method of it may pass for one that works.
#include "d3d12/info_queue_fixture.h"
#include "support/sentences.h"

namespace anydml::d3d12 {
namespace {

using test::ExpectSentences;
using test::FailingCall;
using test::NewestMessage;
using List = ID3D12GraphicsCommandList6;

constexpr GUID kAny = {};

struct Method {
  const char* name;
  std::function<void(List*)> call;
};

class UnsupportedTest : public InfoQueueTest {
 protected:
  UnsupportedTest() { EXPECT_EQ(list->QueryInterface(IID_PPV_ARGS(&newest)), S_OK); }

  // The list with one method recorded, closed.
  HRESULT CloseAfter(const Method& method) {
    method.call(newest.Get());
    const HRESULT closed = list->Close();
    EXPECT_EQ(list->Reset(allocator.Get(), nullptr), S_OK);
    return closed;
  }

  ComPtr<List> newest;
};

const Method kWork[] = {
    {"DrawInstanced", [](List* l) { l->DrawInstanced(3, 1, 0, 0); }},
    {"DrawIndexedInstanced", [](List* l) { l->DrawIndexedInstanced(3, 1, 0, 0, 0); }},
    {"Dispatch", [](List* l) { l->Dispatch(1, 1, 1); }},
    {"CopyTextureRegion",
     [](List* l) { l->CopyTextureRegion(nullptr, 0, 0, 0, nullptr, nullptr); }},
    {"CopyTiles", [](List* l) { l->CopyTiles(nullptr, nullptr, nullptr, nullptr, 0, {}); }},
    {"ResolveSubresource", [](List* l) { l->ResolveSubresource(nullptr, 0, nullptr, 0, {}); }},
    {"ExecuteBundle", [](List* l) { l->ExecuteBundle(nullptr); }},
    {"ClearDepthStencilView",
     [](List* l) { l->ClearDepthStencilView({}, D3D12_CLEAR_FLAG_DEPTH, 1, 0, 0, nullptr); }},
    {"ClearRenderTargetView", [](List* l) { l->ClearRenderTargetView({}, nullptr, 0, nullptr); }},
    {"BeginQuery", [](List* l) { l->BeginQuery(nullptr, D3D12_QUERY_TYPE_OCCLUSION, 0); }},
    {"SetPredication", [](List* l) { l->SetPredication(nullptr, 0, {}); }},
    {"ExecuteIndirect", [](List* l) { l->ExecuteIndirect(nullptr, 1, nullptr, 0, nullptr, 0); }},
    {"ResolveSubresourceRegion",
     [](List* l) { l->ResolveSubresourceRegion(nullptr, 0, 0, 0, nullptr, 0, nullptr, {}, {}); }},
    {"WriteBufferImmediate", [](List* l) { l->WriteBufferImmediate(1, nullptr, nullptr); }},
    {"SetProtectedResourceSession", [](List* l) { l->SetProtectedResourceSession(nullptr); }},
    {"BeginRenderPass", [](List* l) { l->BeginRenderPass(0, nullptr, nullptr, {}); }},
    {"EndRenderPass", [](List* l) { l->EndRenderPass(); }},
    {"InitializeMetaCommand", [](List* l) { l->InitializeMetaCommand(nullptr, nullptr, 0); }},
    {"ExecuteMetaCommand", [](List* l) { l->ExecuteMetaCommand(nullptr, nullptr, 0); }},
    {"BuildRaytracingAccelerationStructure",
     [](List* l) { l->BuildRaytracingAccelerationStructure(nullptr, 0, nullptr); }},
    {"EmitRaytracingAccelerationStructurePostbuildInfo",
     [](List* l) { l->EmitRaytracingAccelerationStructurePostbuildInfo(nullptr, 0, nullptr); }},
    {"CopyRaytracingAccelerationStructure",
     [](List* l) { l->CopyRaytracingAccelerationStructure(0, 0, {}); }},
    {"DispatchRays", [](List* l) { l->DispatchRays(nullptr); }},
    {"DispatchMesh", [](List* l) { l->DispatchMesh(1, 1, 1); }},
};

const Method kState[] = {
    {"IASetPrimitiveTopology",
     [](List* l) { l->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST); }},
    {"RSSetViewports", [](List* l) { l->RSSetViewports(0, nullptr); }},
    {"RSSetScissorRects", [](List* l) { l->RSSetScissorRects(0, nullptr); }},
    {"OMSetBlendFactor", [](List* l) { l->OMSetBlendFactor(nullptr); }},
    {"OMSetStencilRef", [](List* l) { l->OMSetStencilRef(0); }},
    {"SetPipelineState", [](List* l) { l->SetPipelineState(nullptr); }},
    {"SetComputeRootSignature", [](List* l) { l->SetComputeRootSignature(nullptr); }},
    {"SetGraphicsRootSignature", [](List* l) { l->SetGraphicsRootSignature(nullptr); }},
    {"SetComputeRootDescriptorTable", [](List* l) { l->SetComputeRootDescriptorTable(0, {}); }},
    {"SetGraphicsRootDescriptorTable", [](List* l) { l->SetGraphicsRootDescriptorTable(0, {}); }},
    {"SetComputeRoot32BitConstant", [](List* l) { l->SetComputeRoot32BitConstant(0, 0, 0); }},
    {"SetGraphicsRoot32BitConstant", [](List* l) { l->SetGraphicsRoot32BitConstant(0, 0, 0); }},
    {"SetComputeRoot32BitConstants",
     [](List* l) { l->SetComputeRoot32BitConstants(0, 0, nullptr, 0); }},
    {"SetGraphicsRoot32BitConstants",
     [](List* l) { l->SetGraphicsRoot32BitConstants(0, 0, nullptr, 0); }},
    {"SetComputeRootConstantBufferView",
     [](List* l) { l->SetComputeRootConstantBufferView(0, 0); }},
    {"SetGraphicsRootConstantBufferView",
     [](List* l) { l->SetGraphicsRootConstantBufferView(0, 0); }},
    {"SetComputeRootShaderResourceView",
     [](List* l) { l->SetComputeRootShaderResourceView(0, 0); }},
    {"SetGraphicsRootShaderResourceView",
     [](List* l) { l->SetGraphicsRootShaderResourceView(0, 0); }},
    {"SetComputeRootUnorderedAccessView",
     [](List* l) { l->SetComputeRootUnorderedAccessView(0, 0); }},
    {"SetGraphicsRootUnorderedAccessView",
     [](List* l) { l->SetGraphicsRootUnorderedAccessView(0, 0); }},
    {"IASetIndexBuffer", [](List* l) { l->IASetIndexBuffer(nullptr); }},
    {"IASetVertexBuffers", [](List* l) { l->IASetVertexBuffers(0, 0, nullptr); }},
    {"SOSetTargets", [](List* l) { l->SOSetTargets(0, 0, nullptr); }},
    {"OMSetRenderTargets", [](List* l) { l->OMSetRenderTargets(0, nullptr, FALSE, nullptr); }},
    {"OMSetDepthBounds", [](List* l) { l->OMSetDepthBounds(0, 1); }},
    {"SetSamplePositions", [](List* l) { l->SetSamplePositions(0, 0, nullptr); }},
    {"SetViewInstanceMask", [](List* l) { l->SetViewInstanceMask(0); }},
    {"SetPipelineState1", [](List* l) { l->SetPipelineState1(nullptr); }},
    {"RSSetShadingRate", [](List* l) { l->RSSetShadingRate({}, nullptr); }},
    {"RSSetShadingRateImage", [](List* l) { l->RSSetShadingRateImage(nullptr); }},
};

TEST_F(UnsupportedTest, WorkThatCannotBeDoneMakesCloseFail) {
  for (const Method& method : kWork) {
    SetLastError("stale");
    EXPECT_EQ(CloseAfter(method), E_NOTIMPL) << method.name;
  }
  std::vector<FailingCall> calls;
  for (const Method& method : kWork) {
    calls.push_back({method.name, S_OK, [&] { return method.call(newest.Get()), S_OK; }});
  }
  ExpectSentences(calls, messages.Get());
  EXPECT_EQ(device->GetDeviceRemovedReason(), S_OK);
}

TEST_F(UnsupportedTest, StateThatNothingReadsLeavesANoteAndTheListWhole) {
  for (const Method& method : kState) {
    messages->ClearStoredMessages();
    EXPECT_EQ(CloseAfter(method), S_OK) << method.name;
    EXPECT_EQ(NewestMessage(messages.Get()),
              std::string(method.name) + ": has no effect on this device");
  }
}

// A device's method, with a result that must become null.
struct Maker {
  const char* name;
  std::function<HRESULT(ID3D12Device9*, void**)> call;
};

const Maker kMakers[] = {
    {"CreateGraphicsPipelineState",
     [](auto* d, void** r) { return d->CreateGraphicsPipelineState(nullptr, kAny, r); }},
    {"CreateComputePipelineState",
     [](auto* d, void** r) { return d->CreateComputePipelineState(nullptr, kAny, r); }},
    {"CreateRootSignature",
     [](auto* d, void** r) { return d->CreateRootSignature(0, nullptr, 0, kAny, r); }},
    {"CreateReservedResource",
     [](auto* d, void** r) { return d->CreateReservedResource(nullptr, {}, nullptr, kAny, r); }},
    {"CreateSharedHandle",
     [](auto* d, void** r) { return d->CreateSharedHandle(nullptr, nullptr, 0, nullptr, r); }},
    {"OpenSharedHandle", [](auto* d, void** r) { return d->OpenSharedHandle(nullptr, kAny, r); }},
    {"OpenSharedHandleByName",
     [](auto* d, void** r) { return d->OpenSharedHandleByName(nullptr, 0, r); }},
    {"CreateCommandSignature",
     [](auto* d, void** r) { return d->CreateCommandSignature(nullptr, nullptr, kAny, r); }},
    {"CreatePipelineLibrary",
     [](auto* d, void** r) { return d->CreatePipelineLibrary(nullptr, 0, kAny, r); }},
    {"CreatePipelineState",
     [](auto* d, void** r) { return d->CreatePipelineState(nullptr, kAny, r); }},
    {"OpenExistingHeapFromFileMapping",
     [](auto* d, void** r) { return d->OpenExistingHeapFromFileMapping(nullptr, kAny, r); }},
    {"CreateProtectedResourceSession",
     [](auto* d, void** r) { return d->CreateProtectedResourceSession(nullptr, kAny, r); }},
    {"CreateReservedResource1",
     [](auto* d, void** r) {
       return d->CreateReservedResource1(nullptr, {}, nullptr, nullptr, kAny, r);
     }},
    {"CreateLifetimeTracker",
     [](auto* d, void** r) { return d->CreateLifetimeTracker(nullptr, kAny, r); }},
    {"CreateMetaCommand",
     [](auto* d, void** r) { return d->CreateMetaCommand(kAny, 0, nullptr, 0, kAny, r); }},
    {"CreateStateObject", [](auto* d, void** r) { return d->CreateStateObject(nullptr, kAny, r); }},
    {"AddToStateObject",
     [](auto* d, void** r) { return d->AddToStateObject(nullptr, nullptr, kAny, r); }},
    {"CreateProtectedResourceSession1",
     [](auto* d, void** r) { return d->CreateProtectedResourceSession1(nullptr, kAny, r); }},
    {"CreateShaderCacheSession",
     [](auto* d, void** r) { return d->CreateShaderCacheSession(nullptr, kAny, r); }},
};

TEST_F(UnsupportedTest, WhatTheDeviceCannotMakeIsNullAndSaidInWords) {
  std::vector<FailingCall> calls;
  for (const Maker& maker : kMakers) {
    calls.push_back({maker.name, E_NOTIMPL, [&] {
                       void* made = this;
                       const HRESULT code = maker.call(device.Get(), &made);
                       EXPECT_EQ(made, nullptr) << maker.name;
                       return code;
                     }});
  }
  calls.push_back({"EnumerateMetaCommandParameters", E_NOTIMPL, [&] {
                     return device->EnumerateMetaCommandParameters(kAny, {}, nullptr, nullptr,
                                                                   nullptr);
                   }});
  ExpectSentences(calls, messages.Get());
}

TEST_F(UnsupportedTest, QuestionsOfTilesAndRaysAreAnsweredByNothing) {
  UINT tiles = 7;
  UINT tilings = 7;
  D3D12_PACKED_MIP_INFO packed = {7, 7, 7, 7};
  D3D12_TILE_SHAPE shape = {7, 7, 7};
  D3D12_RAYTRACING_ACCELERATION_STRUCTURE_PREBUILD_INFO rays = {7, 7, 7};
  ExpectSentences(
      {{"GetResourceTiling", S_OK,
        [&] {
          device->GetResourceTiling(nullptr, &tiles, &packed, &shape, &tilings, 0, nullptr);
          return S_OK;
        }},
       {"GetRaytracingAccelerationStructurePrebuildInfo", S_OK,
        [&] {
          device->GetRaytracingAccelerationStructurePrebuildInfo(nullptr, &rays);
          return S_OK;
        }},
       {"CreateSampler", S_OK, [&] { return device->CreateSampler(nullptr, {}), S_OK; }},
       {"CreateRenderTargetView", S_OK,
        [&] { return device->CreateRenderTargetView(nullptr, nullptr, {}), S_OK; }},
       {"CreateDepthStencilView", S_OK,
        [&] { return device->CreateDepthStencilView(nullptr, nullptr, {}), S_OK; }},
       {"CreateSamplerFeedbackUnorderedAccessView", S_OK,
        [&] {
          return device->CreateSamplerFeedbackUnorderedAccessView(nullptr, nullptr, {}), S_OK;
        }}},
      messages.Get());
  EXPECT_EQ(tiles + tilings + packed.NumStandardMips + packed.NumTilesForPackedMips, 0u);
  EXPECT_EQ(shape.WidthInTexels + shape.HeightInTexels + shape.DepthInTexels, 0u);
  EXPECT_EQ(rays.ResultDataMaxSizeInBytes + rays.ScratchDataSizeInBytes, 0u);
  EXPECT_EQ(device->CheckDriverMatchingIdentifier({}, nullptr),
            D3D12_DRIVER_MATCHING_IDENTIFIER_UNSUPPORTED_TYPE);
}

}  // namespace
}  // namespace anydml::d3d12
