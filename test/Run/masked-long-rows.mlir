// The start of a row of a masked copy is divided by the row's length, which is neither a power of two nor small: the
// address is exact, also of a row before the buffer.
// RUN: tile-run %s --arg u8[25165889]=random --arg u8[1024]=poison --arg u8[1024]=poison --arg i64=0 --expect-equal 1,2
// RUN: tile-run %s --arg u8[25165889]=random --arg u8[1024]=poison --arg u8[1024]=poison --arg i64=2 --expect-equal 1,2
// RUN: tile-run %s --arg u8[25165889]=random --arg u8[1024]=poison --arg u8[1024]=poison --arg i64=-1 --expect-equal 1,2
// RUN: tile-run %s --arg u8[25165889]=ones --arg u8[1024]=zeros --arg u8[1024]=poison --arg i64=3 --expect-equal 1,2

// Rows of 8388609 elements; between their starts are 31 more.
!rows = !tile.buffer<25165827xi8, global, #tile.layout<(3, 8388609) : (8388640, 1)>>
!all = !tile.buffer<25165889xi8, global>
!head = !tile.buffer<1024xi8, shared>
!out = !tile.buffer<1024xi8, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @head(%A: memref<25165889xi8>, %B: memref<1024xi8>, %C: memref<1024xi8>, %row: i64) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %length = arith.constant 8388609 : index
    %stride = arith.constant 8388640 : index
    %zero = arith.constant 0 : i8
    %number = arith.index_cast %row : i64 to index
    %first = arith.muli %number, %length : index
    %begin = tile.assume %first divisible_by 8388609 : index
    %pointer = memref.extract_aligned_pointer_as_index %A : memref<25165889xi8> -> index
    %bits = arith.index_cast %pointer : index to i64
    %address = llvm.inttoptr %bits : i64 to !llvm.ptr<1>
    %a = tile.view %address : !llvm.ptr<1> to !rows
    %b = tile.view %B : memref<1024xi8> to !out
    %s = tile.alloc : !head
    tile.copy %a[%begin] [1024] to %s scope(cta) masked fill(%zero : i8) : !rows to !head
    gpu.barrier
    tile.copy %s to %b scope(cta) : !head to !out

    %same = arith.muli %number, %stride : index
    %d = tile.view %A : memref<25165889xi8> to !all
    %t = tile.alloc : !head
    tile.copy %d[%same] [1024] to %t scope(cta) masked fill(%zero : i8) : !all to !head
    gpu.barrier
    %c = tile.view %C : memref<1024xi8> to !out
    tile.copy %t to %c scope(cta) : !head to !out
    gpu.return
  }
}
