import numpy as np
import mlir_tile as tile

M, N, K = 128, 128, 96
SUMS = "!tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>"


@tile.kernel(f"memref<{M}x{K}xf16>", f"memref<{K}x{N}xf16>", f"memref<{M}x{N}xf32>", block=128)
def gemm(k, A, B, C):
    a, b, c = k.view(A), k.view(B), k.view(C)
    sa, sb = k.tile.alloc(type="!tile.buffer<64x32xf16, shared, auto>"), k.tile.alloc(type="!tile.buffer<32x64xf16, shared, auto>")
    sums = k.tile.alloc(type=SUMS)
    row, column = k.gpu.block_id(dimension="y") * 64, k.gpu.block_id(dimension="x") * 64
    k.tile.fill(0.0, sums, scope="cta")
    for i in k.range(0, K, 32, stages=3):
        k.tile.copy_async(a.at([row, i], [64, 32]), sa, scope="cta")
        k.tile.copy_async(b.at([i, column], [32, 64]), sb, scope="cta")
        k.tile.mma(sa, sb, sums, scope="cta", group=True)
    k.tile.copy(sums, c.at([row, column], [64, 64]), scope="cta")


rng = np.random.default_rng(0)
a, b = rng.standard_normal((M, K)).astype("float16"), rng.standard_normal((K, N)).astype("float16")
c = np.zeros((M, N), "float32")
gemm.compile(chip="sm_90a").simulate(a, b, c, grid=(2, 2), schedule="all")
assert np.allclose(c, a.astype("float32") @ b.astype("float32"), rtol=1e-3, atol=1e-3)
