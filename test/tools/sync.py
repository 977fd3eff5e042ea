#!/usr/bin/env python3
"""Random kernels with barriers left out, checked by --tile-check-sync and executed under all schedules.

    sync.py <tile-opt> <tile-run> <first seed> <seeds> [<folder for what is wrong>] [--remove | --count]

Each kernel copies tiles between global memory, shared memory (rows, columns, padded, swizzled, rings of stages) and registers, by
blocks, by warps, by cp.async and in bulk, in loops and under conditions of warps and of the whole block. Barriers, waits and
fences are of random kinds and in random places. What the check accepts must run without a race, and so must every kernel that
--tile-insert-sync has ordered, with the tiles of every third sharing storage by --tile-plan-memory; what is refused and runs is counted by the reason that is given. Exits with 1 after a race in a
kernel that was accepted, or ordered.

With --remove all barriers, waits and fences are taken out, what --tile-insert-sync puts is taken out one by one, and each time the
simulator has to find a race, a hang or a wrong value. With --count barriers are counted: those that --tile-insert-sync puts, those of
a barrier behind every write, and what upstream's gpu-eliminate-barriers leaves of these.
"""

import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


# Everybody waits for the first phase of the mbarrier.
WAIT = """    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %arrived, %no : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }"""


# What orders, but for phases of mbarriers.
SYNC = re.compile(r"^ *(gpu.barrier|nvvm.bar.warp.sync|nvvm.barrier|nvvm.cp.async[a-z.]*(wait|commit).group|nvvm.cp.async.bulk.wait_group|nvvm.fence.proxy)")
BARRIER = re.compile(r"^ *(gpu.barrier|nvvm.bar.warp.sync|nvvm.barrier)", re.M)


class Kernel:
    """The text of a kernel, drawn from a seed."""

    def __init__(self, seed, trips=None):
        self.draw = draw = random.Random(seed)
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
        """Rows of a tile: where they begin and how many."""
        count = self.draw.choice([self.rows, self.rows, self.rows // 2, self.rows // 4])
        return count * self.draw.randrange(self.rows // count), count

    def copy(self, loop, warp):
        """One copy; `warp`: by single warps, each its part or all one part."""
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
        kind = draw.choice(["load", "load", "async", "store", "store", "move", "registers", "fill", "bulk"])
        if kind == "load":
            self.say(f"tile.copy %a{region} to {a}{moved} scope({scope}) : !matrix to {at}")
        elif kind == "async":
            group = draw.choice(["group", "group", "group", ""])
            self.say(f"tile.copy_async %a{region} to {a}{moved} scope({scope}) {group} : !matrix to {at}")
        elif kind == "store":
            self.say(f"tile.copy {a}{region} to %b{moved} scope({scope}) : {at} to !matrix")
        elif kind == "move" and a != b:
            self.say(f"tile.copy {a}{region} to {b}{moved} scope({scope}) : {at} to {bt}")
        elif kind == "bulk" and "layout" not in at and not warp:
            if draw.random() < 0.8:
                self.say("nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}")
            self.barrier(warp)
            whole = f"[0, 0] [{self.rows}, {self.columns}]"
            self.say(f'tile.copy_async {a}{whole} to %b{whole} scope(cta) bulk_group {{variant = "bulk"}} : {at} to !matrix')
            if draw.random() < 0.85:
                self.say(f"nvvm.cp.async.bulk.wait_group {draw.choice([0, 0, 0, 1])}{draw.choice([' {read}', ''])}")
        elif kind == "fill":
            self.say(f"tile.fill %zero to {a}{region} scope({scope}) : {self.kind} to {at}")
        elif not own and self.rows * self.columns % self.block == 0:
            each = self.rows * self.columns // self.block
            layout = draw.choice([f"({self.block}, {each}) : (1@tx, 1)", f"({each}, {self.block}) : (1, 1@tx)"])
            held = f"!tile.buffer<{self.rows}x{self.columns}x{self.kind}, local, #tile.layout<{layout}>>"
            name = self.name()
            self.say(f"{name} = tile.alloc : {held}")
            self.say(f"tile.copy {a} to {name} scope(cta) : {at} to {held}")
            self.barrier(warp)
            target = draw.choice([(b, bt), ("%b", "!matrix")])
            if self.lasting and target[0] == a:
                # LLVM leaves out what stores what was there.
                target = ("%b", "!matrix")
            self.say(f"tile.copy {name} to {target[0]} scope(cta) : {held} to {target[1]}")

    def staged(self, variable):
        """A copy to or from a stage of the ring."""
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
            self.say(f"tile.copy %ring[{stage}, 0, 0] {tile} to %d[{row}, 0, 0] {tile} scope(cta) : {self.ring} to !matrices")

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
        """A bulk copy that an mbarrier completes, some other copies, a wait."""
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
        head = f"""!matrix = !tile.buffer<{shape}, global>
!matrices = !tile.buffer<{matrices}, global>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {{
  llvm.mlir.global internal @phase() {{addr_space = 3 : i32, alignment = 8 : i64}} : i64
  gpu.func @drawn(%A: memref<{shape}>, %B: memref<{shape}>, %C: memref<{matrices}>, %D: memref<{matrices}>, %trips: index, %f: i32)
      kernel attributes {{known_block_size = array<i32: {self.block}, 1, 1>}} {{
    %a = tile.view %A : memref<{shape}> to !matrix
    %b = tile.view %B : memref<{shape}> to !matrix
    %c = tile.view %C : memref<{matrices}> to !matrices
    %d = tile.view %D : memref<{matrices}> to !matrices
    %zero = arith.constant 0.0 : {self.kind}
    %all = arith.constant -1 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    %c32 = arith.constant 32 : index
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


def look(tools, seed, folder):
    """How one kernel ended: accepted or refused, and how it ran."""
    opt, run = tools
    kernel = Kernel(seed)
    text = kernel.text()
    path = Path(folder) / f"sync-{seed}.mlir"
    path.write_text(text)
    checked = subprocess.run([opt, "--tile-check-sync", path, "-o", "/dev/null"], capture_output=True, text=True)
    errors = [line for line in checked.stderr.splitlines() if " error: " in line]
    accepted = checked.returncode == 0
    if not accepted and not errors or "panicked" in checked.stderr or "made the compiler fail" in checked.stderr:
        return seed, "broken", checked.stderr[:2000]
    fault = faults(run, path, kernel)
    ordered = path.with_suffix(".ordered.mlir")
    if subprocess.run([opt, "--tile-insert-sync", path, "-o", ordered], capture_output=True).returncode == 0:
        again = faults(run, ordered, kernel)
        if again:
            return seed, "ordered, faulty", again[:800]
        if seed % 3 == 0:
            # Tiles that share storage, and what orders them then.
            planned = [opt, "--tile-plan-memory", "--tile-insert-sync", path, "-o", ordered]
            done = subprocess.run(planned, capture_output=True, text=True)
            again = faults(run, ordered, kernel) if done.returncode == 0 else done.stderr
            if again:
                return seed, "planned, faulty", again[:800]
        ordered.unlink()
    elif accepted:
        return seed, "accepted, not ordered", ""
    if fault and not re.search(r"race|flight|never|wait|leak|barrier|Deadlock|diverg", fault):
        return seed, "unusable", fault[:600]
    outcome = ("accepted" if accepted else "refused") + (", faulty" if fault else ", runs")
    if outcome in ("accepted, runs", "refused, faulty"):
        path.unlink()
    return seed, outcome, fault[:800] if fault else "\n".join(errors[:2])


def faults(run, path, kernel):
    """What the simulator finds."""
    for flag in (0, 1):
        ran = subprocess.run([run, path, "--schedule", "all", *kernel.arguments(flag)], capture_output=True, text=True)
        if ran.returncode != 0:
            return ran.stderr or "failed"
    return ""


def without(text, what):
    """The text without lines."""
    return "".join(line for line in text.splitlines(True) if not what.match(line))


def remove(tools, seed, folder):
    """What becomes of a kernel without each of the operations that are put: how many are missed, and those that are not."""
    opt, run = tools
    kernel = Kernel(seed, trips=5)
    path = Path(folder) / f"remove-{seed}.mlir"
    path.write_text(without(kernel.text(), SYNC))
    ordered = subprocess.run([opt, "--tile-insert-sync", path], capture_output=True, text=True)
    path.unlink()
    if ordered.returncode != 0:
        return seed, 0, []
    lines, missed, unseen = ordered.stdout.splitlines(True), 0, []
    for at in [at for at, line in enumerate(lines) if SYNC.match(line)]:
        path.write_text("".join(lines[:at] + lines[at + 1:]))
        if faults(run, path, kernel):
            missed += 1
        else:
            unseen.append(explained(lines, at) or f"without line {at + 1}, {lines[at].strip()}")
    path.unlink(missing_ok=True)
    return seed, missed, unseen


def explained(lines, at):
    """Why the simulator does not see that an operation is missing, where that is known."""
    if "cp.async.wait.group" in lines[at] and "gpu.return" in lines[at + 1]:
        return "a cp.async that nobody reads from is in flight at the end, where the simulator lets it be"
    if "proxy_kind<async>}" in lines[at]:
        return "global memory is written through two proxies, which the simulator tells apart in shared memory only"
    return ""


def removals(tools, first, count, folder):
    """All kernels; 1 where more than one operation in fifty is not missed and nobody knows why."""
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda seed: remove(tools, seed, folder), range(first, first + count)))
    missed, strange, known = sum(missed for _, missed, _ in found), 0, Counter()
    for seed, _, unseen in found:
        for text in unseen:
            if text.startswith("without"):
                print(f"seed {seed} runs {text}")
                strange += 1
            else:
                known[text] += 1
    print(f"{missed} operations are missed in {count} kernels, {strange} are not")
    for text, times in known.most_common():
        print(f"{times:6} not seen: {text}")
    return 1 if strange * 50 > missed else 0


def launched(text, block):
    """A kernel's text as a gpu.launch in a func.func, which is where upstream's pass looks."""
    head = re.search(r" *gpu.func @drawn\((.*)\)\n.*\{\n", text)
    launch = f"""  func.func @drawn({head[1]}) {{
    %one_block = arith.constant 1 : index
    %threads = arith.constant {block} : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %one_block, %gy = %one_block, %gz = %one_block)
        threads(%tx, %ty, %tz) in (%nx = %threads, %ny = %one_block, %nz = %one_block) {{
"""
    text = text.replace(head[0], launch).replace("    gpu.return\n  }", "    gpu.terminator\n    }\n    return\n  }")
    return re.sub(r"gpu.module @kernels.*\{", "module {", text)


def counted(opt, seed, folder):
    """Barriers of a kernel: put, behind every write, left of these by upstream; None where it has branches of some warps."""
    kernel = Kernel(seed)
    text = kernel.text()
    if "arith.cmpi ult, %thread" in text:
        return None
    path = Path(folder) / f"count-{seed}.mlir"
    counts = []
    bare = without(text, re.compile(BARRIER.pattern))
    written = re.compile(r"^( *)tile\.(copy|fill|copy_async) .* to (?!%v).*$", re.M)
    everywhere = written.sub(r"\g<0>\n\1gpu.barrier", bare)
    lowered = ["--lower-tile-copy=chip=sm_90a", "--gpu-eliminate-barriers"]
    ways = (bare, ["--tile-insert-sync"]), (everywhere, []), (launched(everywhere, kernel.block), lowered)
    for variant, passes in ways:
        path.write_text(variant)
        done = subprocess.run([opt, *passes, path], capture_output=True, text=True)
        if done.returncode != 0:
            path.unlink()
            return None
        counts.append(len(BARRIER.findall(done.stdout)))
    path.unlink()
    return counts


def counts(opt, first, count, folder):
    """A table of all kernels."""
    with ThreadPoolExecutor(2) as pool:
        found = pool.map(lambda seed: counted(opt, seed, folder), range(first, first + count))
        found = [counts for counts in found if counts]
    put, everywhere, left = (sum(of) for of in zip(*found))
    print(f"| {len(found)} kernels | barriers |\n| --- | --- |")
    print(f"| behind every write | {everywhere} |\n| left by `gpu-eliminate-barriers` | {left} |\n| put by `--tile-insert-sync` | {put} |")
    return 0


def reason(errors):
    """The kind of an error, without its numbers."""
    first = errors.splitlines()[0].split(" error: ")[-1] if errors else ""
    return re.sub(r"for example.*", "", re.sub(r"\d+", "N", first))[:110]


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    opt, run, first, count = words[0], words[1], int(words[2]), int(words[3])
    folder = Path(words[4] if len(words) > 4 else tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    if "--remove" in sys.argv:
        return removals((opt, run), first, count, folder)
    if "--count" in sys.argv:
        return counts(opt, first, count, folder)
    outcomes, reasons, wrong = Counter(), Counter(), []
    with ThreadPoolExecutor(2) as pool:
        for seed, outcome, text in pool.map(lambda seed: look((opt, run), seed, folder), range(first, first + count)):
            outcomes[outcome] += 1
            if outcome == "refused, runs":
                reasons[reason(text)] += 1
            if outcome in ("accepted, faulty", "accepted, not ordered", "ordered, faulty", "planned, faulty", "broken"):
                wrong.append(seed)
                print(f"seed {seed}: {outcome}\n{text}")
            if outcome == "unusable" and outcomes[outcome] <= 3:
                print(f"seed {seed}: {outcome}\n{text}")
    for outcome, times in sorted(outcomes.items()):
        print(f"{times:6} {outcome}")
    for text, times in reasons.most_common():
        print(f"{times:6} refused and runs: {text}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
