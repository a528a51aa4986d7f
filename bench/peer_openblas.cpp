// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// OpenBLAS: products of packed matrices.
#include <cblas.h>

#include "bench/peer_task.h"
#include "bench/peers.h"

namespace anydml::bench {
namespace {

CBLAS_TRANSPOSE Transposed(bool transposed) { return transposed ? CblasTrans : CblasNoTrans; }

std::vector<PeerContestant> Gemm(const PeerTask& task) {
  const Matrices m = MatricesOf(task);
  const auto number = [](int64_t size) { return static_cast<blasint>(size); };
  openblas_set_num_threads(task.threads);
  return {{"OpenBLAS", true, [m, number] {
             cblas_sgemm(CblasRowMajor, Transposed(m.trans_a), Transposed(m.trans_b), number(m.m),
                         number(m.n), number(m.k), 1, m.a, number(m.lda), m.b, number(m.ldb), 0,
                         m.output, number(m.ldo));
           }}};
}

constexpr PeerOperator kOperators[] = {{"GEMM", Gemm}};

}  // namespace

std::vector<PeerContestant> EnterOpenBlas(const PeerTask& task) {
  const bool packed = task.row.layout == BenchLayout::kPacked;
  if (task.row.type != DataType::kFloat32 || !packed) return {};
  return EnterByName(kOperators, task);
}

}  // namespace anydml::bench
