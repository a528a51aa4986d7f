#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""The environment variables that the library, the command and the Python package read are those that
docs/reliability.md lists, and no others.

    python3 environment_test.py ROOT
"""
import sys

sys.dont_write_bytecode = True     # leave no __pycache__ beside the sources

import pathlib
import re

READS = {
    ".cpp": re.compile(r"\b(?:secure_)?getenv\s*\(\s*(\"\w+\")?"),
    ".py": re.compile(r"\bos\.(?:environ(?:\.get\s*\(|\s*\[)|getenv\s*\()\s*([\"']\w+[\"'])?"),
}
READS[".h"] = READS[".cu"] = READS[".cuh"] = READS[".hpp"] = READS[".cpp"]
FOLDERS = ["src", "include", "tools", "bench", "python/anydml"]
ROW = re.compile(r"^\| `([A-Z_]+)` \|", re.MULTILINE)


def reads(root):
    """(file, variable) for every variable that is read; no variable where it is no literal."""
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            pattern = READS.get(file.suffix)
            if pattern is None:
                continue
            for match in pattern.finditer(file.read_text()):
                yield file, match[1].strip("\"'") if match[1] else ""


def listed(text):
    """The variables of the table below the heading of this name."""
    _, _, rest = text.partition("## Environment variables")
    return set(ROW.findall(rest.split("\n#", 1)[0]))


def problems(root):
    known = listed((root / "docs/reliability.md").read_text())
    found = set()
    for file, variable in reads(root):
        found.add(variable)
        if not variable:
            yield f"{file}: reads a variable whose name the source does not show"
        elif variable not in known:
            yield f"{file}: reads {variable}, which docs/reliability.md does not list"
    for variable in sorted(known - found):
        yield f"docs/reliability.md lists {variable}, which nothing reads"


if __name__ == "__main__":
    told = list(problems(pathlib.Path(sys.argv[1])))
    print("\n".join(told))
    sys.exit(1 if told else 0)
