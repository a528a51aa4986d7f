// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The operator folders: one line each.
#pragma once

#include "operators/adam_optimizer/desc.h"
#include "operators/average_pooling/desc.h"
#include "operators/diagonal_matrix/desc.h"
#include "operators/dynamic_quantization/desc.h"
#include "operators/elementwise/definitions.h"
#include "operators/indexing/desc.h"
#include "operators/matmul/desc.h"
#include "operators/max_pooling/desc.h"
#include "operators/movement/desc.h"
#include "operators/normalization/definitions.h"
#include "operators/random_generator/desc.h"
#include "operators/rearrangement/desc.h"
#include "operators/reduce/definitions.h"
#include "operators/regions/desc.h"
#include "operators/resample/desc.h"
#include "operators/slice/desc.h"
#include "operators/value_scale_2d/desc.h"
