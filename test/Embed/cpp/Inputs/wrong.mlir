!shared = !tile.buffer<32x32xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @each_thread() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !shared
    %t = tile.alloc : !shared
    panel.add %s to %t : !shared to !shared
    gpu.return
  }
  gpu.func @outside() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !shared
    %row = arith.constant 24 : index
    panel.clear %s from %row rows 16 {tile.scope = "cta"} : !shared
    gpu.return
  }
  gpu.func @some_threads(%last: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !shared
    %zero = arith.constant 0 : index
    %x = gpu.thread_id x
    %is_first = arith.cmpi ult, %x, %last : index
    scf.if %is_first {
      panel.clear %s from %zero rows 16 {tile.scope = "cta"} : !shared
    }
    gpu.return
  }
  gpu.func @scope() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !shared
    %zero = arith.constant 0 : index
    panel.clear %s from %zero rows 16 {tile.scope = "block"} : !shared
    gpu.return
  }
}
