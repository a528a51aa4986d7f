# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""The package itself: functions, stubs, tour, library, cache, threads, processes, wheel."""
import concurrent.futures
import ctypes.util
import hashlib
import inspect
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time
import typing
import venv
import zipfile

import numpy
import pytest

import anydml
from anydml import _cache, _functions, _library

ROOT = pathlib.Path(__file__).resolve().parents[2]
X = numpy.arange(-4, 4, dtype="float32")


def python(*arguments, executable=sys.executable, **variables):
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python"),
                   "PYTHONDONTWRITEBYTECODE": "1", **variables}
    return subprocess.run([executable, *arguments], env=environment, cwd="/", text=True,
                          capture_output=True)


def test_stubs_are_current():
    """If not: python3 python/make_stubs.py"""
    stubs = (ROOT / "python/anydml/__init__.pyi").read_text()
    assert stubs == _functions.stubs(anydml._operators)
    compile(stubs, "__init__.pyi", "exec")
    written = set(re.findall(r"^(?:def|class) (\w+)", stubs, re.MULTILINE))
    assert written == set(anydml.__all__)
    for name in ("grad", "value_and_grad", "train_step", "cross_entropy", "shuffle", "checksum",
                 "uniform_parameters"):
        parameters = re.search(rf"^def {name}\((.*?)\) ->", stubs, re.MULTILINE | re.DOTALL)[1]
        assert re.findall(r"(\w+):", parameters) == list(
            inspect.signature(getattr(anydml, name)).parameters)


def test_signatures_and_documentation():
    signature = inspect.signature(anydml.max_pooling_grad)
    assert list(signature.parameters) == ["x", "dy", "window_size", "strides", "start_padding",
                                          "end_padding", "dilations", "out", "device", "threads"]
    assert signature.parameters["strides"].default == 1
    assert signature.parameters["window_size"].default is inspect.Parameter.empty
    for name, operator in anydml._operators.items():
        function = getattr(anydml, name)
        assert function.__doc__.startswith(f"DML_OPERATOR_{operator.type}, since feature level")
        assert set(function.__annotations__) == {*inspect.signature(function).parameters, "return"}


def test_tour():
    tour = python("-m", "anydml")
    assert tour.returncode == 0, tour.stderr
    assert " [0. 4. 5.]]" in tour.stdout and "\n16384.\n" in tour.stdout


def test_tour_that_nobody_reads():
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python"),
                   "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-u", "-m", "anydml"]
    reader, writer = os.pipe()
    os.close(reader)
    closed = subprocess.run(command, env=environment, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (closed.returncode, closed.stderr) == (0, b"")
    with open("/dev/full", "w") as full:
        told = subprocess.run(command[:1] + command[2:], env=environment, stdout=full,
                              stderr=subprocess.PIPE, text=True)
    assert told.returncode == 1
    assert told.stderr == "The tour cannot be written: No space left on device.\n"


def test_library_that_is_missing_is_told():
    result = python("-c", "import anydml", ANYDML_LIBRARY="/nowhere/libanydml.so")
    assert "ImportError: AnyDML's library cannot be loaded: /nowhere/libanydml.so" in result.stderr


def refused_import(path):
    result = python("-c", "import anydml", ANYDML_LIBRARY=str(path))
    assert result.returncode == 1 and "Traceback" in result.stderr
    return result.stderr.splitlines()[-1]


def test_libraries_that_are_none(tmp_path):
    (tmp_path / "text.so").write_text("no library")
    (tmp_path / "empty.so").write_bytes(b"")
    for path in (tmp_path / "text.so", tmp_path / "empty.so", tmp_path, "/dev/null"):
        assert refused_import(path).startswith("ImportError: AnyDML's library cannot be loaded: ")
    libc = ctypes.util.find_library("c")
    assert refused_import(libc).startswith(f"ImportError: AnyDML's library cannot be used: {libc} "
                                           f"has no function anydml_version")


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_libraries_of_another_version(tmp_path):
    for version, words in [("7.0.0", f"is of version 7.0.0, and this package is of version "
                                     f"{_library.VERSION}"),
                           (_library.VERSION, "has no function anydml_last_error")]:
        (tmp_path / "other.c").write_text(
            f'const char* anydml_version(void) {{ return "{version}"; }}\n')
        other = tmp_path / f"other-{version}.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-o", other, tmp_path / "other.c"], check=True)
        assert words in refused_import(other)


def test_versions_agree():
    project = re.search(r"project\(.*?VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(),
                        re.DOTALL)
    assert project[1] == _library.VERSION == anydml.__version__


def test_type_hints():
    for name in anydml._operators:
        hints = typing.get_type_hints(getattr(anydml, name))
        assert hints["threads"] is int and "return" in hints
    windows = typing.get_type_hints(anydml.max_pooling_grad)["window_size"]
    assert windows == typing.Union[int, typing.Sequence[int]]


def test_numpy_is_not_imported_by_the_package():
    assert python("-c", "import anydml, sys; assert 'numpy' not in sys.modules").returncode == 0


def test_equal_descriptions_are_compiled_once():
    anydml.clip1.cache.clear()
    for low in (-1, -1, -2):
        anydml.clip1(X, min=low, max=1)
    assert len(anydml.clip1.cache) == 2


def test_cache_is_bounded_and_refills():
    anydml.relu.cache.clear()
    for size in range(1, _cache._MAX_KEPT + 20):
        assert anydml.relu(numpy.ones(size, "float32")).sum() == size
    assert len(anydml.relu.cache) == _cache._MAX_KEPT
    assert anydml.relu(numpy.ones(1, "float32")) == 1


def test_cache_is_bounded_in_bytes():
    """By the tables of all functions together, however many sizes a program has."""
    def kept():
        return [compiled.operator.table_bytes() for name in anydml._operators
                for compiled in getattr(anydml, name).cache.values()]
    most = 64 << 20
    made = 0
    for length in range(200_000, 200_700, 35):
        y = anydml.resample2(numpy.ones((1, 1, length), "float32"), interpolation_mode="linear",
                             scales=(1, 1, 1.1), threads=1)
        anydml.resample_grad1(y, interpolation_mode="linear", scales=(1, 1, 1.1),
                              output_sizes=(1, 1, length), threads=1)
        made += max(kept())
        assert sum(kept()) <= most
    assert made > 2 * most
    assert sum(kept()) > most / 2


def test_compiled_graphs_count_in_the_bytes():
    def function(x, number):
        for _ in range(50):
            x = anydml.relu(x * number + 1).reshape(2, 2).transpose(1, 0)
        return x.sum()
    grad = anydml.grad(function)
    for number in range(2, 5):
        grad(numpy.ones((2, 2), "float32"), number)
    sizes = [compiled.table_bytes for compiled in grad.cache.values()]
    assert len(sizes) == 3 and min(sizes) > 50 * 1000


def test_results_do_not_depend_on_threads():
    x = numpy.random.default_rng(1).standard_normal((2, 3, 64, 64)).astype("float32")
    results = [anydml.resample_grad1(x, interpolation_mode="linear", output_sizes=(2, 3, 9, 23),
                                     threads=threads) for threads in (0, 1, 2, 3, 7)]
    assert len({result.tobytes() for result in results}) == 1


def test_calls_from_many_threads():
    def work(seed):
        random = numpy.random.default_rng(seed)
        for _ in range(50):
            x = random.standard_normal(int(random.integers(1, 40))).astype("float32")
            numpy.testing.assert_array_equal(anydml.relu_grad(x, x), numpy.maximum(x, 0))
        return True
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(16)))


def test_the_lock_of_the_interpreter_is_free_during_execution():
    """Another thread runs Python while the library works."""
    x = numpy.ones((1, 8, 512, 512), "float32")
    out = numpy.empty((1, 8, 507, 507), "float32")
    stamps, stop = [], threading.Event()

    def watch():
        while not stop.is_set():
            stamps.append(time.perf_counter())
            time.sleep(0)
    watcher = threading.Thread(target=watch)
    watcher.start()
    anydml.max_pooling2(x, window_size=6, out=out, threads=1)
    start = time.perf_counter()
    for _ in range(3):
        anydml.max_pooling2(x, window_size=6, out=out, threads=1)
    end = time.perf_counter()
    stop.set()
    watcher.join()
    assert sum(start < stamp < end for stamp in stamps) > 10


def test_devices():
    assert "cpu" in anydml.devices()


def test_strategies_are_visible():
    anydml.relu.cache.clear()
    anydml.relu(X)
    (compiled,) = anydml.relu.cache.values()
    assert compiled.operator.strategy().startswith("packed")


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A fresh environment with the wheel in it; no index is asked."""
    pytest.importorskip("pip")
    if sys.prefix != sys.base_prefix:
        pytest.skip("this Python is in an environment, which a new one does not see")
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, system_site_packages=True)
    executable = str(folder / "bin/python")
    library = os.environ.get("ANYDML_LIBRARY") or _library.c._name
    result = python("-m", "pip", "install", "--no-index", "--quiet", str(ROOT),
                    executable=executable, ANYDML_LIBRARY=library, PYTHONPATH="",
                    PIP_DISABLE_PIP_VERSION_CHECK="1")
    assert result.returncode == 0, result.stderr
    return executable


def test_wheel_installs_and_finds_its_own_library(installed):
    code = ("import anydml, numpy\nassert 'site-packages' in anydml.__file__\n"
            "assert 'site-packages' in anydml._library.c._name\n"
            "print(anydml.relu(numpy.array([-1, 2], 'float32')), anydml.__version__)")
    result = python("-c", code, executable=installed, PYTHONPATH="", ANYDML_LIBRARY="")
    assert result.stdout == f"[0. 2.] {anydml.__version__}\n", result.stderr


def test_wheels_without_a_library_are_refused(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "python"))
    import build_backend
    monkeypatch.setenv("ANYDML_LIBRARY", str(tmp_path / "missing.so"))
    with pytest.raises(SystemExit, match="missing.so' must name the file of the library"):
        build_backend.build_wheel(str(tmp_path))
    monkeypatch.delenv("ANYDML_LIBRARY")
    monkeypatch.setattr(build_backend, "ROOT", tmp_path)       # where nothing can be built
    with pytest.raises(SystemExit, match="libanydml.so (could not be built: cmake|must be built)"):
        build_backend.find_library()


@pytest.mark.parametrize("cuda,preset", [("OFF", "release"), ("ON", "cuda")])
def test_wheels_with_cuda_serve_all_cards(tmp_path, monkeypatch, cuda, preset):
    monkeypatch.syspath_prepend(str(ROOT / "python"))
    import build_backend
    presets = {entry["name"]: entry for entry in
               json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]}
    assert presets["cuda"]["cacheVariables"]["ANYDML_CUDA_ARCHITECTURES"] == "80-real;90"
    program = tmp_path / "cmake"        # leaves a cache, and builds nothing
    program.write_text('#!/bin/sh\necho "$@" >>said\n[ "$1" = --build ] || { mkdir -p build/$2 && '
                       f'printf "\\nANYDML_CUDA:BOOL={cuda}\\n" >build/$2/CMakeCache.txt; }}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.delenv("ANYDML_LIBRARY", raising=False)
    monkeypatch.setattr(build_backend, "ROOT", tmp_path)
    assert build_backend.find_library() == tmp_path / "build" / preset / "lib" / "libanydml.so"
    said = (tmp_path / "said").read_text().splitlines()
    targets = "anydml anydml_cuda" if cuda == "ON" else "anydml"
    assert said[-1] == f"--build --preset {preset} --target {targets}"


def test_wheel_is_the_same_twice(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "python"))
    monkeypatch.setenv("ANYDML_LIBRARY", _library.c._name)
    import build_backend
    wheels = []
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        wheels.append(tmp_path / folder / build_backend.build_wheel(str(tmp_path / folder)))
    assert wheels[0].read_bytes() == wheels[1].read_bytes()
    names = set(zipfile.ZipFile(wheels[0]).namelist())
    assert {"anydml/__init__.py", "anydml/__init__.pyi", "anydml/torch/__init__.pyi",
            "anydml/py.typed", "anydml/libanydml.so"} <= names
    assert build_backend.version() == anydml.__version__


def test_wheel_lists_the_parts_of_its_library(tmp_path, monkeypatch):
    """Where they are known: the library lies in the folder that CMake built it in."""
    monkeypatch.syspath_prepend(str(ROOT / "python"))
    library = pathlib.Path(_library.c._name).resolve()
    monkeypatch.setenv("ANYDML_LIBRARY", str(library))
    import build_backend
    name = f"anydml-{anydml.__version__}.dist-info/sboms/anydml.spdx.json"
    if (library.parent.parent / "CMakeCache.txt").is_file() and shutil.which("dpkg-query"):
        wheel = zipfile.ZipFile(tmp_path / build_backend.build_wheel(str(tmp_path)))
        packages = json.loads(wheel.read(name))["packages"]
        (own, *others) = packages
        assert ("anydml/libanydml_cuda.so" in wheel.namelist()) == (
            "libanydml_cuda" in {package["name"] for package in packages})
        assert own["checksums"][0]["checksumValue"] == hashlib.sha256(
            wheel.read("anydml/libanydml.so")).hexdigest()
        assert "libtbb12" in {package["name"] for package in others}
    alone = shutil.copy(library, tmp_path / "libanydml.so")
    monkeypatch.setenv("ANYDML_LIBRARY", str(alone))
    wheel = zipfile.ZipFile(tmp_path / build_backend.build_wheel(str(tmp_path)))
    assert name not in wheel.namelist()
    assert "anydml/libanydml_cuda.so" not in wheel.namelist()


def test_wheel_carries_the_library_for_cards_that_lies_beside(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "python"))
    library = shutil.copy(_library.c._name, tmp_path / "libanydml.so")
    (tmp_path / "libanydml_cuda.so").write_bytes(b"kernels")
    monkeypatch.setenv("ANYDML_LIBRARY", str(library))
    import build_backend
    wheel = zipfile.ZipFile(tmp_path / build_backend.build_wheel(str(tmp_path)))
    assert wheel.read("anydml/libanydml_cuda.so") == b"kernels"
