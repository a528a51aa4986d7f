# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Training over training.h: losses, first values, optimizers and steps are the library's, so that
a network trains to the same bits from Python and from C++."""
import collections
import ctypes

from . import _arrays, _errors, _gradients, _library, _memory, _tree, _values

_check, _c = _library.check, _library.c
_MAX_TRAINERS = 4                          # of a state: each has all weights and moments

Adam = collections.namedtuple("Adam", "learning_rate beta1 beta2 epsilon",
                              defaults=(1e-3, 0.9, 0.999, 1e-8))
Adam.__doc__ = "ADAM_OPTIMIZER for every parameter."
Sgd = collections.namedtuple("Sgd", "learning_rate momentum", defaults=(1e-2, 0.0))
Sgd.__doc__ = "v = momentum * v + gradient, parameter -= v * learning_rate."


class _Optimizer(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("kind", ctypes.c_uint32),
                ("learning_rate", ctypes.c_float), ("momentum", ctypes.c_float),
                ("beta1", ctypes.c_float), ("beta2", ctypes.c_float), ("epsilon", ctypes.c_float)]


class _Parameter(ctypes.Structure):
    _fields_ = [("value", ctypes.c_uint32), ("next", ctypes.c_uint32), ("initial", ctypes.c_uint32),
                ("bound", ctypes.c_float)]


class _Weight(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("dimension_count", ctypes.c_uint32),
                ("sizes", ctypes.POINTER(ctypes.c_uint32)), ("values", ctypes.c_void_p)]


class _TrainerInfo(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("steps", ctypes.c_uint64),
                ("seed", ctypes.c_uint64), ("fed_count", ctypes.c_uint32),
                ("kept_count", ctypes.c_uint32), ("learning_rate", ctypes.c_float),
                ("model", ctypes.c_char_p)]


# ---- Losses

class _Loss:
    """An anydml_loss, recorded or on arrays."""

    def __init__(self, kind, name, takes_classes=False):
        self.kind, self.name, self.takes_classes = kind, name, takes_classes
        self.on_arrays = _gradients.Traced(self.record, name, (), True)

    def __call__(self, prediction, target):
        recorded = _values.is_value(prediction) or _values.is_value(target)
        return (self.record if recorded else self.on_arrays)(prediction, target)

    def record(self, prediction, target):
        graph = next(v.graph for v in (prediction, target) if _values.is_value(v))
        prediction = graph.of(prediction, f"{self.name}: the prediction")
        target = graph.of(target, f"{self.name}: the target")
        if self.takes_classes and "INT" in target.data_type:
            target = target.astype("uint32")
        number = ctypes.c_uint32()
        _check(_c.anydml_graph_loss(graph.handle, self.kind, prediction.number, target.number,
                                    ctypes.byref(number)))
        return graph.value(number.value).reshape(1)


_cross_entropy = _Loss(0, "cross_entropy", takes_classes=True)
_mean_square = _Loss(1, "mean_square")
_binary_cross_entropy = _Loss(2, "binary_cross_entropy")
_dice = _Loss(3, "dice")


def cross_entropy(scores, classes):
    """The mean of -log(softmax(scores)[class]) of scores (N, C, ...) and integers (N, ...)."""
    return _cross_entropy(scores, classes)


def mean_square(prediction, target):
    """The mean of (prediction - target)^2."""
    return _mean_square(prediction, target)


def binary_cross_entropy(scores, target):
    """The mean binary cross entropy of sigmoid(scores)."""
    return _binary_cross_entropy(scores, target)


def dice(scores, target):
    """1 - (2 sum(p t) + 1) / (sum(p) + sum(t) + 1) with p = sigmoid(scores)."""
    return _dice(scores, target)


# ---- Parameters

def _is_shape(tree):
    return isinstance(tree, (list, tuple)) and all(type(size) is int for size in tree)


def _integer(value, bits, name):
    if type(value) is not int or not 0 <= value < 2**bits:
        raise _errors.WrongType(f"{name} = {_errors.show(value)} must be an integer from 0 to "
                                f"2^{bits} - 1")
    return value


def uniform_parameters(shapes, seed=1):
    """float32 NumPy arrays for shapes in dicts, lists and tuples: uniform between +-sqrt(6 / n),
    where n is the product of all sizes but the first, and zeros for shapes of one dimension,
    which are biases. They follow from the seed and the name, such as "conv1.filter"."""
    import numpy
    _integer(seed, 64, "uniform_parameters: seed")
    leaves, structure = _tree.flatten(shapes, is_leaf=_is_shape)
    made = []
    for name, shape in leaves:
        if not _is_shape(shape) or not all(0 < size < 2**32 for size in shape):
            raise _errors.WrongType(f"uniform_parameters: {name} = {_errors.show(shape)} must be a "
                                    f"shape, a tuple of sizes")
        array = numpy.zeros(shape, "float32")
        if len(shape) > 1:
            sizes = (ctypes.c_uint32 * len(shape))(*shape)
            _check(_c.anydml_initial_weight(seed, _name(name), len(shape), sizes, 0,
                                            array.ctypes.data))
        made.append(array)
    return _tree.unflatten(structure, made)


def _name(name):
    """Of a parameter; one array alone has no keys that lead to it."""
    return (name or "parameter").encode()


def checksum(parameters):
    """SHA-256 of float32 arrays with their names and shapes, as 64 hexadecimal digits: of equal
    weights the same for every kind of array, device and language."""
    leaves, _ = _tree.flatten(parameters)
    weights, held = (_Weight * len(leaves))(), []
    for weight, (name, array) in zip(weights, leaves):
        layout, address, owner = _memory.in_host_memory(array, f"parameter {name}")
        if layout.data_type != "FLOAT32":
            raise _errors.WrongType(f"checksum: parameter {name} must be float32")
        sizes = layout.sizes or (1,)
        held.append(owner)
        weight.name, weight.dimension_count, weight.values = _name(name), len(sizes), address
        weight.sizes = (ctypes.c_uint32 * len(sizes))(*sizes)
    digits = ctypes.create_string_buffer(65)
    _check(_c.anydml_checksum(len(weights), weights, digits))
    return digits.value.decode()


def shuffle(seed, epoch, count):
    """The order of `count` samples in an epoch, a uint32 NumPy array: by seed and epoch alone."""
    import numpy
    for value, bits, name in ((seed, 64, "seed"), (epoch, 64, "epoch"), (count, 32, "count")):
        _integer(value, bits, f"shuffle: {name}")
    order = numpy.empty(count, "uint32")
    _check(_c.anydml_shuffle(seed, epoch, count, order.ctypes.data))
    return order


# ---- Steps

class _Trainer:
    """An anydml_trainer, released with this object."""

    handle = None

    def __init__(self, device, threads, graph, loss, parameters, optimizer):
        self.device = device
        self.handle = ctypes.c_void_p()
        kept = (_Parameter * len(parameters))(*[_Parameter(value.number) for value in parameters])
        own = _Optimizer(struct_size=ctypes.sizeof(_Optimizer), kind=isinstance(optimizer, Adam),
                         **optimizer._asdict())
        _check(_c.anydml_create_trainer(_library.device(device, threads), graph.handle, loss.number,
                                        len(kept), kept, ctypes.byref(own), 0,
                                        ctypes.byref(self.handle)))
        self.kept = self._kept()

    def __del__(self, release=_c.anydml_release_trainer):
        if self.handle:
            release(self.handle)

    def _kept(self):
        """(address, bytes) of what is kept from step to step by name."""
        info = _TrainerInfo(struct_size=ctypes.sizeof(_TrainerInfo))
        _check(_c.anydml_get_trainer_info(self.handle, ctypes.byref(info)))
        found = {}
        for index in range(info.kept_count):
            tensor = _library.TensorInfo(struct_size=ctypes.sizeof(_library.TensorInfo))
            memory = ctypes.c_void_p()
            _check(_c.anydml_get_kept_info(self.handle, index, ctypes.byref(tensor),
                                           ctypes.byref(memory)))
            found[tensor.name] = memory.value, tensor.total_bytes
        return found

    def write(self, name, address):
        to, size = self.kept[name]
        _library.copy(self.device, to, address, size)

    def step(self, addresses):
        fed, loss = (ctypes.c_void_p * len(addresses))(*addresses), ctypes.c_float()
        _check(_c.anydml_trainer_step(self.handle, len(fed), fed))
        _check(_c.anydml_trainer_loss(self.handle, ctypes.byref(loss)))
        return loss.value


class State:
    """What a training keeps from step to step, in memory of its device; a step changes it."""

    def __init__(self, owner, parameters):
        self._owner = owner
        leaves, self._structure = _tree.flatten(parameters)
        if not leaves:
            raise _errors.InvalidArgument("train_step: there are no parameters")
        self._names = [_name(name) for name, _ in leaves]
        self._originals = [array for _, array in leaves]
        self._kinds, self._layouts, self._first = [], [], []
        for name, array in zip(self._names, self._originals):
            where = f"parameter {name.decode()}"
            self._kinds.append(_arrays.kind_of(array, where))
            layout, address, _held = _memory.in_host_memory(array, where)
            if layout.data_type != "FLOAT32":
                raise _errors.WrongType(f"{where} is of type {layout.data_type.lower()} and must "
                                        f"be float32")
            copied = ctypes.create_string_buffer(_memory.byte_count(layout))
            ctypes.memmove(copied, address, len(copied))
            self._layouts.append(layout)
            self._first.append(copied)
        self._device = owner.device or self._layouts[0].device
        self._trainers = {}                # by the batches' shapes, the last one is in use
        self.steps = 0

    @property
    def parameters(self):
        """Copies of the parameters as they are now, of the kinds that they began with."""
        trainer = next(reversed(self._trainers.values()), None)
        made = []
        for name, kind, layout, first, original in zip(self._names, self._kinds, self._layouts,
                                                       self._first, self._originals):
            address = trainer.kept[name][0] if trainer else ctypes.addressof(first)
            made.append(_memory.new_array(kind, layout, original, address,
                                          self._device if trainer else "cpu"))
        return _tree.unflatten(self._structure, made)

    def _trainer(self, key, make):
        """The one for batches of these shapes, with the parameters and moments of the last one."""
        former = next(reversed(self._trainers.values()), None)
        found = self._trainers.pop(key, None) or make()
        if former is None:
            for name, first in zip(self._names, self._first):
                found.write(name, ctypes.addressof(first))
        elif found is not former:
            for name, (address, _) in former.kept.items():
                found.write(name, address)
        while len(self._trainers) >= _MAX_TRAINERS:
            del self._trainers[next(iter(self._trainers))]
        self._trainers[key] = found
        return found


class TrainStep:
    """See train_step()."""

    def __init__(self, loss, optimizer, device, threads):
        if not callable(loss):
            raise _errors.WrongType(f"train_step: {_errors.show(loss)} must be a function")
        if not isinstance(optimizer, (Adam, Sgd)):
            raise _errors.WrongType(f"train_step: {_errors.show(optimizer)} must be an anydml.Adam "
                                    f"or an anydml.Sgd")
        self.loss, self.optimizer = loss, optimizer
        self.device = None if device is None else _library.full_name(device)
        self.threads = _library.thread_count(threads)

    def init(self, parameters):
        """The state of a training that begins with these parameters."""
        return State(self, parameters)

    def __call__(self, state, *batch):
        """(state, loss) after a step; the state is the same object."""
        if not isinstance(state, State) or state._owner is not self:
            raise _errors.WrongType("train_step: the first argument must be a state that init() of "
                                    "this step gave")
        arguments = _gradients.Arguments(
            "train_step", [(f"batch {i}", tree) for i, tree in enumerate(batch)], ())
        arrays = [leaf for leaf in arguments.leaves if not isinstance(leaf[1], _gradients.STATIC)]
        fed = [_memory.in_host_memory(array, name) for name, array in arrays]
        key = (arguments.structures, arguments.static(),
               *[(layout.data_type, tuple(layout.sizes)) for layout, _, _ in fed])
        trainer = state._trainer(key, lambda: self._trace(state, arguments, arrays, fed))
        value = trainer.step([address for _, address, _ in fed])
        state.steps += 1
        return state, value

    def _trace(self, state, arguments, arrays, fed):
        graph = _values.Graph()
        parameters = [graph.input(name.decode(), layout)
                      for name, layout in zip(state._names, state._layouts)]
        values = [graph.input(name, layout) for (name, _), (layout, _, _) in zip(arrays, fed)]
        tree = _tree.unflatten(state._structure, parameters)
        loss = _gradients.call(lambda *batch: self.loss(tree, *batch), arguments, values)
        _gradients.check_loss("train_step", loss)
        return _Trainer(state._device, self.threads, graph, loss, parameters, self.optimizer)


def train_step(loss, optimizer, *, device=None, threads=0):
    """A step of a training: forward, backward and the optimizer, as one graph on a device (that of
    the parameters where none is named).

        step = anydml.train_step(loss, anydml.Adam(2e-3))
        state = step.init(parameters)
        state, value = step(state, x, t)

    loss(parameters, x, t) returns one element; it is traced once per shapes, types and numbers of
    a batch. state.parameters are arrays of the kinds that init() was given."""
    return TrainStep(loss, optimizer, device, threads)
