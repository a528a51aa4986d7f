// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The functions of training.h.
#include "anydml/training.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/escaped.h"
#include "c_api/device.h"
#include "c_api/graph.h"
#include "c_api/last_error.h"
#include "c_api/sized_struct.h"
#include "c_api/tensor_info.h"
#include "schema/tensor_bytes.h"
#include "train/batch_normalization.h"
#include "train/checkpoint.h"
#include "train/idx.h"
#include "train/losses.h"
#include "train/numbers.h"
#include "train/schedule.h"

struct anydml_trainer {
  std::shared_ptr<anydml::c_api::Device> device;
  std::unique_ptr<anydml::train::Trainer> trainer;
};

namespace anydml::c_api {
namespace {

struct OwnedIdx : anydml_idx {
  train::IdxFile file;
};

// What a pointer of the caller's is for, for the sentence.
Status CheckPresent(const void* pointer, std::string_view what) {
  if (pointer != nullptr) return {};
  return InvalidArgument(fmt::format("{} must not be null", what));
}

Status CheckTrainer(const anydml_trainer* trainer) {
  Status status = CheckPresent(trainer, "the trainer");
  return status.ok() ? trainer->device->CheckFork() : status;
}

Result<GraphValue> AddLoss(NamedGraph& graph, anydml_loss kind, anydml_value prediction,
                           anydml_value target) {
  using Function = Result<GraphValue> (*)(graph::Values&, const GraphValue&, const GraphValue&);
  constexpr Function kLosses[] = {train::CrossEntropy, train::MeanSquare, train::BinaryCrossEntropy,
                                  train::Dice};
  const auto number = static_cast<uint32_t>(kind);
  if (number >= std::size(kLosses)) {
    return InvalidArgument(fmt::format("the kind of loss {} must be 0 to 3", number));
  }
  Result<GraphValue> p = graph.Find(prediction, "the prediction");
  if (!p.ok()) return p;
  Result<GraphValue> t = graph.Find(target, "the target");
  if (!t.ok()) return t;
  Result<GraphValue> loss = kLosses[number](graph.values, p.value(), t.value());
  if (loss.ok() && kind == ANYDML_CROSS_ENTROPY) {
    graph.classes.push_back({t.value(), p.value().tensor.sizes[1]});
  }
  return loss;
}

Result<train::Normalized> Normalize(NamedGraph& graph, const std::array<anydml_value, 5>& given,
                                    float momentum, float epsilon, bool is_training) {
  constexpr std::string_view kNames[] = {"x", "scale", "bias", "mean", "variance"};
  std::vector<GraphValue> values;
  for (size_t i = 0; i < given.size(); ++i) {
    Result<GraphValue> value = graph.Find(given[i], kNames[i]);
    if (!value.ok()) return value.error();
    values.push_back(value.value());
  }
  const train::Normalization normalization = {values[1], values[2], values[3],
                                              values[4], momentum,  epsilon};
  if (is_training) return train::NormalizeForTraining(graph.values, values[0], normalization);
  Result<GraphValue> output = train::NormalizeForEvaluation(graph.values, values[0], normalization);
  if (!output.ok()) return output.error();
  return train::Normalized{output.value(), {}, {}};
}

Status CheckBound(std::string_view what, float bound) {
  if (std::isfinite(bound) && bound >= 0) return {};
  return InvalidArgument(fmt::format("{} = {} must be finite and at least 0", what, bound));
}

Result<train::Initial> ReadInitial(const anydml_parameter& parameter) {
  if (parameter.initial > ANYDML_UNIFORM) {
    return InvalidArgument(
        fmt::format("anydml_parameter.initial = {} must be 0 to 2", parameter.initial));
  }
  Status status = CheckBound("anydml_parameter.bound", parameter.bound);
  if (!status.ok()) return status.error();
  return train::Initial{static_cast<train::Initial::Kind>(parameter.initial), parameter.bound};
}

Result<train::Model> ReadModel(const NamedGraph& graph, anydml_value loss,
                               std::span<const anydml_parameter> given) {
  Result<GraphValue> of_loss = graph.Find(loss, "the loss");
  if (!of_loss.ok()) return of_loss.error();
  train::Model model = {graph.values, of_loss.value(), {}, {}, graph.classes};
  for (const anydml_parameter& parameter : given) {
    Result<GraphValue> value = graph.Find(parameter.value, "anydml_parameter.value");
    if (!value.ok()) return value.error();
    Result<train::Initial> initial = ReadInitial(parameter);
    if (!initial.ok()) return initial.error();
    if (parameter.next == 0) {
      model.parameters.push_back({value.value(), initial.value()});
      continue;
    }
    Result<GraphValue> next = graph.Find(parameter.next, "anydml_parameter.next");
    if (!next.ok()) return next.error();
    model.statistics.push_back({value.value(), next.value(), initial.value()});
  }
  return model;
}

Result<train::Optimizer> ReadOptimizer(const anydml_optimizer* given) {
  anydml_optimizer own = {};
  Status status = CopyIn(given, "anydml_optimizer", own);
  if (!status.ok()) return status.error();
  if (own.kind > ANYDML_ADAM) {
    return InvalidArgument(fmt::format("anydml_optimizer.kind = {} must be 0 or 1", own.kind));
  }
  return train::Optimizer{.kind = static_cast<train::Optimizer::Kind>(own.kind),
                          .learning_rate = own.learning_rate,
                          .momentum = own.momentum,
                          .beta1 = own.beta1,
                          .beta2 = own.beta2,
                          .epsilon = own.epsilon};
}

Result<float> ReadRate(const anydml_schedule* given, uint64_t steps_made) {
  anydml_schedule own = {};
  Status status = CopyIn(given, "anydml_schedule", own);
  if (!status.ok()) return status.error();
  if (own.kind > ANYDML_COSINE) {
    return InvalidArgument(fmt::format("anydml_schedule.kind = {} must be 0 to 2", own.kind));
  }
  return train::RateOf({.kind = static_cast<train::Schedule::Kind>(own.kind),
                        .learning_rate = own.learning_rate,
                        .factor = own.factor,
                        .last = own.last,
                        .warm_up = own.warm_up,
                        .steps = own.steps},
                       steps_made);
}

Result<std::unique_ptr<train::Trainer>> CreateTrainer(const Device& device, const NamedGraph& graph,
                                                      anydml_value loss,
                                                      std::span<const anydml_parameter> parameters,
                                                      const anydml_optimizer* given,
                                                      uint64_t seed) {
  Result<train::Optimizer> optimizer = ReadOptimizer(given);
  if (!optimizer.ok()) return optimizer.error();
  Result<train::Model> model = ReadModel(graph, loss, parameters);
  if (!model.ok()) return model.error();
  const train::Place place = {device.cuda, &device.executor, device.options};
  return train::Trainer::Create(place, model.value(), optimizer.value(), seed);
}

Result<TensorDesc> ReadSizes(uint32_t dimension_count, const uint32_t* sizes) {
  Status status = CheckPresent(sizes, "sizes");
  uint64_t bytes = 0;
  if (status.ok()) status = TensorBytes(DataType::kFloat32, dimension_count, sizes, nullptr, bytes);
  if (!status.ok()) return status.error();
  return PackedTensor(DataType::kFloat32, {sizes, dimension_count});
}

Result<train::Weight> ReadWeight(const anydml_weight& given) {
  Status status = CheckPresent(given.name, "anydml_weight.name");
  if (status.ok()) status = CheckPresent(given.values, "anydml_weight.values");
  if (!status.ok()) return status.error();
  Result<TensorDesc> tensor = ReadSizes(given.dimension_count, given.sizes);
  if (!tensor.ok()) return tensor.error();
  const std::span elements(given.values, tensor.value().ElementCount());
  return train::Weight{given.name, tensor.value(), std::as_bytes(elements)};
}

// Sorts them. Of two with one name none would be the first to be hashed.
Status CheckNames(std::vector<train::Weight>& weights) {
  std::ranges::sort(weights, {}, &train::Weight::name);
  const auto same = std::ranges::adjacent_find(weights, {}, &train::Weight::name);
  if (same == weights.end()) return {};
  return InvalidArgument(
      fmt::format("checksum: two weights have the name '{}'", Escaped(same->name)));
}

Status ReadKept(const train::Trainer& trainer, const char* name, uint64_t bytes, void* values) {
  const train::Trainer::State* const state = trainer.Find(name);
  if (state == nullptr) {
    return InvalidArgument(fmt::format("trainer: there is no '{}'", Escaped(name)));
  }
  const TensorDesc& tensor = state->kept.tensor;
  const uint64_t own = tensor.ElementCount() * ElementSize(tensor.data_type);
  if (bytes == own) return state->memory.Read(values, bytes);
  return InvalidArgument(
      fmt::format("trainer: '{}' has {} bytes, not {}", Escaped(name), own, bytes));
}

Status CheckIndex(uint32_t index, size_t count) {
  if (index < count) return {};
  return InvalidArgument(fmt::format("tensor {} of {} does not exist", index, count));
}

}  // namespace
}  // namespace anydml::c_api

using anydml::InvalidArgument;
using anydml::Status;
using namespace anydml::c_api;  // NOLINT: this file implements its public face

anydml_status anydml_graph_loss(anydml_graph* graph, anydml_loss kind, anydml_value prediction,
                                anydml_value target, anydml_value* loss) {
  return Guard([&]() -> Status {
    Status status = CheckPresent(loss, "the result pointer");
    if (status.ok()) *loss = 0;
    if (status.ok()) status = CheckPresent(graph, "the graph");
    if (!status.ok()) return status;
    anydml::Result<anydml::GraphValue> added = AddLoss(graph->graph, kind, prediction, target);
    if (!added.ok()) return added.error();
    *loss = graph->graph.NewHandle(added.value());
    return {};
  });
}

anydml_status anydml_graph_batch_normalization(anydml_graph* graph, anydml_value x,
                                               anydml_value scale, anydml_value bias,
                                               anydml_value mean, anydml_value variance,
                                               float momentum, float epsilon, anydml_value* output,
                                               anydml_value* next_mean,
                                               anydml_value* next_variance) {
  return Guard([&]() -> Status {
    Status status = CheckPresent(output, "the result pointer");
    if (status.ok()) status = CheckPresent(graph, "the graph");
    if (!status.ok()) return status;
    *output = 0;
    const bool is_training = next_mean != nullptr;
    if (is_training != (next_variance != nullptr)) {
      return InvalidArgument("next_mean and next_variance must both be null or neither");
    }
    anydml::Result<anydml::train::Normalized> normalized =
        Normalize(graph->graph, {x, scale, bias, mean, variance}, momentum, epsilon, is_training);
    if (!normalized.ok()) return normalized.error();
    *output = graph->graph.NewHandle(normalized.value().output);
    if (!is_training) return {};
    *next_mean = graph->graph.NewHandle(normalized.value().next_mean);
    *next_variance = graph->graph.NewHandle(normalized.value().next_variance);
    return {};
  });
}

anydml_status anydml_create_trainer(anydml_device* device, const anydml_graph* graph,
                                    anydml_value loss, uint32_t parameter_count,
                                    const anydml_parameter* parameters,
                                    const anydml_optimizer* optimizer, uint64_t seed,
                                    anydml_trainer** trainer) {
  return Guard([&]() -> Status {
    Status status = CheckPresent(trainer, "the result pointer");
    if (!status.ok()) return status;
    *trainer = nullptr;
    status = CheckPresent(device, "the device");
    if (status.ok()) status = device->device->CheckFork();
    if (status.ok()) status = CheckPresent(graph, "the graph");
    if (status.ok() && parameter_count != 0) status = CheckPresent(parameters, "parameters");
    if (!status.ok()) return status;
    anydml::Result<std::unique_ptr<anydml::train::Trainer>> created = CreateTrainer(
        *device->device, graph->graph, loss, {parameters, parameter_count}, optimizer, seed);
    if (!created.ok()) return created.error();
    *trainer = new anydml_trainer{device->device, std::move(created).value()};
    return {};
  });
}

void anydml_release_trainer(anydml_trainer* trainer) {
  // What lies on a CUDA device stays there where that is of no use any more.
  if (trainer == nullptr || !trainer->device->CheckFork().ok()) return;
  GuardRelease([trainer] { delete trainer; });
}

anydml_status anydml_trainer_step(anydml_trainer* trainer, uint32_t count, const void* const* fed) {
  return Guard([&]() -> Status {
    Status status = CheckTrainer(trainer);
    if (status.ok() && count != 0) status = CheckPresent(fed, "the array of inputs");
    return status.ok() ? trainer->trainer->Step({fed, count}) : status;
  });
}

anydml_status anydml_trainer_loss(const anydml_trainer* trainer, float* loss) {
  return Guard([&]() -> Status {
    Status status = CheckTrainer(trainer);
    if (status.ok()) status = CheckPresent(loss, "the result pointer");
    if (!status.ok()) return status;
    anydml::Result<float> read = trainer->trainer->ReadLoss();
    if (!read.ok()) return read.error();
    *loss = read.value();
    return {};
  });
}

anydml_status anydml_trainer_set_learning_rate(anydml_trainer* trainer, float rate) {
  return Guard([&]() -> Status {
    Status status = CheckTrainer(trainer);
    return status.ok() ? trainer->trainer->SetLearningRate(rate) : status;
  });
}

anydml_status anydml_get_trainer_info(const anydml_trainer* trainer, anydml_trainer_info* info) {
  return Guard([&]() -> Status {
    Status status = CheckTrainer(trainer);
    if (!status.ok()) return status;
    anydml_trainer_info filled = {};
    filled.steps = trainer->trainer->steps();
    filled.seed = trainer->trainer->seed();
    filled.fed_count = static_cast<uint32_t>(trainer->trainer->feeds().size());
    filled.kept_count = static_cast<uint32_t>(trainer->trainer->states().size());
    filled.learning_rate = trainer->trainer->learning_rate();
    filled.model = trainer->trainer->model_hash().c_str();
    filled.memory_bytes = trainer->trainer->memory_bytes();
    return CopyOut(filled, "anydml_trainer_info", info);
  });
}

anydml_status anydml_get_fed_info(const anydml_trainer* trainer, uint32_t index,
                                  anydml_tensor_info* info) {
  return Guard([&]() -> Status {
    Status status = CheckTrainer(trainer);
    if (status.ok()) status = CheckIndex(index, trainer->trainer->feeds().size());
    if (!status.ok()) return status;
    const anydml::train::Feed& feed = trainer->trainer->feeds()[index];
    return CopyOut(InfoOf(feed.tensor, feed.name.c_str(), false), "anydml_tensor_info", info);
  });
}

anydml_status anydml_get_kept_info(const anydml_trainer* trainer, uint32_t index,
                                   anydml_tensor_info* info, void** memory) {
  return Guard([&]() -> Status {
    Status status = CheckTrainer(trainer);
    if (status.ok()) status = CheckIndex(index, trainer->trainer->states().size());
    if (!status.ok()) return status;
    const anydml::train::Trainer::State& state = trainer->trainer->states()[index];
    if (memory != nullptr) *memory = state.memory.get();
    return CopyOut(InfoOf(state.kept.tensor, state.kept.name.c_str(), false), "anydml_tensor_info",
                   info);
  });
}

anydml_status anydml_trainer_read(const anydml_trainer* trainer, const char* name, uint64_t bytes,
                                  void* values) {
  return Guard([&]() -> Status {
    Status status = CheckTrainer(trainer);
    if (status.ok()) status = CheckPresent(name, "the name");
    if (status.ok()) status = CheckPresent(values, "the result pointer");
    return status.ok() ? ReadKept(*trainer->trainer, name, bytes, values) : status;
  });
}

anydml_status anydml_scheduled_rate(const anydml_schedule* schedule, uint64_t steps_made,
                                    float* rate) {
  return Guard([&]() -> Status {
    Status status = CheckPresent(rate, "the result pointer");
    if (!status.ok()) return status;
    anydml::Result<float> read = ReadRate(schedule, steps_made);
    if (!read.ok()) return read.error();
    *rate = read.value();
    return {};
  });
}

anydml_status anydml_trainer_save(const anydml_trainer* trainer, const char* folder,
                                  uint64_t position) {
  return Guard([&]() -> Status {
    Status status = CheckTrainer(trainer);
    if (status.ok()) status = CheckPresent(folder, "the folder's name");
    return status.ok() ? anydml::train::SaveCheckpoint(*trainer->trainer, folder, position)
                       : status;
  });
}

anydml_status anydml_trainer_load(anydml_trainer* trainer, const char* folder, uint64_t* position) {
  return Guard([&]() -> Status {
    Status status = CheckTrainer(trainer);
    if (status.ok()) status = CheckPresent(folder, "the folder's name");
    if (!status.ok()) return status;
    anydml::Result<uint64_t> loaded = anydml::train::LoadCheckpoint(*trainer->trainer, folder);
    if (!loaded.ok()) return loaded.error();
    if (position != nullptr) *position = loaded.value();
    return {};
  });
}

anydml_status anydml_trainer_continue(anydml_trainer* trainer, const anydml_trainer* from) {
  return Guard([&]() -> Status {
    Status status = CheckTrainer(trainer);
    if (status.ok()) status = CheckTrainer(from);
    return status.ok() ? trainer->trainer->ContinueFrom(*from->trainer) : status;
  });
}

anydml_status anydml_trainer_checksum(const anydml_trainer* trainer, char digits[65]) {
  return Guard([&]() -> Status {
    Status status = CheckTrainer(trainer);
    if (status.ok()) status = CheckPresent(digits, "the result pointer");
    if (!status.ok()) return status;
    anydml::Result<std::string> sum = anydml::train::Checksum(*trainer->trainer);
    if (!sum.ok()) return sum.error();
    std::memcpy(digits, sum.value().c_str(), sum.value().size() + 1);
    return {};
  });
}

anydml_status anydml_initial_weight(uint64_t seed, const char* name, uint32_t dimension_count,
                                    const uint32_t* sizes, float bound, float* values) {
  return Guard([&]() -> Status {
    Status status = CheckPresent(name, "the name");
    if (status.ok()) status = CheckPresent(values, "the result pointer");
    if (status.ok()) status = CheckBound("the bound", bound);
    if (!status.ok()) return status;
    anydml::Result<anydml::TensorDesc> tensor = ReadSizes(dimension_count, sizes);
    if (!tensor.ok()) return tensor.error();
    anydml::train::FillWeight(seed, name, tensor.value().Sizes(), bound,
                              {values, tensor.value().ElementCount()});
    return {};
  });
}

anydml_status anydml_checksum(uint32_t count, const anydml_weight* weights, char digits[65]) {
  return Guard([&]() -> Status {
    Status status = CheckPresent(digits, "the result pointer");
    if (status.ok() && count != 0) status = CheckPresent(weights, "weights");
    if (!status.ok()) return status;
    std::vector<anydml::train::Weight> read;
    for (uint32_t i = 0; i < count; ++i) {
      anydml::Result<anydml::train::Weight> weight = ReadWeight(weights[i]);
      if (!weight.ok()) return weight.error();
      read.push_back(std::move(weight).value());
    }
    status = CheckNames(read);
    if (!status.ok()) return status;
    const std::string sum = anydml::train::Checksum(std::move(read));
    std::memcpy(digits, sum.c_str(), sum.size() + 1);
    return {};
  });
}

anydml_status anydml_read_idx(const char* path, const anydml_idx** idx) {
  return Guard([&]() -> Status {
    Status status = CheckPresent(idx, "the result pointer");
    if (!status.ok()) return status;
    *idx = nullptr;
    status = CheckPresent(path, "the file's name");
    if (!status.ok()) return status;
    anydml::Result<anydml::train::IdxFile> file = anydml::train::ReadIdx(path);
    if (!file.ok()) return file.error();
    auto owned = std::make_unique<OwnedIdx>();
    owned->file = std::move(file).value();
    owned->dimension_count = static_cast<uint32_t>(owned->file.sizes.size());
    std::ranges::copy(owned->file.sizes, owned->sizes);
    owned->data = owned->file.data().data();
    *idx = owned.release();
    return {};
  });
}

void anydml_release_idx(const anydml_idx* idx) {
  GuardRelease([idx] { delete static_cast<const OwnedIdx*>(idx); });
}

anydml_status anydml_shuffle(uint64_t seed, uint64_t epoch, uint32_t count, uint32_t* order) {
  return Guard([&]() -> Status {
    if (count == 0) return {};
    Status status = CheckPresent(order, "the result pointer");
    if (!status.ok()) return status;
    std::ranges::copy(anydml::train::ShuffledOrder(seed, epoch, count), order);
    return {};
  });
}
