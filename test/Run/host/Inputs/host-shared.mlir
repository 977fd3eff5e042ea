// Upstream's --gpu-to-llvm takes no memory for both that is allocated asynchronously.
module attributes {gpu.container_module} {
  func.func @main() {
    %a = gpu.alloc host_shared () : memref<32xi32>
    gpu.dealloc %a : memref<32xi32>
    return
  }
}
