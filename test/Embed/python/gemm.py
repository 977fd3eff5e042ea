import numpy as np
import mlir_tile as tile

rng = np.random.default_rng(0)
a, b = (rng.standard_normal(shape).astype("float16") for shape in [(200, 328), (328, 136)])
c = np.zeros((200, 136), "float16")

kernel = tile.compile(open("gemm.mlir").read()).only
kernel.simulate(a, b, c, grid=2, schedule="all")  # a race, or an access out of bounds, is an exception with its line
assert np.allclose(c, a.astype("float32") @ b.astype("float32"), rtol=1e-3, atol=1e-3)
