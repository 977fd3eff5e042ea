// One thread issues a copy into tensor memory or to another CTA as a whole; where several threads would, a warning says so.
// RUN: tile-opt %s --lower-tile-copy --split-input-file --verify-diagnostics -o /dev/null

!shared = !tile.buffer<32x16xi8, shared>
!tensor = !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @tensor(%address: i32, %elected: i1) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !shared
    %t = tile.tmem %address : !tensor
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    // expected-warning @below {{is issued whole by each of the 128 threads of a block that reach it, expected one}}
    tile.copy_async %s to %t scope(thread) : !shared to !tensor
    %in_warp_0 = arith.cmpi ult, %thread, %c32 : index
    scf.if %in_warp_0 {
      // expected-warning @below {{is issued whole by each of the 32 threads of a block that reach it, expected one}}
      tile.copy_async %s to %t scope(thread) : !shared to !tensor
    }
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_thread_0 {
      tile.copy_async %s to %t scope(thread) : !shared to !tensor
    }
    // Which threads enter is not known.
    %lane = nvvm.elect.sync -> i1
    scf.if %lane {
      tile.copy_async %s to %t scope(thread) : !shared to !tensor
    }
    gpu.return
  }

  gpu.func @remote(%barrier: !llvm.ptr<3>, %rank: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %s = tile.alloc : !shared
    // expected-warning @below {{is issued whole by each of the 64 threads of a block that reach it, expected one}}
    tile.copy_async %s to %s scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) : !shared to !shared
    gpu.return
  }
}
