!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @sum(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %b = tile.view %B : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %t = tile.alloc : !shared
    %zero = arith.constant 0 : index
    panel.fetch %a to %s : !global to !shared
    panel.clear %t from %zero rows 16 {tile.scope = "cta"} : !shared
    %middle = arith.constant 16 : index
    panel.clear %t from %middle rows 16 {tile.scope = "cta"} : !shared
    panel.add %s to %t {tile.scope = "cta"} : !shared to !shared
    tile.copy %t to %b scope(cta) : !shared to !global
    gpu.return
  }
  gpu.func @rows(%B: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %b = tile.view %B : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %warp = gpu.subgroup_id : index
    %eight = arith.constant 8 : index
    %row = arith.muli %warp, %eight : index
    panel.clear %s from %row rows 8 {tile.scope = "warp"} : !shared
    tile.copy %s[%row, 0] [8, 32] to %b[%row, 0] [8, 32] scope(warp) : !shared to !global
    gpu.return
  }
}
