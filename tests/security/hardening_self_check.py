#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Proves that hardening_test.py can fail: small libraries built without each protection are
reported by the check of that protection.

    python3 hardening_self_check.py COMPILER
"""
import sys

sys.dont_write_bytecode = True     # leave no __pycache__ beside the sources

import pathlib
import platform
import subprocess
import tempfile
import unittest

import hardening_test

SOURCE = """
#include <stdio.h>
#include <string.h>
extern void use(char*);
void use(char* text) { puts(text); }
void copy(const char* text) { char own[32]; strcpy(own, text); use(own); }
void large(const char* text) { char own[200000]; strcpy(own, text); use(own); }
int main(int argc, char** argv) { copy(argv[argc - 1]); return 0; }
"""
GOOD = ["-O2", "-fPIC", "-shared", "-fstack-protector-strong", "-fstack-clash-protection",
        "-fcf-protection=full",
        "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2", "-Wl,-z,relro", "-Wl,-z,now",
        "-Wl,-z,noexecstack"]
COMPILER = "g++"


@unittest.skipIf(platform.machine() != "x86_64", "the options are those of x86")
class EveryCheckCanFail(unittest.TestCase):
    def build(self, *options, without=()):
        """A library, as hardening_test.py sees it."""
        with tempfile.TemporaryDirectory() as folder:
            source, library = pathlib.Path(folder, "a.c"), pathlib.Path(folder, "liba.so")
            source.write_text(SOURCE)
            chosen = [option for option in GOOD if option not in without]
            subprocess.run([COMPILER, "-x", "c", str(source), "-o", str(library), *chosen,
                            *options], check=True, capture_output=True)
            return hardening_test.File(str(library))

    def check(self, *options, without=()):
        return hardening_test.problems(self.build(*options, without=without))

    def test_a_protected_library_passes(self):
        self.assertEqual(self.check(), [])

    def test_memory_that_can_be_written_and_executed_is_told(self):
        library = self.build()      # linkers no longer make such: what readelf would show
        library.segments = library.segments.replace(" R E ", " RWE ")
        self.assertIn("written and executed", " ".join(hardening_test.problems(library)))

    def test_each_gap_is_told(self):
        for sentence, options, without in (
                ("no PIE", ["-no-pie", "-fno-pie"], ["-shared", "-fPIC"]),
                ("executable stack", ["-Wl,-z,execstack"], ["-Wl,-z,noexecstack"]),
                ("no RELRO", ["-Wl,-z,norelro"], ["-Wl,-z,relro"]),
                ("no -z now", ["-Wl,-z,lazy"], ["-Wl,-z,now"]),
                ("no stack protector", ["-fno-stack-protector"], ["-fstack-protector-strong"]),
                ("no -fstack-clash-protection", ["-fno-stack-clash-protection"],
                 ["-fstack-clash-protection"]),
                ("no _FORTIFY_SOURCE", [], ["-D_FORTIFY_SOURCE=2"]),
                ("no -fcf-protection", ["-fcf-protection=none"], ["-fcf-protection=full"]),
                ("looks for libraries in '/home'", ["-Wl,-rpath,/home"], []),
                ("looks for libraries in ''", ["-Wl,-rpath,$ORIGIN:"], [])):
            with self.subTest(sentence):
                self.assertIn(sentence, " ".join(self.check(*options, without=without)))


if __name__ == "__main__":
    COMPILER = sys.argv.pop()
    unittest.main()
