// Upstream's --gpu-to-llvm does not convert host_shared memory that is allocated asynchronously.
module attributes {gpu.container_module} {
  func.func @main() {
    %a = gpu.alloc host_shared () : memref<32xi32>
    gpu.dealloc %a : memref<32xi32>
    return
  }
}
