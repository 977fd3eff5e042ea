//! Lets the program find the shared libraries of the LLVM that it was built against.

fn main() {
    if let Ok(prefix) = std::env::var("MLIR_SYS_220_PREFIX") {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{prefix}/lib");
    }
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
}
