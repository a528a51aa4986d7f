#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Every command of README.md, docs/using.md and docs/training.md is run, and what it prints is
compared.

    python3 readme_test.py ROOT BUILD CMAKE

A block of code whose first line is a comment that names a file becomes that file. A block of
"console" holds commands after "$ ", each followed by all that it prints. They run in a folder with
those files and links to models/ and examples/, against an installation of BUILD. Those that build
or install run in a tree of links to the sources, where BUILD lies as if `make build` had made it,
with stand-ins for what would build it again or change the machine. NOT_RUN are the others.
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
INLINE = re.compile(r"`((?:anydml|cmake|conan|ctest|make|pip|pkg-config|python3|sudo|tar|vcpkg) [^`\n]+)`")
PAGES = ("README.md", "docs/using.md", "docs/training.md")
# A block runs them, with what they need.
SHOWN_BY_ANOTHER = {"anydml draw", "anydml grad --update", "anydml train", "anydml verify"}
ON_THE_TREE = {"make demo", "make build", "sudo cmake --install build/release --prefix /usr/local",
               "sudo ldconfig"}
# They build for minutes, change the machine, or need what Debian does not have; the test of the
# command (tests/command) runs an ONNX model.
NOT_RUN = {"make package", "make bundle", "make build", "make test", "make bench", "make lint",
           "cmake --preset cuda", "cmake --build --preset cuda",
           "sudo apt-get install ./build/package/*.deb", "tar xf anydml.tar.xz", "pip install .",
           "conan create packaging/conan", "vcpkg install anydml --overlay-ports=packaging/vcpkg",
           "anydml run model.onnx"}
END = "end of the command"

# {real}: of this machine; {root}: where a machine's root would be; {record}: what was called.
STAND_INS = {
    "cmake": """case $1 in --install) exec {real}/cmake "$@" ;; esac
echo "cmake $*" >>{record}""",
    "apt-get": 'echo "apt-get $*" >>{record}',
    "sudo": 'DESTDIR={root} exec "$@"',
    # The folders of this machine's configuration, below {root}.
    "ldconfig": """/sbin/ldconfig -v -N 2>/dev/null | sed -n 's,^\\(/[^:]*\\): .*,{root}\\1,p' >{root}/conf
/sbin/ldconfig -X -f {root}/conf -C {root}/cache 2>/dev/null"""}


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


def is_run(command):
    return command not in NOT_RUN and command not in ON_THE_TREE


class Readme(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.text = "\n".join((ROOT / name).read_text() for name in PAGES)
        cls.blocks = BLOCK.findall(cls.text)
        cls.shown = dict(pair for kind, text in cls.blocks if kind == "console"
                         for pair in console_commands(text))

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
            kept = [(command, output) for command, output in commands if is_run(command)]
            for command, _ in kept:     # a new one is not to change the machine
                self.assertNotRegex(command, r"\b(sudo|make|pip|conan|apt-get) ")
            script = "".join(f"{command}\necho '{END}'\n" for command, _ in kept)
            result = subprocess.run(["bash", "-c", script], cwd=self.folder, env=environment,
                                    text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            printed = result.stdout.split(f"{END}\n")
            for (command, output), text in zip(kept, printed):
                ran += 1
                with self.subTest(command):
                    self.assertEqual(text, output)
        self.assertGreater(ran, 0)

    def on_the_tree(self):
        """Runs commands in a tree that looks as if `make build` had run there."""
        tree, self.root = self.folder / "tree", self.folder / "root"
        for folder in (tree / "build", self.root, self.folder / "stand_ins"):
            folder.mkdir(parents=True)
        for entry in ROOT.iterdir():
            if entry.name not in ("build", ".git"):
                (tree / entry.name).symlink_to(entry)
        (tree / "build/release").symlink_to(BUILD)
        self.record = self.folder / "record"
        for name, script in STAND_INS.items():
            program = self.folder / "stand_ins" / name
            program.write_text("#!/bin/sh\n" + script.format(
                real=pathlib.Path(CMAKE).parent, root=self.root, record=self.record) + "\n")
            program.chmod(0o755)
        # `make PRESET=clang test` hands PRESET and MAKEFLAGS on.
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "PRESET"))}
        environment["PATH"] = f"{self.folder}/stand_ins:{environment['PATH']}"
        return lambda command: subprocess.run(
            ["bash", "-c", command], cwd=tree, env=environment, check=True, text=True,
            stdout=subprocess.PIPE).stdout

    def test_the_demo_prints_what_stands_below_it(self):
        """"..." is any text."""
        before, after = self.shown["make demo"].split("...\n")
        printed = self.on_the_tree()("make demo")
        self.assertGreaterEqual(len(after.splitlines()), 5)
        self.assertTrue(printed.startswith(before) and printed.endswith(after), printed)
        self.assertEqual(self.called(), ["cmake --preset release -DANYDML_NVCC=OFF",
                                         "cmake --build --preset release --target anydml_tool "
                                         "example_train_lenet"])

    def test_what_is_built_is_installed_where_the_loader_looks(self):
        run = self.on_the_tree()
        self.assertEqual(run("make build"), "")
        self.assertEqual(self.called(), ["cmake --preset release", "cmake --build --preset release"])
        for command in ON_THE_TREE - {"make demo", "make build"}:
            self.assertEqual(self.shown[command], "")
        run("sudo cmake --install build/release --prefix /usr/local")
        self.assertTrue((self.root / "usr/local/bin/anydml").is_file())
        run("sudo ldconfig")
        found = run(f"/sbin/ldconfig -p -C {self.root}/cache")
        self.assertIn("libanydml.so.0", found)

    def called(self):
        """What the stand-ins were asked to do, apart from packages that this machine lacks."""
        return [line for line in self.record.read_text().splitlines()
                if not line.startswith("apt-get ")]

    def test_every_command_within_the_text_runs(self):
        environment = self.environment()
        mentioned = set(INLINE.findall(self.text))
        for command in sorted(mentioned - set(self.shown) - NOT_RUN - SHOWN_BY_ANOTHER):
            with self.subTest(command):
                self.assertRegex(command, "^(anydml|pkg-config) ")     # those change nothing
                subprocess.run(command.split(), cwd=self.folder, env=environment, check=True,
                               stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    ROOT, BUILD, CMAKE = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3]
    unittest.main(argv=sys.argv[:1])
