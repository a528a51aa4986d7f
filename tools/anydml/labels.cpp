// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "labels.h"

#include <algorithm>
#include <cmath>

namespace anydml::tool {
namespace {

constexpr double kHeight = 9;                  // of digits
constexpr double kAbove = 4, kBelow = 13;      // from the curve to the baseline
constexpr double kClear = 8, kClearOfOwn = 2;  // further away is no better
constexpr int kSteps = 40;                     // along a curve

double Distance(double from, double begin, double end) {
  return std::max({begin - from, from - end, 0.0});
}

// From a label at `baseline` to a point.
double Clearance(const Label& label, Point baseline, Point point) {
  return std::hypot(Distance(point.x, baseline.x - label.width / 2, baseline.x + label.width / 2),
                    Distance(point.y, baseline.y - kHeight, baseline.y));
}

double Clearance(const Label& label, Point baseline, const Curve& curve) {
  double least = kClear;
  for (int i = 0; i <= kSteps; ++i) {
    least = std::min(least, Clearance(label, baseline, curve.At(static_cast<double>(i) / kSteps)));
  }
  return least;
}

double Clearance(const Label& label, Point baseline, const Label& other) {
  const double half = (label.width + other.width) / 2;
  return std::hypot(Distance(other.baseline.x, baseline.x - half, baseline.x + half),
                    Distance(other.baseline.y, baseline.y - kHeight, baseline.y + kHeight));
}

// How well a label reads there. Labels before it have their places.
double Score(const std::vector<Curve>& curves, const std::vector<Label>& labels, size_t number,
             Point baseline) {
  const Label& label = labels[number];
  double clear = kClear, of_own = kClearOfOwn;
  for (size_t i = 0; i < curves.size(); ++i) {
    double& least = i == label.curve ? of_own : clear;
    least = std::min(least, Clearance(label, baseline, curves[i]));
  }
  for (size_t i = 0; i < number; ++i) {
    clear = std::min(clear, Clearance(label, baseline, labels[i]));
  }
  return clear + 3 * of_own;
}

}  // namespace

Point Curve::At(double t) const {
  const double s = 1 - t, middle = (begin.x + end.x) / 2;
  const double first = s * s * s, second = 3 * s * s * t, third = 3 * s * t * t, last = t * t * t;
  return {first * begin.x + (second + third) * middle + last * end.x,
          (first + second) * begin.y + (third + last) * end.y};
}

void PlaceLabels(const std::vector<Curve>& curves, std::vector<Label>& labels) {
  for (size_t number = 0; number < labels.size(); ++number) {
    double best = -1;
    // From the end on, where the arrows of one element have parted.
    for (int i = kSteps - 2; i >= 2; --i) {
      const Point at = curves[labels[number].curve].At(static_cast<double>(i) / kSteps);
      for (const double shift : {-kAbove, kBelow}) {
        const Point baseline = {at.x, at.y + shift};
        const double score = Score(curves, labels, number, baseline);
        if (score <= best) continue;
        best = score;
        labels[number].baseline = baseline;
      }
    }
  }
}

}  // namespace anydml::tool
