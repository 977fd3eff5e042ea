// Bulk copies that atomically combine the integers that they copy with those in the destination:
// every reduction that the instruction has for integers. Blocks combine their rows.

// RUN: tile-opt %s --lower-tile-copy | FileCheck %s
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx | %sass_count - | FileCheck %s --check-prefix=SASS %}

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @add_i32
  // CHECK: cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [$0], [$1], $2;
  gpu.func @add_i32(%A: memref<2x8xi32>, %B: memref<8xi32>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %a = tile.view %A : memref<2x8xi32> to !tile.buffer<2x8xi32, global>
    %b = tile.view %B : memref<8xi32> to !tile.buffer<8xi32, global>
    %s = tile.alloc : !tile.buffer<8xi32, shared>
    %block = gpu.block_id x
    tile.copy %a[%block, 0] [1, 8] to %s scope(cta) : !tile.buffer<2x8xi32, global> to !tile.buffer<8xi32, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group {reduce = "add"} : !tile.buffer<8xi32, shared> to !tile.buffer<8xi32, global>
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // CHECK-LABEL: gpu.func @add_i64
  // CHECK: cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u64 [$0], [$1], $2;
  gpu.func @add_i64(%A: memref<2x8xi64>, %B: memref<8xi64>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %a = tile.view %A : memref<2x8xi64> to !tile.buffer<2x8xi64, global>
    %b = tile.view %B : memref<8xi64> to !tile.buffer<8xi64, global>
    %s = tile.alloc : !tile.buffer<8xi64, shared>
    %block = gpu.block_id x
    tile.copy %a[%block, 0] [1, 8] to %s scope(cta) : !tile.buffer<2x8xi64, global> to !tile.buffer<8xi64, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group {reduce = "add"} : !tile.buffer<8xi64, shared> to !tile.buffer<8xi64, global>
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // CHECK-LABEL: gpu.func @min_i32
  // CHECK: cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s32 [$0], [$1], $2;
  gpu.func @min_i32(%A: memref<2x8xi32>, %B: memref<8xi32>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %a = tile.view %A : memref<2x8xi32> to !tile.buffer<2x8xi32, global>
    %b = tile.view %B : memref<8xi32> to !tile.buffer<8xi32, global>
    %s = tile.alloc : !tile.buffer<8xi32, shared>
    %block = gpu.block_id x
    tile.copy %a[%block, 0] [1, 8] to %s scope(cta) : !tile.buffer<2x8xi32, global> to !tile.buffer<8xi32, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group {reduce = "min"} : !tile.buffer<8xi32, shared> to !tile.buffer<8xi32, global>
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // CHECK-LABEL: gpu.func @min_i64
  // CHECK: cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s64 [$0], [$1], $2;
  gpu.func @min_i64(%A: memref<2x8xi64>, %B: memref<8xi64>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %a = tile.view %A : memref<2x8xi64> to !tile.buffer<2x8xi64, global>
    %b = tile.view %B : memref<8xi64> to !tile.buffer<8xi64, global>
    %s = tile.alloc : !tile.buffer<8xi64, shared>
    %block = gpu.block_id x
    tile.copy %a[%block, 0] [1, 8] to %s scope(cta) : !tile.buffer<2x8xi64, global> to !tile.buffer<8xi64, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group {reduce = "min"} : !tile.buffer<8xi64, shared> to !tile.buffer<8xi64, global>
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // CHECK-LABEL: gpu.func @max_i32
  // CHECK: cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32 [$0], [$1], $2;
  gpu.func @max_i32(%A: memref<2x8xi32>, %B: memref<8xi32>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %a = tile.view %A : memref<2x8xi32> to !tile.buffer<2x8xi32, global>
    %b = tile.view %B : memref<8xi32> to !tile.buffer<8xi32, global>
    %s = tile.alloc : !tile.buffer<8xi32, shared>
    %block = gpu.block_id x
    tile.copy %a[%block, 0] [1, 8] to %s scope(cta) : !tile.buffer<2x8xi32, global> to !tile.buffer<8xi32, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group {reduce = "max"} : !tile.buffer<8xi32, shared> to !tile.buffer<8xi32, global>
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // CHECK-LABEL: gpu.func @max_i64
  // CHECK: cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s64 [$0], [$1], $2;
  gpu.func @max_i64(%A: memref<2x8xi64>, %B: memref<8xi64>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %a = tile.view %A : memref<2x8xi64> to !tile.buffer<2x8xi64, global>
    %b = tile.view %B : memref<8xi64> to !tile.buffer<8xi64, global>
    %s = tile.alloc : !tile.buffer<8xi64, shared>
    %block = gpu.block_id x
    tile.copy %a[%block, 0] [1, 8] to %s scope(cta) : !tile.buffer<2x8xi64, global> to !tile.buffer<8xi64, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group {reduce = "max"} : !tile.buffer<8xi64, shared> to !tile.buffer<8xi64, global>
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // CHECK-LABEL: gpu.func @umin_i32
  // CHECK: cp.reduce.async.bulk.global.shared::cta.bulk_group.min.u32 [$0], [$1], $2;
  gpu.func @umin_i32(%A: memref<2x8xi32>, %B: memref<8xi32>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %a = tile.view %A : memref<2x8xi32> to !tile.buffer<2x8xi32, global>
    %b = tile.view %B : memref<8xi32> to !tile.buffer<8xi32, global>
    %s = tile.alloc : !tile.buffer<8xi32, shared>
    %block = gpu.block_id x
    tile.copy %a[%block, 0] [1, 8] to %s scope(cta) : !tile.buffer<2x8xi32, global> to !tile.buffer<8xi32, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group {reduce = "umin"} : !tile.buffer<8xi32, shared> to !tile.buffer<8xi32, global>
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // CHECK-LABEL: gpu.func @umin_i64
  // CHECK: cp.reduce.async.bulk.global.shared::cta.bulk_group.min.u64 [$0], [$1], $2;
  gpu.func @umin_i64(%A: memref<2x8xi64>, %B: memref<8xi64>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %a = tile.view %A : memref<2x8xi64> to !tile.buffer<2x8xi64, global>
    %b = tile.view %B : memref<8xi64> to !tile.buffer<8xi64, global>
    %s = tile.alloc : !tile.buffer<8xi64, shared>
    %block = gpu.block_id x
    tile.copy %a[%block, 0] [1, 8] to %s scope(cta) : !tile.buffer<2x8xi64, global> to !tile.buffer<8xi64, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group {reduce = "umin"} : !tile.buffer<8xi64, shared> to !tile.buffer<8xi64, global>
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // CHECK-LABEL: gpu.func @umax_i32
  // CHECK: cp.reduce.async.bulk.global.shared::cta.bulk_group.max.u32 [$0], [$1], $2;
  gpu.func @umax_i32(%A: memref<2x8xi32>, %B: memref<8xi32>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %a = tile.view %A : memref<2x8xi32> to !tile.buffer<2x8xi32, global>
    %b = tile.view %B : memref<8xi32> to !tile.buffer<8xi32, global>
    %s = tile.alloc : !tile.buffer<8xi32, shared>
    %block = gpu.block_id x
    tile.copy %a[%block, 0] [1, 8] to %s scope(cta) : !tile.buffer<2x8xi32, global> to !tile.buffer<8xi32, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group {reduce = "umax"} : !tile.buffer<8xi32, shared> to !tile.buffer<8xi32, global>
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // CHECK-LABEL: gpu.func @umax_i64
  // CHECK: cp.reduce.async.bulk.global.shared::cta.bulk_group.max.u64 [$0], [$1], $2;
  gpu.func @umax_i64(%A: memref<2x8xi64>, %B: memref<8xi64>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %a = tile.view %A : memref<2x8xi64> to !tile.buffer<2x8xi64, global>
    %b = tile.view %B : memref<8xi64> to !tile.buffer<8xi64, global>
    %s = tile.alloc : !tile.buffer<8xi64, shared>
    %block = gpu.block_id x
    tile.copy %a[%block, 0] [1, 8] to %s scope(cta) : !tile.buffer<2x8xi64, global> to !tile.buffer<8xi64, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group {reduce = "umax"} : !tile.buffer<8xi64, shared> to !tile.buffer<8xi64, global>
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // CHECK-LABEL: gpu.func @and_i32
  // CHECK: cp.reduce.async.bulk.global.shared::cta.bulk_group.and.b32 [$0], [$1], $2;
  gpu.func @and_i32(%A: memref<2x8xi32>, %B: memref<8xi32>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %a = tile.view %A : memref<2x8xi32> to !tile.buffer<2x8xi32, global>
    %b = tile.view %B : memref<8xi32> to !tile.buffer<8xi32, global>
    %s = tile.alloc : !tile.buffer<8xi32, shared>
    %block = gpu.block_id x
    tile.copy %a[%block, 0] [1, 8] to %s scope(cta) : !tile.buffer<2x8xi32, global> to !tile.buffer<8xi32, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group {reduce = "and"} : !tile.buffer<8xi32, shared> to !tile.buffer<8xi32, global>
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // CHECK-LABEL: gpu.func @and_i64
  // CHECK: cp.reduce.async.bulk.global.shared::cta.bulk_group.and.b64 [$0], [$1], $2;
  gpu.func @and_i64(%A: memref<2x8xi64>, %B: memref<8xi64>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %a = tile.view %A : memref<2x8xi64> to !tile.buffer<2x8xi64, global>
    %b = tile.view %B : memref<8xi64> to !tile.buffer<8xi64, global>
    %s = tile.alloc : !tile.buffer<8xi64, shared>
    %block = gpu.block_id x
    tile.copy %a[%block, 0] [1, 8] to %s scope(cta) : !tile.buffer<2x8xi64, global> to !tile.buffer<8xi64, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group {reduce = "and"} : !tile.buffer<8xi64, shared> to !tile.buffer<8xi64, global>
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // CHECK-LABEL: gpu.func @or_i32
  // CHECK: cp.reduce.async.bulk.global.shared::cta.bulk_group.or.b32 [$0], [$1], $2;
  gpu.func @or_i32(%A: memref<2x8xi32>, %B: memref<8xi32>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %a = tile.view %A : memref<2x8xi32> to !tile.buffer<2x8xi32, global>
    %b = tile.view %B : memref<8xi32> to !tile.buffer<8xi32, global>
    %s = tile.alloc : !tile.buffer<8xi32, shared>
    %block = gpu.block_id x
    tile.copy %a[%block, 0] [1, 8] to %s scope(cta) : !tile.buffer<2x8xi32, global> to !tile.buffer<8xi32, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group {reduce = "or"} : !tile.buffer<8xi32, shared> to !tile.buffer<8xi32, global>
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // CHECK-LABEL: gpu.func @or_i64
  // CHECK: cp.reduce.async.bulk.global.shared::cta.bulk_group.or.b64 [$0], [$1], $2;
  gpu.func @or_i64(%A: memref<2x8xi64>, %B: memref<8xi64>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %a = tile.view %A : memref<2x8xi64> to !tile.buffer<2x8xi64, global>
    %b = tile.view %B : memref<8xi64> to !tile.buffer<8xi64, global>
    %s = tile.alloc : !tile.buffer<8xi64, shared>
    %block = gpu.block_id x
    tile.copy %a[%block, 0] [1, 8] to %s scope(cta) : !tile.buffer<2x8xi64, global> to !tile.buffer<8xi64, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group {reduce = "or"} : !tile.buffer<8xi64, shared> to !tile.buffer<8xi64, global>
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // CHECK-LABEL: gpu.func @xor_i32
  // CHECK: cp.reduce.async.bulk.global.shared::cta.bulk_group.xor.b32 [$0], [$1], $2;
  gpu.func @xor_i32(%A: memref<2x8xi32>, %B: memref<8xi32>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %a = tile.view %A : memref<2x8xi32> to !tile.buffer<2x8xi32, global>
    %b = tile.view %B : memref<8xi32> to !tile.buffer<8xi32, global>
    %s = tile.alloc : !tile.buffer<8xi32, shared>
    %block = gpu.block_id x
    tile.copy %a[%block, 0] [1, 8] to %s scope(cta) : !tile.buffer<2x8xi32, global> to !tile.buffer<8xi32, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group {reduce = "xor"} : !tile.buffer<8xi32, shared> to !tile.buffer<8xi32, global>
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // CHECK-LABEL: gpu.func @xor_i64
  // CHECK: cp.reduce.async.bulk.global.shared::cta.bulk_group.xor.b64 [$0], [$1], $2;
  gpu.func @xor_i64(%A: memref<2x8xi64>, %B: memref<8xi64>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %a = tile.view %A : memref<2x8xi64> to !tile.buffer<2x8xi64, global>
    %b = tile.view %B : memref<8xi64> to !tile.buffer<8xi64, global>
    %s = tile.alloc : !tile.buffer<8xi64, shared>
    %block = gpu.block_id x
    tile.copy %a[%block, 0] [1, 8] to %s scope(cta) : !tile.buffer<2x8xi64, global> to !tile.buffer<8xi64, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group {reduce = "xor"} : !tile.buffer<8xi64, shared> to !tile.buffer<8xi64, global>
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // CHECK-LABEL: gpu.func @inc_i32
  // CHECK: cp.reduce.async.bulk.global.shared::cta.bulk_group.inc.u32 [$0], [$1], $2;
  gpu.func @inc_i32(%A: memref<2x8xi32>, %B: memref<8xi32>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %a = tile.view %A : memref<2x8xi32> to !tile.buffer<2x8xi32, global>
    %b = tile.view %B : memref<8xi32> to !tile.buffer<8xi32, global>
    %s = tile.alloc : !tile.buffer<8xi32, shared>
    %block = gpu.block_id x
    tile.copy %a[%block, 0] [1, 8] to %s scope(cta) : !tile.buffer<2x8xi32, global> to !tile.buffer<8xi32, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group {reduce = "inc"} : !tile.buffer<8xi32, shared> to !tile.buffer<8xi32, global>
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // CHECK-LABEL: gpu.func @dec_i32
  // CHECK: cp.reduce.async.bulk.global.shared::cta.bulk_group.dec.u32 [$0], [$1], $2;
  gpu.func @dec_i32(%A: memref<2x8xi32>, %B: memref<8xi32>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %a = tile.view %A : memref<2x8xi32> to !tile.buffer<2x8xi32, global>
    %b = tile.view %B : memref<8xi32> to !tile.buffer<8xi32, global>
    %s = tile.alloc : !tile.buffer<8xi32, shared>
    %block = gpu.block_id x
    tile.copy %a[%block, 0] [1, 8] to %s scope(cta) : !tile.buffer<2x8xi32, global> to !tile.buffer<8xi32, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group {reduce = "dec"} : !tile.buffer<8xi32, shared> to !tile.buffer<8xi32, global>
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }
}

// SASS-LABEL: kernel add_i32
