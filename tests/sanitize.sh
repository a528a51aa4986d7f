#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# sanitize.sh FOLDER: runs the test programs of a build with sanitizers, two at a
# time, each in one process: under AddressSanitizer the start of a process costs
# more than most tests. Fails if one of them does; the summary is last.
set -euo pipefail
programs=$1
tests=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export programs work
# No detect_stack_use_after_return: the stack that g++ 12 then puts in the place of the
# real one gives objects that want 64 bytes of alignment 32.
export ASAN_OPTIONS=detect_stack_use_after_return=0:allocator_may_return_null=1
export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=allocator_may_return_null=1

# run PROGRAM ARGUMENTS...
run() {
  local name=$1 start=$SECONDS count
  shift
  if "$programs/$name" "$@" >"$work/$name.log" 2>&1; then
    count=$(grep -c '^\[       OK \]\|^random input\|^changed input' "$work/$name.log" || true)
    printf 'ok      %-28s %5d tests %4d s\n' "$name" "$count" $((SECONDS - start))
  else
    touch "$work/$name.failed"
    tail -n 80 "$work/$name.log"
    printf 'FAILED  %-28s (%s)\n' "$name" "$programs/$name $*"
  fi
}
export -f run

# A part: of the conformance test every eighth case, spread over all operators, and few random
# inputs. `make nightly-sanitizers` runs the whole suite.
list_programs() {
  echo "GTEST_TOTAL_SHARDS=8 GTEST_SHARD_INDEX=1 run conformance_test"
  for name in execute graph gradient calls desc; do
    echo "run fuzz_${name}_replay --random=400 $tests/fuzz/corpus/fuzz_$name"
  done
  echo "run fuzz_model_replay --changed=20000 $tests/model/corpus/json"
  echo "run fuzz_npy_replay --changed=50000 $tests/model/corpus/npy"
  for name in layers operators gradient train train_interface directml d3d12 c_api client_style exit \
    out_of_memory; do
    echo "run ${name}_test"
  done
  echo "run c_client"
}

list_programs | xargs -P "$(nproc)" -I{} bash -c '{}'
failed=$(find "$work" -name '*.failed' | wc -l)
echo "sanitize: $(list_programs | wc -l) programs, $failed failed"
[ "$failed" -eq 0 ]
