// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// From a description to a plan, and the reference, for every row of the table.
#include "operators/elementwise/kernel.h"

#include "tensor/explain.h"

namespace anydml::elementwise {
namespace {

using schema::FieldType;

// x * Scale + Bias
struct ScaledByThePage {
  template <typename T>
  T operator()(const Attributes& attributes, T x) const {
    return reference::Scaled(x, attributes.As<float>(0), attributes.As<float>(1));
  }
};

const Row& FindRow(const schema::OperatorSchema& schema) {
  const auto rows = Rows();
  return *std::ranges::find(rows, schema.type, [](const Row& row) { return row.schema.type; });
}

void ReadTensor(const schema::Arguments& arguments, size_t field, Desc& desc) {
  const bool input = arguments.schema().fields[field].type == FieldType::kInputTensor;
  const int slot = input ? desc.inputs++ : kOutput;
  desc.tensors[slot] = arguments.tensor(field);
  desc.names[slot] = arguments.schema().fields[field].name;
}

// "the input gradient" of InputGradientTensor
std::string InWords(std::string_view field) {
  std::string words = "the";
  for (char c : field.substr(0, field.rfind("Tensor"))) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper) words += ' ';
    words += upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return words;
}

Desc DescOf(const schema::Arguments& arguments) {
  Desc desc = {.row = &FindRow(arguments.schema())};
  const std::span<const schema::Field> fields = arguments.schema().fields;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].is_tensor() && arguments.tensor(i).present()) ReadTensor(arguments, i, desc);
  }
  const DataType type = desc.tensors[kOutput].data_type;
  // Integers are scaled before, and rounded.
  const bool scales_itself =
      desc.row->scales_itself && (type == DataType::kFloat32 || type == DataType::kFloat16);
  if (desc.row->scales_itself) {
    desc.attributes.values[kScaleAttribute] = MakeScalar(1.0f);
    desc.attributes.values[kScaleAttribute + 1] = MakeScalar(-0.0f);
  }
  size_t count = 0;
  for (size_t i = 0; i < fields.size(); ++i) {
    switch (fields[i].type) {
      case FieldType::kScaleBias:
        if (scales_itself && arguments.IsPresent(i)) {
          for (size_t k = 0; k < 2; ++k) {
            desc.attributes.values[kScaleAttribute + k] = MakeScalar(arguments.FloatAt(i, k));
          }
        }
        desc.scaled = !scales_itself && arguments.IsPresent(i);
        desc.scale_bias.values = {MakeScalar(arguments.FloatAt(i, 0)),
                                  MakeScalar(arguments.FloatAt(i, 1))};
        break;
      case FieldType::kFloat:
        desc.attributes.values[count++] = desc.row->converts_attributes
                                              ? ScalarFromFloat(type, arguments.Float(i))
                                              : MakeScalar(arguments.Float(i));
        break;
      case FieldType::kScalarUnion:
        desc.attributes.values[count++] = ScalarFromUnion(type, arguments.Scalar(i));
        break;
      case FieldType::kEnum:
      case FieldType::kUint:
        desc.attributes.values[count++] = MakeScalar(arguments.Uint(i));
        break;
      default:
        break;
    }
  }
  if (desc.row->formula == Formula::kClip && count == 1) {  // THRESHOLD has no Max
    desc.attributes.values[1] = ScalarFromFloat(type, std::numeric_limits<float>::infinity());
  }
  return desc;
}

Plan PlanOf(const Desc& desc) {
  std::array<const TensorDesc*, kMaxTensors> tensors;
  Plan plan = {.formula = desc.row->formula, .inputs = desc.inputs, .types = 0};
  plan.attributes = desc.attributes;
  plan.names = desc.names;
  for (int slot = 0; slot < kMaxTensors; ++slot) {
    const bool used = slot < desc.inputs || slot == kOutput;
    tensors[slot] = &desc.tensors[used ? slot : kOutput];
    plan.element_sizes[slot] = static_cast<uint8_t>(ElementSize(tensors[slot]->data_type));
    if (used) plan.types = AppendType(plan.types, tensors[slot]->data_type);
  }
  plan.loop = ElementwiseLoop<kMaxTensors>(tensors);
  if (desc.scaled && plan.formula == Formula::kIdentity) {
    plan.formula = Formula::kScaleBias;
    plan.attributes = desc.scale_bias;
  } else if (desc.scaled) {
    const DataType type = desc.tensors[0].data_type;
    plan.scaled = true;
    plan.scaled_type = AppendType(AppendType(0, type), type);
    plan.scale_bias = desc.scale_bias;
  }
  return plan;
}

std::string ExplainPlan(const Plan& plan) {
  std::vector<std::span<const int64_t>> strides;
  std::vector<std::string> names;
  for (int slot = 0; slot < kMaxTensors; ++slot) {
    if (plan.names[slot].empty()) continue;
    strides.emplace_back(plan.loop.strides[slot].data(), plan.loop.rank);
    names.push_back(InWords(plan.names[slot]));
  }
  const std::span<const uint64_t> sizes(plan.loop.sizes.data(), plan.loop.rank);
  switch (plan.inputs) {
    case 1:
      return ExplainLoop(sizes, strides, {names[0], names[1]});
    case 2:
      return ExplainLoop(sizes, strides, {names[0], names[1], names[2]});
    case 3:
      return ExplainLoop(sizes, strides, {names[0], names[1], names[2], names[3]});
    default:
      return ExplainLoop(sizes, strides, {names[0], names[1], names[2], names[3], names[4]});
  }
}

void ReferenceByElement(const Desc& desc, const Bindings& bindings) {
  const ReferenceElement element = desc.row->reference(desc);
  const ReferenceElement scale = ReferenceOf<1, ScaledByThePage>(desc);
  const auto place = [&](int slot, const void* data, const reference::Coordinate& c) {
    const TensorDesc& tensor = desc.tensors[slot];
    return static_cast<const std::byte*>(data) +
           reference::ElementOffset(tensor, c) * ElementSize(tensor.data_type);
  };
  reference::ForEachCoordinate(desc.tensors[kOutput], [&](const reference::Coordinate& c) {
    std::array<const void*, kMaxInputs> inputs = {};
    for (int t = 0; t < desc.inputs; ++t) inputs[t] = place(t, bindings.inputs[t], c);
    uint64_t scaled = 0;
    if (desc.scaled) {
      scale(desc.scale_bias, inputs.data(), &scaled);
      inputs[0] = &scaled;
    }
    element(desc.attributes, inputs.data(),
            const_cast<std::byte*>(place(kOutput, bindings.outputs[0], c)));
  });
}

}  // namespace

std::shared_ptr<const void> MakeDesc(const schema::Arguments& arguments, const DeviceOptions&) {
  return std::make_shared<const Desc>(DescOf(arguments));
}

std::shared_ptr<const void> MakePlan(const void* desc) {
  return ErasePlan<Desc, Plan, PlanOf>(desc);
}

std::string Explain(const void* plan) { return EraseExplain<Plan, ExplainPlan>(plan); }

void Reference(const void* desc, const Bindings& bindings) {
  EraseReference<Desc, ReferenceByElement>(desc, bindings);
}

}  // namespace anydml::elementwise
