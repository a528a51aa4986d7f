// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What a description is like follows from the fields that an operator has, so that no
// operator is named here. Operators whose sizes follow other rules have no random rows.
#include "bench/random_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "operators/describe.h"
#include "operators/registry.h"

namespace anydml::bench {
namespace {

using Sizes = std::vector<uint32_t>;

// std::uniform_int_distribution differs between libraries.
class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  uint32_t Between(uint32_t least, uint32_t most) {
    return least + static_cast<uint32_t>(engine_() % (most - least + 1));
  }
  template <typename T>
  const T& Of(const std::vector<T>& values) {
    return values[Between(0, static_cast<uint32_t>(values.size()) - 1)];
  }

 private:
  std::mt19937_64 engine_;
};

struct Description {
  std::vector<Sizes> sizes;
  std::vector<CaseSetting> settings;
  uint64_t elements_read = 0;
  bool independent_items = true;
  bool floats_only = false;
};

bool HasField(const schema::OperatorSchema& schema, std::string_view name) {
  return std::ranges::any_of(schema.fields, [&](const auto& field) { return field.name == name; });
}
bool IsGradient(const schema::OperatorSchema& schema) {
  return HasField(schema, "OutputGradientTensor");
}

size_t TensorCount(const schema::OperatorSchema& schema) {
  return static_cast<size_t>(
      std::ranges::count_if(schema.fields, [](const auto& field) { return field.is_tensor(); }));
}
// Whether all tensors have one size.
bool HasOneSize(const schema::OperatorSchema& schema) {
  return std::ranges::any_of(schema.constraints, [&](const schema::Constraint& constraint) {
    if (constraint.kind != schema::Constraint::Kind::kSameSizes) return false;
    for (size_t i = 0; i < schema.fields.size(); ++i) {
      if (schema.fields[i].is_tensor_array()) return false;
      if (schema.fields[i].is_tensor() && !constraint.fields.Contains(i)) return false;
    }
    return true;
  });
}

CaseSetting Setting(std::string_view field, const std::vector<double>& values) {
  CaseSetting setting(field, {});
  for (double value : values) setting.values[setting.count++] = value;
  return setting;
}

// Batch and channels, then the spatial sizes.
Sizes RandomImage(Random& random, bool volume) {
  if (!volume) return {8, 64, random.Between(28, 112), random.Between(28, 112)};
  return {2, 32, random.Between(6, 16), random.Between(16, 56), random.Between(16, 56)};
}

Description RandomWindow(const schema::OperatorSchema& schema, Random& random) {
  const Sizes wide = RandomImage(random, random.Between(0, 4) == 0);
  Sizes narrow = {wide[0], wide[1]};
  std::vector<double> window, strides, padding, dilations;
  for (size_t i = 2; i < wide.size(); ++i) {
    window.push_back(random.Between(2, wide.size() == 5 ? 3 : 7));
    strides.push_back(random.Between(1, 4));
    padding.push_back(random.Between(0, static_cast<uint32_t>(window.back()) / 2));
    dilations.push_back(HasField(schema, "Dilations") ? random.Between(1, 3) : 1);
    const double room = wide[i] + 2 * padding.back() - (window.back() - 1) * dilations.back() - 1;
    narrow.push_back(room < 0 ? 0 : static_cast<uint32_t>(room / strides.back()) + 1);
  }
  Description result = {
      .sizes = {wide, narrow},
      .settings = {Setting("WindowSize", window), Setting("Strides", strides),
                   Setting("StartPadding", padding), Setting("EndPadding", padding)},
      .floats_only = true};
  if (HasField(schema, "Dilations")) result.settings.push_back(Setting("Dilations", dilations));
  if (IsGradient(schema)) result.sizes.push_back(wide);
  if (IsGradient(schema) && TensorCount(schema) == 2) result.sizes = {narrow, wide};
  return result;
}

Description RandomScale(const schema::OperatorSchema& schema, Random& random) {
  const Sizes from = {4, 32, random.Between(20, 90), random.Between(20, 90)};
  Sizes to = {4, 32, random.Between(20, 150), random.Between(20, 150)};
  if (random.Between(0, 1) == 0) to = {4, 32, 2 * from[2], 2 * from[3]};
  std::vector<double> scales = {1, 1};
  for (size_t i = 2; i < 4; ++i) scales.push_back(static_cast<float>(to[i]) / from[i]);
  Description result;
  result.sizes = {from, to};
  result.settings = {Setting("Scales", scales)};
  result.settings.push_back(Setting("InterpolationMode", {double(random.Between(0, 1))}));
  if (IsGradient(schema)) std::swap(result.sizes[0], result.sizes[1]);
  return result;
}

// Every stride counts the elements of its window in either direction.
Description RandomSlice(const schema::OperatorSchema& schema, Random& random) {
  const bool old = !HasField(schema, "InputWindowStrides");  // sizes of the result; no flips
  const Sizes whole = {8, random.Between(16, 64), random.Between(28, 112), random.Between(28, 112)};
  Sizes part;
  std::vector<double> offsets, sizes, strides;
  uint64_t count = 1;
  for (size_t i = 0; i < whole.size(); ++i) {
    const std::vector<double> steps = {1, 1, 2, 3, 5};
    const uint32_t window = i == 0 ? whole[i] : random.Between(whole[i] / 2, whole[i]);
    const double step = i < 2 ? 1 : random.Of(steps);
    part.push_back(static_cast<uint32_t>((window - 1) / step) + 1);
    offsets.push_back(random.Between(0, whole[i] - window));
    sizes.push_back(old ? part.back() : window);
    strides.push_back(!old && i > 1 && random.Between(0, 2) == 0 ? -step : step);
    count *= part.back();
  }
  Description result;
  result.sizes = {whole, part};
  result.elements_read = count;
  result.independent_items = false;
  if (IsGradient(schema)) {
    std::swap(result.sizes[0], result.sizes[1]);
    result.elements_read = 0;
  }
  const std::string_view names[2][3] = {
      {"InputWindowOffsets", "InputWindowSizes", "InputWindowStrides"},
      {"Offsets", "Sizes", "Strides"}};
  result.settings = {Setting(names[old][0], offsets), Setting(names[old][1], sizes),
                     Setting(names[old][2], strides)};
  return result;
}

// Tensors of one size.
Description RandomElements(const schema::OperatorSchema& schema, Random& random) {
  Sizes sizes = {random.Between(2, 8), random.Between(3, 64), random.Between(7, 112),
                 random.Between(7, 112)};
  if (random.Between(0, 3) == 0) sizes = {random.Between(1 << 12, 1 << 22)};
  Description result;
  for (const schema::Field& field : schema.fields) {
    if (field.is_tensor()) result.sizes.push_back(sizes);
  }
  return result;
}

Description RandomDescription(const schema::OperatorSchema& schema, Random& random) {
  if (HasField(schema, "WindowSize")) return RandomWindow(schema, random);
  if (HasField(schema, "InterpolationMode")) return RandomScale(schema, random);
  if (HasField(schema, "InputWindowSizes") || HasField(schema, "Offsets")) {
    return RandomSlice(schema, random);
  }
  return RandomElements(schema, random);
}

std::string Joined(const auto& values, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    text += fmt::format("{}{:.6g}", i == 0 ? "" : "x", static_cast<double>(values[i]));
  }
  return text;
}

// "56x56,WindowSize=3x5,Strides=2x1"; what all entries of a setting leave as it is by
// default (0 of offsets and paddings, 1 of all others) is not said.
std::string NameOf(const Description& description) {
  std::string name;
  for (const Sizes& sizes : description.sizes) {
    const std::string text = Joined(sizes, sizes.size());
    if (name.find(text) == std::string::npos) name += (name.empty() ? "" : "_") + text;
  }
  for (const CaseSetting& setting : description.settings) {
    const bool from_zero = setting.field.ends_with("Padding") ||
                           setting.field.ends_with("Offsets") || setting.field.ends_with("Mode");
    const auto begin = setting.values.begin(), end = begin + setting.count;
    if (std::all_of(begin, end, [&](double v) { return v == (from_zero ? 0 : 1); })) continue;
    if (setting.field == "EndPadding" || setting.field == "Sizes") continue;  // follow
    name += fmt::format("_{}_{}", setting.field, Joined(setting.values, setting.count));
  }
  return name;
}

BenchCase CaseOf(const Description& description, std::string_view name) {
  BenchCase c;
  c.shape.name = name;
  for (size_t i = 0; i < std::min(description.sizes.size(), kMaxCaseTensors); ++i) {
    for (uint32_t size : description.sizes[i]) {
      c.shape.sizes[i].values[c.shape.sizes[i].count++] = size;
    }
  }
  std::copy_n(description.settings.begin(), std::min(description.settings.size(), kMaxCaseSettings),
              c.shape.settings.begin());
  c.independent_items = description.independent_items;
  c.elements_read = description.elements_read;
  return c;
}

BenchLayout RandomLayout(Random& random, const Description& description) {
  const size_t dimensions = description.sizes[0].size();
  if (dimensions < 4) return BenchLayout::kPacked;
  if (!description.settings.empty()) {
    return random.Between(0, 1) == 0 ? BenchLayout::kPacked : BenchLayout::kChannelsLast;
  }
  return random.Of(std::vector<BenchLayout>{BenchLayout::kPacked, BenchLayout::kChannelsLast,
                                            BenchLayout::kPaddedRows, BenchLayout::kPermuted});
}

// Does not depend on the order of the registry.
uint64_t SeedOf(std::string_view name, uint64_t seed) {
  for (char c : name) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return seed;
}

void AddRows(const Definition& definition, const Selection& selection, int count, uint64_t seed,
             RandomRows& to) {
  const schema::OperatorSchema& schema = *definition.schema;
  const bool known = HasField(schema, "WindowSize") || HasField(schema, "InterpolationMode") ||
                     HasField(schema, "InputWindowSizes") || HasField(schema, "Offsets") ||
                     HasOneSize(schema);
  if (!known || TensorCount(schema) > kMaxCaseTensors) return;
  Random random(SeedOf(definition.schema->name, seed));
  const std::vector<TypeAssignment> types = AdmittedTypes(*definition.schema);
  const int tries = 200 * count;
  for (int i = 0, found = 0; i < tries && found < count; ++i) {
    const Description description = RandomDescription(*definition.schema, random);
    const DataType type = random.Of(types)[0];
    const bool is_float = type == DataType::kFloat32 || type == DataType::kFloat16;
    const BenchLayout layout = RandomLayout(random, description);
    if (description.floats_only && !is_float) continue;
    to.names.push_back(NameOf(description));
    to.cases.push_back(CaseOf(description, to.names.back()));
    const Row row = {&definition, &to.cases.back(), type, layout, selection.batch};
    const bool wanted = Matches(Name(row), selection.filter) &&
                        (selection.type.empty() || DataTypeName(type) == selection.type);
    if (!wanted || !CreateOperator(definition, Describe(row), {}).ok()) {
      to.cases.pop_back();
      to.names.pop_back();
      continue;
    }
    to.rows.push_back(row);
    ++found;
  }
}

}  // namespace

RandomRows MakeRandomRows(const Selection& selection, int count, uint64_t seed) {
  RandomRows result;
  for (const Definition* definition : Registry()) {
    AddRows(*definition, selection, count, seed, result);
  }
  return result;
}

}  // namespace anydml::bench
