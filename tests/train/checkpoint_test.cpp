// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "train/checkpoint.h"

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/sha256.h"
#include "models.h"

namespace anydml::train {
namespace {

namespace fs = std::filesystem;

class Checkpoint : public ::testing::Test {
 protected:
  Checkpoint() { fs::create_directory(parent_); }
  ~Checkpoint() override { fs::remove_all(parent_); }

  std::unique_ptr<Trainer> NewTrainer(uint64_t seed = 5, float momentum = 0) {
    const Optimizer sgd = {.kind = Optimizer::Kind::kSgd, .momentum = momentum};
    graph::Values graph;
    return Must(Trainer::Create(OnCpu(executor_), TwoLayers(graph),
                                momentum != 0 ? sgd : Optimizer(), seed));
  }
  static void Steps(Trainer& trainer, uint64_t first, uint64_t last) {
    for (uint64_t step = first; step < last; ++step) {
      MustBe(trainer.Step(TwoLayersBatch(step).fed()));
    }
  }
  static std::string Text(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
  }
  void Write(const char* file, const std::string& text) const {
    std::ofstream(fs::path(folder_) / file, std::ios::binary) << text;
  }
  // Loading into a new trainer: what is wrong with it.
  std::string Refusal(float momentum = 0) {
    const auto trainer = NewTrainer(5, momentum);
    Result<uint64_t> position = LoadCheckpoint(*trainer, folder_);
    if (position.ok()) return "accepted";
    EXPECT_EQ(trainer->steps(), 0u);
    EXPECT_TRUE(position.error().message.starts_with(folder_ + "/"));
    return position.error().message.substr(folder_.size() + 1);
  }
  // How many names there are beside the checkpoint's.
  size_t Others() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(parent_), {})) -
           (fs::exists(folder_) ? 1 : 0);
  }

  const cpu::Executor executor_{1};
  const std::string parent_ =
      ::testing::TempDir() + "anydml_checkpoint_test." + std::to_string(getpid());
  const std::string folder_ = parent_ + "/run";
};

TEST_F(Checkpoint, ContinuesWithTheSameBits) {
  for (const float momentum : {0.0f, 0.9f}) {
    const auto whole = NewTrainer(5, momentum);
    Steps(*whole, 0, 8);
    MustBe(whole->SetLearningRate(3e-3f));
    MustBe(SaveCheckpoint(*whole, folder_, 512));
    Steps(*whole, 8, 20);
    const auto continued = NewTrainer(99, momentum);  // another seed: it comes from the folder
    EXPECT_EQ(Must(LoadCheckpoint(*continued, folder_)), 512u);
    EXPECT_EQ(continued->steps(), 8u);
    EXPECT_EQ(continued->seed(), 5u);
    EXPECT_EQ(continued->learning_rate(), 3e-3f);
    Steps(*continued, 8, 20);
    EXPECT_EQ(Must(Checksum(*continued)), Must(Checksum(*whole)));
    EXPECT_EQ(Values(*continued, "steps"), Values(*whole, "steps"));
  }
}

TEST_F(Checkpoint, ChecksumIsThatOfTheFile) {
  const auto trainer = NewTrainer();
  Steps(*trainer, 0, 2);
  MustBe(SaveCheckpoint(*trainer, folder_, 0));
  const std::string weights = Text(folder_ + "/weights.bin");
  EXPECT_EQ(Sha256().Add(std::as_bytes(std::span(weights))).Text(), Must(Checksum(*trainer)));
  EXPECT_TRUE(weights.starts_with("FLOAT32 1 1 1 20 b1\n"));
  EXPECT_NE(Text(folder_ + "/manifest.json").find(Must(Checksum(*trainer))), std::string::npos);
}

// Seed 1 and He's values of 3: the number is that of training_numbers.py.
TEST_F(Checkpoint, HashesNamesSizesAndElements) {
  graph::Values graph;
  const GraphValue w = Input(graph, "w", {2, 3});
  const GraphValue b = Input(graph, "b", {1, 2});
  GradientWriter write(graph);
  const GraphValue all = write.Scale(write.Sum(w, Sizes{0, 1}), 2);
  const GraphValue loss = write.Add(all, write.Sum(b, Sizes{0, 1}));
  const auto trainer = Must(Trainer::Create(
      OnCpu(executor_), {graph, loss, {{w, {Initial::Kind::kUniform}}, {b, {}}}, {}}, {}, 1));
  EXPECT_EQ(Must(Checksum(*trainer)),
            "85bfa731e6415154da0bf43428c26e7c05c6484f9e95a4b2c372d0c16ace2fb6");
}

TEST_F(Checkpoint, ReplacesAnOlderOne) {
  const auto trainer = NewTrainer();
  MustBe(SaveCheckpoint(*trainer, folder_, 1));
  Write("of_the_old_one.npy", "");
  MustBe(SaveCheckpoint(*trainer, folder_ + "/", 2));
  EXPECT_EQ(Must(LoadCheckpoint(*trainer, folder_)), 2u);
  EXPECT_FALSE(fs::exists(folder_ + "/of_the_old_one.npy"));
  EXPECT_EQ(Others(), 0u);
}

TEST_F(Checkpoint, GoesWhereALinkLeads) {
  const auto trainer = NewTrainer();
  const fs::path other = fs::path(parent_) / "other";
  fs::create_directory(other);
  fs::create_directory_symlink(other, folder_);
  for (uint64_t position : {3, 4}) {
    MustBe(SaveCheckpoint(*trainer, folder_, position));
    EXPECT_TRUE(fs::is_symlink(folder_));
    EXPECT_TRUE(fs::exists(other / "weights.bin"));
    EXPECT_EQ(Must(LoadCheckpoint(*trainer, folder_)), position);
  }
  EXPECT_EQ(Others(), 1u);
  std::ofstream(other / "precious") << "x";
  EXPECT_FALSE(SaveCheckpoint(*trainer, folder_, 5).ok());
  EXPECT_TRUE(fs::exists(other / "precious"));
}

TEST_F(Checkpoint, DoesNotReplaceOtherThings) {
  fs::create_directory(folder_);
  Write("precious", "x");
  const auto trainer = NewTrainer();
  const Status status = SaveCheckpoint(*trainer, folder_, 0);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(
      status.error().message,
      folder_ +
          " has 'precious', which is no file of a checkpoint, so that it is not replaced; give "
          "another name");
  EXPECT_EQ(Text(folder_ + "/precious"), "x");
  EXPECT_FALSE(SaveCheckpoint(*trainer, parent_ + "/none/run", 0).ok());
}

TEST_F(Checkpoint, DoesNotReplaceFoldersWithAManifestOfAnotherKind) {
  fs::create_directory(folder_);
  const auto trainer = NewTrainer();
  const auto refusal = [&] {
    const Status status = SaveCheckpoint(*trainer, folder_, 0);
    EXPECT_EQ(Others(), 0u);
    return status.ok() ? "accepted" : status.error().message.substr(folder_.size());
  };
  constexpr std::string_view kNot = ", so that it is not replaced; give another name";
  for (const char* manifest : {"{\"name\": \"app\"}", "{\"format\": 2, \"model\": \"m\"}", ""}) {
    Write("manifest.json", manifest);
    EXPECT_EQ(refusal(), std::string(" is there and is no checkpoint").append(kNot));
    EXPECT_EQ(Text(folder_ + "/manifest.json"), manifest);
  }
  fs::remove_all(folder_);
  EXPECT_EQ(refusal(), "accepted");
  Write("notes.txt", "x");
  EXPECT_EQ(refusal(),
            std::string(" has 'notes.txt', which is no file of a checkpoint").append(kNot));
  EXPECT_EQ(Text(folder_ + "/notes.txt"), "x");
  fs::remove(folder_ + "/notes.txt");
  fs::create_directory(folder_ + "/more.npy");
  EXPECT_EQ(refusal(),
            std::string(" has 'more.npy', which is no file of a checkpoint").append(kNot));
  fs::remove(folder_ + "/more.npy");
  EXPECT_EQ(refusal(), "accepted");
}

TEST_F(Checkpoint, HasNoLoss) {
  const auto trainer = NewTrainer();
  Steps(*trainer, 0, 2);
  MustBe(SaveCheckpoint(*trainer, folder_, 0));
  const auto other = NewTrainer();
  const auto loss = [](const Trainer& of) {
    const Result<float> read = of.ReadLoss();
    return read.ok() ? "a number" : read.error().message;
  };
  for (Trainer* loaded : {other.get(), trainer.get()}) {
    Must(LoadCheckpoint(*loaded, folder_));
    EXPECT_EQ(loss(*loaded), "trainer: there is no loss before the first step");
    Steps(*loaded, 2, 3);
    EXPECT_EQ(loss(*loaded), "a number");
  }
}

// A bit, whatever it means.
TEST_F(Checkpoint, RefusesChangedBits) {
  const auto trainer = NewTrainer();
  Steps(*trainer, 0, 2);
  MustBe(SaveCheckpoint(*trainer, folder_, 0));
  const auto loaded = NewTrainer();
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
    const std::string name = entry.path().filename();
    const std::string text = Text(entry.path());
    for (size_t i = 0; i < text.size(); i += name == "manifest.json" ? 7 : 101) {
      std::string changed = text;
      changed[i] = static_cast<char>(changed[i] ^ (1 << i % 8));
      Write(name.c_str(), changed);
      const Result<uint64_t> position = LoadCheckpoint(*loaded, folder_);
      ASSERT_FALSE(position.ok()) << name << " " << i;
    }
    Write(name.c_str(), text);
  }
  EXPECT_EQ(Must(LoadCheckpoint(*loaded, folder_)), 0u);
}

TEST_F(Checkpoint, NamesWhatWasChanged) {
  const auto trainer = NewTrainer();
  MustBe(SaveCheckpoint(*trainer, folder_, 64));
  for (const char* name : {"w1.npy", "w1.first_moment.npy", "steps.npy", "weights.bin"}) {
    const std::string text = Text(folder_ + "/" + name);
    std::string changed = text;
    changed.back() = static_cast<char>(changed.back() ^ 1);
    Write(name, changed);
    EXPECT_EQ(Refusal(),
              std::string(name) + " was changed: manifest.json has another sha256 of it");
    Write(name, text);
  }
  const std::string manifest = Text(folder_ + "/manifest.json");
  std::string changed = manifest;
  Write("manifest.json", changed.replace(changed.find("64,"), 2, "65"));
  EXPECT_EQ(Refusal(), "manifest.json was changed: it has another sha256 than it says");
  Write("manifest.json", manifest);
  EXPECT_EQ(Refusal(), "accepted");
}

// As on a full disk: no file may be longer than 600 bytes, which weights.bin is.
TEST_F(Checkpoint, KeepsTheOldOneWhenItCannotWrite) {
  const auto trainer = NewTrainer();
  MustBe(SaveCheckpoint(*trainer, folder_, 7));
  rlimit old = {};
  getrlimit(RLIMIT_FSIZE, &old);
  const rlimit small = {600, old.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  const Status status = SaveCheckpoint(*trainer, folder_, 8);
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message, folder_ + "/weights.bin cannot be written: File too large");
  EXPECT_EQ(Must(LoadCheckpoint(*trainer, folder_)), 7u);
  EXPECT_EQ(Others(), 0u);
}

TEST_F(Checkpoint, RefusesWhatDoesNotFit) {
  EXPECT_EQ(Refusal(), "manifest.json does not exist");
  MustBe(SaveCheckpoint(*NewTrainer(), folder_, 0));
  EXPECT_EQ(Refusal(), "accepted");
  EXPECT_EQ(Refusal(0.9f), "manifest.json is of another model, loss or optimizer");
  const std::string bias = Text(folder_ + "/b1.npy");
  Write("b1.npy", bias.substr(0, bias.size() - 4));
  EXPECT_EQ(Refusal(), "b1.npy has 76 bytes of data, and its header's shape and type need 80");
  Write("b1.npy", Text(folder_ + "/b2.npy"));
  EXPECT_EQ(Refusal(),
            "b1.npy is FLOAT32 of sizes {1, 1, 1, 4} and must be FLOAT32 of {1, 1, 1, 20}");
  Write("manifest.json", "{\"format\": 1}");
  EXPECT_EQ(Refusal(), "manifest.json is not of format 2");
  Write("manifest.json", "{\"format\": 2}");
  EXPECT_EQ(Refusal(),
            "manifest.json must have steps, seed, position, learning_rate_bits, and model, files "
            "and sha256 of 64 hexadecimal digits");
}

}  // namespace
}  // namespace anydml::train
