// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The rules that hold for every tensor of every operator (T2 to T11) and the
// support tables per feature level.
#include <algorithm>
#include <bit>

#include "base/text.h"
#include "schema/interpreter.h"
#include "schema/output_tensors.h"
#include "schema/problems.h"

namespace anydml::schema {
namespace {

constexpr uint32_t kOwnedByDml = 1;  // DML_TENSOR_FLAG_OWNED_BY_DML

std::string NamesOf(DataTypeSet types) {
  std::vector<std::string_view> names;
  for (uint32_t i = 0; i < kDataTypeCount; ++i) {
    if (types.Contains(static_cast<DataType>(i))) {
      names.push_back(DataTypeName(static_cast<DataType>(i)));
    }
  }
  if (names.size() == 1) return std::string(names.front());
  const std::string_view last = names.back();
  names.pop_back();
  return fmt::format("{} or {}", fmt::join(names, ", "), last);
}

std::string Text(DimensionRange range) {
  return range.least == range.most ? fmt::format("{}", range.least)
                                   : fmt::format("{} to {}", range.least, range.most);
}

class TensorChecker {
 public:
  TensorChecker(const Arguments& arguments, FeatureLevel level, size_t number, Problems& problems)
      : arguments_(arguments),
        level_(level),
        number_(number),
        field_(arguments.FieldOf(number)),
        tensor_(arguments.tensor(number)),
        problems_(problems) {}

  void Check() {
    const bool type_known = CheckDataType();
    CheckDimensionCount();
    CheckFlags();
    if (!CheckSizes() || !type_known) return;
    CheckTotalBytes();
    CheckAlignment();
    if (is_output() && MayOverlap(tensor_.Sizes(), tensor_.Strides())) {
      Fail("Strides = {} with Sizes = {} must not map two elements to one address",
           BracedList(tensor_.Strides()), BracedList(tensor_.Sizes()));
    }
  }

 private:
  bool is_output() const { return arguments_.schema().fields[field_].is_output(); }

  template <typename... Args>
  void Fail(fmt::format_string<Args...> format, Args&&... args) {
    problems_.push_back(
        arguments_.Fail(fmt::format("{}.{}", arguments_.TensorName(number_),
                                    fmt::format(format, std::forward<Args>(args)...))));
  }

  // The lowest level above the device's whose row satisfies `accepts`.
  template <typename Accepts>
  const TensorSupport* LaterRow(Accepts accepts) const {
    const TensorSupport* found = nullptr;
    for (FeatureLevel level : kFeatureLevels) {
      if (level <= level_ || found != nullptr) continue;
      const TensorSupport* row = FindSupport(arguments_.schema(), field_, level);
      if (row != nullptr && accepts(*row)) found = row;
    }
    return found;
  }

  // "must be <what>", or the level that would take the value.
  template <typename Accepts>
  void FailSupport(const std::string& given, const std::string& supported, Accepts accepts) {
    if (const TensorSupport* later = LaterRow(accepts)) {
      Fail("{} needs feature level {} or above; this device has {}", given,
           FeatureLevelName(later->level), FeatureLevelName(level_));
    } else {
      Fail("{} must be {}", given, supported);
    }
  }

  bool CheckDataType() {  // T2, T3
    const DataType type = tensor_.data_type;
    if (DataTypeName(type).empty()) {
      Fail("DataType = {} is not a DML_TENSOR_DATA_TYPE", static_cast<uint32_t>(type));
      return false;
    }
    const TensorSupport* row = FindSupport(arguments_.schema(), field_, level_);
    if (row != nullptr && row->data_types.Contains(type)) return true;
    FailSupport(fmt::format("DataType = {}", DataTypeName(type)),
                row == nullptr ? "" : NamesOf(row->data_types),
                [&](const TensorSupport& later) { return later.data_types.Contains(type); });
    return ElementSize(type) != 0;
  }

  void CheckDimensionCount() {  // T4
    const uint32_t count = tensor_.dimension_count;
    const auto accepts = [&](const TensorSupport& row) {
      return row.dimension_counts.least <= count && count <= row.dimension_counts.most;
    };
    const TensorSupport* row = FindSupport(arguments_.schema(), field_, level_);
    if (row == nullptr || accepts(*row)) return;
    FailSupport(fmt::format("DimensionCount = {}", count), Text(row->dimension_counts), accepts);
  }

  void CheckFlags() {  // T10
    if ((tensor_.flags & ~kOwnedByDml) != 0) {
      Fail("Flags = {:#x} has bits that no DML_TENSOR_FLAG defines", tensor_.flags);
    } else if (tensor_.flags == kOwnedByDml && is_output()) {
      Fail("Flags = OWNED_BY_DML must be NONE: only inputs can be owned");
    }
  }

  bool CheckSizes() {  // T5, T7
    for (uint32_t size : tensor_.Sizes()) {
      if (size != 0) continue;
      Fail("Sizes = {} must be at least 1 in every dimension", BracedList(tensor_.Sizes()));
      return false;
    }
    if (LogicalElementCount(tensor_.Sizes()).value_or(kMaxElements + 1) > kMaxElements) {
      Fail("Sizes = {} must hold at most {} elements", BracedList(tensor_.Sizes()), kMaxElements);
      return false;
    }
    if (Extent(tensor_.Sizes(), tensor_.Strides()).value_or(kMaxElements + 1) > kMaxElements) {
      Fail("Strides = {} with Sizes = {} must span at most {} elements",
           BracedList(tensor_.Strides()), BracedList(tensor_.Sizes()), kMaxElements);
      return false;
    }
    return true;
  }

  void CheckTotalBytes() {  // T8
    const uint64_t least =
        MinimumTotalBytes(tensor_.data_type, tensor_.Sizes(), tensor_.Strides()).value_or(0);
    if (tensor_.total_bytes < least) {
      Fail("TotalTensorSizeInBytes = {} must be at least {}", tensor_.total_bytes, least);
    } else if (tensor_.total_bytes % 4 != 0) {
      Fail("TotalTensorSizeInBytes = {} must be a multiple of 4", tensor_.total_bytes);
    }
  }

  void CheckAlignment() {  // T11
    const uint32_t alignment = tensor_.base_offset_alignment;
    if (alignment == 0) return;
    if (!std::has_single_bit(alignment) || alignment < ElementSize(tensor_.data_type)) {
      Fail("GuaranteedBaseOffsetAlignment = {} must be 0 or a power of two of at least {}",
           alignment, ElementSize(tensor_.data_type));
    }
  }

  const Arguments& arguments_;
  const FeatureLevel level_;
  const size_t number_;
  const size_t field_;
  const TensorDesc& tensor_;
  Problems& problems_;
};

}  // namespace

const TensorSupport* FindSupport(const OperatorSchema& schema, size_t tensor, FeatureLevel level) {
  const TensorSupport* best = nullptr;
  for (const TensorSupport& row : schema.support) {
    const bool applies = row.tensors.empty() || row.tensors.Contains(tensor);
    if (applies && row.level <= level && (best == nullptr || row.level > best->level)) best = &row;
  }
  return best;
}

Status CheckFusedLevel(const Arguments& arguments, size_t field, FeatureLevel level) {
  const Arguments* fused = arguments.at(field).description.get();
  if (fused == nullptr) return {};
  FeatureLevel needed = fused->schema().level;
  for (const FusedOperator& allowed : arguments.schema().fields[field].operators) {
    if (allowed.schema == &fused->schema()) needed = std::max(needed, allowed.level);
  }
  if (level >= needed) return {};
  return arguments.Fail(
      fmt::format("{}.Type = {} needs feature level {} or above; this device has {}",
                  arguments.schema().fields[field].name, fused->schema().name,
                  FeatureLevelName(needed), FeatureLevelName(level)));
}

Problems FindTensorProblems(const Arguments& arguments, FeatureLevel level, AbsentOutputs absent) {
  const OperatorSchema& schema = arguments.schema();
  Problems problems;
  if (level < schema.level) {
    problems.push_back(arguments.Fail(
        fmt::format("this operator needs feature level {} or above; this device has {}",
                    FeatureLevelName(schema.level), FeatureLevelName(level))));
    return problems;
  }
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    Status fused = CheckFusedLevel(arguments, i, level);
    if (!fused.ok()) problems.push_back(fused.error());
    if (!schema.fields[i].is_input() && !schema.fields[i].is_output()) continue;
    if (!arguments.tensor(i).present() && arguments.at(i).tensors.empty()) {
      if (schema.fields[i].optional) continue;
      if (absent == AbsentOutputs::kInferred && IsInferred(schema, i)) continue;
      problems.push_back(arguments.Fail(
          fmt::format("{} is required{}", schema.fields[i].name, WhyRequired(schema, i))));
      continue;
    }
    if (schema.fields[i].is_tensor()) TensorChecker(arguments, level, i, problems).Check();
  }
  for (size_t i = schema.fields.size(); i < arguments.tensor_numbers(); ++i) {
    TensorChecker(arguments, level, i, problems).Check();
  }
  return problems;
}

}  // namespace anydml::schema
