# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Conan 2 recipe of AnyDML: builds the tree that it lies in."""
import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir

ROOT = os.path.join("..", "..")


class AnyDML(ConanFile):
    name = "anydml"
    description = "DirectML's training operators on any machine"
    license = "MIT"
    topics = ("directml", "gradients", "training", "simd", "cuda")
    package_type = "shared-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"cuda": [True, False]}    # libanydml_cuda.so beside the library; needs nvcc
    default_options = {"cuda": False}
    requires = ("cli11/2.3.2", "fmt/9.1.0", "highway/1.0.3", "nlohmann_json/3.11.2",
                "onetbb/2021.12.0")

    def set_version(self):
        text = load(self, os.path.join(self.recipe_folder, ROOT, "CMakeLists.txt"))
        self.version = re.search(r"project\(anydml VERSION ([\d.]+)", text).group(1)

    def requirements(self):
        # directml.h includes d3d12.h: programs need these headers too.
        self.requires("directx-headers/1.610.2", transitive_headers=True)

    def validate(self):
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("AnyDML runs on Linux")

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*", "bench/*",
                        "tools/*", "models/*", "python/anydml/*"):
            copy(self, pattern, os.path.join(self.recipe_folder, ROOT), self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["ANYDML_TESTS"] = False
        toolchain.cache_variables["ANYDML_CUDA"] = bool(self.options.cuda)
        toolchain.cache_variables["ANYDML_WARNINGS_AS_ERRORS"] = False  # of any compiler
        toolchain.generate()
        dependencies = CMakeDeps(self)
        # As Highway's own CMake package calls them; Conan's calls them after the recipe.
        dependencies.set_property("highway", "cmake_file_name", "hwy")
        dependencies.set_property("highway::hwy", "cmake_target_name", "hwy::hwy")
        dependencies.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        # Conan writes its own, for wherever the package and its requirements lie.
        rmdir(self, os.path.join(self.package_folder, "lib", "cmake"))
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))

    def package_info(self):
        self.cpp_info.libs = ["anydml"]
        # Where directml.h finds d3d12.h; the package of the headers names its other folders alone.
        headers = self.dependencies["directx-headers"].package_folder
        self.cpp_info.includedirs.append(os.path.join(headers, "include", "directx"))
        self.cpp_info.set_property("cmake_file_name", "anydml")
        self.cpp_info.set_property("cmake_target_name", "anydml::anydml")
        self.cpp_info.set_property("pkg_config_name", "anydml")
