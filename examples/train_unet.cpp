// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A small U-Net learns to find clothes: two garments of Fashion-MNIST are pasted at random places
// into a noisy scene, and it tells which pixels are theirs. The backward pass consists of
// CONVOLUTION and RELU_GRAD, CLIP_GRAD1, RESAMPLE_GRAD1, SLICE_GRAD and MAX_POOLING_GRAD.
//
//   example_train_unet [--data FOLDER] [--device cpu] [--threads 0] [--steps 160] [--save FOLDER]
//                      [--from FOLDER] [--picture FILE.svg]
#include <chrono>

#include "picture.h"
#include "train_support.h"

using namespace anydml;  // NOLINT: an example is read from top to bottom

constexpr uint32_t kBatch = 16, kSide = Scenes::kSide, kPixels = kSide * kSide;

Value Twice(Model& m, const Value& x, const char* name, uint32_t channels, uint32_t padding = 1) {
  const Value v = Relu(m.Convolve(x, name + std::string("1"), channels, 3, padding));
  return Relu(m.Convolve(v, name + std::string("2"), channels, 3, 1));
}
Value Half(const Value& x) { return MaxPooling2(x, {.Strides = 2u, .WindowSize = 2u}); }
// Enlarged, behind the middle of what was there before it was halved.
Value Double(const Value& x, const Value& before) {
  const Value large = Resample2(x, {.InterpolationMode = InterpolationMode::kLinear,
                                    .RoundingDirection = AxisDirection::kIncreasing,
                                    .Scales = {1, 1, 2, 2}});
  const Sizes from = before.sizes(), to = large.sizes();
  const uint32_t margin = (from[2] - to[2]) / 2;
  const Value middle = Slice1(before, {.InputWindowOffsets = {0, 0, margin, margin},
                                       .InputWindowSizes = {from[0], from[1], to[2], to[3]},
                                       .InputWindowStrides = 1});
  return Join({middle, large}, {.Axis = 1});
}

// Bytes {N, 1, 56, 56} -> scores {N, 1, 56, 56}. Both sides get a margin of 4 pixels, which the
// one convolution without padding and the slices take away.
Value UNet(Model& m, const Value& scenes) {
  const Value x = Cast(scenes, {.OutputTensor = Tensor{DataType::kFloat32, scenes.sizes()}});
  const Value a = Twice(m, x * (1 / 255.0f), "a", 8, /*padding=*/5);  // 64 x 64
  const Value b = Twice(m, Half(a), "b", 16);                         // 32 x 32
  const Value c = Twice(m, Half(b), "c", 32, /*padding=*/0);          // 14 x 14
  const Value d = Twice(m, Double(c, b), "d", 16);                    // 28 x 28
  const Value e = Twice(m, Double(d, a), "e", 8);                     // 56 x 56
  return Clip1(m.Convolve(e, "scores", 1, 1), {.Min = -8, .Max = 8});
}

int main(int argc, char** argv) try {
  Options options = ReadOptions(argc, argv,
                                {{"--data", kClothes},
                                 {"--device", "cpu"},
                                 {"--threads", "0"},
                                 {"--steps", "160"},
                                 {"--save", ""},
                                 {"--from", ""},
                                 {"--picture", ""}});
  const uint64_t steps = Number(options, "--steps");
  Scenes train = {Clothes(options["--data"], "train", /*noise_below=*/1), /*seed=*/2};
  Scenes test = {Clothes(options["--data"], "t10k", /*noise_below=*/1), /*seed=*/3};
  const Device device = OpenDevice(options);

  const Sizes sizes = {kBatch, 1, kSide, kSide};
  Model model;
  const Value scenes = model.Input("scenes", DataType::kUint8, sizes);
  const Value masks = model.Input("masks", DataType::kUint8, sizes);
  const Value truth = Cast(masks, {.OutputTensor = Tensor{DataType::kFloat32, sizes}});
  const Value loss = BinaryCrossEntropy(UNet(model, scenes), truth);
  Trainer trainer(device, model, loss, Adam{.LearningRate = 4e-3f}, /*seed=*/1);
  Model tested;  // the same network without the loss
  const Value scores = UNet(tested, tested.Input("scenes", DataType::kUint8, sizes));
  const Evaluation evaluation(device, tested, {scores}, trainer);
  std::vector<float> found(kBatch * kPixels);

  Gallery gallery("Scenes, where garments are, and what a U-Net finds", kSide);
  test.Make(0, kBatch);
  gallery.Add("input", test.pixels, [](uint8_t pixel) { return pixel; });
  gallery.Add("truth", test.masks, [](uint8_t mask) { return mask * 255; });
  if (!options["--from"].empty()) trainer.Load(options["--from"]);
  const uint64_t first = trainer.Steps();
  Progress progress(steps);
  const Interruption interruption;
  const auto start = std::chrono::steady_clock::now();
  while (trainer.Steps() < steps) {
    const uint64_t step = trainer.Steps() + 1;
    train.Make(step, kBatch);
    trainer.Step({train.pixels, train.masks});
    interruption.Check(trainer, FolderOf(options), step);
    progress.Show(trainer);
    if (!options["--picture"].empty() && (step == 10 || step == 40 || step == 160)) {
      evaluation.Run({test.pixels}, {found});
      gallery.Add("after " + std::to_string(step) + " steps", found,
                  [](float score) { return 255 / (1 + std::exp(-score)); });
    }
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;

  uint64_t garments = 0, right = 0, wrong = 0;  // pixels
  for (uint64_t batch = 0; batch < 4; ++batch) {
    test.Make(batch, kBatch);
    evaluation.Run({test.pixels}, {found});
    for (size_t i = 0; i < found.size(); ++i) {
      garments += test.masks[i];
      (test.masks[i] == 1 ? right : wrong) += found[i] > 0;
    }
  }
  const size_t made = trainer.Steps() - first;
  std::printf("%zu steps of %u scenes in %.1f s; loss %.4f\n", made, kBatch, seconds.count(),
              made == 0 ? 0 : trainer.Loss());
  std::printf("%.1f %% of the garments' pixels found, %.1f %% of the pixels found are right\n",
              100.0 * right / garments, 100.0 * right / std::max<uint64_t>(right + wrong, 1));
  std::printf("sha256 of the weights: %s\n", trainer.Checksum().c_str());
  if (!options["--save"].empty()) trainer.Save(options["--save"], steps);
  if (!options["--picture"].empty()) gallery.Write(options["--picture"]);
  return 0;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "train_unet: %s\n", problem.what());
  return 1;
}
