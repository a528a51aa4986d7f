// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Runs a fuzz target with any compiler: once for every file of the folders given,
// with --random=<count> on that many pseudo-random inputs, with --changed=<count> on
// files of the folders that were changed at random (for formats that no random bytes
// have); always the same. With --first=<number> on those that follow this one, so that
// a longer search goes on where another has ended. Whatever the target finds wrong ends
// the process; the last line printed says which input it was, and --first=<number> with
// a count of 1 runs that one alone.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using Input = std::vector<uint8_t>;

Input Read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return Input(std::istreambuf_iterator<char>(file), {});
}

// The output ends with the line of the input at which the process ended.
void Run(const std::string& name, const Input& input) {
  std::printf("%s\n", name.c_str());
  std::fflush(stdout);
  LLVMFuzzerTestOneInput(input.data(), input.size());
}

// Up to 512 bytes, mostly fewer.
Input RandomInput(unsigned number) {
  std::mt19937 random(number);
  Input bytes(random() % 512 * (random() % 256) / 256);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

// A part of the other input, or of this one itself, at any place; or a part left out; or
// one byte changed, mostly to another that formats have a meaning for.
void Change(Input& input, const Input& other, std::mt19937& random) {
  constexpr std::string_view kMeaningful = "0123456789-+.eE\"\\{}[](),:<>|' \n\t/*";
  const auto below = [&](size_t count) { return count == 0 ? 0 : random() % count; };
  const size_t at = below(input.size() + 1);
  const auto place = input.begin() + static_cast<ptrdiff_t>(at);
  const size_t length = below(random() % 4 == 0 ? 200 : 8);
  switch (random() % 4) {
    case 0: {
      const Input from = random() % 2 == 0 ? input : other;
      const size_t start = below(from.size() + 1);
      const size_t count = std::min(length, from.size() - start);
      const auto begin = from.begin() + static_cast<ptrdiff_t>(start);
      input.insert(place, begin, begin + static_cast<ptrdiff_t>(count));
      return;
    }
    case 1:
      input.erase(place, place + static_cast<ptrdiff_t>(std::min(length, input.size() - at)));
      return;
    default:
      if (at == input.size()) return;
      input[at] = random() % 4 == 0 ? static_cast<uint8_t>(random())
                                    : static_cast<uint8_t>(kMeaningful[below(kMeaningful.size())]);
  }
}

Input ChangedInput(unsigned number, const std::vector<Input>& corpus) {
  std::mt19937 random(number);
  Input input = corpus[random() % corpus.size()];
  const Input& other = corpus[random() % corpus.size()];
  for (unsigned left = 1 + random() % 8; left != 0; --left) Change(input, other, random);
  return input;
}

unsigned Number(const char* text) { return static_cast<unsigned>(std::strtoul(text, nullptr, 10)); }

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::filesystem::path> paths;
  unsigned first = 0, random_count = 0, changed_count = 0;
  for (int i = 1; i < count; ++i) {
    if (std::strncmp(arguments[i], "--random=", 9) == 0) {
      random_count = Number(arguments[i] + 9);
    } else if (std::strncmp(arguments[i], "--changed=", 10) == 0) {
      changed_count = Number(arguments[i] + 10);
    } else if (std::strncmp(arguments[i], "--first=", 8) == 0) {
      first = Number(arguments[i] + 8);
    } else if (std::filesystem::is_regular_file(arguments[i])) {
      paths.emplace_back(arguments[i]);
    } else {
      for (const auto& entry : std::filesystem::directory_iterator(arguments[i])) {
        paths.push_back(entry.path());
      }
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Input> corpus;
  for (const std::filesystem::path& path : paths) {
    corpus.push_back(Read(path));
    Run(path.filename().string(), corpus.back());
  }
  for (unsigned i = first; i < first + random_count; ++i) {
    Run("random input " + std::to_string(i), RandomInput(i));
  }
  if (corpus.empty()) return random_count == 0 || changed_count != 0 ? 1 : 0;
  for (unsigned i = first; i < first + changed_count; ++i) {
    Run("changed input " + std::to_string(i), ChangedInput(i, corpus));
  }
  return 0;
}
