"""Random kernels that copy tiles, with barriers, waits and fences of random kinds at random points.

Each kernel copies tiles between global memory, shared memory (rows, columns, padded, swizzled, rings of stages) and registers, by
blocks, by warps, by cp.async and in bulk, masked, in loops and under conditions of warps and of the whole block.
"""

import random
import re
import subprocess
from pathlib import Path

from drawn import compiled

# All threads wait for the first phase of the mbarrier.
WAIT = """    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %arrived, %no : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }"""

# Ordering operations, except phases of mbarriers.
SYNC = re.compile(
    r"^ *(gpu.barrier|nvvm.bar.warp.sync|nvvm.barrier|nvvm.cp.async[a-z.]*(wait|commit).group"
    r"|nvvm.cp.async.bulk.wait_group|nvvm.fence.proxy)"
)
BARRIER = re.compile(r"^ *(gpu.barrier|nvvm.bar.warp.sync|nvvm.barrier)")


class Kernel:
    """The text of a kernel, drawn from a seed. With `strides`, some kernels write tensors whose strides are known only at run time,
    and loops also move along columns."""

    def __init__(self, seed, trips=None, strides=False):
        self.draw = draw = random.Random(seed)
        self.more = random.Random(f"strides {seed}") if strides else None
        self.open = strides and self.more.random() < 0.5
        self.warps = draw.choice([1, 1, 2, 2, 4])
        self.block = 32 * self.warps
        self.rows, self.columns = draw.choice([(16, 32), (8, 64), (32, 32), (16, 64)])
        self.kind = draw.choice(["f32", "f16"])
        self.stages = draw.choice([2, 3, 4])
        self.lines, self.depth, self.names = [], 2, 0
        self.tiles = [self.tile(f"%s{i}") for i in range(draw.choice([1, 2, 3]))]
        self.ring = f"!tile.buffer<{self.stages}x{self.rows}x{self.columns}x{self.kind}, shared>"
        self.sync = draw.choice([0.3, 0.6, 0.9, 1.0])
        self.arrives = None if draw.random() < 0.6 else draw.randrange(3)
        self.trips = draw.choice([1, 2, 5])
        self.trips, self.lasting = trips or self.trips, trips is not None
        self.known = draw.random() < 0.7 or self.lasting
        self.flagged = False

    def tile(self, name):
        rows, columns = self.rows, self.columns
        layouts = ["", "", f", #tile.layout<({rows}, {columns}) : ({columns + 8}, 1)>"]
        layouts += [f", #tile.layout<({rows}, {columns}) : (1, {rows})>"]
        if columns >= 64 and self.kind == "f16":
            layouts.append(f", #tile.layout<({rows}, {columns}) : ({columns}, 1), swizzle<3, 3, 3>>")
        return name, f"!tile.buffer<{rows}x{columns}x{self.kind}, shared{self.draw.choice(layouts)}>"

    def say(self, line):
        self.lines.append("  " * self.depth + line)

    def name(self):
        self.names += 1
        return f"%v{self.names}"

    def part(self):
        """Rows of a tile: the first one and their number."""
        count = self.draw.choice([self.rows, self.rows, self.rows // 2, self.rows // 4])
        return count * self.draw.randrange(self.rows // count), count

    def copy(self, loop, warp):
        """Writes one copy; `warp`: by single warps, each copying its own part or all the same part."""
        draw = self.draw
        own = warp or draw.random() < 0.25
        first, count = self.part()
        scope = "warp" if own else "cta"
        if own and self.warps > 1 and not warp:
            count = self.rows // self.warps
            first = "%warp_row" if draw.random() < 0.8 else 0
            if first == "%warp_row" and draw.random() < 0.2:
                first = "%turned_row"
        region = f"[{first}, 0] [{count}, {self.columns}]"
        other = first if draw.random() < 0.7 or not isinstance(first, int) else count * draw.randrange(self.rows // count)
        moved = f"[{other}, 0] [{count}, {self.columns}]"
        (a, at), (b, bt) = draw.choice(self.tiles), draw.choice(self.tiles)
        kind = draw.choice(["load", "load", "async", "store", "store", "move", "registers", "fill", "bulk", "masked"])
        if kind == "load":
            self.say(f"tile.copy %a{region} to {a}{moved} scope({scope}) : !matrix to {at}")
        elif kind == "async":
            group = draw.choice(["group", "group", "group", ""])
            self.say(f"tile.copy_async %a{region} to {a}{moved} scope({scope}) {group} : !matrix to {at}")
        elif kind == "store":
            self.say(f"tile.copy {a}{region} to %b{moved} scope({scope}) : {at} to !result")
        elif kind == "move" and a != b:
            self.say(f"tile.copy {a}{region} to {b}{moved} scope({scope}) : {at} to {bt}")
        elif kind == "bulk" and "layout" not in at and not warp and not self.open:
            if draw.random() < 0.8:
                self.say("nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}")
            self.barrier(warp)
            whole = f"[0, 0] [{self.rows}, {self.columns}]"
            self.say(f'tile.copy_async {a}{whole} to %b{whole} scope(cta) bulk_group {{variant = "bulk"}} : {at} to !result')
            if draw.random() < 0.85:
                self.say(f"nvvm.cp.async.bulk.wait_group {draw.choice([0, 0, 0, 1])}{draw.choice([' {read}', ''])}")
        elif kind == "fill":
            self.say(f"tile.fill %zero to {a}{region} scope({scope}) : {self.kind} to {at}")
        elif kind == "masked":
            self.masked(draw.choice(["load", "async", "store"]), (a, at), scope, count)
        elif not own and self.rows * self.columns % self.block == 0:
            each = self.rows * self.columns // self.block
            layout = draw.choice([f"({self.block}, {each}) : (1@tx, 1)", f"({each}, {self.block}) : (1, 1@tx)"])
            held = f"!tile.buffer<{self.rows}x{self.columns}x{self.kind}, local, #tile.layout<{layout}>>"
            name = self.name()
            self.say(f"{name} = tile.alloc : {held}")
            self.say(f"tile.copy {a} to {name} scope(cta) : {at} to {held}")
            self.barrier(warp)
            target = draw.choice([(b, bt), ("%b", "!result")])
            if self.lasting and target[0] == a:
                # LLVM would drop a store of the value that is already there.
                target = ("%b", "!result")
            whole = f"[0, 0] [{self.rows}, {self.columns}]" if self.open and target[0] == "%b" else ""
            self.say(f"tile.copy {name} to {target[0]}{whole} scope(cta) : {held} to {target[1]}")

    def masked(self, kind, tile, scope, count):
        """Writes a masked copy of rows at a run-time offset, some of which may be outside."""
        (name, of), part = tile, f"[{count}, {self.columns}]"
        begin = self.draw.choice(["%edge", "%edge", "0"])
        fill = self.draw.choice(["", f" fill(%zero : {self.kind})"])
        if kind == "store":
            self.say(f"tile.copy {name}[0, 0] {part} to %b[{begin}, 0] {part} scope({scope}) masked : {of} to !result")
        elif kind == "async":
            self.say(f"tile.copy_async %a[{begin}, 0] {part} to {name}[0, 0] {part} scope({scope}) group masked{fill} : !matrix to {of}")
        else:
            self.say(f"tile.copy %a[{begin}, 0] {part} to {name}[0, 0] {part} scope({scope}) masked{fill} : !matrix to {of}")

    def along_columns(self, variable, tile, own):
        """Writes a copy of some columns to those that an iteration comes to, which may be some of the previous ones."""
        (name, of), column = tile, self.name()
        width, step = self.more.choice([(4, 4), (4, 4), (8, 4), (4, 1)])
        self.say(f"{column}s = arith.constant {step} : index")
        self.say(f"{column} = arith.muli {variable}, {column}s : index")
        count = self.rows // self.warps if own else self.rows
        row = "%warp_row" if own else "0"
        region, scope = f"[{count}, {width}]", "warp" if own else "cta"
        self.say(f"tile.copy {name}[{row}, 0] {region} to %b[{row}, {column}] {region} scope({scope}) : {of} to !result")

    def staged(self, variable):
        """Writes a copy to or from a stage of the ring."""
        draw = self.draw
        stage = self.name()
        ahead = draw.choice([0, 0, 1, self.stages - 1])
        self.say(f"{stage}a = arith.constant {ahead} : index")
        self.say(f"{stage}b = arith.addi {variable}, {stage}a : index")
        self.say(f"{stage} = arith.remui {stage}b, %stages : index")
        tile = f"[1, {self.rows}, {self.columns}]"
        kind = draw.choice(["load", "async", "store", "store"])
        if kind == "load":
            self.say(f"tile.copy %c[0, 0, 0] {tile} to %ring[{stage}, 0, 0] {tile} scope(cta) : !matrices to {self.ring}")
        elif kind == "async":
            self.say(f"tile.copy_async %c[0, 0, 0] {tile} to %ring[{stage}, 0, 0] {tile} scope(cta) group : !matrices to {self.ring}")
        else:
            row = draw.choice(["0", variable])
            self.say(f"tile.copy %ring[{stage}, 0, 0] {tile} to %d[{row}, 0, 0] {tile} scope(cta) : {self.ring} to !results")

    def barrier(self, warp):
        draw = self.draw
        if draw.random() > self.sync:
            return
        kind = draw.choice(["block"] * 4 + ["warp"] * 2 + ["wait"] * 2)
        if warp:
            kind = draw.choice(["warp", "warp", "wait", "some"])
        if kind == "block":
            self.say("gpu.barrier")
        elif kind == "warp":
            self.say("nvvm.bar.warp.sync %all : i32")
        elif kind == "some":
            number, count = self.name(), self.name()
            self.say(f"{number} = arith.constant {warp} : i32")
            self.say(f"{count} = arith.constant {32 * warp} : i32")
            self.say(f"nvvm.barrier id = {number} number_of_threads = {count}")
        else:
            self.say(f"nvvm.cp.async.wait.group {draw.choice([0, 0, 1, 2])}")
            if draw.random() < 0.7 and not warp:
                self.say("gpu.barrier")

    def arrival(self):
        """Writes a bulk copy that an mbarrier completes, some other copies, and a wait."""
        plain = [(name, kind) for name, kind in self.tiles if "layout" not in kind]
        if not plain:
            return
        name, kind = self.draw.choice(plain)
        self.barrier(0)
        self.say(f'tile.copy_async %a to {name} scope(cta) mbarrier(%arrived : !llvm.ptr<3>) {{variant = "bulk"}} : !matrix to {kind}')
        for _ in range(self.draw.randrange(2)):
            self.copy(None, 0)
        if self.draw.random() < 0.85:
            self.lines += WAIT.splitlines()

    def block_of(self, size, loop=None, warp=0):
        draw = self.draw
        for turn in range(size):
            if self.depth == 2 and turn == self.arrives:
                self.arrival()
            what = draw.random()
            if loop and what < 0.5:
                self.staged(loop)
            elif what < 0.12 and loop is None and not warp:
                self.loop()
            elif what < 0.2 and not warp and self.warps > 1:
                count = draw.randrange(1, self.warps)
                condition, limit = self.name(), self.name()
                self.say(f"{limit} = arith.constant {32 * count} : index")
                self.say(f"{condition} = arith.cmpi ult, %thread, {limit} : index")
                self.within(f"scf.if {condition} {{", draw.randrange(1, 4), loop, count)
            elif what < 0.28 and not warp and not (self.lasting and self.flagged):
                outer, self.flagged = self.flagged, True
                self.within("scf.if %flag {", draw.randrange(1, 4), loop, warp)
                if draw.random() < 0.5:
                    self.lines[-1] = "  " * self.depth + "} else {"
                    self.within(None, draw.randrange(1, 3), loop, warp)
                self.flagged = outer
            else:
                self.copy(loop, warp)
            self.barrier(warp)

    def within(self, head, size, loop, warp):
        if head:
            self.say(head)
        self.depth += 1
        self.block_of(size, loop, warp)
        self.depth -= 1
        self.say("}")

    def loop(self):
        variable = self.name()
        upper = "%trips" if not self.known else f"%c{self.trips}"
        self.within(f"scf.for {variable} = %c0 to {upper} step %c1 {{", self.draw.randrange(2, 6), variable, 0)

    def text(self):
        shape = f"{self.rows}x{self.columns}x{self.kind}"
        matrices = f"8x{shape}"
        self.block_of(self.draw.randrange(3, 9))
        if self.draw.random() < 0.9:
            self.say("nvvm.cp.async.wait.group 0")
        body, self.lines = self.lines, []
        for name, kind in [*self.tiles, ("%ring", self.ring)]:
            self.say(f"{name} = tile.alloc : {kind}")
            self.say(f"tile.fill %zero to {name} scope(cta) : {self.kind} to {kind}")
        self.say("scf.if %is_first {")
        self.say("  nvvm.mbarrier.init %arrived, %one : !llvm.ptr<3>, i32")
        self.say("}")
        self.say("gpu.barrier")
        result, results = (f"?x?x{self.kind}", f"?x?x?x{self.kind}") if self.open else (shape, matrices)
        head = f"""!matrix = !tile.buffer<{shape}, global>
!matrices = !tile.buffer<{matrices}, global>
!result = !tile.buffer<{result}, global>
!results = !tile.buffer<{results}, global>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {{
  llvm.mlir.global internal @phase() {{addr_space = 3 : i32, alignment = 8 : i64}} : i64
  gpu.func @drawn(%A: memref<{shape}>, %B: memref<{result}>, %C: memref<{matrices}>, %D: memref<{results}>, %trips: index, %f: i32)
      kernel attributes {{known_block_size = array<i32: {self.block}, 1, 1>}} {{
    %a = tile.view %A : memref<{shape}> to !matrix
    %b = tile.view %B : memref<{result}> to !result
    %c = tile.view %C : memref<{matrices}> to !matrices
    %d = tile.view %D : memref<{results}> to !results
    %zero = arith.constant 0.0 : {self.kind}
    %all = arith.constant -1 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    %c32 = arith.constant 32 : index
    %edge = arith.muli %trips, %c2 : index
    %stages = arith.constant {self.stages} : index
    %no = arith.constant 0 : i32
    %flag = arith.cmpi ne, %f, %no : i32
    %thread = gpu.thread_id x
    %one = arith.constant 1 : i32
    %true = arith.constant true
    %arrived = llvm.mlir.addressof @phase : !llvm.ptr<3>
    %is_first = arith.cmpi eq, %thread, %c0 : index
    %warp = arith.divui %thread, %c32 : index
    %share = arith.constant {self.rows // self.warps} : index
    %warp_row = arith.muli %warp, %share : index
    %warps = arith.constant {self.warps} : index
    %next = arith.addi %warp, %c1 : index
    %turned = arith.remui %next, %warps : index
    %turned_row = arith.muli %turned, %share : index
"""
        return head + "\n".join(self.lines + body) + "\n    gpu.return\n  }\n}\n"

    def arguments(self, flag):
        shape = f"{self.kind}[{self.rows}x{self.columns}]"
        many = f"{self.kind}[8x{self.rows}x{self.columns}]"
        given = [f"{shape}=random", f"{shape}=zeros", f"{many}=random", f"{many}=zeros", f"i64={self.trips}", f"i32={flag}"]
        return [word for argument in given for word in ("--arg", argument)]


def faults(run, path, kernel):
    """The fault that the simulator finds."""
    ptx, fault = compiled(run, Path(path))
    for flag in [] if fault else (0, 1):
        ran = subprocess.run([run, ptx, "--schedule", "all", *kernel.arguments(flag)], capture_output=True, text=True)
        if ran.returncode != 0:
            fault = ran.stderr or "failed"
            break
    ptx.unlink(missing_ok=True)
    return fault


def without(text, what):
    """The text without the lines that match `what`."""
    return "".join(line for line in text.splitlines(True) if not what.match(line))
