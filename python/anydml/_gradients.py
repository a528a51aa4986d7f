# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Gradients of Python functions: traced once per shapes and types, compiled to one operator."""
import ctypes
import numbers

from . import _arrays, _cache, _errors, _layouts, _library, _memory, _streams, _tree, _values

STATIC = (numbers.Number, str)            # leaves that are no arrays: part of what is compiled


class Arguments:
    """The arguments of a call, array by array."""

    def __init__(self, where, given, named):
        self.where = where
        flat = [_tree.flatten(tree, name) for name, tree in given]
        self.leaves = [leaf for leaves, _ in flat for leaf in leaves]
        self.structures = tuple(structure for _, structure in flat)
        self.counts = [len(leaves) for leaves, _ in flat]
        self.named = named                 # how many of them, at the end, are keywords

    def is_static(self, index):
        return isinstance(self.leaves[index][1], STATIC)

    def static(self):
        """A key of the numbers and texts, which are part of what is compiled."""
        return tuple((type(leaf), repr(leaf)) for _, leaf in self.leaves
                     if isinstance(leaf, STATIC))

    def places(self, number):
        """Of the leaves of an argument."""
        first = sum(self.counts[:number])
        return range(first, first + self.counts[number])

    def look(self):
        """Reads the arrays: kinds, memory, layouts, and a key of all that is compiled."""
        self.arrays = [i for i in range(len(self.leaves)) if not self.is_static(i)]
        names = [self.leaves[i][0] for i in self.arrays]
        originals = [self.leaves[i][1] for i in self.arrays]
        self.kinds = [_arrays.kind_of(array, name) for array, name in zip(originals, names)]
        self.held, self.layouts = [], []
        for kind, array, name in zip(self.kinds, originals, names):
            if kind.borrows:
                stream = _streams.current(self.kinds, originals)
                array = kind.borrow(array, name, stream)
            array, layout = _memory.packed(kind, array, name)
            self.held.append(array)
            self.layouts.append(layout)
        return (self.structures, self.named, self.static(), tuple(self.kinds),
                *[(layout.data_type, tuple(layout.sizes), layout.device)
                  for layout in self.layouts])

    def device(self):
        """That of all arrays."""
        for i, layout in zip(self.arrays, self.layouts):
            if layout.device != self.layouts[0].device:
                raise _errors.InvalidArgument(
                    f"{self.where}: {self.leaves[i][0]} is on {layout.device} and "
                    f"{self.leaves[self.arrays[0]][0]} is on {self.layouts[0].device}; all arrays "
                    f"must be on one device")
        if not self.layouts:
            raise _errors.WrongType(f"{self.where}: one of the arguments must be an array")
        return self.layouts[0].device

    def with_leaves(self, leaves):
        """The same arguments with others in the place of their leaves."""
        leaves = iter(leaves)
        return [_tree.unflatten(structure, leaves) for structure in self.structures]


def call(function, arguments, values):
    """The function's result for values in the place of the arrays."""
    values = iter(values)
    trees = arguments.with_leaves(leaf if isinstance(leaf, STATIC) else next(values)
                                  for _, leaf in arguments.leaves)
    count = len(trees) - len(arguments.named)
    return function(*trees[:count], **dict(zip(arguments.named, trees[count:])))


def check_loss(where, loss):
    if not _values.is_value(loss):
        raise _errors.WrongType(f"{where}: the function returned {type(loss).__name__!r} and must "
                                f"return an anydml.Value that depends on its arguments")
    if _layouts.product(loss.shape) != 1:
        raise _errors.InvalidArgument(f"{where}: the function returned a Value of shape "
                                      f"{loss.shape} and must return one element, a .sum() or "
                                      f".mean() for one")
    return loss


class _Compiled:
    """An operator with the ways to make its results."""

    def __init__(self, graph, arguments, device, threads, values, makers):
        self.operator = _values.CompiledGraph(device, threads, graph, values)
        self.table_bytes = self.operator.table_bytes() + graph.constant_bytes
        self.makers = makers               # (kind that makes, maker, leaf whose kind it shall be)
        self.input_type = ctypes.c_void_p * len(arguments.held)
        self.output_type = ctypes.c_void_p * len(makers)
        self.launch = None if device == "cpu" else (
            _streams.Launcher(self.operator, device, arguments.kinds))

    def run(self, arguments):
        results = [maker() for _, maker, _ in self.makers]
        inputs = self.input_type(*[k.pointer(a) for k, a in zip(arguments.kinds, arguments.held)])
        outputs = self.output_type(*[kind.pointer(result) for (kind, _, _), result
                                     in zip(self.makers, results)])
        if self.launch is not None:
            self.launch(inputs, outputs)
        else:
            _library.check(_library.execute(self.operator.handle, inputs, outputs))
        return [result if original is None else
                _arrays.like_callers(result, arguments.leaves[original][1])
                for (_, _, original), result in zip(self.makers, results)]


class Traced(_cache.Cache):
    """A function of arrays that is compiled: its value, its gradients, or both."""

    def __init__(self, function, where, argnums, with_value, threads=0):
        super().__init__()
        if not callable(function):
            raise _errors.WrongType(f"{where}: {_errors.show(function)} must be a function")
        self.function = function
        self.where = where
        self.argnums = self._numbers(argnums)
        self.is_one = not isinstance(argnums, tuple)
        self.with_value = with_value
        self.threads = _library.thread_count(threads)
        self.__name__ = getattr(function, "__name__", where)
        self.__doc__ = getattr(function, "__doc__", None)
        self.__wrapped__ = function

    def _numbers(self, argnums):
        found = argnums if isinstance(argnums, tuple) else (argnums,)
        if not all(isinstance(n, int) and n >= 0 for n in found) or len(set(found)) != len(found):
            raise _errors.WrongType(f"{self.where}: argnums = {_errors.show(argnums)} must be the "
                                    f"number of an argument, or a tuple of such")
        return found

    def __call__(self, *args, **kwargs):
        if any(number >= len(args) for number in self.argnums):
            raise _errors.InvalidArgument(f"{self.where}: argnums has {max(self.argnums)} and the "
                                          f"call has {len(args)} arguments that are not keywords")
        named = [(f"argument {i}", tree) for i, tree in enumerate(args)]
        named += [(f"argument {name}", tree) for name, tree in kwargs.items()]
        arguments = Arguments(self.where, named, tuple(kwargs))
        if any(_values.is_value(leaf) for _, leaf in arguments.leaves):
            return self._inside(arguments)
        key = arguments.look()
        compiled = self._find(key)
        if compiled is None:
            compiled = self._compile(arguments)
            self._keep(key, compiled)
        return self._arrange(arguments, compiled.run(arguments))

    def _inside(self, arguments):
        """Within the trace of another function: nodes of its graph."""
        graph = next(leaf.graph for _, leaf in arguments.leaves if _values.is_value(leaf))
        places = [i for i in range(len(arguments.leaves)) if not arguments.is_static(i)]
        values = [graph.of(arguments.leaves[i][1], f"{self.where}: {arguments.leaves[i][0]}")
                  for i in places]
        return self._arrange(arguments, self._outputs(graph, arguments, dict(zip(places, values))))

    def _differentiated(self, arguments):
        return [place for number in self.argnums for place in arguments.places(number)]

    def _outputs(self, graph, arguments, values):
        """The loss, the gradients or both; `values` are by their places among the leaves."""
        of = self._differentiated(arguments)
        for place in of:
            name, leaf = arguments.leaves[place]
            found = values[place].dtype if place in values else repr(type(leaf).__name__)
            if found not in ("float16", "float32"):
                raise _errors.WrongType(f"{self.where}: {name} is of type {found}, and only arrays "
                                        f"of float16 and float32 have gradients; argnums says "
                                        f"which arguments are differentiated")
        loss = call(self.function, arguments, values.values())
        if self.argnums:
            check_loss(self.where, loss)
        outputs = [loss] if self.with_value else []
        return outputs + (graph.gradients(loss, [values[place] for place in of]) if of else [])

    def _compile(self, arguments):
        device = arguments.device()
        graph = _values.Graph()
        values = {place: graph.input(arguments.leaves[place][0], layout)
                  for place, layout in zip(arguments.arrays, arguments.layouts)}
        outputs = self._outputs(graph, arguments, values)
        of = self._differentiated(arguments)
        like = ([of[0] if of else arguments.arrays[0]] if self.with_value else []) + of
        makers = []
        for number, (value, place) in enumerate(zip(outputs, like)):
            index = arguments.arrays.index(place)
            kind, layout = arguments.kinds[index], arguments.layouts[index]
            is_loss = self.with_value and number == 0
            sizes = tuple(layout.sizes)
            if is_loss:
                sizes = () if self.argnums or _layouts.product(value.shape) == 1 else value.shape
            made = _arrays.result_kind(kind, device)
            layout = _arrays.Layout(value.data_type, sizes, _arrays.packed_strides(sizes), True,
                                    device)
            makers.append((made, made.maker(layout), place if kind.borrows else None))
        return _Compiled(graph, arguments, device, self.threads, outputs, makers)

    def _arrange(self, arguments, results):
        results = iter(results)
        value = next(results) if self.with_value else None
        found = tuple(_tree.unflatten(arguments.structures[number], results)
                      for number in self.argnums)
        if not self.argnums:
            return value
        gradients = found[0] if self.is_one else found
        return (value, gradients) if self.with_value else gradients


def grad(function, argnums=0, *, threads=0):
    """The function that gives the gradients of `function`, which returns one element, as
    jax.grad does: with respect to the first argument, or to those that argnums numbers, each an
    array or dicts, lists and tuples of arrays.

    It is called with arrays as this package's other functions are. `function` is called once per
    shapes, types and numbers, with an anydml.Value for each array; what it records is compiled to
    one operator."""
    return Traced(function, "grad", argnums, False, threads)


def value_and_grad(function, argnums=0, *, threads=0):
    """As grad, but gives (value, gradients)."""
    return Traced(function, "value_and_grad", argnums, True, threads)
