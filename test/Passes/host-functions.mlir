// Functions of the host are executed by no thread of a grid: what they pass to each other need not be the same for all.
// RUN: tile-opt %s --tile-build --verify-diagnostics -o /dev/null
// RUN: tile-opt %s --lower-tile-copy --verify-diagnostics -o /dev/null
func.func private @print(memref<*xf32>)

func.func @helper(%m: memref<8x8xf32>) {
  %u = memref.cast %m : memref<8x8xf32> to memref<*xf32>
  call @print(%u) : (memref<*xf32>) -> ()
  return
}

// The copy is done by the threads of the launch, whose memory is the same for all.
func.func @starts(%m: memref<8x8xf32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%nx = %c1, %ny = %c1, %nz = %c1)
             threads(%tx, %ty, %tz) in (%mx = %c32, %my = %c1, %mz = %c1) {
    %t = tile.view %m : memref<8x8xf32> to !tile.buffer<8x8xf32, global>
    %r = tile.alloc : !tile.buffer<8x8xf32, shared>
    tile.copy %t to %r scope(cta) : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
    gpu.terminator
  }
  return
}

func.func @main() {
  %A = memref.alloc() : memref<8x8xf32>
  call @helper(%A) : (memref<8x8xf32>) -> ()
  call @starts(%A) : (memref<8x8xf32>) -> ()
  return
}
