// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Where the elements of an input go, found by running the operator: which
// elements of the result answer when one element of the input changes. Knows no
// operator.
#pragma once

#include <vector>

#include "c_api/operator.h"

namespace anydml::tool {

struct Arrow {
  uint64_t from = 0;  // logical index in the input
  uint64_t to = 0;    // logical index in the result
  double weight = 0;  // what a 1 in the input adds to the result
};

// A dispatch on memory of its own, to be run again and again. The elements that
// travel are those of the last input, which is the incoming gradient of every
// gradient operator; they arrive in the first output.
class Experiment {
 public:
  // `addresses` of every tensor by field, null where absent: copied.
  Experiment(const c_api::BoundOperator& op, const std::vector<uint8_t*>& addresses);

  Status Run();

  // The gradient that comes in; else the first input of the output's type, else the first.
  size_t source() const;
  size_t target() const { return op_.outputs.front(); }
  const TensorDesc& tensor(size_t field) const { return op_.program->arguments().tensor(field); }
  const uint8_t* data(size_t field) const { return memory_[field].data(); }
  uint8_t* data(size_t field) { return memory_[field].data(); }

 private:
  const c_api::BoundOperator& op_;
  std::vector<std::vector<uint8_t>> memory_;  // by field
};

struct Arrows {
  std::vector<Arrow> all;  // by source, then by target
  // The result is a constant plus the sum over all arrows of weight and element,
  // which was checked. Otherwise an arrow starts at an element whose small
  // change, up and down, changes the result.
  bool linear = true;
};

// Leaves the experiment with the result of its own inputs.
Result<Arrows> FindArrows(Experiment& experiment);

}  // namespace anydml::tool
