// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Training in C++20: weights by name, optimizers, trainers, checkpoints and data. Header only,
// over training.h. examples/train_lenet.cpp is a whole program.
//
//   anydml::Model model;
//   anydml::Value x = model.Input("x", {64, 784});
//   anydml::Value classes = model.Input("classes", anydml::DataType::kUint32, {64});
//   anydml::Value scores = model.Linear(Relu(model.Linear(x, "hidden", 100)), "scores", 10);
//   anydml::Trainer trainer(device, model, CrossEntropy(scores, classes), anydml::Adam{});
//   trainer.Step({pictures, labels});  // vectors, spans or arrays
#ifndef ANYDML_TRAIN_HPP_
#define ANYDML_TRAIN_HPP_

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <type_traits>

#include "anydml/graph.hpp"
#include "anydml/training.h"

namespace anydml {

namespace detail {

// Of the elements of a range; std::byte is any, kFloat16 is any of 2 bytes without a sign.
template <typename T>
constexpr DataType TypeOf() {
  if constexpr (std::is_floating_point_v<T>) {
    return sizeof(T) == 4 ? DataType::kFloat32 : DataType::kFloat64;
  } else if constexpr (std::is_signed_v<T>) {
    constexpr DataType kTypes[] = {DataType::kInt8, DataType::kInt16, DataType::kInt32,
                                   DataType::kInt64};
    return kTypes[std::bit_width(sizeof(T)) - 1];
  } else {
    constexpr DataType kTypes[] = {DataType::kUint8, DataType::kUint16, DataType::kUint32,
                                   DataType::kUint64};
    return kTypes[std::bit_width(sizeof(T)) - 1];
  }
}

// Of a vector, a span or an array of any dimensions.
template <typename Range>
using PointerTo = decltype(std::data(std::declval<Range&>()));
template <typename Range>
using ElementOf =
    std::remove_cv_t<std::remove_all_extents_t<std::remove_pointer_t<PointerTo<Range>>>>;

inline uint64_t CountOf(const anydml_tensor_info& tensor) {
  uint64_t count = 1;
  for (uint32_t i = 0; i < tensor.dimension_count; ++i) count *= tensor.sizes[i];
  return count;
}
inline uint64_t BytesOf(const anydml_tensor_info& tensor) {
  constexpr uint64_t kSizes[] = {0, 4, 2, 4, 2, 1, 4, 2, 1, 8, 8, 8};
  return CountOf(tensor) * kSizes[tensor.data_type];
}

// Packed elements in memory of the host, of a `const void` that is read or a `void` that is
// written: a vector, a span or an array, whose type and size are compared with a tensor's.
template <typename Void>
class HostMemory {
 public:
  HostMemory(std::nullptr_t = nullptr) {}  // NOLINT: implicit; where nothing is needed
  template <typename Range>
  requires std::is_convertible_v<PointerTo<Range>, Void*> &&
      (std::is_arithmetic_v<ElementOf<Range>> ||
       std::is_same_v<ElementOf<Range>, std::byte>)HostMemory(Range&& range)  // NOLINT: implicit
      : memory_(std::data(range)),
  bytes_(std::size(range) * sizeof(*std::data(range))), element_bytes_(sizeof(ElementOf<Range>)) {
    if constexpr (!std::is_same_v<ElementOf<Range>, std::byte>) type_ = TypeOf<ElementOf<Range>>();
  }
  // Nothing is checked: there must be as many elements as the tensor has, of its type.
  static HostMemory Unchecked(Void* memory) {
    HostMemory made;
    made.memory_ = memory;
    return made;
  }

  // The address, if the memory is the tensor's. None only where that is allowed.
  Void* For(const anydml_tensor_info& tensor) const {
    if (bytes_ == kUnknown) return memory_;
    const auto wanted = static_cast<DataType>(tensor.data_type);
    const bool is_half = wanted == DataType::kFloat16 && type_ == DataType::kUint16;
    if (bytes_ == BytesOf(tensor) && (!type_ || *type_ == wanted || is_half)) return memory_;
    throw std::invalid_argument("'" + std::string(tensor.name) + "' is " +
                                Words(CountOf(tensor), NameOf(wanted)) + ", and the memory has " +
                                Words(bytes_ / element_bytes_, type_ ? NameOf(*type_) : "bytes"));
  }

 private:
  static constexpr size_t kUnknown = ~size_t{0};
  static std::string Words(uint64_t count, const char* type) {
    return std::to_string(count) + " " + type;
  }

  Void* memory_ = nullptr;
  size_t bytes_ = kUnknown;
  size_t element_bytes_ = 1;
  std::optional<DataType> type_;
};

inline void CheckRank(const char* layer, const std::string& name, const Sizes& sizes, bool fits,
                      const char* needed) {
  if (fits) return;
  throw std::invalid_argument(
      std::string(layer) + " '" + name + "': its input has " + std::to_string(sizes.size()) +
      (sizes.size() == 1 ? " dimension" : " dimensions") + " and must have " + needed);
}

}  // namespace detail

using Feed = detail::HostMemory<const void>;
using Fetch = detail::HostMemory<void>;

// A graph whose weights have names and first values.
class Model : public Graph {
 public:
  // Uniform values in +-sqrt(6 / fan_in), where fan_in is the product of all sizes but the
  // first, or in +-bound.
  Value Weight(const std::string& name, const Sizes& sizes, float bound = 0) {
    return Keep(name, sizes, ANYDML_UNIFORM, bound);
  }
  Value Bias(const std::string& name, const Sizes& sizes) {
    return Keep(name, sizes, ANYDML_ZEROS);
  }

  // x {N, K} -> {N, outputs}, by the weights NAME and NAME.bias.
  Value Linear(const Value& x, const std::string& name, uint32_t outputs) {
    const Sizes sizes = x.sizes();
    detail::CheckRank("Linear", name, sizes, sizes.size() == 2, "2: {N, K}");
    const Value weight = Weight(name, {outputs, sizes[1]});
    const Value bias = Bias(name + ".bias", {1, outputs});
    return Gemm(x, weight, Broadcast(bias, {sizes[0], outputs}),
                {.TransB = MatrixTransform::kTranspose});
  }
  // x {N, C, H, W}; a square filter, as much padding on each side.
  Value Convolve(const Value& x, const std::string& name, uint32_t outputs, uint32_t filter,
                 uint32_t padding = 0, uint32_t stride = 1) {
    const Sizes sizes = x.sizes();
    detail::CheckRank("Convolve", name, sizes, sizes.size() == 4, "4: {N, C, H, W}");
    const Value weight = Weight(name, {outputs, sizes[1], filter, filter});
    return Convolution(x, weight, Bias(name + ".bias", {1, outputs, 1, 1}),
                       {.Strides = stride, .StartPadding = padding, .EndPadding = padding});
  }
  // By the batch's statistics; the running ones change with every step. `is_training` false:
  // by the running ones.
  Value BatchNormalize(const Value& x, const std::string& name, bool is_training,
                       float momentum = 0.1f, float epsilon = 1e-5f) {
    const Sizes own = x.sizes();
    detail::CheckRank("BatchNormalize", name, own, own.size() >= 2, "at least 2: {N, C, ...}");
    Sizes sizes(own.size(), 1);
    sizes[1] = own[1];
    const Value scale = Keep(name + ".scale", sizes, ANYDML_ONES);
    const Value bias = Bias(name + ".bias", sizes);
    const Value mean = Input((name + ".mean").c_str(), sizes);
    const Value variance = Input((name + ".variance").c_str(), sizes);
    anydml_value output = 0, next_mean = mean.id(), next_variance = variance.id();
    detail::Check(anydml_graph_batch_normalization(
        get(), detail::IdOf(get(), x), scale.id(), bias.id(), mean.id(), variance.id(), momentum,
        epsilon, &output, is_training ? &next_mean : nullptr,
        is_training ? &next_variance : nullptr));
    kept_.push_back({mean.id(), next_mean, ANYDML_ZEROS, 0});
    kept_.push_back({variance.id(), next_variance, ANYDML_ONES, 0});
    return Value(get(), output);
  }

  const std::vector<anydml_parameter>& kept() const noexcept { return kept_; }

 private:
  Value Keep(const std::string& name, const Sizes& sizes, anydml_initial initial, float bound = 0) {
    const Value value = Input(name.c_str(), sizes);
    kept_.push_back({value.id(), 0, static_cast<uint32_t>(initial), bound});
    return value;
  }

  std::vector<anydml_parameter> kept_;
};

namespace detail {

inline Value Loss(anydml_loss kind, const Value& prediction, const Value& target) {
  anydml_value loss = 0;
  Check(anydml_graph_loss(prediction.graph(), kind, prediction.id(),
                          IdOf(prediction.graph(), target), &loss));
  return Value(prediction.graph(), loss);
}

}  // namespace detail

// See anydml_loss.
inline Value CrossEntropy(const Value& scores, const Value& classes) {
  return detail::Loss(ANYDML_CROSS_ENTROPY, scores, classes);
}
inline Value MeanSquare(const Value& prediction, const Value& target) {
  return detail::Loss(ANYDML_MEAN_SQUARE, prediction, target);
}
inline Value BinaryCrossEntropy(const Value& scores, const Value& target) {
  return detail::Loss(ANYDML_BINARY_CROSS_ENTROPY, scores, target);
}
inline Value Dice(const Value& scores, const Value& target) {
  return detail::Loss(ANYDML_DICE, scores, target);
}

struct Adam {
  float LearningRate = 1e-3f;
  float Beta1 = 0.9f;
  float Beta2 = 0.999f;
  float Epsilon = 1e-8f;

  anydml_optimizer get() const {
    return {sizeof(anydml_optimizer), ANYDML_ADAM, LearningRate, 0, Beta1, Beta2, Epsilon};
  }
};

struct Sgd {
  float LearningRate = 1e-2f;
  float Momentum = 0;

  anydml_optimizer get() const {
    return {sizeof(anydml_optimizer), ANYDML_SGD, LearningRate, Momentum, 0, 0, 0};
  }
};

namespace detail {

inline float RateAt(anydml_schedule schedule, uint64_t steps) {
  float rate = 0;
  schedule.struct_size = sizeof schedule;
  Check(anydml_scheduled_rate(&schedule, steps, &rate));
  return rate;
}

}  // namespace detail

// Learning rates that change: trainer.SetLearningRate(rate.At(trainer.Steps())) before a step.
// The first WarmUp steps rise to LearningRate; see anydml_schedule.
struct Constant {
  float LearningRate = 1e-3f;
  uint64_t WarmUp = 0;

  float At(uint64_t steps) const {
    return detail::RateAt({0, ANYDML_CONSTANT, LearningRate, 1, 0, WarmUp, 0}, steps);
  }
};
struct StepDecay {
  float LearningRate = 1e-3f;
  uint64_t Steps = 1;  // until the rate is multiplied
  float Factor = 0.1f;
  uint64_t WarmUp = 0;

  float At(uint64_t steps) const {
    return detail::RateAt({0, ANYDML_STEP_DECAY, LearningRate, Factor, 0, WarmUp, Steps}, steps);
  }
};
struct Cosine {
  float LearningRate = 1e-3f;
  uint64_t Steps = 1;  // after the warm-up, until the rate is Last
  float Last = 0;
  uint64_t WarmUp = 0;

  float At(uint64_t steps) const {
    return detail::RateAt({0, ANYDML_COSINE, LearningRate, 1, Last, WarmUp, Steps}, steps);
  }
};

class Trainer {
 public:
  // The model may go away.
  template <typename Optimizer>
  Trainer(const Device& device, const Model& model, const Value& loss, const Optimizer& optimizer,
          uint64_t seed = 1) {
    const anydml_optimizer own = optimizer.get();
    anydml_trainer* trainer = nullptr;
    detail::Check(anydml_create_trainer(device.get(), model.get(), detail::IdOf(model.get(), loss),
                                        static_cast<uint32_t>(model.kept().size()),
                                        model.kept().data(), &own, seed, &trainer));
    trainer_.reset(trainer);
  }

  anydml_trainer* get() const noexcept { return trainer_.get(); }
  anydml_trainer_info info() const {
    return detail::Fill<anydml_trainer_info>(
        [this](anydml_trainer_info* info) { return anydml_get_trainer_info(get(), info); });
  }

  // For the inputs that are no weights, in their order.
  void Step(const std::vector<Feed>& fed) {
    std::vector<const void*> memory(fed.size());
    const bool fits = fed.size() == info().fed_count;  // if not, the library says so
    for (uint32_t i = 0; i < fed.size() && fits; ++i) {
      memory[i] = fed[i].For(detail::Fill<anydml_tensor_info>(
          [&](anydml_tensor_info* info) { return anydml_get_fed_info(get(), i, info); }));
    }
    detail::Check(anydml_trainer_step(get(), static_cast<uint32_t>(fed.size()), memory.data()));
  }
  uint64_t Steps() const { return info().steps; }
  float Loss() const {  // of the last step
    float loss = 0;
    detail::Check(anydml_trainer_loss(get(), &loss));
    return loss;
  }
  void SetLearningRate(float rate) { detail::Check(anydml_trainer_set_learning_rate(get(), rate)); }

  // What is kept from step to step under a name - a weight, a moment, a running mean - and its
  // memory, which is the device's. None: struct_size is 0.
  anydml_tensor_info Find(std::string_view name, void** memory = nullptr) const {
    const uint32_t count = info().kept_count;
    for (uint32_t i = 0; i < count; ++i) {
      const auto kept = detail::Fill<anydml_tensor_info>(
          [&](anydml_tensor_info* info) { return anydml_get_kept_info(get(), i, info, memory); });
      if (kept.name == name) return kept;
    }
    return {};
  }
  // A copy of what is FLOAT32.
  std::vector<float> Read(const std::string& name) const {
    const anydml_tensor_info kept = Find(name);
    if (kept.struct_size == 0) throw std::invalid_argument("the trainer keeps no '" + name + "'");
    std::vector<float> values(detail::CountOf(kept));
    void* const memory = Fetch(values).For(kept);
    detail::Check(anydml_trainer_read(get(), name.c_str(), detail::BytesOf(kept), memory));
    return values;
  }

  // As if this one had made the other's steps: for batches of another size.
  void ContinueFrom(const Trainer& other) {
    detail::Check(anydml_trainer_continue(get(), other.get()));
  }
  void Save(const std::string& folder, uint64_t position = 0) const {
    detail::Check(anydml_trainer_save(get(), folder.c_str(), position));
  }
  uint64_t Load(const std::string& folder) {
    uint64_t position = 0;
    detail::Check(anydml_trainer_load(get(), folder.c_str(), &position));
    return position;
  }
  std::string Checksum() const {
    char digits[65];
    detail::Check(anydml_trainer_checksum(get(), digits));
    return digits;
  }

 private:
  struct Deleter {
    void operator()(anydml_trainer* trainer) const noexcept { anydml_release_trainer(trainer); }
  };
  std::unique_ptr<anydml_trainer, Deleter> trainer_;
};

// How far a training is: on a terminal a bar that is written over, elsewhere a line per `every`
// steps. The loss, for which a CUDA device is waited for, is read when it is shown.
class Progress {
 public:
  explicit Progress(uint64_t steps, uint64_t every = 100, std::FILE* file = stderr)
      : steps_(steps), every_(every), file_(file), is_bar_(isatty(fileno(file)) != 0) {}
  Progress(const Progress&) = delete;
  ~Progress() { Erase(); }

  // After a step.
  void Show(const Trainer& trainer) {
    const anydml_trainer_info info = trainer.info();
    const auto now = Clock::now();
    const bool is_last = info.steps == steps_;
    const bool is_due = is_bar_ ? now >= next_ : every_ != 0 && info.steps % every_ == 0;
    if (!is_due && !is_last) return;
    next_ = now + std::chrono::milliseconds(100);
    char text[96];
    std::snprintf(text, sizeof text, "step %llu of %llu, loss %.4g, rate %.3g",
                  static_cast<unsigned long long>(info.steps),
                  static_cast<unsigned long long>(steps_), static_cast<double>(trainer.Loss()),
                  static_cast<double>(info.learning_rate));
    if (!is_bar_) return Print(std::string(text) + "\n");
    const auto filled = static_cast<size_t>(steps_ == 0 ? 0 : kWidth * info.steps / steps_);
    std::string bar(std::min<size_t>(filled, kWidth), '#');
    Print("\r[" + bar.append(kWidth - bar.size(), '.') + "] " + text + "\033[K");
    is_shown_ = true;
    if (is_last) Erase();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr uint64_t kWidth = 24;

  void Erase() {
    if (std::exchange(is_shown_, false)) Print("\r\033[K");
  }
  void Print(const std::string& text) const {
    std::fputs(text.c_str(), file_);
    std::fflush(file_);
  }

  const uint64_t steps_;
  const uint64_t every_;
  std::FILE* const file_;
  const bool is_bar_;
  bool is_shown_ = false;
  Clock::time_point next_ = {};
};

namespace detail {
inline volatile std::sig_atomic_t is_interrupted = 0;
}  // namespace detail

// While it is there, SIGINT, SIGTERM and SIGHUP do not end the process: Check does, when it has
// saved. What is ignored, by nohup say, stays so.
class Interruption {
 public:
  Interruption() {
    detail::is_interrupted = 0;
    struct sigaction action = {};
    action.sa_handler = [](int) { detail::is_interrupted = 1; };
    for (size_t i = 0; i < kCount; ++i) {
      sigaction(kSignals[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);
    }
  }
  Interruption(const Interruption&) = delete;
  ~Interruption() {
    for (size_t i = 0; i < kCount; ++i) sigaction(kSignals[i], &before_[i], nullptr);
  }

  // After a step: if a signal came, saves a checkpoint and throws a sentence that says where.
  void Check(const Trainer& trainer, const std::string& folder, uint64_t position = 0) const {
    if (detail::is_interrupted == 0) return;
    trainer.Save(folder, position);
    throw std::runtime_error("interrupted after step " + std::to_string(trainer.Steps()) +
                             ", which is saved in " + folder);
  }

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
  static constexpr size_t kCount = std::size(kSignals);
  struct sigaction before_[kCount];
};

// Another graph with the same weights: of another batch size, without the loss. The trainer and
// the device must outlive it.
class Evaluation {
 public:
  Evaluation(const Device& device, const Graph& graph, const std::vector<Value>& outputs,
             const Trainer& trainer)
      : device_(device), op_(device.Compile(graph, outputs)) {
    const anydml_operator_info op = op_.info();
    for (uint32_t i = 0; i < op.input_count; ++i) AddInput(i, trainer);
    for (uint32_t i = 0; i < op.output_count; ++i) {
      outputs_.push_back(NewMemory(op_.output(i).total_bytes));
    }
  }

  // A model's weights must all be the trainer's.
  Evaluation(const Device& device, const Model& model, const std::vector<Value>& outputs,
             const Trainer& trainer)
      : Evaluation(device, static_cast<const Graph&>(model), outputs, trainer) {
    for (const anydml_parameter& parameter : model.kept()) {
      const std::string name = Value(model.get(), parameter.value).info().name;
      if (trainer.Find(name).struct_size != 0) continue;
      throw std::invalid_argument("the model has a weight '" + name +
                                  "', and the trainer has none");
    }
  }

  // For inputs that are no weights, in their order, and for outputs.
  void Run(const std::vector<Feed>& fed, const std::vector<Fetch>& results) const {
    if (fed.size() != fed_.size() || results.size() != outputs_.size()) RefuseCounts();
    for (size_t i = 0; i < fed.size(); ++i) {
      void* const memory = inputs_[fed_[i]];
      const anydml_tensor_info input = op_.input(fed_[i]);
      if (memory != nullptr) device_.Copy(memory, fed[i].For(input), detail::BytesOf(input));
    }
    for (uint32_t i = 0; i < results.size(); ++i) results[i].For(op_.output(i));
    op_.Execute({inputs_.begin(), inputs_.end()}, outputs_);
    for (uint32_t i = 0; i < results.size(); ++i) {
      const anydml_tensor_info output = op_.output(i);
      device_.Copy(results[i].For(output), outputs_[i], detail::BytesOf(output));
    }
  }

 private:
  [[noreturn]] void RefuseCounts() const {
    std::string names;
    for (const uint32_t i : fed_)
      names += std::string(i == fed_[0] ? "" : ", ") + op_.input(i).name;
    throw std::invalid_argument("this graph has " + std::to_string(outputs_.size()) +
                                " outputs and " + std::to_string(fed_.size()) +
                                " inputs that are no weights of the trainer: " + names);
  }
  void AddInput(uint32_t index, const Trainer& trainer) {
    const anydml_tensor_info input = op_.input(index);
    void* memory = nullptr;
    if (const anydml_tensor_info kept = trainer.Find(input.name, &memory); kept.struct_size != 0) {
      if (input.is_present != 0 && !HaveSameSizes(kept, input)) {
        throw std::invalid_argument(std::string(input.name) +
                                    " has another type or other sizes in the trainer");
      }
      return inputs_.push_back(memory);
    }
    fed_.push_back(index);
    // None for an input that no output needs.
    inputs_.push_back(input.is_present != 0 ? NewMemory(input.total_bytes) : nullptr);
  }
  static bool HaveSameSizes(const anydml_tensor_info& a, const anydml_tensor_info& b) {
    return a.data_type == b.data_type &&
           std::equal(a.sizes, a.sizes + a.dimension_count, b.sizes, b.sizes + b.dimension_count);
  }
  void* NewMemory(uint64_t bytes) {
    owned_.emplace_back(device_.Allocate(bytes),
                        [device = &device_](void* memory) { device->Free(memory); });
    return owned_.back().get();
  }

  const Device& device_;
  Operator op_;
  std::vector<uint32_t> fed_;  // numbers of inputs
  std::vector<void*> inputs_;
  std::vector<void*> outputs_;
  std::vector<std::shared_ptr<void>> owned_;
};

// Samples of bytes and their labels, of IDX files or made otherwise.
struct Dataset {
  Dataset() = default;
  Dataset(const std::string& samples_file, const std::string& labels_file) {
    Sizes sizes = Read(samples_file, samples);
    Read(labels_file, labels);
    if (sizes[0] != labels.size()) {
      throw std::invalid_argument(labels_file + " has " + std::to_string(labels.size()) +
                                  " labels for " + std::to_string(sizes[0]) + " samples");
    }
  }
  uint32_t count() const { return static_cast<uint32_t>(labels.size()); }
  size_t sample_bytes() const { return labels.empty() ? 0 : samples.size() / labels.size(); }

  std::vector<uint8_t> samples;
  std::vector<uint8_t> labels;

 private:
  static Sizes Read(const std::string& file, std::vector<uint8_t>& bytes) {
    const anydml_idx* idx = nullptr;
    detail::Check(anydml_read_idx(file.c_str(), &idx));
    const std::unique_ptr<const anydml_idx, void (*)(const anydml_idx*)> own(idx,
                                                                             anydml_release_idx);
    Sizes sizes(idx->sizes, idx->sizes + idx->dimension_count);
    size_t count = 1;
    for (const uint32_t size : sizes) count *= size;
    bytes.assign(idx->data, idx->data + count);
    return sizes;
  }
};

// One batch after the other: in an order by seed and epoch, or, without a seed, as they come.
// The samples that are left at the end of an epoch and fill no batch are left out.
class Batches {
 public:
  Batches(const Dataset& data, uint32_t size, std::optional<uint64_t> seed = {})
      : data_(data), size_(size), seed_(seed), samples_(size * data.sample_bytes()), labels_(size) {
    if (size == 0 || size > data.count()) {
      throw std::invalid_argument("a batch of " + std::to_string(size) + " of " +
                                  std::to_string(data.count()) + " samples");
    }
  }
  Batches(Dataset&&, uint32_t, std::optional<uint64_t> = {}) = delete;  // it is kept
  uint64_t per_epoch() const { return data_.count() / size_; }
  // How many batches were taken: what a checkpoint remembers, and where it goes on.
  uint64_t position() const { return position_; }
  void Seek(uint64_t position) { position_ = position; }

  // The next one; addresses stay the same.
  void Next() {
    const uint64_t epoch = position_ / per_epoch(), first = position_ % per_epoch() * size_;
    if (order_.empty() || epoch != epoch_) MakeOrder(epoch);
    const size_t bytes = data_.sample_bytes();
    for (size_t i = 0; i < size_; ++i) {
      const size_t sample = order_[first + i];
      std::copy_n(data_.samples.data() + sample * bytes, bytes, samples_.data() + i * bytes);
      labels_[i] = data_.labels[sample];
    }
    ++position_;
  }
  std::span<const uint8_t> samples() const { return samples_; }
  std::span<const uint32_t> labels() const { return labels_; }

 private:
  void MakeOrder(uint64_t epoch) {
    order_.resize(data_.count());
    for (uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
    if (seed_) detail::Check(anydml_shuffle(*seed_, epoch, data_.count(), order_.data()));
    epoch_ = epoch;
  }

  const Dataset& data_;
  const uint32_t size_;
  const std::optional<uint64_t> seed_;
  std::vector<uint8_t> samples_;
  std::vector<uint32_t> labels_;
  std::vector<uint32_t> order_;
  uint64_t epoch_ = 0;
  uint64_t position_ = 0;
};

}  // namespace anydml

#endif  // ANYDML_TRAIN_HPP_
