// Rows that begin anywhere are realigned; what a mask leaves out is filled with 8-bit floats, which LLVM cannot store as such.
// REQUIRES: numpy
// RUN: mkdir -p %t && cd %t && %python -c 'import numpy; r = numpy.random.default_rng(0); x = r.integers(1, 120, 1743).astype("u1"); \
// RUN:   y = numpy.zeros(576, "u1"); y[:75] = x[505:580]; numpy.save("x", x); numpy.save("y", y)'
// RUN: cd %t && tile-run %s --schedule=all --arg index=505 --arg f8E4M3FN[1743]=x.npy --arg f8E4M3FN[576]=poison --expect 2=y.npy
!g = !tile.buffer<3x580xf8E4M3FN, global>
!s = !tile.buffer<576xf8E4M3FN, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @k(%n: index, %m: memref<1743xf8E4M3FN> {llvm.align = 16 : i64}, %o: memref<576xf8E4M3FN>) kernel attributes {known_block_size = array<i32: 96, 1, 1>} {
    %b1 = tile.view %m : memref<1743xf8E4M3FN> to !g
    %d = tile.view %o : memref<576xf8E4M3FN>
    %s = tile.alloc : !s
    %f = arith.constant 0x00 : f8E4M3FN
    tile.copy %b1[0, %n] [1, 576] to %s[0] [576] scope(cta) masked fill(%f : f8E4M3FN) : !g to !s
    gpu.barrier
    tile.copy %s to %d scope(cta) : !s to !tile.buffer<576xf8E4M3FN, global>
    gpu.return
  }
}
