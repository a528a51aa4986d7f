# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# Compile options that every target of ours shares. Contraction is off because
# the order and rounding of sums are part of the operators' definition.
add_library(anydml_options INTERFACE)
target_compile_features(anydml_options INTERFACE cxx_std_20)
target_compile_options(anydml_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX,C>:-Wall -Wextra -Wpedantic -ffp-contract=off>
  $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false --expt-relaxed-constexpr
    -Xcompiler=-Wall,-Wextra,-ffp-contract=off>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 sees overlapping copies in "text" + std::string (its bug 105651).
  target_compile_options(anydml_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
if(ANYDML_WARNINGS_AS_ERRORS)
  target_compile_options(anydml_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX,C>:-Werror>
    $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)
endif()
if(ANYDML_SANITIZE)
  target_compile_options(anydml_options INTERFACE -fsanitize=${ANYDML_SANITIZE}
                         -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(anydml_options INTERFACE -fsanitize=${ANYDML_SANITIZE})
endif()

# What an attacker would need next: stacks that can be overrun, jumps to anywhere,
# tables of addresses that can be written, stacks that can be executed. Checked by
# tests/security. The sanitizers bring checks of their own, which fortify would hide.
include(CheckCXXCompilerFlag)
set(hardening -fstack-protector-strong)
check_cxx_compiler_flag(-fcf-protection=full ANYDML_HAS_CF_PROTECTION)  # x86 alone
if(ANYDML_HAS_CF_PROTECTION)
  list(APPEND hardening -fcf-protection=full)
endif()
if(NOT ANYDML_SANITIZE)
  list(APPEND hardening $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE>
                        $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
endif()
target_compile_options(anydml_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX,C>:${hardening}>")
target_link_options(anydml_options INTERFACE LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)

# SSSE3 would be a fifth copy of every kernel for processors of 2006 alone; they
# get the portable target.
target_compile_definitions(anydml_options INTERFACE "HWY_DISABLED_TARGETS=(1LL<<12)")
