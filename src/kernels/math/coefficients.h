// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Written by tools/math/make_coefficients.py. Polynomials, lowest power first; `error` is that
// of the fit, before coefficients are rounded to double.
#pragma once

namespace anydml::math {

// clang-format off
// error 2^-53.1 of a value near 2^-1.0
inline constexpr double kExpRest[] = {
    0x1.0000000000001p-1,
    0x1.5555555555556p-3,
    0x1.5555555553d68p-5,
    0x1.11111111109b5p-7,
    0x1.6c16c17889f3cp-10,
    0x1.a01a01a7c2f2cp-13,
    0x1.a019b914881bap-16,
    0x1.71de0db2eb873p-19,
    0x1.28917c9f3a495p-22,
    0x1.af389eea54156p-26,
};
// error 2^-58.7 of a value near 2^-0.6
inline constexpr double kLogRest[] = {
    0x1.5555555555555p-1,
    0x1.9999999999a38p-2,
    0x1.2492492476ccap-2,
    0x1.c71c7201593cap-3,
    0x1.745cf9047e55ep-3,
    0x1.3b1c355ddb480p-3,
    0x1.0fbe957ed02d3p-3,
    0x1.0c039fe4bea01p-3,
};
// error 2^-56.9 of a value near 2^-0.1
inline constexpr double kErfSmall[] = {
    0x1.20dd750429b6dp+0,
    -0x1.812746b0379c1p-2,
    0x1.ce2f21a040f66p-4,
    -0x1.b82ce31203772p-6,
    0x1.565bccfa44156p-8,
    -0x1.c02db0665e53dp-11,
    0x1.f9a2be4f731a1p-14,
    -0x1.f4ca838adb73bp-17,
    0x1.b981d78881a5dp-20,
    -0x1.5c131500d3f88p-23,
    0x1.d76af6ca49787p-27,
    -0x1.ac9585a44fe29p-31,
};
// error 2^-57.6 of a value near 2^-2.0
inline constexpr double kErfLarge[] = {
    0x1.058671b52c776p-2,
    -0x1.b57034efd3f6fp-2,
    0x1.eeea7dc8a78b0p-3,
    -0x1.437f0b68c1e18p-4,
    0x1.e9471597b14aap-9,
    0x1.ca95ed5a1ce10p-8,
    -0x1.bc25a498e6ec7p-11,
    -0x1.016b6187f0c1bp-10,
    0x1.6d5f47f9b2732p-15,
    0x1.6dacad7ef23e0p-13,
    0x1.cdbeca2b511dep-16,
    -0x1.cfecb547645bdp-16,
    -0x1.d369cb61b5499p-17,
    0x1.ede2a59840e08p-20,
    0x1.de73557131615p-19,
};
// error 2^-58.1 of a value near 2^-2.9
inline constexpr double kGeluTail[] = {
    0x1.82b4bb8c94dcep-4,
    -0x1.5cf97b0ae882ep-3,
    0x1.fd751a1fba3c2p-4,
    -0x1.25b6aa9658063p-4,
    0x1.f9b05f0efd9bcp-6,
    -0x1.1644dc2f916b6p-7,
    0x1.0a1bd412e512dp-11,
    0x1.4eec24ff3101bp-11,
    -0x1.888dc867406b6p-13,
    -0x1.7e247d93621edp-15,
    0x1.e0a33e0a03252p-16,
    0x1.36d56e4c74683p-18,
    -0x1.20c478b9efe32p-18,
    -0x1.bd98542bbeb4ap-21,
    0x1.6212e9bd49002p-21,
    0x1.bb6b56ffb89a1p-23,
    -0x1.832f59efa3e79p-24,
    -0x1.bc77fcdee5c81p-25,
    0x1.5a8710e2e678ap-28,
    0x1.3716f1210fbc5p-27,
    0x1.052801772c330p-29,
};
// error 2^-55.4 of a value near 2^-2.6
inline constexpr double kSinRest[] = {
    -0x1.5555555555555p-3,
    0x1.1111111110ba5p-7,
    -0x1.a01a019e80a28p-13,
    0x1.71de37929c28bp-19,
    -0x1.ae6006eb75111p-26,
    0x1.5e09a111e6d69p-33,
};
// error 2^-59.4 of a value near 2^-4.6
inline constexpr double kCosRest[] = {
    0x1.5555555555555p-5,
    -0x1.6c16c16c16960p-10,
    0x1.a01a019f4d2b8p-16,
    -0x1.27e4fa15e29e5p-22,
    0x1.1eeb66dd1cdd4p-29,
    -0x1.907c2a257c22cp-37,
};
// error 2^-59.8 of a value near 2^-2.5
inline constexpr double kAsinRest[] = {
    0x1.5555555555555p-3,
    0x1.3333333333388p-4,
    0x1.6db6db6dac1c7p-5,
    0x1.f1c71c7a53dc4p-6,
    0x1.6e8ba123ad37cp-6,
    0x1.1c4efce873222p-6,
    0x1.c990ac55b530cp-7,
    0x1.7b028a13eab06p-7,
    0x1.3b498006cbcc7p-7,
    0x1.3164456bbeec3p-7,
    0x1.8ef81e87a123cp-9,
    0x1.406bebb653912p-6,
    -0x1.3b50757ac7f76p-6,
    0x1.e5336d3c9f48bp-6,
};
// error 2^-59.6 of a value near 2^-1.7
inline constexpr double kAtanRest[] = {
    -0x1.5555555555555p-2,
    0x1.9999999999953p-3,
    -0x1.249249248d768p-3,
    0x1.c71c71c2fe5d9p-4,
    -0x1.745d165cb83aap-4,
    0x1.3b1392b641b06p-4,
    -0x1.110e858a72e28p-4,
    0x1.e199da4156fd9p-5,
    -0x1.ac78ec6b8cb98p-5,
    0x1.74d64aa665b0ap-5,
    -0x1.1b2058fb5da30p-5,
    0x1.0aa87c56e3eb5p-6,
};
inline constexpr double kTurns[] = {
    0x1.45f306c000000p-1,
    0x1.c9c882a000000p-29,
    0x1.4fe13a8000000p-59,
    0x1.f47d4d377036ep-86,
    0x1.b939104000000p-26,
    0x1.4a7f09c000000p-54,
    0x1.5f47d4c000000p-82,
    0x1.377036d8a5665p-110,
    0x1.4a7f09c000000p-54,
    0x1.5f47d4c000000p-82,
    0x1.377036c000000p-110,
    0x1.8a5664f10e410p-138,
    0x1.5f47d4c000000p-82,
    0x1.377036c000000p-110,
    0x1.8a5664e000000p-138,
    0x1.10e4107f9458fp-166,
};
inline constexpr double kLn2High = 0x1.62e42fefa2000p-1;
inline constexpr double kLn2Low = 0x1.9ef35793c7673p-41;
inline constexpr double kLog2E = 0x1.71547652b82fep+0;
inline constexpr double kErfSmallLow = 0x1.1ae3a914fed80p-56;
inline constexpr double kErfCentre = 0x1.0000000000000p+1;
inline constexpr double kGeluCentre = 0x1.0000000000000p+2;
inline constexpr double kPi = 0x1.921fb54442d18p+1;
inline constexpr double kLn2 = 0x1.62e42fefa39efp-1;
inline constexpr double kLn2Rest = 0x1.abc9e3b39803fp-56;
// clang-format on

}  // namespace anydml::math
