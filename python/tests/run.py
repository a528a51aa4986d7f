#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Runs one file of these tests for ctest; leaves with 77, which ctest reads as skipped, and the
reason when a package, or a GPU for a file of the name test_cuda*, is missing, or no test of the
file ran.

    ANYDML_LIBRARY=... python3 run.py test_arrays.py [package ...]
"""
import importlib.util
import pathlib
import sys

SKIPPED = 77


class Ran:
    """Counts the tests that pytest did not skip."""
    count = 0

    def pytest_runtest_logreport(self, report):
        self.count += report.when == "call" and not report.skipped


def main():
    name, *packages = sys.argv[1:]
    missing = [p for p in ["numpy", "pytest", *packages] if importlib.util.find_spec(p) is None]
    if missing:
        print(f"skipped: {sys.executable} has no module {', '.join(missing)}; Debian's packages "
              f"are {', '.join('python3-' + m for m in missing)}")
        return SKIPPED
    if name.startswith("test_cuda"):
        from conftest import why_no_cuda
        if why_no_cuda():
            print(f"skipped: {why_no_cuda()}")
            return SKIPPED
    import pytest
    ran = Ran()
    code = pytest.main(["-q", "-rs", "-p", "no:cacheprovider", "--no-header",
                        str(pathlib.Path(__file__).resolve().parent / name)], [ran])
    return code if code or ran.count else SKIPPED


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main())
