!tile = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>
!memory = memref<32x32xf32, #gpu.address_space<workgroup>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Rows are apart from each other, and from those of the tile that is copied to.
  gpu.func @halves(%A: memref<32x32xf32>, %B: memref<32x32xf32>) workgroup(%w : !memory) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !tile
    %b = tile.view %B : memref<32x32xf32> to !tile
    %s = tile.view %w : !memory to !shared
    %zero = arith.constant 0 : index
    %eight = arith.constant 8 : index
    tile.copy %a[16, 0] [16, 32] to %s[16, 0] [16, 32] scope(cta) : !tile to !shared
    panel.zero %w from %zero rows 8 {tile.scope = "cta"} : !memory
    panel.zero %w from %eight rows 8 {tile.scope = "cta"} : !memory
    tile.copy %s to %b scope(cta) : !shared to !tile
    gpu.return
  }
  // Each warp has rows of its own; and half of the columns, of memory with strides.
  gpu.func @warps(%B: memref<32x64xf32>) workgroup(%w : memref<32x64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %b = tile.view %B : memref<32x64xf32> to !tile.buffer<32x64xf32, global>
    %s = tile.view %w : memref<32x64xf32, #gpu.address_space<workgroup>> to !tile.buffer<32x64xf32, shared>
    %left = memref.subview %w[0, 0] [32, 32] [1, 1] : memref<32x64xf32, #gpu.address_space<workgroup>>
      to memref<32x32xf32, strided<[64, 1]>, #gpu.address_space<workgroup>>
    %right = memref.subview %w[0, 32] [32, 32] [1, 1] : memref<32x64xf32, #gpu.address_space<workgroup>>
      to memref<32x32xf32, strided<[64, 1], offset: 32>, #gpu.address_space<workgroup>>
    %warp = gpu.subgroup_id : index
    %eight = arith.constant 8 : index
    %last = arith.constant 3 : index
    %row = arith.muli %warp, %eight : index
    %other = arith.subi %last, %warp : index
    %opposite = arith.muli %other, %eight : index
    panel.zero %left from %row rows 8 {tile.scope = "warp"} : memref<32x32xf32, strided<[64, 1]>, #gpu.address_space<workgroup>>
    panel.zero %right from %opposite rows 8 {tile.scope = "warp"} : memref<32x32xf32, strided<[64, 1], offset: 32>, #gpu.address_space<workgroup>>
    tile.copy %s[%row, 0] [8, 32] to %b[%row, 0] [8, 32] scope(warp) : !tile.buffer<32x64xf32, shared> to !tile.buffer<32x64xf32, global>
    tile.copy %s[%opposite, 32] [8, 32] to %b[%opposite, 32] [8, 32] scope(warp) : !tile.buffer<32x64xf32, shared> to !tile.buffer<32x64xf32, global>
    gpu.return
  }
}
