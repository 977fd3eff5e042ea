import numpy as np
import mlir_tile as tile

X = "!tile.buffer<32x64xf32, local, #tile.layout<(32, 64) : (1@laneid, 1)>>"
ROW = "!tile.buffer<32x1xf32, local, #tile.layout<(32, 1) : (1@laneid, 1)>>"


@tile.kernel("memref<64x64xf32>", "memref<64x64xf32>", block=32)
def softmax(k, A, B):
    a, b = k.view(A), k.view(B)
    x, row = k.tile.alloc(type=X), k.tile.alloc(type=ROW)
    i = k.gpu.block_id(dimension="x") * 32
    k.tile.copy(a.at([i, 0], [32, 64]), x, scope="warp")
    k.tile.reduce(sources=[x], dests=[row], kind="max", dim=1, scope="warp")
    k.tile.map(sources=[x, row], dests=[x], scope="warp", body=lambda e, largest: k.math.exp(e - largest))
    k.tile.reduce(sources=[x], dests=[row], kind="add", dim=1, scope="warp")
    k.tile.map(sources=[x, row], dests=[x], scope="warp", body=lambda e, sum: e / sum)
    k.tile.copy(x, b.at([i, 0], [32, 64]), scope="warp")


x, y = np.random.rand(64, 64).astype("float32"), np.zeros((64, 64), "float32")
softmax.compile().simulate(x, y, grid=2, schedule="all")
assert np.allclose(y, np.exp(x) / np.exp(x).sum(1, keepdims=True), rtol=1e-5)
