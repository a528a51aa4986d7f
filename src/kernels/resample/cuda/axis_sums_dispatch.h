// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// From what a stage says at run time to the templates that are compiled for it.
#pragma once

#include "kernels/resample/cuda/axis_sums_stage.h"
#include "tensor/data_type.h"

namespace anydml::cuda {

// Calls call.operator()<Source, Target, kUnitWeights>().
template <class Call>
void DispatchStage(const SumStage& stage, const Call& call) {
  DispatchType(TypeList<float, Float16>(), stage.source_type, [&]<typename S>() {
    DispatchType(TypeList<float, Float16>(), stage.target_type, [&]<typename T>() {
      if (stage.unit_weights) {
        call.template operator()<S, T, true>();
      } else {
        call.template operator()<S, T, false>();
      }
    });
  });
}

// Calls call.operator()<N>(), where N terms beside one another are held in
// registers; 0 stands for any number of them.
template <class Call>
void DispatchTerms(uint32_t max_terms, const Call& call) {
  if (max_terms <= 1) return call.template operator()<1>();
  if (max_terms <= 2) return call.template operator()<2>();
  if (max_terms <= 4) return call.template operator()<4>();
  if (max_terms <= 8) return call.template operator()<8>();
  call.template operator()<0>();
}

}  // namespace anydml::cuda
