"""The kernel with a race of docs/simulator.md, and the same with its barrier."""

import numpy as np

import mlir_tile as tile

text = open("reduce.ptx").read()
numbers, total = np.ones(64, "float32"), np.zeros(1, "float32")
try:
    tile.ptx(text).simulate(numbers, total, block=64)
except tile.Race as race:
    print(f"{race.file}:{race.line}: {race}")
fixed = tile.ptx(text.replace("$L__BB0_3:", "$L__BB0_3: bar.sync 0;"))
counts = fixed.simulate(numbers, total, block=64, schedule="all")
print(total, counts["ld.shared.f32"].conflicts)
