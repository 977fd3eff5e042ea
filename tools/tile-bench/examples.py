"""Times the example kernels over rows beside the driver's copy, torch and Triton: python3 examples.py FOLDER [RECORD].

FOLDER has PTX of docs/examples (`cargo xtask bench examples --prepare FOLDER`). Needs a GPU with torch and Triton. Each round launches
every contender once, in random order; the medians over the rounds of the ratios to the copy are printed, and every element is compared
with torch's result. RECORD, a file of Markdown, receives the same table with the card and the date; of the table that it had before,
lines are printed that were better by more than two points. Exit status 1: a result is wrong.
"""

import ctypes
import datetime
import pathlib
import random
import re
import statistics
import sys

import torch
import triton
import triton.language as tl

ROUNDS = 21
LENGTHS = (64, 512, 1000, 2048, 4096, 5000, 50257)
cuda = ctypes.CDLL("libcuda.so.1")


def word(value):
    return ctypes.c_uint64(value if isinstance(value, int) else value.data_ptr())


def stream():
    return ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)


def check(code, what):
    if code:
        raise RuntimeError(f"{what}: error {code} of the driver")


class Kernel:
    """An entry of a PTX file, launched on torch's stream. Arguments are tensors, integers, and f32 as Python floats."""

    def __init__(self, path, entry):
        text, self.entry = path.read_text(), entry
        sizes = re.search(rf"\.entry {entry}\s*\(.*?\.reqntid (\d+)", text, re.S)
        self.threads = int(sizes.group(1))
        shared = re.findall(rf"^//(?=.*dynamic shared)(?=.*\b{entry}\b).*$", text, re.M)
        self.shared = max((int(n) for line in shared for n in re.findall(r"(\d+) bytes", line)), default=0)
        module, self.function = ctypes.c_void_p(), ctypes.c_void_p()
        check(cuda.cuModuleLoadData(ctypes.byref(module), text.encode() + b"\0"), path)
        check(cuda.cuModuleGetFunction(ctypes.byref(self.function), module, entry.encode()), entry)
        check(cuda.cuFuncSetAttribute(self.function, 8, self.shared), entry)  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES

    def launcher(self, blocks, arguments):
        slots = [ctypes.c_float(a) if isinstance(a, float) else word(a) for a in arguments]
        pointers = (ctypes.c_void_p * len(slots))(*map(ctypes.addressof, slots))

        def launch(_slots=slots):
            sizes = blocks, 1, 1, self.threads, 1, 1, self.shared
            check(cuda.cuLaunchKernel(self.function, *sizes, stream(), pointers, None), self.entry)

        return launch


def copier(destination, source, size):
    """The driver's copy of so many bytes."""
    return lambda: check(cuda.cuMemcpyDtoDAsync_v2(word(destination), word(source), ctypes.c_size_t(size), stream()), "copy")


@triton.jit
def rows_of(n, R: tl.constexpr, B: tl.constexpr):
    row, column = tl.program_id(0).to(tl.int64) * R + tl.arange(0, R), tl.arange(0, B)
    return row, column, row[:, None] * n + column[None, :], (column < n)[None, :]


@triton.jit
def triton_softmax(X, Y, n, R: tl.constexpr, B: tl.constexpr):
    row, column, at, there = rows_of(n, R, B)
    x = tl.load(X + at, mask=there, other=-float("inf"))
    x = tl.exp(x - tl.max(x, 1)[:, None])
    tl.store(Y + at, x / tl.sum(x, 1)[:, None], mask=there)


@triton.jit
def triton_layer_norm(X, G, Z, Y, n, R: tl.constexpr, B: tl.constexpr):
    row, column, at, there = rows_of(n, R, B)
    x = tl.load(X + at, mask=there, other=0).to(tl.float32)
    x = tl.where(there, x - (tl.sum(x, 1) / n)[:, None], 0.0)
    x = x * tl.rsqrt(tl.sum(x * x, 1) / n + 1e-5)[:, None]
    weight, bias = tl.load(G + column, mask=column < n)[None, :], tl.load(Z + column, mask=column < n)[None, :]
    tl.store(Y + at, (x * weight + bias).to(tl.float16), mask=there)


@triton.jit
def triton_argmax(X, Y, n, R: tl.constexpr, B: tl.constexpr):
    row, column, at, there = rows_of(n, R, B)
    tl.store(Y + row, tl.argmax(tl.load(X + at, mask=there, other=-float("inf")), 1).to(tl.int32))


@triton.jit
def triton_scale(X, M, Y, n, R: tl.constexpr, B: tl.constexpr):
    row, column, at, there = rows_of(n, R, B)
    x = tl.load(X + at, mask=there, other=0)
    most = tl.max(tl.abs(x), 1)
    tl.store(M + row, most)
    tl.store(Y + at, x / most[:, None], mask=there)


def elapsed(launch):
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    launch()
    end.record()
    return begin, end


def fastest(kernel, rows, n, arguments):
    """Triton's kernel with the number of warps, and for rows of 64 of rows a program, that is fastest, as a launch."""
    best = None
    for warps in (4, 8, 16, 32):
        for share in (16, 32, 64) if n == 64 else (1,):
            launch = lambda w=warps, r=share: kernel[(rows // r,)](*arguments, n, R=r, B=triton.next_power_of_2(n), num_warps=w)
            launch()
            events = [elapsed(launch) for _ in range(4)]
            torch.cuda.synchronize()
            time = min(begin.elapsed_time(end) for begin, end in events)
            if best is None or time < best[0]:
                best = time, launch
    return best[1]


def ratios(contenders):
    """Medians of the ratios of the first contender's time to each one's, in percent."""
    names, times = list(contenders), {name: [] for name in contenders}
    for _ in range(3):
        for name in names:
            contenders[name]()
    rounds = []
    for _ in range(ROUNDS):
        rounds.append({name: elapsed(contenders[name]) for name in random.sample(names, len(names))})
    torch.cuda.synchronize()
    for events in rounds:
        for name, (begin, end) in events.items():
            times[name].append(begin.elapsed_time(end))
    return [100 * statistics.median(c / t for c, t in zip(times[names[0]], times[name])) for name in names[1:]]


def is_close(got, expected, tolerance):
    """Whether the norm of the difference is small beside that of the result, taken in parts of both."""
    return all(((a.float() - b).norm() / b.norm()).item() < tolerance for a, b in zip(got.split(4096), expected))


def kernel_of(kernels, n):
    """The first of (length, file, entry, rows a block) for rows of up to a length that is for this one."""
    return next(kernel[1:] for kernel in kernels if n <= kernel[0])


SOFTMAX = [(64, "softmax", "softmax_64", 16), (384, "softmax", "softmax_512", 4), (1024, "softmax", "softmax_1024", 2),
           (2560, "softmax", "softmax_2560", 1), (4608, "softmax", "softmax_5120", 1), (10240, "softmax", "softmax_10240", 1),
           (53248, "softmax_long", "softmax_53248", 1 / 8)]
NORM = [(64, "layer_norm", "layer_norm_short", 32), (4096, "layer_norm", "layer_norm", 1)]
NORM[1:1] = [(n, "layer_norm_rows", f"layer_norm_{n}", rows) for n, rows in ((256, 16), (512, 16), (1024, 4), (2048, 4))]
ARGMAX = [(64, "argmax", "argmax_short", 32), (1 << 31, "argmax", "argmax", 1)]
ARGMAX[1:1] = [(n, "argmax", f"argmax_{n}", rows) for n, rows in ((512, 8), (1024, 4), (2048, 4))]
SCALE = [(n, "scale_rows", f"scale_rows_{n}", rows) for n, rows in ((64, 16), (512, 4), (1024, 4), (10240, 1), (53248, 1 / 8))]


def measure(folder, name, kernels, n):
    """A line of the table, and whether the result is right."""
    half = name == "layer norm"
    rows = 1 << 20 if n == 64 else (1 << (29 if half else 28)) // n
    x = torch.randn(rows, n, device="cuda", dtype=torch.float16 if half else torch.float32)
    y, size = torch.full_like(x, float("nan")), x.numel() * x.element_size()
    file, entry, share = kernel_of(kernels, n)
    kernel, blocks, parts = Kernel(folder / f"{file}.ptx", entry), int(-(-rows // share)), x.split(4096)
    if name == "softmax":
        ours = kernel.launcher(blocks, [x, rows, n, n, y, rows, n, n])
        peer, theirs = fastest(triton_softmax, rows, n, [x, y]), lambda: torch.softmax(x, 1, out=y)
        right = lambda: is_close(y, (torch.softmax(p, 1) for p in parts), 1e-5)
    elif name == "layer norm":
        weight, bias = torch.randn(n, device="cuda"), torch.randn(n, device="cuda")
        ours = kernel.launcher(blocks, [x, rows, n, weight, n, bias, n, 1e-5, y, rows, n])
        peer = fastest(triton_layer_norm, rows, n, [x, weight, bias, y])
        theirs = lambda w=weight.half(), b=bias.half(): torch.nn.functional.layer_norm(x, (n,), w, b, 1e-5)
        right = lambda: is_close(y, (torch.nn.functional.layer_norm(p.float(), (n,), weight, bias, 1e-5) for p in parts), 2e-3)
    elif name == "argmax":
        at = torch.full((rows,), -1, device="cuda", dtype=torch.int32)
        ours, size = kernel.launcher(blocks, [x, rows, n, at, rows]), size // 2
        peer, theirs = fastest(triton_argmax, rows, n, [x, at]), lambda: x.argmax(1)
        right = lambda: torch.equal(x.gather(1, at.long()[:, None])[:, 0], x.amax(1))
    else:
        most = torch.empty(rows, device="cuda")
        ours = kernel.launcher(blocks, [x, rows, n, most, rows, y, rows, n])
        peer, theirs = fastest(triton_scale, rows, n, [x, most, y]), lambda: torch.div(x, x.abs().amax(1, keepdim=True))
        right = lambda: torch.equal(most, x.abs().amax(1)) and is_close(y, (p / p.abs().amax(1, keepdim=True) for p in parts), 1e-6)
    y.fill_(float("nan"))
    ours()
    is_right = right()
    shares = ratios({"copy": copier(torch.empty_like(x), x, size), "ours": ours, "Triton": peer, "torch": theirs})
    cells = [name, str(n), f"`{entry}`", *(f"{share:.1f} %" for share in shares), "yes" if is_right else "NO"]
    return f"| {' | '.join(cells)} |", is_right


def shares(lines):
    """What our kernels reach in a table, by kernel and length."""
    rows = (line.split(" | ") for line in lines if line.endswith("% | yes |"))
    return {(row[0].strip("| "), row[1]): float(row[3].rstrip(" %")) for row in rows}


def compare(file, lines):
    """Prints the lines of an earlier record that are better by more than two points."""
    now, before = shares(lines), pathlib.Path(file).read_text().splitlines()
    for key, share in shares(before).items():
        if share > now.get(key, share) + 2:
            print(f"{key[0]}, rows of {key[1]}: {now[key]} %, {share} % on {before[0].split(':')[0]}")


def main():
    folder, record = pathlib.Path(sys.argv[1]), sys.argv[2:]
    torch.zeros(1, device="cuda")
    versions = f"torch {torch.__version__}, Triton {triton.__version__}"
    lines = [f"{torch.cuda.get_device_name()}, {datetime.date.today()}, {versions}: percent of the copy, for argmax of half the bytes",
             "", "| kernel | rows of | entry | of memcpy | Triton | torch | right |", "| --- | --- | --- | --- | --- | --- | --- |"]
    print("\n".join(lines), flush=True)
    is_right = True
    for name, kernels in (("softmax", SOFTMAX), ("layer norm", NORM), ("argmax", ARGMAX), ("scaled rows", SCALE)):
        for n in LENGTHS:
            if n <= kernels[-1][0]:
                line, good = measure(folder, name, kernels, n)
                is_right &= good
                lines.append(line)
                print(line, flush=True)
                torch.cuda.empty_cache()
    for file in record:
        if pathlib.Path(file).exists():
            compare(file, lines)
        pathlib.Path(file).write_text("\n".join(lines) + "\n")
    sys.exit(not is_right)


main()
