// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The debug layer: messages and filters.
#include <climits>
#include <cstdlib>

#include "base/last_error.h"
#include "d3d12/info_queue_fixture.h"

namespace anydml::d3d12 {
namespace {

TEST(DebugInterface, ServesItsVersions) {
  ComPtr<ID3D12Debug> debug;
  ComPtr<ID3D12Debug1> debug1;
  ComPtr<ID3D12Debug2> debug2;
  ComPtr<ID3D12Debug3> debug3;
  EXPECT_EQ(D3D12GetDebugInterface(IID_PPV_ARGS(&debug)), S_OK);
  EXPECT_EQ(D3D12GetDebugInterface(IID_PPV_ARGS(&debug1)), S_OK);
  EXPECT_EQ(D3D12GetDebugInterface(IID_PPV_ARGS(&debug2)), S_OK);
  EXPECT_EQ(D3D12GetDebugInterface(IID_PPV_ARGS(&debug3)), S_OK);
  debug3->SetEnableGPUBasedValidation(TRUE);
  debug1->SetEnableSynchronizedCommandQueueValidation(TRUE);
  debug2->SetGPUBasedValidationFlags(D3D12_GPU_BASED_VALIDATION_FLAGS_NONE);
  ComPtr<ID3D12DeviceRemovedExtendedDataSettings> dred;
  EXPECT_EQ(D3D12GetDebugInterface(IID_PPV_ARGS(&dred)), E_NOINTERFACE);
  EXPECT_EQ(D3D12GetDebugInterface(__uuidof(ID3D12Debug), nullptr), S_FALSE);
}

TEST_F(D3D12Test, WithoutTheDebugLayerThereIsNoInfoQueue) {
  ComPtr<ID3D12InfoQueue> messages;
  EXPECT_EQ(device->QueryInterface(IID_PPV_ARGS(&messages)), E_NOINTERFACE);
}

TEST_F(InfoQueueTest, IsAPartOfTheDevice) {
  ComPtr<IUnknown> of_queue, of_device;
  ASSERT_EQ(messages->QueryInterface(__uuidof(IUnknown), &of_queue), S_OK);
  ASSERT_EQ(device->QueryInterface(__uuidof(IUnknown), &of_device), S_OK);
  EXPECT_EQ(of_queue.Get(), of_device.Get());
  ComPtr<ID3D12InfoQueue> older;
  EXPECT_EQ(messages->QueryInterface(IID_PPV_ARGS(&older)), S_OK);
}

TEST_F(InfoQueueTest, StoresSentences) {
  Provoke();
  ASSERT_EQ(messages->GetNumStoredMessages(), 1u);
  EXPECT_EQ(Text(0), kProvoked);
  EXPECT_EQ(messages->GetNumStoredMessagesAllowedByRetrievalFilter(), 1u);
  SIZE_T size = 1;
  D3D12_MESSAGE message = {};
  EXPECT_EQ(messages->GetMessage(0, &message, &size), E_INVALIDARG);
  EXPECT_EQ(messages->GetMessage(1, nullptr, &size), E_INVALIDARG);
  EXPECT_EQ(messages->GetMessage(0, nullptr, nullptr), E_INVALIDARG);
  messages->ClearStoredMessages();
  EXPECT_EQ(messages->GetNumStoredMessages(), 0u);
}

TEST_F(InfoQueueTest, PrintsNothingUnlessTheEnvironmentAsksForIt) {
  testing::internal::CaptureStderr();
  Provoke();
  const char* setting = std::getenv("ANYDML_DEBUG");
  const bool prints = setting != nullptr && std::string(setting) == "1";
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            prints ? std::string("anydml: ") + kProvoked + "\n" : "");
}

TEST_F(InfoQueueTest, KeepsTheNewestMessages) {
  ASSERT_EQ(messages->SetMessageCountLimit(2), S_OK);
  EXPECT_EQ(messages->GetMessageCountLimit(), 2u);
  for (const char* text : {"one", "two", "three"}) {
    ASSERT_EQ(messages->AddApplicationMessage(D3D12_MESSAGE_SEVERITY_INFO, text), S_OK);
  }
  EXPECT_EQ(messages->GetNumStoredMessages(), 2u);
  EXPECT_EQ(messages->GetNumMessagesDiscardedByMessageCountLimit(), 1u);
  EXPECT_EQ(Text(0), "two");
  EXPECT_EQ(messages->AddApplicationMessage(D3D12_MESSAGE_SEVERITY_INFO, nullptr), E_INVALIDARG);
}

TEST_F(InfoQueueTest, FiltersCanBeReadBack) {
  D3D12_MESSAGE_SEVERITY severities[] = {D3D12_MESSAGE_SEVERITY_INFO,
                                         D3D12_MESSAGE_SEVERITY_WARNING};
  D3D12_MESSAGE_ID id = D3D12_MESSAGE_ID_STRING_FROM_APPLICATION;
  D3D12_INFO_QUEUE_FILTER filter = {};
  filter.AllowList.NumSeverities = 2;
  filter.AllowList.pSeverityList = severities;
  filter.DenyList.NumIDs = 1;
  filter.DenyList.pIDList = &id;
  ASSERT_EQ(messages->AddRetrievalFilterEntries(&filter), S_OK);
  SIZE_T size = 0;
  ASSERT_EQ(messages->GetRetrievalFilter(nullptr, &size), S_FALSE);
  std::vector<uint64_t> bytes(size / 8 + 1);
  auto* read = reinterpret_cast<D3D12_INFO_QUEUE_FILTER*>(bytes.data());
  ASSERT_EQ(messages->GetRetrievalFilter(read, &size), S_OK);
  ASSERT_EQ(read->AllowList.NumSeverities, 2u);
  EXPECT_EQ(read->AllowList.pSeverityList[1], D3D12_MESSAGE_SEVERITY_WARNING);
  ASSERT_EQ(read->DenyList.NumIDs, 1u);
  EXPECT_EQ(read->DenyList.pIDList[0], id);
  Provoke();
  EXPECT_EQ(messages->GetNumStoredMessages(), 1u);
  EXPECT_EQ(messages->GetNumStoredMessagesAllowedByRetrievalFilter(), 0u);
  messages->ClearRetrievalFilter();
  EXPECT_EQ(messages->GetNumStoredMessagesAllowedByRetrievalFilter(), 1u);
  EXPECT_EQ(messages->AddStorageFilterEntries(nullptr), E_INVALIDARG);
  EXPECT_EQ(messages->PushEmptyStorageFilter(), S_OK);
  EXPECT_EQ(messages->PushCopyOfStorageFilter(), S_OK);
  EXPECT_EQ(messages->PushEmptyRetrievalFilter(), S_OK);
  EXPECT_EQ(messages->PushCopyOfRetrievalFilter(), S_OK);
  EXPECT_EQ(messages->GetRetrievalFilterStackSize(), 2u);
  messages->PopRetrievalFilter();
  messages->ClearStorageFilter();
  EXPECT_EQ(messages->GetStorageFilter(nullptr, &size), S_FALSE);
}

// Each of the six lists, with a number and nothing to read from.
TEST_F(InfoQueueTest, ListsThatAreNotThereAreRefused) {
  D3D12_INFO_QUEUE_FILTER filter = {};
  filter.AllowList.NumIDs = UINT_MAX;
  EXPECT_EQ(messages->PushStorageFilter(&filter), E_INVALIDARG);
  EXPECT_EQ(LastErrorOfThread(),
            "PushStorageFilter: AllowList.pIDList must not be null, since NumIDs = 4294967295");
  EXPECT_EQ(messages->AddStorageFilterEntries(&filter), E_INVALIDARG);
  EXPECT_EQ(
      LastErrorOfThread(),
      "AddStorageFilterEntries: AllowList.pIDList must not be null, since NumIDs = 4294967295");
  EXPECT_EQ(messages->PushRetrievalFilter(&filter), E_INVALIDARG);
  EXPECT_EQ(messages->AddRetrievalFilterEntries(&filter), E_INVALIDARG);
  EXPECT_EQ(messages->PushStorageFilter(nullptr), E_INVALIDARG);
  EXPECT_EQ(LastErrorOfThread(), "PushStorageFilter: pFilter must not be null");
  const auto refuses = [&](UINT D3D12_INFO_QUEUE_FILTER_DESC::*number, bool allow) {
    D3D12_INFO_QUEUE_FILTER wrong = {};
    D3D12_INFO_QUEUE_FILTER_DESC& list = allow ? wrong.AllowList : wrong.DenyList;
    list.*number = 1;
    return messages->PushStorageFilter(&wrong) == E_INVALIDARG;
  };
  for (bool allow : {false, true}) {
    EXPECT_TRUE(refuses(&D3D12_INFO_QUEUE_FILTER_DESC::NumCategories, allow));
    EXPECT_TRUE(refuses(&D3D12_INFO_QUEUE_FILTER_DESC::NumSeverities, allow));
    EXPECT_TRUE(refuses(&D3D12_INFO_QUEUE_FILTER_DESC::NumIDs, allow));
  }
  EXPECT_EQ(messages->GetStorageFilterStackSize(), 0u);
  EXPECT_EQ(messages->GetRetrievalFilterStackSize(), 0u);
}

// ClearStorageFilter: "Remove a storage filter from the top of the storage-filter
// stack."
TEST_F(InfoQueueTest, ClearRemovesTheTopmostFilter) {
  D3D12_MESSAGE_SEVERITY error = D3D12_MESSAGE_SEVERITY_ERROR;
  D3D12_INFO_QUEUE_FILTER filter = {};
  filter.DenyList.NumSeverities = 1;
  filter.DenyList.pSeverityList = &error;
  ASSERT_EQ(messages->PushStorageFilter(&filter), S_OK);
  ASSERT_EQ(messages->PushEmptyStorageFilter(), S_OK);
  messages->ClearStorageFilter();
  EXPECT_EQ(messages->GetStorageFilterStackSize(), 1u);
  Provoke();
  EXPECT_EQ(messages->GetNumStoredMessages(), 0u) << "the lower filter counts again";
  messages->ClearStorageFilter();
  messages->ClearStorageFilter();  // of an empty stack: nothing
  EXPECT_EQ(messages->GetStorageFilterStackSize(), 0u);
  ASSERT_EQ(messages->PushRetrievalFilter(&filter), S_OK);
  ASSERT_EQ(messages->PushEmptyRetrievalFilter(), S_OK);
  messages->ClearRetrievalFilter();
  EXPECT_EQ(messages->GetRetrievalFilterStackSize(), 1u);
}

// GetMessage: "Index into message queue after an optional retrieval filter has
// been applied".
TEST_F(InfoQueueTest, MessagesAreCountedAfterTheRetrievalFilter) {
  const auto info = D3D12_MESSAGE_SEVERITY_INFO, error = D3D12_MESSAGE_SEVERITY_ERROR;
  ASSERT_EQ(messages->AddApplicationMessage(info, "one"), S_OK);
  ASSERT_EQ(messages->AddApplicationMessage(error, "two"), S_OK);
  ASSERT_EQ(messages->AddApplicationMessage(info, "three"), S_OK);
  ASSERT_EQ(messages->AddApplicationMessage(error, "four"), S_OK);
  D3D12_MESSAGE_SEVERITY denied = info;
  D3D12_INFO_QUEUE_FILTER filter = {};
  filter.DenyList.NumSeverities = 1;
  filter.DenyList.pSeverityList = &denied;
  ASSERT_EQ(messages->PushRetrievalFilter(&filter), S_OK);
  ASSERT_EQ(messages->GetNumStoredMessagesAllowedByRetrievalFilter(), 2u);
  EXPECT_EQ(Text(0), "two");
  EXPECT_EQ(Text(1), "four");
  SIZE_T size = 0;
  EXPECT_EQ(messages->GetMessage(2, nullptr, &size), E_INVALIDARG);
  messages->PopRetrievalFilter();
  EXPECT_EQ(Text(2), "three");
}

TEST_F(InfoQueueTest, BreaksAndMuteAreRemembered) {
  ASSERT_EQ(messages->SetBreakOnSeverity(D3D12_MESSAGE_SEVERITY_ERROR, TRUE), S_OK);
  ASSERT_EQ(messages->SetBreakOnCategory(D3D12_MESSAGE_CATEGORY_EXECUTION, TRUE), S_OK);
  ASSERT_EQ(messages->SetBreakOnID(D3D12_MESSAGE_ID_UNKNOWN, TRUE), S_OK);
  EXPECT_TRUE(messages->GetBreakOnSeverity(D3D12_MESSAGE_SEVERITY_ERROR));
  EXPECT_FALSE(messages->GetBreakOnSeverity(D3D12_MESSAGE_SEVERITY_INFO));
  EXPECT_TRUE(messages->GetBreakOnCategory(D3D12_MESSAGE_CATEGORY_EXECUTION));
  EXPECT_TRUE(messages->GetBreakOnID(D3D12_MESSAGE_ID_UNKNOWN));
  Provoke();  // and nothing stops
  EXPECT_FALSE(messages->GetMuteDebugOutput());
  messages->SetMuteDebugOutput(TRUE);
  EXPECT_TRUE(messages->GetMuteDebugOutput());
}

}  // namespace
}  // namespace anydml::d3d12
