#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""What pages tell to type exists: targets and variables of the Makefile, presets, sub-commands and
options of `anydml`.

    python3 commands_test.py ROOT ANYDML

looks at what is code in every page of the tree at ROOT. It runs nothing but `anydml --help`:
readme_test.py runs the commands of the README.
"""
import sys

sys.dont_write_bytecode = True     # leave no __pycache__ beside the sources

import json
import pathlib
import re
import subprocess
import unittest

import links_test

# A block between fences, an indented one, or words between marks.
CODE = re.compile(r"^```\w*\n(.*?)^```|^((?: {4}[^\n]*\n)+)|`([^`\n]+)`", re.DOTALL | re.MULTILINE)
START = r"(?:^|[;&|(]|&&|\$) *(?:sudo )?"     # of a command
MAKE = re.compile(START + r"make((?: +[A-Za-z][\w=-]*)+)", re.MULTILINE)
PRESET = re.compile(r"\b(cmake|ctest) --preset (\w+)")
PRESETS = {"cmake": "configurePresets", "ctest": "testPresets"}
ANYDML = re.compile(START + r"(?:[\w./]*/)?anydml +([a-z-]+)([^\n#;&|]*)", re.MULTILINE)
OPTION = re.compile(r"(?<![\w-])--?[a-z][a-z-]*")
LONE_OPTION = re.compile(r"--[a-z-]+")

# Options that pages name without their program, which is not `anydml`: the file that reads them.
OF_OTHERS = {"--backend": "examples/train_ddp.py", "--ranks": "examples/train_ddp.py",
             "--check": "tools/docs/make_pages.py", "--first": "tests/fuzz/replay_main.cpp"}


def pieces(text):
    """The code of a page."""
    return ["".join(groups) for groups in CODE.findall(text)]


def makefile_names(root):
    text = (root / "Makefile").read_text()
    return (set(re.findall(r"^([a-z-]+):", text, re.MULTILINE)),
            set(re.findall(r"^([A-Z_]+) *[?:]?=", text, re.MULTILINE)))


def wrong_targets(root, code):
    targets, variables = makefile_names(root)
    for words in MAKE.findall(code):
        for word in words.split():
            name, is_variable, _ = word.partition("=")
            if name not in (variables if is_variable else targets):
                yield f"make {word}: the Makefile has no {name}"


def wrong_presets(root, code):
    file = json.loads((root / "CMakePresets.json").read_text())
    for program, name in PRESET.findall(code):
        if name not in {preset["name"] for preset in file[PRESETS[program]]}:
            yield f"{program} --preset {name}: CMakePresets.json has no such preset"


def wrong_options(root, code, options):
    """options: those of every sub-command; "" has those of `anydml` itself."""
    for command, rest in ANYDML.findall(code):
        if command not in options:
            yield f"anydml {command}: no such command"
            continue
        for option in sorted(set(OPTION.findall(rest)) - options[command]):
            yield f"anydml {command} {option}: no such option"
    lone = LONE_OPTION.fullmatch(code)
    if lone and lone[0] in OF_OTHERS:
        if lone[0][2:] not in (root / OF_OTHERS[lone[0]]).read_text():
            yield f"{lone[0]}: {OF_OTHERS[lone[0]]} does not read it"
    elif lone and lone[0] not in set().union(*options.values()):
        yield f"{lone[0]}: anydml has no such option"


def problems(root, options):
    for page in links_test.pages(root):
        for code in pieces(page.read_text()):
            for problem in (*wrong_targets(root, code), *wrong_presets(root, code),
                            *wrong_options(root, code, options)):
                yield f"{page.relative_to(root)}: {problem}"


def help_of(program, *command):
    return subprocess.run([program, *command, "--help"], check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def options_of(program):
    general = help_of(program)
    commands = re.findall(r"^  ([a-z]+) ", general.split("Subcommands:")[1].split("\n\n")[0],
                          re.MULTILINE)
    found = {command: set(OPTION.findall(help_of(program, command))) for command in commands}
    found[""] = set(OPTION.findall(general.split("Subcommands:")[0]))
    return found | {option: set() for option in found[""]}


class Pages(unittest.TestCase):
    def test_name_what_exists(self):
        self.assertEqual(list(problems(ROOT, options_of(PROGRAM))), [])


if __name__ == "__main__":
    ROOT, PROGRAM = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    unittest.main(argv=sys.argv[:1])
