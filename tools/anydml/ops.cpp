// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// `anydml ops`: the operators as their schemas describe them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <utility>

#include "c_api/listing.h"
#include "commands.h"
#include "console.h"
#include "model/nearest.h"
#include "operators/registry.h"
#include "schema/operator_names.h"
#include "text_table.h"

namespace anydml::tool {
namespace {

using Json = nlohmann::ordered_json;

// "InputTensor, OutputTensor" and the like.
std::string Joined(const Json& names) {
  std::string text;
  for (const Json& name : names) text += (text.empty() ? "" : ", ") + name.get<std::string>();
  return text;
}

std::string Range(const Json& least_most) {
  const int least = least_most[0], most = least_most[1];
  return least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
}

// What the raw API asks of a field that repeats something of a tensor.
std::string EqualsText(const Json& equals) {
  if (equals.contains("data_type_of")) {
    return ", the DataType of " + equals["data_type_of"].get<std::string>();
  }
  if (equals.contains("length_of")) {
    return ", the length of " + equals["length_of"].get<std::string>();
  }
  const int less = equals["less"];
  return ", the DimensionCount of " + equals["dimension_count_of"].get<std::string>() +
         (less == 0 ? "" : fmt::format(" - {}", less));
}

std::string FieldText(const Json& field) {
  std::string text = field["type"];
  if (field.contains("equals")) text += EqualsText(field["equals"]);
  if (field.contains("enumerators")) text += " (" + Joined(field["enumerators"]) + ")";
  if (field.contains("count"))
    text += ", as many as " + field["count"].get<std::string>() + " says";
  if (field.contains("data_type")) text += " of " + field["data_type"].get<std::string>();
  if (field.contains("operators")) text += " (" + Joined(field["operators"]) + ")";
  if (field["optional"].get<bool>()) text += ", optional";
  return text;
}

std::vector<TextRow> FieldRows(const Json& op) {
  std::vector<TextRow> rows = {{"field", "what it holds"}};
  for (const Json& field : op["fields"]) rows.push_back({field["name"], FieldText(field)});
  return rows;
}

std::vector<TextRow> SupportRows(const Json& op) {
  std::vector<TextRow> rows = {{"level", "tensors", "dimensions", "data types"}};
  for (const Json& row : op["support"]) {
    const bool all = row["tensors"].size() == op["tensors"].size();
    rows.push_back({row["level"].get<std::string>() + "+", all ? "all" : Joined(row["tensors"]),
                    Range(row["dimension_counts"]), Joined(row["data_types"])});
  }
  return rows;
}

// What must hold of fields, after their names.
std::string_view Words(std::string_view kind) {
  constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"SAME_DATA_TYPE", "the same DataType"},
      {"SAME_DIMENSION_COUNT", "the same DimensionCount"},
      {"SAME_SIZES", "the same Sizes"},
      {"AT_LEAST_ONE", "every entry at least 1"},
      {"NOT_ZERO", "no entry 0"},
      {"FINITE", "every entry finite"},
      {"POSITIVE", "every entry above 0"}};
  for (const auto& [name, words] : kWords) {
    if (name == kind) return words;
  }
  return kind;
}

std::string ConstraintLines(const Json& op) {
  std::string lines;
  for (const Json& constraint : op["constraints"]) {
    lines += fmt::format("- {}: {}\n", Joined(constraint["fields"]),
                         Words(constraint["kind"].get<std::string>()));
  }
  return lines;
}

std::string InPlace(const Json& op) {
  return op["in_place"].empty() ? "no" : "on " + Joined(op["in_place"]);
}

std::string Details(const Json& op, bool markdown) {
  const auto table = markdown ? MarkdownTable : AlignColumns;
  return fmt::format("{}{} (value {}, since {}, in place: {}, devices: {})\n\n{}\n{}\n{}",
                     markdown ? "## " : "", op["name"].get<std::string>(), op["value"].get<int>(),
                     op["level"].get<std::string>(), InPlace(op), Joined(op["devices"]),
                     table(FieldRows(op)), table(SupportRows(op)), ConstraintLines(op));
}

std::string Overview(const Json& ops, bool markdown) {
  std::vector<TextRow> rows = {{"operator", "value", "since", "in place", "newest types"}};
  for (const Json& op : ops) {
    rows.push_back({op["name"], fmt::format("{}", op["value"].get<int>()), op["level"], InPlace(op),
                    Joined(op["support"][0]["data_types"])});
  }
  return markdown ? MarkdownTable(rows) : AlignColumns(rows);
}

// DirectML's name for "dml_operator_gemm" or "gemm".
std::string NameOfOperator(std::string name) {
  std::ranges::transform(name, name.begin(), [](uint8_t c) { return std::toupper(c); });
  constexpr std::string_view kPrefix = "DML_OPERATOR_";
  return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
}

// "RELUGRAD" of "RELU_GRAD".
std::string LettersOf(std::string_view name) {
  std::string letters(name);
  std::erase(letters, '_');
  return letters;
}

// Why there is nothing to tell about an operator.
std::string WhyNot(const std::string& name) {
  constexpr size_t kMaxMeant = 16;
  const std::string letters = LettersOf(name);
  std::vector<std::string_view> names, meant;
  for (uint32_t i = 1; i < schema::kOperatorTypeCount; ++i) {
    const std::string_view known = schema::OperatorTypeName(i);
    const std::string known_letters = LettersOf(known);
    if (FindOperator(known) == nullptr) {
      if (known_letters == letters) return "this operator is not implemented";
      continue;
    }
    names.push_back(known);
    if (known_letters.find(letters) != std::string::npos) meant.push_back(known);
  }
  if (meant.empty()) meant.push_back(model::Nearest(name, names));
  if (meant.size() > kMaxMeant || meant[0].empty()) {
    return "there is no such operator; run `anydml ops` for a list";
  }
  return fmt::format("there is no such operator; did you mean {}?", fmt::join(meant, " or "));
}

int ListOne(const OpsOptions& options) {
  const std::string name = NameOfOperator(options.name);
  const Definition* definition = FindOperator(std::string_view(name));
  if (definition == nullptr) {
    Complain("{}: {}", options.name, WhyNot(name));
    return kFailure;
  }
  const Definition* const listed[] = {definition};
  const Json op = Json::parse(c_api::ListOperators(listed))[0];
  if (options.json) {
    Print("{}\n", Json::array({op}).dump(2));
  } else {
    Print("{}", Details(op, options.markdown));
  }
  return kSuccess;
}

}  // namespace

int ListOps(const OpsOptions& options) {
  if (!options.name.empty()) return ListOne(options);
  const Json ops = Json::parse(c_api::ListOperators(Registry()));
  if (options.json) {
    Print("{}\n", ops.dump(2));
  } else {
    Print("{}", Overview(ops, options.markdown));
  }
  return kSuccess;
}

}  // namespace anydml::tool
