// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The exact functions on all halves, on the hardest arguments and on a million random ones.
// All 2^32 arguments are for `make exhaustive`.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "base/float16.h"
#include "math/exact_functions.h"
#include "math/hard_arguments.h"

namespace anydml::test {
namespace {

class ExactFunctions : public testing::TestWithParam<ExactFunction> {
 protected:
  // The arguments and their negatives, by sign.
  static void Check(const std::vector<uint32_t>& bits) {
    for (uint32_t sign : {0u, 0x80000000u}) {
      std::vector<float> x;
      for (uint32_t each : bits) {
        if ((each & 0x80000000u) == sign) x.push_back(std::bit_cast<float>(each));
      }
      if (!x.empty()) CheckOfOneSign(x);
    }
  }

 private:
  static void CheckOfOneSign(const std::vector<float>& x) {
    const ExactFunction& function = GetParam();
    std::vector<uint32_t> expected;
    for (float value : x) {
      const Truth truth = function.At(value);
      EXPECT_TRUE(truth.decided) << std::hex << std::bit_cast<uint32_t>(value);
      expected.push_back(BitsOf(truth.value));
    }
    std::vector<float> y(x.size());
    for (const FunctionKernel& kernel : KernelsOf(function)) {
      SCOPED_TRACE(kernel.name);
      Evaluate(function, kernel, x, y);
      size_t wrong = 0;
      for (size_t i = 0; i < x.size(); ++i) {
        if (function.is_expm1 && x[i] == 0) continue;  // ELU and CELU pass a zero
        if (BitsOf(y[i]) != expected[i] && wrong++ < 3) {
          ADD_FAILURE() << std::hex << "argument " << std::bit_cast<uint32_t>(x[i]) << " gives "
                        << BitsOf(y[i]) << ", not " << expected[i];
        }
      }
      EXPECT_EQ(wrong, 0u);
    }
  }
};

TEST_P(ExactFunctions, AreRightOnEveryHalf) {
  std::vector<uint32_t> x;
  for (uint32_t half = 0; half < 65536; ++half) {
    x.push_back(std::bit_cast<uint32_t>(ToFloat(Float16{static_cast<uint16_t>(half)})));
  }
  Check(x);
}

TEST_P(ExactFunctions, AreRightOnTheHardestArguments) {
  std::vector<uint32_t> x;
  for (uint32_t hard : kHardArguments) {
    for (uint32_t bits : {hard - 1, hard, hard + 1}) {
      x.push_back(bits);
      x.push_back(bits ^ 0x80000000u);
    }
  }
  Check(x);
}

TEST_P(ExactFunctions, AreRightOnAMillionRandomArguments) {
  std::mt19937 random(20261118);
  std::vector<uint32_t> x(1000000);
  for (uint32_t& bits : x) bits = static_cast<uint32_t>(random());
  Check(x);
}

class PairFunctions : public testing::TestWithParam<PairFunction> {
 protected:
  static void Check(const std::vector<float>& a, const std::vector<float>& b,
                    const std::vector<float>& expected) {
    std::vector<float> y(a.size());
    for (const FunctionKernel& kernel : KernelsOf(GetParam())) {
      SCOPED_TRACE(kernel.name);
      EvaluatePairs(kernel, a, b, y);
      size_t wrong = 0;
      for (size_t i = 0; i < a.size(); ++i) {
        if (BitsOf(y[i]) == BitsOf(expected[i]) || wrong++ >= 3) continue;
        ADD_FAILURE() << testing::PrintToString(a[i]) << ", " << testing::PrintToString(b[i])
                      << std::hex << " gives " << BitsOf(y[i]) << ", not " << BitsOf(expected[i]);
      }
      EXPECT_EQ(wrong, 0u);
    }
  }
};

TEST_P(PairFunctions, AreRightOnAMillionRandomPairs) {
  std::mt19937 random(20261119);
  std::vector<float> a(250000), b(250000), expected(250000);
  for (int kind = 0; kind < kPairKinds; ++kind) {
    SCOPED_TRACE(kind);
    FillPairs(random, kind, a, b);
    for (size_t i = 0; i < a.size(); ++i) expected[i] = GetParam().At(a[i], b[i]);
    Check(a, b, expected);
  }
}

TEST_P(PairFunctions, AreRightOnSpecialNumbers) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float specials[] = {0,
                            1,
                            2,
                            3,
                            0.5f,
                            1.5f,
                            0x1p24f,
                            0x1p25f + 4,
                            1e30f,
                            88,
                            150,
                            kInfinity,
                            0x1p-149f,
                            0x1p-126f,
                            0x1.fffffep127f,
                            16777215,
                            std::numeric_limits<float>::quiet_NaN()};
  std::vector<float> a, b, expected;
  for (float x : specials) {
    for (float y : specials) {
      for (int signs = 0; signs < 4; ++signs) {
        a.push_back(signs % 2 == 0 ? x : -x);
        b.push_back(signs / 2 == 0 ? y : -y);
        expected.push_back(GetParam().At(a.back(), b.back()));
      }
    }
  }
  Check(a, b, expected);
}

INSTANTIATE_TEST_SUITE_P(All, PairFunctions, testing::ValuesIn(kPairFunctions),
                         [](const testing::TestParamInfo<PairFunction>& info) {
                           return std::string(info.param.name);
                         });

INSTANTIATE_TEST_SUITE_P(All, ExactFunctions, testing::ValuesIn(kExactFunctions),
                         [](const testing::TestParamInfo<ExactFunction>& info) {
                           return std::string(info.param.name);
                         });

}  // namespace
}  // namespace anydml::test
