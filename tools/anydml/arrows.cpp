// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "arrows.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "element.h"

namespace anydml::tool {
namespace {

using Values = std::vector<double>;

bool IsFloating(DataType type) {
  return type == DataType::kFloat32 || type == DataType::kFloat16 || type == DataType::kFloat64;
}

// Equal up to the rounding of a few half-precision operations.
bool Agree(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::abs(a - b) <= 0x1p-8 * std::max({1.0, std::abs(a), std::abs(b)});
}

class Search {
 public:
  explicit Search(Experiment& experiment)
      : experiment_(experiment),
        source_(experiment.tensor(experiment.source())),
        target_(experiment.tensor(experiment.target())),
        bytes_(experiment.data(experiment.source()),
               experiment.data(experiment.source()) + source_.total_bytes),
        given_(source_.ElementCount()) {
    for (uint64_t i = 0; i < given_.size(); ++i) {
      given_[i] = ValueAt(source_, experiment_.data(experiment_.source()), i);
    }
  }

  Result<Arrows> Find() {
    Arrows arrows;
    const Values result = ResultOf(given_);
    arrows.all = UnitResponses();
    arrows.linear = Explains(arrows.all, given_, result) && Explains(arrows.all, All(1)) &&
                    Explains(arrows.all, All(-1));
    if (!arrows.linear) arrows.all = Nudges(result);
    // The very bytes: `given_` has rounded large integers.
    std::ranges::copy(bytes_, experiment_.data(experiment_.source()));
    if (const Status status = experiment_.Run(); !status.ok()) status_ = status;
    if (!status_.ok()) return status_.error();
    return arrows;
  }

 private:
  Values All(double value) const { return Values(given_.size(), value); }

  // Of a source with these elements. A failure is kept for the end.
  Values ResultOf(const Values& elements) {
    for (uint64_t i = 0; i < elements.size(); ++i) {
      SetValue(source_, experiment_.data(experiment_.source()), i, elements[i]);
    }
    if (const Status status = experiment_.Run(); !status.ok()) status_ = status;
    Values result(target_.ElementCount());
    for (uint64_t i = 0; i < result.size(); ++i) {
      result[i] = ValueAt(target_, experiment_.data(experiment_.target()), i);
    }
    return result;
  }

  // What a single 1 among zeros adds to the result.
  std::vector<Arrow> UnitResponses() {
    std::vector<Arrow> arrows;
    constant_ = ResultOf(All(0));
    for (uint64_t from = 0; from < given_.size(); ++from) {
      Values unit = All(0);
      unit[from] = 1;
      const Values result = ResultOf(unit);
      for (uint64_t to = 0; to < result.size(); ++to) {
        const double weight = result[to] - constant_[to];
        if (weight != 0) arrows.push_back({from, to, weight});
      }
    }
    return arrows;
  }

  bool Explains(const std::vector<Arrow>& arrows, const Values& elements) {
    // -1 is no element of an unsigned type.
    SetValue(source_, experiment_.data(experiment_.source()), 0, elements[0]);
    if (ValueAt(source_, experiment_.data(experiment_.source()), 0) != elements[0]) return true;
    return Explains(arrows, elements, ResultOf(elements));
  }

  bool Explains(const std::vector<Arrow>& arrows, const Values& elements,
                const Values& result) const {
    Values sums = constant_;
    for (const Arrow& arrow : arrows) sums[arrow.to] += arrow.weight * elements[arrow.from];
    for (uint64_t i = 0; i < sums.size(); ++i) {
      if (!Agree(sums[i], result[i])) return false;
    }
    return true;
  }

  std::vector<Arrow> Nudges(const Values& result) {
    std::vector<Arrow> arrows;
    for (uint64_t from = 0; from < given_.size(); ++from) {
      const double step =
          IsFloating(source_.data_type) ? 0x1p-6 * std::max(1.0, std::abs(given_[from])) : 1;
      const Values up = Nudged(from, step), down = Nudged(from, -step);
      for (uint64_t to = 0; to < result.size(); ++to) {
        const bool answers = up[to] != result[to] && down[to] != result[to];
        const double weight = (up[to] - down[to]) / (2 * step);
        if (answers && std::isfinite(weight)) arrows.push_back({from, to, weight});
      }
    }
    return arrows;
  }

  Values Nudged(uint64_t from, double step) {
    Values nudged = given_;
    nudged[from] += step;
    return ResultOf(nudged);
  }

  Experiment& experiment_;
  const TensorDesc source_;
  const TensorDesc target_;
  const std::vector<uint8_t> bytes_;  // of the source, as they were
  Values given_;
  Values constant_;  // the result of zeros
  Status status_;
};

}  // namespace

Experiment::Experiment(const c_api::BoundOperator& op, const std::vector<uint8_t*>& addresses)
    : op_(op), memory_(addresses.size()) {
  for (size_t i = 0; i < addresses.size(); ++i) {
    if (addresses[i] == nullptr) continue;
    memory_[i].assign(addresses[i], addresses[i] + tensor(i).total_bytes);
  }
}

Status Experiment::Run() {
  const auto at = [this](size_t field) -> uint8_t* {
    return memory_[field].empty() ? nullptr : memory_[field].data();
  };
  std::vector<const void*> inputs;
  std::vector<void*> outputs;
  for (size_t field : op_.inputs) inputs.push_back(at(field));
  for (size_t field : op_.outputs) outputs.push_back(at(field));
  Result<Bindings> bindings = c_api::CheckPointers(op_, inputs.data(), outputs.data());
  if (!bindings.ok()) return bindings.error();
  return c_api::RunNow(*op_.program, op_.device->temporaries, bindings.value(), op_.device->executor);
}

size_t Experiment::source() const {
  const schema::Arguments& arguments = op_.program->arguments();
  std::optional<size_t> first, alike;
  for (size_t number : op_.inputs) {
    if (!tensor(number).present()) continue;
    if (arguments.TensorName(number) == "InputGradientTensor") return number;
    if (!first) first = number;
    if (!alike && tensor(number).data_type == tensor(target()).data_type) alike = number;
  }
  return alike ? *alike : first ? *first : op_.inputs.back();
}

Result<Arrows> FindArrows(Experiment& experiment) { return Search(experiment).Find(); }

}  // namespace anydml::tool
