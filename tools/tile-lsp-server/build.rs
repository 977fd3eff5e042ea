//! Adds the directory of LLVM's shared libraries to the program's run-time search path.

fn main() {
    if let Ok(prefix) = std::env::var("MLIR_SYS_220_PREFIX") {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{prefix}/lib");
    }
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
}
