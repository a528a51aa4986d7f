// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "backends/cuda/library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <cstring>
#include <filesystem>
#include <new>
#include <string_view>
#include <system_error>
#include <vector>

namespace anydml::cuda {
namespace {

namespace fs = std::filesystem;

struct Opened {
  const Interface* library = nullptr;
  std::string why_not;
};

struct Folders {
  std::vector<fs::path> all;  // in the order in which they are looked into
  std::string why_none;
};

// By the file that this code was loaded from, links resolved: the names of
// DirectML's libraries are links from another folder.
Folders FoldersToLookInto() {
  Dl_info info = {};
  link_map* map = nullptr;
  if (dladdr1(reinterpret_cast<const void*>(&Library), &info, reinterpret_cast<void**>(&map),
              RTLD_DL_LINKMAP) == 0) {
    return {{}, "the folder of the library is not known"};
  }
  // A program's name is what its caller says; the system knows the file.
  const bool is_program = map->l_name[0] == '\0';
  const std::string_view name = is_program ? "/proc/self/exe" : info.dli_fname;
  if (!name.starts_with('/')) {
    // The working folder may be another one by now.
    return {{},
            fmt::format("{} was opened by a relative path, so {} is not looked for beside it", name,
                        kFileName)};
  }
  std::error_code error;
  const fs::path folder = fs::canonical(name, error).parent_path();
  if (error) return {{}, fmt::format("{}: {}", name, error.message())};
  if (!is_program) return {{folder}, {}};
  Folders of_tree = {{folder.parent_path() / "lib"}, {}};
  const fs::path installed = folder.parent_path() / ANYDML_LIBRARY_FOLDER;
  if (installed != of_tree.all[0]) of_tree.all.push_back(installed);
  return of_tree;
}

// The file's own Header, whatever its version.
std::string Mismatch(const Header& header) {
  if (header.magic != kMagic) return "is not AnyDML's";
  if (header.version != kVersion) {
    return fmt::format("has version {} of the interface and this library has {}", header.version,
                       kVersion);
  }
  const std::string_view build(header.build, strnlen(header.build, sizeof header.build));
  if (header.bytes != sizeof(Interface) || build != ANYDML_BUILD_IDENTITY) {
    return fmt::format("is of build {} and this library of build {}", build, ANYDML_BUILD_IDENTITY);
  }
  return {};
}

// NVIDIA's code that runs while the library is opened crashes without memory. Throws
// where there is little, and the next caller tries again.
void RequireMemory() {
  constexpr size_t kEnough = size_t{4} << 20;
  volatile char* const memory = static_cast<char*>(::operator new(kEnough));
  ::operator delete(const_cast<char*>(memory));
}

Opened Open(const fs::path& file) {
  RequireMemory();
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  // Once more: the answer is kept, and a moment without memory must not be the reason.
  if (handle == nullptr) handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return {nullptr, fmt::format("cannot be opened: {}", dlerror())};
  const auto get = reinterpret_cast<GetInterface>(dlsym(handle, kFunctionName));
  const Interface* library = get == nullptr ? nullptr : get();
  if (library == nullptr) return {nullptr, fmt::format("has no function {}", kFunctionName)};
  const std::string mismatch = Mismatch(library->header);
  if (mismatch.empty()) return {library, {}};
  return {nullptr, mismatch + "; both must come from one build"};
}

Opened Find() {
  const Folders folders = FoldersToLookInto();
  if (folders.all.empty()) return {nullptr, folders.why_none};
  for (const fs::path& folder : folders.all) {
    const fs::path file = folder / kFileName;
    std::error_code error;
    if (!fs::exists(file, error)) continue;
    Opened opened = Open(file);
    if (!opened.why_not.empty()) opened.why_not = file.string() + " " + opened.why_not;
    return opened;
  }
  std::string names = folders.all[0].string();
  if (folders.all.size() > 1) names += " or " + folders.all[1].string();
  return {nullptr, fmt::format("there is no {} in {}", kFileName, names)};
}

const Opened& OpenedOnce() {
  static const Opened opened = Find();
  return opened;
}

}  // namespace

const Interface* Library() { return OpenedOnce().library; }
const std::string& WhyNoLibrary() { return OpenedOnce().why_not; }

}  // namespace anydml::cuda
