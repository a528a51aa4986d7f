// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// C.6: every failing call of DXCore and Direct3D 12 leaves a sentence that names
// its method, as the thread's last error and in the info queue.
#include "support/sentences.h"

#include "d3d12/queue_fixture.h"

namespace anydml::d3d12 {
namespace {

using test::ExpectSentences;
using test::FailingCall;

constexpr GUID kKey = {0x11111111, 0x2222, 0x3333, {1, 2, 3, 4, 5, 6, 7, 8}};
const GUID kWrong = __uuidof(IDXCoreAdapterList);  // no object of Direct3D 12 has it

// DXCORE_ADAPTER_ATTRIBUTE_D3D12_CORE_COMPUTE
const GUID kCompute = {
    0x248e2800, 0xa793, 0x4724, {0xab, 0xaa, 0x23, 0xa6, 0xde, 0x1b, 0xe0, 0x90}};

class SentencesTest : public QueueTest {
 protected:
  SentencesTest() {
    EXPECT_EQ(D3D12GetDebugInterface(IID_PPV_ARGS(&debug)), S_OK);
    debug->EnableDebugLayer();
    EXPECT_EQ(device->QueryInterface(IID_PPV_ARGS(&messages)), S_OK);
  }
  ~SentencesTest() override { debug->DisableDebugLayer(); }

  ComPtr<ID3D12Debug4> debug;
  ComPtr<ID3D12InfoQueue1> messages;
  void* nothing = nullptr;
};

TEST_F(SentencesTest, OfInterfacesThatTheResultDoesNotHave) {
  const D3D12_COMMAND_QUEUE_DESC queue_desc = {};
  const D3D12_DESCRIPTOR_HEAP_DESC views = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 1, {}, 0};
  const D3D12_QUERY_HEAP_DESC queries = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 1, 0};
  const auto type = D3D12_COMMAND_LIST_TYPE_COMPUTE;
  const auto call = [&](const char* method, auto create, auto desc) {
    const auto body = [=, this] { return (device.Get()->*create)(desc, kWrong, &nothing); };
    return FailingCall{method, E_NOINTERFACE, body};
  };
  ExpectSentences({call("CreateCommandQueue", &ID3D12Device9::CreateCommandQueue, &queue_desc),
                   call("CreateCommandAllocator", &ID3D12Device9::CreateCommandAllocator, type),
                   call("CreateDescriptorHeap", &ID3D12Device9::CreateDescriptorHeap, &views),
                   call("CreateQueryHeap", &ID3D12Device9::CreateQueryHeap, &queries),
                   {"CreateCommandList1", E_NOINTERFACE,
                    [&] { return device->CreateCommandList1(0, type, {}, kWrong, &nothing); }}},
                  messages.Get());
}

// Methods that may be asked whether they would create something, without a result.
TEST_F(SentencesTest, OfInterfacesThatNoResultWouldHave) {
  const D3D12_HEAP_PROPERTIES properties = HeapOf(D3D12_HEAP_TYPE_DEFAULT);
  const D3D12_RESOURCE_DESC buffer = BufferOf(16);
  const D3D12_HEAP_DESC heap_desc = {65536, properties, 0, {}};
  ComPtr<ID3D12Heap> heap;
  ASSERT_EQ(device->CreateHeap(&heap_desc, IID_PPV_ARGS(&heap)), S_OK);
  const auto type = D3D12_COMMAND_LIST_TYPE_COMPUTE;
  ComPtr<ID3D12CommandAllocator> other;
  ASSERT_EQ(device->CreateCommandAllocator(type, IID_PPV_ARGS(&other)), S_OK);
  for (void** result : {&nothing, static_cast<void**>(nullptr)}) {
    ExpectSentences(
        {{"CreateFence", E_NOINTERFACE, [&] { return device->CreateFence(0, {}, kWrong, result); }},
         {"CreateCommandList", E_NOINTERFACE,
          [&] { return device->CreateCommandList(0, type, other.Get(), nullptr, kWrong, result); }},
         {"CreateHeap", E_NOINTERFACE,
          [&] { return device->CreateHeap(&heap_desc, kWrong, result); }},
         {"CreateCommittedResource", E_NOINTERFACE,
          [&] {
            return device->CreateCommittedResource(&properties, {}, &buffer, {}, nullptr, kWrong,
                                                   result);
          }},
         {"CreatePlacedResource", E_NOINTERFACE,
          [&] {
            return device->CreatePlacedResource(heap.Get(), 0, &buffer, {}, nullptr, kWrong,
                                                result);
          }}},
        messages.Get());
  }
}

TEST_F(SentencesTest, OfQuestionsThatAreAnsweredByNo) {
  const auto buffer = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 16);
  ComPtr<ID3D12Resource2> newer;
  ASSERT_EQ(buffer->QueryInterface(IID_PPV_ARGS(&newer)), S_OK);
  UINT size = 0;
  const int value = 42;
  ASSERT_EQ(fence->SetPrivateData(kKey, sizeof value, &value), S_OK);
  ExpectSentences(
      {{"QueryInterface", E_NOINTERFACE, [&] { return device->QueryInterface(kWrong, &nothing); }},
       {"QueryInterface", E_POINTER, [&] { return queue->QueryInterface(kKey, nullptr); }},
       {"QueryInterface", E_NOINTERFACE,
        [&] { return messages->QueryInterface(kWrong, &nothing); }},
       {"GetDevice", E_NOINTERFACE, [&] { return list->GetDevice(kWrong, &nothing); }},
       {"GetDevice", E_POINTER, [&] { return list->GetDevice(kKey, nullptr); }},
       {"GetPrivateData", DXGI_ERROR_NOT_FOUND,
        [&] { return queue->GetPrivateData(kKey, &size, nullptr); }},
       {"GetPrivateData", DXGI_ERROR_MORE_DATA,
        [&] { return fence->GetPrivateData(kKey, &size, &size); }},
       {"GetPrivateData", E_INVALIDARG,
        [&] { return device->GetPrivateData(kKey, nullptr, nullptr); }},
       {"SetPrivateData", E_INVALIDARG,
        [&] { return allocator->SetPrivateData(kKey, 4, nullptr); }},
       {"GetProtectedResourceSession", DXGI_ERROR_NOT_FOUND,
        [&] { return newer->GetProtectedResourceSession(kWrong, &nothing); }}},
      messages.Get());
}

TEST_F(SentencesTest, OfPointersThatMustNotBeNull) {
  ID3D12Pageable* const none[] = {nullptr};
  const auto bad_event = reinterpret_cast<HANDLE>(intptr_t{999999});
  ExpectSentences(
      {{"MakeResident", E_INVALIDARG, [&] { return device->MakeResident(2, nullptr); }},
       {"MakeResident", E_INVALIDARG, [&] { return device->MakeResident(1, none); }},
       {"Evict", E_INVALIDARG, [&] { return device->Evict(2, nullptr); }},
       {"SetResidencyPriority", E_INVALIDARG,
        [&] { return device->SetResidencyPriority(2, nullptr, nullptr); }},
       {"EnqueueMakeResident", E_INVALIDARG,
        [&] { return device->EnqueueMakeResident({}, 0, nullptr, nullptr, 1); }},
       {"EnumerateMetaCommands", E_INVALIDARG,
        [&] { return device->EnumerateMetaCommands(nullptr, nullptr); }},
       {"SetBackgroundProcessingMode", E_HANDLE,
        [&] { return device->SetBackgroundProcessingMode({}, {}, bad_event, nullptr); }},
       {"CheckFeatureSupport", E_INVALIDARG,
        [&] { return device->CheckFeatureSupport(D3D12_FEATURE_D3D12_OPTIONS, nullptr, 0); }},
       {"GetResourceAllocationInfo", S_OK,
        [&] { return device->GetResourceAllocationInfo(0, 1, nullptr), S_OK; }},
       {"GetCopyableFootprints", S_OK,
        [&] {
          device->GetCopyableFootprints(nullptr, 0, 1, 0, nullptr, nullptr, nullptr, nullptr);
          return S_OK;
        }},
       {"CreateCommandList", E_INVALIDARG,
        [&] {
          return device->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_COMPUTE, nullptr, nullptr,
                                           kKey, &nothing);
        }}},
      messages.Get());
}

TEST_F(SentencesTest, OfQueuesAndFencesThatNeedAPointer) {
  const auto bad_event = reinterpret_cast<HANDLE>(intptr_t{999999});
  ExpectSentences(
      {{"GetTimestampFrequency", E_INVALIDARG,
        [&] { return queue->GetTimestampFrequency(nullptr); }},
       {"GetClockCalibration", E_INVALIDARG,
        [&] { return queue->GetClockCalibration(nullptr, nullptr); }},
       {"Signal", E_INVALIDARG, [&] { return queue->Signal(nullptr, 1); }},
       {"Wait", E_INVALIDARG, [&] { return queue->Wait(nullptr, 1); }},
       {"SetEventOnCompletion", E_HANDLE,
        [&] { return fence->SetEventOnCompletion(1, bad_event); }},
       {"SetEventOnMultipleFenceCompletion", E_INVALIDARG,
        [&] { return device->SetEventOnMultipleFenceCompletion(nullptr, nullptr, 1, {}, {}); }}},
      messages.Get());
}

TEST_F(SentencesTest, OfCallsOnARemovedDevice) {
  const auto buffer = MakeBuffer(D3D12_HEAP_TYPE_UPLOAD, 16);
  device->RemoveDevice();
  const HRESULT removed = DXGI_ERROR_DEVICE_REMOVED;
  ID3D12CommandList* lists[] = {list.Get()};
  D3D12_FEATURE_DATA_D3D12_OPTIONS options = {};
  ExpectSentences(
      {{"CreateFence", removed, [&] { return device->CreateFence(0, {}, kKey, &nothing); }},
       {"CreateHeap", removed, [&] { return device->CreateHeap(nullptr, kKey, &nothing); }},
       {"CheckFeatureSupport", removed,
        [&] {
          return device->CheckFeatureSupport(D3D12_FEATURE_D3D12_OPTIONS, &options, sizeof options);
        }},
       {"MakeResident", removed, [&] { return device->MakeResident(0, nullptr); }},
       {"Map", removed, [&] { return buffer->Map(0, nullptr, &nothing); }},
       {"Signal", removed, [&] { return queue->Signal(fence.Get(), 1); }},
       {"Wait", removed, [&] { return queue->Wait(fence.Get(), 1); }},
       {"Signal", removed, [&] { return fence->Signal(1); }},
       {"ExecuteCommandLists", S_OK, [&] { return queue->ExecuteCommandLists(1, lists), S_OK; }},
       {"EndQuery", S_OK,
        [&] { return list->EndQuery(nullptr, D3D12_QUERY_TYPE_TIMESTAMP, 0), S_OK; }},
       {"ID3D12GraphicsCommandList::Close", removed, [&] { return list->Close(); }},
       {"ID3D12GraphicsCommandList::Reset", removed,
        [&] { return list->Reset(allocator.Get(), nullptr); }},
       {"ID3D12CommandAllocator::Reset", removed, [&] { return allocator->Reset(); }}},
      messages.Get());
  EXPECT_EQ(LastErrorOfThread(),
            "ID3D12CommandAllocator::Reset: the device was removed: RemoveDevice: the program "
            "removed the device");
  EXPECT_EQ(device->GetDeviceRemovedReason(), DXGI_ERROR_DEVICE_REMOVED);
  EXPECT_EQ(LastErrorOfThread(), "RemoveDevice: the program removed the device");
}

TEST_F(SentencesTest, OfAListThatIsClosedAfterARefusal) {
  list->CopyResource(nullptr, nullptr);
  const std::string refusal(LastErrorOfThread());
  fence->QueryInterface(kWrong, &nothing);
  ExpectSentences(
      {{"ID3D12GraphicsCommandList::Close", E_INVALIDARG, [&] { return list->Close(); }}},
      messages.Get());
  EXPECT_EQ(LastErrorOfThread(),
            "ID3D12GraphicsCommandList::Close: a command was refused: " + refusal);
}

TEST_F(SentencesTest, OfTheInfoQueueDoNotGoIntoIt) {
  SIZE_T bytes = 0;
  DWORD cookie = 0;
  ExpectSentences(
      {{"GetMessage", E_INVALIDARG, [&] { return messages->GetMessage(4711, nullptr, &bytes); }},
       {"AddMessage", E_INVALIDARG,
        [&] { return messages->AddMessage({}, {}, D3D12_MESSAGE_ID_UNKNOWN, nullptr); }},
       {"PushStorageFilter", E_INVALIDARG, [&] { return messages->PushStorageFilter(nullptr); }},
       {"AddRetrievalFilterEntries", E_INVALIDARG,
        [&] { return messages->AddRetrievalFilterEntries(nullptr); }},
       {"GetStorageFilter", E_INVALIDARG,
        [&] { return messages->GetStorageFilter(nullptr, nullptr); }},
       {"RegisterMessageCallback", E_INVALIDARG,
        [&] { return messages->RegisterMessageCallback(nullptr, {}, nullptr, &cookie); }},
       {"UnregisterMessageCallback", E_INVALIDARG,
        [&] { return messages->UnregisterMessageCallback(4711); }}},
      nullptr);
  EXPECT_EQ(messages->GetNumStoredMessages(), 0u);
}

TEST_F(SentencesTest, OfEntryPoints) {
  ExpectSentences(
      {{"D3D12CreateDevice", E_NOINTERFACE,
        [&] { return D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, kWrong, &nothing); }},
       {"D3D12CreateDevice", E_INVALIDARG,
        [&] { return D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL(1), kKey, &nothing); }},
       {"D3D12GetDebugInterface", E_NOINTERFACE,
        [&] { return D3D12GetDebugInterface(kWrong, &nothing); }},
       {"D3D12GetInterface", E_NOINTERFACE,
        [&] { return D3D12GetInterface(kWrong, kWrong, &nothing); }},
       {"D3D12GetInterface", E_NOINTERFACE,
        [&] { return D3D12GetInterface(kWrong, kWrong, nullptr); }},
       {"D3D12SerializeVersionedRootSignature", E_NOTIMPL,
        [&] { return D3D12SerializeVersionedRootSignature(nullptr, nullptr, nullptr); }},
       {"D3D12SerializeRootSignature", E_NOTIMPL,
        [&] { return D3D12SerializeRootSignature(nullptr, {}, nullptr, nullptr); }},
       {"D3D12CreateRootSignatureDeserializer", E_NOTIMPL,
        [&] { return D3D12CreateRootSignatureDeserializer(nullptr, 0, kWrong, nullptr); }},
       {"D3D12CreateVersionedRootSignatureDeserializer", E_NOTIMPL,
        [&] { return D3D12CreateVersionedRootSignatureDeserializer(nullptr, 0, kWrong, nullptr); }},
       {"D3D12EnableExperimentalFeatures", E_NOINTERFACE,
        [&] { return D3D12EnableExperimentalFeatures(1, &kWrong, nullptr, nullptr); }},
       {"DXCoreCreateAdapterFactory", E_NOINTERFACE,
        [&] { return DXCoreCreateAdapterFactory(kWrong, &nothing); }},
       {"DXCoreCreateAdapterFactory", E_POINTER,
        [&] { return DXCoreCreateAdapterFactory(kKey, nullptr); }}},
      nullptr);
}

TEST_F(SentencesTest, EntryPointsThatRefuseGiveNothing) {
  int anything = 0;
  void* object = &anything;
  EXPECT_EQ(D3D12GetInterface(kWrong, kWrong, &object), E_NOINTERFACE);
  EXPECT_EQ(object, nullptr);
  auto* blob = reinterpret_cast<ID3DBlob*>(&anything);
  ID3DBlob* errors = blob;
  const D3D12_VERSIONED_ROOT_SIGNATURE_DESC desc = {};
  EXPECT_EQ(D3D12SerializeVersionedRootSignature(&desc, &blob, &errors), E_NOTIMPL);
  EXPECT_EQ(blob, nullptr);
  EXPECT_EQ(errors, nullptr);
  blob = errors = reinterpret_cast<ID3DBlob*>(&anything);
  EXPECT_EQ(D3D12SerializeRootSignature(&desc.Desc_1_0, {}, &blob, &errors), E_NOTIMPL);
  EXPECT_EQ(blob, nullptr);
  EXPECT_EQ(errors, nullptr);
  for (const auto create :
       {D3D12CreateRootSignatureDeserializer, D3D12CreateVersionedRootSignatureDeserializer}) {
    object = &anything;
    EXPECT_EQ(create(&anything, sizeof anything, kWrong, &object), E_NOTIMPL);
    EXPECT_EQ(object, nullptr);
  }
}

TEST_F(SentencesTest, OfDxcore) {
  ComPtr<IDXCoreAdapterFactory> factory;
  ASSERT_EQ(DXCoreCreateAdapterFactory(IID_PPV_ARGS(&factory)), S_OK);
  ComPtr<IDXCoreAdapterList> adapters;
  ComPtr<IDXCoreAdapter> adapter;
  ASSERT_EQ(factory->CreateAdapterList(1, &kCompute, IID_PPV_ARGS(&adapters)), S_OK);
  ASSERT_EQ(adapters->GetAdapter(0, IID_PPV_ARGS(&adapter)), S_OK);
  const auto unknown = static_cast<DXCoreAdapterProperty>(4711);
  const auto budget = DXCoreAdapterState::AdapterMemoryBudget;
  char byte = 0;
  ExpectSentences(
      {{"CreateAdapterList", E_POINTER,
        [&] { return factory->CreateAdapterList(1, nullptr, kKey, &nothing); }},
       {"CreateAdapterList", E_NOINTERFACE,
        [&] { return factory->CreateAdapterList(1, &kCompute, kKey, &nothing); }},
       {"GetAdapterByLuid", E_INVALIDARG,
        [&] {
          return factory->GetAdapterByLuid({4711, 0}, kKey, &nothing);
        }},
       {"RegisterEventNotification", E_POINTER,
        [&] { return factory->RegisterEventNotification(nullptr, {}, nullptr, nullptr, nullptr); }},
       {"UnregisterEventNotification", E_INVALIDARG,
        [&] { return factory->UnregisterEventNotification(4711); }},
       {"GetAdapter", E_INVALIDARG, [&] { return adapters->GetAdapter(9, kKey, &nothing); }},
       {"GetAdapter", E_NOINTERFACE, [&] { return adapters->GetAdapter(0, kKey, &nothing); }},
       {"Sort", E_INVALIDARG, [&] { return adapters->Sort(0, nullptr); }},
       {"GetProperty", E_POINTER, [&] { return adapter->GetProperty(unknown, 0, nullptr); }},
       {"GetProperty", DXGI_ERROR_INVALID_CALL,
        [&] { return adapter->GetProperty(unknown, 1, &byte); }},
       {"GetProperty", E_INVALIDARG,
        [&] { return adapter->GetProperty(DXCoreAdapterProperty::InstanceLuid, 1, &byte); }},
       {"GetPropertySize", E_POINTER, [&] { return adapter->GetPropertySize(unknown, nullptr); }},
       {"QueryState", E_POINTER,
        [&] { return adapter->QueryState(budget, 0, nullptr, 0, nullptr); }},
       {"QueryState", E_INVALIDARG,
        [&] { return adapter->QueryState(budget, 1, &byte, 1, &byte); }},
       {"SetState", DXGI_ERROR_UNSUPPORTED,
        [&] { return adapter->SetState(budget, 0, nullptr, 0, nullptr); }}},
      nullptr);
}

}  // namespace
}  // namespace anydml::d3d12
