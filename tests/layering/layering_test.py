#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""The rules of the house that no compiler enforces.

    python3 layering_test.py ROOT

fails if the tree at ROOT breaks one. Every rule is a function that yields Violations, with paths
relative to ROOT.
"""
import sys

sys.dont_write_bytecode = True     # leave no __pycache__ beside the sources

import collections
import pathlib
import re

Violation = collections.namedtuple("Violation", "rule path what")

# What each folder of src/ may include: itself, and what lies before it on the way of the data.
LAYERS = {
    "base": {"base"},
    "tensor": {"base", "tensor"},
    "schema": {"base", "tensor", "schema"},
    "backends": {"base", "tensor", "backends"},
    "kernels": {"base", "tensor", "backends", "kernels"},
    "operators": {"base", "tensor", "schema", "backends", "kernels", "operators"},
    "graph": {"base", "tensor", "schema", "backends", "kernels", "operators", "graph"},
    "gradient": {"base", "tensor", "schema", "backends", "kernels", "operators", "graph", "gradient"},
    "model": {"base", "tensor", "schema", "model"},
    "train": {"base", "tensor", "schema", "backends", "kernels", "operators", "graph", "gradient",
              "model", "train"},
    "d3d12": {"base", "tensor", "backends", "d3d12"},
    "directml": {"base", "tensor", "schema", "backends", "kernels", "operators", "graph", "gradient",
                 "d3d12", "directml"},
    "c_api": {"base", "tensor", "schema", "backends", "kernels", "operators", "graph", "gradient",
              "model", "train", "c_api"},
}

# The only files outside an operator's folder that may name it: the lists.
LISTS = {
    "src/operators/CMakeLists.txt",
    "src/operators/kernels_cuda.cpp",
    "src/operators/operators.h",
    "src/operators/registry.cpp",
    "src/schema/operator_names.cpp",
}

# The kernel family whose formulas have the names of operators.
FORMULAS = "src/kernels/elementwise/"

# Names that are watched even where no folder has them.
OPERATOR_WORDS = {"max_pooling", "relu_grad", "slice_grad", "clip_grad", "resample_grad"}

SOURCE_FOLDERS = ["src", "include", "tests", "tools", "bench", "cmake", "examples", "python"]
SOURCE_SUFFIXES = {".h", ".hpp", ".c", ".cpp", ".cu", ".cuh", ".py", ".sh", ".cmake"}
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)
TEST_OF_FOLDER = re.compile(r"^src/operators/\w+/test(_\w+)?\.cpp$")
GLOB = re.compile(r"\bfile\s*\(\s*GLOB", re.IGNORECASE)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def relative(root, path):
    return path.relative_to(root).as_posix()


def is_cmake(path):
    return path.name == "CMakeLists.txt" or path.suffix == ".cmake"


def source_files(root):
    found = [root / "CMakeLists.txt"]
    for folder in SOURCE_FOLDERS:
        found += sorted((root / folder).rglob("*"))
    return [f for f in found if f.is_file() and (f.suffix in SOURCE_SUFFIXES or is_cmake(f))]


def files_of_src(root):
    return [f for f in source_files(root) if relative(root, f).startswith("src/")]


def operator_folders(root):
    return sorted(f.name for f in (root / "src/operators").glob("*") if f.is_dir())


def kernel_families(root):
    return {f.name for f in (root / "src/kernels").glob("*") if f.is_dir()}


def operator_folder_of(path):
    """"relu_grad" of "src/operators/relu_grad/plan.h"; None for the files that folders share."""
    parts = path.split("/")
    return parts[2] if parts[:2] == ["src", "operators"] and len(parts) > 3 else None


def includes(root):
    """(path of the includer, text of the include) for every include under src/."""
    for file in files_of_src(root):
        for name in INCLUDE.findall(file.read_text()):
            yield relative(root, file), name


def layers(root):
    for folder in sorted((root / "src").iterdir()):
        if folder.is_dir() and folder.name not in LAYERS:
            yield Violation("layers", relative(root, folder), "is no layer that this test knows")
    for path, name in includes(root):
        layer, target = path.split("/")[1], name.split("/")[0]
        if target in LAYERS and "/" in name and target not in LAYERS.get(layer, LAYERS):
            yield Violation("layers", path, f"includes {name}: {layer} must not know {target}")


def quoted_includes(root):
    """Includes between quotes are paths from src/ or public headers, so that the rule above sees
    them all."""
    for file in files_of_src(root):
        path = relative(root, file)
        for name in re.findall(r'^\s*#\s*include\s*"([^"]+)"', file.read_text(), re.MULTILINE):
            of_a_test = TEST_OF_FOLDER.search(path) and name.startswith("support/")
            public = (root / "include" / name).is_file()
            if name.split("/")[0] not in LAYERS and not of_a_test and not public:
                yield Violation("quoted_includes", path, f'includes "{name}", no path from src/')


def folders_apart(root):
    """An operator's folder includes no other's, neither directly nor through the list."""
    for path, name in includes(root):
        target = operator_folder_of("src/" + name)
        if target and operator_folder_of(path) != target and path not in LISTS:
            yield Violation("folders_apart", path, f"includes {name} of another folder")
        if name == "operators/operators.h" and path not in LISTS:
            yield Violation("folders_apart", path, "includes the list of all folders")


def camel_case(word):
    return "".join(part.capitalize() for part in word.split("_"))


def naming_patterns(root):
    """Words of several parts are looked for everywhere. A word of one part ("slice") is also
    English, so only its use as a namespace or a folder counts, and not in comments."""
    for word in sorted((set(operator_folders(root)) | OPERATOR_WORDS) - kernel_families(root)):
        if "_" in word:
            yield word, re.compile(rf"(?<![A-Za-z0-9_]){word}|{camel_case(word)}"), False
        else:
            yield word, re.compile(rf"\b{word}::|\bnamespace\s+(\w+::)*{word}\b|operators/{word}/"), True


def operators_unnamed(root):
    patterns = list(naming_patterns(root))
    for file in files_of_src(root):
        path = relative(root, file)
        if path in LISTS or operator_folder_of(path) or path.startswith(FORMULAS):
            continue
        text = file.read_text()
        code = COMMENT.sub("", text)
        for word, pattern, code_only in patterns:
            if pattern.search(code if code_only else text):
                yield Violation("operators_unnamed", path, f"names the operator {word}")


def explicit_file_lists(root):
    for file in filter(is_cmake, source_files(root)):
        if GLOB.search(re.sub(r"#[^\n]*", "", file.read_text())):
            yield Violation("explicit_file_lists", relative(root, file), "uses file(GLOB)")


def listed_tests(root):
    """A test that no CMakeLists.txt names is never run."""
    words = set()
    for file in filter(is_cmake, source_files(root)):
        words |= set(re.findall(r"\w+", file.read_text()))
    tests = sorted((root / "tests").rglob("*_test.*")) + sorted((root / "python").rglob("test_*.py"))
    for file in tests:
        short = re.sub(r"^test_|_test$", "", file.stem)
        if file.suffix in SOURCE_SUFFIXES and not words & {file.stem, short}:
            yield Violation("listed_tests", relative(root, file), "is named by no CMakeLists.txt")


RULES = [layers, quoted_includes, folders_apart, operators_unnamed, explicit_file_lists, listed_tests]


def violations(root):
    return [violation for rule in RULES for violation in rule(root)]


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    if not files_of_src(root):
        sys.exit(f"{root} has no sources under src/")
    found = violations(root)
    for violation in found:
        print(f"{violation.path}: {violation.what} ({violation.rule})")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
