#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""What an attacker would look for in the built files is not there.

    python3 hardening_test.py [--no-fortify] FILE...

reads each program or library with readelf and fails with a sentence for every gap. Each check is a
function of a File that yields sentences.
"""
import sys

sys.dont_write_bytecode = True     # leave no __pycache__ beside the sources

import re
import subprocess

ENDBR64 = b"\xf3\x0f\x1e\xfa"
PAGE = 4096


class File:
    """A program or library as readelf shows it."""

    def __init__(self, path):
        def readelf(*options):
            return subprocess.run(["readelf", "--wide", *options, path], check=True, text=True,
                                  capture_output=True).stdout
        self.path = path
        self.header = readelf("--file-header")
        self.segments = readelf("--segments")
        self.dynamic = readelf("--dynamic")
        self.symbols = readelf("--dyn-syms")
        with open(path, "rb") as file:
            self.bytes = file.read()

    def loads(self):
        """(offset, address, size in the file, flags) of every LOAD segment."""
        pattern = r"^\s*LOAD\s+(0x\w+)\s+(0x\w+)\s+0x\w+\s+(0x\w+)\s+0x\w+\s+([RWE ]{3})"
        for match in re.finditer(pattern, self.segments, re.MULTILINE):
            yield int(match[1], 16), int(match[2], 16), int(match[3], 16), match[4]

    def functions(self):
        """(name, address) of every function that the file gives to others."""
        for line in self.symbols.splitlines():
            words = line.split()
            if len(words) >= 8 and words[3] == "FUNC" and words[6] != "UND" and words[4] == "GLOBAL":
                yield words[7], int(words[1], 16)

    def at(self, address, count):
        for offset, start, size, _ in self.loads():
            if start <= address < start + size:
                return self.bytes[offset + address - start:][:count]
        return b""


def position_independent(file):
    if not re.search(r"Type:\s+DYN", file.header):
        yield "is loaded at a fixed address (no PIE)"


def stack_not_executable(file):
    found = re.search(r"GNU_STACK(?:\s+0x\w+){5}\s+([RWE ]{3})", file.segments)
    if not found or "E" in found[1]:
        yield "has an executable stack"


def nothing_writable_and_executable(file):
    for _, address, _, flags in file.loads():
        if "W" in flags and "E" in flags:
            yield f"has memory at {address:#x} that can be written and executed"


def relocations_read_only(file):
    if "GNU_RELRO" not in file.segments:
        yield "keeps its relocations writable (no RELRO)"
    if not re.search(r"BIND_NOW|Flags:.*\bNOW\b", file.dynamic):
        yield "binds functions late (no -z now)"
    if "TEXTREL" in file.dynamic:
        yield "changes its code when it is loaded (TEXTREL)"


def stack_protected(file):
    if "__stack_chk_fail" not in file.symbols:
        yield "has no stack protector"


def frames_probed(file):
    """A frame of several pages is taken page by page, and each is touched: `sub $size, %rsp` with
    such a size would step over the page that guards the stack."""
    if "X86-64" not in file.header:
        return
    for offset, _, size, flags in file.loads():
        code = file.bytes[offset:offset + size] if "E" in flags else b""
        for match in re.finditer(rb"\x48\x81\xec(..[\x00-\x0f]\x00)", code, re.DOTALL):
            frame = int.from_bytes(match[1], "little")
            if frame > 4 * PAGE:     # the CUDA runtime, which comes compiled, has frames of 2
                yield f"takes a frame of {frame} bytes at once (no -fstack-clash-protection)"
                return


def fortified(file):
    if not re.search(r"\b__\w+_chk\b", file.symbols):
        yield "uses none of the checked functions of the C library (no _FORTIFY_SOURCE)"


def branches_marked(file):
    """Where the processor can check the targets of indirect calls, ours are marked."""
    if "X86-64" not in file.header:
        return
    for name, address in file.functions():
        if not file.at(address, 4).startswith(ENDBR64):
            yield f"{name} does not begin with endbr64 (no -fcf-protection)"


def libraries_found_nearby(file):
    """A folder of the machine that built it must not be searched on others; an empty entry is the
    current folder."""
    for match in re.finditer(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", file.dynamic):
        for folder in match[1].split(":"):
            if not folder.startswith("$ORIGIN"):
                yield f"looks for libraries in '{folder}'"


CHECKS = [position_independent, stack_not_executable, nothing_writable_and_executable,
          relocations_read_only, stack_protected, frames_probed, fortified, branches_marked,
          libraries_found_nearby]


def problems(file, checks=None):
    return [sentence for check in checks or CHECKS for sentence in check(file)]


def main(arguments):
    checks = [check for check in CHECKS
              if not (check is fortified and "--no-fortify" in arguments)]
    found = False
    for path in arguments:
        if path.startswith("--"):
            continue
        file = File(path)
        for sentence in problems(file, checks):
            print(f"{path} {sentence}")
            found = True
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
