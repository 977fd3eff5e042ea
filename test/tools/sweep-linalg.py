#!/usr/bin/env python3
"""Runs --convert-linalg-to-tile on chunks of folders of MLIR files of other projects, and counts what is taken and why the rest is not.

A chunk is what `// -----` separates. One that upstream's mlir-opt reads, and that has an op of linalg, a contraction or reduction of vectors
or a memref.copy, is bufferized where it has tensors; the bodies of functions without results become kernels of blocks of 128 threads.
It is taken if no such op is left, and built if --tile-build makes PTX of it, too.

    sweep-linalg.py --tools target/release --llvm /usr/lib/llvm-22/bin FOLDER…
"""

import argparse
import collections
import concurrent.futures
import pathlib
import re
import subprocess

WANTED = re.compile(
    r"\b(linalg\.(?!yield|index)\w+|vector\.(?:contract|multi_reduction|outerproduct)|memref\.copy)\b"
)
REASON = re.compile(r"\[Missed\] ([\w-]+) \|")
STRIPPED = re.compile(r"^\s*//.*$", re.M)
BUFFERIZE = (
    "--pass-pipeline=builtin.module(one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops "
    "function-boundary-type-conversion=identity-layout-map},buffer-results-to-out-params{hoist-static-allocs modify-public-functions},canonicalize,cse,"
    "drop-equivalent-buffer-results,buffer-results-to-out-params{modify-public-functions},canonicalize)"
)


def run(command, text):
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return 124, "", "timeout"
    return done.returncode, done.stdout, done.stderr


HEAD = re.compile(r"^(\s*)func\.func (?:private |public )?@([\w$.]+)\((.*)\)(?: attributes \{.*\})? \{$")
ALLOC = re.compile(r"^(\s*)(%\w+) = memref\.alloc\((.*?)\)(?: \{.*\})? : (memref<.*>)$")


def kernel(head, body):
    """A function without results as a kernel; memory that it allocates is an argument."""
    indent, name, arguments = head.groups()
    arguments, lines = [arguments] if arguments else [], []
    for line in body:
        alloc = ALLOC.match(line)
        if alloc and len(alloc.group(1)) == len(indent) + 2:
            arguments.append(f"{alloc.group(2)}: {alloc.group(4)}")
        elif "memref.dealloc" not in line:
            lines.append(line.replace("return", "gpu.return") if line.strip() == "return" else line)
    attributes = "kernel attributes {known_block_size = array<i32: 128, 1, 1>}"
    return [f"{indent}gpu.func @{name}({', '.join(arguments)}) {attributes} {{", *lines, indent + "}"]


def kernels(text):
    """A gpu.module of the functions without results and calls, where the module has no kernel; functions that call them are left out."""
    if "gpu.func" in text or "gpu.launch" in text:
        return text
    lines = text.split("\n")
    kept, made, at = [], False, 0
    while at < len(lines):
        line, head = lines[at], HEAD.match(lines[at])
        if not re.match(r"^\s*func\.func ", line):
            kept.append(line)
            at += 1
            continue
        indent = re.match(r"^\s*", line).group()
        end = at
        while line.endswith("{") and lines[end] != indent + "}":
            end += 1
        body = lines[at + 1 : end]
        if head and not any(re.search(r"\bcall @|func\.call", one) for one in body):
            kept += kernel(head, body)
            made = True
        elif not any(re.search(r"\bcall @|func\.call", one) for one in body) and end > at:
            kept += lines[at : end + 1]
        at = end + 1
    if not made:
        return text
    return re.sub(r"^module(?: attributes \{.*\})? \{$", "gpu.module @kernels {", "\n".join(kept), count=1, flags=re.M)


def judge(chunk, options):
    """The verdict of a chunk: None where it is not one to judge, else its name and details."""
    mlir, tile = f"{options.llvm}/mlir-opt", f"{options.tools}/tile-opt"
    code, text, _ = run([mlir, "--mlir-print-op-generic=false", "-"], chunk)
    if code or "transform.named_sequence" in text and not WANTED.search(re.sub(r"transform\..*", "", text)):
        return None
    if not WANTED.search(text):
        return None
    if "transform." in text:
        code, stripped, _ = run([mlir, "--pass-pipeline=builtin.module(transform-interpreter)", "-"], text)
        code, stripped, _ = run([mlir, "--test-transform-dialect-erase-schedule", "-"], stripped if not code else text)
        if code or not WANTED.search(stripped):
            return None
        text = stripped
    if "tensor" in text or re.search(r"-> (memref|\(memref)", text):
        code, buffers, error = run([mlir, BUFFERIZE, "-"], text)
        if code:
            return "upstream: not bufferized", [error.split("\n")[0][:150]]
        text = buffers
        if not WANTED.search(text):
            return None
    text = kernels(text)
    wanted = len(WANTED.findall(text))
    command = [tile, f"--convert-linalg-to-tile=chip={options.chip} block=128", "--remarks-filter-missed=tile-copy", "--remark-format=emitRemark", "-"]
    code, tiles, error = run(command, text)
    reasons = [name for name in REASON.findall(error) if name.startswith("stays-")]
    if code:
        lines = [line for line in error.split("\n") if "error:" in line]
        return "error", [lines[0].split("error:")[1][:150] if lines else error[-150:]]
    left = WANTED.findall(tiles)
    if left:
        return ("partly" if len(left) < wanted else "refused"), reasons or [f"without a name: {left[0]}"]
    if "gpu.module" not in tiles:
        return "taken", ["not built: no gpu.module"]
    code, _, error = run([tile, f"--tile-build=chip={options.chip}", "-o", "/dev/null", "-"], tiles)
    lines = [line for line in error.split("\n") if "error:" in line]
    return ("taken and built", []) if not code else ("taken", [(lines or [error[-150:]])[0].split("error:")[-1][:150]])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--tools", default="target/release")
    parser.add_argument("--llvm", default="/usr/lib/llvm-22/bin")
    parser.add_argument("--chip", default="sm_90a")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--details", type=pathlib.Path, help="a line for each chunk")
    options = parser.parse_args()
    chunks = []
    for folder in options.folders:
        for file in sorted(folder.rglob("*.mlir")) if folder.is_dir() else [folder]:
            for number, chunk in enumerate(re.split(r"^// -----.*$", file.read_text(errors="replace"), flags=re.M)):
                if WANTED.search(STRIPPED.sub("", chunk)):
                    chunks.append((f"{file}#{number}", chunk))
    verdicts, reasons, lines = collections.Counter(), collections.Counter(), []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (name, _), verdict in zip(chunks, pool.map(lambda chunk: judge(chunk[1], options), chunks)):
            if verdict is None:
                continue
            kind, details = verdict
            verdicts[kind] += 1
            reasons.update((kind, detail) for detail in set(details))
            lines.append(f"{name}\t{kind}\t{'; '.join(sorted(set(details)))}")
    if options.details:
        options.details.write_text("\n".join(lines) + "\n")
    print(f"{sum(verdicts.values())} chunks of {len(chunks)} are read by mlir-opt")
    for kind, count in verdicts.most_common():
        print(f"{count:5} {kind}")
        for (of, detail), number in reasons.most_common():
            if of == kind:
                print(f"      {number:4} {detail}")


if __name__ == "__main__":
    main()
