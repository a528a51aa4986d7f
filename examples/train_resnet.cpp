// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A small ResNet learns to tell clothes apart: three stages of one residual block each, batch
// normalization, an average over the whole picture. A test uses the same function with the
// statistics that the training has gathered.
//
//   example_train_resnet [--data FOLDER] [--device cpu] [--threads 0] [--steps 160] [--save FOLDER]
//                       [--from FOLDER]
#include <chrono>

#include "train_support.h"

using namespace anydml;  // NOLINT: an example is read from top to bottom

constexpr uint32_t kBatch = 64, kTestBatch = 100;

struct ResNet {
  Model& m;
  bool is_training;

  // A convolution has no bias, as the normalization has one.
  Value Normalized(const Value& x, const std::string& name, uint32_t channels, uint32_t filter,
                   uint32_t stride) const {
    const Value weight = m.Weight(name, {channels, x.sizes()[1], filter, filter});
    const uint32_t padding = filter / 2;
    const Value v =
        Convolution(x, weight, {.Strides = stride, .StartPadding = padding, .EndPadding = padding});
    return m.BatchNormalize(v, name + ".norm", is_training);
  }

  // Where sizes change, the way past the two convolutions is one of 1 x 1.
  Value Block(const Value& x, const std::string& name, uint32_t channels, uint32_t stride) const {
    const Value v = Relu(Normalized(x, name + ".1", channels, 3, stride));
    const Value past = stride == 1 ? x : Normalized(x, name + ".past", channels, 1, stride);
    return Relu(Normalized(v, name + ".2", channels, 3, 1) + past);
  }

  // Bytes {N, 1, 28, 28} -> scores {N, 10}
  Value operator()(const Value& bytes) const {
    const Value x = Cast(bytes, {.OutputTensor = Tensor{DataType::kFloat32, bytes.sizes()}});
    Value v = Relu(Normalized(x * (1 / 255.0f), "first", 16, 3, 1));
    v = Block(v, "a", 16, 1);  // 28 x 28
    v = Block(v, "b", 32, 2);  // 14 x 14
    v = Block(v, "c", 64, 2);  // 7 x 7
    return m.Linear(Flatten(AveragePooling(v, {.WindowSize = 7u})), "scores", 10);
  }
};

// Of the first thousand.
double ShareOfRight(const Device& device, const Trainer& trainer, const Dataset& test) {
  Model model;
  const Value x = model.Input("x", DataType::kUint8, {kTestBatch, 1, 28, 28});
  const Value scores = ResNet{model, /*is_training=*/false}(x);
  const Evaluation evaluation(device, model, {scores}, trainer);
  Batches batches(test, kTestBatch);
  const uint64_t count = std::min<uint64_t>(batches.per_epoch(), 10);
  uint64_t right = 0;
  for (uint64_t b = 0; b < count; ++b) {
    float found[kTestBatch][10];
    batches.Next();
    evaluation.Run({batches.samples()}, {found});
    for (uint32_t i = 0; i < kTestBatch; ++i) {
      right += std::max_element(found[i], found[i] + 10) - found[i] == batches.labels()[i];
    }
  }
  return static_cast<double>(right) / static_cast<double>(count * kTestBatch);
}

int main(int argc, char** argv) try {
  Options options = ReadOptions(argc, argv,
                                {{"--data", kClothes},
                                 {"--device", "cpu"},
                                 {"--threads", "0"},
                                 {"--steps", "160"},
                                 {"--save", ""},
                                 {"--from", ""}});
  const uint64_t steps = Number(options, "--steps");
  const Dataset train = Clothes(options["--data"], "train"),
                test = Clothes(options["--data"], "t10k");
  const Device device = OpenDevice(options);

  Model model;
  const Value x = model.Input("x", DataType::kUint8, {kBatch, 1, 28, 28});
  const Value classes = model.Input("classes", DataType::kUint32, {kBatch});
  const Value loss = CrossEntropy(ResNet{model, /*is_training=*/true}(x), classes);
  Trainer trainer(device, model, loss, Adam{.LearningRate = 2e-3f}, /*seed=*/1);

  Batches batches(train, kBatch, /*seed=*/2);
  if (!options["--from"].empty()) batches.Seek(trainer.Load(options["--from"]));
  const uint64_t first = trainer.Steps();
  Progress progress(steps);
  const Interruption interruption;
  const auto start = std::chrono::steady_clock::now();
  while (trainer.Steps() < steps) {
    batches.Next();
    trainer.Step({batches.samples(), batches.labels()});
    interruption.Check(trainer, FolderOf(options), batches.position());
    progress.Show(trainer);
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  const size_t made = trainer.Steps() - first;
  std::printf(
      "%zu steps of %u pictures in %.1f s; loss %.4f; right of the test pictures: %.1f %%\n", made,
      kBatch, seconds.count(), made == 0 ? 0 : trainer.Loss(),
      100 * ShareOfRight(device, trainer, test));
  std::printf("sha256 of the weights: %s\n", trainer.Checksum().c_str());
  if (!options["--save"].empty()) trainer.Save(options["--save"], batches.position());
  return 0;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "train_resnet: %s\n", problem.what());
  return 1;
}
