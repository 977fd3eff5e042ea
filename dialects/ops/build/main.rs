//! Generates a module of typed ops and enums for each dialect, from LLVM's own TableGen files and ours.

mod constraints;
mod enums;
mod model;
mod names;
mod result;
mod signatures;
mod write;

use std::path::{Path, PathBuf};
use std::{env, fs};

use tblgen::{RecordKeeper, TableGenParser};

/// The dialects, and the files that define them.
const DIALECTS: [(&str, &[&str]); 17] = [
    ("affine", &["mlir/Dialect/Affine/IR/AffineOps.td"]),
    ("arith", &["mlir/Dialect/Arith/IR/ArithOps.td"]),
    ("builtin", &["mlir/IR/BuiltinOps.td"]),
    ("cf", &["mlir/Dialect/ControlFlow/IR/ControlFlowOps.td"]),
    ("func", &["mlir/Dialect/Func/IR/FuncOps.td"]),
    ("gpu", &["mlir/Dialect/GPU/IR/GPUOps.td"]),
    ("index", &["mlir/Dialect/Index/IR/IndexOps.td"]),
    ("linalg", &["mlir/Dialect/Linalg/IR/LinalgOps.td"]),
    ("llvm", &["mlir/Dialect/LLVMIR/LLVMOps.td", "mlir/Dialect/LLVMIR/LLVMIntrinsicOps.td"]),
    ("math", &["mlir/Dialect/Math/IR/MathOps.td"]),
    ("memref", &["mlir/Dialect/MemRef/IR/MemRefOps.td"]),
    ("nvgpu", &["mlir/Dialect/NVGPU/IR/NVGPUOps.td"]),
    ("nvvm", &["mlir/Dialect/LLVMIR/NVVMOps.td"]),
    ("scf", &["mlir/Dialect/SCF/IR/SCFOps.td"]),
    ("tile", &["Tile.td"]),
    ("ub", &["mlir/Dialect/UB/IR/UBOps.td"]),
    ("vector", &["mlir/Dialect/Vector/IR/VectorOps.td"]),
];

fn main() {
    println!("cargo:rerun-if-env-changed=TABLEGEN_220_PREFIX");
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    println!("cargo:rerun-if-changed=build");
    // For this crate's tests.
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}/lib", variable("MLIR_SYS_220_PREFIX"));
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let ours = root.join("../tile/td");
    println!("cargo:rerun-if-changed={}", ours.display());
    let keeper = parse(&Path::new(&variable("MLIR_SYS_220_PREFIX")).join("include"), &ours);
    let out = PathBuf::from(variable("OUT_DIR"));
    let dialects = model::read(&keeper, &DIALECTS.map(|(name, _)| name));
    let mut modules = String::new();
    for dialect in &dialects {
        let file = out.join(format!("{}.rs", dialect.name));
        fs::write(&file, write::dialect(dialect)).expect("OUT_DIR can be written");
        modules += &format!("#[path = {file:?}]\n/// The `{0}` dialect.\npub mod {0};\n", dialect.name);
    }
    modules += &write::registry(&dialects);
    let signatures = out.join("signatures.json");
    fs::write(&signatures, signatures::json(&dialects)).expect("OUT_DIR can be written");
    modules += "/// What each op takes and gives, as JSON, for builders in other languages.\n";
    modules += &format!("pub const SIGNATURES: &str = include_str!({signatures:?});\n");
    fs::write(out.join("dialects.rs"), modules).expect("OUT_DIR can be written");
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("{name} is not set; `cargo xtask setup` finds LLVM and says how"))
}

/// Parses all files together: they include each other.
fn parse<'s>(installed: &Path, ours: &Path) -> RecordKeeper<'s> {
    let files = DIALECTS.iter().flat_map(|(_, files)| files.iter());
    let source: String = files.map(|file| format!("include \"{file}\"\n")).collect();
    TableGenParser::new()
        .add_source(&source)
        .expect("the source has no null byte")
        .add_include_directory(&installed.display().to_string())
        .add_include_directory(&ours.display().to_string())
        .parse()
        .unwrap_or_else(|error| panic!("cannot read the TableGen files below {}: {error}", installed.display()))
}
