// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// No memory under the C++ layer. A program of its own, linked as programs outside
// are: the layer's classes have the names of some inside.
#include <gtest/gtest.h>

#include "anydml/anydml.hpp"
#include "faults/every_failure.h"

namespace anydml::faults {
namespace {

constexpr char kJson[] = R"({"type": "ACTIVATION_RELU_GRAD", "desc": {
    "InputTensor":          { "DataType": "FLOAT32", "Sizes": [2, 2] },
    "InputGradientTensor":  { "DataType": "FLOAT32", "Sizes": [2, 2] },
    "OutputGradientTensor": { "DataType": "FLOAT32", "Sizes": [2, 2] }}})";

// The C++ layer throws its own exception, or bad_alloc where there is no memory
// for that either.
TEST(CxxFaults, ThrowsThatThereIsNoMemory) {
  const float x[4] = {1, -1, 2, -2}, dy[4] = {1, 2, 3, 4};
  float dx[4] = {};
  FailEverywhere("anydml.hpp", [&] {
    try {
      anydml_device_options options = {};
      options.struct_size = sizeof options;
      options.threads = 1;
      const anydml::Device device("cpu", &options);
      const anydml::Operator op = device.CreateOperator(kJson);
      op.Execute({x, dy}, {dx});
      op.Start({x, dy}, {dx}).Wait();
      device.Synchronize();
      return dx[0] == 1 && dx[1] == 0 && dx[2] == 3
                 ? Answer()
                 : Answer::Of(Verdict::kOther, "the results are wrong");
    } catch (const anydml::Exception& exception) {
      const bool memory = exception.status() == ANYDML_OUT_OF_MEMORY;
      return Answer::Of(memory ? Verdict::kOutOfMemory : Verdict::kOther, exception.what());
    } catch (const std::bad_alloc&) {
      return Answer::Of(Verdict::kOutOfMemory, "std::bad_alloc");
    } catch (const std::exception& exception) {
      return Answer::Of(Verdict::kOther, exception.what());
    }
  });
}

}  // namespace
}  // namespace anydml::faults
