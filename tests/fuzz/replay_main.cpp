// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Runs a fuzz target with any compiler: once for every file of the folders given,
// and, with --random=<count>, on that many pseudo-random inputs, always the same;
// with --first=<number> on those that follow this one, so that a longer search goes
// on where another has ended. Whatever the target finds wrong ends the process; the
// last line printed says which input it was, and --only=<number> runs that one alone.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

void RunFile(const std::filesystem::path& path) {
  std::printf("%s\n", path.filename().c_str());
  std::fflush(stdout);
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
}

// Up to 512 bytes, mostly fewer.
void RunRandom(unsigned number) {
  std::printf("random input %u\n", number);
  std::fflush(stdout);
  std::mt19937 random(number);
  std::vector<uint8_t> bytes(random() % 512 * (random() % 256) / 256);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

unsigned Number(const char* text) { return static_cast<unsigned>(std::strtoul(text, nullptr, 10)); }

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::filesystem::path> paths;
  unsigned first = 0, random_count = 0;
  for (int i = 1; i < count; ++i) {
    if (std::strncmp(arguments[i], "--random=", 9) == 0) {
      random_count = Number(arguments[i] + 9);
    } else if (std::strncmp(arguments[i], "--first=", 8) == 0) {
      first = Number(arguments[i] + 8);
    } else if (std::strncmp(arguments[i], "--only=", 7) == 0) {
      first = Number(arguments[i] + 7);
      random_count = 1;
    } else if (std::filesystem::is_regular_file(arguments[i])) {
      paths.emplace_back(arguments[i]);
    } else {
      for (const auto& entry : std::filesystem::directory_iterator(arguments[i])) {
        paths.push_back(entry.path());
      }
    }
  }
  std::sort(paths.begin(), paths.end());
  for (const std::filesystem::path& path : paths) RunFile(path);
  for (unsigned i = 0; i < random_count; ++i) RunRandom(first + i);
  return paths.empty() && random_count == 0 ? 1 : 0;
}
