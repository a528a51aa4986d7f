// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// `anydml devices`.
#include <fmt/format.h>

#include "anydml/anydml.h"
#include "backends/cuda/runtime.h"
#include "commands.h"
#include "console.h"
#include "text_table.h"

namespace anydml::tool {

int ListDevices() {
  std::vector<TextRow> rows = {{"device", "memory", "threads", "what it is"}};
  for (size_t i = 0; i < anydml_device_count(); ++i) {
    anydml_device_info info = {};
    info.struct_size = sizeof info;
    if (anydml_get_device_info(i, &info) != ANYDML_OK) {
      Complain("{}", anydml_last_error());
      return kFailure;
    }
    rows.push_back({info.name,
                    fmt::format("{:.1f} GiB", static_cast<double>(info.memory_bytes) / 0x1p30),
                    fmt::format("{}", info.threads), info.description});
  }
  Print("{}", AlignColumns(rows));
  // Who has a card and does not see it here wants to know what is missing.
  if (const std::string why = cuda::WhyNoDevices(); !why.empty()) {
    Print("\nno NVIDIA device: {}\n", why);
  }
  return kSuccess;
}

}  // namespace anydml::tool
