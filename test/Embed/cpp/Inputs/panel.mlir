gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @panels(%A: memref<256x64xf16>, %B: memref<16x64xf16> {llvm.align = 16 : i64}, %row: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %multiple = tile.assume %row divisible_by 16 : index
    %panel = panel.load %A at %multiple : memref<256x64xf16> -> !tile.buffer<16x64xf16, shared>
    gpu.barrier
    %b = tile.view %B : memref<16x64xf16> to !tile.buffer<16x64xf16, global>
    tile.copy %panel to %b scope(warp) : !tile.buffer<16x64xf16, shared> to !tile.buffer<16x64xf16, global>
    gpu.return
  }
}
