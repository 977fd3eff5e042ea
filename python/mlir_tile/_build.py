"""Kernels written in Python: each call of a builder adds an op, at the line of Python that calls it."""

from __future__ import annotations

import contextlib
import functools
import inspect
import itertools
import json
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ._compile import Kernel, compile
from ._ops import attribute, element_of, literal, nearest, signatures
from .errors import ArgumentError

# MLIR's stand-in for a number that is known only at run time.
_DYNAMIC = -(1 << 63)

# Operands that take numbers as indices.
_INDICES = re.compile(r".*[oO]ffsets|indices|.*Bound|step")


class Part(NamedTuple):
    """A region of a tile: `tile.at([i, 0], [64, 32])`."""

    value: Value
    begins: list[Any]
    sizes: list[int]


class Value:
    """A value of a kernel, with the text of its type. Numbers take Python's operators."""

    def __init__(self, builder: Builder, name: str, type: str) -> None:
        self.builder, self.name, self.type, self.block = builder, name, type, builder.blocks[-1]

    def __repr__(self) -> str:
        return f"<{self.name}: {self.type}>"

    def at(self, begins: list[Any], sizes: list[int]) -> Part:
        """The region of a tile that begins there and has so many elements; a begin is a number or a value."""
        return Part(self, list(begins), list(sizes))

    def _is_float(self) -> bool:
        return element_of(self.type)[:1] in "fb"

    def _computed(self, words: tuple[str, str], other: Any, swapped: bool = False) -> Value:
        operands = (other, self) if swapped else (self, other)
        return self.builder.op(f"arith.{words[self._is_float()]}", *operands)

    def _compared(self, case: str, other: Any) -> Value:
        word, order = ("cmpf", "o") if self._is_float() else ("cmpi", "" if case in ("eq", "ne") else "s")
        predicate = "une" if (word, case) == ("cmpf", "ne") else order + case
        return self.builder.op(f"arith.{word}", self, other, predicate=predicate, type="i1")

    def __add__(self, other: Any) -> Value:
        return self._computed(("addi", "addf"), other)

    def __radd__(self, other: Any) -> Value:
        return self._computed(("addi", "addf"), other, True)

    def __sub__(self, other: Any) -> Value:
        return self._computed(("subi", "subf"), other)

    def __rsub__(self, other: Any) -> Value:
        return self._computed(("subi", "subf"), other, True)

    def __mul__(self, other: Any) -> Value:
        return self._computed(("muli", "mulf"), other)

    def __rmul__(self, other: Any) -> Value:
        return self._computed(("muli", "mulf"), other, True)

    def __truediv__(self, other: Any) -> Value:
        return self._computed(("divsi", "divf"), other)

    def __rtruediv__(self, other: Any) -> Value:
        return self._computed(("divsi", "divf"), other, True)

    def __floordiv__(self, other: Any) -> Value:
        return self._computed(("floordivsi", "divf"), other)

    def __mod__(self, other: Any) -> Value:
        return self._computed(("remsi", "remf"), other)

    def __lt__(self, other: Any) -> Value:
        return self._compared("lt", other)

    def __le__(self, other: Any) -> Value:
        return self._compared("le", other)

    def __gt__(self, other: Any) -> Value:
        return self._compared("gt", other)

    def __ge__(self, other: Any) -> Value:
        return self._compared("ge", other)

    def __bool__(self) -> bool:
        raise ArgumentError(f"got {self!r} as a condition of Python, expected k.when(…): it is known when the kernel runs")


class _Dialect:
    """The ops of a dialect: `k.arith.addf(x, y)` is `k.op("arith.addf", x, y)`."""

    def __init__(self, builder: Builder, name: str) -> None:
        self._builder, self._name = builder, name

    def __getattr__(self, op: str) -> Callable[..., Any]:
        return functools.partial(self._builder.op, f"{self._name}.{op.rstrip('_')}")


class Builder:
    """Adds ops to a kernel. `k.tile.copy(…)` and `k.arith.addf(…)` are functions for the ops of all dialects that kernels have.

    Positional arguments are the operands that an op must have, or may have in front of these, or, where there are none, its lists of
    operands; of an op without lists, all. Others, attributes and regions have ODS's names. Types are text, as in MLIR. Numbers become constants, and functions regions:

        k.tile.copy(a.at([i, 0], [64, 32]), s, scope="cta")
        k.tile.map([x, row], [x], scope="warp", body=lambda x, largest: k.math.exp(x - largest))
    """

    def __init__(self) -> None:
        self.blocks: list[list[str]] = [[]]
        self._numbers = itertools.count()

    def __getattr__(self, dialect: str) -> _Dialect:
        dialects = {name.split(".")[0] for name in signatures()}
        if dialect not in dialects:
            raise AttributeError(str(nearest(dialect, dialects, "dialect")))
        return _Dialect(self, dialect)

    def op(self, name: str, *operands: Any, type: Any = None, attributes: dict[str, str] | None = None, **given: Any) -> Any:
        """Adds an op, by its name in MLIR; its result, a list of results, or `None`.

        `type` is the type of the result, or a list for a list, where the operands do not say it; `attributes` are further ones, as text.
        """
        signature = signatures().get(name)
        if signature is None:
            raise nearest(name, signatures(), "op")
        at = _location()
        given = _named(name, signature, operands, {key.rstrip("_"): value for key, value in given.items()})
        groups = self._operands(name, signature, given)
        values = [value for group in groups for value in group]
        properties = self._properties(name, signature, given, [len(group) for group in groups])
        regions = [self._region(name, given[one], groups) if given.get(one) else "{}" for one in signature["regions"]]
        types = _types(name, signature, type, given)
        results = [Value(self, f"%{next(self._numbers)}", one) for one in types]
        text = f"{', '.join(one.name for one in results)} = " if results else ""
        text += f'"{name}"({", ".join(one.name for one in values)})'
        text += f" <{{{', '.join(properties)}}}>" if properties else ""
        text += f" ({', '.join(regions)})" if regions else ""
        text += f" {{{', '.join(f'{key} = {one}' for key, one in attributes.items())}}}" if attributes else ""
        text += f" : ({', '.join(one.type for one in values)}) -> ({', '.join(types)})"
        self.blocks[-1].append(f"{text} {at}")
        has_list = [arity for _, arity in signature["results"]] != [""] and not isinstance(type, str)
        return (results or None) if has_list else results[0]

    def constant(self, number: Any, type: str) -> Value:
        """A number of that type."""
        return self.op("arith.constant", value=literal(number, type), type=type)

    def view(self, memref: Value, type: str | None = None, *, divisible_by: int | None = None, aligned: int | None = None) -> Value:
        """A memref as a tile in global memory: of its own shape, unless a type says more. What is promised of it stands beside it."""
        shape = re.fullmatch(r"memref<((?:\d+x)+\w+)>", memref.type)
        if not (type or shape):
            raise ArgumentError(f'got a view of {memref.type} without a type, expected type="!tile.buffer<…>"')
        tile = type or f"!tile.buffer<{shape[1]}, global>"
        return self.tile.view(memref, type=tile, divisor=divisible_by, alignment=aligned)

    def range(self, begin: Any, end: Any = None, step: Any = 1, *, stages: int = 1, **attributes: str) -> Iterator[Value]:
        """A loop of the kernel, `for i in k.range(0, 256, 64, stages=3)`; what is in it is added once."""
        begin, end = (0, begin) if end is None else (begin, end)
        bounds = [one if isinstance(one, Value) else self.constant(one, "index") for one in (begin, end, step)]
        at = _location()
        self.blocks.append([])
        variable = Value(self, f"%{next(self._numbers)}", "index")
        try:
            yield variable
        finally:
            body = self._closed("scf.yield", [], [variable], at)
            stated = {**attributes, **({"tile.stages": f"{stages} : i64"} if stages > 1 else {})}
            text = f" {{{', '.join(f'{key} = {one}' for key, one in stated.items())}}}" if stated else ""
            names = ", ".join(one.name for one in bounds)
            self.blocks[-1].append(f'"scf.for"({names}) ({body}){text} : (index, index, index) -> () {at}')

    @contextlib.contextmanager
    def when(self, condition: Value) -> Iterator[None]:
        """What only threads do for which a condition holds: `with k.when(k.gpu.thread_id(dimension="x") < 32):`."""
        at = _location()
        self.blocks.append([])
        try:
            yield
        finally:
            body = self._closed("scf.yield", [], [], at)
            self.blocks[-1].append(f'"scf.if"({condition.name}) ({body}, {{}}) : (i1) -> () {at}')

    def _operands(self, name: str, signature: dict[str, Any], given: dict[str, Any]) -> list[list[Value]]:
        """The values of each operand of an op."""
        groups = []
        for one, arity in signature["operands"]:
            value = given.get(one)
            group = [] if value is None else list(value) if arity == "*" else [value]
            if arity == "" and not group:
                raise ArgumentError(f"{name}: got no {one}, expected a value")
            groups.append(group)
        first = next((value for group in groups for value in group if isinstance(value, Value)), None)
        found = []
        for (one, _), group in zip(signature["operands"], groups):
            like = element_of(first.type) if first is not None and not _INDICES.fullmatch(one) else ""
            found.append([self._value(f"{name}: {one}", value, like) for value in group])
        return found

    def _value(self, what: str, value: Any, like: str) -> Value:
        """A value that is there, or a constant of a number."""
        if isinstance(value, Value):
            if not any(value.block is block for block in self.blocks):
                where = "of another kernel, or of a loop that has ended"
                raise ArgumentError(f"{what}: got {value!r} {where}, expected one that is defined here")
            return value
        if not isinstance(value, (int, float)):
            raise ArgumentError(f"{what}: got {type(value).__name__}, expected a value of the kernel or a number")
        return self.constant(value, like or ("index" if isinstance(value, int) else "f32"))

    def _properties(self, name: str, signature: dict[str, Any], given: dict[str, Any], sizes: list[int]) -> list[str]:
        """The attributes of an op that ODS names."""
        found = []
        for one, kind, optional in signature["attributes"]:
            if given.get(one) is None:
                if not optional and kind in ("i32s", "i64s"):
                    found.append(f"{one} = array<{kind[:-1]}>")
            elif given[one] is not False or kind != "unit":
                found.append(f"{one} = {attribute(f'{name}: {one}', kind, given[one])}")
        if signature["segments"]:
            found.append(f"operandSegmentSizes = array<i32: {', '.join(map(str, sizes))}>")
        return found

    def _region(self, name: str, function: Callable[..., Any], groups: list[list[Value]]) -> str:
        """The region that a function adds: its parameters are elements of the op's first operands, and then indices."""
        count = len(inspect.signature(function).parameters)
        elements = [element_of(value.type) for group in groups[:1] for value in group]
        # A function that combines two elements, or one that has coordinates, too.
        rest = elements[:1] if name != "tile.map" and elements else ["index"]
        at = _location()
        self.blocks.append([])
        arguments = [Value(self, f"%{next(self._numbers)}", one) for one in (elements + rest * count)[:count]]
        results = function(*arguments)
        results = list(results) if isinstance(results, (tuple, list)) else [] if results is None else [results]
        like = elements[0] if elements else ""
        results = [self._value(f"{name}: the result", one, like) for one in results]
        return self._closed(f"{name.split('.')[0]}.yield", results, arguments, at)

    def _closed(self, terminator: str, results: list[Value], arguments: list[Value], at: str) -> str:
        """The text of the region whose block is added to last, with its terminator."""
        names, types = ", ".join(one.name for one in results), ", ".join(one.type for one in results)
        lines = [*self.blocks.pop(), f'"{terminator}"({names}) : ({types}) -> () {at}']
        head = f"^bb0({', '.join(f'{one.name}: {one.type}' for one in arguments)}):\n" if arguments else ""
        return "{\n" + head + "\n".join(lines) + "\n}"


def _location() -> str:
    """The line of Python outside of this file that is executed."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename in (__file__, contextlib.__file__):
        frame = frame.f_back
    return f"loc({json.dumps(frame.f_code.co_filename)}:{frame.f_lineno}:1)"


def _named(name: str, signature: dict[str, Any], operands: tuple[Any, ...], given: dict[str, Any]) -> dict[str, Any]:
    """All arguments of an op by their names; those of regions of tiles are several."""
    known = [one[0] for kind in ("operands", "attributes") for one in signature[kind]] + signature["regions"]
    arities = [arity for _, arity in signature["operands"]]
    last = len(arities) - arities[::-1].index("") if "" in arities else 0
    ordered = signature["operands"][: last if "*" in arities else None]
    places = [one for one, arity in ordered if arity != "*"] or [one for one, _ in signature["operands"]]
    if len(operands) > len(places):
        raise ArgumentError(f"{name}: got {len(operands)} operands, expected {len(places)}: {', '.join(places)}")
    found = {**dict(zip(places, operands)), **given}
    for one in given:
        if one not in known:
            raise nearest(one, known, f"argument of {name}")
    for one, value in list(found.items()):
        if isinstance(value, Part):
            offsets, static, sizes = (f"{one}Offsets", f"{one}Static", f"{one}Sizes")
            if offsets not in known:
                offsets, static, sizes = ("offsets", "staticOffsets", "sizes")
            if offsets not in known:
                raise ArgumentError(f"{name}: got a part of a tile as {one}, expected a whole one")
            found[one], found[sizes] = value.value, value.sizes
            found[offsets] = [begin for begin in value.begins if isinstance(begin, Value)]
            found[static] = [_DYNAMIC if isinstance(begin, Value) else begin for begin in value.begins]
    return found


def _types(name: str, signature: dict[str, Any], type: Any, given: dict[str, Any]) -> list[str]:
    """The types of an op's results."""
    results, known = signature["results"], signature["type"]
    if type is not None:
        return [type] if isinstance(type, str) else list(type)
    if len(results) != 1 or results[0][1]:
        return []
    if known is None:
        raise ArgumentError(f"{name}: got no type, expected type=…, that of its result")
    if not known.startswith("="):
        return [known]
    value = given[known[1:]]
    other = next((one for one in given.values() if isinstance(one, Value)), value)
    return [(value if isinstance(value, Value) else other).type]


class PythonKernel:
    """A kernel that a Python function writes: its MLIR is `text`."""

    def __init__(self, function: Callable[..., None], types: tuple[str, ...], block: Any, attributes: dict[str, str]) -> None:
        self.function, self.types, self.attributes = function, types, attributes
        sizes = [block] if isinstance(block, int) else list(block)
        self.block = [*sizes, 1, 1][:3]

    @functools.cached_property
    def text(self) -> str:
        """The module with the kernel."""
        builder, name = Builder(), self.function.__name__
        arguments = [Value(builder, f"%arg{number}", one) for number, one in enumerate(self.types)]
        self.function(builder, *arguments)
        stated = {"known_block_size": f"array<i32: {', '.join(map(str, self.block))}>", **self.attributes}
        head = ", ".join(f"{one.name}: {one.type}" for one in arguments)
        body = "\n".join(builder.blocks[0])
        attributes = ", ".join(f"{key} = {one}" for key, one in stated.items())
        code = self.function.__code__
        at = f"loc({json.dumps(code.co_filename)}:{code.co_firstlineno}:1)"
        function = f"gpu.func @{name}({head}) kernel attributes {{{attributes}}} {{\n{body}\ngpu.return\n}} {at}"
        return f"gpu.module @kernels {{\n{function}\n}}\n"

    def compile(self, chip: str = "", **options: Any) -> Kernel:
        """The kernel, compiled as `mlir_tile.compile` does; errors have the lines of Python."""
        return compile(self.text, chip, **options).only


def kernel(*types: str, block: Any, attributes: dict[str, str] | None = None) -> Callable[[Callable[..., None]], PythonKernel]:
    """A kernel that a Python function writes with a `Builder`, its first argument; the others are the kernel's, of these types.

    `block` is the number of threads of a block, or a tuple of three.

    >>> import numpy, mlir_tile as tile
    >>> @tile.kernel("memref<128xf32>", "memref<128xf32>", block=32)
    ... def double(k, A, B):
    ...     s = k.tile.alloc(type="!tile.buffer<128xf32, shared>")
    ...     k.tile.copy(k.view(A), s, scope="warp")
    ...     k.tile.map([s], [s], scope="warp", body=lambda x: x + x)
    ...     k.tile.copy(s, k.view(B), scope="warp")
    >>> a, b = numpy.arange(128, dtype="float32"), numpy.zeros(128, "float32")
    >>> counts = double.compile().simulate(a, b, schedule="all")
    >>> bool((b == 2 * a).all())
    True
    """
    return lambda function: PythonKernel(function, types, block, attributes or {})
