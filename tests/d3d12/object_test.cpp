// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What all objects share: references, identity, private data, names, lifetime.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include "base/last_error.h"
#include "d3d12/com.h"
#include "d3d12/fixture.h"

namespace anydml::d3d12 {
namespace {

constexpr GUID kKey = {0x11111111, 0x2222, 0x3333, {1, 2, 3, 4, 5, 6, 7, 8}};
constexpr GUID kNameKey = {
    0x4cca5fd8, 0x921f, 0x42c8, {0x85, 0x66, 0x70, 0xca, 0xf2, 0xa9, 0xb7, 0x41}};

// A program's own object, which tells when it dies.
class Witness final : public ComObject<Serves<ID3D12Object, ID3D12Object>> {
 public:
  explicit Witness(std::atomic<int>& alive) : alive_(alive) { ++alive_; }
  HRESULT STDMETHODCALLTYPE GetPrivateData(REFGUID, UINT*, void*) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE SetPrivateData(REFGUID, UINT, const void*) override {
    return E_NOTIMPL;
  }
  HRESULT STDMETHODCALLTYPE SetPrivateDataInterface(REFGUID, const IUnknown*) override {
    return E_NOTIMPL;
  }
  HRESULT STDMETHODCALLTYPE SetName(LPCWSTR) override { return E_NOTIMPL; }

 private:
  ~Witness() override { --alive_; }
  std::atomic<int>& alive_;
};

class ObjectTest : public D3D12Test {
 protected:
  // One of each kind.
  std::vector<ComPtr<ID3D12Object>> AllObjects() {
    std::vector<ComPtr<ID3D12Object>> objects;
    const auto add = [&](IUnknown* object) {
      ComPtr<ID3D12Object> known;
      EXPECT_EQ(object->QueryInterface(IID_PPV_ARGS(&known)), S_OK);
      objects.push_back(known);
    };
    add(device.Get());
    add(queue.Get());
    add(allocator.Get());
    add(list.Get());
    add(fence.Get());
    add(MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 16).Get());
    D3D12_HEAP_DESC heap_desc = {};
    heap_desc.SizeInBytes = 65536;
    heap_desc.Properties = HeapOf(D3D12_HEAP_TYPE_DEFAULT);
    ComPtr<ID3D12Heap> heap;
    EXPECT_EQ(device->CreateHeap(&heap_desc, IID_PPV_ARGS(&heap)), S_OK);
    add(heap.Get());
    const D3D12_DESCRIPTOR_HEAP_DESC descriptor_desc = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 1,
                                                        D3D12_DESCRIPTOR_HEAP_FLAG_NONE, 0};
    ComPtr<ID3D12DescriptorHeap> descriptors;
    EXPECT_EQ(device->CreateDescriptorHeap(&descriptor_desc, IID_PPV_ARGS(&descriptors)), S_OK);
    add(descriptors.Get());
    const D3D12_QUERY_HEAP_DESC query_desc = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 1, 0};
    ComPtr<ID3D12QueryHeap> queries;
    EXPECT_EQ(device->CreateQueryHeap(&query_desc, IID_PPV_ARGS(&queries)), S_OK);
    add(queries.Get());
    return objects;
  }

  void ReleaseFixture() {
    list = nullptr;
    allocator = nullptr;
    queue = nullptr;
    fence = nullptr;
    device = nullptr;
  }
};

TEST_F(ObjectTest, ReferencesAreCounted) {
  IUnknown* object = fence.Get();
  EXPECT_EQ(object->AddRef(), 2u);
  EXPECT_EQ(object->Release(), 1u);
  void* nothing = &nothing;
  EXPECT_EQ(object->QueryInterface(__uuidof(ID3D12Heap), &nothing), E_NOINTERFACE);
  EXPECT_EQ(nothing, nullptr);
}

TEST_F(ObjectTest, EveryChildKnowsItsDevice) {
  for (const ComPtr<ID3D12Object>& object : AllObjects()) {
    ComPtr<ID3D12DeviceChild> child;
    if (FAILED(object->QueryInterface(IID_PPV_ARGS(&child)))) continue;  // the device itself
    ComPtr<ID3D12Device9> parent;
    ASSERT_EQ(child->GetDevice(IID_PPV_ARGS(&parent)), S_OK);
    EXPECT_EQ(parent.Get(), device.Get());
    ComPtr<ID3D12Fence> no_device;
    EXPECT_EQ(child->GetDevice(IID_PPV_ARGS(&no_device)), E_NOINTERFACE);
    EXPECT_EQ(child->GetDevice(__uuidof(ID3D12Device), nullptr), E_POINTER);
  }
}

TEST_F(ObjectTest, ChildrenKeepTheDeviceAliveInAnyOrderOfRelease) {
  std::atomic<int> alive{0};
  for (int rotation = 0; rotation < 9; ++rotation) {
    if (device == nullptr) {
      ASSERT_EQ(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&device)), S_OK);
      D3D12_COMMAND_QUEUE_DESC desc = {};
      const auto type = D3D12_COMMAND_LIST_TYPE_DIRECT;
      ASSERT_EQ(device->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue)), S_OK);
      ASSERT_EQ(device->CreateCommandAllocator(type, IID_PPV_ARGS(&allocator)), S_OK);
      ASSERT_EQ(device->CreateCommandList(0, type, allocator.Get(), nullptr, IID_PPV_ARGS(&list)),
                S_OK);
      ASSERT_EQ(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)), S_OK);
    }
    ComPtr<Witness> witness;
    witness.Attach(new Witness(alive));
    ASSERT_EQ(device->SetPrivateDataInterface(kKey, witness.Get()), S_OK);
    witness = nullptr;
    std::vector<ComPtr<ID3D12Object>> objects = AllObjects();
    ReleaseFixture();
    std::rotate(objects.begin(), objects.begin() + rotation, objects.end());
    while (!objects.empty()) {
      EXPECT_EQ(alive, 1) << "the device lives while " << objects.size() << " objects do";
      objects.pop_back();
    }
    EXPECT_EQ(alive, 0) << "the device died with its last child";
  }
}

TEST_F(ObjectTest, PrivateDataIsStoredPerObject) {
  for (const ComPtr<ID3D12Object>& object : AllObjects()) {
    UINT size = 100;
    EXPECT_EQ(object->GetPrivateData(kKey, &size, nullptr), DXGI_ERROR_NOT_FOUND);
    EXPECT_EQ(size, 0u);
    const uint32_t value = 0x12345678;
    ASSERT_EQ(object->SetPrivateData(kKey, sizeof value, &value), S_OK);
    uint32_t read = 0;
    size = sizeof read;
    ASSERT_EQ(object->GetPrivateData(kKey, &size, &read), S_OK);
    EXPECT_EQ(read, value);
    EXPECT_EQ(object->GetPrivateData(kKey, &size, nullptr), S_OK);
    EXPECT_EQ(size, 4u);
    size = 3;
    EXPECT_EQ(object->GetPrivateData(kKey, &size, &read), DXGI_ERROR_MORE_DATA);
    EXPECT_EQ(size, 4u);
    EXPECT_EQ(object->SetPrivateData(kKey, 4, nullptr), E_INVALIDARG);
    EXPECT_EQ(object->GetPrivateData(kKey, nullptr, &read), E_INVALIDARG);
    EXPECT_EQ(object->SetPrivateData(kKey, 0, nullptr), S_OK);
    EXPECT_EQ(object->GetPrivateData(kKey, &size, &read), DXGI_ERROR_NOT_FOUND);
  }
}

TEST_F(ObjectTest, NamesArePrivateData) {
  for (const ComPtr<ID3D12Object>& object : AllObjects()) {
    ASSERT_EQ(object->SetName(L"a name"), S_OK);
    wchar_t name[7] = {};
    UINT size = sizeof name;
    ASSERT_EQ(object->GetPrivateData(kNameKey, &size, name), S_OK);
    EXPECT_EQ(std::wstring(name), L"a name");
    ASSERT_EQ(object->SetName(nullptr), S_OK);
    EXPECT_EQ(object->GetPrivateData(kNameKey, &size, nullptr), DXGI_ERROR_NOT_FOUND);
  }
}

TEST_F(ObjectTest, PrivateInterfacesAreHeldUntilReplaced) {
  std::atomic<int> alive{0};
  ComPtr<Witness> witness;
  witness.Attach(new Witness(alive));
  ASSERT_EQ(fence->SetPrivateDataInterface(kKey, witness.Get()), S_OK);
  Witness* raw = witness.Get();
  witness = nullptr;
  EXPECT_EQ(alive, 1);
  IUnknown* read = nullptr;
  UINT size = sizeof read;
  ASSERT_EQ(fence->GetPrivateData(kKey, &size, &read), S_OK);
  EXPECT_EQ(read, static_cast<IUnknown*>(raw));
  read->Release();
  ASSERT_EQ(fence->SetPrivateDataInterface(kKey, nullptr), S_OK);
  EXPECT_EQ(alive, 0);
}

// A program's own object, which uses the object that holds it, and may throw.
class Meddler final : public IUnknown {
 public:
  explicit Meddler(ID3D12Object* holder) : holder_(holder) {}
  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID, void**) override { return E_NOINTERFACE; }
  ULONG STDMETHODCALLTYPE AddRef() override {
    Meddle();
    return ++references;
  }
  ULONG STDMETHODCALLTYPE Release() override {
    --references;
    Meddle();
    return references;
  }

  bool throws = false;
  ULONG references = 1;

 private:
  void Meddle() {
    UINT size = 0;
    holder_->GetPrivateData(kNameKey, &size, nullptr);
    holder_->SetName(L"meddled with");
    if (throws) throw std::runtime_error("of the program");
  }
  ID3D12Object* holder_;
};

// With a lock held they would wait for themselves.
TEST_F(ObjectTest, ReferencesOfPrivateInterfacesAreTakenAndGivenBackWithoutALock) {
  Meddler meddler(fence.Get());
  ASSERT_EQ(fence->SetPrivateDataInterface(kKey, &meddler), S_OK);
  IUnknown* read = nullptr;
  UINT size = sizeof read;
  ASSERT_EQ(fence->GetPrivateData(kKey, &size, &read), S_OK);
  EXPECT_EQ(read, &meddler);
  EXPECT_EQ(meddler.references, 3u);
  ASSERT_EQ(fence->SetPrivateDataInterface(kKey, nullptr), S_OK);
  EXPECT_EQ(meddler.references, 2u);
}

TEST_F(ObjectTest, ExceptionsOfPrivateInterfacesEndThere) {
  Meddler meddler(fence.Get());
  ASSERT_EQ(fence->SetPrivateDataInterface(kKey, &meddler), S_OK);
  meddler.throws = true;
  IUnknown* read = nullptr;
  UINT size = sizeof read;
  EXPECT_EQ(fence->GetPrivateData(kKey, &size, &read), E_FAIL);
  EXPECT_EQ(read, nullptr);
  EXPECT_EQ(meddler.references, 2u);
  const GUID other_key = kNameKey;
  EXPECT_EQ(fence->SetPrivateDataInterface(other_key, &meddler), E_FAIL);
  EXPECT_EQ(meddler.references, 2u);
  EXPECT_EQ(fence->SetPrivateDataInterface(kKey, nullptr), S_OK);
  EXPECT_EQ(meddler.references, 1u);
  EXPECT_EQ(fence->GetPrivateData(kKey, &size, nullptr), DXGI_ERROR_NOT_FOUND);
}

// 2^30 characters and their end, of a few mebibytes that are mapped again and again.
TEST_F(ObjectTest, NamesOfFourGibibytesAreRefused) {
  constexpr size_t kPart = size_t{16} << 20, kAll = size_t{4} << 30;
  const int file = memfd_create("name", MFD_CLOEXEC);
  ASSERT_EQ(ftruncate(file, kPart), 0);
  void* room = mmap(nullptr, kAll + 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(room, MAP_FAILED);
  void* part = mmap(nullptr, kPart, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ASSERT_NE(part, MAP_FAILED);
  std::fill_n(static_cast<wchar_t*>(part), kPart / sizeof(wchar_t), L'a');
  auto* bytes = static_cast<std::byte*>(room);
  for (size_t at = 0; at < kAll; at += kPart) {
    ASSERT_NE(mmap(bytes + at, kPart, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, 0), MAP_FAILED);
  }
  const auto* name = reinterpret_cast<const wchar_t*>(room);
  EXPECT_EQ(device->SetName(name), E_INVALIDARG);
  EXPECT_EQ(LastErrorOfThread(),
            "SetName: the pointer to the size, or to data of some size, must not be null, and a "
            "name must be smaller than 4 GiB");
  munmap(part, kPart);
  munmap(room, kAll + 4096);
  close(file);
}

}  // namespace
}  // namespace anydml::d3d12
