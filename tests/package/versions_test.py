#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""The version is that of project() in CMakeLists.txt, everywhere; so are the libraries that
the recipes of other collections ask for.

    python3 versions_test.py ROOT ANYDML BUILD
"""
import sys

sys.dont_write_bytecode = True

import ast
import json
import pathlib
import re
import subprocess
import unittest


# A package of find_package: its name in vcpkg, its name in Conan.
COLLECTIONS = {
    "CLI11": ("cli11", "cli11"),
    "DirectXHeaders": ("directx-headers", "directx-headers"),
    "TBB": ("tbb", "onetbb"),
    "fmt": ("fmt", "fmt"),
    "hwy": ("highway", "highway"),
    "nlohmann_json": ("nlohmann-json", "nlohmann_json"),
}


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
        self.assertIn(f'/* "{self.version}" */', read("include/anydml/anydml.h"))

    def test_the_conan_recipe_reads_it(self):
        recipe = read("packaging/conan/conanfile.py")
        ast.parse(recipe)
        self.assertNotIn(self.version, recipe)
        pattern = re.search(r'search\(r"([^"]+)"', recipe).group(1)
        self.assertEqual(re.search(pattern, read("CMakeLists.txt")).group(1), self.version)

    def test_recipes_ask_for_the_libraries_that_the_build_finds(self):
        build = read("CMakeLists.txt").split("if(ANYDML_TESTS)")[0]
        found = set(re.findall(r"find_package\((\w+) REQUIRED", build))
        port = json.loads(read("packaging/vcpkg/anydml/vcpkg.json"))
        asked = {name for name in port["dependencies"] if isinstance(name, str)}
        self.assertEqual(asked, {COLLECTIONS[name][0] for name in found})
        recipe = read("packaging/conan/conanfile.py")
        asked = set(re.findall(r'"([a-z0-9_-]+)/\d[\d.]*"', recipe))
        self.assertEqual(asked, {COLLECTIONS[name][1] for name in found})

    def test_the_port_installs_its_files(self):
        folder = ROOT / "packaging/vcpkg/anydml"
        portfile = (folder / "portfile.cmake").read_text()
        for file in sorted(folder.iterdir()):
            if file.name not in ("portfile.cmake", "vcpkg.json"):
                self.assertIn("${CMAKE_CURRENT_LIST_DIR}/" + file.name, portfile)

    def test_the_changelog_speaks_of_it_or_of_what_is_not_released(self):
        first = re.search(r"^## (.*)$", read("CHANGELOG.md"), re.MULTILINE).group(1)
        self.assertTrue(first == "Unreleased" or first.startswith(self.version), first)


if __name__ == "__main__":
    ROOT, ANYDML, BUILD = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    unittest.main(argv=sys.argv[:1])
