#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# fuzz.sh FOLDER SECONDS: runs every fuzz target of a build for so many seconds,
# two at a time. What a target finds new stays in FOLDER/../found/<target>; an input
# that ends it is FOLDER/../found/crash-..., and the script fails.
set -uo pipefail
programs=$(cd "$1" && pwd)
seconds=$2
tests=$(cd "$(dirname "$0")/.." && pwd)
found=$programs/../found
mkdir -p "$found"
cd "$found" || exit 1
export programs seconds tests
export ASAN_OPTIONS=allocator_may_return_null=1:detect_stack_use_after_return=1
export UBSAN_OPTIONS=print_stacktrace=1

# fuzz TARGET CORPUS
fuzz() {
  mkdir -p "$1"
  if "$programs/$1" -max_total_time="$seconds" -timeout=30 -rss_limit_mb=6000 -len_control=0 -max_len=600 \
    -print_final_stats=1 -artifact_prefix="$1-" "$1" "$2" >"$1.log" 2>&1; then
    grep -h 'stat::number_of_executed_units' "$1.log" | sed "s/^.*: */ok      $1: executions /"
  else
    tail -n 60 "$1.log"
    echo "FAILED  $1"
    return 1
  fi
}
export -f fuzz

{
  for name in calls desc execute graph; do
    echo "fuzz fuzz_$name $tests/fuzz/corpus/fuzz_$name"
  done
  echo "fuzz fuzz_model $tests/model/corpus/json"
  echo "fuzz fuzz_npy $tests/model/corpus/npy"
} | xargs -P 2 -I{} bash -c '{}'
