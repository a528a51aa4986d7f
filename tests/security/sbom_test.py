#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""The list of parts that goes with the bundle is complete and true.

    python3 sbom_test.py ROOT BUILD
"""
import sys

sys.dont_write_bytecode = True     # leave no __pycache__ beside the sources

import functools
import hashlib
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import unittest.mock

ROOT = BUILD = None


def needed(path):
    """Names of the libraries that a file itself asks for."""
    text = subprocess.run(["readelf", "--dynamic", str(path)], check=True, text=True,
                          capture_output=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", text)


@functools.lru_cache
def package_of(name):
    """By the loader's cache and dpkg; another way than that of the script."""
    cache = subprocess.run(["/sbin/ldconfig", "-p"], check=True, text=True,
                           capture_output=True).stdout
    path = re.search(rf"^\s*{re.escape(name)} \(libc6,x86-64.*=> (\S+)$", cache, re.MULTILINE)
    found = subprocess.run(["dpkg", "-S", "*/" + pathlib.Path(path[1]).resolve().name], check=True,
                           text=True, capture_output=True).stdout
    return {line.split(":", 1)[0] for line in found.splitlines()}


class Sbom(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder, "anydml.spdx.json")
            subprocess.run([ROOT / "tools/make_sbom", BUILD, out], check=True)
            cls.document = json.loads(out.read_text())
        cls.packages = {package["name"]: package for package in cls.document["packages"]}

    def test_has_what_spdx_requires(self):
        for member in ("spdxVersion", "dataLicense", "SPDXID", "name", "documentNamespace",
                       "creationInfo", "packages", "relationships"):
            self.assertTrue(self.document[member], member)
        identifiers = [package["SPDXID"] for package in self.document["packages"]]
        self.assertEqual(len(identifiers), len(set(identifiers)))
        for package in self.document["packages"]:
            self.assertRegex(package["SPDXID"], r"^SPDXRef-[A-Za-z0-9.-]+$")
            for member in ("name", "versionInfo", "downloadLocation", "licenseConcluded"):
                self.assertTrue(package[member], (package["name"], member))
        for relation in self.document["relationships"]:
            for end in (relation["spdxElementId"], relation["relatedSpdxElement"]):
                self.assertIn(end, identifiers + ["SPDXRef-DOCUMENT"])

    def test_lists_the_parts_of_one_file_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder, "anydml.spdx.json")
            subprocess.run([ROOT / "tools/make_sbom", BUILD, out, BUILD / "lib/libanydml.so"],
                           check=True)
            document = json.loads(out.read_text())
        names = {package["name"] for package in document["packages"]}
        self.assertLessEqual({"libanydml", "libtbb12", "nlohmann-json3-dev"}, names)
        self.assertTrue(names.isdisjoint({"anydml", "libcli11-dev"}), names)
        described = [relation["relatedSpdxElement"] for relation in document["relationships"]
                     if relation["relationshipType"] == "DESCRIBES"]
        self.assertEqual(described, ["SPDXRef-libanydml"])

    def test_names_every_library_that_is_loaded_with_its_licence(self):
        for file in (BUILD / "lib/libanydml.so", BUILD / "bin/anydml"):
            names = [name for name in needed(file) if "libanydml" not in name]
            self.assertIn("libtbb.so.12", names)
            for name in names:
                packages = package_of(name) & set(self.packages)
                self.assertTrue(packages, name)
                for package in packages:
                    self.assertNotEqual(self.packages[package]["licenseConcluded"], "NOASSERTION",
                                        package)

    def test_explains_each_licence_that_spdx_has_no_name_for(self):
        with tempfile.TemporaryDirectory() as folder:
            nvcc = pathlib.Path(folder, "nvcc")      # a build with CUDA, as far as the script looks
            nvcc.write_text("#!/bin/sh\necho 'Cuda compilation tools, release 12.6, V12.6.20'\n")
            nvcc.chmod(0o755)
            cache = re.sub(r"^(ANYDML_CUDA|CMAKE_CUDA_COMPILER):.*$", "",
                           (BUILD / "CMakeCache.txt").read_text(), flags=re.MULTILINE)
            pathlib.Path(folder, "CMakeCache.txt").write_text(
                f"{cache}\nANYDML_CUDA:BOOL=ON\nCMAKE_CUDA_COMPILER:FILEPATH={nvcc}\n")
            out = pathlib.Path(folder, "anydml.spdx.json")
            library = shutil.copy(BUILD / "lib/libanydml.so", pathlib.Path(folder, "libanydml_cuda.so"))
            subprocess.run([ROOT / "tools/make_sbom", folder, out, library], check=True)
            with_cuda = json.loads(out.read_text())
        for document in (self.document, with_cuda):
            own = set(re.findall(r"LicenseRef-[A-Za-z0-9.-]+", json.dumps(document["packages"])))
            explained = document.get("hasExtractedLicensingInfos", [])
            self.assertEqual(own, {licence["licenseId"] for licence in explained})
            self.assertTrue(all(licence["extractedText"] for licence in explained))
        self.assertTrue(own)
        versions = {package["name"]: package["versionInfo"] for package in with_cuda["packages"]}
        self.assertEqual(versions["cuda-cudart-static"], "12.6")

    def test_has_the_versions_of_the_packages(self):
        checked = 0
        for name, package in self.packages.items():
            if "externalRefs" not in package:
                continue
            version = subprocess.run(["dpkg-query", "-W", "-f=${Version}\n", name], check=True,
                                     text=True, capture_output=True).stdout.splitlines()
            self.assertIn(package["versionInfo"], version)
            checked += 1
        self.assertGreater(checked, 8)

    def test_has_the_version_and_checksums_of_our_files(self):
        version = re.search(r"project\(anydml VERSION (\S+)",
                            (ROOT / "CMakeLists.txt").read_text())[1]
        for name, file in (("libanydml", BUILD / "lib/libanydml.so"),
                           ("anydml", BUILD / "bin/anydml")):
            package = self.packages[name]
            self.assertEqual(package["versionInfo"], version)
            self.assertEqual(package["checksums"][0]["checksumValue"],
                             hashlib.sha256(file.read_bytes()).hexdigest())


class Namespace(unittest.TestCase):
    """Each document has one of its own, whether the sources are a commit's, changed, or an archive's."""

    @classmethod
    def setUpClass(cls):
        # In this process, which remembers the packages: dpkg takes seconds for them.
        loader = importlib.machinery.SourceFileLoader("make_sbom", str(ROOT / "tools/make_sbom"))
        cls.script = importlib.util.module_from_spec(
            importlib.util.spec_from_loader("make_sbom", loader))
        loader.exec_module(cls.script)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.library = pathlib.Path(shutil.copy(BUILD / "lib/libanydml.so", self.folder))

    def document(self, root):
        with unittest.mock.patch.dict(os.environ):
            os.environ.pop("SOURCE_DATE_EPOCH", None)
            return self.script.make_document(BUILD, [self.library], root)

    def change_library(self):
        with self.library.open("ab") as file:
            file.write(b"changed")
        os.utime(self.library, (1000000000, 1000000000))

    def test_is_that_of_the_files(self):
        for root in (ROOT, self.folder):
            first = self.document(root)
            self.assertEqual(first, self.document(root))
            self.change_library()
            self.assertNotEqual(self.document(root)["documentNamespace"],
                                first["documentNamespace"])

    def git(self, *arguments):
        subprocess.run(["git", "-C", self.folder, "-c", "user.name=a", "-c", "user.email=a@b",
                        *arguments], check=True, capture_output=True,
                       env={**os.environ, "GIT_COMMITTER_DATE": "2020-01-02T03:04:05Z"})

    @unittest.skipIf(shutil.which("git") is None, "git is not here")
    def test_the_time_is_that_of_a_commit_or_of_the_files(self):
        self.change_library()
        of_files, of_commit = "2001-09-09T01:46:40Z", "2020-01-02T03:04:05Z"
        self.assertEqual(self.document(self.folder)["creationInfo"]["created"], of_files)
        (self.folder / ".gitignore").write_text("*.so\n")
        self.git("init")
        self.git("add", ".")
        self.git("commit", "-m", "all")
        self.assertEqual(self.document(self.folder)["creationInfo"]["created"], of_commit)
        (self.folder / "changed").write_text("")
        self.assertEqual(self.document(self.folder)["creationInfo"]["created"], of_files)
        # An archive that lies in this repository is none of its commits.
        (self.folder / "changed").unlink()
        archive = self.folder / "archive"
        archive.mkdir()
        self.assertEqual(self.document(archive)["creationInfo"]["created"], of_files)


if __name__ == "__main__":
    BUILD, ROOT = pathlib.Path(sys.argv.pop()), pathlib.Path(sys.argv.pop())
    unittest.main()
