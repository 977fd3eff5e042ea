// Copies that are not waited for: kernels that --tile-check-sync reports fault at run time; their correct twin runs.
// RUN: tile-opt %s --tile-check-sync --verify-diagnostics -o /dev/null
// RUN: tile-run %s --entry waited --schedule=all --arg f32[32x32]=random --arg f32[32x32]=poison --arg i64=3 --expect-equal 0,1
// RUN: not tile-run %s --entry unread --arg f32[32x32]=random --arg f32[32x32]=poison --arg i64=3 2>&1 | FileCheck %s --check-prefix=UNREAD
// UNREAD: error: {{.*outlives its block}}
// RUN: not tile-run %s --entry pending --arg f32[32x32]=random --arg f32[32x32]=poison --arg i64=3 2>&1 | FileCheck %s --check-prefix=PENDING
// PENDING: error: {{.*asynchronous copy not waited for}}

!g = !tile.buffer<32x32xf32, global>
!s = !tile.buffer<32x32xf32, shared>
gpu.module @completions [#nvvm.target<chip = "sm_90a">] {
  gpu.func @waited(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !g
    %b = tile.view %B : memref<32x32xf32> to !g
    %s = tile.alloc : !s
    tile.copy_async %a to %s scope(cta) group : !g to !s
    nvvm.cp.async.wait.group 0
    tile.copy %s to %b scope(cta) : !s to !g
    gpu.return
  }

  gpu.func @unread(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %n: index) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>} {  // not in order, on purpose
    %a = tile.view %A : memref<32x32xf32> to !g
    %b = tile.view %B : memref<32x32xf32> to !g
    %s = tile.alloc : !s
    tile.copy %a to %s scope(cta) : !g to !s
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    // expected-error @below {{may be in flight when the block ends, and its shared memory with it; expected nvvm.cp.async.bulk.wait_group 0 after it, on every path to the end}}
    tile.copy_async %s to %b scope(cta) bulk_group {variant = "bulk"} : !s to !g
    // expected-note @below {{the block ends here}}
    gpu.return
  }

  // The only group may still be pending.
  gpu.func @pending(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %n: index) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>} {  // not in order, on purpose
    %a = tile.view %A : memref<32x32xf32> to !g
    %b = tile.view %B : memref<32x32xf32> to !g
    %s = tile.alloc : !s
    // expected-note @below {{'tile.copy_async' writes it here}}
    // expected-error @below {{may be in flight when the block ends}}
    tile.copy_async %a to %s scope(cta) group : !g to !s
    nvvm.cp.async.wait.group 1
    gpu.barrier
    // expected-error @below {{reads shared memory that an earlier operation writes, and nothing orders the two}}
    // expected-note @below {{between the two, this orders them: nvvm.cp.async.wait.group 0}}
    tile.copy %s to %b scope(cta) : !s to !g
    // expected-note @below {{the block ends here}}
    gpu.return
  }
}
