#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# fuzz.sh FOLDER SECONDS: runs every fuzz target of a build for so many seconds,
# two at a time. What a target finds new stays in FOLDER/../found/<target>; an input
# that ends it is FOLDER/../found/crash-..., and the script fails.
# fuzz.sh --check: whether every input of the corpora is as short as its target's may be.
set -uo pipefail
tests=$(cd "$(dirname "$0")/.." && pwd)

# The most bytes of an input, and the corpus. libFuzzer cuts longer ones without a word.
targets="fuzz_calls 1200 $tests/fuzz/corpus/fuzz_calls
fuzz_desc 600 $tests/fuzz/corpus/fuzz_desc
fuzz_execute 600 $tests/fuzz/corpus/fuzz_execute
fuzz_graph 1200 $tests/fuzz/corpus/fuzz_graph
fuzz_gradient 1200 $tests/fuzz/corpus/fuzz_gradient
fuzz_model 6000 $tests/model/corpus/json
fuzz_npy 4000 $tests/model/corpus/npy"

check() {
  local long=0
  while read -r name most corpus; do
    [ -d "$corpus" ] || { echo "$name: there is no $corpus"; long=1; }
    while read -r file; do
      echo "$name: $file is longer than $most bytes"
      long=1
    done < <(find "$corpus" -type f -size +"$most"c)
  done <<<"$targets"
  return "$long"
}
check || exit 1
[ "$1" = --check ] && exit 0

programs=$(cd "$1" && pwd)
seconds=$2
found=$programs/../found
mkdir -p "$found"
cd "$found" || exit 1
export programs seconds
export ASAN_OPTIONS=allocator_may_return_null=1:detect_stack_use_after_return=1
export UBSAN_OPTIONS=print_stacktrace=1

# fuzz TARGET BYTES CORPUS
fuzz() {
  mkdir -p "$1"
  if "$programs/$1" -max_total_time="$seconds" -timeout=30 -rss_limit_mb=6000 -len_control=0 -max_len="$2" \
    -print_final_stats=1 -artifact_prefix="$1-" "$1" "$3" >"$1.log" 2>&1; then
    grep -h 'stat::number_of_executed_units' "$1.log" | sed "s/^.*: */ok      $1: executions /"
  else
    tail -n 60 "$1.log"
    echo "FAILED  $1"
    return 1
  fi
}
export -f fuzz

while read -r target; do echo "fuzz $target"; done <<<"$targets" | xargs -P 2 -I{} bash -c '{}'
