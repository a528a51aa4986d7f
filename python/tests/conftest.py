# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""The package of this tree; the library by ANYDML_LIBRARY, which ctest sets."""
import pathlib
import sys

sys.dont_write_bytecode = True     # leave no __pycache__ beside the sources
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))


def why_no_cuda():
    """Why tests on a GPU are skipped; None where they run."""
    try:
        import torch
    except ImportError:
        return "no GPU is tested: there is no module torch"
    import anydml
    if not torch.cuda.is_available():
        return f"no GPU is tested: torch {torch.__version__} has no CUDA device here"
    if "cuda:0" not in anydml.devices():
        return "no GPU is tested: AnyDML's library has no CUDA device here"
    return None
