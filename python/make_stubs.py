#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Writes python/anydml/__init__.pyi from the library's listing of operators.

    ANYDML_LIBRARY=build/release/lib/libanydml.so python3 python/make_stubs.py
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import anydml                                       # noqa: E402
from anydml import _functions                       # noqa: E402


def main():
    (HERE / "anydml/__init__.pyi").write_text(_functions.stubs(anydml._operators))


if __name__ == "__main__":
    main()
