// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What the examples of trainings need beside the training: options, data, a device.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "anydml/train.hpp"

// "--steps 60 --device cpu": options and their values, over those that are given first.
using Options = std::map<std::string, std::string>;
inline Options ReadOptions(int argc, char** argv, Options options) {
  for (int i = 1; i < argc; i += 2) {
    if (!options.contains(argv[i]) || i + 1 == argc) {
      throw std::invalid_argument(std::string(argv[i]) + " is no option or has no value");
    }
    options[argv[i]] = argv[i + 1];
  }
  return options;
}

// Of an option that takes a whole number.
inline uint64_t Number(const Options& options, const std::string& name) {
  const std::string& text = options.at(name);
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number <= UINT32_MAX) {
    return number;
  }
  throw std::invalid_argument(name + ": '" + text + "' must be a whole number below 2^32");
}

// Of the checkpoint that an interrupted training leaves.
inline std::string FolderOf(const Options& options) {
  const std::string& folder = options.at("--save");
  return folder.empty() ? "checkpoint" : folder;
}

// "cpu" or "cuda:0"; 0 threads are all.
inline anydml::Device OpenDevice(const Options& options) {
  anydml_device_options device = {};
  device.struct_size = sizeof device;
  device.threads = static_cast<uint32_t>(Number(options, "--threads"));
  device.exchange_pixel_offsets = -1;
  return anydml::Device(options.at("--device").c_str(), &device);
}

// 28 x 28 pixels: a bright rectangle at one of ten places, in noise below a number.
inline anydml::Dataset MadeUpPictures(uint32_t count, uint64_t seed, uint32_t noise_below) {
  anydml::Dataset data;
  std::vector<uint32_t> noise(784);
  for (uint32_t i = 0; i < count; ++i) {
    anydml::detail::Check(anydml_shuffle(seed, i, 784, noise.data()));
    const uint32_t label = noise[0] % 10, row = label / 5 * 12 + 3, column = label % 5 * 5 + 1;
    for (uint32_t p = 0; p < 784; ++p) {
      const bool inside = p / 28 - row < 6 && p % 28 - column < 5;
      data.samples.push_back(static_cast<uint8_t>(noise[p] % noise_below + (inside ? 80 : 0)));
    }
    data.labels.push_back(static_cast<uint8_t>(label));
  }
  return data;
}

// Where `make demo` unpacks Debian's dataset-fashion-mnist.
inline constexpr char kClothes[] = "build/data/fashion-mnist";

// Fashion-MNIST: "train" has 60,000 pictures of clothes, "t10k" 10,000 to test with. Pictures are
// made up for the folder "made-up", and for the usual one where it is not there.
inline anydml::Dataset Clothes(const std::string& folder, const std::string& part,
                               uint32_t noise_below = 160) {
  const std::string files = folder + "/" + part;
  if (folder != "made-up" && (folder != kClothes || std::filesystem::exists(folder))) {
    return anydml::Dataset(files + "-images-idx3-ubyte", files + "-labels-idx1-ubyte");
  }
  if (part != "train") return MadeUpPictures(200, 2, noise_below);
  std::printf("%s, so these are made-up pictures\n",
              folder == kClothes ? "build/data/fashion-mnist is not there" : "--data made-up");
  return MadeUpPictures(6400, 1, noise_below);
}

// `count` numbers in [-1, 1) that follow from a seed and a name (docs/rulings.md, B141).
inline std::vector<float> RandomNumbers(uint64_t seed, const std::string& name, uint32_t count) {
  std::vector<float> numbers(count);
  anydml::detail::Check(anydml_initial_weight(seed, name.c_str(), 1, &count, 1, numbers.data()));
  return numbers;
}

// Batches of noisy scenes with two garments each, and of masks: 1 where a garment is. Batch n is
// the same everywhere.
struct Scenes {
  static constexpr uint32_t kSide = 56, kPixels = kSide * kSide, kGarment = 28;

  anydml::Dataset garments;
  uint64_t seed;
  std::vector<uint8_t> pixels = {}, masks = {};

  void Make(uint64_t batch, uint32_t size) {
    pixels.clear(), masks.clear();
    for (uint64_t n = batch * size; n < (batch + 1) * size; ++n) {
      const auto numbers = RandomNumbers(seed, "scene " + std::to_string(n), kPixels + 6);
      const auto below = [&](uint32_t limit, uint32_t i) {
        return static_cast<uint32_t>((numbers[i] + 1) / 2 * static_cast<float>(limit));
      };
      uint8_t clothes[kSide][kSide] = {};
      for (uint32_t i = kPixels; i < kPixels + 6; i += 3) {
        const size_t garment = below(garments.count(), i) * garments.sample_bytes();
        const uint32_t row = below(kSide - kGarment + 1, i + 1);
        const uint32_t column = below(kSide - kGarment + 1, i + 2);
        for (uint32_t p = 0; p < kGarment * kGarment; ++p) {
          uint8_t& pixel = clothes[row + p / kGarment][column + p % kGarment];
          pixel = std::max(pixel, garments.samples[garment + p]);
        }
      }
      for (uint32_t p = 0; p < kPixels; ++p) {
        const uint32_t pixel = clothes[p / kSide][p % kSide];
        pixels.push_back(static_cast<uint8_t>(pixel * 5 / 8 + below(96, p)));
        masks.push_back(pixel > 8);
      }
    }
  }
};

// The mean losses of 60 parts of the training, from 0 to 2.4.
inline void Draw(const std::vector<float>& losses) {
  constexpr size_t kColumns = 60, kRows = 8;
  const size_t columns = std::min(kColumns, losses.size());
  std::vector<std::string> rows(kRows, std::string(kColumns, ' '));
  for (size_t c = 0; c < columns; ++c) {
    const size_t first = c * losses.size() / columns, last = (c + 1) * losses.size() / columns;
    double sum = 0;
    for (size_t i = first; i < last; ++i) sum += losses[i];
    const double height = sum / static_cast<double>(last - first) / 2.4 * kRows;
    rows[kRows - 1 - static_cast<size_t>(std::clamp(height, 0.0, kRows - 1.0))][c] = '*';
  }
  for (size_t r = 0; r < kRows; ++r) {
    const char* const scale = r == 0 ? "loss 2.4" : r == kRows - 1 ? "       0" : "        ";
    std::printf("  %s |%s\n", scale, rows[r].c_str());
  }
  std::printf("            0%*zu steps\n", static_cast<int>(kColumns) - 1, losses.size());
}
