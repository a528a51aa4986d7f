// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The names of the operator types, row by row against the text of the header.
#include "schema/operator_names.h"

#include <directml.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>
#include <string_view>

namespace anydml::schema {
namespace {

// "  DML_OPERATOR_GEMM = 54," of operator_types.h, as value and name.
std::map<uint32_t, std::string> EnumeratorsOfTheHeader() {
  constexpr std::string_view kStart = "  DML_OPERATOR_", kMiddle = " = ";
  std::ifstream header(ANYDML_OPERATOR_TYPES_HEADER);
  std::map<uint32_t, std::string> names;
  for (std::string line; std::getline(header, line);) {
    const size_t middle = line.find(kMiddle);
    if (!line.starts_with(kStart) || middle == std::string::npos) continue;
    const std::string name = line.substr(kStart.size(), middle - kStart.size());
    const std::string number = line.substr(middle + kMiddle.size());
    if (number.starts_with("DML_OPERATOR_")) continue;  // an older name of another enumerator
    const auto value = static_cast<uint32_t>(std::stoul(number));
    EXPECT_TRUE(names.emplace(value, name).second) << "two enumerators have the value of " << name;
  }
  return names;
}

TEST(OperatorNames, AreTheEnumeratorsOfTheHeader) {
  const std::map<uint32_t, std::string> enumerators = EnumeratorsOfTheHeader();
  ASSERT_EQ(enumerators.size(), kOperatorTypeCount);
  for (const auto& [value, name] : enumerators) EXPECT_EQ(OperatorTypeName(value), name) << value;
}

TEST(OperatorNames, AreEmptyForValuesThatNoOperatorHas) {
  EXPECT_EQ(OperatorTypeName(kOperatorTypeCount - 1), "UNFOLD");
  EXPECT_EQ(OperatorTypeName(kOperatorTypeCount), "");
  EXPECT_EQ(OperatorTypeName(0x7FFFFFFF), "");
  EXPECT_EQ(OperatorTypeName(0xFFFFFFFF), "");
}

TEST(OperatorNames, ScatterIsTheFirstNameOfScatterElements) {
  EXPECT_EQ(CurrentOperatorName("SCATTER"), OperatorTypeName(DML_OPERATOR_SCATTER));
  EXPECT_EQ(FirstOperatorName(OperatorTypeName(DML_OPERATOR_SCATTER_ELEMENTS)), "SCATTER");
  for (const std::string_view name : {"SCATTER_ND", "GATHER_ELEMENTS", ""}) {
    EXPECT_EQ(CurrentOperatorName(name), name);
    EXPECT_EQ(FirstOperatorName(name), name);
  }
}

}  // namespace
}  // namespace anydml::schema
