// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "directml/operator_initializer.h"

#include <algorithm>

namespace anydml::directml {

Result<OperatorList> ReadOperators(const Device& device, UINT count,
                                   IDMLCompiledOperator* const* operators) {
  OperatorList list;
  if (count != 0 && operators == nullptr) {
    return InvalidArgument(fmt::format("the array of {} operators must not be null", count));
  }
  for (UINT i = 0; i < count; ++i) {
    ComPtr<CompiledOperator> ours = As<CompiledOperator>(operators[i]);
    if (ours == nullptr || &ours->device() != &device) {
      return InvalidArgument(fmt::format("operator {} must be a compiled one of this device", i));
    }
    if (std::ranges::any_of(list, [&](const auto& other) { return other.Get() == ours.Get(); })) {
      return InvalidArgument(
          fmt::format("operator {} comes twice; an operator is initialised once", i));
    }
    list.push_back(std::move(ours));
  }
  return list;
}

HRESULT OperatorInitializer::Reset(UINT count, IDMLCompiledOperator* const* operators) {
  return device().Call("IDMLOperatorInitializer::Reset", [&]() -> Result<HRESULT> {
    Result<OperatorList> list = ReadOperators(device(), count, operators);
    if (!list.ok()) return list.error();
    operators_ = std::move(list).value();
    ++generation_;
    return S_OK;
  });
}

}  // namespace anydml::directml
