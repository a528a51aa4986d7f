// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// C.6: every failing call of DirectML leaves a sentence that names its method,
// as the thread's last error and, with the debug flag, in the info queue.
#include "support/sentences.h"

#include <cstdlib>

#include "directml/fixture.h"
#include "directml/foreign_device.h"

namespace anydml::directml {
namespace {

using test::ExpectSentences;
using test::FailingCall;

constexpr GUID kKey = {0x11111111, 0x2222, 0x3333, {1, 2, 3, 4, 5, 6, 7, 8}};
const GUID kWrong = __uuidof(ID3D12Fence);  // no object of DirectML has it

class SentencesTest : public DirectMLTest {
 protected:
  SentencesTest() {
    EXPECT_EQ(DMLCreateDevice(device.Get(), DML_CREATE_DEVICE_FLAG_DEBUG, IID_PPV_ARGS(&dml)),
              S_OK);
    EXPECT_EQ(dml->CreateCommandRecorder(IID_PPV_ARGS(&recorder)), S_OK);
    EXPECT_EQ(device->QueryInterface(IID_PPV_ARGS(&messages)), S_OK);
  }

  ComPtr<ID3D12InfoQueue1> messages;
  void* nothing = nullptr;
};

TEST_F(SentencesTest, OfInterfacesThatTheResultDoesNotHave) {
  const Tensor tensor(DML_TENSOR_DATA_TYPE_FLOAT32, {4});
  const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC gate_desc = {tensor, tensor, tensor};
  const DML_OPERATOR_DESC desc = {DML_OPERATOR_ACTIVATION_RELU_GRAD, &gate_desc};
  const auto gate = CreateGate(4);
  const auto none = DML_EXECUTION_FLAG_NONE;
  ExpectSentences({{"DMLCreateDevice", E_NOINTERFACE,
                    [&] {
                      return DMLCreateDevice(device.Get(), DML_CREATE_DEVICE_FLAG_NONE, kWrong,
                                             &nothing);
                    }},
                   {"DMLCreateDevice1", E_NOINTERFACE,
                    [&] {
                      return DMLCreateDevice1(device.Get(), DML_CREATE_DEVICE_FLAG_NONE,
                                              DML_FEATURE_LEVEL_1_0, kWrong, &nothing);
                    }},
                   {"CreateOperator", E_NOINTERFACE,
                    [&] { return dml->CreateOperator(&desc, kWrong, &nothing); }},
                   {"CompileOperator", E_NOINTERFACE,
                    [&] { return dml->CompileOperator(gate.Get(), none, kWrong, &nothing); }},
                   {"CreateOperatorInitializer", E_NOINTERFACE,
                    [&] { return dml->CreateOperatorInitializer(0, nullptr, kWrong, &nothing); }},
                   {"CreateCommandRecorder", E_NOINTERFACE,
                    [&] { return dml->CreateCommandRecorder(kWrong, &nothing); }},
                   {"CreateBindingTable", E_NOINTERFACE,
                    [&] { return dml->CreateBindingTable(nullptr, kWrong, &nothing); }}},
                  messages.Get());
}

TEST_F(SentencesTest, OfQuestionsThatAreAnsweredByNo) {
  UINT size = 0;
  const int value = 42;
  ASSERT_EQ(recorder->SetPrivateData(kKey, sizeof value, &value), S_OK);
  ExpectSentences(
      {{"QueryInterface", E_NOINTERFACE, [&] { return dml->QueryInterface(kWrong, &nothing); }},
       {"QueryInterface", E_POINTER, [&] { return recorder->QueryInterface(kKey, nullptr); }},
       {"GetDevice", E_NOINTERFACE, [&] { return recorder->GetDevice(kWrong, &nothing); }},
       {"GetParentDevice", E_NOINTERFACE, [&] { return dml->GetParentDevice(kWrong, &nothing); }},
       {"GetParentDevice", E_POINTER, [&] { return dml->GetParentDevice(kWrong, nullptr); }},
       {"GetPrivateData", DXGI_ERROR_NOT_FOUND,
        [&] { return dml->GetPrivateData(kKey, &size, nullptr); }},
       {"GetPrivateData", DXGI_ERROR_MORE_DATA,
        [&] { return recorder->GetPrivateData(kKey, &size, &size); }},
       {"SetPrivateData", E_INVALIDARG, [&] { return dml->SetPrivateData(kKey, 4, nullptr); }}},
      messages.Get());
}

TEST_F(SentencesTest, OfArgumentsThatAreMissing) {
  const auto none = DML_EXECUTION_FLAG_NONE;
  ExpectSentences(
      {{"DMLCreateDevice", E_INVALIDARG,
        [&] { return DMLCreateDevice(device.Get(), DML_CREATE_DEVICE_FLAGS(2), kKey, &nothing); }},
       {"CreateOperator", E_INVALIDARG,
        [&] { return dml->CreateOperator(nullptr, kKey, &nothing); }},
       {"CompileOperator", E_INVALIDARG,
        [&] { return dml->CompileOperator(nullptr, none, kKey, &nothing); }},
       {"CompileGraph", E_INVALIDARG,
        [&] { return dml->CompileGraph(nullptr, none, kKey, &nothing); }},
       {"CreateOperatorInitializer", E_INVALIDARG,
        [&] { return dml->CreateOperatorInitializer(1, nullptr, kKey, &nothing); }},
       {"CreateCommandRecorder", E_INVALIDARG,
        [&] { return dml->CreateCommandRecorder(kKey, nullptr); }},
       {"CreateBindingTable", E_INVALIDARG,
        [&] { return dml->CreateBindingTable(nullptr, kKey, nullptr); }},
       {"CheckFeatureSupport", E_INVALIDARG,
        [&] {
          return dml->CheckFeatureSupport(DML_FEATURE_FEATURE_LEVELS, 0, nullptr, 0, nullptr);
        }},
       {"Evict", E_INVALIDARG, [&] { return dml->Evict(1, nullptr); }},
       {"MakeResident", E_INVALIDARG, [&] { return dml->MakeResident(1, nullptr); }}},
      messages.Get());
}

// dml-errors: "all method calls on the device, and every object created by that
// device, become no-ops", and return DXGI_ERROR_DEVICE_REMOVED. O10.
TEST_F(SentencesTest, OfCallsOnARemovedDevice) {
  const auto compiled = CompileGate(4);
  const auto initializer = Initializer(compiled.Get());
  const auto table = Table(compiled.Get());
  recorder->RecordDispatch(nullptr, nullptr, nullptr);
  ASSERT_EQ(dml->GetDeviceRemovedReason(), E_INVALIDARG);
  const HRESULT removed = DXGI_ERROR_DEVICE_REMOVED;
  UINT size = 0;
  ExpectSentences(
      {{"CreateOperator", removed, [&] { return dml->CreateOperator(nullptr, kKey, &nothing); }},
       {"Evict", removed, [&] { return dml->Evict(0, nullptr); }},
       {"IDMLBindingTable::Reset", removed, [&] { return table->Reset(nullptr); }},
       {"IDMLOperatorInitializer::Reset", removed, [&] { return initializer->Reset(0, nullptr); }},
       {"BindInputs", S_OK, [&] { return table->BindInputs(0, nullptr), S_OK; }},
       {"RecordDispatch", S_OK,
        [&] { return recorder->RecordDispatch(nullptr, nullptr, nullptr), S_OK; }},
       {"SetName", removed, [&] { return compiled->SetName(L"late"); }},
       {"SetName", removed, [&] { return dml->SetName(L"late"); }},
       {"SetPrivateData", removed, [&] { return table->SetPrivateData(kKey, 0, nullptr); }},
       {"SetPrivateDataInterface", removed,
        [&] { return dml->SetPrivateDataInterface(kKey, nullptr); }},
       {"GetPrivateData", removed, [&] { return table->GetPrivateData(kKey, &size, nullptr); }}},
      messages.Get());
}

// Run with and without the environment variable; the device has no debug flag.
TEST_F(DirectMLTest, PrintsNothingUnlessTheEnvironmentAsksForIt) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(dml->Evict(1, nullptr), E_INVALIDARG);
  recorder->RecordDispatch(nullptr, nullptr, nullptr);
  const char* setting = std::getenv("ANYDML_DEBUG");
  const bool prints = setting != nullptr && std::string(setting) == "1";
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            prints ? "anydml: Evict: the array of 1 objects must not be null\n"
                     "anydml: RecordDispatch: the command list must not be null\n"
                   : "");
}

// A program that looks at the pointer and not at the result must not follow it.
TEST_F(SentencesTest, LeaveANullResult) {
  const std::vector<std::function<HRESULT(void**)>> calls = {
      [&](void** result) { return dml->CreateOperator(nullptr, kKey, result); },
      [&](void** result) { return dml->CompileOperator(nullptr, {}, kKey, result); },
      [&](void** result) { return dml->CompileGraph(nullptr, {}, kKey, result); },
      [&](void** result) { return dml->CreateOperatorInitializer(1, nullptr, kKey, result); },
      [&](void** result) { return dml->CreateCommandRecorder(kKey, result); },
      [&](void** result) { return dml->CreateBindingTable(nullptr, kKey, result); }};
  const auto expect_null = [&](const char* when) {
    for (size_t i = 0; i < calls.size(); ++i) {
      void* result = this;
      EXPECT_TRUE(FAILED(calls[i](&result))) << when << ", call " << i;
      EXPECT_EQ(result, nullptr) << when << ", call " << i;
    }
  };
  expect_null("alive");
  recorder->RecordDispatch(nullptr, nullptr, nullptr);
  ASSERT_EQ(dml->GetDeviceRemovedReason(), E_INVALIDARG);
  expect_null("removed");
}

// O10: the way from a child to the reason stays open.
TEST_F(SentencesTest, AreReachedFromAChildOfARemovedDevice) {
  recorder->RecordDispatch(nullptr, nullptr, nullptr);
  ComPtr<IDMLDevice> owner;
  ASSERT_EQ(recorder->GetDevice(IID_PPV_ARGS(&owner)), S_OK);
  SetLastError("stale");
  EXPECT_EQ(owner->GetDeviceRemovedReason(), E_INVALIDARG);
  EXPECT_EQ(LastError(), "RecordDispatch: the command list must not be null");
  ComPtr<ID3D12Device> parent;
  EXPECT_EQ(owner->GetParentDevice(IID_PPV_ARGS(&parent)), S_OK);
}

TEST_F(SentencesTest, OfADeviceOfAnotherDirect3D) {
  ForeignDevice foreign;
  nothing = this;
  ExpectSentences({{"DMLCreateDevice", E_INVALIDARG,
                    [&] {
                      return DMLCreateDevice(&foreign, DML_CREATE_DEVICE_FLAG_DEBUG,
                                             __uuidof(IDMLDevice), &nothing);
                    }}},
                  nullptr);
  EXPECT_EQ(LastError(), "DMLCreateDevice: the ID3D12Device must be one of this library");
  EXPECT_EQ(nothing, nullptr);
  EXPECT_EQ(foreign.unexpected_calls(), 0);
  EXPECT_EQ(foreign.references(), 1u);
}

}  // namespace
}  // namespace anydml::directml
