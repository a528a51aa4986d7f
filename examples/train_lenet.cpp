// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// LeNet-5 learns to tell clothes apart (Fashion-MNIST, Debian's dataset-fashion-mnist). The
// weights have the same bits on every device, with any number of threads.
//
//   example_train_lenet [--data FOLDER] [--device cpu] [--threads 0] [--steps 937] [--save FOLDER]
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "anydml/train.hpp"

using namespace anydml;  // NOLINT: an example is read from top to bottom

constexpr uint32_t kBatch = 64;
constexpr uint32_t kTestBatch = 100;

// x {N, 1, 28, 28}, bytes -> scores {N, 10}
Value LeNet(Model& m, const Value& bytes) {
  const auto half = [](const Value& v) {
    return MaxPooling2(v, {.Strides = 2u, .WindowSize = 2u});
  };
  const Value x =
      Cast(bytes, {.OutputTensor = Tensor{DataType::kFloat32, bytes.sizes()}}) * (1 / 255.0f);
  Value v = half(Relu(m.Convolve(x, "conv1", 6, 5, /*padding=*/2)));
  v = Flatten(half(Relu(m.Convolve(v, "conv2", 16, 5))));
  v = Relu(m.Linear(v, "full1", 120));
  v = Relu(m.Linear(v, "full2", 84));
  return m.Linear(v, "scores", 10);
}

// Without the package: a bright square at one of ten places, in noise.
Dataset Squares(uint32_t count, uint64_t seed) {
  Dataset data;
  std::vector<uint32_t> noise(784);
  for (uint32_t i = 0; i < count; ++i) {
    if (anydml_shuffle(seed, i, 784, noise.data()) != ANYDML_OK) throw Exception(ANYDML_INTERNAL);
    const uint32_t label = noise[0] % 10, row = label / 5 * 12 + 3, column = label % 5 * 5 + 1;
    for (uint32_t p = 0; p < 784; ++p) {
      const bool inside = p / 28 - row < 6 && p % 28 - column < 5;
      data.samples.push_back(static_cast<uint8_t>(noise[p] % 160 + (inside ? 80 : 0)));
    }
    data.labels.push_back(static_cast<uint8_t>(label));
  }
  return data;
}

double ShareOfRight(const Device& device, const Trainer& trainer, const Dataset& test) {
  Model model;
  const Value x = model.Input("x", DataType::kUint8, {kTestBatch, 1, 28, 28});
  const Evaluation evaluation(device, model, {LeNet(model, x)}, trainer);
  Batches batches(test, kTestBatch);
  uint32_t right = 0;
  for (uint64_t b = 0; b < batches.per_epoch(); ++b) {
    float scores[kTestBatch][10];
    batches.Next();
    evaluation.Run({batches.samples()}, {scores});
    for (uint32_t i = 0; i < kTestBatch; ++i) {
      right += std::max_element(scores[i], scores[i] + 10) - scores[i] == batches.labels()[i];
    }
  }
  return static_cast<double>(right) / static_cast<double>(batches.per_epoch() * kTestBatch);
}

// The mean losses of 60 parts of the training, from 0 to 2.4.
void Draw(const std::vector<float>& losses) {
  constexpr size_t kColumns = 60, kRows = 8;
  std::string picture[kRows];
  for (std::string& row : picture) row.assign(kColumns, ' ');
  for (size_t c = 0; c < kColumns; ++c) {
    const size_t first = c * losses.size() / kColumns, last = (c + 1) * losses.size() / kColumns;
    double sum = 0;
    for (size_t i = first; i < last; ++i) sum += losses[i];
    const double height = last > first ? sum / double(last - first) / 2.4 * kRows : 0;
    picture[kRows - 1 - std::min(kRows - 1, size_t(height))][c] = last > first ? '*' : ' ';
  }
  for (size_t r = 0; r < kRows; ++r) {
    std::printf("  %s |%s\n",
                r == 0           ? "loss 2.4"
                : r == kRows - 1 ? "       0"
                                 : "        ",
                picture[r].c_str());
  }
  std::printf("            0%*zu steps\n", int(kColumns) - 1, losses.size());
}

int main(int argc, char** argv) try {
  std::map<std::string, std::string> given = {{"--data", "build/data/fashion-mnist"},
                                              {"--device", "cpu"},
                                              {"--threads", "0"},
                                              {"--steps", "937"},
                                              {"--save", ""}};
  for (int i = 1; i < argc; i += 2) {
    if (!given.contains(argv[i]) || i + 1 == argc) {
      std::fprintf(stderr, "%s: %s is no option or has no value\n", argv[0], argv[i]);
      return 2;
    }
    given[argv[i]] = argv[i + 1];
  }
  const std::string data = given["--data"] + "/";
  const bool is_real = std::filesystem::exists(data);
  if (!is_real)
    std::printf("%s is not there: made-up pictures, without the package\n", data.c_str());
  const Dataset train =
      is_real ? Dataset(data + "train-images-idx3-ubyte", data + "train-labels-idx1-ubyte")
              : Squares(20000, 1);
  const Dataset test =
      is_real ? Dataset(data + "t10k-images-idx3-ubyte", data + "t10k-labels-idx1-ubyte")
              : Squares(2000, 2);

  anydml_device_options options = {sizeof options, uint32_t(std::atoi(given["--threads"].c_str())),
                                   0, -1};
  const Device device(given["--device"].c_str(), &options);
  Model model;
  const Value x = model.Input("x", DataType::kUint8, {kBatch, 1, 28, 28});
  const Value classes = model.Input("classes", DataType::kUint32, {kBatch});
  Trainer trainer(device, model, CrossEntropy(LeNet(model, x), classes),
                  Adam{.LearningRate = 2e-3f});

  const uint64_t steps = std::strtoull(given["--steps"].c_str(), nullptr, 10);
  Batches batches(train, kBatch, /*seed=*/2);
  std::vector<float> losses;
  const auto start = std::chrono::steady_clock::now();
  for (uint64_t step = 1; step <= steps; ++step) {
    batches.Next();
    trainer.Step({batches.samples(), batches.labels()});
    losses.push_back(trainer.Loss());
    if (isatty(1) && step % 20 == 0)
      std::printf("\r  step %zu of %zu", size_t(step), size_t(steps));
    std::fflush(stdout);
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf(isatty(1) ? "\r" : "");
  Draw(losses);
  std::printf("%.1f s; right of the test pictures: %.1f %%\n", seconds.count(),
              100 * ShareOfRight(device, trainer, test));
  std::printf("weights after %zu steps: sha256 %s\n", size_t(steps), trainer.Checksum().c_str());
  if (!given["--save"].empty()) trainer.Save(given["--save"], batches.position());
} catch (const std::exception& problem) {
  std::fprintf(stderr, "train_lenet: %s\n", problem.what());
  return 1;
}
