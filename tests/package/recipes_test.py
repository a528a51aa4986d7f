#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""The vcpkg port and the Conan recipe, run with stand-ins for tools that Debian does not have.

    python3 recipes_test.py ROOT CMAKE BUILD

What is real: the sources that the recipes take are configured with the options that they give, and
BUILD, a finished build, is installed where they expect it. What is not: nothing is built, and the
libraries are Debian's. versions_test.py compares versions.
"""
import sys

sys.dont_write_bytecode = True

import collections
import fnmatch
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import types
import unittest

HERE = pathlib.Path(__file__).resolve().parent
UNUSED = "variables were not used by the project"


def copy(conanfile, pattern, src, dst):
    """As conan.tools.files.copy: a pattern is of whole paths."""
    copied = []
    for folder, _, names in os.walk(src):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), src)
            if fnmatch.fnmatchcase(path, pattern):
                target = pathlib.Path(dst, path)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(os.path.join(src, path), target)
                copied.append(path)
    assert copied, f"no file is {pattern}"
    return copied


class Properties:
    def __init__(self, *_):
        self.properties, self.cache_variables = {}, {}

    def set_property(self, *words):
        self.properties[words[:-1]] = words[-1]

    def generate(self):
        """Of a toolchain: what a build is then configured with."""


class Toolchain(Properties):
    def generate(self):
        Toolchain.last = self


class Dependencies(Properties):
    def generate(self):
        Dependencies.last = self


class Build:
    def __init__(self, conanfile):
        self.conanfile = conanfile

    def install(self):
        subprocess.run([CMAKE, "--install", BUILD, "--prefix", self.conanfile.package_folder],
                       check=True, stdout=subprocess.DEVNULL)


class Recipe:
    """Stands in for conan.ConanFile."""
    def __init__(self, folder):
        self.recipe_folder = str(ROOT / "packaging/conan")
        self.export_sources_folder = self.source_folder = str(folder / "sources")
        self.package_folder = str(folder / "package")
        self.settings = types.SimpleNamespace(os="Linux")
        self.options = types.SimpleNamespace(**self.default_options)
        self.required = []
        self.requires = lambda reference, **traits: self.required.append((reference, traits))
        self.cpp_info = Properties()
        self.cpp_info.includedirs = ["include"]
        self.dependencies = collections.defaultdict(
            lambda: types.SimpleNamespace(package_folder="elsewhere"))


class Refused(Exception):
    pass


def load_recipe():
    """packaging/conan/conanfile.py, with modules of these names in the place of Conan's."""
    parts = {"conan": {"ConanFile": Recipe},
             "conan.errors": {"ConanInvalidConfiguration": Refused},
             "conan.tools": {},
             "conan.tools.cmake": {"CMake": Build, "CMakeDeps": Dependencies,
                                   "CMakeToolchain": Toolchain, "cmake_layout": lambda _: None},
             "conan.tools.files": {"copy": copy,
                                   "load": lambda _, path: pathlib.Path(path).read_text(),
                                   "rmdir": lambda _, path: shutil.rmtree(path)},
             "conan.tools.gnu": {"PkgConfigDeps": Properties}}
    for name, members in parts.items():
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(members)
    path = ROOT / "packaging/conan/conanfile.py"
    spec = importlib.util.spec_from_file_location("conanfile", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.AnyDML


def configured(source, folder, variables):
    """What CMake says of these sources with these variables."""
    options = [f"-D{name}={value}" for name, value in variables.items()]
    result = subprocess.run([CMAKE, "-S", source, "-B", folder, "-G", "Ninja", *options], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return result.returncode, result.stdout


class InAFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


class Conan(InAFolder):
    def setUp(self):
        super().setUp()
        self.recipe = load_recipe()(self.folder)

    def test_reads_the_version(self):
        self.recipe.set_version()
        self.assertIn(f"project(anydml VERSION {self.recipe.version} ",
                      (ROOT / "CMakeLists.txt").read_text())

    def test_refuses_what_is_not_linux(self):
        self.recipe.validate()
        self.recipe.settings.os = "Windows"
        self.assertRaises(Refused, self.recipe.validate)

    def test_programs_get_the_headers_that_directml_includes(self):
        self.recipe.requirements()
        [(reference, traits)] = self.recipe.required
        self.assertEqual((reference.split("/")[0], traits),
                         ("directx-headers", {"transitive_headers": True}))

    def test_exports_sources_that_can_be_configured_with_its_variables(self):
        self.recipe.export_sources()
        self.recipe.layout()
        self.recipe.generate()
        variables = Toolchain.last.cache_variables
        # A newer compiler's new warning must not stop somebody else's build.
        self.assertEqual(variables, {"ANYDML_TESTS": False, "ANYDML_CUDA": False,
                                     "ANYDML_WARNINGS_AS_ERRORS": False})
        code, said = configured(self.recipe.source_folder, self.folder / "build", variables)
        self.assertEqual(code, 0, said)
        self.assertNotIn(UNUSED, said)

    def test_builds_kernels_for_cards_when_asked(self):
        self.recipe.options.cuda = True
        self.recipe.generate()
        self.assertIs(Toolchain.last.cache_variables["ANYDML_CUDA"], True)

    def test_calls_dependencies_as_the_build_does(self):
        self.recipe.generate()
        sources = (ROOT / "CMakeLists.txt").read_text() + (ROOT / "src/CMakeLists.txt").read_text()
        for (_, kind), name in Dependencies.last.properties.items():
            wanted = f"find_package({name} " if kind == "cmake_file_name" else f" {name}"
            self.assertIn(wanted, sources)

    def test_packages_the_library_and_what_finds_it(self):
        self.recipe.export_sources()
        self.recipe.package()
        self.recipe.package_info()
        package = pathlib.Path(self.recipe.package_folder)
        for path in ("licenses/LICENSE", "include/directml.h", "include/anydml/anydml.h",
                     "bin/anydml", *(f"lib/lib{name}.so" for name in self.recipe.cpp_info.libs)):
            self.assertTrue((package / path).is_file(), path)
        self.assertFalse((package / "lib/cmake").exists() or (package / "lib/pkgconfig").exists())
        self.assertEqual(self.recipe.cpp_info.properties,
                         {("cmake_file_name",): "anydml", ("cmake_target_name",): "anydml::anydml",
                          ("pkg_config_name",): "anydml"})


class Vcpkg(InAFolder):
    def run_port(self, change=lambda text: text, configure="OFF"):
        """(exit code, words) of the port, changed, in a tree like this one."""
        tree = self.folder / "tree"
        port = tree / "packaging/vcpkg/anydml"
        shutil.copytree(ROOT / "packaging/vcpkg/anydml", port)
        for path in ROOT.iterdir():
            if path.name not in ("packaging", "build", ".git"):
                (tree / path.name).symlink_to(path)
        (tree / "packaging/debian").symlink_to(ROOT / "packaging/debian")
        portfile = port / "portfile.cmake"
        portfile.write_text(change(portfile.read_text()))
        result = subprocess.run([CMAKE, f"-DPORTFILE={portfile}", f"-DBUILD={BUILD}",
                                 f"-DCURRENT_PACKAGES_DIR={self.folder}/package",
                                 f"-DCONFIGURE={configure}", "-P", HERE / "vcpkg_stubs.cmake"],
                                text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return result.returncode, result.stdout

    def test_the_port_leaves_a_package_as_vcpkg_wants_it(self):
        code, said = self.run_port(configure="ON")
        self.assertEqual(code, 0, said)
        usage = (ROOT / "packaging/vcpkg/anydml/usage").read_text()
        target = re.search(r"PRIVATE ([\w:]+)\)", usage).group(1)
        self.assertIn(f"add_library({target} ",
                      (self.folder / "package/share/anydml/anydmlTargets.cmake").read_text())

    def told(self, old, new, words, configure="OFF"):
        code, said = self.run_port(lambda text: text.replace(old, new), configure)
        self.assertNotEqual(code, 0)
        self.assertIn(words, said)

    def test_an_option_that_the_build_does_not_have_is_told(self):
        self.told("-DANYDML_TESTS=OFF", "-DANYDML_TEST=OFF", UNUSED, "ON")

    def test_a_wrong_path_is_told(self):
        self.told("lib/cmake/anydml", "share/cmake/anydml", "is not there")

    def test_what_is_left_behind_is_told(self):
        self.told("/debug/share", "/debug/shares", "debug/share is left behind")


if __name__ == "__main__":
    ROOT, CMAKE, BUILD = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3]
    unittest.main(argv=sys.argv[:1])
