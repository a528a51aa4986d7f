// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A byte of a lies at a0 + sum(i * stride) + r, 0 <= i < size, 0 <= r < bytes of an
// element; one of b likewise. Seen from b's last byte, b's terms are positive too:
// the tensors share a byte if target = sum(u_k * step_k) has a solution with
// 0 <= u_k <= max_k.
//
// Two things leave little to try. Terms that together reach every multiple of the
// smaller step are one term: packed dimensions become one, and equal steps do. And if
// the terms up to j are all multiples of g, what the others add must be the target's
// rest by g: channels that are interleaved differ there, however large the image is.
#include "c_api/shared_bytes.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "tensor/data_type.h"

namespace anydml::c_api {
namespace {

struct Term {
  uint64_t step;
  uint64_t most;
};

class Sum {
 public:
  // Adds a tensor's terms and returns the distance from its first to its last byte.
  uint64_t Add(const TensorDesc& tensor) {
    const uint64_t bytes = ElementSize(tensor.data_type);
    uint64_t reach = bytes - 1;
    AddTerm({1, bytes - 1});
    for (uint32_t d = 0; d < tensor.dimension_count; ++d) {
      const Term term = {tensor.strides[d] * bytes, uint64_t{tensor.sizes[d]} - 1};
      if (term.step == 0 || term.most == 0) continue;
      reach += term.step * term.most;
      AddTerm(term);
    }
    return reach;
  }

  // Large steps first: they leave the fewest choices.
  bool CanBe(uint64_t target) {
    std::sort(terms_.begin(), terms_.begin() + count_,
              [](const Term& a, const Term& b) { return a.step > b.step; });
    JoinTerms();
    for (size_t k = count_; k-- > 0;) {
      reach_[k] = reach_[k + 1] + terms_[k].step * terms_[k].most;
    }
    return Solve(0, target);
  }

 private:
  static constexpr size_t kMaxTerms = 2 * kMaxDimensions + 2;
  static constexpr int kMaxTries = 10000;

  void AddTerm(Term term) {
    if (term.most != 0) terms_[count_++] = term;
  }

  // Each term joins the largest one behind it that allows it; that one then reaches
  // farther, so it goes from the smallest steps to the largest.
  void JoinTerms() {
    for (size_t k = count_; k-- > 0;) {
      for (size_t j = k + 1; j < count_; ++j) {
        const uint64_t times = terms_[k].step / terms_[j].step;
        if (terms_[k].step % terms_[j].step != 0 || terms_[j].most < times - 1) continue;
        terms_[j].most += terms_[k].most * times;
        std::copy(terms_.begin() + k + 1, terms_.begin() + count_, terms_.begin() + k);
        --count_;
        break;
      }
    }
  }

  // Whether the terms from k on can leave the rests that the target has by the common
  // divisors of the first of them.
  bool LeavesRests(size_t k, uint64_t target) const {
    uint64_t divisor = 0;
    for (size_t j = k; j < count_; ++j) {
      divisor = std::gcd(divisor, terms_[j].step);
      if (target % divisor > reach_[j + 1]) return false;
    }
    return true;
  }

  // Whether the terms from k on can sum up to the target.
  bool Solve(size_t k, uint64_t target) {
    if (target > reach_[k]) return false;
    if (target == 0) return true;
    if (!LeavesRests(k, target)) return false;
    if (k + 1 == count_) return true;
    const auto [step, most] = terms_[k];
    const uint64_t rest = reach_[k + 1];
    const uint64_t least = target > rest ? (target - rest + step - 1) / step : 0;
    for (uint64_t u = least; u <= std::min(most, target / step); ++u) {
      if (++tries_ > kMaxTries || Solve(k + 1, target - u * step)) return true;
    }
    return false;
  }

  std::array<Term, kMaxTerms> terms_ = {};
  std::array<uint64_t, kMaxTerms + 1> reach_ = {};  // of the terms from k on
  size_t count_ = 0;
  int tries_ = 0;
};

}  // namespace

bool MayShareBytes(const TensorDesc& a, uintptr_t address_a, const TensorDesc& b,
                   uintptr_t address_b) {
  Sum sum;
  sum.Add(a);
  const uint64_t last = address_b + sum.Add(b);
  return last >= address_a && sum.CanBe(last - address_a);
}

}  // namespace anydml::c_api
