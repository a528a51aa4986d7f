# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Commands of the README that readme_test.py does not run, and who runs them or their like: a file,
and the words in it that do. Every `make TARGET` is also taken apart by make_test.py."""

NOT_RUN = {
    # They build for minutes, with nvcc for longer.
    "make package": ("packaging/check_debs", "dpkg-deb -x"),
    "make bundle": ("packaging/check_bundle", "bin/anydml run"),
    "make build": (".ci/run", "make test"),
    "make test": (".ci/run", "make test"),
    "make bench": ("tests/CMakeLists.txt", "bench/draw_results_test.py"),
    "make lint": ("tests/docs/make_test.py", "def test_run_what_exists"),
    "cmake --preset cuda": ("Makefile", "@cmake --preset cuda"),
    "cmake --build --preset cuda": ("Makefile", "@cmake --build --preset cuda"),
    # It needs root, and packages: `packaging/check_debs FOLDER ROOT` has both.
    "sudo apt-get install ./build/package/*.deb":
        ("packaging/check_debs", "apt-get install -y -qq ./*.deb"),
    # They need what others have made.
    "tar xf anydml.tar.xz": ("packaging/check_bundle", 'tar -C "$work/first" -xJf "$tarball"'),
    "pip install .": ("python/tests/test_package.py", '"pip", "install", "--no-index"'),
    # Debian has neither Conan nor vcpkg; modules of their names stand in for them.
    "conan create packaging/conan": ("tests/package/recipes_test.py", '"packaging/conan"'),
    "vcpkg install anydml --overlay-ports=packaging/vcpkg":
        ("tests/package/recipes_test.py", '"packaging/vcpkg/anydml"'),
}
