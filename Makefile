# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# Thin names over the CMake presets. Every target installs the Debian packages
# that it needs, once.
#
#   make demo    build, and run the five operators on their pages' examples
#   make test    build and run all tests
#   make bench   measure what calls cost beside their kernels
#   make build   build everything; binaries in build/release/bin/
#   make PRESET=asan test   the same under AddressSanitizer (also ubsan, tsan, debug, clang)
#   make clean   remove build/

PRESET ?= release

BUILD_PACKAGES := g++ cmake ninja-build pkg-config libhwy-dev libtbb-dev libfmt-dev \
                  directx-headers-dev libgtest-dev nlohmann-json3-dev libcli11-dev
TEST_PACKAGES := clang python3 python3-numpy python3-pytest python3-pip python3-venv python3-torch \
                 python3-matplotlib
BENCH_PACKAGES := libbenchmark-dev

.PHONY: demo test bench build configure clean packages test-packages

demo: configure
	@cmake --build --preset $(PRESET) --target anydml_tool
	@tools/demo.sh build/$(PRESET)/bin/anydml models

test: test-packages build
	@ctest --preset $(PRESET) -j $$(nproc)

bench: packages
	@tools/install_packages $(BENCH_PACKAGES)
	@cmake --preset $(PRESET) -DANYDML_BENCH=ON >/dev/null
	@cmake --build --preset $(PRESET) --target c_api_bench d3d12_bench
	@build/$(PRESET)/bin/c_api_bench
	@build/$(PRESET)/bin/d3d12_bench

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
