"""Random rings of stages with mbarriers: one warp copies tiles in bulk, others read them; or all threads do both.

Each ring is drawn correct; most then get one mistake: a missing wait, the other parity, too few or too many stages of mbarriers,
another count of arrivals, a wait on the mbarrier of another stage, a lead that is one stage too long.
"""

import random

WRONG = [
    "no full wait", "no empty wait", "full parity", "empty parity", "full count", "empty count", "full stage", "empty stage",
    "tile stage", "no arrival", "late stages", "no barrier", "order", "no warp sync",
    "laps",
]


class Ring:
    """The text of a kernel, drawn from a seed."""

    def __init__(self, seed):
        self.draw = draw = random.Random(seed)
        self.stages = draw.choice([1, 2, 2, 3, 3, 4])
        self.consumers = draw.choice([1, 1, 2])
        self.kind = draw.choice(["quotient", "carried", "both"])
        self.known = draw.random() < 0.4
        self.trips = draw.choice([1, 2, 3, 5, 7, 8])
        self.each = draw.random() < 0.5
        self.alone = draw.random() < 0.25
        self.elected = draw.random() < 0.6
        self.wrong = None if draw.random() < 0.35 else draw.choice(WRONG)
        if self.wrong == "laps":
            self.kind = "quotient"
        self.lines, self.depth, self.names = [], 2, 0

    def say(self, text):
        for line in text.splitlines():
            self.lines.append("  " * self.depth + line.strip())

    def name(self):
        self.names += 1
        return f"%v{self.names}"

    def put(self, text):
        name = self.name()
        self.say(f"{name} = {text}")
        return name

    def constant(self, value, kind="index"):
        return self.put(f"arith.constant {value} : {kind}")

    def stage_and_parity(self, variable, carried):
        """The stage of an iteration and the parity of the phase that it fills."""
        if self.kind == "carried":
            return carried
        stages = self.constant(self.stages)
        stage = self.put(f"arith.remui {variable}, {stages} : index")
        if self.kind == "both":
            return stage, carried[1]
        laps = self.constant(self.stages + 1) if self.wrong == "laps" else stages
        lap = self.put(f"arith.divui {variable}, {laps} : index")
        one = self.constant(1)
        bit = self.put(f"arith.andi {lap}, {one} : index")
        return stage, self.put(f"arith.index_cast {bit} : index to i32")

    def pointer(self, base, stage, moved=0):
        if moved:
            ahead = self.put(f"arith.addi {stage}, {self.constant(moved)} : index")
            stage = self.put(f"arith.remui {ahead}, {self.constant(self.stages)} : index")
        number = self.put(f"arith.index_cast {stage} : index to i32")
        return self.put(f"llvm.getelementptr {base}[{number}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64")

    def wait(self, pointer, parity):
        done, again = self.name(), self.name()
        self.say(f"scf.while : () -> () {{")
        self.say(f"  {done} = nvvm.mbarrier.try_wait {pointer}, {parity} : !llvm.ptr<3>, i32 -> i1")
        self.say(f"  {again} = arith.xori {done}, %true : i1")
        self.say(f"  scf.condition({again})")
        self.say("} do {\n scf.yield\n }")

    def other(self, parity):
        return self.put(f"arith.xori {parity}, {self.constant(1, 'i32')} : i32")

    def loop(self, body):
        """Writes a loop; `body` writes its body, given its variable, its stage and its parity."""
        variable, stage, parity = self.name(), self.name(), self.name()
        upper = "%known" if self.known else "%trips"
        self.say(f"{variable}z = scf.for {variable} = %c0 to {upper} step %c1 iter_args({parity} = %zero) -> (i32) {{"
                 if self.kind == "both" else
                 f"{variable}z:2 = scf.for {variable} = %c0 to {upper} step %c1 iter_args({stage} = %c0, {parity} = %zero) -> (index, i32) {{"
                 if self.kind == "carried" else f"scf.for {variable} = %c0 to {upper} step %c1 {{")
        self.depth += 1
        body(variable, *self.stage_and_parity(variable, (stage, parity)))
        if self.kind != "quotient":
            of = stage if self.kind == "carried" else self.put(f"arith.remui {variable}, {self.constant(self.stages)} : index")
            next_stage = self.put(f"arith.addi {of}, %c1 : index")
            wraps = self.put(f"arith.cmpi eq, {next_stage}, {self.constant(self.stages)} : index")
            flipped = self.other(parity)
            after = self.put(f"arith.select {wraps}, {flipped}, {parity} : i32")
            if self.kind == "carried":
                first = self.put(f"arith.select {wraps}, %c0, {next_stage} : index")
                self.say(f"scf.yield {first}, {after} : index, i32")
            else:
                self.say(f"scf.yield {after} : i32")
        self.depth -= 1
        self.say("}")

    def bring(self, variable, stage, parity):
        wrong = self.wrong
        late = self.pointer("%empty", stage, 1 if wrong == "empty stage" else 0)
        full = self.pointer("%full", stage)
        if wrong != "no empty wait" and not self.alone:
            self.wait(late, parity if wrong == "empty parity" else self.other(parity))
            if not self.elected and wrong != "no warp sync":
                self.say("nvvm.bar.warp.sync %all : i32")
        tile, scope = "[1, 16, 32]", "cta" if self.alone else "thread" if self.elected else "warp"
        self.say(f'tile.copy_async %a[{variable}, 0, 0] {tile} to %s[{stage}, 0, 0] {tile} scope({scope}) '
                 f'mbarrier({full} : !llvm.ptr<3>) {{variant = "bulk"}} : !matrices to !ring')

    def read(self, variable, stage, parity):
        wrong = self.wrong
        full = self.pointer("%full", stage, 1 if wrong == "full stage" else 0)
        if wrong != "no full wait":
            self.wait(full, self.other(parity) if wrong == "full parity" else parity)
        place = stage
        if wrong == "tile stage":
            place = self.put(f"arith.remui {self.put(f'arith.addi {stage}, %c1 : index')}, {self.constant(self.stages)} : index")
        rows = 16 // (1 if self.alone else self.consumers)
        begin = "0" if self.alone else "%begin"
        arrive = lambda: self.arrive(stage)
        if wrong == "order" and not self.alone:
            arrive()
        self.say(f"tile.copy %s[{place}, {begin}, 0] [1, {rows}, 32] to %b[{variable}, {begin}, 0] [1, {rows}, 32] "
                 f"scope({'cta' if self.alone else 'warp'}) : !ring to !matrices")
        if self.alone:
            if wrong not in ("no arrival", "no empty wait", "order"):
                self.say("gpu.barrier")
        elif wrong not in ("no arrival", "order"):
            arrive()

    def arrive(self, stage):
        empty = self.pointer("%empty", stage)
        if not self.each:
            self.say("nvvm.bar.warp.sync %all : i32")
            self.say("scf.if %lane0 {")
        self.say(f"{self.name()} = nvvm.mbarrier.arrive {empty} : !llvm.ptr<3> -> i64")
        if not self.each:
            self.say("}")

    def text(self):
        readers = self.consumers * (32 if self.each else 1)
        made = self.stages - 1 if self.wrong == "late stages" else self.stages
        self.say("scf.if %is_first {")
        self.depth += 1
        for stage in range(made):
            at = self.constant(stage)
            self.say(f"nvvm.mbarrier.init {self.pointer('%full', at)}, {self.constant(2 if self.wrong == 'full count' else 1, 'i32')} : !llvm.ptr<3>, i32")
            count = readers + (1 if self.wrong == "empty count" else 0)
            self.say(f"nvvm.mbarrier.init {self.pointer('%empty', at)}, {self.constant(count, 'i32')} : !llvm.ptr<3>, i32")
        self.say("nvvm.fence.mbarrier.init")
        self.depth -= 1
        self.say("}")
        if self.wrong != "no barrier":
            self.say("gpu.barrier")
        if self.alone:
            self.loop(lambda *at: (self.bring(*at), self.read(*at)))
        else:
            for condition, body in ((("%is_first" if self.elected else "%brings"), self.bring), ("%reads", self.read)):
                self.say(f"scf.if {condition} {{")
                self.depth += 1
                self.loop(body)
                self.depth -= 1
                self.say("}")
        threads = 32 * (1 + self.consumers)
        body = "\n".join(self.lines)
        return f"""!matrices = !tile.buffer<8x16x32xf32, global>
!ring = !tile.buffer<{self.stages}x16x32xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {{
  llvm.mlir.global internal @full_bars() {{addr_space = 3 : i32, alignment = 8 : i64}} : !llvm.array<{self.stages} x i64>
  llvm.mlir.global internal @empty_bars() {{addr_space = 3 : i32, alignment = 8 : i64}} : !llvm.array<{self.stages} x i64>
  gpu.func @ring(%A: memref<8x16x32xf32>, %B: memref<8x16x32xf32>, %trips: index)
      kernel attributes {{known_block_size = array<i32: {threads}, 1, 1>}} {{
    %a = tile.view %A : memref<8x16x32xf32> to !matrices
    %b = tile.view %B : memref<8x16x32xf32> to !matrices
    %s = tile.alloc : !ring
    %nothing = arith.constant 0.0 : f32
    tile.fill %nothing to %s scope(cta) : f32 to !ring
    nvvm.fence.proxy {{kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}}
    gpu.barrier
    %full = llvm.mlir.addressof @full_bars : !llvm.ptr<3>
    %empty = llvm.mlir.addressof @empty_bars : !llvm.ptr<3>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %known = arith.constant {self.trips} : index
    %zero = arith.constant 0 : i32
    %all = arith.constant -1 : i32
    %true = arith.constant true
    %t = gpu.thread_id x
    %is_first = arith.cmpi eq, %t, %c0 : index
    %brings = arith.cmpi ult, %t, %c32 : index
    %reads = arith.cmpi uge, %t, %c32 : index
    %warp = arith.divui %t, %c32 : index
    %lane = arith.remui %t, %c32 : index
    %lane0 = arith.cmpi eq, %lane, %c0 : index
    %reader = arith.subi %warp, %c1 : index
    %rows = arith.constant {16 // self.consumers} : index
    %begin = arith.muli %reader, %rows : index
{body}
    gpu.return
  }}
}}
"""
