// Maps move from kernels to the host, which makes them of what each launch passes; copies with the same map share it.
// RUN: tile-opt %s --tile-make-maps --split-input-file | FileCheck %s
// RUN: tile-opt %s --tile-make-maps --lower-tile-copy --tile-to-nvvm --split-input-file | FileCheck %s --check-prefix=NVVM

!shared = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!global = !tile.buffer<?x?xf16, global, #tile.layout<(?, ?) : (1@s0, 1)>>

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    // Extents and strides of a memref; numbers that are arguments themselves, of which one is promised to be a multiple.
    // CHECK-LABEL: gpu.func @two(
    // CHECK-SAME:    %[[A:[a-z0-9]+]]: memref<?x?xf16, strided<[?, 1]>>
    // CHECK-SAME:    %[[FIRST:[a-z0-9]+]]: !tile.tensor_map<element = float16, dims = [{extent = of(1), stride = bytes(2), box = 64}, {extent = of(0), stride = times{stride = 0, bytes = 2}, box = 64}], swizzle = b128{{.*}}> {tile.map_of = array<i64: 0, 1, 1, 0, 1, 1, 1, 0, 0, 1, 2, 0, 0>},
    // CHECK-SAME:    %[[SECOND:[a-z0-9]+]]: !tile.tensor_map<{{.*}}> {tile.map_of = array<i64: 4, 1, 0, 2, 0, 1, 0, 1, 0, 1, 0, 3, 0>}) workgroup
    // CHECK:         tile.copy_async {{.*}} through(%[[FIRST]] :
    // CHECK:         tile.copy_async {{.*}} through(%[[FIRST]] :
    // CHECK:         tile.copy_async {{.*}} through(%[[SECOND]] :
    // NVVM-LABEL:  llvm.func @two(%{{[a-z0-9]+}}: !llvm.ptr{{.*}}, %{{[a-z0-9]+}}: i64, %{{[a-z0-9]+}}: i64, %{{[a-z0-9]+}}: i64, %{{[a-z0-9]+}}: i64, %{{[a-z0-9]+}}: i64, %{{[a-z0-9]+}}: i64, %{{[a-z0-9]+}}: !llvm.ptr{{.*}}, %{{[a-z0-9]+}}: i64,
    // NVVM-SAME:     %{{[a-z0-9]+}}: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}
    // NVVM-SAME:     %{{[a-z0-9]+}}: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant})
    // NVVM-SAME:     tile.tensor_maps = ["9: base=p0,type=f16,dims=p2xp1,strides=2*p3,box=64x64,swizzle=128,promotion={{[0-9a-z]+}},fill=zero",
    // NVVM-SAME:                         "10: base=p7,type=f16,dims=p5xp4,strides=2*p6,
    gpu.func @two(%A: memref<?x?xf16, strided<[?, 1]>>, %m: index, %n: index, %ld: index, %C: memref<?xf16>)
        workgroup(%barriers: memref<1xi64, 3> {llvm.align = 8}) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c64 = arith.constant 64 : index
      %s = tile.alloc : !shared
      %block = gpu.block_id x
      %row = arith.muli %block, %c64 : index
      %a = tile.view %A : memref<?x?xf16, strided<[?, 1]>>
      tile.copy_async %a[%row, 128] [64, 64] to %s[0, 0] [64, 64] scope(cta) mbarrier(%barriers : memref<1xi64, 3>) {variant = "tma"}
        : !global to !shared
      %same = tile.view %A : memref<?x?xf16, strided<[?, 1]>>
      tile.copy_async %same[%row, 0] [64, 64] to %s[0, 0] [64, 64] scope(cta) mbarrier(%barriers : memref<1xi64, 3>) {variant = "tma"}
        : !global to !shared
      %ld8 = tile.assume %ld divisible_by 8 : index
      %c = tile.view %C extents(%m, %n) strides(%ld8) : memref<?xf16> to !global
      tile.copy_async %c[%row, 128] [64, 64] to %s[0, 0] [64, 64] scope(cta) mbarrier(%barriers : memref<1xi64, 3>) {variant = "tma"}
        : !global to !shared
      gpu.return
    }
  }

  // CHECK-LABEL: func.func @main(
  // CHECK:         %[[VIEW:.*]] = tile.view %arg0
  // CHECK-NEXT:    %[[MAP:.*]] = tile.tensor_map %[[VIEW]]
  // CHECK-NEXT:    %[[LD:.*]] = tile.assume %[[N:.*]] divisible_by 8
  // CHECK-NEXT:    %[[FLAT:.*]] = tile.view %arg2 extents(%[[N]], %[[N]]) strides(%[[LD]])
  // CHECK-NEXT:    %[[OTHER:.*]] = tile.tensor_map %[[FLAT]]
  // CHECK:         gpu.launch_func @kernels::@two {{.*}}%[[MAP]] : !tile.tensor_map<{{.*}}>, %[[OTHER]] : !tile.tensor_map<
  // NVVM-LABEL:  func.func @main(
  // NVVM-COUNT-2:  llvm.call @tileEncodeTensorMap(
  // NVVM:          gpu.launch_func @kernels::@two {{.*}} : !llvm.array<16 x i64>, %{{.*}} : !llvm.array<16 x i64>)
  func.func @main(%A: memref<?x?xf16, strided<[?, 1]>>, %n: index, %C: memref<?xf16>) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@two blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
      args(%A : memref<?x?xf16, strided<[?, 1]>>, %n : index, %n : index, %n : index, %C : memref<?xf16>)
    return
  }
}

// -----

// What is written through a map is not only read.

!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // NVVM-LABEL: llvm.func @stored(
  // NVVM-SAME:    %arg0: !llvm.ptr {llvm.align = 256 : i64, llvm.noalias, llvm.readonly}, %arg1: !llvm.ptr {llvm.align = 256 : i64},
  gpu.func @stored(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32>
    %b = tile.view %B : memref<32x32xf32>
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(cta) : !tile.buffer<32x32xf32, global> to !shared
    tile.copy_async %s to %b scope(cta) bulk_group {variant = "tma"} : !shared to !tile.buffer<32x32xf32, global>
    nvvm.cp.async.bulk.wait_group 0
    tile.copy %b to %s scope(cta) : !tile.buffer<32x32xf32, global> to !shared
    gpu.return
  }
}
