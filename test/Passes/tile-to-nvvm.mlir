// Converts lowered kernels to the LLVM and NVVM dialects: first the caller's promises, then MLIR's conversions, then dynamic
// shared memory.
// RUN: tile-opt %s --tile-to-nvvm | FileCheck %s --implicit-check-not='{{(gpu|memref|scf|arith|vector)[.](func|return|load|store|alloca|if|for|addi|muli) }}'

// The options of --tile-prepare-kernels.
// RUN: tile-opt %s '--tile-to-nvvm=argument-alignment=16 noalias=false' | FileCheck %s --check-prefix=LESS --implicit-check-not=noalias
// LESS: llvm.func @kernel(%{{.*}}: !llvm.ptr {llvm.align = 16 : i64}, %{{.*}}: !llvm.ptr {llvm.align = 16 : i64}, %{{.*}}: i64)

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-DAG: llvm.mlir.global external @[[DYNAMIC:__dynamic_shmem__[0-9]+]]() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
  // CHECK-DAG: llvm.mlir.global internal @[[STATIC:.*]]() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<1024 x f32>

  // Arguments are pointers, the block size is known, and private arrays are on the stack until LLVM promotes them to registers.
  // CHECK:     llvm.func @kernel(%[[A:.*]]: !llvm.ptr {llvm.align = 256 : i64, llvm.noalias, llvm.readonly}, %{{.*}}: !llvm.ptr {llvm.align = 256 : i64}, %{{.*}}: i64) attributes {gpu.kernel, gpu.known_block_size = array<i32: 32, 1, 1>, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>}
  // CHECK-DAG: llvm.mlir.addressof @[[STATIC]]
  // CHECK-DAG: llvm.mlir.addressof @[[DYNAMIC]]
  // CHECK-DAG: nvvm.read.ptx.sreg.tid.x
  // CHECK:     llvm.cond_br
  // CHECK:     llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
  // CHECK:     llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
  // CHECK:     nvvm.barrier
  // CHECK:     llvm.return
  gpu.func @kernel(%a: memref<1024xf32>, %b: memref<1024xf32>, %n: index)
      workgroup(%s: memref<1024xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %thread = gpu.thread_id x
    %memory = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %first = memref.view %memory[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<4xf32, #gpu.address_space<workgroup>>
    %inside = arith.cmpi ult, %thread, %n : index
    scf.if %inside {
      %i = arith.muli %thread, %c4 : index
      %x = vector.load %a[%i] {alignment = 16 : i64} : memref<1024xf32>, vector<4xf32>
      vector.store %x, %s[%i] {alignment = 16 : i64} : memref<1024xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    }
    gpu.barrier
    %y = memref.load %s[%thread] : memref<1024xf32, #gpu.address_space<workgroup>>
    memref.store %y, %b[%thread] : memref<1024xf32>
    memref.store %y, %first[%c0] : memref<4xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}
