#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Every link of every page leads somewhere.

    python3 links_test.py ROOT

fails if a link or an image of a page at ROOT names a file that is not there, or a heading that the
page does not have. Addresses of other sites are not visited.
"""
import sys

sys.dont_write_bytecode = True     # leave no __pycache__ beside the sources

import pathlib
import re

FOLDERS = ["docs", "src", "models", "bench", "cmake", "examples", "include", "python", "tests",
           "tools", "packaging", ".github"]
FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(([^()\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def pages(root):
    """Hidden folders within, as pytest leaves one with a page, are not the project's."""
    yield from sorted(root.glob("*.md"))
    for folder in FOLDERS:
        for page in sorted((root / folder).rglob("*.md")):
            if not any(part.startswith(".") for part in page.relative_to(root / folder).parts):
                yield page


def anchors(page):
    """As GitHub and the site make them of headings."""
    found = set()
    for heading in HEADING.findall(FENCE.sub("", page.read_text())):
        words = re.sub(r"[^\w\- ]", "", re.sub(r"\]\([^)]*\)", "", heading).lower())
        found.add(words.strip().replace(" ", "-"))
    return found


def broken(root):
    for page in pages(root):
        text = CODE.sub("", FENCE.sub("", page.read_text()))
        for link in LINK.findall(text):
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            where = page.relative_to(root)
            if not target.exists():
                yield f"{where}: {link} is not there"
            elif anchor and target.suffix == ".md" and anchor not in anchors(target):
                yield f"{where}: {link} names no heading of its page"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    found = list(broken(root))
    print("\n".join(found))
    sys.exit(1 if found or not list(pages(root)) else 0)


if __name__ == "__main__":
    main()
