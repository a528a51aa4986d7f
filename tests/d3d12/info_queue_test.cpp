// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The debug layer: messages, filters, callbacks.
#include <cstdlib>
#include <string>

#include "d3d12/fixture.h"

namespace anydml::d3d12 {
namespace {

class InfoQueueTest : public D3D12Test {
 protected:
  InfoQueueTest() {
    ComPtr<ID3D12Debug> debug;
    EXPECT_EQ(D3D12GetDebugInterface(IID_PPV_ARGS(&debug)), S_OK);
    debug->EnableDebugLayer();
    EXPECT_EQ(device->QueryInterface(IID_PPV_ARGS(&messages)), S_OK);
  }
  ~InfoQueueTest() override {
    ComPtr<ID3D12Debug4> debug;
    EXPECT_EQ(D3D12GetDebugInterface(IID_PPV_ARGS(&debug)), S_OK);
    debug->DisableDebugLayer();
  }

  // Misuse with a known sentence.
  void Provoke() { EXPECT_EQ(queue->Signal(nullptr, 1), E_INVALIDARG); }

  std::string Text(UINT64 index) {
    SIZE_T size = 0;
    EXPECT_EQ(messages->GetMessage(index, nullptr, &size), S_FALSE);
    std::vector<char> bytes(size);
    auto* message = reinterpret_cast<D3D12_MESSAGE*>(bytes.data());
    EXPECT_EQ(messages->GetMessage(index, message, &size), S_OK);
    return std::string(message->pDescription, message->DescriptionByteLength - 1);
  }

  ComPtr<ID3D12InfoQueue1> messages;
};

constexpr char kSentence[] = "Signal: pFence must be a fence of this library";

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
  EXPECT_EQ(Text(0), kSentence);
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
            prints ? std::string("anydml: ") + kSentence + "\n" : "");
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

struct Heard {
  int calls = 0;
  D3D12_MESSAGE_SEVERITY severity = {};
  std::string text;
};

void Listen(D3D12_MESSAGE_CATEGORY, D3D12_MESSAGE_SEVERITY severity, D3D12_MESSAGE_ID,
            LPCSTR description, void* context) {
  auto* heard = static_cast<Heard*>(context);
  ++heard->calls;
  heard->severity = severity;
  heard->text = description;
}

TEST_F(InfoQueueTest, CallsBackUntilUnregistered) {
  Heard heard;
  DWORD cookie = 0;
  ASSERT_EQ(
      messages->RegisterMessageCallback(Listen, D3D12_MESSAGE_CALLBACK_FLAG_NONE, &heard, &cookie),
      S_OK);
  EXPECT_NE(cookie, 0u);
  Provoke();
  EXPECT_EQ(heard.calls, 1);
  EXPECT_EQ(heard.severity, D3D12_MESSAGE_SEVERITY_ERROR);
  EXPECT_EQ(heard.text, kSentence);
  ASSERT_EQ(messages->UnregisterMessageCallback(cookie), S_OK);
  Provoke();
  EXPECT_EQ(heard.calls, 1);
  EXPECT_EQ(messages->UnregisterMessageCallback(cookie), E_INVALIDARG);
  EXPECT_EQ(
      messages->RegisterMessageCallback(nullptr, D3D12_MESSAGE_CALLBACK_FLAG_NONE, &heard, &cookie),
      E_INVALIDARG);
}

TEST_F(InfoQueueTest, FiltersKeepMessagesFromStoreAndCallback) {
  Heard filtered, all;
  DWORD cookie = 0;
  ASSERT_EQ(messages->RegisterMessageCallback(Listen, D3D12_MESSAGE_CALLBACK_FLAG_NONE, &filtered,
                                              &cookie),
            S_OK);
  ASSERT_EQ(messages->RegisterMessageCallback(Listen, D3D12_MESSAGE_CALLBACK_IGNORE_FILTERS, &all,
                                              &cookie),
            S_OK);
  D3D12_MESSAGE_SEVERITY error = D3D12_MESSAGE_SEVERITY_ERROR;
  D3D12_INFO_QUEUE_FILTER filter = {};
  filter.DenyList.NumSeverities = 1;
  filter.DenyList.pSeverityList = &error;
  ASSERT_EQ(messages->PushStorageFilter(&filter), S_OK);
  EXPECT_EQ(messages->GetStorageFilterStackSize(), 1u);
  Provoke();
  EXPECT_EQ(messages->GetNumStoredMessages(), 0u);
  EXPECT_EQ(messages->GetNumMessagesDeniedByStorageFilter(), 1u);
  EXPECT_EQ(filtered.calls, 0);
  EXPECT_EQ(all.calls, 1);
  messages->PopStorageFilter();
  Provoke();
  EXPECT_EQ(messages->GetNumStoredMessages(), 1u);
  EXPECT_EQ(messages->GetNumMessagesAllowedByStorageFilter(), 1u);
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
