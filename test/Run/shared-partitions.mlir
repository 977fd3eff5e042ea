// Row sums where the lanes that hold a row would be in two warps if each thread held as few vectors as possible: another partition is
// taken, with more of them.
// REQUIRES: numpy
// RUN: mkdir -p %t && cd %t && %python -c 'import numpy; r = numpy.random.default_rng(0); x = r.integers(-99, 99, (46, 36)).astype("f4"); \
// RUN:   numpy.save("x", x); numpy.save("most", x.max(1, keepdims=True)); numpy.save("all", x.sum(1, keepdims=True))'
// RUN: cd %t && tile-run %s --schedule=all --arg f32[46x36]=x.npy --arg f32[46x1]=poison --arg f32[46x1]=poison --expect 1=most.npy --expect 2=all.npy \
// RUN:   | FileCheck %s
// CHECK-COUNT-5: schedule {{.*}}: argument 1 holds what most.npy holds, argument 2 holds what all.npy holds

!s = !tile.buffer<46x36xf32, shared>
!r = !tile.buffer<46x1xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @rows(%A: memref<46x36xf32>, %B: memref<46x1xf32>, %C: memref<46x1xf32>) kernel
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %a = tile.view %A : memref<46x36xf32>
    %b = tile.view %B : memref<46x1xf32>
    %c = tile.view %C : memref<46x1xf32>
    %s = tile.alloc : !s
    %r = tile.alloc : !r
    %t = tile.alloc : !r
    tile.copy %a to %s scope(cta) : !tile.buffer<46x36xf32, global> to !s
    tile.reduce max %s to %r dim(1) scope(cta) : !s to !r
    tile.reduce add %s to %t dim(1) scope(cta) : !s to !r
    tile.copy %r to %b scope(cta) : !r to !tile.buffer<46x1xf32, global>
    tile.copy %t to %c scope(cta) : !r to !tile.buffer<46x1xf32, global>
    gpu.return
  }
}
