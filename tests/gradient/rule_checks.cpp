// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "gradient/rule_checks.h"

#include <array>
#include <bit>

#include "operators/registry.h"

namespace anydml::gradient {
namespace {

// Functions of one tensor, with a ScaleBias where they have one.
struct Function {
  std::string_view name;
  double low, high;
  std::vector<std::pair<std::string_view, float>> numbers = {};
};

const Function kFunctions[] = {
    {"ELEMENT_WISE_IDENTITY", -1, 1},
    {"ELEMENT_WISE_NEGATE", -1, 1},
    {"ELEMENT_WISE_ABS", -1, 1},
    {"ELEMENT_WISE_RECIP", 0.5, 2},
    {"ELEMENT_WISE_SQRT", 0.5, 2},
    {"ELEMENT_WISE_EXP", -1, 1},
    {"ELEMENT_WISE_LOG", 0.5, 2},
    {"ELEMENT_WISE_ERF", -1, 1},
    {"ELEMENT_WISE_TANH", -1, 1},
    {"ELEMENT_WISE_CLIP", -1, 1, {{"Min", -0.5f}, {"Max", 0.5f}}},
    {"ACTIVATION_IDENTITY", -1, 1},
    {"ACTIVATION_LINEAR", -1, 1, {{"Alpha", 1.5f}, {"Beta", 0.25f}}},
    {"ACTIVATION_RELU", -1, 1},
    {"ACTIVATION_LEAKY_RELU", -1, 1, {{"Alpha", 0.125f}}},
    {"ACTIVATION_THRESHOLDED_RELU", -1, 1, {{"Alpha", 0.25f}}},
    {"ACTIVATION_HARD_SIGMOID", -2, 2, {{"Alpha", 0.5f}, {"Beta", 0.5f}}},
    {"ACTIVATION_SOFTSIGN", -1, 1},
    {"ACTIVATION_TANH", -1, 1},
    {"ACTIVATION_SIGMOID", -2, 2},
    {"ACTIVATION_GELU", -2, 2},
    {"ACTIVATION_ELU", -2, 2, {{"Alpha", 0.75f}}},
    {"ACTIVATION_CELU", -2, 2, {{"Alpha", 0.75f}}},
    {"ACTIVATION_SCALED_ELU", -2, 2, {{"Alpha", 1.625f}, {"Gamma", 1.125f}}},
    {"ACTIVATION_SCALED_TANH", -1, 1, {{"Alpha", 1.75f}, {"Beta", 0.625f}}},
    {"ELEMENT_WISE_THRESHOLD", -1, 1, {{"Min", 0.25f}}},
    {"ACTIVATION_SHRINK", -1, 1, {{"Bias", 0.25f}, {"Threshold", 0.5f}}},
    {"ACTIVATION_HARD_SWISH", -2, 2, {{"Alpha", 0.5f}, {"Beta", 0.5f}}},
    {"ACTIVATION_SOFTPLUS", -2, 2, {{"Steepness", 1.5f}}},
    {"ACTIVATION_PARAMETRIC_SOFTPLUS", -2, 2, {{"Alpha", 1.75f}, {"Beta", 0.625f}}},
    {"ACTIVATION_SWISH", -2, 2, {{"SigmoidInputScale", 1.5f}}},
    {"ELEMENT_WISE_SIN", -2, 2},
    {"ELEMENT_WISE_COS", -2, 2},
    {"ELEMENT_WISE_TAN", -0.5, 0.5},
    {"ELEMENT_WISE_ASIN", -0.5, 0.5},
    {"ELEMENT_WISE_ACOS", -0.5, 0.5},
    {"ELEMENT_WISE_ATAN", -2, 2},
    {"ELEMENT_WISE_SINH", -1, 1},
    {"ELEMENT_WISE_COSH", -1, 1},
    {"ELEMENT_WISE_ASINH", -2, 2},
    {"ELEMENT_WISE_ACOSH", 2, 3},
    {"ELEMENT_WISE_ATANH", -0.5, 0.5},
    {"ELEMENT_WISE_CONSTANT_POW", 0.5, 2, {{"Exponent", 1.5f}}},
};

Checked OfFunction(Network& network, const Function& function, bool is_scaled) {
  schema::Settings settings = network.Call(function.name);
  for (const auto& [field, number] : function.numbers) settings.Float(field, number);
  if (is_scaled) settings.ScaleBias(0.75f, 0.125f);
  const GraphValue x = network.Random({3, 8}, function.low, function.high);
  return {network.Output(settings, {x}), {x}};
}

void AddFunctions(Checks& checks) {
  for (const Function& function : kFunctions) {
    const schema::OperatorSchema& schema = *FindSchema(function.name);
    const bool scales = schema::FindField(schema, "ScaleBias") != schema.fields.size();
    for (int is_scaled = 0; is_scaled <= (scales ? 1 : 0); ++is_scaled) {
      checks.emplace(function.name, [&function, is_scaled](Network& network) {
        return OfFunction(network, function, is_scaled != 0);
      });
    }
  }
  checks.emplace("ELEMENT_WISE_CLIP1", [](Network& network) {
    schema::Settings settings = network.Call("ELEMENT_WISE_CLIP1");
    settings.Scalar("Min", network.type, -0.5).Scalar("Max", network.type, 0.5);
    settings.ScaleBias(0.75f, 0.125f);
    const GraphValue x = network.Random({3, 8});
    return Checked{network.Output(settings, {x}), {x}};
  });
  checks.emplace("CAST", [](Network& network) {
    const auto cast = [&](DataType type, const GraphValue& x) {
      return network.Output(
          network.Call("CAST").Tensor("OutputTensor", PackedTensor(type, x.tensor.Sizes())), {x});
    };
    const GraphValue x = network.Random({3, 4});
    // 11 bits suffice for the elements and their steps.
    const GraphValue half = cast(DataType::kFloat16, x);
    return Checked{cast(network.type, half), {x}};
  });
}

void AddArithmetic(Checks& checks) {
  for (const char* name :
       {"ELEMENT_WISE_ADD", "ELEMENT_WISE_ADD1", "ELEMENT_WISE_SUBTRACT", "ELEMENT_WISE_MULTIPLY",
        "ELEMENT_WISE_DIVIDE", "ELEMENT_WISE_MAX", "ELEMENT_WISE_MIN", "ELEMENT_WISE_MEAN",
        "ELEMENT_WISE_DIFFERENCE_SQUARE", "ACTIVATION_PARAMETERIZED_RELU"}) {
    checks.emplace(name, [name](Network& network) {
      const GraphValue a = network.Random({3, 4});
      // Shifted, so that no two elements are equal.
      const GraphValue b = network.Random({3, 4}, 1, 2);
      const GraphValue less = network.write.Scale(b, 1, -1.03125f);
      const bool divides = std::string_view(name) == "ELEMENT_WISE_DIVIDE";
      return Checked{network.Apply(name, {a, divides ? b : less}), {a, b}};
    });
  }
  for (const char* name : {"ELEMENT_WISE_MODULUS_TRUNCATE", "ELEMENT_WISE_MODULUS_FLOOR"}) {
    checks.emplace(name, [name](Network& network) {
      // Odd multiples of 1/4 and of 1/16: no small multiple of one is the other.
      const GraphValue a = network.Random({3, 4}, -3, 3), b = network.Random({3, 4}, 4, 5);
      return Checked{network.Apply(name, {network.write.Scale(a, 4), b}), {a, b}};
    });
  }
  for (DataType type : {DataType::kInt8, DataType::kUint32}) {
    checks.emplace("ELEMENT_WISE_DEQUANTIZE_LINEAR", [type](Network& network) {
      const GraphValue x = network.Input(PackedTensor(type, Sizes{2, 2}), {1, 7, 3, 120});
      const GraphValue zero = network.Input(PackedTensor(type, Sizes{2, 2}), {3, 2, 3, 100});
      const GraphValue scale = network.Random({2, 2});
      return Checked{network.Apply("ELEMENT_WISE_DEQUANTIZE_LINEAR", {x, scale, zero}), {scale}};
    });
  }
  checks.emplace("ELEMENT_WISE_ATAN_YX", [](Network& network) {
    const GraphValue y = network.Random({3, 4}), x = network.Random({3, 4}, 1, 2);
    return Checked{network.Apply("ELEMENT_WISE_ATAN_YX", {y, x}), {y, x}};
  });
  checks.emplace("ELEMENT_WISE_POW", [](Network& network) {
    schema::Settings settings = network.Call("ELEMENT_WISE_POW");
    settings.ScaleBias(0.75f, 0.125f);
    const GraphValue x = network.Random({3, 4}, 1, 2), e = network.Random({3, 4}, -1, 2);
    return Checked{network.Output(settings, {x, e}), {x, e}};
  });
  // An exponent of another type; of integers it has no gradient.
  checks.emplace("ELEMENT_WISE_POW", [](Network& network) {
    const bool is_half = network.type == DataType::kFloat16;
    const TensorDesc other =
        PackedTensor(is_half ? DataType::kFloat32 : DataType::kFloat16, Sizes{2, 2});
    const GraphValue x = network.Random({2, 2}, 0.5, 2), e = network.Input(other, {3, 2, 1, 0.5});
    return Checked{network.Apply("ELEMENT_WISE_POW", {x, e}), {x, e}};
  });
  checks.emplace("ELEMENT_WISE_POW", [](Network& network) {
    const GraphValue x = network.Random({2, 2}, 0.5, 2);
    const GraphValue e = network.Input(PackedTensor(DataType::kInt8, Sizes{2, 2}), {3, 2, 1, 0xFF});
    return Checked{network.Apply("ELEMENT_WISE_POW", {x, e}), {x}};
  });
  checks.emplace("ELEMENT_WISE_IF", [](Network& network) {
    const GraphValue condition =
        network.Input(PackedTensor(DataType::kUint8, Sizes{2, 2}), {1, 0, 0, 1});
    const GraphValue a = network.Random({2, 2}), b = network.Random({2, 2});
    return Checked{network.Apply("ELEMENT_WISE_IF", {condition, a, b}), {a, b}};
  });
  const auto gradient_of = [&checks](const char* name, bool is_clip, bool is_typed) {
    checks.emplace(name, [=](Network& network) {
      schema::Settings settings = network.Call(name);
      if (is_clip && !is_typed) settings.Float("Min", -0.5f).Float("Max", 0.5f);
      if (is_typed) {
        settings.Scalar("Min", network.type, -0.5).Scalar("Max", network.type, 0.5);
      }
      const GraphValue x = network.Random({3, 4}), dy = network.Random({3, 4});
      return Checked{network.Output(settings, {x, dy}), {x, dy}};
    });
  };
  gradient_of("ACTIVATION_RELU_GRAD", false, false);
  gradient_of("ELEMENT_WISE_CLIP_GRAD", true, false);
  gradient_of("ELEMENT_WISE_CLIP_GRAD1", true, true);
}

void AddReductions(Checks& checks) {
  for (std::string_view function : schema::kReduceFunctions) {
    if (function.starts_with("ARG")) continue;
    for (const Sizes& axes : {Sizes{1}, Sizes{2, 0}, Sizes{0, 1, 2}, Sizes{}}) {
      checks.emplace("REDUCE", [=](Network& network) {
        const bool is_positive = function == "LOG_SUM" || function == "L2";
        const GraphValue x = function == "MAX" || function == "MIN" ? network.Distinct({3, 2, 4})
                             : is_positive ? network.Random({3, 2, 4}, 0.5, 2)
                                           : network.Random({3, 2, 4});
        if (function == "MULTIPLY") network.elements(x)[5] = 0;
        return Checked{network.write.Reduce(function, x, axes), {x}};
      });
    }
  }
  for (const char* name : {"ACTIVATION_SOFTMAX", "ACTIVATION_LOG_SOFTMAX"}) {
    checks.emplace(name, [name](Network& network) {
      const GraphValue x = network.Random({1, 1, 3, 4});
      return Checked{network.Apply(name, {x}), {x}};
    });
  }
  for (const char* name : {"ACTIVATION_SOFTMAX1", "ACTIVATION_LOG_SOFTMAX1"}) {
    for (const Sizes& axes : {Sizes{1}, Sizes{0, 2}}) {
      checks.emplace(name, [=](Network& network) {
        const GraphValue x = network.Random({2, 3, 4});
        return Checked{network.Output(network.Call(name).Uints("Axes", axes), {x}), {x}};
      });
    }
  }
  for (uint32_t direction : {0, 1}) {
    for (uint32_t exclusive : {0, 1}) {
      for (bool is_product : {false, true}) {
        const char* name = is_product ? "CUMULATIVE_PRODUCT" : "CUMULATIVE_SUMMATION";
        checks.emplace(name, [=](Network& network) {
          schema::Settings settings = network.Call(name);
          settings.Uint("Axis", 1).Uint("AxisDirection", direction);
          settings.Uint(is_product ? "HasExclusiveProduct" : "HasExclusiveSum", exclusive);
          const GraphValue x = network.Random({2, 5, 3});
          network.elements(x)[7] = 0;
          return Checked{network.Output(settings, {x}), {x}};
        });
      }
    }
  }
}

void AddProducts(Checks& checks) {
  for (uint32_t transposed = 0; transposed < 4; ++transposed) {
    checks.emplace("GEMM", [=](Network& network) {
      const uint32_t trans_a = transposed & 1, trans_b = transposed >> 1;
      schema::Settings settings = network.Call("GEMM");
      settings.Uint("TransA", trans_a).Uint("TransB", trans_b);
      settings.Float("Alpha", 0.75f).Float("Beta", 0.5f);
      const GraphValue a = network.Random(trans_a ? Sizes{2, 4, 3} : Sizes{2, 3, 4});
      const GraphValue b = network.Random(trans_b ? Sizes{2, 5, 4} : Sizes{2, 4, 5});
      const GraphValue c = network.Random({1, 1, 5});
      const GraphValue broadcast = network.write.Broadcast(c, Sizes{2, 3, 5});
      return Checked{network.Output(settings, {a, b, broadcast}), {a, b, c}};
    });
  }
  for (uint32_t direction : {0, 1}) {
    checks.emplace("CONVOLUTION", [=](Network& network) {
      schema::Settings settings = network.Call("CONVOLUTION");
      settings.Uint("Direction", direction).Uint("GroupCount", 2).Uint("Mode", 0);
      settings.Uints("Strides", Sizes{2, 1}).Uints("StartPadding", Sizes{1, 0});
      const GraphValue x = network.Random({2, 4, 4, 3}), w = network.Random({4, 2, 3, 2});
      const GraphValue b = network.Random({1, 4, 1, 1});
      return Checked{network.Output(settings, {x, w, b}), {x, w, b}};
    });
  }
}

schema::Settings WindowsOf(Network& network, std::string_view name) {
  schema::Settings settings = network.Call(name);
  settings.Uints("Strides", Sizes{2, 1}).Uints("WindowSize", Sizes{3, 2});
  settings.Uints("StartPadding", Sizes{1, 0}).Uints("EndPadding", Sizes{0, 1});
  return settings;
}

void AddWindows(Checks& checks) {
  for (const char* name : {"MAX_POOLING", "MAX_POOLING1", "MAX_POOLING2"}) {
    checks.emplace(name, [name](Network& network) {
      schema::Settings settings = WindowsOf(network, name);
      settings.Uints("Dilations", Sizes{1, 2});  // of the last version
      const GraphValue x = network.Distinct({1, 2, 5, 6});
      return Checked{network.Output(settings, {x}), {x}};
    });
  }
  checks.emplace("MAX_POOLING_GRAD", [](Network& network) {  // also of a window of padding alone
    schema::Settings settings = WindowsOf(network, "MAX_POOLING_GRAD");
    settings.Uints("StartPadding", Sizes{3, 0}).Uints("Dilations", Sizes{1, 2});
    const GraphValue x = network.Distinct({2, 2, 5, 6}), dy = network.Random({2, 2, 3, 5});
    return Checked{network.Output(settings, {x, dy}), {x, dy}};
  });
  for (const char* name : {"AVERAGE_POOLING", "AVERAGE_POOLING1"}) {
    for (uint32_t include : {0, 1}) {
      for (uint32_t dilation : {1, 2}) {
        checks.emplace(name, [=](Network& network) {
          schema::Settings settings = WindowsOf(network, name);
          settings.Uint("IncludePadding", include);
          settings.Uints("Dilations", Sizes{1, dilation});  // of the last version
          const GraphValue x = network.Random({2, 2, 5, 6});
          return Checked{network.Output(settings, {x}), {x}};
        });
      }
    }
  }
  for (const char* name : {"LP_POOLING", "LP_POOLING1"}) {
    for (uint32_t p : {1, 2, 3}) {
      for (uint32_t dilation : {1, 2}) {
        checks.emplace(name, [=](Network& network) {
          schema::Settings settings = WindowsOf(network, name);
          settings.Uint("P", p);
          settings.Uints("Dilations", Sizes{1, dilation});  // of the last version
          const GraphValue x = network.Random({2, 2, 5, 6});
          return Checked{network.Output(settings, {x}), {x}};
        });
      }
    }
  }
  for (const char* name : {"ROI_ALIGN", "ROI_ALIGN1"}) {
    for (uint32_t function : {2, 7}) {  // AVERAGE, MAX
      checks.emplace(name, [=](Network& network) {
        schema::Settings settings = network.Call(name);
        settings.Tensor("OutputTensor", network.Tensor(Sizes{2, 2, 2, 3}));
        settings.Uint("ReductionFunction", function).Uint("InterpolationMode", 1);
        settings.Float("SpatialScaleX", 1).Float("SpatialScaleY", 1);
        settings.Float("OutOfBoundsInputValue", 0);
        settings.Uint("MinimumSamplesPerOutput", 1).Uint("MaximumSamplesPerOutput", 2);
        settings.Float("InputPixelOffset", 0.5f).Float("OutputPixelOffset", -0.5f);
        // Apart, so that the greatest sample stays the greatest beside it.
        const Sizes sizes = {2, 2, 5, 6};
        const GraphValue x = function == 7 ? network.Distinct(sizes) : network.Random(sizes);
        const GraphValue rois = network.Floats({2, 4}, {0.7, 0.6, 4.9, 4.3, 1.6, 0.9, 3.2, 2.7});
        const GraphValue batches = network.Input(PackedTensor(DataType::kUint32, Sizes{2}), {1, 0});
        return Checked{network.Output(settings, {x, rois, batches}), {x, rois}};
      });
    }
  }
  checks.emplace("MAX_UNPOOLING", [](Network& network) {
    schema::Settings settings = network.Call("MAX_UNPOOLING");
    settings.Tensor("OutputTensor", network.Tensor(Sizes{1, 2, 3, 4}));
    const GraphValue x = network.Random({1, 2, 1, 3});
    const GraphValue indices =
        network.Input(PackedTensor(DataType::kUint32, Sizes{1, 2, 1, 3}), {5, 23, 0, 40, 7, 24});
    return Checked{network.Output(settings, {x, indices}), {x}};
  });
  checks.emplace("AVERAGE_POOLING_GRAD", [](Network& network) {
    schema::Settings settings = WindowsOf(network, "AVERAGE_POOLING_GRAD");
    settings.Tensor("OutputGradientTensor", network.Tensor(Sizes{1, 2, 5, 6}));
    const GraphValue dy = network.Random({1, 2, 2, 6});
    return Checked{network.Output(settings, {dy}), {dy}};
  });
}

void AddResampling(Checks& checks) {
  const std::vector<float> scales = {1, 1, 2, 1.5f}, input = {0.5f, 0.5f, 0.5f, 0.25f},
                           output = {-0.5f, -0.5f, -0.5f, -0.25f};
  const auto bits = [](const std::vector<float>& numbers) {
    Sizes words;
    for (float number : numbers) words.push_back(std::bit_cast<uint32_t>(number));
    return words;
  };
  for (const char* name :
       {"RESAMPLE", "RESAMPLE1", "RESAMPLE2", "RESAMPLE3", "RESAMPLE_GRAD", "RESAMPLE_GRAD1"}) {
    for (uint32_t mode : {0, 1}) {
      for (uint32_t rounding : {0, 1}) {
        checks.emplace(name, [=](Network& network) {
          const bool is_gradient = std::string_view(name).find("GRAD") != std::string_view::npos;
          schema::Settings settings = network.Call(name);
          settings.Uint("InterpolationMode", mode).Uint("RoundingDirection", rounding);
          settings.Uints("Scales", bits(scales));
          settings.Uints("InputPixelOffsets", bits(input));
          settings.Uints("OutputPixelOffsets", bits(output));
          if (is_gradient) {
            settings.Tensor("OutputGradientTensor", network.Tensor(Sizes{1, 2, 3, 4}));
          }
          const GraphValue x = network.Random(is_gradient ? Sizes{1, 2, 6, 6} : Sizes{1, 2, 3, 4});
          return Checked{network.Output(settings, {x}), {x}};
        });
      }
    }
  }
}

void AddUpsampling(Checks& checks) {
  for (const Sizes& sizes : {Sizes{1, 2, 3, 4}, Sizes{2, 2, 2, 2, 3}}) {
    for (uint32_t mode : {0, 1}) {
      checks.emplace("UPSAMPLE_2D", [=](Network& network) {
        schema::Settings settings = network.Call("UPSAMPLE_2D");
        settings.Uint("InterpolationMode", mode).Uints("ScaleSize", Sizes{3, 2});
        const GraphValue x = network.Random(sizes);
        return Checked{network.Output(settings, {x}), {x}};
      });
    }
  }
}

void AddMovement(Checks& checks) {
  checks.emplace("SLICE", [](Network& network) {
    schema::Settings settings = network.Call("SLICE");
    settings.Uints("Offsets", Sizes{1, 0}).Uints("Sizes", Sizes{2, 3});
    settings.Uints("Strides", Sizes{3, 2});
    const GraphValue x = network.Random({5, 6});
    return Checked{network.Output(settings, {x}), {x}};
  });
  for (const char* name : {"SLICE1", "SLICE_GRAD"}) {
    checks.emplace(name, [name](Network& network) {
      const bool is_gradient = std::string_view(name) == "SLICE_GRAD";
      schema::Settings settings = network.Call(name);
      settings.Uints("InputWindowOffsets", Sizes{1, 0}).Uints("InputWindowSizes", Sizes{3, 5});
      settings.Ints("InputWindowStrides", std::array{-2, 1});
      if (is_gradient) {
        settings.Tensor("OutputGradientTensor", network.Tensor(Sizes{5, 6}));
      }
      const GraphValue x = network.Random(is_gradient ? Sizes{2, 5} : Sizes{5, 6});
      return Checked{network.Output(settings, {x}), {x}};
    });
  }
  checks.emplace("JOIN", [](Network& network) {
    const GraphValue a = network.Random({2, 3}), b = network.Random({2, 2});
    return Checked{network.Output(network.Call("JOIN").Uint("Axis", 1), {a, b}), {a, b}};
  });
  checks.emplace("SPLIT", [](Network& network) {  // of which one part is not used
    schema::Settings settings = network.Call("SPLIT");
    settings.Uint("Axis", 1);
    settings.Tensors("OutputTensors",
                     std::array{network.Tensor(Sizes{2, 2}), network.Tensor(Sizes{2, 3})});
    const GraphValue x = network.Random({2, 5});
    return Checked{network.write.Outputs(settings, {&x, 1})[1], {x}};
  });
  for (uint32_t axis : {0, 1}) {
    checks.emplace("GATHER", [axis](Network& network) {  // one twice, from the end, beyond it
      const GraphValue indices =
          network.Input(PackedTensor(DataType::kInt32, Sizes{1, 5}), {2, 0, 2, -1, 9});
      schema::Settings settings = network.Call("GATHER");
      settings.Uint("Axis", axis).Uint("IndexDimensions", 1);
      const GraphValue x = network.Random({3, 4});
      return Checked{network.Output(settings, {x, indices}), {x}};
    });
  }
  checks.emplace("ONE_HOT", [](Network& network) {
    const GraphValue indices =
        network.Input(PackedTensor(DataType::kUint32, Sizes{3, 1}), {2, 0, 9});
    const GraphValue on_off = network.Random({1, 3});
    schema::Settings settings = network.Call("ONE_HOT");
    settings.Uint("Axis", 1);
    settings.Tensor("OutputTensor", network.Tensor(Sizes{3, 4}));
    return Checked{network.Output(settings, {indices, on_off}), {on_off}};
  });
  for (int32_t begin : {-1, 2}) {  // a band of diagonals, and all but one
    checks.emplace("DIAGONAL_MATRIX1", [begin](Network& network) {
      schema::Settings settings = network.Call("DIAGONAL_MATRIX1");
      settings.Scalar("Value", network.type, 0.5);
      settings.Ints("DiagonalFillBegin", std::array{begin});
      settings.Ints("DiagonalFillEnd", std::array{1});
      const GraphValue x = network.Random({2, 3, 4});
      return Checked{network.Output(settings, {x}), {x}};
    });
  }
  checks.emplace("VALUE_SCALE_2D", [](Network& network) {
    schema::Settings settings = network.Call("VALUE_SCALE_2D");
    settings.Float("Scale", -1.25f);
    settings.Uints("Bias", std::array{0x3F800000u, 0u, 0xBF000000u});  // 1, 0, -0.5
    const GraphValue x = network.Random({2, 3, 1, 2});
    return Checked{network.Output(settings, {x}), {x}};
  });
}

// Paddings shorter and longer than the input, in two directions or over many dimensions.
void AddRearrangement(Checks& checks) {
  for (const char* name : {"PADDING", "PADDING1"}) {
    for (uint32_t mode = 0; mode < 5; ++mode) {
      for (bool is_long : {false, true}) {
        checks.emplace(name, [=](Network& network) {
          schema::Settings settings = network.Call(name);
          settings.Uint("PaddingMode", mode);
          if (std::string_view(name) == "PADDING") settings.Float("PaddingValue", 2);
          if (std::string_view(name) == "PADDING1")
            settings.Scalar("PaddingValue", network.type, 2);
          Sizes sizes = {1, 1, 3, 4};
          if (is_long) sizes.insert(sizes.begin(), 1);  // no resampling has five dimensions
          Sizes start(sizes.size(), 0), end = start;
          start[sizes.size() - 2] = is_long ? 4 : 1;
          start.back() = 2;
          end.back() = is_long ? 9 : 3;
          settings.Uints("StartPadding", start).Uints("EndPadding", end);
          const GraphValue x = network.Random(sizes);
          return Checked{network.Output(settings, {x}), {x}};
        });
      }
    }
  }
  for (const Sizes& repeats : {Sizes{2, 1, 3, 1, 2, 1}, Sizes{2, 2, 2, 3, 1, 2}}) {
    checks.emplace("TILE", [=](Network& network) {
      const GraphValue x = network.Random({2, 1, 1, 2, 3, 1});
      return Checked{network.Output(network.Call("TILE").Uints("Repeats", repeats), {x}), {x}};
    });
  }
  for (const char* name :
       {"SPACE_TO_DEPTH", "DEPTH_TO_SPACE", "SPACE_TO_DEPTH1", "DEPTH_TO_SPACE1"}) {
    checks.emplace(name, [=](Network& network) {
      schema::Settings settings = network.Call(name);
      settings.Uint("BlockSize", 2).Uint("Order", 1);
      const bool to_depth = std::string_view(name).starts_with("SPACE");
      const GraphValue x = network.Random(to_depth ? Sizes{1, 2, 2, 4} : Sizes{1, 8, 1, 2});
      return Checked{network.Output(settings, {x}), {x}};
    });
  }
  checks.emplace("REVERSE_SUBSEQUENCES", [](Network& network) {
    const GraphValue lengths =
        network.Input(PackedTensor(DataType::kUint32, Sizes{3, 1}), {2, 9, 0});
    const GraphValue x = network.Random({3, 4});
    return Checked{
        network.Output(network.Call("REVERSE_SUBSEQUENCES").Uint("Axis", 1), {x, lengths}), {x}};
  });
}

// Indices twice, from the end, and outside.
void AddIndexing(Checks& checks) {
  const auto indices = [](Network& network, const Sizes& sizes) {
    const Numbers all = {2, 0, 2, -1, 9, 1, 0, -9};
    const size_t count = PackedTensor(DataType::kInt32, sizes).ElementCount();
    return network.Input(PackedTensor(DataType::kInt32, sizes), Numbers(&all[0], &all[count]));
  };
  checks.emplace("GATHER_ELEMENTS", [=](Network& network) {
    const GraphValue x = network.Random({3, 2});
    return Checked{network.Output(network.Call("GATHER_ELEMENTS").Uint("Axis", 0),
                                  {x, indices(network, {4, 2})}),
                   {x}};
  });
  checks.emplace("SCATTER_ELEMENTS", [=](Network& network) {
    const GraphValue x = network.Random({2, 3}), updates = network.Random({2, 4});
    return Checked{network.Output(network.Call("SCATTER_ELEMENTS").Uint("Axis", 1),
                                  {x, indices(network, {2, 4}), updates}),
                   {x, updates}};
  });
  for (const char* name : {"GATHER_ND", "GATHER_ND1", "SCATTER_ND"}) {
    checks.emplace(name, [=](Network& network) {
      schema::Settings settings = network.Call(name);
      const bool has_batch = std::string_view(name) == "GATHER_ND1";
      settings.Uint("InputDimensionCount", 3).Uint("IndicesDimensionCount", has_batch ? 3 : 2);
      if (has_batch) settings.Uint("BatchDimensionCount", 1);
      const GraphValue x = network.Random({2, 3, 2});
      const GraphValue index = indices(network, has_batch ? Sizes{2, 2, 2} : Sizes{1, 4, 2});
      if (std::string_view(name) != "SCATTER_ND") {
        return Checked{network.Output(settings, {x, index}), {x}};
      }
      const GraphValue updates = network.Random({1, 4, 2});
      return Checked{network.Output(settings, {x, index, updates}), {x, updates}};
    });
  }
  for (const char* name : {"TOP_K", "TOP_K1"}) {
    checks.emplace(name, [name](Network& network) {
      const GraphValue x = network.Distinct({5, 3});
      return Checked{network.Output(network.Call(name).Uint("Axis", 0).Uint("K", 3), {x}), {x}};
    });
  }
}

void AddNormalizations(Checks& checks) {
  checks.emplace("BATCH_NORMALIZATION", [](Network& network) {
    const GraphValue x = network.Random({2, 3, 2, 4}), mean = network.Random({1, 3, 1, 1});
    const GraphValue variance = network.Random({2, 3, 1, 1}, 0.5, 2);
    const GraphValue scale = network.Random({1, 3, 1, 1}), bias = network.Random({1, 3, 1, 4});
    schema::Settings settings = network.Call("BATCH_NORMALIZATION");
    settings.Float("Epsilon", 0.125f);
    return Checked{network.Output(settings, {x, mean, variance, scale, bias}),
                   {x, mean, variance, scale, bias}};
  });
  for (uint32_t output : {0, 1, 2, 3}) {  // 3: all of them
    checks.emplace("BATCH_NORMALIZATION_TRAINING", [output](Network& network) {
      const std::vector<GraphValue> inputs = {
          network.Random({2, 3, 2, 2}), network.Random({1, 3, 1, 1}, 1, 2),
          network.Random({1, 3, 1, 1}), network.Random({2, 3, 2, 2})};
      schema::Settings settings = network.Call("BATCH_NORMALIZATION_TRAINING");
      settings.Float("Epsilon", 0.125f);
      const std::vector<GraphValue> outputs = network.write.Outputs(settings, inputs);
      if (output == 1 || output == 2) return Checked{outputs[output], {inputs[0]}};
      if (output == 0) return Checked{outputs[0], inputs};
      const GraphValue statistics = network.write.Multiply(outputs[1], outputs[2]);
      const GraphValue all = network.write.Broadcast(statistics, Sizes{2, 3, 2, 2});
      return Checked{network.write.Multiply(outputs[0], all), inputs};
    });
  }
  for (uint32_t cross_channel : {0, 1}) {
    checks.emplace("MEAN_VARIANCE_NORMALIZATION", [=](Network& network) {
      const GraphValue x = network.Random({2, 3, 2, 4}), scale = network.Random({1, 3, 1, 1});
      const GraphValue bias = network.Random({1, 3, 1, 1});
      schema::Settings settings = network.Call("MEAN_VARIANCE_NORMALIZATION");
      settings.Float("Epsilon", 0.125f).Uint("CrossChannel", cross_channel);
      return Checked{network.Output(settings, {x, scale, bias}), {x, scale, bias}};
    });
  }
  for (uint32_t p : {1, 2}) {
    for (float epsilon : {0.125f, 64.0f}) {
      checks.emplace("LP_NORMALIZATION", [=](Network& network) {
        schema::Settings settings = network.Call("LP_NORMALIZATION");
        settings.Float("Epsilon", epsilon).Uint("Axis", 1).Uint("P", p);
        const GraphValue x = network.Random({2, 3, 4});
        return Checked{network.Output(settings, {x}), {x}};
      });
    }
  }
  for (uint32_t cross_channel : {0, 1}) {
    checks.emplace("LOCAL_RESPONSE_NORMALIZATION", [=](Network& network) {
      schema::Settings settings = network.Call("LOCAL_RESPONSE_NORMALIZATION");
      settings.Uint("CrossChannel", cross_channel).Uint("LocalSize", 4);
      settings.Float("Alpha", 0.5f).Float("Beta", 0.75f).Float("Bias", 1);
      const GraphValue x = network.Random({2, 5, 3, 4});
      return Checked{network.Output(settings, {x}), {x}};
    });
  }
  for (uint32_t parts = 0; parts < 4; ++parts) {
    for (bool is_second : {false, true}) {
      const char* name =
          is_second ? "MEAN_VARIANCE_NORMALIZATION2" : "MEAN_VARIANCE_NORMALIZATION1";
      checks.emplace(name, [=](Network& network) {
        schema::Settings settings = network.Call(name);
        settings.Float("Epsilon", 0.125f).Uints("Axes", Sizes{2, 1});
        settings.Uint("UseMean", parts & 1).Uint("UseVariance", parts >> 1);
        settings.Uint("NormalizeVariance", parts & 1);
        const GraphValue x = network.Random({2, 3, 4});
        if (parts == 3) return Checked{network.Output(settings, {x}), {x}};
        const GraphValue scale = network.Random({1, 3, 4}), bias = network.Random({2, 1, 4});
        return Checked{network.Output(settings, {x, scale, bias}), {x, scale, bias}};
      });
    }
  }
}

}  // namespace

Checks AllChecks() {
  Checks checks;
  AddFunctions(checks);
  AddArithmetic(checks);
  AddReductions(checks);
  AddProducts(checks);
  AddWindows(checks);
  AddResampling(checks);
  AddUpsampling(checks);
  AddMovement(checks);
  AddRearrangement(checks);
  AddIndexing(checks);
  AddNormalizations(checks);
  return checks;
}

}  // namespace anydml::gradient
