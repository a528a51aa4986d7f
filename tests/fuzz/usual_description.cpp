// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Free choices hardly ever agree on what the fast kernels are made for: images,
// rows wider than a vector, the same window along both axes, whole factors.
#include "fuzz/usual_description.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "fuzz/valid_description.h"
#include "operators/describe.h"
#include "schema/interpreter.h"

namespace anydml::test {
namespace {

using schema::Field;
using schema::FieldType;
using schema::FieldValue;

constexpr uint32_t kMaxUsualElements = 8192;

struct Window {
  uint32_t size;
  uint32_t stride;
};
constexpr Window kWindows[] = {{2, 2}, {3, 2}, {3, 1}, {2, 1}, {5, 1}, {3, 3}, {4, 1}, {1, 2}};

// Targets for a number of sources.
struct Factor {
  uint32_t targets;
  uint32_t sources;
};
constexpr Factor kFactors[] = {{1, 1}, {2, 1}, {1, 2}, {4, 1}, {1, 4}, {3, 1}, {1, 3}, {3, 2}};

class UsualMaker {
 public:
  UsualMaker(schema::Arguments& arguments, Bytes& bytes)
      : schema_(arguments.schema()), bytes_(bytes), arguments_(arguments) {}

  void Make() {
    const bool slides = Find("WindowSize").has_value();
    if (!slides && !Find("Scales")) return;
    ChooseSizes();
    SetCounts();
    if (slides) {
      SlideWindow();
    } else {
      Scale();
    }
    ChooseLayouts();
  }

 private:
  std::optional<size_t> Find(std::string_view name) const {
    for (size_t i = 0; i < schema_.fields.size(); ++i) {
      if (schema_.fields[i].name == name) return i;
    }
    return std::nullopt;
  }
  // The entries of an array; of one that an older struct lacks, nobody's.
  FieldValue& Array(std::string_view name) {
    const auto field = Find(name);
    return field ? arguments_.at(*field) : nowhere_;
  }
  bool is_gradient() const { return Find("InputGradientTensor").has_value(); }

  // Images, and volumes where the operator has them.
  void ChooseSizes() {
    constexpr uint32_t kWidths[] = {1,  2,  3,  5,  7,  8,  9,  14, 15, 16, 17,  20,
                                    24, 28, 31, 32, 33, 40, 56, 63, 65, 70, 112, 150};
    constexpr uint32_t kHeights[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17};
    constexpr uint32_t kChannels[] = {1, 1, 2, 3, 4, 8, 16, 17, 31, 32, 40, 64};
    const auto* row = schema::FindSupport(schema_, 0, kNewestFeatureLevel);
    dimension_count_ = row->dimension_counts.most >= 5 && bytes_.Rarely() ? 5 : 4;
    uint32_t budget = kMaxUsualElements;
    const auto take = [&](uint32_t size) {
      size = std::clamp(size, 1u, std::max(1u, budget));
      budget /= size;
      return size;
    };
    sizes_[dimension_count_ - 1] = take(bytes_.OneOf(kWidths));
    sizes_[1] = take(bytes_.OneOf(kChannels));
    for (uint32_t i = 2; i < dimension_count_ - 1; ++i) sizes_[i] = take(bytes_.OneOf(kHeights));
    sizes_[0] = take(1 + bytes_.Below(3));
    for (size_t i = 0; i < arguments_.tensor_numbers(); ++i) {
      TensorDesc& tensor = arguments_.tensor(i);
      if (!tensor.present()) continue;
      tensor.dimension_count = dimension_count_;
      tensor.sizes = sizes_;
    }
  }

  void SetCounts() {
    for (size_t i = 0; i < schema_.fields.size(); ++i) {
      const Field& field = schema_.fields[i];
      if (field.type == FieldType::kDimensionCount) {
        arguments_.at(i).words[0] = dimension_count_ - field.less;
      }
    }
    for (size_t i = 0; i < schema_.fields.size(); ++i) {
      const Field& field = schema_.fields[i];
      if (field.is_array()) arguments_.at(i).count = arguments_.Uint(field.count_field);
    }
  }

  void SlideWindow() {
    Dimensions narrow = sizes_;
    const Window window = bytes_.OneOf(kWindows);
    const uint32_t dilation = Find("Dilations") && bytes_.Byte() % 4 == 3 ? 1 + bytes_.Below(4) : 1;
    const bool padded = bytes_.Flip(), rounded_up = bytes_.Flip(), whole = bytes_.Rarely();
    for (uint32_t axis = 0; axis < dimension_count_ - 2; ++axis) {
      const uint32_t size = sizes_[2 + axis];
      Window along = bytes_.Rarely() ? bytes_.OneOf(kWindows) : window;
      if (whole) along.size = size;
      const uint32_t reach = (along.size - 1) * dilation + 1;
      // Mostly half of the window on both sides, sometimes one side more than the other.
      uint32_t padding[2] = {padded ? reach / 2 : 0, padded ? reach / 2 : 0};
      if (bytes_.Rarely()) padding[bytes_.Below(2)] += 1;
      if (reach > size + padding[0] + padding[1]) padding[1] = reach - size - padding[0];
      const uint32_t rest = size + padding[0] + padding[1] - reach;
      narrow[2 + axis] = (rest + (rounded_up ? along.stride - 1 : 0)) / along.stride + 1;
      Array("Strides").words[axis] = along.stride;
      Array("WindowSize").words[axis] = along.size;
      Array("Dilations").words[axis] = dilation;
      Array("StartPadding").words[axis] = padding[0];
      Array("EndPadding").words[axis] = padding[1];
    }
    for (size_t i = 0; i < schema_.fields.size(); ++i) {
      const Field& field = schema_.fields[i];
      const bool is_narrow =
          is_gradient() ? field.name == "InputGradientTensor" : i != 0 && field.is_tensor();
      if (is_narrow && arguments_.tensor(i).present()) arguments_.at(i).tensor.sizes = narrow;
    }
  }

  // The smaller tensor has the sizes chosen, so that both are within bounds.
  void Scale() {
    TensorDesc& input = arguments_.tensor(arguments_.inputs()[0]);
    TensorDesc& output = arguments_.tensor(arguments_.outputs()[0]);
    const Factor factor = bytes_.OneOf(kFactors);
    const uint32_t first = bytes_.Rarely() ? 0 : bytes_.Byte() % 4 == 3 ? 1 : 2;
    const uint32_t offsets = bytes_.Below(4);
    for (uint32_t axis = 0; axis < dimension_count_; ++axis) {
      Factor along = axis < first ? Factor{1, 1} : factor;
      if (bytes_.Rarely()) along = bytes_.OneOf(kFactors);
      const uint32_t part = std::max(1u, sizes_[axis] / std::max(along.targets, along.sources));
      uint32_t forward_output = part * along.targets, forward_input = part * along.sources;
      if (bytes_.Rarely()) forward_output = sizes_[axis] + bytes_.Below(3);
      output.sizes[axis] = is_gradient() ? forward_input : forward_output;
      input.sizes[axis] = is_gradient() ? forward_output : forward_input;
      const auto ratio = static_cast<float>(forward_output) / static_cast<float>(forward_input);
      Array("Scales").words[axis] = std::bit_cast<uint32_t>(ratio);
      // Centres of pixels mostly.
      const float in = offsets == 3 ? 0.0f : 0.5f, out = offsets >= 2 ? 0.0f : -0.5f;
      Array("InputPixelOffsets").words[axis] = std::bit_cast<uint32_t>(in);
      Array("OutputPixelOffsets").words[axis] = std::bit_cast<uint32_t>(out);
    }
  }

  // One layout for all tensors: packed, channels last, or with a gap after every row.
  void ChooseLayouts() {
    std::vector<uint32_t> order(dimension_count_);
    std::iota(order.begin(), order.end(), 0u);
    if (bytes_.Flip()) std::rotate(order.begin() + 1, order.begin() + 2, order.end());
    const uint32_t gap = bytes_.Byte() % 4 == 3 ? bytes_.Below(9) : 0;
    for (size_t i = 0; i < schema_.fields.size(); ++i) {
      TensorDesc& tensor = arguments_.at(i).tensor;
      if (!tensor.present()) continue;
      SetStrides(tensor, StridesInOrder(tensor, order, bytes_.Rarely() ? 0 : gap, 1));
    }
  }

  const schema::OperatorSchema& schema_;
  Bytes& bytes_;
  schema::Arguments& arguments_;
  uint32_t dimension_count_ = 4;
  Dimensions sizes_ = {};
  FieldValue nowhere_;
};

}  // namespace

void MakeUsual(schema::Arguments& arguments, Bytes& bytes) { UsualMaker(arguments, bytes).Make(); }

}  // namespace anydml::test
