"""Pixels of images as a filter visits them, for numpy, and random kernels that copy them through maps of im2col mode.

    im2col.py                  writes the arguments of tma-im2col.mlir
    im2col.py random 20 …      runs 20 random kernels with these options of tile-run, and compares what they copy
    im2col.py write 20         writes the PTX and the arguments of 20 random kernels, and run.sh, which runs them with its options of
                               tile-run: where there is a GPU and no compiler
"""

import itertools
import shlex
import subprocess
import sys
from pathlib import Path

import numpy


def gather(images, lower, upper, steps, filters):
    """For each offset of a filter the pixels in the order of their walk; those outside of an image are zeros."""
    count, *extents, channels = images.shape
    walks = [range(low, extent + high, step) for low, high, extent, step in zip(lower, upper, extents, steps)]
    pixels = []
    for offset in filters:
        for image, *at in itertools.product(range(count), *walks):
            at = [begin + moved for begin, moved in zip(at, offset)]
            inside = all(0 <= place < extent for place, extent in zip(at, extents))
            pixels.append(images[(image, *at)] if inside else numpy.zeros(channels, images.dtype))
    return numpy.stack(pixels).reshape(len(filters), -1, channels)


def arguments():
    """Two kinds of images, and what the kernels of tma-im2col.mlir make of them."""
    random, square = numpy.random.default_rng(0), list(itertools.product(range(3), range(3)))
    images = random.integers(-99, 99, (3, 6, 5, 64)).astype(numpy.float16)
    numpy.save("images.npy", images)
    padded = gather(images, [-1, -1], [-1, -1], [1, 1], square)
    numpy.save("padded.npy", padded)
    numpy.save("halves.npy", numpy.stack([padded[1, :64]] * 2))
    wide = random.integers(-99, 99, (2, 9, 8, 128)).astype(numpy.float16)
    numpy.save("wide.npy", wide)
    # A filter of 3x2 with holes, two by three.
    numpy.save("strided.npy", gather(wide, [-2, -1], [-2, -1], [2, 3], [(r * 2, s * 2) for r in range(3) for s in range(2)]))
    numpy.save("scattered.npy", numpy.where(numpy.indices(images.shape)[2] < 4, images, 0))


class Shape:
    """A random filter on random images, such that its box has pixels."""

    def __init__(self, random):
        one = lambda *ends: int(random.integers(*ends))
        dimensions = self.dimensions = one(1, 4)
        self.type, self.element = [("f16", "<f2"), ("f32", "<f4"), ("i8", "|i1")][one(3)]
        self.channels = [16, 32, 64][one(3)]
        while True:
            self.extents = [one(1, [40, 12, 7][dimensions - 1]) for _ in range(dimensions)]
            self.taps = [one(1, 4) for _ in range(dimensions)]
            dilation, padding = ([one(*ends) for _ in range(dimensions)] for ends in ((1, 4), (0, 3)))
            self.lower = [-pad for pad in padding]
            self.upper = [pad - dilate * (taps - 1) for pad, dilate, taps in zip(padding, dilation, self.taps)]
            self.steps = [one(1, 4) for _ in range(dimensions)]
            spans = [extent + high - low for extent, high, low in zip(self.extents, self.upper, self.lower)]
            if min(spans) > 0:
                break
        self.walks = [-(-span // step) for span, step in zip(spans, self.steps)]
        self.filters = [
            tuple(tap * dilate for tap, dilate in zip(taps, dilation))
            for taps in itertools.product(*(range(count) for count in self.taps))
        ]
        self.images = one(1, 4)
        pixels = [1, 7, 32, 64, 100][one(5)]
        self.pixels = min(pixels, 16384 // (self.channels * numpy.dtype(self.element).itemsize))
        self.total = self.images * int(numpy.prod(self.walks))

    def kernel(self):
        """Each block copies some pixels for one offset of the filter."""
        rank = self.dimensions
        digits, rest = [], "%first"
        for place in reversed(range(rank)):
            digits.append(f"%q{place} = arith.remui {rest}, %walk{place} : index")
            digits.append(f"%n{place} = arith.divui {rest}, %walk{place} : index")
            digits.append(f"%s{place} = arith.muli %q{place}, %step{place} : index")
            digits.append(f"%at{place} = arith.addi %s{place}, %low{place} : index")
            rest = f"%n{place}"
        names = {"walk": self.walks, "step": self.steps, "low": self.lower}
        constants = [f"%{name}{at} = arith.constant {n} : index" for name, list in names.items() for at, n in enumerate(list)]
        offsets = [f"dense<{[offset[place] for offset in self.filters]}> : vector<{len(self.filters)}xindex>" for place in range(rank)]
        constants += [f"%of{place} = arith.constant {offset}" for place, offset in enumerate(offsets)]
        constants += [f"%tap{place} = vector.extract %of{place}[%tap] : index from vector<{len(self.filters)}xindex>" for place in range(rank)]
        extents = "x".join(map(str, [self.images, *self.extents, self.channels]))
        begins = ", ".join([rest, *(f"%at{place}" for place in range(rank)), "%c0"])
        sizes = [1] * rank + [self.pixels, self.channels]
        out = f"{len(self.filters)}x{self.total}x{self.channels}x{self.type}"
        zero = "0" if self.type == "i8" else "0.0"
        own = f"!tile.buffer<{self.pixels}x{self.channels}x{self.type}, shared>"
        filter = ", ".join(f"%tap{place}" for place in range(rank))
        lines = "\n    ".join(constants + digits)
        return f"""gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {{
  gpu.func @walk(%A: memref<{extents}x{self.type}>, %B: memref<{out}>) workgroup(%barriers: memref<1xi64, 3> {{llvm.align = 8}}) kernel
      attributes {{known_block_size = array<i32: 64, 1, 1>}} {{
    %c0 = arith.constant 0 : index
    %many = arith.constant {self.pixels} : index
    %one = arith.constant 1 : i32
    %phase = arith.constant 0 : i32
    %true = arith.constant true
    %zero = arith.constant {zero} : {self.type}
    %a = tile.view %A : memref<{extents}x{self.type}>
    %b = tile.view %B : memref<{out}>
    %s = tile.alloc : {own}
    %thread = gpu.thread_id x
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    %index = memref.extract_aligned_pointer_as_index %barriers : memref<1xi64, 3> -> index
    %address = arith.index_cast %index : index to i64
    %full = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    scf.if %is_thread_0 {{
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }}
    gpu.barrier
    %block = gpu.block_id x
    %tap = gpu.block_id y
    %first = arith.muli %block, %many : index
    {lines}
    tile.copy_async %a[{begins}] {sizes} to %s scope(cta) mbarrier(%full : !llvm.ptr<3>)
      im2col {self.lower} to {self.upper} steps {self.steps} filter({filter}) masked fill(%zero : {self.type})
      : !tile.buffer<{extents}x{self.type}, global> to {own}
    scf.while : () -> () {{
      %done = nvvm.mbarrier.try_wait %full, %phase : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    }} do {{
      scf.yield
    }}
    tile.copy %s to %b[%tap, %first, 0] [1, {self.pixels}, {self.channels}] scope(cta) masked
      : {own} to !tile.buffer<{out}, global>
    gpu.return
  }}
}}
"""

    def write(self, random, name):
        """Writes the kernel and its arguments; the options of tile-run that compare what it copies."""
        shape = [self.images, *self.extents, self.channels]
        images = random.integers(-99, 99, shape).astype(self.element)
        expected = gather(images, self.lower, self.upper, self.steps, self.filters)
        numpy.save(f"{name}-in.npy", images)
        numpy.save(f"{name}-out.npy", expected)
        Path(f"{name}.mlir").write_text(self.kernel())
        text = lambda shape: f"{self.type}[{'x'.join(map(str, shape))}]"
        grid = f"{-(-self.total // self.pixels)},{len(self.filters)}"
        arguments = [f"{text(shape)}={name}-in.npy", f"{text(expected.shape)}=poison"]
        return ["--grid", grid, "--arg", arguments[0], "--arg", arguments[1], "--expect", f"1={name}-out.npy"]


def called(*call):
    """Runs a program, and ends with what it says where it fails."""
    done = subprocess.run(call, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(call)}\n{done.stdout}{done.stderr}")


def main(mode="arguments", count="1", *options):
    if mode == "arguments":
        return arguments()
    random, lines = numpy.random.default_rng(1), ["set -e"]
    for number in range(int(count)):
        compared = Shape(random).write(random, f"random{number}")
        if mode == "random":
            called("tile-run", f"random{number}.mlir", *compared, *options)
        else:
            called("tile-translate", f"random{number}.mlir", "--tile-to-ptx", "-o", f"random{number}.ptx")
            lines.append(f"tile-run random{number}.ptx {shlex.join(compared)} \"$@\"")
    if mode == "write":
        Path("run.sh").write_text("\n".join(lines) + "\n")


main(*sys.argv[1:])
