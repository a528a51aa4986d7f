# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""The package of this tree; the library by ANYDML_LIBRARY, which ctest sets."""
import pathlib
import sys

sys.dont_write_bytecode = True     # leave no __pycache__ beside the sources
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
