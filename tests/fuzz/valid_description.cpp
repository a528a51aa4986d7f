// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "fuzz/valid_description.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <random>

#include "base/checked_math.h"
#include "operators/describe.h"
#include "operators/registry.h"
#include "schema/interpreter.h"

namespace anydml::test {
namespace {

using schema::Field;
using schema::FieldType;
using schema::FieldValue;

const std::vector<TypeAssignment>& TypesOf(const schema::OperatorSchema& schema) {
  static std::map<const schema::OperatorSchema*, std::vector<TypeAssignment>> known;
  const auto [at, added] = known.try_emplace(&schema);
  if (added) at->second = AdmittedTypes(schema);
  return at->second;
}

class ValidMaker {
 public:
  ValidMaker(const Definition& definition, Bytes& bytes, const TensorDesc* like)
      : schema_(*definition.schema), bytes_(bytes), like_(like), arguments_(schema_) {}

  schema::Arguments Make() {
    ChooseTypes();
    ChooseSizes();
    for (size_t i = 0; i < schema_.fields.size(); ++i) {
      if (!schema_.fields[i].is_input() && !schema_.fields[i].is_output()) SetAttribute(i);
    }
    if (Find("WindowSize")) SlideWindow();
    if (Find("InputWindowOffsets") || Find("Offsets")) CopyWindow();
    if (Find("Scales")) ChooseScales();
    if (Find("ScaleSize")) ScaleOutput();
    if (Find("ChannelCount")) ChooseBiases();
    if (Find("OutputScaleTensor") && schema_.output_tensors != nullptr) InferScalars();
    if (Find("Axes")) ChooseAxes();
    if (Find("PaddingMode") || Find("Repeats") || Find("BlockSize")) Rearrange();
    if (const auto lengths = Find("SequenceLengthsTensor")) ChooseSequences(*lengths);
    if (schema_.name.ends_with("MAX") && schema_.fields.size() == 2) DropLeadingSizes();
    ChooseLayouts();
    return std::move(arguments_);
  }

 private:
  std::optional<size_t> Find(std::string_view name) const {
    for (size_t i = 0; i < schema_.fields.size(); ++i) {
      if (schema_.fields[i].name == name) return i;
    }
    return std::nullopt;
  }
  // The entries of an array; of one that an older struct lacks, nobody's.
  FieldValue& Array(std::initializer_list<std::string_view> names) {
    for (std::string_view name : names) {
      if (const auto field = Find(name)) return arguments_.at(*field);
    }
    return nowhere_;
  }
  TensorDesc& FirstOf(FieldType type) {
    size_t i = 0;
    while (schema_.fields[i].type != type) ++i;
    return arguments_.at(i).tensor;
  }

  void ChooseTypes() {
    const std::vector<TypeAssignment>& all = TypesOf(schema_);
    types_ = all[bytes_.Below(static_cast<uint32_t>(all.size()))];
    if (like_ == nullptr) return;
    const auto fits = [&](const TypeAssignment& types) { return types[0] == like_->data_type; };
    const auto found = std::ranges::find_if(all, fits);
    if (found != all.end()) types_ = *found;
  }

  // Every tensor has the sizes of the first one, until the attributes say more.
  void ChooseSizes() {
    const auto* row = schema::FindSupport(schema_, 0, kNewestFeatureLevel);
    const auto [least, most] = row->dimension_counts;
    TensorDesc first;
    first.dimension_count = least + bytes_.Below(most - least + 1);
    uint32_t budget = Find("Scales") || Find("ScaleSize") ? kMaxFuzzElements / 8 : kMaxFuzzElements;
    for (uint32_t i = first.dimension_count; i-- > 0;) {
      first.sizes[i] = ChooseSize(budget);
      budget /= first.sizes[i];
    }
    if (like_ != nullptr && least <= like_->dimension_count && like_->dimension_count <= most) {
      first.dimension_count = like_->dimension_count;
      first.sizes = like_->sizes;
    }
    for (size_t i = 0; i < schema_.fields.size(); ++i) {
      const Field& field = schema_.fields[i];
      if (!field.is_input() && !field.is_output()) continue;
      if (field.optional && bytes_.Flip()) continue;
      TensorDesc tensor = first;
      tensor.data_type = types_[i];
      if (field.is_tensor()) arguments_.at(i).tensor = tensor;
      if (field.is_tensor_array()) arguments_.at(i).tensors.assign(1 + bytes_.Below(3), tensor);
    }
    if (Find("ChannelCount")) {
      const uint32_t channels = bytes_.Flip() ? 3 : 1;
      for (size_t i = 0; i < 2; ++i) arguments_.at(i).tensor.sizes[1] = channels;
    }
  }

  uint32_t ChooseSize(uint32_t budget) {
    constexpr uint32_t kSizes[] = {1, 1, 1, 2, 2,  3,  3,  4,  5,  6,   7,
                                   8, 8, 9, 9, 15, 17, 31, 33, 64, 130, 300};
    return std::clamp(bytes_.OneOf(kSizes), 1u, std::max(1u, budget));
  }

  void SetAttribute(size_t i) {
    const Field& field = schema_.fields[i];
    FieldValue& value = arguments_.at(i);
    value.count = 1;
    switch (field.type) {
      case FieldType::kTensorCount:
        value.words[0] = static_cast<uint32_t>(CountedTensors(i));
        break;
      case FieldType::kOperatorDesc:
        value.count = 0;
        if (bytes_.Flip()) value.description = ChooseFused(field);
        break;
      case FieldType::kAxisCount:
        value.words[0] = bytes_.Below(arguments_.tensor(field.tensor).dimension_count + 1);
        break;
      case FieldType::kChannelCount:
        value.words[0] = arguments_.tensor(field.tensor).sizes[1];
        break;
      case FieldType::kInt:
        value.words[0] = bytes_.Rarely() ? EdgeWord(bytes_) : bytes_.Below(15) - 7;
        break;
      case FieldType::kDimensionCount:
        value.words[0] = arguments_.tensor(field.tensor).dimension_count - field.less;
        break;
      case FieldType::kDataType:
        value.words[0] = static_cast<uint32_t>(arguments_.tensor(field.tensor).data_type);
        break;
      case FieldType::kScalarUnion:
        value.count = 2;
        value.words[0] = bytes_.Flip() ? EdgeFloat(bytes_) : EdgeWord(bytes_);
        value.words[1] = bytes_.Flip() ? EdgeWord(bytes_) : value.words[0] >> 31 ? ~0u : 0;
        break;
      case FieldType::kSize2D:
        value.count = 2;
        for (uint32_t k = 0; k < 2; ++k) value.words[k] = 1 + bytes_.Below(4);
        break;
      case FieldType::kScaleBias:
        value.count = bytes_.Flip() ? 2 : 0;
        for (uint32_t k = 0; k < value.count; ++k) value.words[k] = EdgeFloat(bytes_);
        break;
      case FieldType::kFloat:
        value.words[0] = EdgeFloat(bytes_);
        break;
      case FieldType::kEnum:
        value.words[0] = bytes_.Below(static_cast<uint32_t>(field.enumeration->enumerators.size()));
        break;
      case FieldType::kBool:
        value.words[0] = static_cast<uint32_t>(field.fallback);
        break;
      default:
        if (field.is_array()) value.count = arguments_.Uint(field.count_field);
    }
  }

  size_t CountedTensors(size_t count) const {
    size_t i = 0;
    while (!schema_.fields[i].is_tensor_array() || schema_.fields[i].count_field != count) ++i;
    return arguments_.at(i).tensors.size();
  }

  std::shared_ptr<const schema::Arguments> ChooseFused(const Field& field) {
    const auto count = static_cast<uint32_t>(field.operators.size());
    schema::Arguments fused(*field.operators[bytes_.Below(count)].schema);
    for (size_t i = 0; i < fused.schema().fields.size(); ++i) {
      if (fused.schema().fields[i].type != FieldType::kFloat) continue;
      fused.at(i).count = 1;
      fused.at(i).words[0] = EdgeFloat(bytes_);
    }
    return std::make_shared<const schema::Arguments>(std::move(fused));
  }

  // Neighbours, from anywhere on; a function that takes the types; the outputs that follow.
  void ChooseAxes() {
    FieldValue& axes = arguments_.at(*Find("Axes"));
    const Field& count = schema_.fields[schema_.fields[*Find("Axes")].count_field];
    const uint32_t dimensions = arguments_.tensor(count.tensor).dimension_count;
    const uint32_t first = bytes_.Below(dimensions);
    for (uint32_t k = 0; k < axes.count; ++k) axes.words[k] = (first + k) % dimensions;
    if (const auto function = Find("Function")) {
      uint32_t& chosen = arguments_.at(*function).words[0];
      for (size_t i = 0; i < schema::kReduceFunction.enumerators.size(); ++i) {
        if (schema_.level_rule(arguments_, kNewestFeatureLevel).ok()) break;
        chosen = (chosen + 1) % schema::kReduceFunction.enumerators.size();
      }
    }
    if (schema_.output_tensors != nullptr) {
      FirstOf(FieldType::kOutputTensor) = schema_.output_tensors(arguments_).value()[0];
    }
  }

  // Small paddings and repeats, blocks where they divide, and the output that follows.
  void Rearrange() {
    const TensorDesc input = FirstOf(FieldType::kInputTensor);
    uint64_t budget = std::max<uint64_t>(1, kMaxFuzzElements / input.ElementCount());
    for (uint32_t i = 0; i < input.dimension_count; ++i) {
      const uint64_t most = (budget - 1) * input.sizes[i];
      uint64_t size = input.sizes[i];
      for (std::string_view name : {"StartPadding", "EndPadding"}) {
        const uint32_t padding = bytes_.Rarely() ? bytes_.Below(40) : bytes_.Below(4);
        const bool fits = size + padding <= input.sizes[i] + most;
        Array({name}).words[i] = fits ? padding : 0;
        size += fits && Find(name) ? padding : 0;
      }
      const auto repeats = std::min<uint64_t>(1 + bytes_.Below(3), budget);
      Array({"Repeats"}).words[i] = static_cast<uint32_t>(repeats);
      if (Find("Repeats")) size *= repeats;
      budget = std::max<uint64_t>(1, budget * input.sizes[i] / size);
    }
    const uint32_t block = 1 + bytes_.Below(3);
    Array({"BlockSize"}).words[0] = block;
    if (!schema_.output_tensors(arguments_).ok()) Array({"BlockSize"}).words[0] = 1;
    FirstOf(FieldType::kOutputTensor) = schema_.output_tensors(arguments_).value()[0];
  }

  void ChooseSequences(size_t lengths) {
    TensorDesc& tensor = arguments_.at(lengths).tensor;
    const uint32_t axis = bytes_.Below(tensor.dimension_count);
    arguments_.at(*Find("Axis")).words[0] = axis;
    tensor.sizes[axis] = 1;
  }

  // Softmaxes without axes have at most two dimensions of more than one element.
  void DropLeadingSizes() {
    for (size_t i = 0; i < 2; ++i) {
      TensorDesc& tensor = arguments_.at(i).tensor;
      for (uint32_t k = 0; k + 2 < tensor.dimension_count; ++k) tensor.sizes[k] = 1;
    }
  }

  void SlideWindow() {
    const auto input = Find("InputTensor");  // the gradient of an average has none
    const TensorDesc wide = arguments_.at(input ? *input : *Find("OutputGradientTensor")).tensor;
    std::array<uint32_t, kMaxDimensions> sizes = wide.sizes;
    uint64_t budget = kMaxFuzzElements / (uint64_t{wide.sizes[0]} * wide.sizes[1]);
    for (uint32_t axis = 0; axis < wide.dimension_count - 2; ++axis) {
      sizes[2 + axis] = SlideAlong(axis, wide.sizes[2 + axis], budget);
      budget = std::max<uint64_t>(1, budget / sizes[2 + axis]);
    }
    // The narrow tensors: the gradient of the output, or the output and its indices.
    const bool is_gradient = Find("InputGradientTensor").has_value();
    for (size_t i = is_gradient ? 0 : 1; i < schema_.fields.size(); ++i) {
      const bool narrow = is_gradient ? schema_.fields[i].name == "InputGradientTensor"
                                      : schema_.fields[i].is_tensor();
      if (narrow) arguments_.at(i).tensor.sizes = sizes;
    }
  }

  // Gives how many windows there are along one axis.
  uint32_t SlideAlong(uint32_t axis, uint32_t size, uint64_t budget) {
    uint64_t padding[2] = {};
    for (uint64_t& side : padding) side = bytes_.Byte() % 4 == 3 ? bytes_.Below(4) : 0;
    if (size + padding[0] + padding[1] > budget) padding[0] = padding[1] = 0;
    const uint64_t padded = size + padding[0] + padding[1];
    uint32_t stride = 1 + bytes_.Below(4);
    if (bytes_.Rarely()) stride = std::max(1u, EdgeWord(bytes_));
    uint32_t window = 1 + bytes_.Below(static_cast<uint32_t>(std::min<uint64_t>(padded, 7)));
    if (bytes_.Rarely()) window = static_cast<uint32_t>(padded);
    uint32_t dilation = bytes_.Byte() % 4 == 3 ? 1 + bytes_.Below(4) : 1;
    if (Find("Dilations") && window == 1 && bytes_.Rarely()) {
      dilation = std::max(1u, EdgeWord(bytes_));
    }
    if (!Find("Dilations") || uint64_t{window - 1} * dilation + 1 > padded) dilation = 1;
    Array({"Strides"}).words[axis] = stride;
    Array({"WindowSize"}).words[axis] = window;
    Array({"Dilations"}).words[axis] = dilation;
    Array({"StartPadding"}).words[axis] = static_cast<uint32_t>(padding[0]);
    Array({"EndPadding"}).words[axis] = static_cast<uint32_t>(padding[1]);
    const uint64_t rest = padded - (uint64_t{window - 1} * dilation + 1);
    const uint64_t steps = bytes_.Flip() ? CeilDivide(rest, stride) : rest / stride;
    return static_cast<uint32_t>(steps + 1);
  }

  void CopyWindow() {
    FieldValue& offsets = Array({"InputWindowOffsets", "Offsets"});
    FieldValue& sizes = Array({"InputWindowSizes", "Sizes"});
    FieldValue& strides = Array({"InputWindowStrides", "Strides"});
    // The gradient's output is the whole, and its input the part.
    const bool is_gradient = Find("InputGradientTensor").has_value();
    TensorDesc& part = FirstOf(is_gradient ? FieldType::kInputTensor : FieldType::kOutputTensor);
    const TensorDesc whole = part;
    for (uint32_t i = 0; i < whole.dimension_count; ++i) {
      const uint32_t offset = bytes_.Below(whole.sizes[i]);
      const uint32_t size = whole.sizes[i] - offset - bytes_.Below(whole.sizes[i] - offset);
      uint32_t stride = 1 + (bytes_.Byte() % 4 == 3 ? bytes_.Below(4) : 0);
      if (bytes_.Rarely()) stride = std::clamp(EdgeWord(bytes_), 1u, 0x80000000u);
      const uint32_t reachable = 1 + (size - 1) / stride;
      part.sizes[i] = reachable - (bytes_.Rarely() ? bytes_.Below(reachable) : 0);
      offsets.words[i] = offset;
      sizes.words[i] = Find("Offsets") ? part.sizes[i] : size;
      // The signed fields of the newer structs: also downwards, down to INT_MIN.
      const bool is_signed = Find("InputWindowStrides").has_value();
      const bool down = is_signed && (stride == 0x80000000u || bytes_.Flip());
      strides.words[i] = down ? 0u - stride : stride;
    }
  }

  void ScaleOutput() {
    const std::span<const uint32_t> scales = arguments_.Uints(*Find("ScaleSize"));
    TensorDesc& output = FirstOf(FieldType::kOutputTensor);
    for (uint32_t k = 0; k < 2; ++k) output.sizes[output.dimension_count - 1 - k] *= scales[k];
  }

  void ChooseBiases() {
    FieldValue& biases = arguments_.at(*Find("Bias"));
    for (uint32_t c = 0; c < biases.count; ++c) biases.words[c] = EdgeFloat(bytes_);
  }

  // Outputs of one element beside one that has the sizes of the input.
  void InferScalars() {
    const auto outputs = schema_.output_tensors(arguments_).value();
    auto next = outputs.begin();
    for (size_t i : arguments_.outputs()) arguments_.tensor(i).sizes = (next++)->sizes;
  }

  void ChooseScales() {
    TensorDesc& input = FirstOf(FieldType::kInputTensor);
    TensorDesc& output = FirstOf(FieldType::kOutputTensor);
    uint32_t budget = kMaxFuzzElements / 8;
    for (uint32_t i = 0; i < input.dimension_count; ++i) {
      if (bytes_.Byte() % 4 == 3) output.sizes[i] = ChooseSize(budget);
      budget = std::max(1u, budget / output.sizes[i]);
      const bool is_gradient = Find("InputGradientTensor").has_value();
      const float ratio = static_cast<float>(output.sizes[i]) / static_cast<float>(input.sizes[i]);
      float scale = is_gradient ? 1 / ratio : ratio;
      if (bytes_.Byte() % 8 == 7) scale = std::abs(std::bit_cast<float>(EdgeFloat(bytes_)));
      if (!(scale > 0)) scale = 1;
      Array({"Scales"}).words[i] = std::bit_cast<uint32_t>(scale);
      Array({"InputPixelOffsets"}).words[i] = ChooseOffset(0.5f);
      Array({"OutputPixelOffsets"}).words[i] = ChooseOffset(-0.5f);
    }
  }

  uint32_t ChooseOffset(float usual) {
    float offset = usual;
    if (bytes_.Byte() % 4 == 3) offset = std::bit_cast<float>(EdgeFloat(bytes_));
    return std::bit_cast<uint32_t>(std::isfinite(offset) ? offset : 0.0f);
  }

  void ChooseLayouts() {
    for (size_t i = 0; i < arguments_.tensor_numbers(); ++i) {
      TensorDesc& tensor = arguments_.tensor(i);
      if (!tensor.present()) continue;
      ChooseLayout(tensor, schema_.fields[arguments_.FieldOf(i)].is_output(), bytes_);
    }
  }

  const schema::OperatorSchema& schema_;
  Bytes& bytes_;
  const TensorDesc* like_;
  schema::Arguments arguments_;
  TypeAssignment types_;
  FieldValue nowhere_;
};

}  // namespace

const Definition& ChooseAnyDefinition(Bytes& bytes) {
  const auto all = Registry();
  return *all[bytes.Below(static_cast<uint32_t>(all.size()))];
}

namespace {

// Whether what ValidMaker makes of random bytes is valid: the sizes of some operators follow from
// rules that it does not know, and it begins with an input.
bool IsMadeValid(const Definition& definition) {
  if (schema::Arguments(*definition.schema).inputs().empty()) return false;
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    std::array<uint8_t, 256> data;
    for (uint8_t& byte : data) byte = static_cast<uint8_t>(random());
    Bytes bytes(data.data(), i % 2 == 0 ? data.size() : data.size() / 8);
    schema::Arguments arguments = ValidMaker(definition, bytes, nullptr).Make();
    if (!CreateOperator(definition, std::move(arguments), {}).ok()) return false;
  }
  return true;
}

}  // namespace

const Definition& ChooseDefinition(Bytes& bytes) {
  static const std::vector<const Definition*> made = [] {
    std::vector<const Definition*> found;
    std::string others;
    for (const Definition* definition : Registry()) {
      if (IsMadeValid(*definition)) {
        found.push_back(definition);
      } else {
        others += " " + std::string(definition->schema->name);
      }
    }
    std::fprintf(stderr, "no random descriptions of:%s\n", others.c_str());
    return found;
  }();
  return *made[bytes.Below(static_cast<uint32_t>(made.size()))];
}

schema::Arguments MakeValidDescription(const Definition& definition, Bytes& bytes,
                                       const TensorDesc* like) {
  return ValidMaker(definition, bytes, like).Make();
}

}  // namespace anydml::test
