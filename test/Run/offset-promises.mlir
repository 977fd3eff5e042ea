// What is known of a memref's run-time offset limits the vector width of copies: nothing, so that chunks are realigned, the alignment of the first element
// (memref.assume_alignment), or a divisor of the offset itself (tile.assume, as for strides).
// RUN: tile-opt %s --lower-tile-copy --remarks-filter-passed=tile-copy --remark-format=emitRemark -o %t.mlir 2>&1 | FileCheck %s
// RUN: tile-run %s --entry unknown --arg f16[65x64]=random --arg u64=1 --arg f16[64x64]=poison --schedule all
// RUN: tile-run %s --entry aligned --arg f16[65x64]=random --arg u64=8 --arg f16[64x64]=poison --schedule all
// RUN: tile-run %s --entry assumed --arg f16[66x64]=random --arg u64=72 --arg u64=64 --arg f16[64x64]=poison --schedule all
// RUN: tile-run %s --entry aligned --arg f16[64x64]=random --arg u64=0 --arg f16[64x64]=poison --expect-equal 0,2
// RUN: tile-run %s --entry assumed --arg f16[64x64]=random --arg u64=0 --arg u64=64 --arg f16[64x64]=poison --expect-equal 0,3

!rows = !tile.buffer<64x64xf16, global>
!open = !tile.buffer<64x64xf16, global, #tile.layout<(64, 64) : (?, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK: Function=unknown | {{.*}}Remark="copied by realign: 4 x 2 loads and 1 store of 128 bits, 1 x 1 load and 1 store of 16 bits per thread"
  gpu.func @unknown(%A: memref<64x64xf16, strided<[64, 1], offset: ?>>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16, strided<[64, 1], offset: ?>> to !rows
    %b = tile.view %B : memref<64x64xf16> to !rows
    tile.copy %a to %b scope(cta) : !rows to !rows
    gpu.return
  }

  // CHECK: Function=aligned | {{.*}}Instructions="4 loads and 4 stores of 128 bits"
  gpu.func @aligned(%A: memref<64x64xf16, strided<[64, 1], offset: ?>>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %m = memref.assume_alignment %A, 16 : memref<64x64xf16, strided<[64, 1], offset: ?>>
    %a = tile.view %m : memref<64x64xf16, strided<[64, 1], offset: ?>> to !rows
    %b = tile.view %B : memref<64x64xf16> to !rows
    tile.copy %a to %b scope(cta) : !rows to !rows
    gpu.return
  }

  // CHECK: Function=assumed | {{.*}}Instructions="4 loads and 4 stores of 128 bits"
  gpu.func @assumed(%A: memref<64x64xf16, strided<[?, 1], offset: ?>>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %base, %o, %sizes:2, %strides:2 = memref.extract_strided_metadata %A
      : memref<64x64xf16, strided<[?, 1], offset: ?>> -> memref<f16>, index, index, index, index, index
    %offset = tile.assume %o divisible_by 8 : index
    %ld = tile.assume %strides#0 divisible_by 8 : index
    %m = memref.reinterpret_cast %base to offset: [%offset], sizes: [64, 64], strides: [%ld, 1]
      : memref<f16> to memref<64x64xf16, strided<[?, 1], offset: ?>>
    %a = tile.view %m : memref<64x64xf16, strided<[?, 1], offset: ?>> to !open
    %b = tile.view %B : memref<64x64xf16> to !rows
    tile.copy %a to %b scope(cta) : !open to !rows
    gpu.return
  }
}
