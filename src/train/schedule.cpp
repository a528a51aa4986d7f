// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "train/schedule.h"

#include <fmt/format.h>

#include <cmath>

namespace anydml::train {
namespace {

Status Check(const Schedule& schedule) {
  const std::pair<const char*, float> rates[] = {{"learning_rate", schedule.learning_rate},
                                                 {"last", schedule.last}};
  for (const auto& [name, rate] : rates) {
    if (std::isfinite(rate) && rate >= 0) continue;
    return InvalidArgument(
        fmt::format("schedule: {} = {} must be finite and at least 0", name, rate));
  }
  if (!(schedule.factor >= 0 && schedule.factor <= 1)) {
    return InvalidArgument(
        fmt::format("schedule: factor = {} must be from 0 to 1", schedule.factor));
  }
  if (schedule.kind == Schedule::Kind::kConstant || schedule.steps != 0) return {};
  return InvalidArgument("schedule: steps = 0 must be at least 1");
}

// By squares, from the lowest bit on.
double Power(double base, uint64_t exponent) {
  double power = 1;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) power *= base;
    base *= base;
  }
  return power;
}

// Of pi u for u from 0 to 1/2: 12 terms of the series, of which the next is below 1e-19.
double CosineOfPi(double u) {
  constexpr double kPi = 0x1.921fb54442d18p+1;
  const double x = (kPi * u) * (kPi * u);
  double sum = 1;
  for (int k = 12; k > 0; --k) sum = 1 - sum * x / ((2 * k - 1) * (2 * k));
  return sum;
}

}  // namespace

Result<float> RateOf(const Schedule& schedule, uint64_t steps_made) {
  Status status = Check(schedule);
  if (!status.ok()) return status.error();
  const double rate = schedule.learning_rate;
  if (steps_made < schedule.warm_up) {
    return static_cast<float>(rate * static_cast<double>(steps_made + 1) /
                              static_cast<double>(schedule.warm_up));
  }
  if (schedule.kind == Schedule::Kind::kConstant) return schedule.learning_rate;
  const uint64_t n = steps_made - schedule.warm_up;
  if (schedule.kind == Schedule::Kind::kStepDecay) {
    return static_cast<float>(rate * Power(schedule.factor, n / schedule.steps));
  }
  if (n >= schedule.steps) return schedule.last;
  const double u = static_cast<double>(n) / static_cast<double>(schedule.steps);
  const double cosine = u <= 0.5 ? CosineOfPi(u) : -CosineOfPi(1 - u);
  return static_cast<float>(schedule.last + (rate - schedule.last) * ((1 + cosine) / 2));
}

}  // namespace anydml::train
