// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// LeNet-5 learns to tell clothes apart (Fashion-MNIST, Debian's dataset-fashion-mnist). The
// weights have the same bits on every device, with any number of threads.
//
//   example_train_lenet [--data FOLDER] [--device cpu] [--threads 0] [--steps 937] [--save FOLDER]
//                      [--from FOLDER] [--picture FILE.svg]
#include <chrono>
#include <cstdio>

#include "picture.h"
#include "train_support.h"

using namespace anydml;  // NOLINT: an example is read from top to bottom

constexpr uint32_t kBatch = 64;
constexpr uint32_t kTestBatch = 100;

Value Half(const Value& x) { return MaxPooling2(x, {.Strides = 2u, .WindowSize = 2u}); }

// Bytes {N, 1, 28, 28} -> scores {N, 10}
Value LeNet(Model& m, const Value& bytes) {
  const Tensor floats = {DataType::kFloat32, bytes.sizes()};
  const Value x = Cast(bytes, {.OutputTensor = floats}) * (1 / 255.0f);
  Value v = Half(Relu(m.Convolve(x, "conv1", 6, 5, /*padding=*/2)));
  v = Half(Relu(m.Convolve(v, "conv2", 16, 5)));
  v = Relu(m.Linear(Flatten(v), "full1", 120));
  v = Relu(m.Linear(v, "full2", 84));
  return m.Linear(v, "scores", 10);
}

// The same network, other batches.
double ShareOfRight(const Device& device, const Trainer& trainer, const Dataset& test) {
  Model model;
  const Value x = model.Input("x", DataType::kUint8, {kTestBatch, 1, 28, 28});
  const Evaluation evaluation(device, model, {LeNet(model, x)}, trainer);
  Batches batches(test, kTestBatch);
  uint64_t right = 0;
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

int main(int argc, char** argv) try {
  Options options = ReadOptions(argc, argv,
                                {{"--data", kClothes},
                                 {"--device", "cpu"},
                                 {"--threads", "0"},
                                 {"--steps", "937"},
                                 {"--save", ""},
                                 {"--from", ""},
                                 {"--picture", ""}});
  const uint64_t steps = Number(options, "--steps");
  const Dataset train = Clothes(options["--data"], "train"),
                test = Clothes(options["--data"], "t10k");
  const Device device = OpenDevice(options);

  Model model;
  const Value x = model.Input("x", DataType::kUint8, {kBatch, 1, 28, 28});
  const Value classes = model.Input("classes", DataType::kUint32, {kBatch});
  const Value loss = CrossEntropy(LeNet(model, x), classes);
  Trainer trainer(device, model, loss, Adam{.LearningRate = 2e-3f}, /*seed=*/1);

  Batches batches(train, kBatch, /*seed=*/2);
  std::vector<float> losses;
  if (!options["--from"].empty()) batches.Seek(trainer.Load(options["--from"]));
  Progress progress(steps);
  const Interruption interruption;
  const auto start = std::chrono::steady_clock::now();
  while (trainer.Steps() < steps) {
    batches.Next();
    trainer.Step({batches.samples(), batches.labels()});
    interruption.Check(trainer, FolderOf(options), batches.position());
    losses.push_back(trainer.Loss());
    progress.Show(trainer);
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (!losses.empty()) Draw(losses);
  std::printf("%zu steps of %u pictures in %.1f s; right of the test pictures: %.1f %%\n",
              losses.size(), kBatch, seconds.count(), 100 * ShareOfRight(device, trainer, test));
  std::printf("sha256 of the weights: %s\n", trainer.Checksum().c_str());
  if (!options["--save"].empty()) trainer.Save(options["--save"], batches.position());
  if (!options["--picture"].empty()) {
    DrawLosses("LeNet-5 on Fashion-MNIST: loss of every step of 64 pictures", losses,
               options["--picture"]);
  }
  return 0;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "train_lenet: %s\n", problem.what());
  return 1;
}
