// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "for_directml.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <vector>

#include "gradient/differentiate.h"
#include "model/place.h"
#include "operators/registry.h"
#include "schema/settings.h"

namespace anydml::tool {
namespace {

uint32_t Uint(const schema::Arguments& arguments, std::string_view field) {
  return arguments.Uint(schema::FindField(arguments.schema(), field));
}

// Tensors keep their numbers.
schema::Settings Respelled(std::string_view name, const schema::Arguments& from) {
  schema::Settings settings(*FindSchema(name));
  for (size_t i = 0; i < from.tensor_numbers(); ++i) {
    settings.Tensor(from.TensorName(i), from.tensor(i));
  }
  return settings;
}

schema::Arguments InOlderWords(const schema::Arguments& arguments) {
  const std::string_view name = arguments.schema().name;
  if (name == "ELEMENT_WISE_NEGATE" && gradient::HasGradient(arguments.tensor(0).data_type)) {
    return Respelled("ELEMENT_WISE_IDENTITY", arguments).ScaleBias(-1, 0).arguments();
  }
  if (name == "ELEMENT_WISE_CLIP_GRAD1" &&
      Uint(arguments, "MinMaxDataType") == static_cast<uint32_t>(DataType::kFloat32)) {
    const auto bound = [&](std::string_view field) {
      const size_t number = schema::FindField(arguments.schema(), field);
      return std::bit_cast<float>(static_cast<uint32_t>(arguments.Scalar(number)));
    };
    schema::Settings settings = Respelled("ELEMENT_WISE_CLIP_GRAD", arguments);
    return settings.Float("Min", bound("Min")).Float("Max", bound("Max")).arguments();
  }
  return arguments;
}

// An axis of a gradient: x = (o - out) / scale - in depends on out / scale + in alone.
struct Axis {
  double scale, in, out;
  uint32_t size;  // of o

  float EqualOffset() const { return static_cast<float>((out / scale + in) / (1 + 1 / scale)); }
  // Some element is as near to one pixel as to the next, but for rounding errors.
  bool IsAtABorder(double border) const {
    for (uint32_t o = 0; o < size; ++o) {
      const double x = (o - out) / scale - in - border;
      if (std::abs(x - std::round(x)) < 1e-5 * (1 + std::abs(x))) return true;
    }
    return false;
  }
};

Status MakeOffsetsEqual(const model::Dispatchable& dispatchable, schema::Arguments& arguments) {
  const std::string_view name = arguments.schema().name;
  if (name != "RESAMPLE_GRAD" && name != "RESAMPLE_GRAD1") return {};
  const auto numbers = [&](std::string_view field) {
    return arguments.Uints(schema::FindField(arguments.schema(), field));
  };
  const auto scales = numbers("Scales"), in = numbers("InputPixelOffsets"),
             out = numbers("OutputPixelOffsets");
  const bool is_nearest = Uint(arguments, "InterpolationMode") == 0;
  std::vector<uint32_t> offsets;
  for (size_t i = 0; i < scales.size(); ++i) {
    const auto number = [i](std::span<const uint32_t> of) { return std::bit_cast<float>(of[i]); };
    const Axis axis = {number(scales), number(in), number(out), arguments.tensor(0).sizes[i]};
    offsets.push_back(axis.in == axis.out ? in[i] : std::bit_cast<uint32_t>(axis.EqualOffset()));
    if (axis.in == axis.out || !is_nearest) continue;
    if (axis.IsAtABorder(name == "RESAMPLE_GRAD" ? 0.5 : 0)) {
      return Unsupported(fmt::format(
          "dispatchables[{}]: {} cannot be given equal pixel offsets: along dimension {} an "
          "element lies on the border of two pixels",
          model::Quoted(dispatchable.name), name, i));
    }
  }
  schema::Settings settings(std::move(arguments));
  settings.Uints("InputPixelOffsets", offsets).Uints("OutputPixelOffsets", offsets);
  arguments = settings.arguments();
  return {};
}

}  // namespace

Status WriteForDirectMl(FeatureLevel level, model::Model& model) {
  for (model::Dispatchable& dispatchable : model.dispatchables) {
    if (level < FeatureLevel::k5_0) dispatchable.arguments = InOlderWords(dispatchable.arguments);
    Status status = MakeOffsetsEqual(dispatchable, dispatchable.arguments);
    if (!status.ok()) return status;
  }
  return {};
}

}  // namespace anydml::tool
