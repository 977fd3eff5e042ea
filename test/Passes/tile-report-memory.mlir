// RUN: tile-opt %s --tile-report-memory --split-input-file --verify-diagnostics -o /dev/null
// RUN: not tile-opt %s --tile-report-memory=worst=1 --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=WORST
// RUN: not tile-opt %s --lower-tile-copy --split-input-file -o /dev/null --remarks-filter-analyse=tile-traffic --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EACH

// The worst first, of the copies that cost more than they need; a masked copy as where it is inside.
// WORST: remark: 1 of 3: tile.copy
// WORST-NOT: remark: 2 of 3
!rows = !tile.buffer<32x32xf32, global>
!padded = !tile.buffer<32x32xf32, shared, #tile.layout<(32, 32) : (33, 1)>>
!column = !tile.buffer<32x32xf32, shared, #tile.layout<(32, 32) : (1, 32)>>
!all = !tile.buffer<?x34xf32, global>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @copies(%A: memref<32x32xf32>, %M: memref<?x34xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<32x32xf32> to !rows
    %m = tile.view %M : memref<?x34xf32> to !all
    %p = tile.alloc : !padded
    %c = tile.alloc : !column
    %i = gpu.block_id x
    // EACH: [Analysis] gmem_smem {{.*}} IdealSectors=128, IdealWavefronts=32, Lines=32, Remark="32 wavefronts, 32 without conflicts; 128 sectors in 32 lines, 128 at least", Requests=64, Sectors=128, Wavefronts=32
    tile.copy %a to %p scope(warp) : !rows to !padded
    // expected-remark @below {{1 of 3: tile.copy by gmem_smem: 1024 wavefronts, 32 without conflicts; 128 sectors in 32 lines, 128 at least}}
    tile.copy %a to %c scope(warp) : !rows to !column
    // expected-remark @below {{3 of 3: tile.copy by gmem_smem: 32 wavefronts, 32 without conflicts; 160 sectors in 64 lines, 128 at least}}
    tile.copy %m[%i, 1] [32, 32] to %p scope(warp) masked fill(%zero : f32) : !all to !padded
    gpu.barrier
    // expected-remark @below {{2 of 3: tile.copy by gmem_smem: 1024 wavefronts, 32 without conflicts; 128 sectors in 32 lines, 128 at least}}
    tile.copy %c to %a scope(warp) : !column to !rows
    gpu.return
  }
}

// -----

// expected-remark @below {{none of 1 copies and fills costs more than its bytes need}}
module {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    gpu.func @whole(%A: memref<1024xf32>, %B: memref<1024xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
      %a = tile.view %A : memref<1024xf32>
      %b = tile.view %B : memref<1024xf32>
      tile.copy %a to %b scope(cta) : !tile.buffer<1024xf32, global> to !tile.buffer<1024xf32, global>
      gpu.return
    }
  }
}

// -----

// A copy that cannot be planned is an error, and the others are listed.
!rows = !tile.buffer<8x8xf32, global>
!odd = !tile.buffer<8x8xf32, local, #tile.layout<(8, 8) : (1@laneid, 1)>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @refused(%A: memref<8x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<8x8xf32>
    %r = tile.alloc : !odd
    // expected-error @below {{cannot be done by 'ldstmatrix'}}
    tile.copy %a to %r scope(warp) {variant = "ldstmatrix"} : !rows to !odd
    gpu.return
  }
}
