#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""The version is that of project() in CMakeLists.txt, everywhere.

    python3 versions_test.py ROOT ANYDML BUILD
"""
import sys

sys.dont_write_bytecode = True

import json
import pathlib
import re
import subprocess
import unittest


def read(path):
    return (ROOT / path).read_text()


class Versions(unittest.TestCase):
    def setUp(self):
        self.version = re.search(r"project\(anydml VERSION ([\d.]+)", read("CMakeLists.txt")).group(1)

    def test_is_semantic(self):
        self.assertRegex(self.version, r"^\d+\.\d+\.\d+$")

    def test_the_command_tells_it(self):
        told = subprocess.run([ANYDML, "--version"], check=True, text=True, stdout=subprocess.PIPE)
        self.assertEqual(told.stdout, f"anydml {self.version}\n")

    def test_pkg_config_tells_it(self):
        self.assertIn(f"Version: {self.version}\n", (BUILD / "anydml.pc").read_text())

    def test_debian_packages_have_it(self):
        config = (BUILD / "CPackConfig.cmake").read_text()
        self.assertIn(f'set(CPACK_PACKAGE_VERSION "{self.version}")', config)
        self.assertIn(f"libanydml0 (= {self.version})", config)

    def test_the_wheel_has_it(self):
        sys.path.insert(0, str(ROOT / "python"))
        import build_backend
        self.assertEqual(build_backend.version(), self.version)

    def test_files_that_repeat_it(self):
        self.assertIn(f"\nversion: {self.version}\n", read("CITATION.cff"))
        port = json.loads(read("packaging/vcpkg/anydml/vcpkg.json"))
        self.assertEqual((port["name"], port["version-semver"]), ("anydml", self.version))


if __name__ == "__main__":
    ROOT, ANYDML, BUILD = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    unittest.main(argv=sys.argv[:1])
