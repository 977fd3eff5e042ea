!a = !tile.buffer<16x16xf16, local, #tile.fragment<mma.m16n8k16.a>>
!b = !tile.buffer<16x8xf16, local, #tile.fragment<mma.m16n8k16.b>>
!c = !tile.buffer<16x8xf32, local, #tile.fragment<mma.m16n8k16.c>>
!rows = !tile.buffer<16x1xf32, local, #tile.fragment<mma.m16n8k16.rows>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @product(%A: memref<16x16xf16>, %B: memref<16x8xf16>, %C: memref<16x1xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %ga = tile.view %A : memref<16x16xf16>
    %gb = tile.view %B : memref<16x8xf16>
    %gc = tile.view %C : memref<16x1xf32>
    %a = tile.alloc : !a
    %b = tile.alloc : !b
    %c = tile.alloc : !c
    %rows = tile.alloc : !rows
    tile.copy %ga to %a scope(warp) : !tile.buffer<16x16xf16, global> to !a
    tile.copy %gb to %b scope(warp) : !tile.buffer<16x8xf16, global> to !b
    tile.fill %zero to %c scope(warp) : f32 to !c
    tile.mma %a, %b, %c scope(warp) : !a, !b, !c
    tile.reduce max %c to %rows dim(1) scope(warp) : !c to !rows
    tile.copy %rows to %gc scope(warp) : !rows to !tile.buffer<16x1xf32, global>
    gpu.return
  }
}

func.func @scan(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %epoch: i32) {
  tile.scan @kernels::@sums inclusive add %x to %y workspace(%w) epoch(%epoch) : memref<?xf32> to memref<?xf32>, memref<?xi8>
  return
}
