#!/bin/sh
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# check_abi_self_check.sh CHECK_ABI: small libraries show that the comparison with
# the last version sees what breaks a program, and lets pass what does not.
set -eu
check=$(readlink -f "$1")
command -v abidiff >/dev/null || { echo "skipped: abidiff is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# library NAME INFO_FIELDS DEVICE_FIELDS VALUES FUNCTIONS
library() {
    mkdir -p "$1"
    cat >"$1/api.h" <<EOF
enum api_status { API_OK, $4 };
struct api_info { unsigned long struct_size; $2 };
struct api_device;
enum api_status api_ask(struct api_device* device, struct api_info* info);
EOF
    cat >"$1/api.c" <<EOF
#include "api.h"
struct api_device { $3 };
enum api_status api_ask(struct api_device* device, struct api_info* info) {
  return device == 0 || info == 0 ? API_FAILED : API_OK;
}
$5
EOF
    cc -g -shared -fPIC "$1/api.c" -o "$1/lib.so"
}
one='int api_one(void) { return 1; }'
library older 'int a; int b; int d;' 'int x;' 'API_FAILED' "$one"
library same 'int a; int b; int d;' 'int x;' 'API_FAILED' "$one"
library more_functions 'int a; int b; int d;' 'int x;' 'API_FAILED' "$one int api_two(void) { return 2; }"
library longer_struct 'int a; int b; int d; long c;' 'int x;' 'API_FAILED' "$one"
library more_values 'int a; int b; int d;' 'int x;' 'API_FAILED, API_LOST' "$one"
library other_inside 'int a; int b; int d;' 'long x; long y;' 'API_FAILED' "$one"
library no_function 'int a; int b; int d;' 'int x;' 'API_FAILED' ''
library wider_field 'long a; int b; int d;' 'int x;' 'API_FAILED' "$one"
library field_between 'int a; long c; int b; int d;' 'int x;' 'API_FAILED' "$one"
library field_in_padding 'int a; int b; int d; int c;' 'int x;' 'API_FAILED' "$one"
library fields_from_padding 'int a; int b; int d; int c; long e;' 'int x;' 'API_FAILED' "$one"
library shorter_struct 'int a;' 'int x;' 'API_FAILED' "$one"
library other_values 'int a; int b; int d;' 'int x;' 'API_LOST, API_FAILED' "$one"
library other_result 'int a; int b; int d;' 'int x;' 'API_FAILED' 'long api_one(void) { return 1; }'
library other_parameter 'int a; int b; int d;' 'int x;' 'API_FAILED' 'int api_one(int a) { return a; }'

failed=0
expect() {
    result=0
    "$check" --compare older/lib.so older "$2/lib.so" "$2" >report || result=$?
    [ "$result" -eq "$1" ] && return
    cat report
    echo "FAILED: $2 gave $result, not $1"
    failed=1
}
for name in same more_functions longer_struct more_values other_inside; do expect 0 $name; done
for name in no_function wider_field field_between field_in_padding fields_from_padding \
    shorter_struct other_values other_result other_parameter; do
    expect 1 $name
done
exit $failed
