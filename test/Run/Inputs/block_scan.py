"""Inputs and results of test/Run/block-scan.mlir."""

import numpy as np

random = np.random.default_rng(7)

x = random.integers(-1000, 1000, (16, 256), dtype=np.int32)
np.save("x.npy", x)
np.save("both.npy", x.cumsum(1, dtype=np.int32).cumsum(0, dtype=np.int32))

f = random.integers(-8, 8, (8, 64)).astype(np.float16)
np.save("f.npy", f)
np.save("exclusive.npy", np.concatenate([np.zeros((8, 1), np.float16), f.cumsum(1, dtype=np.float16)[:, :-1]], 1))

n = random.integers(-(1 << 40), 1 << 40, (384,), dtype=np.int64)
np.save("n.npy", n)
np.save("most.npy", np.maximum(np.maximum.accumulate(n), 12345))

z = np.full((64,), -0.0, np.float32)
np.save("z.npy", z)

g = random.integers(0, 100, (6, 128), dtype=np.int32)
np.save("g.npy", g)
total, rows = np.zeros(6, np.int64), g.cumsum(1)
np.save("groups.npy", np.concatenate([np.zeros((6, 1)), rows[:, :-1]], 1).astype(np.int32))

a, b = random.integers(-1, 2, 64).astype(np.float32), random.integers(-4, 5, 64).astype(np.float32)
y, out = np.float32(3), np.empty(64, np.float32)
for i in range(64):
    y = out[i] = a[i] * y + b[i]
np.save("a.npy", a)
np.save("b.npy", b)
np.save("y.npy", out)

t = random.integers(0, 1 << 30, (10, 3), dtype=np.int32)
np.save("t.npy", t)
np.save("thirds.npy", np.bitwise_xor.accumulate(t, 0))
