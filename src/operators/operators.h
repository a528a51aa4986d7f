// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The operator folders: one line each.
#pragma once

#include "operators/relu_grad/desc.h"
