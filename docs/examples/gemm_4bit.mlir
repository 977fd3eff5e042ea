// C += A W^T for few rows of A and weights of 4 bits: W[n, k] = (code[n, k] - 8) S[k / 128, n]. A is MxK of f16, the codes are bytes, NxK/2, the
// first of two in the lower bits, S is K/128 x N, C is MxN of f32. N is a multiple of 8, K of 128. A block has 64 columns of C and 16 rows, and a
// part of the depth.
!matrix = !tile.buffer<?x?xf16, global>
!bytes = !tile.buffer<?x?xi8, global>
!result = !tile.buffer<?x?xf32, global>
!rows = !tile.buffer<16x128xf16, shared, auto>
!loaded = !tile.buffer<64x64xi8, shared, auto>
!codes = !tile.buffer<64x64xi8, local, auto>
!scales = !tile.buffer<1x64xf16, shared, auto>
!factors = !tile.buffer<64x1xf16, local, auto>
!weights = !tile.buffer<64x128xf16, local, auto>
!sums = !tile.buffer<64x16xf32, local, auto>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @gemm(%A: memref<?x?xf16>, %Codes: memref<?x?xi8>, %Scales: memref<?x?xf16>, %C: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %a = tile.view %A divisible_by 128 : memref<?x?xf16>
    %codes = tile.view %Codes divisible_by 64 : memref<?x?xi8>
    %scales = tile.view %Scales divisible_by 8 : memref<?x?xf16>
    %c = tile.view %C divisible_by 8 : memref<?x?xf32>
    %k = memref.dim %A, %c1 : memref<?x?xf16>
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %column = affine.apply affine_map<(x) -> (x * 64)>(%x)
    %row = affine.apply affine_map<(z) -> (z * 16)>(%z)
    %steps = arith.ceildivui %k, %c128 : index
    %parts = gpu.grid_dim y
    %share = arith.ceildivui %steps, %parts : index
    %begin = affine.apply affine_map<(y)[share] -> (y * share * 128)>(%y)[%share]
    %limit = affine.apply affine_map<(y)[share] -> (y * share * 128 + share * 128)>(%y)[%share]
    %end = arith.minui %limit, %k : index
    %sa = tile.alloc : !rows
    %sat = tile.permute %sa [1, 0] : !rows
    %sq = tile.alloc : !loaded
    %q = tile.alloc : !codes
    %ss = tile.alloc : !scales
    %sst = tile.permute %ss [1, 0] : !scales
    %s = tile.alloc : !factors
    %w = tile.alloc : !weights
    %sums = tile.alloc : !sums
    tile.fill 0.0 to %sums scope(cta) : !sums
    scf.for %i = %begin to %end step %c128 {
      %byte = affine.apply affine_map<(i) -> (i floordiv 2)>(%i)
      %group = affine.apply affine_map<(i) -> (i floordiv 128)>(%i)
      tile.copy_async %a[%row, %i] to %sa scope(cta) masked fill(0.0) : !matrix to !rows
      tile.copy_async %codes[%column, %byte] to %sq scope(cta) masked fill(0) : !bytes to !loaded
      tile.copy_async %scales[%group, %column] to %ss scope(cta) masked fill(0.0) : !matrix to !scales
      tile.copy %sq to %q scope(cta) : !loaded to !codes
      tile.copy %sst to %s scope(cta) : !tile.buffer<64x1xf16, shared, auto> to !factors
      tile.map %q, %s to %w scope(cta) : !codes, !factors to !weights {
      ^bb0(%both: i8, %scale: f16, %n: index, %d: index):
        %c2 = arith.constant 2 : index
        %c4 = arith.constant 4 : index
        %c15 = arith.constant 15 : i8
        %c1024 = arith.constant 0x6400 : i16
        %c1032 = arith.constant 1032.0 : f16
        %odd = arith.remui %d, %c2 : index
        %bits = arith.muli %odd, %c4 : index
        %shift = arith.index_cast %bits : index to i8
        %moved = arith.shrui %both, %shift : i8
        %code = arith.andi %moved, %c15 : i8
        %wide = arith.extui %code : i8 to i16
        %mantissa = arith.ori %wide, %c1024 : i16
        %above = arith.bitcast %mantissa : i16 to f16
        %number = arith.subf %above, %c1032 : f16
        %r = arith.mulf %number, %scale : f16
        tile.yield %r : f16
      }
      tile.mma %w, %sat, %sums scope(cta) group : !weights, !tile.buffer<128x16xf16, shared, auto>, !sums
    } {tile.stages = 4 : i64}
    %turned = tile.permute %c [1, 0] : !result
    tile.copy %sums to %turned[%column, %row] scope(cta) reduce(add) masked : !sums to !tile.buffer<?x?xf32, global, #tile.layout<(?, ?) : (1, ?)>>
    gpu.return
  }
}
