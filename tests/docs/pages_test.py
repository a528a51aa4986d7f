#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Pages of operators have what their folder says of them: every section that is headed by an
operator, and CUDA where libanydml_cuda.so lists one of the folder's kernels.

    pages_test.py ANYDML ROOT
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "tools/docs"))

import make_pages

root = pathlib.Path(sys.argv[2])
operators = make_pages.Operators(sys.argv[1], root)
names = {op["name"] for op in operators.all}
listed = re.findall(r'\.name = "(\w+)"', (root / "src/operators/kernels_cuda.cpp").read_text())
problems = []
for folder, ops in operators.pages().items():
    if folder in operators.sections:
        continue
    readme = (root / "src/operators" / folder / "README.md").read_text()
    words = make_pages.words_of(operators, folder)
    for heading in re.findall(r"^## .*$", readme, flags=re.MULTILINE):
        if heading[3:].split(",")[0] in names and heading not in words:
            problems.append(f"{folder}: {heading!r} is not on the page")
    sources = [file.read_text() for file in (root / "src/operators" / folder).glob("*.cpp")]
    has_kernel = any(f'"{name}"' in text for name in listed for text in sources)
    for op in ops:
        if has_kernel and "CUDA" not in operators.devices(op):
            problems.append(f"{op['name']}: the page does not list CUDA")
print("\n".join(problems))
sys.exit(1 if problems else 0)
