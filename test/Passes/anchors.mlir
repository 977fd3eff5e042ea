// A pass changes only the op it runs on, so that MLIR may run it on several functions in parallel. Whatever a function needs
// outside itself is created by a pass on the module; a pass on the function refuses and names the anchor that works.

// RUN: split-file %s %t

// A gpu.func and a gpu.launch hold their shared memory themselves.
// RUN: tile-opt %t/own.mlir --pass-pipeline='builtin.module(func.func(lower-tile-copy{chip=sm_90a}),gpu.module(gpu.func(lower-tile-copy{chip=sm_90a})))' \
// RUN:   | FileCheck %s --check-prefix=OWN --implicit-check-not=memref.global
// OWN:     gpu.launch
// OWN:       workgroup(
// OWN:     gpu.func
// OWN-SAME:  workgroup(

// The shared memory of a func.func becomes a global of its module, under a name that is free there.
// RUN: not tile-opt %t/global.mlir --pass-pipeline='builtin.module(gpu.module(func.func(lower-tile-copy)))' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FUNCTION
// FUNCTION: global.mlir:9:5: error: the copy uses shared memory that becomes a memref.global, and the pass runs on 'func.func' alone, expected on the module around it: gpu.module(…)
// RUN: tile-opt %t/global.mlir --pass-pipeline='builtin.module(gpu.module(lower-tile-copy))' | FileCheck %s --check-prefix=GLOBAL
// RUN: tile-opt %t/global.mlir --pass-pipeline='builtin.module(lower-tile-copy)' | FileCheck %s --check-prefix=GLOBAL
// GLOBAL:      func.func private @__tile_shared_0
// GLOBAL:      memref.global "private" @__tile_shared_1 : memref<1024xf32, #gpu.address_space<workgroup>> = uninitialized {alignment = 16 : i64}
// GLOBAL-NEXT: func.func @device
// GLOBAL:        memref.get_global @__tile_shared_1

// The kernels of a scan go into a gpu.module beside the function.
// RUN: not tile-opt %t/scan.mlir --pass-pipeline='builtin.module(func.func(lower-tile-scan))' 2>&1 | FileCheck %s --check-prefix=SCAN
// SCAN: scan.mlir:3:3: error: 'tile.scan' op becomes kernels in a gpu.module beside the 'func.func' that the pass runs on, expected the pass on the module around both: builtin.module(lower-tile-scan)
// RUN: tile-opt %t/scan.mlir --pass-pipeline='builtin.module(lower-tile-scan)' | FileCheck %s --check-prefix=SCANNED
// SCANNED: gpu.module @kernels

// A pipeline on the module is refused elsewhere; MLIR would abort.
// RUN: not tile-opt %t/own.mlir --pass-pipeline='builtin.module(gpu.module(tile-to-host))' 2>&1 | FileCheck %s --check-prefix=HOST
// HOST: error: 'tile-to-host' got the anchor 'gpu.module', expected the module around kernels and host: 'builtin.module'

//--- own.mlir
!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

func.func @host(%A: memref<32x32xf32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %a = tile.view %A : memref<32x32xf32> to !global
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%bx = %c32, %by = %c1, %bz = %c1) {
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(cta) : !global to !shared
    gpu.terminator
  }
  return
}
gpu.module @kernels {
  gpu.func @kernel(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(cta) : !global to !shared
    gpu.return
  }
}

//--- global.mlir
!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels {
  func.func private @__tile_shared_0()
  func.func @device(%A: memref<32x32xf32>) {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(warp) : !global to !shared
    return
  }
}

//--- scan.mlir
func.func @host(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // A comment, so that the op is on line 3.
  tile.scan @kernels::@cumsum inclusive add %x to %y workspace(%w) epoch(%e)
    : memref<?xf32> to memref<?xf32>, memref<?xi8>
  return
}
