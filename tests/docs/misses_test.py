#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Keeps "What misses" of docs/benchmarks.md true.

    python3 misses_test.py ROOT

fails if a row of bench/results/core.json missed a target that no row of that table speaks of, or
if a row of the table speaks of nothing. A comment in the first cell holds patterns of
operator/case/type/layout/target, between commas. pages_self_check.py proves that it can fail.
"""
import sys

sys.dont_write_bytecode = True     # leave no __pycache__ beside the sources

import fnmatch
import json
import pathlib
import re

ROW = re.compile(r"^\| ([^|]*?) ?<!-- (.*?) --> \|", re.MULTILINE)
THREADS = re.compile(r"(\d+) of the (\d+) that are asked for it")


def patterns(page):
    """[(words, pattern)] of the table's rows; every row has at least one."""
    table = page.split("## What misses\n")[1].split("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| ")][1:]
    for row in rows:
        found = ROW.match(row)
        if not found:
            yield row.split("|")[1].strip(), ""
            continue
        for pattern in found.group(2).split(", "):
            yield found.group(1), pattern


def misses(results):
    return [f"{row['operator']}/{row['case']}/{row['type']}/{row['layout']}/{target}"
            for row in results for target in row["missed"]]


def problems(page, results):
    missed, known = misses(results), list(patterns(page))
    for miss in missed:
        if not any(fnmatch.fnmatchcase(miss, pattern) for _, pattern in known):
            yield f"no row of 'What misses' speaks of {miss}"
    for words, pattern in known:
        if not fnmatch.filter(missed, pattern):
            yield f"'{words}' speaks of {pattern or 'no row'}, which was not missed"
    threads = "threads 90%"
    counts = (sum(threads in row["missed"] for row in results),
              sum(threads in row["targets"] for row in results))
    told = THREADS.search(page)
    if not told or tuple(map(int, told.groups())) != counts:
        yield f"{threads} was missed by {counts[0]} of the {counts[1]} rows that are asked for it"


def main():
    root = pathlib.Path(sys.argv[1])
    found = list(problems((root / "docs/benchmarks.md").read_text(),
                          json.loads((root / "bench/results/core.json").read_text())))
    print("\n".join(found))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
