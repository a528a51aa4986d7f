// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Output tensors that a front end leaves out: their data types and sizes follow
// from the other fields, by the constraints of the schema or by its function
// `output_tensors`.
#pragma once

#include "schema/problems.h"

namespace anydml::schema {

// Whether the tensors of a required output field follow from the other fields.
bool IsInferred(const OperatorSchema& schema, size_t field);

// The end of the sentence that requires a field: empty, or for an output why it must
// be given.
std::string_view WhyRequired(const OperatorSchema& schema, size_t field);

// All outputs in binding order, packed, optional ones too; one that does not follow
// is absent from the list's entry. For arguments that FindTableProblems takes.
Result<std::vector<TensorDesc>> OutputTensors(const Arguments& arguments);

// For the functions that work out sizes: one of an output's that may not be a UINT.
Status StoreOutputSize(const Arguments& arguments, size_t output, uint32_t dimension, uint64_t size,
                       Dimensions& sizes);

// Whether a required output is absent.
bool HasMissingOutputs(const Arguments& arguments);

// Puts those in place of the required outputs that are absent. Tells what is wrong
// with the rest of the description instead, or that an output must be given.
Problems CompleteOutputs(Arguments& arguments, FeatureLevel level);

}  // namespace anydml::schema
