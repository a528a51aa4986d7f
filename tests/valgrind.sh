#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# valgrind.sh FOLDER: runs a few test programs under memcheck, which also sees
# values that nobody has set. The preset `valgrind` builds the portable kernels alone;
# of a release build, those up to AVX2 run here, for valgrind hides AVX-512. Fails if
# one of them does; the summary is last.
set -euo pipefail
programs=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
leaks=full

# check PROGRAM ARGUMENTS...
check() {
  local name=$1 start=$SECONDS count
  shift
  if valgrind --quiet --error-exitcode=9 --leak-check=$leaks --show-leak-kinds=definite \
    --errors-for-leak-kinds=definite --fair-sched=yes "$programs/$name" "$@" \
    >"$work/$name.log" 2>&1; then
    count=$(grep -c '^\[       OK \]\|^random input' "$work/$name.log" || true)
    printf 'ok      %-28s %5d tests %4d s\n' "$name" "$count" $((SECONDS - start))
  else
    tail -n 80 "$work/$name.log"
    printf 'FAILED  %-28s\n' "$name"
    failed=$((failed + 1))
  fi
}

check c_api_test --gtest_filter='-Forks.*'
# What a thread of the parent held is nobody's in a child.
leaks=no
check c_api_test --gtest_filter='Forks.*'
leaks=full
check directml_test --gtest_filter='Binding*:Execution*:Lifetime*:Graph*'
check layers_test --gtest_filter='Graph*:Fusion*:MemoryPlan*:MalformedGraph*:*Row.*-*Million*:*Long*'
check fuzz_desc_replay --random=100
check fuzz_execute_replay --random=60
# Gradients of overlapping windows, where memcheck has found something, and the pages' examples.
overlapping='*MAX_POOLING_GRAD__window_3x3_stride_1_padded__*:*MAX_POOLING_GRAD__window_3x3_stride_2_padded__*'
check conformance_test --gtest_filter="$overlapping:*__documented_example__FLOAT32*"
echo "valgrind: $failed programs failed"
[ "$failed" -eq 0 ]
