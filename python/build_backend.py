# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Build back end (PEP 517) without requirements: the package's files and the library in one wheel, and
beside the library libanydml_cuda.so where there is one.

The library is the file that ANYDML_LIBRARY names, else that of build/release, which CMake brings up
to date first; where that has CUDA, that of build/cuda, because the preset release leaves cards below
compute capability 9.0 out. One wheel serves every Python from 3.9 on, since ctypes needs no compiler.
"""
import base64
import hashlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "anydml"
SUFFIXES = {".py", ".pyi", ".typed"}
LIBRARY = "libanydml.so"
CUDA_LIBRARY = "libanydml_cuda.so"


def version():
    return re.search(r"project\(anydml VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def tag():
    return "py3-none-" + re.sub(r"[-.]", "_", sysconfig.get_platform())


def metadata():
    return (f"Metadata-Version: 2.1\nName: anydml\nVersion: {version()}\n"
            "Summary: DirectML's training operators on any machine, exact and deterministic\n"
            "License: MIT\nRequires-Python: >=3.9\nDescription-Content-Type: text/markdown\n\n"
            + (ROOT / "README.md").read_text())


def find_library():
    named = os.environ.get("ANYDML_LIBRARY")
    if named and not pathlib.Path(named).is_file():
        raise SystemExit(f"ANYDML_LIBRARY = {named!r} must name the file of the library")
    if named:
        return pathlib.Path(named)
    if shutil.which("cmake") is None:
        raise SystemExit("libanydml.so must be built first and cmake is missing: run make build, "
                         "or name the library by ANYDML_LIBRARY")
    preset, targets = "release", ["anydml"]
    run_cmake("--preset", preset)
    if has_cuda(ROOT / "build" / preset):
        preset, targets = "cuda", ["anydml", "anydml_cuda"]
        run_cmake("--preset", preset)
    run_cmake("--build", "--preset", preset, "--target", *targets)
    return ROOT / "build" / preset / "lib" / LIBRARY


def libraries():
    """(name in the package, file) of the library and of what it opens beside itself."""
    library = find_library()
    yield LIBRARY, library
    cuda = library.resolve().with_name(CUDA_LIBRARY)
    if cuda.is_file():
        yield CUDA_LIBRARY, cuda


def run_cmake(*step):
    if subprocess.run(["cmake", *step], cwd=ROOT).returncode:
        raise SystemExit(f"libanydml.so could not be built: cmake {' '.join(step)} failed, for "
                         f"the reasons above; make build also installs what it needs")


def has_cuda(build):
    return "\nANYDML_CUDA:BOOL=ON\n" in (build / "CMakeCache.txt").read_text()


def package_files():
    """(path in the wheel, contents) of the Python files."""
    for path in sorted(PACKAGE.rglob("*")):
        if path.suffix in SUFFIXES:
            yield path.relative_to(PACKAGE.parent).as_posix(), path.read_bytes()


def info_files():
    yield "METADATA", metadata().encode()
    yield "WHEEL", ("Wheel-Version: 1.0\nGenerator: anydml\nRoot-Is-Purelib: false\n"
                    f"Tag: {tag()}\n").encode()
    yield "LICENSE", (ROOT / "LICENSE").read_bytes()


def parts_files(shipped):
    """The list of the libraries' parts (PEP 770), where it can be made: beside CMake's cache and
    Debian's list of packages."""
    build = shipped[0].resolve().parent.parent
    if not (build / "CMakeCache.txt").is_file() or shutil.which("dpkg-query") is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "anydml.spdx.json")
        subprocess.run([sys.executable, ROOT / "tools/make_sbom", build, out, *shipped], check=True)
        yield "sboms/anydml.spdx.json", out.read_bytes()


def record_line(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def add(wheel, name, data):
    """With a fixed date, so that equal contents make equal wheels."""
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.external_attr = 0o644 << 16
    wheel.writestr(entry, data, zipfile.ZIP_DEFLATED)


def write_wheel(folder, files, more_info=()):
    info = f"anydml-{version()}.dist-info"
    files = list(files) + [(f"{info}/{name}", data) for name, data in [*info_files(), *more_info]]
    name = f"anydml-{version()}-{tag()}.whl"
    record = "".join(record_line(*file) for file in files) + f"{info}/RECORD,,\n"
    with zipfile.ZipFile(pathlib.Path(folder) / name, "w") as wheel:
        for path, data in files + [(f"{info}/RECORD", record.encode())]:
            add(wheel, path, data)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    found = list(libraries())
    return write_wheel(wheel_directory,
                       [*package_files(),
                        *((f"anydml/{name}", file.read_bytes()) for name, file in found)],
                       parts_files([file for _, file in found]))


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """The package where it lies; the library goes by ANYDML_LIBRARY or the loader."""
    return write_wheel(wheel_directory, [("anydml.pth", f"{PACKAGE.parent}\n".encode())])


def build_sdist(sdist_directory, config_settings=None):
    """What git knows."""
    base = f"anydml-{version()}"
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True,
                           capture_output=True).stdout.decode().split("\0")
    with tarfile.open(pathlib.Path(sdist_directory) / f"{base}.tar.gz", "w:gz") as archive:
        for name in filter(None, names):
            archive.add(ROOT / name, f"{base}/{name}", recursive=False)
        # PKG-INFO is what tells an archive from a checkout.
        info = tarfile.TarInfo(f"{base}/PKG-INFO")
        data = metadata().encode()
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
    return f"{base}.tar.gz"
