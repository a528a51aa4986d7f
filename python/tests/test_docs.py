# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""docs/python.md: every example gives the output that stands there. Those of the section on GPUs
need one."""
import doctest
import pathlib
import re

import torch
from conftest import why_no_cuda

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python.md"


def test_examples():
    text = re.sub(r"^```.*$", "", DOCUMENT.read_text(), flags=re.MULTILINE)
    if why_no_cuda():
        print(f"without the section on GPUs: {why_no_cuda()}")
        text, count = re.subn(r"^## On a GPU$.*?(?=^## )", "", text,
                              flags=re.MULTILINE | re.DOTALL)
        assert count == 1
    examples = doctest.DocTestParser().get_doctest(text, {}, "python.md", str(DOCUMENT), 0)
    if not torch.__version__.startswith("1.13"):
        # What PyTorch itself answers depends on its version.
        examples.examples = [e for e in examples.examples if "PyTorch 1.13" not in e.source]
    runner = doctest.DocTestRunner()
    told = []
    results = runner.run(examples, out=told.append)
    assert results.attempted > 20
    assert results.failed == 0, "".join(told)
