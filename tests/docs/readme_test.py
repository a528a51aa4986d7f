#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Every command of the README is run, and what it prints is compared.

    python3 readme_test.py ROOT BUILD CMAKE

A block of code whose first line is a comment that names a file becomes that file. A block of
"console" holds commands after "$ ", each followed by all that it prints. They run in a folder with
those files and links to models/ and examples/, against an installation of BUILD. Commands that
would build or change the machine are not run: `make TARGET` must be a target of the Makefile, and
what stands in for the others is written below.
"""
import sys

sys.dont_write_bytecode = True     # leave no __pycache__ beside the sources

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
FILE_NAME = re.compile(r"(?://|#|/\*) ([\w.]+)(?: \*/)?")
MAKE = re.compile(r"make ([a-z-]+)")
MENTIONED_MAKE = re.compile(r"`make ([a-z-]+)`")
# Commands that need root. Others test them: packaging/check_debs, tests/package.
NOT_RUN = {"sudo apt-get install ./build/package/*.deb",
           "sudo cmake --install build/release --prefix /usr/local",
           "sudo ldconfig"}
END = "end of the command"


def console_commands(text):
    """[(command, what it prints)]"""
    found = []
    for line in text.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append((line[2:].rstrip("\n"), ""))
        else:
            command, output = found[-1]
            found[-1] = (command, output + line)
    return found


def named_file(text):
    match = FILE_NAME.fullmatch(text.split("\n", 1)[0])
    return match and match.group(1)


def targets(root):
    return set(re.findall(r"^([a-z-]+):", (root / "Makefile").read_text(), re.MULTILINE))


def is_run(root, command):
    """Whether to run it; what is not run is at least known."""
    make = MAKE.fullmatch(command)
    if make:
        assert make.group(1) in targets(root), f"{command}: the Makefile has no such target"
    return not make and command not in NOT_RUN


class Readme(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.text = (ROOT / "README.md").read_text()
        cls.blocks = BLOCK.findall(cls.text)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for kind, text in self.blocks:
            if kind != "console" and named_file(text):
                (self.folder / named_file(text)).write_text(text)
        for name in ("models", "examples"):
            (self.folder / name).symlink_to(ROOT / name)

    def environment(self):
        prefix = self.folder / "installed"
        subprocess.run([CMAKE, "--install", BUILD, "--prefix", prefix], check=True,
                       stdout=subprocess.DEVNULL)
        library = next(prefix.rglob("libanydml.so")).parent
        (self.folder / "bin").mkdir()
        (self.folder / "bin/python3").symlink_to("/usr/bin/python3")    # Debian's has NumPy
        return {**os.environ, "PATH": f"{self.folder}/bin:{prefix}/bin:{os.environ['PATH']}",
                "LD_LIBRARY_PATH": str(library), "PYTHONPATH": str(ROOT / "python"),
                "PKG_CONFIG_PATH": str(library / "pkgconfig"), "CMAKE_PREFIX_PATH": str(prefix),
                "PYTHONDONTWRITEBYTECODE": "1"}

    def test_every_command_prints_what_stands_below_it(self):
        environment = self.environment()
        ran = 0
        for commands in (console_commands(text) for kind, text in self.blocks
                         if kind == "console"):
            kept = [(command, output) for command, output in commands if is_run(ROOT, command)]
            script = "".join(f"{command}\necho '{END}'\n" for command, _ in kept)
            result = subprocess.run(["bash", "-c", script], cwd=self.folder, env=environment,
                                    text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            printed = result.stdout.split(f"{END}\n")
            for (command, output), text in zip(kept, printed):
                ran += 1
                with self.subTest(command):
                    self.assertEqual(text, output)
        self.assertGreaterEqual(ran, 8)

    def test_the_demo_prints_what_stands_below_it(self):
        """`make demo` would build; what it then prints is tools/demo.sh's. "..." is any text."""
        shown = dict(pair for kind, text in self.blocks if kind == "console"
                     for pair in console_commands(text))["make demo"]
        before, after = shown.split("...\n")
        printed = subprocess.run([ROOT / "tools/demo.sh", f"{BUILD}/bin/anydml", ROOT / "models"],
                                 check=True, text=True, stdout=subprocess.PIPE).stdout
        self.assertGreaterEqual(len(after.splitlines()), 5)
        self.assertTrue(printed.startswith(before) and printed.endswith(after), printed)

    def test_every_make_target_that_it_mentions_exists(self):
        mentioned = set(MENTIONED_MAKE.findall(self.text))
        self.assertGreaterEqual(len(mentioned), 3)
        self.assertLessEqual(mentioned, targets(ROOT))

    def test_every_named_file_is_complete(self):
        """Each language that it promises has a program; each is built or run by a command."""
        files = [named_file(text) for kind, text in self.blocks if named_file(text)]
        self.assertEqual({pathlib.Path(name).suffix for name in files}, {".cpp", ".c", ".py", ".txt"})

    def test_is_short(self):
        self.assertLessEqual(len(self.text.splitlines()), 250)

    def test_says_how_many_operators_there_are(self):
        registry = (ROOT / "src/operators/registry.cpp").read_text()
        count = len(re.findall(r"&\w+::\w+,\s*// \d+", registry))
        self.assertIn(f"{count} of DirectML's ", self.text)


class Reading(unittest.TestCase):
    def test_commands_and_their_output(self):
        self.assertEqual(console_commands("$ a b\n1\n2\n$ c\n"), [("a b", "1\n2\n"), ("c", "")])

    def test_files_by_their_first_line(self):
        self.assertEqual(named_file("// a.cpp\nint x;\n"), "a.cpp")
        self.assertEqual(named_file("/* a.c */\n"), "a.c")
        self.assertIsNone(named_file("#include <a.h>\n"))

    def test_a_target_that_is_not_there_is_told(self):
        with self.assertRaises(AssertionError):
            is_run(ROOT, "make coffee")
        self.assertFalse(is_run(ROOT, "make test"))
        self.assertTrue(is_run(ROOT, "anydml ops"))


if __name__ == "__main__":
    ROOT, BUILD, CMAKE = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3]
    unittest.main(argv=sys.argv[:1])
