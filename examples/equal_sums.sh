#!/bin/sh
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# equal_sums.sh PROGRAM: two steps on made-up pictures give weights of one checksum with one
# thread, with two, and on every instruction set of this processor.
set -eu
program=$1
# What goes wrong is told on standard error, and gives no sum.
sum() {
  "$program" --data made-up --steps 2 --threads "$1" | sed -n 's/^sha256 of the weights: //p'
}
expected=$(sum 1)
compare() {
  echo "$1: $2"
  if [ "${#2}" != 64 ] || [ "$2" != "$expected" ]; then exit 1; fi
}
compare "1 thread" "$expected"
compare "2 threads" "$(sum 2)"
known=$(ANYDML_INSTRUCTION_SET=none "$program" --steps 1 2>&1 | sed -n 's/.*sets: //p' | tr -d ,)
[ -n "$known" ]
for set in $known; do
  compare "$set" "$(ANYDML_INSTRUCTION_SET=$set sum 2)"
done
