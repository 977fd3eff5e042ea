// Loads and stores of tensor memory: for each ordering, a correct kernel and an incorrect twin.
// RUN: tile-opt %s --tile-check-sync --verify-diagnostics -o /dev/null

!columns = !tile.buffer<128x16xi8, global, #tile.layout<(128, 16) : (1, 128)>>
!registers = !tile.buffer<128x16xi8, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>
!tensor = !tile.buffer<128x16xi8, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>>
!wide = !tile.buffer<128x32xi8, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  llvm.mlir.global internal @tmem_address() {addr_space = 3 : i32, alignment = 4 : i64} : i32

  // Each warp stores and loads its own lanes: the waits are enough.
  gpu.func @own(%A: memref<2048xi8>, %B: memref<2048xi8>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<2048xi8> to !columns
    %b = tile.view %B : memref<2048xi8> to !columns
    %r = tile.alloc : !registers
    %q = tile.alloc : !registers
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : index
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !tensor
    tile.copy %a to %r scope(warpgroup) : !columns to !registers
    tile.copy_async %r to %t scope(warpgroup) : !registers to !tensor
    nvvm.tcgen05.wait <store>
    tile.copy_async %t to %q scope(warpgroup) : !tensor to !registers
    nvvm.tcgen05.wait <load>
    tile.copy %q to %b scope(warpgroup) : !registers to !columns
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @store_not_waited(%A: memref<2048xi8>, %B: memref<2048xi8>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<2048xi8> to !columns
    %b = tile.view %B : memref<2048xi8> to !columns
    %r = tile.alloc : !registers
    %q = tile.alloc : !registers
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : index
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !tensor
    tile.copy %a to %r scope(warpgroup) : !columns to !registers
    // expected-note @below {{'tile.copy_async' writes it here}}
    tile.copy_async %r to %t scope(warpgroup) : !registers to !tensor
    // expected-error @below {{reads tensor memory that an earlier operation writes, and nothing orders the two: for example thread 0 and thread 0, lane 0, column 0}}
    // expected-note @below {{this orders them: nvvm.tcgen05.wait <store>}}
    tile.copy_async %t to %q scope(warpgroup) : !tensor to !registers
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.wait <store>
    tile.copy %q to %b scope(warpgroup) : !registers to !columns
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @load_not_waited(%A: memref<2048xi8>, %B: memref<2048xi8>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<2048xi8> to !columns
    %b = tile.view %B : memref<2048xi8> to !columns
    %r = tile.alloc : !registers
    %q = tile.alloc : !registers
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : index
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !tensor
    tile.copy %a to %r scope(warpgroup) : !columns to !registers
    tile.copy_async %r to %t scope(warpgroup) : !registers to !tensor
    nvvm.tcgen05.wait <store>
    // expected-note @below {{'tile.copy_async' writes it here}}
    tile.copy_async %t to %q scope(warpgroup) : !tensor to !registers
    // expected-error @below {{reads registers that an earlier operation writes, and nothing orders the two: for example those of thread 0}}
    // expected-note @below {{this orders them: nvvm.tcgen05.wait <load>}}
    tile.copy %q to %b scope(warpgroup) : !registers to !columns
    nvvm.tcgen05.wait <load>
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // A load into registers that nothing reads must be waited for, too.
  gpu.func @lost(%A: memref<2048xi8>, %B: memref<2048xi8>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<2048xi8> to !columns
    %b = tile.view %B : memref<2048xi8> to !columns
    %r = tile.alloc : !registers
    %q = tile.alloc : !registers
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : index
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !tensor
    tile.copy %a to %r scope(warpgroup) : !columns to !registers
    tile.copy_async %r to %t scope(warpgroup) : !registers to !tensor
    nvvm.tcgen05.wait <store>
    // expected-error @below {{may be in flight when the block ends; expected nvvm.tcgen05.wait <load> after it, on every path to the end}}
    tile.copy_async %t to %q scope(warpgroup) : !tensor to !registers
    // expected-note @below {{the block ends here}}
    gpu.return
  }

  // The address is read before a warp has written it, and the memory is deallocated while the other warps still use it.
  gpu.func @no_barriers(%A: memref<2048xi8>, %B: memref<2048xi8>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<2048xi8> to !columns
    %b = tile.view %B : memref<2048xi8> to !columns
    %r = tile.alloc : !registers
    %q = tile.alloc : !registers
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : index
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_warp_0 {
      // expected-note @below {{'nvvm.tcgen05.alloc' writes it here}}
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    // expected-error @below {{reads shared memory (@tmem_address) that an earlier operation writes, and nothing orders the two: for example thread 1 and thread 0, byte 0}}
    // expected-note @below {{this orders them: gpu.barrier}}
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !tensor
    tile.copy %a to %r scope(warpgroup) : !columns to !registers
    // expected-note @below {{'tile.copy_async' writes it here}}
    tile.copy_async %r to %t scope(warpgroup) : !registers to !tensor
    nvvm.tcgen05.wait <store>
    // expected-note @below {{'tile.copy_async' reads it here}}
    tile.copy_async %t to %q scope(warpgroup) : !tensor to !registers
    nvvm.tcgen05.wait <load>
    tile.copy %q to %b scope(warpgroup) : !registers to !columns
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      // expected-error @below {{writes tensor memory that an earlier operation writes, and nothing orders the two: for example thread 32 and thread 0, lane 32, column 0}}
      // expected-note @below {{this orders them: gpu.barrier}}
      // expected-error @below {{writes tensor memory that an earlier operation reads, and nothing orders the two: for example thread 32 and thread 0, lane 32, column 0}}
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // Other columns of the same allocation, by the address or by the region.
  gpu.func @apart(%A: memref<2048xi8>, %B: memref<2048xi8>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<2048xi8> to !columns
    %b = tile.view %B : memref<2048xi8> to !columns
    %r = tile.alloc : !registers
    %q = tile.alloc : !registers
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : index
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %w = tile.tmem %address : !wide
    %four = arith.constant 4 : i32
    %next = arith.addi %address, %four : i32
    %u = tile.tmem %next : !tensor
    tile.copy %a to %r scope(warpgroup) : !columns to !registers
    tile.copy_async %r to %w[0, 0] [128, 16] scope(warpgroup) : !registers to !wide
    tile.copy_async %u to %q scope(warpgroup) : !tensor to !registers
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.wait <store>
    tile.copy %q to %b scope(warpgroup) : !registers to !columns
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // The first column is an argument.
  gpu.func @run_time(%A: memref<2048xi8>, %B: memref<2048xi8>, %i: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<2048xi8> to !columns
    %b = tile.view %B : memref<2048xi8> to !columns
    %r = tile.alloc : !registers
    %q = tile.alloc : !registers
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : index
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %w = tile.tmem %address : !wide
    %column = tile.assume %i divisible_by 4 : index
    tile.copy %a to %r scope(warpgroup) : !columns to !registers
    tile.copy_async %r to %w[0, %column] [128, 16] scope(warpgroup) : !registers to !wide
    nvvm.tcgen05.wait <store>
    tile.copy_async %w[0, %column] [128, 16] to %q scope(warpgroup) : !wide to !registers
    nvvm.tcgen05.wait <load>
    tile.copy %q to %b scope(warpgroup) : !registers to !columns
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // Only some threads of a warp wait.
  gpu.func @part_of_warp(%A: memref<2048xi8>, %B: memref<2048xi8>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<2048xi8> to !columns
    %b = tile.view %B : memref<2048xi8> to !columns
    %r = tile.alloc : !registers
    %q = tile.alloc : !registers
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : index
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !tensor
    tile.copy %a to %r scope(warpgroup) : !columns to !registers
    tile.copy_async %r to %t scope(warpgroup) : !registers to !tensor
    nvvm.tcgen05.wait <store>
    tile.copy_async %t to %q scope(warpgroup) : !tensor to !registers
    nvvm.tcgen05.wait <load>
    tile.copy %q to %b scope(warpgroup) : !registers to !columns
    // expected-note @below {{threads diverge at 'scf.if'}}
    scf.if %is_thread_0 {
      // expected-error @below {{may be reached by only some threads of a warp, expected whole warps}}
      nvvm.tcgen05.wait <load>
    }
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // Instructions on raw addresses are not analysed.
  gpu.func @by_hand(%A: memref<2048xi8>, %B: memref<2048xi8>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<2048xi8> to !columns
    %b = tile.view %B : memref<2048xi8> to !columns
    %r = tile.alloc : !registers
    %q = tile.alloc : !registers
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : index
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %pointer = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    // expected-error @below {{is not followed: the effect of 'nvvm.tcgen05.ld' on memory and order is not known}}
    %loaded = nvvm.tcgen05.ld %pointer {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}
