"""The positions of a tile's elements in a layout, by plain enumeration: for the pictures in the pages.

Supports the text form without nested tuples: `(8, 4, 2) : (4@laneid, 1@laneid, 1) + R(2 : 32) + 5@warpid, swizzle<base = 3, bits = 3, shift = 3>`.
It shares no code with the compiler.
"""

import re

SHARD = re.compile(r"^\(([^)]*)\) : \(([^)]*)\)(.*)$")


class Layout:
    """The iters of a layout, slowest first: extent, stride and axis of each coordinate of the tile's linear index."""

    def __init__(self, text):
        text, _, swizzle = text.partition(", swizzle<")
        extents, strides, rest = SHARD.match(text.strip()).groups()
        self.shard = [(int(e), *stride(s)) for e, s in zip(extents.split(","), strides.split(","), strict=True)]
        fields = dict(field.split(" = ") for field in swizzle.rstrip(">").split(", ")) if swizzle else {}
        self.swizzle = [int(fields[name]) for name in ("base", "bits", "shift")] if fields else None
        self.offset = []
        for term in filter(None, (term.strip() for term in rest.split(" + "))):
            if not term.startswith("R("):
                self.offset.append(stride(term))

    def place(self, index):
        """Axis -> position of the element with this linear index."""
        found = {"m": 0}
        for extent, step, axis in reversed(self.shard):
            index, digit = divmod(index, extent)
            found[axis] = found.get(axis, 0) + digit * step
        for value, axis in self.offset:
            found[axis] = found.get(axis, 0) + value
        if self.swizzle:
            kept, bits, distance = self.swizzle
            chunk, inside = found["m"] >> kept, found["m"] & ((1 << kept) - 1)
            chunk ^= (chunk & (((1 << bits) - 1) << distance)) >> distance
            found["m"] = (chunk << kept) | inside
        return found


def stride(text):
    number, _, axis = text.strip().partition("@")
    return int(number), axis or "m"


def grid(layout, shape, axis, chunk=1):
    """Rows of numbers: the position on an axis of each element of a two-dimensional tile, divided by `chunk`; one of
    every `chunk` consecutive columns is shown."""
    layout = Layout(layout)
    rows, columns = shape
    places = [[layout.place(row * columns + column) for column in range(0, columns, chunk)] for row in range(rows)]
    return "\n".join(" ".join(str(place.get(axis, 0) // chunk) for place in row) for row in places)
