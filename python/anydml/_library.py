# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""libanydml.so by ctypes: the functions of anydml.h that this package needs, and nothing of arrays.

The library is looked for in the file that ANYDML_LIBRARY names, beside this package, then by the
system's loader. ctypes.CDLL releases the GIL during every call.
"""
import ctypes
import operator
import os
import pathlib
import threading

from . import _errors

FILE_NAME = "libanydml.so"
LOADER_NAME = "libanydml.so.0"
VERSION = "0.1.0"    # that of the library, as the project's CMakeLists.txt has it

_Handle = ctypes.c_void_p
_Pointers = ctypes.POINTER(ctypes.c_void_p)
_Out = ctypes.POINTER(_Handle)
_Uint = ctypes.c_uint32
_Uints = ctypes.POINTER(_Uint)


class _DeviceOptions(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("threads", ctypes.c_uint32),
                ("feature_level", ctypes.c_uint32), ("exchange_pixel_offsets", ctypes.c_int32)]


class _OperatorInfo(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("name", ctypes.c_char_p),
                ("type", ctypes.c_uint32), ("input_count", ctypes.c_uint32),
                ("output_count", ctypes.c_uint32), ("temporary_bytes", ctypes.c_uint64),
                ("strategy", ctypes.c_char_p), ("table_bytes", ctypes.c_uint64)]


class TensorInfo(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("name", ctypes.c_char_p),
                ("is_present", ctypes.c_uint32), ("data_type", ctypes.c_uint32),
                ("dimension_count", ctypes.c_uint32), ("sizes", ctypes.c_uint32 * 8),
                ("strides", ctypes.c_uint32 * 8), ("total_bytes", ctypes.c_uint64),
                ("may_be_overwritten", ctypes.c_uint32)]


class _DeviceInfo(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("name", ctypes.c_char_p),
                ("description", ctypes.c_char_p), ("memory_bytes", ctypes.c_uint64),
                ("threads", ctypes.c_uint32)]


class _Execution(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("inputs", _Pointers), ("outputs", _Pointers),
                ("temporary", ctypes.c_void_p), ("stream", ctypes.c_void_p)]


# Arguments and result of each function.
_FUNCTIONS = {
    "anydml_version": ([], ctypes.c_char_p),
    "anydml_last_error": ([], ctypes.c_char_p),
    "anydml_operators_json": ([], ctypes.c_char_p),
    "anydml_device_count": ([], ctypes.c_size_t),
    "anydml_get_device_info": ([ctypes.c_size_t, ctypes.POINTER(_DeviceInfo)], ctypes.c_int),
    "anydml_open_device": ([ctypes.c_char_p, ctypes.POINTER(_DeviceOptions),
                            ctypes.POINTER(_Handle)], ctypes.c_int),
    "anydml_create_operator_from_json": ([_Handle, ctypes.c_char_p, ctypes.POINTER(_Handle)],
                                         ctypes.c_int),
    "anydml_describe_output": ([ctypes.c_char_p, ctypes.c_uint32, ctypes.POINTER(TensorInfo)],
                               ctypes.c_int),
    "anydml_release_operator": ([_Handle], None),
    "anydml_get_operator_info": ([_Handle, ctypes.POINTER(_OperatorInfo)], ctypes.c_int),
    "anydml_execute": ([_Handle, _Pointers, _Pointers], ctypes.c_int),
    "anydml_start": ([_Handle, ctypes.POINTER(_Execution), ctypes.POINTER(_Handle)], ctypes.c_int),
    "anydml_wait": ([_Handle], ctypes.c_int),
    "anydml_release_event": ([_Handle], None),
    "anydml_allocate": ([_Handle, ctypes.c_uint64, ctypes.POINTER(ctypes.c_void_p)], ctypes.c_int),
    "anydml_free": ([_Handle, ctypes.c_void_p], None),
    "anydml_copy": ([_Handle, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64], ctypes.c_int),
    "anydml_memory_device": ([ctypes.c_void_p, ctypes.POINTER(ctypes.c_char_p)], ctypes.c_int),
    "anydml_synchronize": ([_Handle, ctypes.c_void_p], ctypes.c_int),
    **{name: (arguments, ctypes.c_int) for name, arguments in {
        "anydml_graph_create": [_Out],
        "anydml_graph_input": [_Handle, ctypes.c_char_p, _Uint, _Uint, _Uints, _Uints],
        "anydml_graph_constant": [_Handle, _Uint, _Uint, _Uints, ctypes.c_void_p, _Uints],
        "anydml_graph_operator": [_Handle, ctypes.c_char_p, _Uint, _Uints, _Uint, _Uints],
        "anydml_graph_view": [_Handle, _Uint, _Uint, _Uints, _Uints, _Uints],
        "anydml_graph_value_info": [_Handle, _Uint, ctypes.POINTER(TensorInfo)],
        "anydml_graph_gradients": [_Handle, _Uint, _Uint, _Uints, _Uints],
        "anydml_graph_set_name": [_Handle, _Uint, ctypes.c_char_p],
        "anydml_graph_to_json": [_Handle, _Uint, _Uints, ctypes.POINTER(ctypes.c_char_p)],
        "anydml_graph_compile": [_Handle, _Handle, _Uint, _Uints, _Uint, ctypes.c_void_p, _Out],
        "anydml_graph_loss": [_Handle, ctypes.c_int, _Uint, _Uint, _Uints],
        "anydml_create_trainer": [_Handle, _Handle, _Uint, _Uint, ctypes.c_void_p, ctypes.c_void_p,
                                  ctypes.c_uint64, _Out],
        "anydml_trainer_step": [_Handle, _Uint, _Pointers],
        "anydml_trainer_loss": [_Handle, ctypes.POINTER(ctypes.c_float)],
        "anydml_trainer_set_learning_rate": [_Handle, ctypes.c_float],
        "anydml_trainer_continue": [_Handle, _Handle],
        "anydml_trainer_save": [_Handle, ctypes.c_char_p, ctypes.c_uint64],
        "anydml_trainer_load": [_Handle, ctypes.c_char_p, ctypes.POINTER(ctypes.c_uint64)],
        "anydml_scheduled_rate": [ctypes.c_void_p, ctypes.c_uint64,
                                  ctypes.POINTER(ctypes.c_float)],
        "anydml_get_trainer_info": [_Handle, ctypes.c_void_p],
        "anydml_get_kept_info": [_Handle, _Uint, ctypes.POINTER(TensorInfo), _Out],
        "anydml_initial_weight": [ctypes.c_uint64, ctypes.c_char_p, _Uint, _Uints, ctypes.c_float,
                                  ctypes.c_void_p],
        "anydml_checksum": [_Uint, ctypes.c_void_p, ctypes.c_char_p],
        "anydml_shuffle": [ctypes.c_uint64, ctypes.c_uint64, _Uint, ctypes.c_void_p],
    }.items()},
    "anydml_graph_release": ([_Handle], None),
    "anydml_release_trainer": ([_Handle], None),
}


_WHERE = ("It is looked for in the file that ANYDML_LIBRARY names, beside this package, then by the "
          "system's loader")


def _declare(library, name):
    """Tells ctypes the functions of a library that is of this package's version."""
    for function, (arguments, result) in _FUNCTIONS.items():
        try:
            found = getattr(library, function)
        except AttributeError:
            raise ImportError(f"AnyDML's library cannot be used: {name} has no function {function} "
                              f"and is another library, or an older one. {_WHERE}.") from None
        found.argtypes, found.restype = arguments, result
        if function == "anydml_version":   # the first: those of another version are not called
            _check_version(found().decode(errors="replace"), name)


def _check_version(found, name):
    if found.split(".")[:2] != VERSION.split(".")[:2]:
        raise ImportError(f"AnyDML's library cannot be used: {name} is of version {found}, and "
                          f"this package is of version {VERSION}. {_WHERE}.")


def _open():
    beside = pathlib.Path(__file__).parent / FILE_NAME
    name = os.environ.get("ANYDML_LIBRARY") or (str(beside) if beside.exists() else LOADER_NAME)
    if os.sep in name:
        name = os.path.abspath(name)    # libanydml_cuda.so is looked for beside an absolute path
    try:
        opened = ctypes.CDLL(name)
    except OSError as error:
        raise ImportError(f"AnyDML's library cannot be loaded: {error}. {_WHERE}; it needs "
                          f"Debian's packages libtbb12, libfmt9 and libhwy1.") from None
    _declare(opened, name)
    return opened


c = _open()
execute = c.anydml_execute
start = c.anydml_start
_EXECUTION_SIZE = ctypes.sizeof(_Execution)


def check(status):
    """Raises the exception of a status that is not 0, with the library's sentence."""
    if status:
        raise _errors.BY_STATUS.get(status, _errors.InternalError)(c.anydml_last_error().decode())


def version():
    return c.anydml_version().decode()


def operators_json():
    return c.anydml_operators_json().decode()


def describe_output(json, index):
    """Data type (its number in DirectML) and sizes of an output that a description leaves out."""
    info = TensorInfo(struct_size=ctypes.sizeof(TensorInfo))
    check(c.anydml_describe_output(json.encode(), index, ctypes.byref(info)))
    return info.data_type, tuple(info.sizes[:info.dimension_count])


def devices():
    """Names of the devices of this machine with a description for people."""
    found = {}
    for index in range(c.anydml_device_count()):
        info = _DeviceInfo(struct_size=ctypes.sizeof(_DeviceInfo))
        check(c.anydml_get_device_info(index, ctypes.byref(info)))
        found[info.name.decode()] = info.description.decode()
    return found


_lock = threading.Lock()
_open_devices = {}


def _device(name, threads):
    """The handle of a device; each is opened once and lives as long as the process."""
    with _lock:
        if (name, threads) not in _open_devices:
            options = _DeviceOptions(struct_size=ctypes.sizeof(_DeviceOptions), threads=threads,
                                     exchange_pixel_offsets=-1)
            handle = _Handle()
            check(c.anydml_open_device(name.encode(), ctypes.byref(options),
                                       ctypes.byref(handle)))
            _open_devices[name, threads] = handle
        return _open_devices[name, threads]


def thread_count(threads):
    """What a caller says as an int. True and 1.0 are equal to 1, and are none."""
    try:
        if isinstance(threads, bool):
            raise TypeError
        return operator.index(threads)
    except TypeError:
        raise _errors.WrongType(f"threads = {_errors.show(threads)} must be an integer; 0 is one "
                                f"per core") from None


def device(name, threads=0):
    """The handle of a device by what a caller says. Threads are the CPU's."""
    if not isinstance(name, str):
        raise _errors.WrongType(f"device = {_errors.show(name)} must be a text such as 'cpu'")
    if not (name.isascii() and name.isprintable()):     # C would read "cpu\0x" as "cpu"
        raise _errors.InvalidArgument(f"device = {name!r} must hold printable ASCII alone")
    threads = thread_count(threads)
    if not 0 <= threads < 2**32:
        raise _errors.InvalidArgument(f"threads = {_errors.show(threads)} must not be negative or "
                                      f"huge")
    return _device(name, threads if name == "cpu" else 0)


def full_name(name):
    """Of a device that is here; "cuda" is the first of its kind."""
    device(name)                           # refused if there is none
    return next(n for n in devices() if n.startswith(name)) if name == "cuda" else name


def memory_device(pointer):
    """The name of the device that memory belongs to."""
    name = ctypes.c_char_p()
    check(c.anydml_memory_device(pointer, ctypes.byref(name)))
    return name.value.decode()


def synchronize(device_name, stream):
    check(c.anydml_synchronize(device(device_name), stream))


def copy(device_name, to, source, size):
    """Between any two of the host's memory and the device's; returns when done."""
    check(c.anydml_copy(device(device_name), to, source, size))


class Memory:
    """Memory of a device, freed with this object."""

    handle = None                          # for __del__, if __init__ fails or is not called

    def __init__(self, device_name, size):
        found, memory = device(device_name), ctypes.c_void_p()
        check(c.anydml_allocate(found, size, ctypes.byref(memory)))
        self.handle, self.pointer, self.size = found, memory.value, size

    def read(self, address):
        """Copies all of it to the host's memory."""
        check(c.anydml_copy(self.handle, address, self.pointer, self.size))

    def write(self, address):
        """Fills all of it, from the host's memory or the device's."""
        check(c.anydml_copy(self.handle, self.pointer, address, self.size))

    def __del__(self, free=c.anydml_free):
        if self.handle:
            free(self.handle, self.pointer)


class CompiledOperator:
    """An anydml_operator, released with this object."""

    def __init__(self, device_name, threads, json):
        self.handle = _Handle()
        check(c.anydml_create_operator_from_json(device(device_name, threads), json.encode(),
                                                 ctypes.byref(self.handle)))

    def _info(self):
        info = _OperatorInfo(struct_size=ctypes.sizeof(_OperatorInfo))
        check(c.anydml_get_operator_info(self.handle, ctypes.byref(info)))
        return info

    def strategy(self):
        return self._info().strategy.decode()

    def temporary_bytes(self):
        return self._info().temporary_bytes

    def table_bytes(self):
        return self._info().table_bytes

    def start(self, inputs, outputs, temporary, stream):
        """Puts an execution on a stream and returns."""
        execution = _Execution(_EXECUTION_SIZE, inputs, outputs, temporary, stream)
        check(start(self.handle, execution, None))

    def run(self, inputs, outputs, stream):
        """Puts an execution on a stream and waits for it."""
        execution, event = _Execution(_EXECUTION_SIZE, inputs, outputs, None, stream), _Handle()
        check(start(self.handle, execution, ctypes.byref(event)))
        status = c.anydml_wait(event)
        c.anydml_release_event(event)
        check(status)

    def __del__(self, release=c.anydml_release_operator):
        if self.handle:
            release(self.handle)


def _renew_lock():
    global _lock
    _lock = threading.Lock()


# A thread that a forked child does not have may hold it. The library itself serves a child, on one
# thread, or refuses it in words.
os.register_at_fork(after_in_child=_renew_lock)
