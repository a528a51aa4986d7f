# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Training over training.h: losses, first values, optimizers and steps are the library's, so that
a network trains to the same bits from Python and from C++."""
import collections
import ctypes
import numbers
import os

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


class _Schedule(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("kind", ctypes.c_uint32),
                ("learning_rate", ctypes.c_float), ("factor", ctypes.c_float),
                ("last", ctypes.c_float), ("warm_up", ctypes.c_uint64),
                ("steps", ctypes.c_uint64)]


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
                ("model", ctypes.c_char_p), ("memory_bytes", ctypes.c_uint64)]


# ---- Learning rates that change

def _schedule(kind, name, fields, defaults, doc):
    class Schedule(collections.namedtuple(name, fields, defaults=defaults)):
        __slots__ = ()

        def at(self, steps):
            """The rate for the step that follows so many others."""
            given = {field: _integer(value, 64, f"{name}: {field}")
                     if field in ("steps", "warm_up") else value
                     for field, value in self._asdict().items()}
            own = _Schedule(struct_size=ctypes.sizeof(_Schedule), kind=kind,
                            **{"factor": 1, **given})
            rate = ctypes.c_float()
            _check(_c.anydml_scheduled_rate(ctypes.byref(own),
                                            _integer(steps, 64, f"{name}: steps made"),
                                            ctypes.byref(rate)))
            return rate.value

    Schedule.__name__ = Schedule.__qualname__ = name
    Schedule.__doc__ = doc + " state.learning_rate = rate.at(state.steps) before a step."
    return Schedule


Constant = _schedule(0, "Constant", "learning_rate warm_up", (0,),
                     "A rate to which the first warm_up steps rise.")
StepDecay = _schedule(1, "StepDecay", "learning_rate steps factor warm_up", (0.1, 0),
                      "A rate that is multiplied by factor after every so many steps.")
Cosine = _schedule(2, "Cosine", "learning_rate steps last warm_up", (0, 0),
                   "Half a wave from a rate to the last one, in so many steps after the warm-up.")


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

def _path(folder):
    path = os.fsencode(folder)
    if b"\0" in path:                      # C would read what stands before it
        raise _errors.InvalidArgument(f"{folder!r} has a zero and is no folder's name")
    return path


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

    def info(self):
        info = _TrainerInfo(struct_size=ctypes.sizeof(_TrainerInfo))
        _check(_c.anydml_get_trainer_info(self.handle, ctypes.byref(info)))
        return info

    def __del__(self, release=_c.anydml_release_trainer):
        if self.handle:
            release(self.handle)

    def _kept(self):
        """(address, bytes) of what is kept from step to step by name."""
        found = {}
        for index in range(self.info().kept_count):
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
        self._rate = owner.optimizer.learning_rate
        self.steps = 0

    @property
    def parameters(self):
        """Copies of the parameters as they are now, of the kinds that they began with."""
        trainer = self._in_use()
        made = []
        for name, kind, layout, first, original in zip(self._names, self._kinds, self._layouts,
                                                       self._first, self._originals):
            address = trainer.kept[name][0] if trainer else ctypes.addressof(first)
            made.append(_memory.new_array(kind, layout, original, address,
                                          self._device if trainer else "cpu"))
        return _tree.unflatten(self._structure, made)

    def _in_use(self):
        return next(reversed(self._trainers.values()), None)

    @property
    def learning_rate(self):
        """That of the following steps; it may be set between any two."""
        return self._rate

    @learning_rate.setter
    def learning_rate(self, rate):
        if not isinstance(rate, numbers.Real):
            raise _errors.WrongType(f"learning_rate = {_errors.show(rate)} must be a number")
        rate = Constant(rate).at(0)        # refused where it is none
        trainer = self._in_use()
        if trainer:
            _check(_c.anydml_trainer_set_learning_rate(trainer.handle, rate))
        self._rate = rate

    def save(self, folder, position=0):
        """A checkpoint (docs/training.md): the folder appears whole or not at all. `position` is
        the caller's, how far it is in its data."""
        trainer = self._in_use()
        if not trainer:
            raise _errors.InvalidArgument("save: this state has made no step; its parameters are "
                                          "those that init() was given")
        _check(_c.anydml_trainer_save(trainer.handle, _path(folder),
                                      _integer(position, 64, "save: position")))

    def load(self, folder, *batch):
        """Goes on where a checkpoint was saved, with the same bits. The step has the same loss and
        optimizer, and `batch` the shapes of the last one before. Returns the position."""
        arguments, arrays, fed, key = self._owner._look("load", batch)
        trainer = self._owner._trace(self, arguments, arrays, fed)
        position = ctypes.c_uint64()
        _check(_c.anydml_trainer_load(trainer.handle, _path(folder),
                                      ctypes.byref(position)))
        info = trainer.info()
        self._trainers = {key: trainer}
        self._rate, self.steps = info.learning_rate, info.steps
        return position.value

    def _trainer(self, key, make):
        """The one for batches of these shapes, with the parameters and moments of the last one."""
        former = self._in_use()
        found = self._trainers.pop(key, None) or make()
        if former is None:
            for name, first in zip(self._names, self._first):
                found.write(name, ctypes.addressof(first))
            _check(_c.anydml_trainer_set_learning_rate(found.handle, self._rate))
        elif found is not former:
            _check(_c.anydml_trainer_continue(found.handle, former.handle))
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
        arguments, arrays, fed, key = self._look("train_step", batch)
        trainer = state._trainer(key, lambda: self._trace(state, arguments, arrays, fed))
        value = trainer.step([address for _, address, _ in fed])
        state.steps += 1
        return state, value

    def _look(self, where, batch):
        """The batch's arrays in the host's memory, and a key of all that is compiled."""
        arguments = _gradients.Arguments(
            where, [(f"batch {i}", tree) for i, tree in enumerate(batch)], ())
        arrays = [leaf for leaf in arguments.leaves if not isinstance(leaf[1], _gradients.STATIC)]
        fed = [_memory.in_host_memory(array, name) for name, array in arrays]
        key = (arguments.structures, arguments.static(),
               *[(layout.data_type, tuple(layout.sizes)) for layout, _, _ in fed])
        return arguments, arrays, fed, key

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
