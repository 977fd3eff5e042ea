// Bulk copies that atomically combine the floats that they copy with those in the destination:
// every reduction that the instruction has for floats. Blocks combine their rows.

// RUN: tile-opt %s --lower-tile-copy | FileCheck %s
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx | %sass_count - | FileCheck %s --check-prefix=SASS %}

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @add_f16
  // CHECK: cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [$0], [$1], $2;
  gpu.func @add_f16(%A: memref<2x8xf16>, %B: memref<8xf16>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %a = tile.view %A : memref<2x8xf16> to !tile.buffer<2x8xf16, global>
    %b = tile.view %B : memref<8xf16> to !tile.buffer<8xf16, global>
    %s = tile.alloc : !tile.buffer<8xf16, shared>
    %block = gpu.block_id x
    tile.copy %a[%block, 0] [1, 8] to %s scope(cta) : !tile.buffer<2x8xf16, global> to !tile.buffer<8xf16, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group {reduce = "add"} : !tile.buffer<8xf16, shared> to !tile.buffer<8xf16, global>
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // CHECK-LABEL: gpu.func @add_bf16
  // CHECK: cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16 [$0], [$1], $2;
  gpu.func @add_bf16(%A: memref<2x8xbf16>, %B: memref<8xbf16>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %a = tile.view %A : memref<2x8xbf16> to !tile.buffer<2x8xbf16, global>
    %b = tile.view %B : memref<8xbf16> to !tile.buffer<8xbf16, global>
    %s = tile.alloc : !tile.buffer<8xbf16, shared>
    %block = gpu.block_id x
    tile.copy %a[%block, 0] [1, 8] to %s scope(cta) : !tile.buffer<2x8xbf16, global> to !tile.buffer<8xbf16, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group {reduce = "add"} : !tile.buffer<8xbf16, shared> to !tile.buffer<8xbf16, global>
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // CHECK-LABEL: gpu.func @add_f32
  // CHECK: cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [$0], [$1], $2;
  gpu.func @add_f32(%A: memref<2x8xf32>, %B: memref<8xf32>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %a = tile.view %A : memref<2x8xf32> to !tile.buffer<2x8xf32, global>
    %b = tile.view %B : memref<8xf32> to !tile.buffer<8xf32, global>
    %s = tile.alloc : !tile.buffer<8xf32, shared>
    %block = gpu.block_id x
    tile.copy %a[%block, 0] [1, 8] to %s scope(cta) : !tile.buffer<2x8xf32, global> to !tile.buffer<8xf32, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group {reduce = "add"} : !tile.buffer<8xf32, shared> to !tile.buffer<8xf32, global>
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // CHECK-LABEL: gpu.func @add_f64
  // CHECK: cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f64 [$0], [$1], $2;
  gpu.func @add_f64(%A: memref<2x8xf64>, %B: memref<8xf64>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %a = tile.view %A : memref<2x8xf64> to !tile.buffer<2x8xf64, global>
    %b = tile.view %B : memref<8xf64> to !tile.buffer<8xf64, global>
    %s = tile.alloc : !tile.buffer<8xf64, shared>
    %block = gpu.block_id x
    tile.copy %a[%block, 0] [1, 8] to %s scope(cta) : !tile.buffer<2x8xf64, global> to !tile.buffer<8xf64, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group {reduce = "add"} : !tile.buffer<8xf64, shared> to !tile.buffer<8xf64, global>
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // CHECK-LABEL: gpu.func @min_f16
  // CHECK: cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f16 [$0], [$1], $2;
  gpu.func @min_f16(%A: memref<2x8xf16>, %B: memref<8xf16>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %a = tile.view %A : memref<2x8xf16> to !tile.buffer<2x8xf16, global>
    %b = tile.view %B : memref<8xf16> to !tile.buffer<8xf16, global>
    %s = tile.alloc : !tile.buffer<8xf16, shared>
    %block = gpu.block_id x
    tile.copy %a[%block, 0] [1, 8] to %s scope(cta) : !tile.buffer<2x8xf16, global> to !tile.buffer<8xf16, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group {reduce = "min"} : !tile.buffer<8xf16, shared> to !tile.buffer<8xf16, global>
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // CHECK-LABEL: gpu.func @min_bf16
  // CHECK: cp.reduce.async.bulk.global.shared::cta.bulk_group.min.bf16 [$0], [$1], $2;
  gpu.func @min_bf16(%A: memref<2x8xbf16>, %B: memref<8xbf16>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %a = tile.view %A : memref<2x8xbf16> to !tile.buffer<2x8xbf16, global>
    %b = tile.view %B : memref<8xbf16> to !tile.buffer<8xbf16, global>
    %s = tile.alloc : !tile.buffer<8xbf16, shared>
    %block = gpu.block_id x
    tile.copy %a[%block, 0] [1, 8] to %s scope(cta) : !tile.buffer<2x8xbf16, global> to !tile.buffer<8xbf16, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group {reduce = "min"} : !tile.buffer<8xbf16, shared> to !tile.buffer<8xbf16, global>
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // CHECK-LABEL: gpu.func @max_f16
  // CHECK: cp.reduce.async.bulk.global.shared::cta.bulk_group.max.f16 [$0], [$1], $2;
  gpu.func @max_f16(%A: memref<2x8xf16>, %B: memref<8xf16>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %a = tile.view %A : memref<2x8xf16> to !tile.buffer<2x8xf16, global>
    %b = tile.view %B : memref<8xf16> to !tile.buffer<8xf16, global>
    %s = tile.alloc : !tile.buffer<8xf16, shared>
    %block = gpu.block_id x
    tile.copy %a[%block, 0] [1, 8] to %s scope(cta) : !tile.buffer<2x8xf16, global> to !tile.buffer<8xf16, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group {reduce = "max"} : !tile.buffer<8xf16, shared> to !tile.buffer<8xf16, global>
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // CHECK-LABEL: gpu.func @max_bf16
  // CHECK: cp.reduce.async.bulk.global.shared::cta.bulk_group.max.bf16 [$0], [$1], $2;
  gpu.func @max_bf16(%A: memref<2x8xbf16>, %B: memref<8xbf16>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %a = tile.view %A : memref<2x8xbf16> to !tile.buffer<2x8xbf16, global>
    %b = tile.view %B : memref<8xbf16> to !tile.buffer<8xbf16, global>
    %s = tile.alloc : !tile.buffer<8xbf16, shared>
    %block = gpu.block_id x
    tile.copy %a[%block, 0] [1, 8] to %s scope(cta) : !tile.buffer<2x8xbf16, global> to !tile.buffer<8xbf16, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group {reduce = "max"} : !tile.buffer<8xbf16, shared> to !tile.buffer<8xbf16, global>
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }
}

// SASS-LABEL: kernel add_f32
// SASS: UBLKRED: 1
