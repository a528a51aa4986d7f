// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What the environment says about DeviceOptions::exchange_pixel_offsets: for
// every way to open a device that does not say it itself.
#pragma once

#include "base/result.h"

namespace anydml {

// ANYDML_PIXEL_OFFSETS: "documented" (also when unset) or "exchanged".
Result<bool> ExchangePixelOffsetsFromEnvironment();

}  // namespace anydml
