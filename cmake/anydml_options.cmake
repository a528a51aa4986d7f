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
  # nvcc's host code goes without: the rest is what owns and passes memory.
  target_compile_options(anydml_options INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX,C>:-fsanitize=${ANYDML_SANITIZE};-fno-sanitize-recover=all;-fno-omit-frame-pointer>")
  target_link_options(anydml_options INTERFACE -fsanitize=${ANYDML_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The checks that a sanitizer inserts make g++ 12 see values without a first
    # assignment where there are none, in std::optional above all.
    target_compile_options(anydml_options INTERFACE
      $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
  endif()
endif()

if(ANYDML_COVERAGE)
  # One instruction set: a line counts once, and the build is a quarter as long.
  target_compile_options(anydml_options INTERFACE --coverage -fprofile-update=atomic -O1)
  target_link_options(anydml_options INTERFACE --coverage)
  target_compile_definitions(anydml_options INTERFACE HWY_COMPILE_ONLY_STATIC)
endif()

# Most of the time of a small source goes into the headers that all of them include, so the sources
# of a target are compiled eight at a time. A source whose names are those of another in the same
# namespace says SKIP_UNITY_BUILD_INCLUSION; kernels, which are compiled once per instruction set,
# stay alone. OFF: each by itself, as tools that read compile_commands.json want it.
option(ANYDML_UNITY "Compile the small sources of a target eight at a time" ON)
function(anydml_compile_together)
  set_target_properties(${ARGV} PROPERTIES UNITY_BUILD ${ANYDML_UNITY} UNITY_BUILD_BATCH_SIZE 8)
endfunction()

# anydml_deal_out(<prefix> <size> <sources>...): <prefix>_0 to <prefix>_${<prefix>_last} are batches of
# at most <size> sources, each of another folder: files of one folder share a namespace, and often
# the same names in it.
function(anydml_deal_out prefix size)
  set(batches 0)
  foreach(source IN LISTS ARGN)
    cmake_path(GET source PARENT_PATH folder)
    set(batch 0)
    while(batch LESS batches)
      list(LENGTH files_${batch} count)
      if(count LESS size AND NOT folder IN_LIST folders_${batch})
        break()
      endif()
      math(EXPR batch "${batch} + 1")
    endwhile()
    if(batch EQUAL batches)
      math(EXPR batches "${batches} + 1")
    endif()
    list(APPEND files_${batch} ${source})
    list(APPEND folders_${batch} ${folder})
  endforeach()
  math(EXPR last "${batches} - 1")
  foreach(batch RANGE ${last})
    set(${prefix}_${batch} ${files_${batch}} PARENT_SCOPE)
  endforeach()
  set(${prefix}_last ${last} PARENT_SCOPE)
endfunction()

# anydml_compile_folders_together(<target>): the same for a target whose folders are namespaces.
function(anydml_compile_folders_together target)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  anydml_deal_out(batch 8 ${sources})
  foreach(number RANGE ${batch_last})
    set_source_files_properties(${batch_${number}} TARGET_DIRECTORY ${target}
      PROPERTIES UNITY_GROUP ${target}_${number})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${ANYDML_UNITY} UNITY_BUILD_MODE GROUP)
endfunction()

# anydml_leave_kernels_out(<target>): without ANYDML_SANITIZE_KERNELS, the files of
# vector kernels go without the sanitizers. clang takes several minutes for each of
# them; guard pages still see what they read and write beside their tensors.
option(ANYDML_SANITIZE_KERNELS "Instrument the vector kernels too" ON)
function(anydml_leave_kernels_out target)
  if(ANYDML_SANITIZE AND NOT ANYDML_SANITIZE_KERNELS)
    get_target_property(sources ${target} SOURCES)
    get_target_property(folder ${target} SOURCE_DIR)
    foreach(source IN LISTS sources)
      if(source MATCHES "^[a-z].*\\.cpp$")
        file(STRINGS ${folder}/${source} lines REGEX "hwy/foreach_target.h")
        if(lines)
          set_source_files_properties(${folder}/${source} TARGET_DIRECTORY ${target}
            PROPERTIES COMPILE_OPTIONS "-fno-sanitize=all;-O2")
        endif()
      endif()
    endforeach()
  endif()
endfunction()

# What an attacker would need next: stacks that can be overrun, jumps to anywhere,
# tables of addresses that can be written, stacks that can be executed. Checked by
# tests/security. The sanitizers bring checks of their own, which fortify would hide.
include(CheckCXXCompilerFlag)
option(ANYDML_HARDENING "Build with them; without, their price can be measured" ON)
if(ANYDML_HARDENING)
  set(hardening -fstack-protector-strong)
  # Some kernels keep rows of a band on the stack: a thread with too small a stack
  # must hit its guard page, not jump over it.
  check_cxx_compiler_flag(-fstack-clash-protection ANYDML_HAS_STACK_CLASH_PROTECTION)
  if(ANYDML_HAS_STACK_CLASH_PROTECTION)
    list(APPEND hardening -fstack-clash-protection)
  endif()
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
endif()

# Every kernel once instead of once per instruction set: a build with a sanitizer
# is then as small as can be, and one for valgrind, which does not know AVX-512,
# runs what it is meant to run. Programs built with `haswell` need AVX2; on other
# processors than x86 it means their baseline.
set(ANYDML_INSTRUCTION_SET "" CACHE STRING
    "Compile kernels for this alone: `baseline`, or a value of -march; empty: for all")
if(ANYDML_INSTRUCTION_SET)
  # Highway has no AVX2 without AES, which compilers do not count to Haswell; it would
  # take the portable target instead, without a word.
  target_compile_definitions(anydml_options INTERFACE
    HWY_COMPILE_ONLY_STATIC HWY_DISABLE_PCLMUL_AES)
  if(NOT ANYDML_INSTRUCTION_SET STREQUAL "baseline" AND
      CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(anydml_options INTERFACE
      $<$<COMPILE_LANGUAGE:CXX>:-march=${ANYDML_INSTRUCTION_SET}>)
  elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Of vectors of one lane g++ says that the loop over a row's rest, which they never
    # enter, would run for ever.
    target_compile_options(anydml_options INTERFACE
      $<$<COMPILE_LANGUAGE:CXX>:-Wno-aggressive-loop-optimizations>)
  endif()
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT ANYDML_COVERAGE)
  # SSE4, AVX2 and AVX-512: SSE4 is the baseline, so there is no scalar copy. Only kernels use it;
  # backends/cpu/instruction_set.h refuses older processors before one runs.
  target_compile_definitions(anydml_options INTERFACE HWY_WANT_SSE4=1)
elseif(NOT ANYDML_COVERAGE)
  # Other processors: Highway's baseline, which is NEON on ARM, without dispatch: that would ask for
  # AES. Kernels have vectors as members, which SVE and RVV do not allow.
  target_compile_definitions(anydml_options INTERFACE
    HWY_COMPILE_ONLY_STATIC TOOLCHAIN_MISS_SYS_AUXV_H)
endif()
