#!/bin/sh
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# compile_header.sh <compiler> <standard> <include folder> [<system include folder>...]
#   Compiles a program of one line per public header of DirectML, and one of all of them, warnings
#   being errors. Exits with 77, which ctest reports as skipped, when this machine does not have
#   the compiler.
compiler=$1
standard=$2
include_folder=$3
shift 3
for folder; do
  shift
  set -- "$@" -isystem "$folder"
done

# Debian's clang has its version in its name unless the default package is installed.
if [ "$compiler" = clang++ ] && ! command -v clang++ > /dev/null; then compiler=clang++-14; fi
if ! command -v "$compiler" > /dev/null; then
  echo "skipped: $compiler is not installed"
  exit 77
fi

for program in '#include <directml.h>' '#include <DirectML.h>' '#include <directml_guids.h>' \
  '#include <directml.h>
#include <DirectML.h>
#include <directml_guids.h>'; do
  if ! printf '%s\nint main() {}\n' "$program" |
    "$compiler" -std="$standard" -Wall -Wextra -Wpedantic -Werror -fsyntax-only \
      -I"$include_folder" "$@" -x c++ -; then
    printf 'this program does not compile with %s -std=%s:\n%s\n' "$compiler" "$standard" "$program"
    exit 1
  fi
done
