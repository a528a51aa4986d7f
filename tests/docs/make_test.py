#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Every target of the Makefile would run what exists.

    python3 make_test.py ROOT

asks `make -n` for the commands of each target, and looks for their scripts, presets, CMake targets
and programs. Nothing is built or installed.
"""
import sys

sys.dont_write_bytecode = True     # leave no __pycache__ beside the sources

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import unittest

PHONY = re.compile(r"^\.PHONY:((?:.*\\\n)*.*)$", re.MULTILINE)
CMAKE_TARGET = re.compile(r"\b(?:add_executable|add_library|add_custom_target|anydml_add_\w+)"
                          r"\(\s*(\w+)|OUTPUT_NAME\s+(\w+)")
BUILD_FOLDER = re.compile(r"build/(\w+)(?:/bin(?:/(\w+))?)?")
MADE = {"build/anydml", "build/site"}     # folders in build/ that belong to no preset
OF_THE_SHELL = {"cd", "["}


def targets(root):
    return PHONY.search((root / "Makefile").read_text())[1].replace("\\", " ").split()


def presets(root, kind):
    file = json.loads((root / "CMakePresets.json").read_text())
    return {preset["name"] for preset in file[f"{kind}Presets"] if not preset.get("hidden")}


def cmake_names(root):
    """Targets, and names of programs that differ from their target's."""
    names = set()
    for folder in ("cmake", "src", "tools", "tests", "bench", "examples"):
        for file in (root / folder).rglob("*"):
            if file.name == "CMakeLists.txt" or file.suffix == ".cmake":
                for groups in CMAKE_TARGET.findall(file.read_text()):
                    names.update(filter(None, groups))
    return names


def commands(root, *arguments):
    """What `make` would run, as lists of words. A make around it must not hand anything on."""
    text = subprocess.run(["make", "-n", "--no-print-directory", *arguments], cwd=root, check=True,
                          text=True, stdout=subprocess.PIPE,
                          env={k: v for k, v in os.environ.items()
                               if not k.startswith(("MAKE", "PRESET"))}).stdout
    for line in text.replace("\\\n", " ").splitlines():
        for command in re.split(r"&&|\|\||;", line):
            yield shlex.split(re.sub(r">/dev/null", "", command))


def wrong_cmake(root, words):
    kind = "build" if "--build" in words else "test" if words[0] == "ctest" else "configure"
    name = words[words.index("--preset") + 1]
    if name not in presets(root, kind):
        yield f"{name} is no {kind} preset"
    if "--target" in words:
        for target in words[words.index("--target") + 1:]:
            if target not in cmake_names(root):
                yield f"{target} is no target of CMake"


def wrong_program(root, program):
    if program.startswith("build/"):
        return
    if "/" in program:
        if not os.access(root / program, os.X_OK):
            yield f"{program} is not there, or no program"
    elif program not in OF_THE_SHELL and not shutil.which(program):
        yield f"{program} is no program of this machine"


def wrong_folders(root, words):
    """Folders of builds are those of presets, and programs in them are made."""
    for word in words:
        match = BUILD_FOLDER.fullmatch(word)
        if not match or word in MADE:
            continue
        if match[1] not in presets(root, "configure"):
            yield f"{word}: no preset builds there"
        if match[2] and match[2] not in cmake_names(root):
            yield f"{word}: nothing makes it"


def wrong(root, words):
    if words[0] in ("cmake", "ctest"):
        yield from wrong_cmake(root, words)
    yield from wrong_program(root, words[0])
    if words[0] == "python3":
        if not (root / words[1]).is_file():
            yield f"{words[1]} is not there"
    yield from wrong_folders(root, words)


class Targets(unittest.TestCase):
    def check(self, *arguments):
        found = list(commands(ROOT, *arguments))
        self.assertTrue(found)
        for words in found:
            self.assertEqual(list(wrong(ROOT, words)), [], (arguments, words))

    def test_run_what_exists(self):
        for target in targets(ROOT):
            with self.subTest(target):
                self.check(target)

    def test_run_what_exists_with_every_preset_of_tests(self):
        for preset in sorted(presets(ROOT, "test")):
            with self.subTest(preset):
                self.check(f"PRESET={preset}", "test")

    def test_programs_of_the_bundle_are_made(self):
        programs = re.search(r'^programs="(.*)"$', (ROOT / "tools/make_bundle").read_text(), re.MULTILINE)
        self.assertEqual(set(programs[1].split()) - cmake_names(ROOT), set())


if __name__ == "__main__":
    ROOT = pathlib.Path(sys.argv[1]).resolve()
    unittest.main(argv=sys.argv[:1])
