# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# Thin names over the CMake presets. Every target installs the Debian packages
# that it needs, once.
#
#   make demo    build, run the five gradient operators on small examples, train LeNet-5 on
#                pictures, and compare the bits of its weights between threads and instruction sets
#   make test    build and run all tests
#   make bench   race the operators with oneDNN, libtorch and a copy of the same bytes: the core
#                set, under 10 minutes; table, bench/results/*.json and *.svg; then bench-steps
#   make bench-steps  time whole training steps beside PyTorch's, half a minute
#   make bench-all    the same for every case, type and layout, into build/bench-all
#   make bench-calls  measure what calls cost beside their kernels
#   make build   build everything; binaries in build/release/bin/
#   make pages   write the pages and pictures that are made from the operators (docs/, README.md)
#   make bundle  programs and libraries for a machine without packages: build/anydml.tar.xz
#   make package Debian packages for this machine's Debian: build/package/*.deb
#   make docs    the site: build/site/index.html
#   make format  clang-format of every file; make lint: clang-format, clang-tidy, cppcheck, shellcheck
#   make coverage  which lines of src/ the tests run: build/coverage/coverage.html
#   make load    64 threads x 10,000 rounds over all operators: results, memory, throughput
#   make soak MINUTES=30    the same for so long
#   make abi     compare the library with the last tagged version
#   make PRESET=asan test   the same under AddressSanitizer (also ubsan, tsan, debug, clang)
#   make sanitize  a part of the tests under AddressSanitizer and UndefinedBehaviorSanitizer
#   make valgrind  a smaller part under valgrind, with the portable kernels
#   make fuzz SECONDS=600   search for inputs that break something: seven targets, two at a time,
#                each for so many seconds (so 600 means half an hour)
#   make exhaustive  every exact function on all 2^32 floats, on every instruction set: an hour and a half, or
#                FUNCTIONS="sin pow" alone
#   make nightly what takes too long for `make test`, in parts of at most an hour: nightly-packages,
#                -load, -soak, -fuzz, -exhaustive, -exhaustive2 and 3, -valgrind, -sanitizers (the whole suite), -races (the same under
#                ThreadSanitizer), -arm (conformance under emulation); each can be made alone, `make -k nightly` goes on after a failure
#   make clean   remove build/

PRESET ?= release
SECONDS ?= 60

BUILD_PACKAGES := g++ cmake ninja-build pkg-config libhwy-dev libtbb-dev libfmt-dev \
                  directx-headers-dev libgtest-dev nlohmann-json3-dev libcli11-dev python3
TEST_PACKAGES := clang python3 python3-numpy python3-pytest python3-pip python3-venv python3-torch \
                 python3-matplotlib cmark-gfm dataset-fashion-mnist libopenmpi-dev openmpi-bin \
                 python3-onnx libonnx-testdata
ARM_PACKAGES := $(addsuffix :arm64,libhwy-dev libtbb-dev libfmt-dev libgtest-dev)
BENCH_PACKAGES := libbenchmark-dev libdnnl-dev libopenblas-dev libtorch-dev python3 \
  python3-numpy python3-torch

.PHONY: demo test sanitize valgrind fuzz pages bench bench-all bench-calls bench-steps bench-build build bundle \
        configure clean packages test-packages package docs format lint lint-packages coverage \
        load soak load-build abi nightly nightly-packages nightly-load nightly-soak nightly-fuzz \
        nightly-exhaustive nightly-exhaustive2 nightly-exhaustive3 nightly-valgrind nightly-sanitizers nightly-arm nightly-races exhaustive

demo: packages
	@cmake --preset $(PRESET) -DANYDML_NVCC=OFF >/dev/null
	@cmake --build --preset $(PRESET) --target anydml_tool example_train_lenet
	@tools/install_packages dataset-fashion-mnist || true
	@tools/demo.sh build/$(PRESET)/bin/anydml models build/$(PRESET)/bin/example_train_lenet \
	  build/data/fashion-mnist

test: test-packages build
	@ctest --preset $(PRESET) -j $$(nproc)

sanitize: test-packages
	@cmake --preset sanitize >/dev/null
	@cmake --build --preset sanitize --target sanitize_tests
	@tests/sanitize.sh build/sanitize/bin

valgrind: test-packages
	@tools/install_packages valgrind
	@cmake --preset valgrind >/dev/null
	@cmake --build --preset valgrind --target valgrind_tests
	@tests/valgrind.sh build/valgrind/bin

fuzz: test-packages
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz --target fuzz_targets
	@tests/fuzz/fuzz.sh build/fuzz/bin $(SECONDS)

PROCESSOR = $(shell sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)

bench: bench-build
	@build/$(PRESET)/bin/anydml_bench --passes 3 --seconds 0.6 --json bench/results/core.json
	@python3 bench/draw_results.py bench/results/core.json --folder bench/results \
	  --processor "$(PROCESSOR)"
	@$(MAKE) --no-print-directory bench-steps

bench-steps: bench-build
	@ANYDML_LIBRARY=build/$(PRESET)/lib/libanydml.so PYTHONPATH=python /usr/bin/python3 -B bench/train_steps.py

bench-all: bench-build
	@mkdir -p build/bench-all
	@build/$(PRESET)/bin/anydml_bench --all --json build/bench-all/all.json
	@python3 bench/draw_results.py build/bench-all/all.json --folder build/bench-all \
	  --processor "$(PROCESSOR)"

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

pages: configure
	@cmake --build --preset $(PRESET) --target anydml_tool
	@python3 tools/docs/make_pages.py build/$(PRESET)/bin/anydml .

MINUTES ?= 30

load: load-build
	@build/$(PRESET)/bin/load_test --full

soak: load-build
	@build/$(PRESET)/bin/load_test --minutes $(MINUTES)

load-build: configure
	@cmake --build --preset $(PRESET) --target load_test

exhaustive: configure
	@cmake --build --preset $(PRESET) --target exhaustive
	@build/$(PRESET)/bin/exhaustive $(FUNCTIONS)

# No part runs for longer than this.
HOUR := timeout 3600

nightly: nightly-packages nightly-load nightly-soak nightly-fuzz nightly-exhaustive nightly-exhaustive2 nightly-exhaustive3 nightly-valgrind \
         nightly-sanitizers nightly-arm nightly-races

nightly-packages: test-packages build
	@$(HOUR) ctest --preset $(PRESET) -C nightly -L packages

nightly-load:
	@$(HOUR) $(MAKE) --no-print-directory load

nightly-soak:
	@$(HOUR) $(MAKE) --no-print-directory soak MINUTES=30

nightly-fuzz:
	@$(HOUR) $(MAKE) --no-print-directory fuzz SECONDS=600

nightly-exhaustive: FUNCTIONS := exp log tanh expm1 erf sigmoid gelu
nightly-exhaustive2: FUNCTIONS := softplus asin acos sinh cosh asinh acosh atanh
nightly-exhaustive3: FUNCTIONS := sin cos tan atan pow atan2
nightly-exhaustive nightly-exhaustive2 nightly-exhaustive3:
	@$(HOUR) $(MAKE) --no-print-directory exhaustive FUNCTIONS="$(FUNCTIONS)"

nightly-valgrind:
	@$(HOUR) $(MAKE) --no-print-directory valgrind

nightly-sanitizers:
	@$(HOUR) $(MAKE) --no-print-directory PRESET=sanitize test

# For ARM, under emulation. Debian's packages of that architecture lie beside those of this one.
ARM_TESTS := conformance_test operators_test train_interface_test example_train_lenet
nightly-arm: packages
	@dpkg --print-foreign-architectures | grep -qx arm64 || \
	  $$([ "$$(id -u)" -eq 0 ] || echo sudo) dpkg --add-architecture arm64
	@tools/install_packages g++-aarch64-linux-gnu qemu-user dataset-fashion-mnist $(ARM_PACKAGES)
	@cmake --preset aarch64 >/dev/null
	@cmake --build --preset aarch64 --target $(ARM_TESTS)
	@$(HOUR) ctest --preset aarch64 -j $$(nproc) -R '^(conformance_test|operators_test|train_interface_test)'
	@tests/aarch64.sh build/aarch64

nightly-races:
	@$(HOUR) $(MAKE) --no-print-directory PRESET=tsan test

abi: packages
	@tools/install_packages abigail-tools
	@tools/check_abi build/$(PRESET) || [ $$? -eq 77 ]

# For all supported cards; on a machine without nvcc, for the CPU alone.
bundle: packages
	@tools/install_packages xz-utils
	@cmake --preset cuda >/dev/null
	@cmake --build --preset cuda
	@tools/make_bundle build/cuda build/anydml
	@packaging/check_bundle build/anydml.tar.xz

package: packages
	@tools/install_packages dpkg-dev file python3-numpy
	@cmake --preset package >/dev/null
	@cmake --build --preset package
	@rm -f build/package/*.deb
	@cd build/package && cpack >/dev/null
	@packaging/check_debs build/package
	@ls build/package/*.deb

docs: pages
	@tools/install_packages cmark-gfm python3
	@python3 tools/docs/make_site.py . build/site

format: lint-packages
	@tools/lint format

# Each source by itself, as clang-tidy reads them; nothing is built.
lint: lint-packages
	@cmake --preset $(PRESET) -B build/lint -DANYDML_UNITY=OFF >/dev/null
	@tools/lint check build/lint

lint-packages:
	@tools/install_packages clang-format clang-tidy cppcheck shellcheck

coverage: test-packages
	@tools/install_packages gcovr
	@cmake --preset coverage >/dev/null
	@cmake --build --preset coverage
	@tools/coverage build/coverage

clean:
	rm -rf build
