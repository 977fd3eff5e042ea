import numpy as np
import mlir_tile as tile

kernel = tile.compile(open("copy.mlir").read(), chip="sm_90a").only
print(kernel.remarks[-1].args["Instructions"])
a, b = np.random.rand(30, 99).astype("float16"), np.zeros((30, 99), "float16")
kernel.simulate(a, b, grid=(2, 2), schedule="all")  # a race would raise tile.Race, with its lines
assert (a == b).all()
print(tile.scan(np.arange(6, dtype="int32")))
# kernel.launch(x, y, grid=(2, 2)) takes arrays of torch, CuPy or JAX
