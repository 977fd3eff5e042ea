"""Random kernels with loops that request stages."""

import random

# The number of tiles that a kernel may store: its loop variables reach about 70.
RESULTS = 80


class Kernel:
    """The text of a kernel, drawn from a seed."""

    def __init__(self, seed, bulk, by_hand=False):
        self.draw = draw = random.Random(seed)
        self.bulk = bulk
        self.warps = draw.choice([1, 2, 4])
        self.block = 32 * self.warps
        self.rows, self.columns = draw.choice([(16, 32), (8, 64), (32, 32)])
        self.kind = draw.choice(["f32", "f16"])
        # By hand: ordered by hand, for the expected results.
        self.by_hand = by_hand
        self.lines, self.allocs, self.depth, self.names = [], [], 2, 0
        # More iterations than stages, so that each stage is released and reused.
        self.run_time = draw.choice([9, 11])
        self.laps = draw.choice([2, 3])

    def say(self, line):
        self.lines.append("  " * self.depth + line)

    def name(self):
        self.names += 1
        return f"%v{self.names}"

    def constant(self, value):
        name = self.name()
        self.say(f"{name} = arith.constant {value} : index")
        return name

    def compute(self, op, *operands):
        name = self.name()
        self.say(f"{name} = arith.{op} {', '.join(operands)} : index")
        return name

    def tile(self, own):
        rows, columns = self.rows, self.columns
        in_bulk = self.bulk and self.draw.random() < 0.7
        layouts = ["", "", f", #tile.layout<({rows}, {columns}) : ({columns + 8}, 1)>"]
        if self.kind == "f32" and not in_bulk:
            layouts.append(f", #tile.layout<({rows}, {columns}) : (1, {rows})>")
        if columns >= 64 and self.kind == "f16" and not own:
            # Rows of a warp that start inside a period of the swizzle are not analysed.
            layouts.append(f", #tile.layout<({rows}, {columns}) : ({columns}, 1), swizzle<3, 3, 3>>")
        name = self.name()
        kind = f"!tile.buffer<{rows}x{columns}x{self.kind}, shared{self.draw.choice(layouts)}>"
        self.allocs.append(f"{name} = tile.alloc : {kind}")
        return name, kind, in_bulk

    def index(self, variable):
        """Some number below 8 that is computed from the variable."""
        draw = self.draw
        if draw.random() < 0.5:
            variable = self.compute("muli", variable, self.constant(draw.choice([3, 5, 7])))
        if draw.random() < 0.5:
            variable = self.compute("addi", variable, self.constant(draw.randrange(9)))
        return self.compute("remui", variable, self.constant(8))

    def load(self, tile, variable, own):
        """Copies that load a tile: one, two halves, or one that exceeds the source and is filled."""
        draw, (name, kind, in_bulk) = self.draw, tile
        at = self.index(variable)
        first, count = (["%warp_row", self.rows // self.warps] if own else [0, self.rows])
        scope = "warp" if own else "cta"
        parts = [(first, count)]
        if not own and draw.random() < 0.3:
            half = self.rows // 2
            parts = [(0, half), (half, half)]
        masked = not own and not in_bulk and draw.random() < 0.2
        for begin, rows in parts:
            source = begin
            more, word, variant = "", " group", ""
            if in_bulk and not self.by_hand:
                word, variant = "", ' {variant = "bulk"}'
            if masked:
                source = self.constant(begin + draw.choice([0, 2, 5]))
                more = f" masked fill(%zero : {self.kind})"
            self.say(f"tile.copy_async %c[{at}, {source}, 0] [1, {rows}, {self.columns}] to {name}[{begin}, 0] [{rows}, {self.columns}] "
                     f"scope({scope}){word}{more}{variant} : !matrices to {kind}")

    def consume(self, tile, variable, own, carried):
        """Stores a tile, by the threads that copied it or by others; or the next sum."""
        draw, (name, kind, _) = self.draw, tile
        at = variable if draw.random() < 0.5 else self.compute("addi", variable, self.constant(draw.randrange(9)))
        if own:
            begin, count = "%warp_row", self.rows // self.warps
            self.say(f"tile.copy {name}[{begin}, 0] [{count}, {self.columns}] to %d[{at}, {begin}, 0] [1, {count}, {self.columns}] "
                     f"scope(warp) : {kind} to !results")
            self.order("gpu.barrier")
            return carried
        each = self.rows * self.columns // self.block
        layout = draw.choice([f"({self.block}, {each}) : (1@tx, 1)", f"({each}, {self.block}) : (1, 1@tx)"])
        held = f"!tile.buffer<{self.rows}x{self.columns}x{self.kind}, local, #tile.layout<{layout}>>"
        if carried is None and draw.random() < 0.4:
            first = draw.choice([0, self.rows // 2])
            count = self.rows - first
            self.say(f"tile.copy {name}[{first}, 0] [{count}, {self.columns}] to %d[{at}, {first}, 0] [1, {count}, {self.columns}] "
                     f"scope(cta) : {kind} to !results")
            self.order("gpu.barrier")
        held_name, view, element, total = self.name(), self.name(), self.name(), self.name()
        self.say(f"{held_name} = tile.alloc : {held}")
        self.say(f"tile.copy {name} to {held_name} scope(cta) : {kind} to {held}")
        if carried is None:
            self.say(f"tile.copy {held_name} to %d[{at}, 0, 0] [1, {self.rows}, {self.columns}] scope(cta) : {held} to !results")
            self.order("gpu.barrier")
            return None
        self.say(f"{view} = tile.local_view {held_name} : {held} to memref<{each}x{self.kind}>")
        self.say(f"{element} = memref.load {view}[%c0] : memref<{each}x{self.kind}>")
        self.say(f"{total} = arith.addf {carried}, {element} : {self.kind}")
        return total

    def bounds(self, sums):
        """The bounds and the step of a loop, with a trip count of about 10."""
        draw = self.draw
        first, step = draw.choice([0, 0, 3, 8]), draw.choice([1, 1, 2, 5])
        trips = draw.choice([9, 11])
        low = self.constant(first) if draw.random() < 0.7 else self.compute("addi", "%zeros", self.constant(first))
        # Offsets with a run-time step are not analysed, so only a loop without stores has one.
        stride = self.constant(step) if draw.random() < 0.7 or not sums else self.compute("addi", "%zeros", self.constant(step))
        if draw.random() < 0.5:
            return low, self.constant(first + trips * step - draw.randrange(step)), stride
        last = self.compute("muli", "%trips", stride)
        return low, self.compute("addi", low, last), stride

    def loop(self, own=False, tiles=None):
        draw = self.draw
        tiles = tiles or [self.tile(own) for _ in range(draw.choice([1, 1, 2, 3]))]
        sums = not own and draw.random() < 0.4
        low, high, step = self.bounds(sums)
        variable, total = self.name(), None
        head = f"scf.for {variable} = {low} to {high} step {step}"
        if sums:
            total, carried = self.name(), self.name()
            head = f"{total} = {head} iter_args({carried} = %zero) -> ({self.kind})"
        self.say(head + " {")
        self.depth += 1
        for tile in tiles:
            self.load(tile, variable, own)
        self.order("nvvm.cp.async.wait.group 0", "gpu.barrier")
        value = carried if sums else None
        for tile in tiles:
            value = self.consume(tile, variable, own, value)
        self.order("gpu.barrier")
        if sums:
            self.say(f"scf.yield {value} : {self.kind}")
        self.depth -= 1
        stages = draw.choice([2, 3, 3, 4, 5, 8])
        self.say(f"}} {{tile.stages = {stages} : i64}}")
        if sums:
            at = self.constant(draw.randrange(8))
            self.say(f"memref.store {total}, %E[{at}, %thread] : memref<8x128x{self.kind}>")
        return tiles

    def order(self, *lines):
        if self.by_hand:
            for line in lines:
                self.say(line)

    def body(self):
        draw = self.draw
        what = draw.choice(["one", "one", "two", "again", "nested", "own", "flag"])
        if self.bulk and what == "flag":
            what = "nested"
        if what == "nested":
            # The trip count of the outer loop may be known only at run time, too.
            outer = self.name()
            often = self.constant(draw.choice([1, 2, 3])) if draw.random() < 0.5 else "%laps"
            self.say(f"scf.for {outer} = %c0 to {often} step %c1 {{")
            self.depth += 1
            for _ in range(draw.choice([1, 1, 2])):
                self.loop()
            self.depth -= 1
            self.say("}")
        elif what == "flag":
            self.say("scf.if %flag {")
            self.depth += 1
            self.loop()
            self.depth -= 1
            self.say("}")
        else:
            tiles = self.loop(own=what == "own")
            if what in ("two", "again"):
                self.loop(tiles=tiles if what == "again" else None)

    def text(self):
        shape = f"{self.rows}x{self.columns}x{self.kind}"
        self.body()
        lines = ["    " + line for line in self.allocs] + self.lines
        return f"""!matrices = !tile.buffer<8x{shape}, global>
!results = !tile.buffer<{RESULTS}x{shape}, global>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {{
  gpu.func @drawn(%C: memref<8x{shape}>, %D: memref<{RESULTS}x{shape}>, %E: memref<8x128x{self.kind}>, %trips: index, %zeros: index, %f: i32,
                  %laps: index)
      kernel attributes {{known_block_size = array<i32: {self.block}, 1, 1>}} {{
    %c = tile.view %C : memref<8x{shape}> to !matrices
    %d = tile.view %D : memref<{RESULTS}x{shape}> to !results
    %zero = arith.constant 0.0 : {self.kind}
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %no = arith.constant 0 : i32
    %flag = arith.cmpi ne, %f, %no : i32
    %thread = gpu.thread_id x
    %warp = arith.divui %thread, %c32 : index
    %share = arith.constant {self.rows // self.warps} : index
    %warp_row = arith.muli %warp, %share : index
""" + "\n".join(lines) + "\n    gpu.return\n  }\n}\n"

    def arguments(self):
        shape = f"{self.rows}x{self.columns}]"
        given = [f"{self.kind}[8x{shape}=random", f"{self.kind}[{RESULTS}x{shape}=zeros", f"{self.kind}[8x128]=zeros", f"i64={self.run_time}", "i64=0", "i32=1", f"i64={self.laps}"]
        return [word for argument in given for word in ("--arg", argument)]
