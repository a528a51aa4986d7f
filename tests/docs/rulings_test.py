#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Keeps docs/rulings.md and docs/rules.md true.

    python3 rulings_test.py ROOT

fails if a test or suite that a page of docs/ names does not exist, or if a comment in the tree at
ROOT cites a number that no ruling or rule has. Every check is a function that yields sentences.
"""
import sys

sys.dont_write_bytecode = True     # leave no __pycache__ beside the sources

import pathlib
import re

RULINGS = "docs/rulings.md"
RULES = "docs/rules.md"

NUMBER = re.compile(r"^(?:## ([A-Z]\d+)\. |\| ([A-Z]\d+) \|)", re.MULTILINE)
NAMED_TEST = re.compile(r"`([A-Z]\w*\.[A-Z]\w*)`")
NAMED_SUITE = re.compile(r"`([A-Z]\w*)\.\*`")
NOTATION = "Suite.Name"     # how the pages explain NAMED_TEST
ADDED_TEST = re.compile(r"\badd_test\(\s*NAME (\w+\.\w+)")
TEST_MACRO = re.compile(r"\bTEST(?:_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\)")

# "B16", "B16c"; not "RS-P16", "D3D12", "C99" or "0xB1".
CITED = re.compile(r"(?<![\w.-])([ABCDEOPRST]\d{1,2})[a-e]?(?!\w)")
LANGUAGES = {"C89", "C99", "C11", "C17", "C23"}

FOLDERS = ["src", "tests", "tools", "include", "docs"]
CPP_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
SCRIPT_COMMENT = re.compile(r"#[^\n]*|\"\"\".*?\"\"\"", re.DOTALL)
CITING = {".h": CPP_COMMENT, ".hpp": CPP_COMMENT, ".c": CPP_COMMENT, ".cpp": CPP_COMMENT,
          ".cu": CPP_COMMENT, ".cuh": CPP_COMMENT, ".py": SCRIPT_COMMENT, ".sh": SCRIPT_COMMENT,
          ".cmake": SCRIPT_COMMENT, ".txt": SCRIPT_COMMENT, ".md": re.compile(r".+", re.DOTALL)}


def numbers(root):
    """Of every section and row."""
    return {"".join(groups) for page in (RULINGS, RULES)
            for groups in NUMBER.findall((root / page).read_text())}


def files(root, suffixes):
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in suffixes and file.is_file():
                yield file


def tests_of_the_tree(root):
    found = set()
    for file in files(root, {".cpp"}):
        code = CPP_COMMENT.sub("", file.read_text())
        found |= {f"{suite}.{name}" for suite, name in TEST_MACRO.findall(code)}
    for file in files(root, {".txt"}):
        found |= set(ADDED_TEST.findall(file.read_text()))
    return found


def named_tests_exist(root):
    known = tests_of_the_tree(root)
    suites = {name.split(".")[0] for name in known}
    for page in sorted((root / "docs").glob("*.md")):
        text = page.read_text()
        for name in sorted(set(NAMED_TEST.findall(text))):
            if name not in known and name != NOTATION:
                yield f"docs/{page.name}: there is no test {name}"
        for name in sorted(set(NAMED_SUITE.findall(text)) - suites):
            yield f"docs/{page.name}: there is no suite {name}"


def cited_numbers_exist(root):
    documented = numbers(root)
    for file in [root / "README.md", root / "CONTRIBUTING.md", *files(root, CITING)]:
        comments = "\n".join(CITING[file.suffix].findall(file.read_text()))
        for number in sorted(set(CITED.findall(comments)) - documented - LANGUAGES):
            yield f"{file.relative_to(root).as_posix()}: cites {number}, which no page has"


CHECKS = [named_tests_exist, cited_numbers_exist]


def problems(root):
    return [problem for check in CHECKS for problem in check(root)]


def main():
    found = problems(pathlib.Path(sys.argv[1]).resolve())
    for problem in found:
        print(problem)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
