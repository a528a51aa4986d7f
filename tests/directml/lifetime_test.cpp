// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Objects may be released in any order; the sanitizers look for what is left.
#include <algorithm>
#include <random>

#include "directml/fixture.h"

namespace anydml::directml {
namespace {

class LifetimeTest : public DirectMLTest {};

ULONG ReferencesOf(IUnknown* object) {
  object->AddRef();
  return object->Release();
}

TEST_F(LifetimeTest, CountsReferencesFromOne) {
  ComPtr<IDMLDevice> created;
  ASSERT_EQ(DMLCreateDevice(device.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&created)),
            S_OK);
  EXPECT_EQ(ReferencesOf(created.Get()), 1u);
  ComPtr<IDMLCommandRecorder> child;
  ASSERT_EQ(created->CreateCommandRecorder(IID_PPV_ARGS(&child)), S_OK);
  EXPECT_EQ(ReferencesOf(child.Get()), 1u);
  EXPECT_EQ(ReferencesOf(created.Get()), 2u) << "the child holds its device";
  child = nullptr;
  EXPECT_EQ(ReferencesOf(created.Get()), 1u);
}

TEST_F(LifetimeTest, HoldsItsParent) {
  const ULONG before = ReferencesOf(device.Get());
  ComPtr<IDMLDevice> created;
  ASSERT_EQ(DMLCreateDevice(device.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&created)),
            S_OK);
  EXPECT_GT(ReferencesOf(device.Get()), before);
  created = nullptr;
  EXPECT_EQ(ReferencesOf(device.Get()), before);
}

TEST_F(LifetimeTest, LeavesNoReferenceBehindAfterAFailure) {
  const ULONG before = ReferencesOf(dml.Get());
  void* wrong = nullptr;
  EXPECT_EQ(dml->CreateCommandRecorder(__uuidof(IDMLOperator), &wrong), E_NOINTERFACE);
  EXPECT_EQ(dml->CreateOperator(nullptr, __uuidof(IDMLOperator), nullptr), E_INVALIDARG);
  EXPECT_EQ(ReferencesOf(dml.Get()), before);
}

// Every order of eight kinds of objects would be 40320; random ones will do.
TEST_F(LifetimeTest, ReleasesInAnyOrder) {
  std::mt19937 random(1);
  for (int round = 0; round < 100; ++round) {
    ComPtr<IDMLDevice> created;
    ASSERT_EQ(DMLCreateDevice(device.Get(), DML_CREATE_DEVICE_FLAG_DEBUG, IID_PPV_ARGS(&created)),
              S_OK);
    ASSERT_EQ(created.As(&dml), 0);
    ASSERT_EQ(dml->CreateCommandRecorder(IID_PPV_ARGS(&recorder)), S_OK);
    const auto op = CreateGate(4);
    const auto compiled = Compile(op);
    const auto initializer = Initializer(compiled.Get());
    const auto table = Table(compiled.Get());
    const auto initializer_table = Table(initializer.Get());
    ComPtr<IDMLDebugDevice> debug;
    ASSERT_EQ(dml->QueryInterface(IID_PPV_ARGS(&debug)), S_OK);
    std::vector<ComPtr<IUnknown>> objects = {
        created.Get(),     recorder.Get(),          op.Get(),   compiled.Get(), table.Get(),
        initializer.Get(), initializer_table.Get(), debug.Get()};
    created = nullptr;
    dml = nullptr;
    recorder = nullptr;
    debug = nullptr;
    std::shuffle(objects.begin(), objects.end(), random);
    for (ComPtr<IUnknown>& object : objects) object = nullptr;
  }
}

TEST_F(LifetimeTest, LetsTheProgramReleaseEverythingBeforeTheParent) {
  auto compiled = CompileGate(4);
  Initialize(compiled);
  compiled = nullptr;
  recorder = nullptr;
  list = nullptr;
  allocator = nullptr;
  fence = nullptr;
  queue = nullptr;
  device = nullptr;
  EXPECT_EQ(dml->GetDeviceRemovedReason(), S_OK);
  dml = nullptr;
}

// A buffer that is released too early is no access to freed memory.
TEST_F(LifetimeTest, KeepsTheBytesOfBuffersThatWorkWasRecordedFor) {
  const auto compiled = CompileGate(4);
  Initialize(compiled);
  Record(compiled, {Buffer(std::vector<float>(4, 1.0f)), Buffer(std::vector<float>(4, 2.0f))},
         {Range(Buffer(16))});
  Finish();
  EXPECT_EQ(dml->GetDeviceRemovedReason(), S_OK);
}

}  // namespace
}  // namespace anydml::directml
