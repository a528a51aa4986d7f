# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# Thin names over the CMake presets. Every target installs the Debian packages
# that it needs, once.
#
#   make demo    build, and run the five operators on their pages' examples
#   make test    build and run all tests
#   make bench   race the operators with oneDNN, libtorch and a copy of the same bytes: the core
#                set, under 10 minutes; table, bench/results/*.json and *.svg
#   make bench-all    the same for every case, type and layout
#   make bench-calls  measure what calls cost beside their kernels
#   make build   build everything; binaries in build/release/bin/
#   make bundle  programs and libraries for a machine without packages: build/anydml.tar.xz
#   make load    64 threads x 10,000 rounds over all operators: results, memory, throughput
#   make soak MINUTES=30    the same for so long
#   make abi     compare the library with the last tagged version
#   make PRESET=asan test   the same under AddressSanitizer (also ubsan, tsan, debug, clang)
#   make clean   remove build/

PRESET ?= release

BUILD_PACKAGES := g++ cmake ninja-build pkg-config libhwy-dev libtbb-dev libfmt-dev \
                  directx-headers-dev libgtest-dev nlohmann-json3-dev libcli11-dev
TEST_PACKAGES := clang python3 python3-numpy python3-pytest python3-pip python3-venv python3-torch \
                 python3-matplotlib
BENCH_PACKAGES := libbenchmark-dev libdnnl-dev libtorch-dev python3

.PHONY: demo test bench bench-all bench-calls bench-build build bundle configure clean packages \
        test-packages load soak load-build abi

demo: configure
	@cmake --build --preset $(PRESET) --target anydml_tool
	@tools/demo.sh build/$(PRESET)/bin/anydml models

test: test-packages build
	@ctest --preset $(PRESET) -j $$(nproc)

bench: bench-build
	@build/$(PRESET)/bin/anydml_bench --json bench/results/core.json
	@python3 bench/draw_results.py bench/results/core.json --folder bench/results

bench-all: bench-build
	@build/$(PRESET)/bin/anydml_bench --all --json bench/results/all.json
	@python3 bench/draw_results.py bench/results/all.json --folder bench/results

bench-calls: bench-build
	@build/$(PRESET)/bin/c_api_bench
	@build/$(PRESET)/bin/d3d12_bench

bench-build: packages
	@tools/install_packages $(BENCH_PACKAGES)
	@cmake --preset $(PRESET) -DANYDML_BENCH=ON >/dev/null
	@cmake --build --preset $(PRESET) --target anydml_bench c_api_bench d3d12_bench
	@mkdir -p bench/results

build: configure
	@cmake --build --preset $(PRESET)

configure: packages
	@cmake --preset $(PRESET) >/dev/null

packages:
	@tools/install_packages $(BUILD_PACKAGES)

test-packages: packages
	@tools/install_packages $(TEST_PACKAGES)

MINUTES ?= 30

load: load-build
	@build/$(PRESET)/bin/load_test --full

soak: load-build
	@build/$(PRESET)/bin/load_test --minutes $(MINUTES)

load-build: configure
	@cmake --build --preset $(PRESET) --target load_test

abi: configure
	@tools/install_packages abigail-tools
	@cmake --build --preset $(PRESET) --target anydml
	@tools/check_abi build/$(PRESET) || [ $$? -eq 77 ]

# For all supported cards; on a machine without nvcc, for the CPU alone.
bundle: packages
	@cmake --preset cuda >/dev/null
	@cmake --build --preset cuda
	@tools/make_bundle build/cuda build/anydml

clean:
	rm -rf build
