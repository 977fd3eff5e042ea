// Which accesses are ordered: for each kind of ordering, a correct kernel and an incorrect twin.
// RUN: tile-opt %s --tile-check-sync --split-input-file --verify-diagnostics -o /dev/null
// RUN: not tile-opt %s --tile-check-sync --split-input-file --remarks-filter-passed=tile-copy --remark-format=emitRemark \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: [Passed] in-order | Category:tile-copy | Function=right

!global = !tile.buffer<32x8xf32, global>
!shared = !tile.buffer<32x8xf32, shared>
!rows = !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>

gpu.module @warp [#nvvm.target<chip = "sm_90a">] {
  gpu.func @right(%A: memref<32x8xf32>, %B: memref<32x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %all = arith.constant -1 : i32
    %a = tile.view %A : memref<32x8xf32> to !global
    %s = tile.alloc : !shared
    %r = tile.alloc : !rows
    tile.copy %a to %s scope(warp) : !global to !shared
    nvvm.bar.warp.sync %all : i32
    tile.copy %s to %r scope(warp) : !shared to !rows
    gpu.return
  }

  gpu.func @wrong(%A: memref<32x8xf32>, %B: memref<32x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x8xf32> to !global
    %s = tile.alloc : !shared
    %r = tile.alloc : !rows
    // expected-note @below {{'tile.copy' writes it here}}
    tile.copy %a to %s scope(warp) : !global to !shared
    // expected-error @below {{reads shared memory that an earlier operation writes, and nothing orders the two: for example thread 1 and thread 0, byte 16}}
    // expected-note @below {{between the two, this orders them: nvvm.bar.warp.sync: both are threads of one warp}}
    tile.copy %s to %r scope(warp) : !shared to !rows
    gpu.return
  }

  // Each thread reads what it wrote.
  gpu.func @own(%A: memref<32x8xf32>, %B: memref<32x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x8xf32> to !global
    %b = tile.view %B : memref<32x8xf32> to !global
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(warp) : !global to !shared
    tile.copy %s to %b scope(warp) : !shared to !global
    gpu.return
  }
}

// -----

!global = !tile.buffer<64x8xf32, global>
!shared = !tile.buffer<64x8xf32, shared>

gpu.module @parts [#nvvm.target<chip = "sm_90a">] {
  // Each warp copies to its own part, then reads the part of the other warp.
  gpu.func @wrong(%A: memref<64x8xf32>, %B: memref<64x8xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c32 = arith.constant 32 : index
    %a = tile.view %A : memref<64x8xf32> to !global
    %b = tile.view %B : memref<64x8xf32> to !global
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %warp = arith.divui %thread, %c32 : index
    %row = arith.muli %warp, %c32 : index
    %other = arith.subi %c32, %row : index
    // expected-note @below {{'tile.copy' writes it here}}
    tile.copy %a[%row, 0] [32, 8] to %s[%row, 0] [32, 8] scope(warp) : !global to !shared
    // expected-error @below {{nothing orders the two: for example thread 0 and thread 32, byte 0}}
    // expected-note @below {{this orders them: gpu.barrier}}
    tile.copy %s[%other, 0] [32, 8] to %b[%row, 0] [32, 8] scope(warp) : !shared to !global
    gpu.barrier
    tile.copy %s[%row, 0] [32, 8] to %b[%other, 0] [32, 8] scope(warp) : !shared to !global
    gpu.return
  }

  // Every warp copies the whole tile.
  gpu.func @same(%A: memref<64x8xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<64x8xf32> to !global
    %s = tile.alloc : !shared
    // expected-error @below {{writes shared memory that the same operation writes, and nothing orders the two: for example thread 0 and thread 32, byte 0}}
    // expected-note @below {{no barrier comes between them: expected different bytes, or one thread that does it, in an scf.if}}
    tile.copy %a to %s scope(warp) : !global to !shared
    gpu.return
  }

  gpu.func @some(%A: memref<64x8xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %first = arith.cmpi ult, %thread, %c32 : index
    // expected-note @below {{threads diverge at 'scf.if'}}
    scf.if %first {
      // expected-error @below {{is reached by 32 of 64 threads, expected all of the block}}
      gpu.barrier
    }
    gpu.return
  }
}

// -----

!matrices = !tile.buffer<8x16x32xf32, global>
!ring = !tile.buffer<3x16x32xf32, shared>

gpu.module @rings [#nvvm.target<chip = "sm_90a">] {
  gpu.func @right(%A: memref<8x16x32xf32>, %B: memref<8x16x32xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %a = tile.view %A : memref<8x16x32xf32> to !matrices
    %b = tile.view %B : memref<8x16x32xf32> to !matrices
    %s = tile.alloc : !ring
    tile.copy_async %a[0, 0, 0] [1, 16, 32] to %s[0, 0, 0] [1, 16, 32] scope(cta) group : !matrices to !ring
    tile.copy_async %a[1, 0, 0] [1, 16, 32] to %s[1, 0, 0] [1, 16, 32] scope(cta) group : !matrices to !ring
    scf.for %i = %c0 to %n step %c1 {
      %stage = arith.remui %i, %c3 : index
      %ahead = arith.addi %i, %c2 : index
      %next = arith.remui %ahead, %c3 : index
      nvvm.cp.async.wait.group 1
      gpu.barrier
      tile.copy_async %a[0, 0, 0] [1, 16, 32] to %s[%next, 0, 0] [1, 16, 32] scope(cta) group : !matrices to !ring
      tile.copy %s[%stage, 0, 0] [1, 16, 32] to %b[0, 0, 0] [1, 16, 32] scope(cta) : !ring to !matrices
    }
    nvvm.cp.async.wait.group 0
    gpu.return
  }

  gpu.func @late(%A: memref<8x16x32xf32>, %B: memref<8x16x32xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %a = tile.view %A : memref<8x16x32xf32> to !matrices
    %b = tile.view %B : memref<8x16x32xf32> to !matrices
    %s = tile.alloc : !ring
    scf.for %i = %c0 to %n step %c1 {
      %stage = arith.remui %i, %c3 : index
      %ahead = arith.addi %i, %c2 : index
      %next = arith.remui %ahead, %c3 : index
      nvvm.cp.async.wait.group 2
      gpu.barrier
      // expected-note @below {{'tile.copy_async' writes it here}}
      tile.copy_async %a[0, 0, 0] [1, 16, 32] to %s[%next, 0, 0] [1, 16, 32] scope(cta) group : !matrices to !ring
      // expected-error @below {{reads shared memory that an earlier operation writes, and nothing orders the two 2 iterations later: for example thread 0 and thread 0, byte 0}}
      // expected-note @below {{this orders them: nvvm.cp.async.wait.group 2}}
      tile.copy %s[%stage, 0, 0] [1, 16, 32] to %b[0, 0, 0] [1, 16, 32] scope(cta) : !ring to !matrices
    }
    nvvm.cp.async.wait.group 0
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @groups [#nvvm.target<chip = "sm_90a">] {
  gpu.func @open(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    // expected-error @below {{may be in flight when the block ends, and its shared memory with it; expected nvvm.cp.async.wait.group 0 after it, on every path to the end}}
    tile.copy_async %a to %s scope(warp) group : !global to !shared
    // expected-note @below {{the block ends here}}
    gpu.return
  }

  gpu.func @unclosed(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %b = tile.view %B : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    // expected-note @below {{'tile.copy_async' writes it here}}
    // expected-error @below {{may be in flight when the block ends}}
    tile.copy_async %a to %s scope(warp) : !global to !shared
    nvvm.cp.async.wait.group 0
    // expected-error @below {{nothing orders the two}}
    // expected-note @below {{this orders them: nvvm.cp.async.commit.group, then nvvm.cp.async.wait.group 0}}
    tile.copy %s to %b scope(warp) : !shared to !global
    // expected-note @below {{the block ends here}}
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @proxies [#nvvm.target<chip = "sm_90a">] {
  gpu.func @right(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %b = tile.view %B : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(cta) : !global to !shared
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group {variant = "bulk"} : !shared to !global
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  gpu.func @wrong(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %b = tile.view %B : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    // expected-note @below {{'tile.copy' writes it here}}
    tile.copy %a to %s scope(cta) : !global to !shared
    gpu.barrier
    // expected-error @below {{nothing orders the two: for example thread 0 and thread 0, byte 0}}
    // expected-note @below {{this orders them: nvvm.fence.proxy of the async proxy, through which the second sees memory}}
    tile.copy_async %s to %b scope(cta) bulk_group {variant = "bulk"} : !shared to !global
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<64x32xf32, shared>

gpu.module @unknown [#nvvm.target<chip = "sm_90a">] {
  gpu.func @loaded(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %I: memref<2xindex>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %a = tile.view %A : memref<32x32xf32> to !global
    %b = tile.view %B : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %row = memref.load %I[%c0] : memref<2xindex>
    // expected-note @below {{'tile.copy' writes it here}}
    tile.copy %a to %s[0, 0] [32, 32] scope(cta) : !global to !shared
    // expected-error @below {{may write, and nothing orders the two: too little is known of their offsets, so any of their threads may conflict}}
    // expected-note @below {{this orders them: gpu.barrier}}
    tile.copy %s[%row, 0] [32, 32] to %b scope(cta) : !shared to !global
    gpu.return
  }

  func.func private @other()
  gpu.func @calls(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @below {{is not followed: the effect of 'func.call' on memory and order is not known}}
    func.call @other() : () -> ()
    gpu.barrier
    gpu.return
  }
}
