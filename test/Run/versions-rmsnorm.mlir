// RMSNorm of rows of any length in one kernel, whose body is written once: rows that are multiples of 8 elements long take
// accesses of 128 bits, others take accesses of 16 where they leave a tile.

// The kernel alone is at most 45 lines long.
// RUN: grep -v '^// \|^//$\|^$' %s | wc -l | FileCheck %s --check-prefix=LINES
// LINES: {{^ *}}45{{$}}

// RUN: tile-run %s --grid 3 --arg f16[3x4096]=random:1 --arg f16[4096]=random:2 --arg f16[3x4096]=poison --arg f32=1e-5 --schedule=all --write 2=%t.4096.npy | FileCheck %s --check-prefix=WIDE
// RUN: tile-run %s --grid 3 --arg f16[3x4097]=random:1 --arg f16[4097]=random:2 --arg f16[3x4097]=poison --arg f32=1e-5 --schedule=all --write 2=%t.4097.npy | FileCheck %s --check-prefix=NARROW
// WIDE-NOT:  {{^}}ld.global{{.*}}b16
// WIDE:      {{^}}ld.global.nc.v4.b32 144 73728 2304
// WIDE:      {{^}}st.global.v4.b32 48 24576 768
// NARROW:     {{^}}ld.global.nc.b16 777 49170 12393
// NARROW:     {{^}}st.global.b16 387 24582
// NARROW-NOT: {{^}}st.global.v4

// What is expected: a row of ones has the norm 1, so the weights remain; and both copies compute the same.
// RUN: tile-run %s --grid 3 --arg f16[3x1000]=ones --arg f16[1000]=ones --arg f16[3x1000]=poison --arg f32=0 --expect-equal 0,2
// RUN: tile-run %s --grid 3 --arg f16[3x1001]=ones --arg f16[1001]=ones --arg f16[3x1001]=poison --arg f32=0 --expect-equal 0,2
// RUN: tile-run %s --passes='tile-build{versions=false}' --grid 3 --arg f16[3x4096]=random:1 --arg f16[4096]=random:2 --arg f16[3x4096]=poison --arg f32=1e-5 --expect 2=%t.4096.npy,rtol=2e-3 | FileCheck %s --check-prefix=ONCE
// ONCE: {{^}}ld.global.nc.b16 768 49152 12288

!matrix = !tile.buffer<?x?xf16, global>
!wide = !tile.buffer<1x2048xf32, local, #tile.layout<(256, 8) : (1@tx, 1)>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @rmsnorm(%X: memref<?x?xf16>, %W: memref<?xf16>, %Y: memref<?x?xf16>, %eps: f32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %n = memref.dim %X, %c1 : memref<?x?xf16>
    %x = tile.view %X : memref<?x?xf16>
    %y = tile.view %Y : memref<?x?xf16>
    %w = tile.view %W extents(%c1, %n) strides(%n) : memref<?xf16> to !matrix
    %row = gpu.block_id x
    tile.version %X divisible_by 8, %Y divisible_by 8 : memref<?x?xf16>, memref<?x?xf16> {
      %rx = tile.alloc : !wide
      %rw = tile.alloc : !wide
      %mx = tile.local_view %rx : !wide
      %mw = tile.local_view %rw : !wide
      %part = affine.for %c = 0 to %n step 2048 iter_args(%sum = %zero) -> f32 {
        tile.copy %x[%row, %c] [1, 2048] to %rx scope(cta) masked fill(%zero : f32) : !matrix to !wide
        %v = affine.vector_load %mx[0] : memref<8xf32>, vector<8xf32>
        %q = arith.mulf %v, %v : vector<8xf32>
        %s = vector.reduction <add>, %q, %sum : vector<8xf32> into f32
        affine.yield %s : f32
      }
      %sum = gpu.all_reduce add %part uniform {} : (f32) -> f32
      %ni = arith.index_cast %n : index to i32
      %nf = arith.sitofp %ni : i32 to f32
      %mean = arith.divf %sum, %nf : f32
      %me = arith.addf %mean, %eps : f32
      %scale = math.rsqrt %me fastmath<afn> : f32
      %scales = vector.broadcast %scale : f32 to vector<8xf32>
      affine.for %c = 0 to %n step 2048 {
        tile.copy %x[%row, %c] [1, 2048] to %rx scope(cta) masked fill(%zero : f32) : !matrix to !wide
        tile.copy %w[0, %c] [1, 2048] to %rw scope(cta) masked fill(%zero : f32) : !matrix to !wide
        %v = affine.vector_load %mx[0] : memref<8xf32>, vector<8xf32>
        %g = affine.vector_load %mw[0] : memref<8xf32>, vector<8xf32>
        %t = arith.mulf %v, %scales : vector<8xf32>
        %u = arith.mulf %t, %g : vector<8xf32>
        affine.vector_store %u, %mx[0] : memref<8xf32>, vector<8xf32>
        tile.copy %rx to %y[%row, %c] [1, 2048] scope(cta) masked : !wide to !matrix
      }
    }
    gpu.return
  }
}
