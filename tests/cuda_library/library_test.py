#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""libanydml_cuda.so is opened where it lies beside libanydml.so, and nowhere else; what is no match is
refused in a sentence; and the two share nothing but one function.

    python3 library_test.py ROOT COMPILER COMMAND LIBRARY

No case needs a card; those of the real libanydml_cuda.so are left out where it was not built.
"""
import sys

sys.dont_write_bytecode = True     # leave no __pycache__ beside the sources

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = COMPILER = COMMAND = LIBRARY = None
NAME = "libanydml_cuda.so"

# What a program sees of a library: why there is no card, and that the CPU works.
PROGRAM = """
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
library.anydml_last_error.restype = ctypes.c_char_p
device = ctypes.c_void_p()
assert library.anydml_open_device(b"cpu", None, ctypes.byref(device)) == 0
if library.anydml_open_device(b"cuda:0", None, ctypes.byref(device)) != 0:
    print(library.anydml_last_error().decode())
"""

# Another library under this name: begins as the real one does, and has no functions.
FAKE = """
#include <stdint.h>
static const struct { uint64_t magic; uint32_t version, bytes; char build[64]; } header =
    {MAGIC, VERSION, sizeof header, "0.0.9-another"};
const void* anydml_cuda_interface(void) { return &header; }
"""


def constant(name):
    """Its value in interface.h."""
    text = (ROOT / "src/backends/cuda/interface.h").read_text()
    return int(re.search(rf"\b{name} = (\w+);", text)[1], 0)


def compile_library(code, out, *options):
    subprocess.run([COMPILER, "-x", "c", "-shared", "-fPIC", "-o", out, *options, "-"], input=code,
                   text=True, check=True)


def symbols(*arguments):
    text = subprocess.run(["nm", *map(str, arguments)], check=True, text=True,
                          capture_output=True).stdout
    return [line.split()[-1] for line in text.splitlines() if line.strip()]


class InAFolder(unittest.TestCase):
    """A copy of the command in bin/ and of the library in lib/."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.lib = self.folder / "lib"
        self.lib.mkdir()
        (self.folder / "bin").mkdir()
        self.command = shutil.copy(COMMAND, self.folder / "bin/anydml")
        self.library = self.lib / "libanydml.so"
        shutil.copy(LIBRARY, self.library)

    def run_command(self, *arguments, **variables):
        result = subprocess.run([self.command, *arguments], env={**os.environ, **variables},
                                cwd=self.folder, text=True, capture_output=True)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def why_of_command(self, **variables):
        found = re.search(r"^no NVIDIA device: (.*)$", self.run_command("devices", **variables),
                          re.MULTILINE)
        return found and found[1]

    def why_of_library(self, path=None, **variables):
        result = subprocess.run([sys.executable, "-c", PROGRAM, str(path or self.library)],
                                env={**os.environ, **variables}, cwd=self.folder, text=True,
                                capture_output=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        found = re.match(r"there is no device 'cuda:0' here \((.*)\); there is: cpu$", result.stdout)
        return found and found[1]

    def assert_refused(self, sentence):
        """In the same words by both."""
        self.assertRegex(self.why_of_command(), sentence)
        self.assertRegex(self.why_of_library(), sentence)


class Absent(InAFolder):
    def test_the_cpu_works_without_it(self):
        model = ROOT / "models/slice_grad.json"
        self.assertEqual(self.run_command("run", str(model)),
                         model.with_suffix(".expected").read_text())
        self.assert_refused(f"^there is no {NAME} in {re.escape(str(self.lib))}$")

    def test_no_path_leads_to_one_elsewhere(self):
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        for folder in (elsewhere, self.folder, self.folder / "bin"):   # cwd, and beside the command
            (folder / NAME).write_text("not looked at")
        absent = f"there is no {NAME} in {self.lib}"
        self.assertEqual(self.why_of_command(LD_LIBRARY_PATH=str(elsewhere)), absent)
        self.assertEqual(self.why_of_library(LD_LIBRARY_PATH=str(elsewhere)), absent)

    def test_a_relative_path_is_not_followed(self):
        (self.lib / NAME).write_text("not looked at")
        self.assertRegex(self.why_of_library("lib/libanydml.so"),
                         f"opened by a relative path, so {NAME} is not looked for")


class Refused(InAFolder):
    def test_a_file_that_is_no_library(self):
        (self.lib / NAME).write_text("text")
        self.assert_refused(f"^{self.lib}/{NAME} cannot be opened: .+")

    def test_a_library_of_somebody_else(self):
        compile_library("int nothing;", self.lib / NAME)
        self.assert_refused(f"^{self.lib}/{NAME} has no function anydml_cuda_interface$")

    def refuse_fake(self, magic, version, sentence):
        compile_library(FAKE, self.lib / NAME, f"-DMAGIC={magic}", f"-DVERSION={version}")
        self.assert_refused(f"^{self.lib}/{NAME} {sentence}; both must come from one build$")

    def test_another_version_of_the_interface(self):
        version = constant("kVersion")
        self.refuse_fake(constant("kMagic"), version + 1,
                         f"has version {version + 1} of the interface and this library has {version}")

    def test_another_build(self):
        self.refuse_fake(constant("kMagic"), constant("kVersion"),
                         r"is of build 0\.0\.9-another and this library of build \S+")

    def test_what_does_not_begin_as_an_interface_does(self):
        self.refuse_fake(1, 1, "is not AnyDML's")


class Real(InAFolder):
    def setUp(self):
        super().setUp()
        self.real = LIBRARY.parent / NAME
        if not self.real.is_file():
            self.skipTest(f"{NAME} was not built")

    def test_is_opened_beside_the_library_also_through_links(self):
        shutil.copy(self.real, self.lib)
        names = self.folder / "names"
        names.mkdir()
        (names / "libdirectml.so").symlink_to(self.library)
        for why in (self.why_of_command(), self.why_of_library(),
                    self.why_of_library(names / "libdirectml.so")):
            self.assertNotIn(NAME, why or "")    # what the CUDA runtime says, or nothing
        explained = self.run_command("explain", str(ROOT / "models/slice_grad.json"))
        self.assertRegex(explained, r"(?m)^  cuda \w+: chosen, \d+ temporary bytes$")

    def test_is_refused_by_another_build(self):
        data = self.real.read_bytes()
        build = re.search(rb"\d+\.\d+\.\d+-[0-9a-f]{16}\0", data)[0]
        (self.lib / NAME).write_bytes(data.replace(build, b"9" + build[1:]))
        self.assert_refused("is of build 9.* and this library of build .*; both must come from one")

    def test_exports_one_function(self):
        self.assertEqual(symbols("-D", "--defined-only", self.real), ["anydml_cuda_interface"])

    def test_needs_nothing_of_ours(self):
        dynamic = subprocess.run(["readelf", "--dynamic", self.real], check=True, text=True,
                                 capture_output=True).stdout
        needed = re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)
        self.assertLessEqual({name.split(".")[0] for name in needed},
                             {"libc", "libm", "libstdc++", "libgcc_s", "ld-linux-x86-64"})


class Library(unittest.TestCase):
    def test_has_nothing_of_cuda(self):
        for name in symbols(LIBRARY):
            self.assertNotRegex(name, r"^_*cu(da|d)?[A-Z]|fatbin")


if __name__ == "__main__":
    ROOT, COMPILER, COMMAND = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3]
    LIBRARY = pathlib.Path(sys.argv[4]).resolve()
    unittest.main(argv=sys.argv[:1])
