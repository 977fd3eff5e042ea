// --tile-build does what each kernel needs, and leaves the others as they are written.
// RUN: tile-opt %s --tile-build=lower=false | FileCheck %s
// RUN: tile-opt %s --tile-build=lower=false --remarks-filter=tile-copy --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt %s --tile-build='lower=false inline=false convert=false pipeline=false memory=false order=false' | FileCheck %s --check-prefix=OFF
// RUN: tile-opt %s --tile-build | FileCheck %s --check-prefix=LOWERED --implicit-check-not='tile.{{[a-ce-z]}}'
// RUN: tile-translate --tile-to-ptx %s | FileCheck %s --check-prefix=PTX

// LOWERED: llvm.func @written
// PTX: .entry written(

// OFF-LABEL: gpu.func @written
// OFF: func.call @load
// OFF: memref.copy
// OFF-LABEL: gpu.func @stages
// OFF-NOT: nvvm.cp.async.wait.group
// OFF-LABEL: gpu.func @own_waits
// OFF-NOT: tile.dynamic_shared

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>
!turned = !tile.buffer<32x32xf32, shared, #tile.layout<(32, 32) : (1, 32)>>
!matrix = !tile.buffer<1024x64xf32, global>
!stage = !tile.buffer<32x64xf32, shared>
!large = !tile.buffer<128x64xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  func.func private @load(%a: !global) -> !shared {
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(cta) : !global to !shared
    return %s : !shared
  }

  // It has barriers, and keeps them, also the one that it does not need.
  // CHECK-LABEL: gpu.func @written
  // CHECK: tile.copy
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile.permute
  // CHECK-NEXT: tile.copy
  // CHECK-NEXT: gpu.return
  // REMARK-DAG: :[[# @LINE+6]]:5: remark: [Missed] order-as-written | {{.*}}Function=written
  gpu.func @written(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %b = tile.view %B : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(cta) : !global to !shared
    gpu.barrier
    gpu.barrier
    %t = tile.permute %s [1, 0] : !shared to !turned
    tile.copy %t to %b scope(cta) : !turned to !global
    gpu.return
  }

  // A call, and no barrier.
  // CHECK-LABEL: gpu.func @bare
  // CHECK: tile.copy
  // CHECK: gpu.barrier
  // CHECK-NEXT: tile.copy
  // REMARK-DAG: remark: [Passed] inlined | {{.*}}Function=bare | Callee=load
  // REMARK-DAG: remark: [Passed] inserted | {{.*}}Function=bare | Remark="'gpu.barrier'
  gpu.func @bare(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %b = tile.view %B : memref<32x32xf32> to !global
    %s = func.call @load(%a) : (!global) -> !shared
    %t = tile.permute %s [1, 0] : !shared to !turned
    tile.copy %t to %b scope(cta) : !turned to !global
    gpu.return
  }

  // Without shared memory nothing is inserted.
  // CHECK-LABEL: gpu.func @global_only
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  gpu.func @global_only(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, tile.noalias = false} {
    %a = tile.view %A : memref<32x32xf32> to !global
    tile.copy %a[0, 0] [16, 32] to %a[16, 0] [16, 32] scope(cta) : !global to !global
    tile.copy %a[16, 0] [16, 32] to %a[0, 0] [16, 32] scope(cta) : !global to !global
    gpu.return
  }

  // Upstream's copies become tile copies, which threads share: a barrier is inserted, though there is one already.
  // CHECK-LABEL: gpu.func @upstream
  // CHECK-NOT: tile.converted
  // CHECK: tile.copy
  // CHECK: nvvm.bar.warp.sync
  // CHECK: tile.copy
  // CHECK: vector.transfer_write
  gpu.func @upstream(%A: memref<32x32xf32>, %B: memref<32x32xf32>)
      workgroup(%W: memref<32x32xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    gpu.barrier
    memref.copy %A, %W : memref<32x32xf32> to memref<32x32xf32, #gpu.address_space<workgroup>>
    linalg.transpose ins(%W : memref<32x32xf32, #gpu.address_space<workgroup>>) outs(%B : memref<32x32xf32>) permutation = [1, 0]
    %own = gpu.thread_id x
    %row = vector.transfer_read %A[%own, %c0], %zero {in_bounds = [true]} : memref<32x32xf32>, vector<4xf32>
    vector.transfer_write %row, %A[%own, %c0] {in_bounds = [true]} : vector<4xf32>, memref<32x32xf32>
    gpu.return
  }

  // A ring, in dynamic memory with another tile.
  // CHECK-LABEL: gpu.func @stages
  // CHECK-SAME: tile.dynamic_shared = array<i64: 57344, 16>
  // CHECK: gpu.dynamic_shared_memory
  // CHECK: scf.for
  // CHECK: nvvm.cp.async.wait.group
  // REMARK-DAG: remark: [Passed] pipelined | {{.*}}Function=stages | {{.*}}Stages=3
  // REMARK-DAG: remark: [Passed] shared-memory | {{.*}}Function=stages | Dynamic=57344
  gpu.func @stages(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c992 = arith.constant 992 : index
    %l = tile.alloc : !large
    tile.copy %a[0, 0] [128, 64] to %l scope(cta) : !matrix to !large
    %s = tile.alloc : !stage
    scf.for %row = %c0 to %c992 step %c32 {
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group : !matrix to !stage
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !stage to !matrix
    } {tile.stages = 3 : i64}
    tile.copy %l to %b[0, 0] [128, 64] scope(cta) : !large to !matrix
    gpu.return
  }

  // The loop waits for its copies itself.
  // CHECK-LABEL: gpu.func @own_waits
  // CHECK: scf.for
  // CHECK-NEXT: tile.copy_async
  // CHECK-NEXT: nvvm.cp.async.wait.group 0
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile.copy
  gpu.func @own_waits(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, tile.order = "by_hand"} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c1024 = arith.constant 1024 : index
    %s = tile.alloc : !stage
    scf.for %row = %c0 to %c1024 step %c32 {
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group : !matrix to !stage
      nvvm.cp.async.wait.group 0
      gpu.barrier
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !stage to !matrix
      gpu.barrier
    } {tile.stages = 2 : i64}
    gpu.return
  }

  // Two tiles that are not live at the same time share bytes of static memory, and a barrier is between them.
  // CHECK-LABEL: gpu.func @share
  // CHECK-NOT: tile.dynamic_shared
  // CHECK-SAME: memref<32768xi8
  // CHECK: tile.copy
  // CHECK: gpu.barrier
  // CHECK: gpu.barrier
  // REMARK-DAG: remark: [Passed] shared-memory | {{.*}}Function=share | Dynamic=0, {{.*}}Static=32768
  gpu.func @share(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %s = tile.alloc : !large
    %t = tile.alloc : !large
    tile.copy %a[0, 0] [128, 64] to %s scope(cta) : !matrix to !large
    gpu.barrier
    tile.copy %s to %b[128, 0] [128, 64] scope(cta) : !large to !matrix
    tile.copy %a[128, 0] [128, 64] to %t scope(cta) : !matrix to !large
    gpu.barrier
    tile.copy %t to %b[0, 0] [128, 64] scope(cta) : !large to !matrix
    gpu.return
  }
}
