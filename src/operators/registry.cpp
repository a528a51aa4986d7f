// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/registry.h"

#include <algorithm>
#include <array>

#include "operators/operators.h"
#include "schema/operator_names.h"

namespace anydml {
namespace {

// One line per DML_OPERATOR_*; the element-wise ones have a table of their own.
constexpr const Definition* kListed[] = {
    &reduce::kHardmax,                                // 36
    &reduce::kLogSoftmax,                             // 41
    &reduce::kSoftmax,                                // 48
    &matmul::kConvolution,                            // 53
    &matmul::kGemm,                                   // 54
    &reduce::kReduce,                                 // 55
    &average_pooling::kAveragePooling,                // 56
    &average_pooling::kLpPooling,                     // 57
    &max_pooling::kMaxPooling,                        // 58
    &regions::kRoiPooling,                            // 59
    &slice::kSlice,                                   // 60
    &movement::kSplit,                                // 62
    &movement::kJoin,                                 // 63
    &rearrangement::kPadding,                         // 64
    &value_scale_2d::kValueScale2D,                   // 65
    &resample::kUpsample2D,                           // 66
    &movement::kGather,                               // 67
    &rearrangement::kSpaceToDepth,                    // 68
    &rearrangement::kDepthToSpace,                    // 69
    &rearrangement::kTile,                            // 70
    &indexing::kTopK,                                 // 71
    &normalization::kBatchNormalization,              // 72
    &normalization::kMeanVarianceNormalization,       // 73
    &normalization::kLocalResponseNormalization,      // 74
    &normalization::kLpNormalization,                 // 75
    &max_pooling::kMaxPooling1,                       // 91
    &max_pooling::kMaxUnpooling,                      // 92
    &diagonal_matrix::kDiagonalMatrix,                // 93
    &indexing::kScatter,                              // 94
    &movement::kOneHot,                               // 95
    &resample::kResample,                             // 96
    &movement::kFillValueConstant,                    // 103
    &movement::kFillValueSequence,                    // 104
    &reduce::kCumulativeSummation,                    // 105
    &rearrangement::kReverseSubsequences,             // 106
    &indexing::kGatherElements,                       // 107
    &indexing::kGatherNd,                             // 108
    &indexing::kScatterNd,                            // 109
    &max_pooling::kMaxPooling2,                       // 110
    &slice::kSlice1,                                  // 111
    &indexing::kTopK1,                                // 112
    &rearrangement::kDepthToSpace1,                   // 113
    &rearrangement::kSpaceToDepth1,                   // 114
    &normalization::kMeanVarianceNormalization1,      // 115
    &resample::kResample1,                            // 116
    &matmul::kMatrixMultiplyInteger,                  // 117
    &average_pooling::kAveragePoolingGrad,            // 130
    &max_pooling::kMaxPoolingGrad,                    // 131
    &random_generator::kRandomGenerator,              // 132
    &indexing::kNonzeroCoordinates,                   // 133
    &resample::kResampleGrad,                         // 134
    &slice::kSliceGrad,                               // 135
    &adam_optimizer::kAdamOptimizer,                  // 136
    &reduce::kArgMin,                                 // 137
    &reduce::kArgMax,                                 // 138
    &regions::kRoiAlign,                              // 139
    &indexing::kGatherNd1,                            // 140
    &normalization::kLocalResponseNormalizationGrad,  // 144
    &reduce::kCumulativeProduct,                      // 145
    &normalization::kBatchNormalizationGrad,          // 146
    &dynamic_quantization::kDynamicQuantizeLinear,    // 148
    &regions::kRoiAlign1,                             // 149
    &regions::kRoiAlignGrad,                          // 150
    &normalization::kBatchNormalizationTraining,      // 151
    &normalization::kBatchNormalizationTrainingGrad,  // 152
    &rearrangement::kPadding1,                        // 155
    &reduce::kSoftmax1,                               // 158
    &reduce::kLogSoftmax1,                            // 159
    &reduce::kHardmax1,                               // 160
    &resample::kResample2,                            // 161
    &resample::kResampleGrad1,                        // 162
    &diagonal_matrix::kDiagonalMatrix1,               // 163
    &average_pooling::kLpPooling1,                    // 165
    &average_pooling::kAveragePooling1,               // 166
    &normalization::kMeanVarianceNormalization2,      // 171
    &resample::kResample3,                            // 175
};

// All of them in the order of their values. Of fixed size: nothing is allocated.
struct Merged {
  std::array<const Definition*, 256> definitions = {};
  size_t count = 0;

  Merged() {
    for (const Definition* definition : kListed) definitions[count++] = definition;
    for (const Definition& definition : elementwise::Definitions()) {
      definitions[count++] = &definition;
    }
    std::sort(
        definitions.begin(), definitions.begin() + count,
        [](const Definition* a, const Definition* b) { return a->schema->type < b->schema->type; });
  }
};

}  // namespace

std::span<const Definition* const> Registry() {
  static const Merged merged;
  return {merged.definitions.data(), merged.count};
}

const Definition* FindOperator(uint32_t type) {
  for (const Definition* definition : Registry()) {
    if (definition->schema->type == type) return definition;
  }
  return nullptr;
}

const Definition* FindOperator(std::string_view name) {
  name = schema::CurrentOperatorName(name);
  for (const Definition* definition : Registry()) {
    if (definition->schema->name == name) return definition;
  }
  return nullptr;
}

const schema::OperatorSchema* FindSchema(std::string_view name) {
  const Definition* definition = FindOperator(name);
  return definition == nullptr ? nullptr : definition->schema;
}

}  // namespace anydml
