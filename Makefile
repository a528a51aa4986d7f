# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# Thin names over the CMake presets. Every target installs the Debian packages
# that it needs, once.
#
#   make demo    build, and run the five operators on their pages' examples
#   make test    build and run all tests
#   make build   build everything; binaries in build/release/bin/
#   make PRESET=asan test   the same under AddressSanitizer (also ubsan, tsan, debug, clang)
#   make clean   remove build/

PRESET ?= release

BUILD_PACKAGES := g++ cmake ninja-build pkg-config libhwy-dev libtbb-dev libfmt-dev \
                  directx-headers-dev libgtest-dev nlohmann-json3-dev
TEST_PACKAGES := clang python3

.PHONY: demo test build configure clean packages test-packages

demo: configure
	@cmake --build --preset $(PRESET) --target demo
	@build/$(PRESET)/bin/demo

test: test-packages build
	@ctest --preset $(PRESET) -j $$(nproc)

build: configure
	@cmake --build --preset $(PRESET)

configure: packages
	@cmake --preset $(PRESET) >/dev/null

packages:
	@tools/install_packages $(BUILD_PACKAGES)

test-packages: packages
	@tools/install_packages $(TEST_PACKAGES)

clean:
	rm -rf build
