// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// directml.h under the spelling that clients written on Windows include.

#ifndef ANYDML_DIRECTML_SPELLING_H_
#define ANYDML_DIRECTML_SPELLING_H_

#include "directml.h"

#endif  // ANYDML_DIRECTML_SPELLING_H_
